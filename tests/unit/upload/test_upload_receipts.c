// uses: upload
/* Receipts that do not hold, that were lost, or that a service hides: none of them takes a record
 * out of the spool, and the chain kept here tells every change. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/upload_case.h"

/* ---- receipts that do not hold ---- */

static void
spoil_signature(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->signature[5] ^= 1;
}
static void
spoil_batch(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->batch[25] = r->batch[25] == 'A' ? 'B' : 'A';
}
static void
spoil_agent(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->agent[25] = 'B';
}
static void
spoil_seq(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->lines[1].seq = 77;
}
static void
spoil_hash(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->lines[1].hash[0] ^= 1;
}
static void
spoil_count(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->n--;
}
static void
spoil_state(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->lines[0].state = 'd';
}
static void
spoil_previous(struct fake_service *s, struct lore_upload_receipt *r)
{
    (void)s;
    r->previous[3] ^= 4;
}

static void
a_receipt_that_does_not_hold_takes_nothing_out(void **state)
{
    static const struct {
        void (*spoil)(struct fake_service *s, struct lore_upload_receipt *r);
        bool unsign;
    } cases[] = {{spoil_signature, true}, {spoil_batch, false}, {spoil_agent, false},
        {spoil_seq, false}, {spoil_hash, false}, {spoil_count, false}, {spoil_previous, false},
        {spoil_state, true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tear_down(state);
        assert_int_equal(set_up(state), 0);
        add(3, "{}");
        f->spoil = cases[i].spoil;
        f->unsign = cases[i].unsign;
        assert_int_equal(drain(), LORE_CORRUPT);
        assert_true(result.alarm);
        assert_int_equal(waiting(), 3);
        assert_int_equal(result.stored, 0);
    }
}

static void
another_service_cannot_take_anything_out(void **state)
{
    (void)state;
    add(3, "{}");
    lore_signing_keys(f->public_key, f->secret_key);
    assert_int_equal(drain(), LORE_CORRUPT);
    assert_string_equal(err.code, "bad_receipt");
    assert_int_equal(waiting(), 3);
}

static void
receipts_that_were_lost_are_fetched_and_checked(void **state)
{
    (void)state;
    add(3, "{}");
    assert_int_equal(drain(), LORE_OK);
    for (int i = 0; i < 5; i++) {
        add(2, "{}");
        f->lose_reply = true;
        assert_int_equal(drain(), LORE_IO);
    }
    assert_int_equal(waiting(), 10);
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.duplicates, 10);
    assert_int_equal(waiting(), 0);
    assert_int_equal(f->n_order, 13); /* each stored once */
    assert_true(f->fetches >= 3);
    /* 3, then 2, 4, 6, 8, 10 whose replies were lost, then 10 */
    assert_chain(7, 3 + 2 + 4 + 6 + 8 + 10 + 10);
}

static void
a_service_that_hides_receipts_takes_nothing_out(void **state)
{
    (void)state;
    add(2, "{}");
    f->lose_reply = true;
    assert_int_equal(drain(), LORE_IO);
    f->hide_receipts = true;
    assert_int_equal(drain(), LORE_CORRUPT);
    assert_string_equal(err.code, "chain_broken");
    assert_int_equal(waiting(), 2);
    assert_true(result.alarm);
}

static void
a_service_that_went_back_in_time_gets_what_it_lost(void **state)
{
    (void)state;
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    f->n_receipts = 0; /* restored from an old copy */
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.again, 2);
    assert_int_equal(waiting(), 0);
    assert_chain(2, 3); /* the new record, and then the two lost ones */
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.again, 0);
}

static void
a_chain_that_lost_its_end_here_is_fetched_again(void **state)
{
    char path[128];
    struct stat sb;

    (void)state;
    for (int i = 0; i < 4; i++) {
        add(1, "{}");
        assert_int_equal(drain(), LORE_OK);
    }
    snprintf(path, sizeof path, "%s/receipts.jsonl", dir);
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(truncate(path, sb.st_size - 40), 0); /* a crash in the middle of a line */
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_chain(5, 5);
    assert_int_equal(unlink(path), 0);
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_chain(6, 6);
    int fd = open(path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "}{\n", 3), 3);
    close(fd);
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_chain(7, 7);
}

static void
every_changed_byte_of_the_kept_chain_is_found(void **state)
{
    struct lore_arena arena = {0};
    struct lore_upload_identity who;
    struct lore_buf text = {0};
    char path[128];
    uint64_t a, b;

    (void)state;
    for (int i = 0; i < 3; i++) {
        add(2, "{}");
        assert_int_equal(drain(), LORE_OK);
    }
    snprintf(path, sizeof path, "%s/receipts.jsonl", dir);
    assert_int_equal(lore_file_read(path, &text, NULL), LORE_OK);
    assert_int_equal(lore_identity_load(dir, &arena, &who, NULL), LORE_OK);
    int fd = open(path, O_WRONLY);
    for (size_t i = 0; i + 1 < text.len; i += 3) {
        char c = text.data[i] ^ 1;
        assert_int_equal(pwrite(fd, &c, 1, (off_t)i), 1);
        assert_int_equal(lore_receipts_verify(dir, &who, &a, &b, &err), LORE_CORRUPT);
        assert_non_null(strstr(err.msg, "receipts.jsonl, line "));
        assert_int_equal(pwrite(fd, text.data + i, 1, (off_t)i), 1);
    }
    close(fd);
    assert_chain(3, 6);
    /* a line left out */
    char *second = strchr(text.data, '\n') + 1;
    write_file("receipts.jsonl", second);
    assert_int_equal(lore_receipts_verify(dir, &who, &a, &b, &err), LORE_CORRUPT);
    lore_buf_free(&text);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_receipt_that_does_not_hold_takes_nothing_out),
        CASE(another_service_cannot_take_anything_out),
        CASE(receipts_that_were_lost_are_fetched_and_checked),
        CASE(a_service_that_hides_receipts_takes_nothing_out),
        CASE(a_service_that_went_back_in_time_gets_what_it_lost),
        CASE(a_chain_that_lost_its_end_here_is_fetched_again),
        CASE(every_changed_byte_of_the_kept_chain_is_found),
    };

    return cmocka_run_group_tests(tests, init, NULL);
}
