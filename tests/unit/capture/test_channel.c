// uses: capture
/* The writing end of a capture file, read back by hand. The reader of the program itself is tested
 * with its own files; here every frame is walked by a few lines that share no code with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/capture/channel.h"

enum { MANY = 1 << 17 };

static char dir[] = "/tmp/lore-channel-XXXXXX";
static uint64_t stamp = 1000;

struct seen { /* what a file holds */
    unsigned char *bytes;
    size_t n;
    uint32_t count[LORE_CAP_TIES + 1]; /* frames by kind */
    uint64_t launches, unnamed, unshaped, named, ties;
    struct lore_cap_totals totals;
    struct lore_cap_loss loss;
    struct lore_cap_state state;
    bool names[MANY], shapes[MANY];
};

static int
make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int
remove_dir(void **state)
{
    char path[PATH_MAX];
    DIR *d = opendir(dir);
    struct dirent *e;

    (void)state;
    while (d && (e = readdir(d))) {
        snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
        unlink(path);
    }
    closedir(d);
    return rmdir(dir);
}

static struct lore_channel *
open_one(char path[PATH_MAX])
{
    struct lore_cap_start s = {.version = LORE_CAP_VERSION, .pid = (uint32_t)getpid()};

    s.wall_ns = ++stamp;
    strcpy(s.backend, "test");
    snprintf(path, PATH_MAX, "%s/%u-%llu.capture", dir, s.pid, (unsigned long long)s.wall_ns);
    return lore_channel_open(dir, &s);
}

static void
see(struct seen *s, uint32_t kind, const unsigned char *body, size_t n)
{
    struct lore_cap_launch l;
    struct lore_cap_shape shape;
    struct lore_cap_name name;

    s->count[kind]++;
    switch (kind) {
    case LORE_CAP_NAME:
        memcpy(&name, body, sizeof name);
        assert_int_equal(n, sizeof name + name.length);
        assert_false(s->names[name.id]);
        s->names[name.id] = true;
        break;
    case LORE_CAP_SHAPE:
        memcpy(&shape, body, sizeof shape);
        s->unnamed += !s->names[shape.name];
        s->shapes[shape.id] = true;
        break;
    case LORE_CAP_LAUNCHES:
        for (size_t at = 0; at < n; at += sizeof l) {
            memcpy(&l, body + at, sizeof l);
            s->unshaped += !s->shapes[l.shape];
            s->launches++;
        }
        break;
    case LORE_CAP_NAMED_LAUNCHES:
        assert_int_equal(n % sizeof(struct lore_cap_named_launch), 0);
        s->named += n / sizeof(struct lore_cap_named_launch);
        break;
    case LORE_CAP_TIES:
        assert_int_equal(n % sizeof(struct lore_cap_tie), 0);
        s->ties += n / sizeof(struct lore_cap_tie);
        break;
    case LORE_CAP_TOTALS:
        memcpy(&s->totals, body, sizeof s->totals);
        break;
    case LORE_CAP_LOSS:
        memcpy(&s->loss, body, sizeof s->loss);
        break;
    case LORE_CAP_STATE:
        memcpy(&s->state, body, sizeof s->state);
        break;
    default:
        break;
    }
}

/* Walk the file; the caller frees. */
static struct seen *
read_back(const char *path)
{
    struct seen *s = calloc(1, sizeof *s);
    FILE *f = fopen(path, "rb");
    struct lore_cap_head h;
    struct stat st;
    size_t at = 0;

    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    s->n = (size_t)st.st_size;
    s->bytes = malloc(s->n + 1);
    assert_int_equal(fread(s->bytes, 1, s->n, f), s->n);
    fclose(f);
    while (at < s->n) {
        assert_true(s->n - at >= sizeof h);
        memcpy(&h, s->bytes + at, sizeof h);
        assert_int_equal(h.magic, LORE_CAP_MAGIC);
        assert_in_range(h.kind, LORE_CAP_START, LORE_CAP_TIES);
        assert_int_equal(s->count[LORE_CAP_END], 0);
        assert_true(h.bytes <= LORE_CAP_FRAME_MAX && s->n - at - sizeof h >= h.bytes);
        see(s, h.kind, s->bytes + at + sizeof h, h.bytes);
        at += sizeof h + ((h.bytes + 7) & ~7u);
    }
    return s;
}

static void
free_seen(struct seen *s)
{
    free(s->bytes);
    free(s);
}

static uint32_t
shape_named(struct lore_channel *c, const char *name, uint32_t grid)
{
    struct lore_cap_shape s = {.grid = {grid, 1, 1}, .block = {32, 1, 1}};

    s.name = lore_channel_name(c, name);
    return lore_channel_shape(c, &s);
}

