// uses: spool
/* The spool in ordinary use: what is added comes out in order, once, also after the program ended;
 * numbers only grow; finished segments go; a limit refuses. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/spool/spool.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "tests/unit/scratch.h"

static char dir[64], spool_dir[80];

static int
set_up(void **state)
{
    (void)state;
    lore_hash_init();
    if (scratch_make(dir) != 0)
        return -1;
    snprintf(spool_dir, sizeof spool_dir, "%s/spool", dir);
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    scratch_drop(dir);
    return 0;
}

static struct lore_spool *
open_with(uint64_t max_bytes)
{
    const struct lore_spool_limits limits = {.max_bytes = max_bytes, .free_bytes = 1};
    struct lore_spool *s = NULL;
    struct lore_err err = {0};

    if (lore_spool_open(spool_dir, &limits, &s, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return s;
}

static uint64_t
add(struct lore_spool *s, const char *text)
{
    struct lore_err err = {0};
    uint64_t seq = 0;

    if (lore_spool_add(s, text, strlen(text), &seq, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return seq;
}

/* The waiting items' payloads joined by spaces, and their numbers as done when DONE. */
static const char *
drain(struct lore_spool *s, size_t max, size_t max_bytes, bool done)
{
    static char text[4096];
    struct lore_arena arena = {0};
    struct lore_spool_item *items = NULL;
    uint64_t seqs[64];
    size_t n = 0, at = 0;

    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    assert_int_equal(
        lore_spool_peek(s, (struct lore_spool_limit){max, max_bytes}, &arena, &items, &n, NULL),
        LORE_OK);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%.*s", i ? " " : "", (int)items[i].n,
            (const char *)items[i].payload);
        seqs[i] = items[i].seq;
        assert_true(i == 0 || items[i].seq > items[i - 1].seq);
    }
    if (done)
        assert_int_equal(lore_spool_done(s, seqs, n, NULL), LORE_OK);
    lore_arena_free(&arena);
    return text;
}

static size_t
files_ending(const char *ending)
{
    DIR *d = opendir(spool_dir);
    size_t n = 0;

    for (const struct dirent *e; (e = readdir(d));) {
        size_t len = strlen(e->d_name), end = strlen(ending);
        n += len >= end && strcmp(e->d_name + len - end, ending) == 0;
    }
    closedir(d);
    return n;
}

static void
what_is_added_comes_out_in_order_and_once(void **state)
{
    struct lore_spool *s = open_with(0);
    struct lore_spool_stats stats;

    (void)state;
    assert_int_equal(add(s, "one"), 1);
    assert_int_equal(add(s, "two"), 2);
    assert_int_equal(add(s, "three"), 3);
    assert_string_equal(drain(s, 10, 1000, false), "one two three");
    assert_string_equal(drain(s, 2, 1000, false), "one two");
    assert_string_equal(drain(s, 10, 6, true), "one two");
    assert_string_equal(drain(s, 10, 1, false), "three"); /* one at least */
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.waiting, 1);
    assert_int_equal(stats.waiting_bytes, 5);
    assert_int_equal(stats.next_seq, 4);
    assert_int_equal(stats.dead + stats.damaged, 0);
    assert_true(stats.oldest_us > 0 && stats.oldest_us <= lore_now_us());
    assert_string_equal(drain(s, 10, 1000, true), "three");
    assert_string_equal(drain(s, 10, 1000, true), "");
    lore_spool_close(s);
}

static void
it_is_all_there_after_the_program_ended(void **state)
{
    struct lore_spool *s = open_with(0);
    struct lore_spool_stats stats;

    (void)state;
    add(s, "a");
    add(s, "b");
    add(s, "c");
    drain(s, 1, 1000, true);
    lore_spool_close(s);
    s = open_with(0);
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.waiting, 2);
    assert_int_equal(add(s, "d"), 4);
    assert_string_equal(drain(s, 10, 1000, true), "b c d");
    lore_spool_close(s);
    s = open_with(0);
    assert_string_equal(drain(s, 10, 1000, true), "");
    assert_int_equal(add(s, "e"), 5);
    lore_spool_close(s);
}

