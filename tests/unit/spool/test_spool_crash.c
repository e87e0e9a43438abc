// uses: spool
/* kill -9 while adding and while draining, and a disk that is really full. What lore_spool_add
 * acknowledged is there afterwards; numbers never come twice. Skips the full disk where no file
 * system may be mounted. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/spool/spool.h"
#include "service/base/hash.h"
#include "tests/unit/scratch.h"

enum { ROUNDS = 40, WRITERS = 3 };

static char dir[64];

static int
set_up(void **state)
{
    (void)state;
    lore_hash_init();
    return scratch_make(dir);
}

static int
tear_down(void **state)
{
    (void)state;
    scratch_drop(dir);
    return 0;
}

static struct lore_spool *
reopen(void)
{
    const struct lore_spool_limits limits = {.free_bytes = 1};
    struct lore_spool *s = NULL;
    struct lore_err err = {0};

    if (lore_spool_open(dir, &limits, &s, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return s;
}

/* Payloads of very different sizes, so that segments roll and writes can be cut. */
static size_t
size_of(unsigned k)
{
    return k % 7 == 0 ? 300000 : 20 + k % 500;
}

static void
writer(int acknowledged)
{
    struct lore_spool *s = NULL;
    const struct lore_spool_limits limits = {.free_bytes = 1};
    unsigned char *bytes = calloc(1, 300000);
    uint64_t seq = 0;

    if (lore_spool_open(dir, &limits, &s, NULL) != LORE_OK)
        _exit(1);
    for (unsigned k = 0;; k++) {
        if (lore_spool_add(s, bytes, size_of(k), &seq, NULL) != LORE_OK)
            _exit(2);
        if (write(acknowledged, &seq, sizeof seq) != (ssize_t)sizeof seq)
            _exit(3);
    }
}

static void
drainer(int finished)
{
    struct lore_spool *s = NULL;
    const struct lore_spool_limits limits = {.free_bytes = 1};

    if (lore_spool_open(dir, &limits, &s, NULL) != LORE_OK ||
        lore_spool_lock_drain(s, NULL) != LORE_OK)
        _exit(1);
    for (;;) {
        struct lore_arena arena = {0};
        struct lore_spool_item *items = NULL;
        size_t n = 0;
        if (lore_spool_peek(s, (struct lore_spool_limit){1, SIZE_MAX}, &arena, &items, &n, NULL) !=
            LORE_OK)
            _exit(2);
        if (n > 0 && (lore_spool_done(s, &items[0].seq, 1, NULL) != LORE_OK ||
                         write(finished, &items[0].seq, 8) != 8))
            _exit(3);
        lore_arena_free(&arena);
    }
}

static size_t
read_numbers(int fd, uint64_t *out, size_t max)
{
    size_t n = 0;

    while (n < max && read(fd, &out[n], 8) == 8)
        n++;
    return n;
}

static int
by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

enum { MANY = 400000 };
static uint64_t added[MANY], finished[MANY], left[MANY];
static size_t n_added, n_finished;

static void
one_round(unsigned round)
{
    int to[2], from[2];
    pid_t children[WRITERS + 1];

    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    fcntl(to[1], F_SETPIPE_SZ, 1 << 20);
    for (int i = 0; i <= WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0 && i < WRITERS)
            writer(to[1]);
        if (children[i] == 0)
            drainer(from[1]);
    }
    close(to[1]);
    close(from[1]);
    const struct timespec t = {0, (20 + round * 7 % 60) * 1000000l};
    nanosleep(&t, NULL);
    for (int i = 0; i <= WRITERS; i++)
        kill(children[i], SIGKILL);
    for (int i = 0; i <= WRITERS; i++) {
        int status = 0;
        waitpid(children[i], &status, 0);
        assert_true(WIFSIGNALED(status));
    }
    n_added += read_numbers(to[0], added + n_added, MANY - n_added);
    n_finished += read_numbers(from[0], finished + n_finished, MANY - n_finished);
    close(to[0]);
    close(from[0]);
}