static void
launch(struct lore_channel *c, uint32_t shape, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        lore_channel_launch(
            c, &(struct lore_cap_launch){.start_ns = i, .dur_ns = 7, .shape = shape});
}

static void
what_is_said_is_read_back(void **state)
{
    char path[PATH_MAX];
    struct lore_channel *c = open_one(path);
    struct lore_cap_device d = {.ordinal = 1, .units = 132};
    struct lore_cap_metric m = {.shape = 1, .value = 0.5};
    struct stat st;
    struct seen *s;

    (void)state;
    assert_non_null(c);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    d.name = lore_channel_name(c, "H200");
    lore_channel_device(c, &d);
    launch(c, shape_named(c, "a", 1), 3);
    lore_channel_metric(c, &m);
    launch(c, shape_named(c, "a", 2), 2);
    lore_channel_total(c, LORE_CAP_FILL, 100, 9);
    lore_channel_total(c, LORE_CAP_FILL, 50, 1);
    lore_channel_total(c, LORE_CAP_TOTALS_N, 50, 1);
    lore_channel_lost(c, &(struct lore_cap_loss){.dropped = 4, .bad = 1});
    lore_channel_state(c, LORE_CAP_VENDOR_ERROR, "why", 5, 6);
    lore_channel_end(c);
    s = read_back(path);
    assert_int_equal(s->count[LORE_CAP_START], 1);
    assert_int_equal(s->count[LORE_CAP_NAME], 3);
    assert_int_equal(s->count[LORE_CAP_SHAPE], 2);
    assert_int_equal(s->count[LORE_CAP_DEVICE], 1);
    assert_int_equal(s->count[LORE_CAP_METRIC], 1);
    assert_int_equal(s->count[LORE_CAP_LAUNCHES], 2);
    assert_int_equal(s->launches, 5);
    assert_int_equal(s->totals.of[LORE_CAP_FILL].count, 2);
    assert_int_equal(s->totals.of[LORE_CAP_FILL].bytes, 150);
    assert_int_equal(s->loss.dropped, 4);
    assert_int_equal(s->loss.bad, 1);
    assert_int_equal(s->state.code, LORE_CAP_VENDOR_ERROR);
    assert_int_equal(s->state.b, 6);
    assert_int_equal(s->count[LORE_CAP_END], 1);
    free_seen(s);
}

/* Launches, named launches and ties in turn, N of each. */
static void
all_kinds(struct lore_channel *c, uint32_t shape, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        struct lore_cap_launch l = {.start_ns = i, .dur_ns = 7, .shape = shape};
        struct lore_cap_tie t = {(uint32_t)i, 1};

        lore_channel_tie(c, &t);
        if (i % 7 < 3)
            lore_channel_tie(c, &t);
        lore_channel_launch(c, &l);
        lore_channel_named_launch(c, &l, (uint32_t)i);
    }
}

static void
launches_with_and_without_a_call_and_ties_take_turns(void **state)
{
    char path[PATH_MAX];
    struct lore_channel *c = open_one(path);
    uint32_t shape = shape_named(c, "k", 1);

    (void)state;
    all_kinds(c, shape, 7000);
    lore_channel_end(c);
    struct seen *s = read_back(path);
    assert_int_equal(s->launches, 7000);
    assert_int_equal(s->named, 7000);
    assert_int_equal(s->ties, 10000);
    assert_int_equal(s->loss.write_failed, 0);
    free_seen(s);
}

static void
the_same_name_and_shape_have_one_id(void **state)
{
    char path[PATH_MAX], name[32];
    struct lore_channel *c = open_one(path);
    uint32_t first = shape_named(c, "kernel 7", 1);
    struct seen *s;

    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 20000; i++) {
            snprintf(name, sizeof name, "kernel %d", i);
            launch(c, shape_named(c, name, 1), 1);
        }
    assert_int_equal(shape_named(c, "kernel 7", 1), first);
    assert_int_not_equal(shape_named(c, "kernel 7", 2), first);
    lore_channel_end(c);
    s = read_back(path);
    assert_int_equal(s->count[LORE_CAP_NAME], 20000);
    assert_int_equal(s->count[LORE_CAP_SHAPE], 20001);
    assert_int_equal(s->launches, 40000);
    assert_int_equal(s->unnamed + s->unshaped, 0);
    free_seen(s);
}