static void
files_are_for_their_owner_alone_and_links_are_not_followed(void **state)
{
    struct lore_spool *s;
    struct stat sb;
    char path[128];

    (void)state;
    assert_int_equal(mkdir(spool_dir, 0755), 0);
    s = open_with(0);
    add(s, "x");
    lore_spool_close(s);
    assert_int_equal(stat(spool_dir, &sb), 0);
    assert_int_equal(sb.st_mode & 0777, 0700);
    snprintf(path, sizeof path, "%s/0000000000000001.wsp", spool_dir);
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(sb.st_mode & 0777, 0600);
    snprintf(path, sizeof path, "%s/key", spool_dir);
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(sb.st_mode & 0777, 0600);
    snprintf(path, sizeof path, "%s/link", dir);
    assert_int_equal(symlink(spool_dir, path), 0);
    assert_int_equal(lore_spool_open(path, NULL, &s, NULL), LORE_IO);
}

static void
one_process_drains_while_others_add(void **state)
{
    struct lore_spool *a = open_with(0), *b = open_with(0);
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_spool_lock_drain(a, NULL), LORE_OK);
    assert_int_equal(lore_spool_lock_drain(b, &err), LORE_BUSY);
    assert_int_equal(add(b, "b1"), 1);
    assert_int_equal(add(a, "a1"), 2);
    assert_int_equal(add(b, "b2"), 3);
    assert_string_equal(drain(a, 10, 1000, true), "b1 a1 b2");
    assert_int_equal(add(b, "b3"), 4);
    lore_spool_close(a);
    assert_string_equal(drain(b, 10, 1000, true), "b3");
    lore_spool_close(b);
}

static void
peeking_and_finishing_need_ownership(void **state)
{
    struct lore_spool *s = open_with(0);
    struct lore_arena arena = {0};
    struct lore_spool_item *items;
    uint64_t seq = add(s, "x");
    size_t n;

    (void)state;
    assert_int_equal(lore_spool_peek(s, (struct lore_spool_limit){1, 1}, &arena, &items, &n, NULL),
        LORE_INVALID);
    assert_int_equal(lore_spool_done(s, &seq, 1, NULL), LORE_INVALID);
    assert_int_equal(lore_spool_set_aside(s, seq, "why", NULL), LORE_INVALID);
    assert_int_equal(lore_spool_add(s, "", 0, NULL, NULL), LORE_INVALID);
    lore_arena_free(&arena);
    lore_spool_close(s);
}

static void
a_segment_goes_when_all_of_it_is_finished(void **state)
{
    struct lore_spool *s = open_with(0);
    size_t big = 1500u << 10, n = 0;
    char *text = calloc(1, big);
    struct lore_arena arena = {0};
    struct lore_spool_item *items = NULL;
    uint64_t seqs[8];

    (void)state;
    memset(text, 'x', big);
    for (int i = 0; i < 7; i++) /* 2, 2, 2, 1 */
        assert_int_equal(lore_spool_add(s, text, big, &seqs[i], NULL), LORE_OK);
    assert_int_equal(files_ending(".wsp"), 4);
    assert_int_equal(files_ending("0000000000000007.wsp"), 1); /* by its first record */
    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    assert_int_equal(
        lore_spool_peek(s, (struct lore_spool_limit){8, SIZE_MAX}, &arena, &items, &n, NULL),
        LORE_OK);
    assert_int_equal(n, 7);
    assert_int_equal(lore_spool_done(s, seqs + 1, 2, NULL), LORE_OK);
    assert_int_equal(files_ending(".wsp"), 4);
    assert_int_equal(lore_spool_done(s, seqs + 3, 1, NULL), LORE_OK);
    assert_int_equal(files_ending(".wsp"), 3);
    assert_int_equal(lore_spool_done(s, seqs + 4, 3, NULL), LORE_OK);
    assert_int_equal(lore_spool_done(s, seqs, 1, NULL), LORE_OK);
    /* an empty one is left; its name goes on with the count, whatever else is lost */
    assert_int_equal(files_ending("0000000000000008.wsp"), 1);
    assert_int_equal(files_ending(".wsp"), 1);
    lore_spool_close(s);
    assert_int_equal(chdir(spool_dir), 0);
    assert_int_equal(unlink("done"), 0);
    assert_int_equal(chdir("/"), 0);
    s = open_with(0);
    assert_int_equal(add(s, "next"), 8);
    lore_spool_close(s);
    lore_arena_free(&arena);
    free(text);
}

