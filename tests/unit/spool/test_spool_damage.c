// uses: spool PkgConfig::SODIUM
/* Damage of every kind, often: no record that was changed is taken, none that was not is missed,
 * what is no record is set aside, and everything goes on. A record counts as intact when its bytes
 * can still be found anywhere in the file, whatever moved around them. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/spool/spool.h"
#include "collectors/spool/spool_record.h"
#include "service/base/hash.h"
#include "tests/unit/scratch.h"

enum { RECORDS = 64, PAYLOAD_MAX = 400, FILE_MAX = RECORDS * (LORE_SPOOL_HEAD + PAYLOAD_MAX) };

struct file {
    unsigned char bytes[FILE_MAX + 2048];
    size_t n;
    size_t at[RECORDS], len[RECORDS]; /* where record i was written; seq i + 1 */
};

static unsigned char key[LORE_SPOOL_KEY];
static uint64_t dice = 0x2545f4914f6cdd1du;

static size_t
roll(size_t below)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (size_t)(dice % below);
}

/* Payloads that look like heads now and then. */
static void
make_file(struct file *f)
{
    unsigned char payload[PAYLOAD_MAX];

    f->n = 0;
    for (size_t i = 0; i < RECORDS; i++) {
        struct lore_spool_record r = {.seq = i + 1, .added_us = 5, .payload = payload};
        r.n = 1 + roll(PAYLOAD_MAX - 1);
        for (size_t k = 0; k < r.n; k++)
            payload[k] = (unsigned char)roll(256);
        if (roll(4) == 0 && r.n > 8)
            memcpy(payload + roll(r.n - 8), "WSP1\x05\0\0\0", 8);
        f->at[i] = f->n;
        f->len[i] = LORE_SPOOL_HEAD + r.n;
        lore_spool_head(key, &r, f->bytes + f->n);
        memcpy(f->bytes + f->n + LORE_SPOOL_HEAD, payload, r.n);
        f->n += f->len[i];
    }
}

static void
damage_once(struct file *f)
{
    size_t at = roll(f->n), n = 1 + roll(f->n - at < 700 ? f->n - at : 700);

    switch (roll(8)) {
    case 0:
        f->n = at > 0 ? at : 1;
        break;
    case 1:
        f->bytes[at] ^= (unsigned char)(1u << roll(8));
        break;
    case 2: /* a sector */
        at = at / 512 * 512;
        memset(f->bytes + at, 0, f->n - at < 512 ? f->n - at : 512);
        break;
    case 3:
        for (size_t i = 0; i < n; i++)
            f->bytes[at + i] = (unsigned char)roll(256);
        break;
    case 4: /* bytes from elsewhere */
        memmove(f->bytes + at, f->bytes + roll(f->n - n + 1), n);
        break;
    case 5: /* cut out */
        n = n < f->n ? n : f->n - 1;
        memmove(f->bytes + at, f->bytes + at + n, f->n - at - n);
        f->n -= n;
        break;
    case 6: /* put in */
        n = n < 100 ? n : 100;
        memmove(f->bytes + at + n, f->bytes + at, f->n - at);
        f->n += n;
        break;
    default:
        memset(f->bytes + at, 0xff, n);
    }
}

static void
check_scan(const struct file *good, const struct file *bad)
{
    bool seen[RECORDS] = {false};
    struct lore_spool_step step;
    bool last_whole = true;

    for (size_t at = 0; at < bad->n; at += step.n) {
        lore_spool_next(key, bad->bytes, bad->n, at, &step);
        assert_true(step.n > 0 && step.at == at && step.n <= bad->n - at);
        assert_true(step.whole || last_whole); /* a span is not cut in two */
        last_whole = step.whole;
        if (!step.whole)
            continue;
        size_t i = (size_t)step.record.seq - 1;
        assert_true(i < RECORDS);
        assert_int_equal(step.n, good->len[i]);
        assert_memory_equal(bad->bytes + at, good->bytes + good->at[i], step.n);
        seen[i] = true;
    }
    for (size_t i = 0; i < RECORDS; i++) {
        bool there = memmem(bad->bytes, bad->n, good->bytes + good->at[i], good->len[i]);
        if (there && !seen[i])
            fail_msg("record %zu is whole and was missed", i + 1);
    }
}

static void
twenty_thousand_kinds_of_damage_lose_only_what_they_hit(void **state)
{
    struct file *good = malloc(sizeof *good), *bad = malloc(sizeof *bad);

    (void)state;
    for (int trial = 0; trial < 20000; trial++) {
        if (trial % 100 == 0)
            make_file(good);
        memcpy(bad, good, sizeof *bad);
        for (size_t k = 1 + roll(4); k > 0; k--)
            damage_once(bad);
        check_scan(good, bad);
    }
    free(good);
    free(bad);
}