static void
a_name_of_any_length_is_kept_whole(void **state)
{
    static const size_t lengths[] = {0, 1, 7, 8, 65000, 65536, 1 << 20};
    char path[PATH_MAX];
    struct lore_channel *c = open_one(path);
    struct seen *s;

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *name = malloc(lengths[i] + 1);

        memset(name, 'a' + (int)i, lengths[i]);
        name[lengths[i]] = '\0';
        launch(c, shape_named(c, name, 1), 2);
        free(name);
    }
    lore_channel_end(c);
    s = read_back(path);
    assert_int_equal(s->count[LORE_CAP_NAME], sizeof lengths / sizeof *lengths);
    assert_int_equal(s->launches, 2 * sizeof lengths / sizeof *lengths);
    assert_int_equal(s->unnamed + s->unshaped, 0);
    free_seen(s);
}

static void
what_was_flushed_is_there_when_the_process_is_killed(void **state)
{
    char path[PATH_MAX];
    struct lore_channel *c;
    struct seen *s;
    pid_t child;
    int status;

    (void)state;
    stamp++;
    snprintf(path, sizeof path, "%s/%u-%llu.capture", dir, 77u, (unsigned long long)stamp);
    child = fork();
    if (child == 0) {
        struct lore_cap_start start = {.version = 1, .pid = 77, .wall_ns = stamp};

        c = lore_channel_open(dir, &start);
        launch(c, shape_named(c, "k", 1), 10);
        lore_channel_flush(c);
        launch(c, 1, 3);
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    s = read_back(path);
    assert_int_equal(s->launches, 10);
    assert_int_equal(s->count[LORE_CAP_END], 0);
    free_seen(s);
}

static void
a_forked_child_writes_nothing_to_its_parents_file(void **state)
{
    char path[PATH_MAX], own[PATH_MAX];
    struct lore_channel *c = open_one(path);
    struct seen *s;
    int status;
    pid_t child;

    (void)state;
    launch(c, shape_named(c, "parent", 1), 5);
    stamp++;
    child = fork();
    if (child == 0) {
        struct lore_cap_start start = {.version = 1, .pid = 78, .wall_ns = stamp};
        struct lore_channel *mine;

        launch(c, 1, 100);
        lore_channel_state(c, LORE_CAP_ATTACHED, "child", 0, 0);
        lore_channel_flush(c);
        lore_channel_end(c);
        mine = lore_channel_open(dir, &start);
        launch(mine, shape_named(mine, "child", 1), 9);
        lore_channel_end(mine);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    launch(c, 1, 5);
    lore_channel_end(c);
    s = read_back(path);
    assert_int_equal(s->launches, 10);
    assert_int_equal(s->count[LORE_CAP_STATE], 0);
    free_seen(s);
    snprintf(own, sizeof own, "%s/78-%llu.capture", dir, (unsigned long long)stamp);
    s = read_back(own);
    assert_int_equal(s->launches, 9);
    free_seen(s);
}

/* Runs in a child with few descriptors: 0 when the next one that it opens is what it would be. */
static int
under_few_descriptors(void)
{
    struct rlimit limit = {32, 32};
    struct lore_cap_start start = {.version = 1, .pid = 80, .wall_ns = stamp};
    int before, after;

    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || (before = open("/dev/null", O_RDONLY)) < 0)
        return 1;
    close(before);
    if (!lore_channel_open(dir, &start))
        return 2;
    after = open("/dev/null", O_RDONLY);
    return after == before ? 0 : 3;
}

static void
the_hosts_next_descriptor_is_what_it_would_be_under_a_small_limit_too(void **state)
{
    int status;
    pid_t child;

    (void)state;
    stamp++;
    child = fork();
    if (child == 0)
        _exit(under_few_descriptors());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* Runs in a child, under a file size limit whose signal would kill: 0 when all is as it should. */
static int
under_a_limit(const char *path)
{
    struct rlimit limit = {100000, RLIM_INFINITY};
    struct lore_cap_start start = {.version = 1, .pid = 79, .wall_ns = stamp};
    struct lore_channel *c = lore_channel_open(dir, &start);
    struct stat st;

    signal(SIGXFSZ, SIG_DFL);
    if (!c || setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    errno = 0;
    launch(c, shape_named(c, "before", 1), 10000);
    launch(c, shape_named(c, "while full", 2), 10000);
    lore_channel_flush(c);
    if (errno != 0 || stat(path, &st) != 0 || st.st_size > 100000)
        return 2;
    limit.rlim_cur = RLIM_INFINITY;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 3;
    launch(c, 2, 1000);
    lore_channel_end(c);
    return 0;
}

static void
a_full_disk_costs_launches_that_are_counted_and_nothing_else(void **state)
{
    char path[PATH_MAX];
    struct seen *s;
    int status;
    pid_t child;

    (void)state;
    stamp++;
    snprintf(path, sizeof path, "%s/79-%llu.capture", dir, (unsigned long long)stamp);
    child = fork();
    if (child == 0)
        _exit(under_a_limit(path));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    s = read_back(path);
    assert_true(s->loss.write_failed > 10000);
    assert_int_equal(s->launches + s->loss.write_failed, 21000);
    assert_true(s->launches > 3000);
    assert_int_equal(s->unnamed + s->unshaped, 0);
    assert_int_equal(s->count[LORE_CAP_NAME], 2);
    assert_int_equal(s->count[LORE_CAP_END], 1);
    free_seen(s);
}

/* The descriptor of PATH in this process. */
static int
descriptor_of(const char *path)
{
    struct stat want, have;

    assert_int_equal(stat(path, &want), 0);
    for (int fd = 3; fd < 4096; fd++)
        if (fstat(fd, &have) == 0 && have.st_ino == want.st_ino && have.st_dev == want.st_dev)
            return fd;
    fail_msg("%s is not open", path);
    return -1;
}

static void
a_host_that_closes_every_descriptor_finds_its_own_files_untouched(void **state)
{
    char path[PATH_MAX], other[PATH_MAX];
    struct lore_channel *c = open_one(path);
    int fd = descriptor_of(path), mine;
    struct stat st;
    struct seen *s;

    (void)state;
    assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    launch(c, shape_named(c, "k", 1), 5);
    lore_channel_flush(c);
    snprintf(other, sizeof other, "%s/other", dir);
    mine = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(dup2(mine, fd), fd);
    launch(c, 1, 5000);
    lore_channel_flush(c);
    launch(c, 1, 5);
    lore_channel_end(c);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, 0);
    s = read_back(path);
    assert_int_equal(s->launches, 5010);
    assert_int_equal(s->loss.write_failed, 0);
    free_seen(s);
    close(fd);
    close(mine);
}

static void
nothing_is_taken_after_the_end(void **state)
{
    char path[PATH_MAX];
    struct lore_channel *c = open_one(path);
    struct seen *s;

    (void)state;
    lore_channel_end(c);
    launch(c, 1, 10000);
    assert_int_equal(lore_channel_name(c, "late"), 0);
    lore_channel_flush(c);
    lore_channel_end(c);
    s = read_back(path);
    assert_int_equal(s->launches, 0);
    assert_int_equal(s->count[LORE_CAP_END], 1);
    free_seen(s);
}

static void
without_a_folder_there_is_no_channel_and_nothing_minds(void **state)
{
    struct lore_cap_start start = {.version = 1, .pid = 80, .wall_ns = 1};
    struct lore_channel *c = lore_channel_open("/nonexistent/folder", &start);

    (void)state;
    assert_null(c);
    launch(c, 1, 10);
    lore_channel_flush(c);
    lore_channel_end(c);
    assert_int_equal(lore_channel_name(c, "k"), 0);
}

static void *
launch_much(void *arg)
{
    struct lore_channel *c = arg;
    char name[32];

    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "kernel %d", i);
        launch(c, shape_named(c, name, 1), 100);
        lore_channel_total(c, LORE_CAP_COPY_H2D, 1, 1);
        if (i % 50 == 0)
            lore_channel_flush(c);
    }
    return NULL;
}