static void
what_others_add_meanwhile_is_not_removed(void **state)
{
    struct lore_spool *a = open_with(0), *b = open_with(0);
    char *text = calloc(1, 100001), path[128];
    struct lore_arena arena = {0};
    struct lore_spool_item *items = NULL;
    size_t n = 0;

    (void)state;
    memset(text, 'x', 100000);
    uint64_t first = add(a, text);
    assert_int_equal(lore_spool_lock_drain(a, NULL), LORE_OK);
    assert_int_equal(
        lore_spool_peek(a, (struct lore_spool_limit){9, SIZE_MAX}, &arena, &items, &n, NULL),
        LORE_OK);
    add(b, "late");
    assert_int_equal(lore_spool_done(a, &first, 1, NULL), LORE_OK);
    assert_string_equal(drain(a, 9, 1000, true), "late");
    assert_string_equal(drain(a, 9, 1000, true), ""); /* the segment is gone, and a new one begun */
    snprintf(path, sizeof path, "%s/0000000000000003.wsp", spool_dir);
    assert_int_equal(unlink(path), 0); /* by hand, while b has it open */
    add(b, "again");
    add(b, "more");
    assert_int_equal(unlink(path) == 0 || errno == ENOENT, true);
    add(b, "seen");
    assert_non_null(strstr(drain(a, 9, 1000, true), "seen"));
    lore_arena_free(&arena);
    lore_spool_close(a);
    lore_spool_close(b);
    free(text);
}

static void
a_number_that_was_sent_is_not_given_again_when_the_segment_is_lost(void **state)
{
    struct lore_spool *s = open_with(0);
    char path[128];

    (void)state;
    add(s, "a");
    add(s, "b");
    drain(s, 10, 1000, false); /* sent; the answer never came */
    lore_spool_close(s);
    snprintf(path, sizeof path, "%s/0000000000000001.wsp", spool_dir);
    assert_int_equal(unlink(path), 0);
    s = open_with(0);
    assert_int_equal(add(s, "c"), 3);
    lore_spool_close(s);
}

static void
a_full_spool_refuses_and_drops_nothing(void **state)
{
    struct lore_spool *s = open_with(1000);
    char text[101];
    struct lore_err err = {0};
    size_t n = 0;

    (void)state;
    memset(text, 'x', 100);
    text[100] = '\0';
    while (lore_spool_add(s, text, 100, NULL, &err) == LORE_OK)
        n++;
    assert_string_equal(err.code, "spool_full");
    assert_int_equal(err.status, LORE_TOOBIG);
    assert_in_range(n, 4, 6); /* 148 bytes each; the key and the log count too */
    assert_int_equal(strlen(drain(s, 64, 10000, false)), n * 101 - 1);
    lore_spool_close(s);
}

static void
a_disk_that_is_nearly_full_is_left_alone(void **state)
{
    const struct lore_spool_limits limits = {.free_bytes = UINT64_MAX / 2};
    struct lore_spool *s = NULL;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_spool_open(spool_dir, &limits, &s, NULL), LORE_OK);
    assert_int_equal(lore_spool_add(s, "x", 1, NULL, &err), LORE_TOOBIG);
    assert_string_equal(err.code, "spool_full");
    lore_spool_close(s);
}