/* What waits, finished as it is looked at. */
static size_t
drain_all(void)
{
    struct lore_spool *s = reopen();
    size_t total = 0, n = 1;

    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    while (n > 0) {
        struct lore_arena arena = {0};
        struct lore_spool_item *items = NULL;
        assert_int_equal(
            lore_spool_peek(s, (struct lore_spool_limit){256, 1 << 20}, &arena, &items, &n, NULL),
            LORE_OK);
        for (size_t i = 0; i < n; i++)
            left[total + i] = items[i].seq;
        assert_int_equal(lore_spool_done(s, left + total, n, NULL), LORE_OK);
        total += n;
        lore_arena_free(&arena);
    }
    lore_spool_close(s);
    return total;
}

static void
nothing_acknowledged_is_lost_by_kill_9(void **state)
{
    size_t n_left, i = 0, k = 0;
    unsigned rounds = 0;

    (void)state;
    /* a busy machine adds little in the time of a round: more rounds then */
    while (rounds < ROUNDS || (n_added <= 100 && rounds < 20 * ROUNDS))
        one_round(rounds++);
    n_left = drain_all();
    assert_true(n_added > 100);
    qsort(added, n_added, 8, by_number);
    for (size_t j = 1; j < n_added; j++)
        assert_true(added[j] > added[j - 1]); /* no number twice, over all processes */
    /* each is finished or was left; a kill between "done" and saying so leaves it in neither list
     * at most once a round */
    memcpy(finished + n_finished, left, n_left * 8);
    n_finished += n_left;
    qsort(finished, n_finished, 8, by_number);
    size_t missing = 0;
    for (; i < n_added; i++) {
        while (k < n_finished && finished[k] < added[i])
            k++;
        missing += k == n_finished || finished[k] != added[i];
    }
    assert_in_range(missing, 0, rounds);
    print_message(
        "%zu added, %zu left at the end, %zu finished unsaid\n", n_added, n_left, missing);
}

static void
write_map(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);

    if (fd < 0)
        return;
    (void)!write(fd, text, strlen(text));
    close(fd);
}

/* A small file system over DIR that only this process sees. */
static bool
small_disk(void)
{
    char uid[32], gid[32];

    snprintf(uid, sizeof uid, "0 %d 1", (int)geteuid());
    snprintf(gid, sizeof gid, "0 %d 1", (int)getegid());
    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
            return false;
        write_map("/proc/self/setgroups", "deny");
        write_map("/proc/self/uid_map", uid);
        write_map("/proc/self/gid_map", gid);
    }
    (void)mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    return mount("tmpfs", dir, "tmpfs", 0, "size=8m,mode=0700") == 0;
}

static int
on_a_small_disk(void)
{
    enum { SIZE = 50000 };
    unsigned char *bytes = calloc(1, SIZE);
    struct lore_err err = {0};
    uint64_t n = 0;

    if (!small_disk())
        return 77;
    struct lore_spool *s = reopen();
    while (lore_spool_add(s, bytes, SIZE, NULL, &err) == LORE_OK)
        n++;
    if (err.status != LORE_TOOBIG || strcmp(err.code, "spool_full") != 0 || n < 140)
        return 1;
    struct lore_spool_stats stats;
    lore_spool_close(s);
    s = reopen();
    if (lore_spool_stats(s, &stats, NULL) != LORE_OK || stats.waiting != n || stats.damaged != 0)
        return 5; /* what did not fit was taken back */
    /* fill it to the last byte, then try small ones */
    while (lore_spool_add(s, bytes, 40, NULL, &err) == LORE_OK)
        n++;
    lore_spool_close(s);
    s = reopen();
    if (lore_spool_stats(s, &stats, NULL) != LORE_OK || stats.waiting != n || stats.damaged != 0)
        return 2;
    if (mount(NULL, dir, NULL, MS_REMOUNT, "size=16m") != 0)
        return 77;
    if (lore_spool_add(s, bytes, SIZE, NULL, &err) != LORE_OK)
        return 3;
    lore_spool_close(s);
    return drain_all() == n + 1 ? 0 : 4;
}

static void
a_full_disk_refuses_keeps_what_is_there_and_goes_on_with_room(void **state)
{
    int status = 0;
    pid_t child = fork();

    (void)state;
    if (child == 0)
        _exit(on_a_small_disk());
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(nothing_acknowledged_is_lost_by_kill_9),
        CASE(a_full_disk_refuses_keeps_what_is_there_and_goes_on_with_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
