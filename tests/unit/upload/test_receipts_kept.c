// uses: upload
/* The file of receipts when it is full: its older part gives way to a line that says how far it
 * went, and the chain still holds, or the file stays as it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "collectors/upload/agent.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "tests/unit/scratch.h"

enum { RECEIPTS = 40, RECORDS = 3 };

static char dir[64];
static struct lore_upload_identity who;
static unsigned char secret[LORE_SECRET_KEY];
static struct lore_upload_receipt last;
static struct lore_err err;

static void
append(void)
{
    struct lore_receipt_line lines[RECORDS] = {{0}};
    struct lore_upload_receipt r = {.number = last.number + 1, .lines = lines, .n = RECORDS};

    for (size_t i = 0; i < RECORDS; i++)
        lines[i] = (struct lore_receipt_line){.seq = r.number * RECORDS + i, .state = 's'};
    memcpy(r.agent, who.id, sizeof r.agent);
    memcpy(r.batch, "01M7ZS70X0D4HXT6Y08R085HEN", sizeof r.batch);
    memcpy(r.previous, last.hash, sizeof r.previous);
    lore_receipt_hash(
        &(struct lore_receipt_head){r.previous, r.agent, r.batch, r.number}, r.lines, r.n, r.hash);
    lore_signing_receipt(secret, r.hash, r.signature);
    assert_int_equal(lore_receipts_append(dir, &r, &err), LORE_OK);
    last = r;
}

static const char *
path(void)
{
    static char text[96];

    snprintf(text, sizeof text, "%s/receipts.jsonl", dir);
    return text;
}

static size_t
size(void)
{
    struct stat sb;

    assert_int_equal(stat(path(), &sb), 0);
    return (size_t)sb.st_size;
}

static int
set_up(void **state)
{
    (void)state;
    memset(&who, 0, sizeof who);
    memset(&last, 0, sizeof last);
    memcpy(who.id, "01M7ZS70X0D4HXT6Y08R085HEM", sizeof who.id);
    lore_signing_keys(who.service_key, secret);
    if (scratch_make(dir) != 0)
        return -1;
    for (int i = 0; i < RECEIPTS; i++)
        append();
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    scratch_drop(dir);
    return 0;
}

static void
assert_chain(uint64_t want)
{
    uint64_t receipts = 0, records = 0;

    if (lore_receipts_verify(dir, &who, &receipts, &records, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(receipts, want);
    assert_int_equal(records, want * RECORDS);
}

static void
a_full_file_gives_up_its_older_part_and_still_holds(void **state)
{
    struct lore_upload_receipt end;
    size_t before = size(), after;

    (void)state;
    assert_int_equal(lore_receipts_compact(dir, &who, before, before / 4, &err), LORE_OK);
    assert_int_equal(size(), before); /* not full yet */
    assert_int_equal(lore_receipts_compact(dir, &who, before - 1, before / 4, &err), LORE_OK);
    after = size();
    assert_true(after < before / 3);
    assert_chain(RECEIPTS);
    assert_int_equal(lore_receipts_last(dir, &end, &err), LORE_OK);
    assert_memory_equal(end.hash, last.hash, sizeof end.hash);
    for (int i = 0; i < RECEIPTS; i++)
        append();
    assert_int_equal(lore_receipts_compact(dir, &who, after, after / 2, &err), LORE_OK);
    assert_true(size() < after);
    assert_chain(2 * RECEIPTS); /* what the first line said is carried on */
}

static void
a_chain_that_does_not_hold_is_not_touched(void **state)
{
    struct lore_buf text = {0};
    size_t before = size();

    (void)state;
    assert_int_equal(lore_file_read(path(), &text, &err), LORE_OK);
    char *hash = strstr(text.data, "\"hash\":\"");
    hash[8] = hash[8] == '0' ? '1' : '0';
    assert_int_equal(lore_file_write(path(), text.data, text.len, 0600, &err), LORE_OK);
    assert_int_equal(lore_receipts_compact(dir, &who, 100, before / 4, &err), LORE_CORRUPT);
    assert_int_equal(size(), before);
    lore_buf_free(&text);
}

static void
a_zero_within_the_file_is_no_end_of_it(void **state)
{
    struct lore_buf text = {0};
    uint64_t a = 0, b = 0;

    (void)state;
    assert_int_equal(lore_file_read(path(), &text, &err), LORE_OK);
    char *second = strchr(text.data, '\n') + 1;
    second[10] = '\0';
    assert_int_equal(lore_file_write(path(), text.data, text.len, 0600, &err), LORE_OK);
    assert_int_equal(lore_receipts_verify(dir, &who, &a, &b, &err), LORE_CORRUPT);
    /* but zeros after the last whole line are what a crash leaves */
    second[10] = second[11] = '\0';
    assert_int_equal(
        lore_file_write(path(), text.data, (size_t)(second - text.data) + 12, 0600, &err), LORE_OK);
    assert_chain(1);
    lore_buf_free(&text);
}

/* Put WITH where WHAT stands; the chain must not hold then. */
static void
assert_found(const char *what, const char *with)
{
    struct lore_buf text = {0};
    uint64_t a, b;

    assert_int_equal(lore_file_read(path(), &text, &err), LORE_OK);
    char *at = strstr(text.data, what);
    assert_non_null(at);
    assert_int_equal(strlen(what), strlen(with));
    memcpy(at, with, strlen(with));
    assert_int_equal(lore_file_write(path(), text.data, text.len, 0600, &err), LORE_OK);
    assert_int_equal(lore_receipts_verify(dir, &who, &a, &b, &err), LORE_CORRUPT);
    memcpy(at, what, strlen(what));
    assert_int_equal(lore_file_write(path(), text.data, text.len, 0600, &err), LORE_OK);
    lore_buf_free(&text);
}

static void
the_first_line_hides_no_gap(void **state)
{
    struct lore_buf text = {0};
    uint64_t a, b;
    char hash[10], other[10];

    (void)state;
    assert_int_equal(lore_receipts_compact(dir, &who, 100, size() / 4, &err), LORE_OK);
    assert_int_equal(lore_file_read(path(), &text, &err), LORE_OK);
    assert_true(lore_starts(text.data, "{\"left_out\":{\"receipts\":3"));
    assert_found("{\"left_out\":{\"receipts\":3", "{\"left_out\":{\"receipts\":2");
    memcpy(hash, strstr(text.data, "\"hash\":\"") + 8, 9);
    hash[9] = '\0';
    memcpy(other, hash, sizeof other);
    other[0] = other[0] == '0' ? '1' : '0';
    assert_found(hash, other);
    assert_found("\"records\":", "\"recordz\":");
    /* nor does a second one stand in the middle */
    char *second = strchr(text.data, '\n') + 1;
    struct lore_buf twice = {0};
    lore_buf_add(&twice, text.data, (size_t)(second - text.data));
    lore_buf_add(&twice, text.data, text.len);
    assert_int_equal(lore_file_write(path(), twice.data, twice.len, 0600, &err), LORE_OK);
    assert_int_equal(lore_receipts_verify(dir, &who, &a, &b, &err), LORE_CORRUPT);
    lore_buf_free(&twice);
    lore_buf_free(&text);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_full_file_gives_up_its_older_part_and_still_holds),
        CASE(a_chain_that_does_not_hold_is_not_touched),
        CASE(the_first_line_hides_no_gap),
        CASE(a_zero_within_the_file_is_no_end_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