static void
read_back(const char *name, char *out, size_t size)
{
    char path[160];
    FILE *f;
    size_t n;

    snprintf(path, sizeof path, "%s/%s", spool_dir, name);
    f = fopen(path, "rb");
    assert_non_null(f);
    n = fread(out, 1, size - 1, f);
    out[n] = '\0';
    fclose(f);
}

static void
a_refused_record_is_kept_with_the_reason(void **state)
{
    struct lore_spool *s = open_with(0);
    struct lore_spool_stats stats;
    char text[64];

    (void)state;
    add(s, "good");
    add(s, "bad");
    drain(s, 1, 1000, false);
    assert_int_equal(lore_spool_set_aside(s, 2, "runs[0].device: expected text", NULL), LORE_OK);
    assert_int_equal(lore_spool_set_aside(s, 2, "again", NULL), LORE_NOTFOUND);
    read_back("dead/2.json", text, sizeof text);
    assert_string_equal(text, "bad");
    read_back("dead/2.why", text, sizeof text);
    assert_string_equal(text, "runs[0].device: expected text");
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.dead, 1);
    assert_int_equal(stats.waiting, 1);
    assert_string_equal(drain(s, 10, 1000, true), "good");
    lore_spool_close(s);
}

static enum lore_status
fill_number(void *ctx, uint64_t seq, struct lore_buf *payload, struct lore_err *err)
{
    if (ctx)
        return lore_fail(err, LORE_INVALID, "no");
    lore_buf_printf(payload, "#%llu", (unsigned long long)seq);
    return LORE_OK;
}

static void
a_payload_may_hold_its_own_number(void **state)
{
    struct lore_spool *s = open_with(0);
    int no = 1;

    (void)state;
    add(s, "x");
    assert_int_equal(lore_spool_add_built(s, fill_number, NULL, NULL, NULL), LORE_OK);
    assert_int_equal(lore_spool_add_built(s, fill_number, &no, NULL, NULL), LORE_INVALID);
    assert_int_equal(lore_spool_add_built(s, fill_number, NULL, NULL, NULL), LORE_OK);
    assert_string_equal(drain(s, 10, 100, true), "x #2 #3");
    lore_spool_close(s);
}

static void
the_log_of_what_is_done_does_not_grow_for_ever(void **state)
{
    struct lore_spool *s = open_with(0);
    char payload[1024], path[128];
    struct stat sb;

    (void)state;
    memset(payload, 'x', sizeof payload);
    for (int round = 0; round < 240; round++) {
        for (int i = 0; i < 64; i++)
            assert_int_equal(lore_spool_add(s, payload, sizeof payload, NULL, NULL), LORE_OK);
        struct lore_arena arena = {0};
        struct lore_spool_item *items;
        uint64_t seqs[65];
        size_t n;
        assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
        assert_int_equal(
            lore_spool_peek(s, (struct lore_spool_limit){65, SIZE_MAX}, &arena, &items, &n, NULL),
            LORE_OK);
        assert_int_equal(n, round == 0 ? 64 : 65);
        assert_int_equal(items[0].seq, 1); /* it stays, and with it its segment */
        for (size_t i = 1; i < n; i++)
            seqs[i] = items[i].seq;
        assert_int_equal(lore_spool_done(s, seqs + 1, n - 1, NULL), LORE_OK);
        lore_arena_free(&arena);
    }
    lore_spool_close(s);
    snprintf(path, sizeof path, "%s/done", spool_dir);
    assert_int_equal(stat(path, &sb), 0);
    assert_in_range(sb.st_size, 16, 12500 * 16);
    s = open_with(0);
    struct lore_spool_stats stats;
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.waiting, 1);
    assert_int_equal(add(s, "x"), 240 * 64 + 1);
    drain(s, 1, 10000, true);
    assert_string_equal(drain(s, 64, 10000, true), "x");
    lore_spool_close(s);
}

