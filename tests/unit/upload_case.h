/* A host with an outbox in a folder of its own, enrolled at a service in this process: the setting
 * of the tests of delivery, of receipts, and of who this host is. */
#ifndef LORE_TESTS_UNIT_UPLOAD_CASE_H
#define LORE_TESTS_UNIT_UPLOAD_CASE_H

#include "tests/unit/scratch.h"
#include "tests/unit/upload_fake.h"

#define CASE(c) cmocka_unit_test_setup_teardown(c, set_up, tear_down)

static char dir[64];
static struct fake_service *f;
static struct lore_outbox *o;
static struct lore_upload_result result;
static struct lore_err err;

static void
write_file(const char *name, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    assert_int_equal(lore_file_write(path, text, strlen(text), 0600, NULL), LORE_OK);
}

static void
enrol(void)
{
    unsigned char secret[LORE_SECRET_KEY];
    char text[LORE_SIGNATURE_TEXT], json[512];

    lore_signing_keys(f->agent_key, secret);
    lore_signing_text(secret, sizeof secret, text);
    write_file("agent.key", text);
    lore_signing_text(f->public_key, sizeof f->public_key, text);
    snprintf(json, sizeof json,
        "{\"id\":\"%s\",\"label\":\"gpu-7\",\"url\":\"http://127.0.0.1:1\",\"service_key\":\"%s\"}",
        fake_id, text);
    write_file("agent.json", json);
}

static void
reopen(void)
{
    const struct lore_spool_limits limits = {.free_bytes = 1};

    lore_outbox_close(o);
    o = NULL;
    if (lore_outbox_open(dir, &limits, &o, &err) != LORE_OK)
        fail_msg("%s", err.msg);
}

static int
set_up(void **state)
{
    (void)state;
    f = calloc(1, sizeof *f);
    lore_signing_keys(f->public_key, f->secret_key);
    if (scratch_make(dir) != 0)
        return -1;
    enrol();
    memset(&err, 0, sizeof err);
    reopen();
    return 0;
}

static int
tear_down(void **state)
{
    (void)state;
    lore_outbox_close(o);
    o = NULL;
    lore_arena_free(&f->arena);
    free(f);
    scratch_drop(dir);
    return 0;
}

static void
add(size_t n, const char *text)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(lore_outbox_add(o, text, strlen(text), NULL, NULL), LORE_OK);
}

static enum lore_status
drain(void)
{
    const struct lore_upload_options options = {
        .url = "http://127.0.0.1:1", .token = "wl_token", .send = fake_http, .send_ctx = f};

    return lore_upload_drain(o, &options, &result, &err);
}

static uint64_t
waiting(void)
{
    struct lore_spool_stats stats;

    assert_int_equal(lore_spool_stats(lore_outbox_spool(o), &stats, NULL), LORE_OK);
    return stats.waiting;
}

static void
assert_chain(uint64_t want_receipts, uint64_t want_records)
{
    struct lore_arena arena = {0};
    struct lore_upload_identity who;
    uint64_t receipts = 0, records = 0;

    assert_int_equal(lore_identity_load(dir, &arena, &who, NULL), LORE_OK);
    if (lore_receipts_verify(dir, &who, &receipts, &records, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(receipts, want_receipts);
    assert_int_equal(records, want_records);
    lore_arena_free(&arena);
}

static int
init(void **state)
{
    (void)state;
    lore_hash_init();
    return 0;
}

#endif