static void
a_record_of_another_spool_is_none_here(void **state)
{
    struct lore_spool_record out, r = {.seq = 1, .payload = (const unsigned char *)"x", .n = 1};
    unsigned char bytes[LORE_SPOOL_HEAD + 1], other[LORE_SPOOL_KEY] = {1};

    (void)state;
    lore_spool_head(other, &r, bytes);
    bytes[LORE_SPOOL_HEAD] = 'x';
    assert_true(lore_spool_record_at(other, bytes, sizeof bytes, &out));
    assert_false(lore_spool_record_at(key, bytes, sizeof bytes, &out));
}

static char dir[64], segment[96];

static int
set_up(void **state)
{
    (void)state;
    if (scratch_make(dir) != 0)
        return -1;
    snprintf(segment, sizeof segment, "%s/0000000000000001.wsp", dir);
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
reopen(void)
{
    const struct lore_spool_limits limits = {.free_bytes = 1};
    struct lore_spool *s = NULL;

    assert_int_equal(lore_spool_open(dir, &limits, &s, NULL), LORE_OK);
    return s;
}

static void
load(struct file *f)
{
    int fd = open(segment, O_RDONLY);

    f->n = (size_t)read(fd, f->bytes, sizeof f->bytes);
    close(fd);
}

static void
save(const struct file *f)
{
    int fd = open(segment, O_WRONLY | O_TRUNC);

    assert_int_equal(write(fd, f->bytes, f->n), f->n);
    close(fd);
}

static struct file good, bad;

/* Deliver all; every payload must be the one that was added under its number. */
static size_t
deliver(struct lore_spool *s)
{
    struct lore_arena arena = {0};
    struct lore_spool_item *items = NULL;
    uint64_t seqs[RECORDS + 2];
    size_t n = 0;

    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    assert_int_equal(lore_spool_peek(s, (struct lore_spool_limit){RECORDS + 2, SIZE_MAX}, &arena,
                         &items, &n, NULL),
        LORE_OK);
    for (size_t i = 0; i < n; i++) {
        seqs[i] = items[i].seq;
        if (items[i].seq > RECORDS)
            continue;
        size_t k = (size_t)items[i].seq - 1;
        assert_int_equal(items[i].n, good.len[k] - LORE_SPOOL_HEAD);
        assert_memory_equal(
            items[i].payload, good.bytes + good.at[k] + LORE_SPOOL_HEAD, items[i].n);
    }
    assert_int_equal(lore_spool_done(s, seqs, n, NULL), LORE_OK);
    assert_int_equal(lore_spool_peek(s, (struct lore_spool_limit){9, SIZE_MAX}, &arena, &items,
                         &(size_t){0}, NULL),
        LORE_OK);
    lore_arena_free(&arena);
    return n;
}

static size_t
whole_in(const struct file *f)
{
    size_t n = 0;

    for (size_t i = 0; i < RECORDS; i++)
        n += memmem(f->bytes, f->n, good.bytes + good.at[i], good.len[i]) != NULL;
    return n;
}

static void
fill_spool(void)
{
    unsigned char payload[PAYLOAD_MAX];
    struct lore_spool *s = reopen();

    for (size_t i = 0; i < RECORDS; i++) {
        size_t n = 1 + roll(PAYLOAD_MAX - 1);
        memset(payload, (int)i, n);
        good.at[i] = i ? good.at[i - 1] + good.len[i - 1] : 0;
        good.len[i] = LORE_SPOOL_HEAD + n;
        assert_int_equal(lore_spool_add(s, payload, n, NULL, NULL), LORE_OK);
    }
    lore_spool_close(s);
    load(&good);
}

static void
a_damaged_spool_delivers_the_rest_and_goes_on(void **state)
{
    struct lore_spool_stats stats;

    for (int trial = 0; trial < 60; trial++) {
        fill_spool();
        bad = good;
        for (size_t k = 1 + roll(3); k > 0; k--)
            damage_once(&bad);
        save(&bad);
        struct lore_spool *s = reopen();
        uint64_t seq = 0;
        /* half the time the writer meets the damage first */
        if (trial % 2)
            assert_int_equal(lore_spool_add(s, "new", 3, &seq, NULL), LORE_OK);
        assert_int_equal(deliver(s), whole_in(&bad) + (trial % 2 ? 1 : 0));
        if (trial % 2 == 0)
            assert_int_equal(lore_spool_add(s, "new", 3, &seq, NULL), LORE_OK);
        /* a number that a lost record may have had is not given again; a file that ends early
         * between two records shows no damage, but what was never delivered is not there either */
        assert_true(seq > whole_in(&bad));
        deliver(s);
        assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
        assert_int_equal(stats.waiting, 0);
        uint64_t damaged = stats.damaged;
        lore_spool_close(s);
        s = reopen(); /* the count is on disk */
        assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
        assert_int_equal(stats.damaged, damaged);
        assert_int_equal(stats.waiting, 0);
        lore_spool_close(s);
        tear_down(state);
        assert_int_equal(set_up(state), 0);
    }
}

static void
damaged_bytes_are_kept_aside(void **state)
{
    struct lore_spool *s;
    struct lore_spool_stats stats;
    char path[200];
    struct stat sb;

    (void)state;
    fill_spool();
    bad = good;
    bad.bytes[bad.at[3] + 50] ^= 1;
    bad.bytes[bad.at[4] + 1] ^= 1;
    bad.bytes[bad.at[9] + 20] ^= 1;
    save(&bad);
    s = reopen();
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.waiting, RECORDS - 3);
    assert_int_equal(stats.damaged, 2);
    assert_int_equal(deliver(s), RECORDS - 3);
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.damaged, 2);
    snprintf(path, sizeof path, "%s/damaged/0000000000000001-%zu-%zu", dir, good.at[3],
        good.len[3] + good.len[4]);
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(sb.st_size, good.len[3] + good.len[4]);
    lore_spool_close(s);
}