static uint64_t
waiting(struct lore_spool *s)
{
    struct lore_spool_stats stats;

    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    return stats.waiting;
}

static void
what_was_delivered_can_wait_again_except_what_is_named(void **state)
{
    char *large = calloc(1, (3u << 20) + 1);
    struct lore_spool *s = open_with(0);
    const uint64_t except[] = {1, 3};
    uint64_t again = 99;

    (void)state;
    memset(large, 'x', 3u << 20);
    for (int i = 0; i < 4; i++) /* a segment each */
        add(s, large);
    add(s, "small");
    assert_int_equal(lore_spool_again(s, NULL, 0, &again, NULL), LORE_INVALID); /* not ours */
    for (int i = 0; i < 5; i++)
        drain(s, 1, 100, true);
    assert_int_equal(waiting(s), 0);
    lore_spool_close(s);
    /* another process, to which the log says all */
    s = open_with(0);
    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    assert_int_equal(lore_spool_again(s, except, 2, &again, NULL), LORE_OK);
    assert_int_equal(again, 3);
    assert_int_equal(waiting(s), 3);
    lore_spool_close(s);
    s = open_with(0);
    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    assert_int_equal(waiting(s), 3);
    assert_int_equal(lore_spool_again(s, except, 2, &again, NULL), LORE_OK);
    assert_int_equal(again, 0);
    for (int i = 0; i < 3; i++)
        drain(s, 1, 100, true);
    assert_int_equal(waiting(s), 0);
    /* numbers go on */
    assert_int_equal(add(s, "next"), 6);
    lore_spool_close(s);
    free(large);
}

static void
delivered_segments_are_kept_within_their_bound_and_time(void **state)
{
    const struct lore_spool_limits limits = {.free_bytes = 1, .sent_bytes = 7u << 20};
    char *large = calloc(1, (3u << 20) + 1);
    struct lore_spool *s = NULL;
    uint64_t again = 0;

    (void)state;
    memset(large, 'x', 3u << 20);
    assert_int_equal(lore_spool_open(spool_dir, &limits, &s, NULL), LORE_OK);
    for (int i = 0; i < 5; i++) {
        add(s, large);
        drain(s, 1, 100, true);
    }
    assert_int_equal(lore_spool_again(s, NULL, 0, &again, NULL), LORE_OK);
    assert_int_equal(again, 2); /* of 3 MiB each, the newest */
    assert_true(drain(s, 1, 100, true)[0] == 'x');
    drain(s, 1, 100, true);
    lore_spool_prune(s, 1); /* a day */
    assert_int_equal(lore_spool_again(s, NULL, 0, &again, NULL), LORE_OK);
    assert_int_equal(again, 2);
    drain(s, 1, 100, true);
    drain(s, 1, 100, true);
    lore_spool_prune(s, 0);
    assert_int_equal(lore_spool_again(s, NULL, 0, &again, NULL), LORE_OK);
    assert_int_equal(again, 0);
    lore_spool_close(s);
    free(large);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(what_is_added_comes_out_in_order_and_once),
        CASE(it_is_all_there_after_the_program_ended),
        CASE(files_are_for_their_owner_alone_and_links_are_not_followed),
        CASE(one_process_drains_while_others_add),
        CASE(peeking_and_finishing_need_ownership),
        CASE(a_segment_goes_when_all_of_it_is_finished),
        CASE(what_others_add_meanwhile_is_not_removed),
        CASE(a_number_that_was_sent_is_not_given_again_when_the_segment_is_lost),
        CASE(a_full_spool_refuses_and_drops_nothing),
        CASE(a_disk_that_is_nearly_full_is_left_alone),
        CASE(a_refused_record_is_kept_with_the_reason),
        CASE(a_payload_may_hold_its_own_number),
        CASE(the_log_of_what_is_done_does_not_grow_for_ever),
        CASE(what_was_delivered_can_wait_again_except_what_is_named),
        CASE(delivered_segments_are_kept_within_their_bound_and_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