static void
threads_lose_nothing(void **state)
{
    char path[PATH_MAX];
    struct lore_channel *c = open_one(path);
    pthread_t threads[4];
    struct seen *s;

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_much, c), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    lore_channel_end(c);
    s = read_back(path);
    assert_int_equal(s->launches, 4 * 500 * 100);
    assert_int_equal(s->count[LORE_CAP_NAME], 500);
    assert_int_equal(s->totals.of[LORE_CAP_COPY_H2D].count, 2000);
    assert_int_equal(s->unnamed + s->unshaped, 0);
    free_seen(s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_read_back),
        cmocka_unit_test(launches_with_and_without_a_call_and_ties_take_turns),
        cmocka_unit_test(the_same_name_and_shape_have_one_id),
        cmocka_unit_test(a_name_of_any_length_is_kept_whole),
        cmocka_unit_test(what_was_flushed_is_there_when_the_process_is_killed),
        cmocka_unit_test(the_hosts_next_descriptor_is_what_it_would_be_under_a_small_limit_too),
        cmocka_unit_test(a_forked_child_writes_nothing_to_its_parents_file),
        cmocka_unit_test(a_full_disk_costs_launches_that_are_counted_and_nothing_else),
        cmocka_unit_test(a_host_that_closes_every_descriptor_finds_its_own_files_untouched),
        cmocka_unit_test(nothing_is_taken_after_the_end),
        cmocka_unit_test(without_a_folder_there_is_no_channel_and_nothing_minds),
        cmocka_unit_test(threads_lose_nothing),
    };

    return cmocka_run_group_tests_name("channel", tests, make_dir, remove_dir);
}