static void
a_record_that_spoils_after_it_was_seen_is_not_delivered(void **state)
{
    struct lore_arena arena = {0};
    struct lore_spool_item *items = NULL;
    struct lore_spool_stats stats;
    size_t n = 0;

    (void)state;
    fill_spool();
    struct lore_spool *s = reopen();
    assert_int_equal(lore_spool_lock_drain(s, NULL), LORE_OK);
    assert_int_equal(
        lore_spool_peek(s, (struct lore_spool_limit){1, 1}, &arena, &items, &n, NULL), LORE_OK);
    bad = good;
    bad.bytes[good.at[20] + good.len[20] - 1] ^= 128;
    save(&bad);
    assert_int_equal(deliver(s), RECORDS - 1);
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.damaged, 1);
    lore_arena_free(&arena);
    lore_spool_close(s);
}

static void
flip_byte(int fd, off_t at)
{
    unsigned char byte;

    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 0xff;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
}

static void
a_damaged_log_of_what_is_done_means_sending_again_not_losing(void **state)
{
    char path[96];

    (void)state;
    fill_spool();
    struct lore_spool *s = reopen();
    assert_int_equal(deliver(s), RECORDS);
    lore_spool_close(s);
    snprintf(path, sizeof path, "%s/done", dir);
    int fd = open(path, O_RDWR);
    flip_byte(fd, 5 * 16 + 3);
    flip_byte(fd, 9 * 16 + 12);
    assert_int_equal(ftruncate(fd, 20 * 16 + 7), 0);
    close(fd);
    s = reopen();
    /* 1 for the highest number, 19 - 2 entries left */
    assert_int_equal(deliver(s), RECORDS - 17);
    assert_int_equal(deliver(s), 0);
    lore_spool_close(s);
}

static void
files_that_a_disk_says_are_huge_are_cut_and_the_rest_is_delivered(void **state)
{
    char path[96];

    (void)state;
    fill_spool();
    assert_int_equal(truncate(segment, (off_t)1 << 40), 0);
    snprintf(path, sizeof path, "%s/done", dir);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
    struct lore_spool *s = reopen();
    assert_int_equal(deliver(s), RECORDS);
    assert_int_equal(lore_spool_add(s, "new", 3, NULL, NULL), LORE_OK);
    assert_int_equal(deliver(s), 1);
    lore_spool_close(s);
}

static void
a_lost_key_sets_old_segments_aside_and_new_records_flow(void **state)
{
    struct lore_spool_stats stats;
    char path[96];
    uint64_t seq = 0;

    (void)state;
    fill_spool();
    snprintf(path, sizeof path, "%s/key", dir);
    int fd = open(path, O_RDWR);
    assert_int_equal(pwrite(fd, "x", 1, 4), 1);
    close(fd);
    struct lore_spool *s = reopen();
    assert_int_equal(lore_spool_add(s, "new", 3, &seq, NULL), LORE_OK);
    assert_true(seq > RECORDS);
    assert_int_equal(lore_spool_stats(s, &stats, NULL), LORE_OK);
    assert_int_equal(stats.damaged, 1);
    assert_int_equal(deliver(s), 1);
    lore_spool_close(s);
}

static int
make_key(void **state)
{
    (void)state;
    lore_hash_init();
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)(i * 7);
    return 0;
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_thousand_kinds_of_damage_lose_only_what_they_hit),
        cmocka_unit_test(a_record_of_another_spool_is_none_here),
        CASE(a_damaged_spool_delivers_the_rest_and_goes_on),
        CASE(damaged_bytes_are_kept_aside),
        CASE(a_record_that_spoils_after_it_was_seen_is_not_delivered),
        CASE(a_damaged_log_of_what_is_done_means_sending_again_not_losing),
        CASE(files_that_a_disk_says_are_huge_are_cut_and_the_rest_is_delivered),
        CASE(a_lost_key_sets_old_segments_aside_and_new_records_flow),
    };

    return cmocka_run_group_tests(tests, make_key, NULL);
}
