// uses: api
/* Receipts: chained per agent, signed by the service, given again to who asks, and checked by
 * `warplored verify`, which names the first thing that is not as it was. */
#include "db/internal.h"
#include "tests/unit/agents_fixture.h"

static enum lore_status
verify(struct fixture *f, int64_t *receipts, int64_t *records)
{
    struct lore_db *db = NULL;
    int64_t events = 0;
    enum lore_status status;

    memset(&f->err, 0, sizeof f->err);
    assert_int_equal(lore_db_open_reader(f->dir, &db, &f->err), LORE_OK);
    status = lore_db_verify_events(db, &events, &f->err);
    if (status == LORE_OK)
        status = lore_db_verify_receipts(db, receipts, records, &f->err);
    lore_db_close(db);
    return status;
}

/* Three receipts of the agent: two records stored, then a duplicate and a refusal, then one stored.
 */
static void
send_three(struct fixture *f)
{
    struct sending s = {0}, t = {0};

    add_part(&s, &f->agent, 1, new_document(f, 1));
    add_part(&s, &f->agent, 2, new_document(f, 2));
    assert_int_equal(send_signed(f, &s), 200);
    add_part(&t, &f->agent, 1, new_document(f, 1));
    add_part(&t, &f->agent, 3, "not json");
    assert_int_equal(send_signed(f, &t), 200);
    assert_string_equal(send_one(f, 4, new_document(f, 4)), "stored");
    lore_buf_free(&s.body);
    lore_buf_free(&t.body);
}

/* Change the file behind the service's back; verify must say WHAT. */
static void
expect_found(struct fixture *f, const char *sql, const char *what)
{
    struct lore_db *db = NULL;
    int64_t receipts, records;

    stop_service(f);
    assert_int_equal(lore_db_open_writer(f->dir, &db, &f->err), LORE_OK);
    assert_int_equal(lore_db_exec(db, "PRAGMA foreign_keys=OFF", &f->err), LORE_OK);
    if (lore_db_exec(db, sql, &f->err) != LORE_OK)
        fail_msg("%s", f->err.msg);
    lore_db_close(db);
    assert_int_equal(verify(f, &receipts, &records), LORE_CORRUPT);
    if (!strstr(f->err.msg, what))
        fail_msg("not \"%s\" but \"%s\"", what, f->err.msg);
    start_service(f, 64);
}

static int
ask_receipts(struct fixture *f, const struct keys *keys, const char *query)
{
    struct sending s = {.method = "GET",
        .path = lore_format(&f->arena, "/api/v1/agents/%s/receipts", f->agent.id),
        .query = query,
        .keys = keys};

    return send_signed(f, &s);
}

static void
an_agent_gets_its_receipts_again_in_order_page_by_page(void **state)
{
    struct fixture *f = *state;
    char last[65];

    send_three(f);
    assert_int_equal(ask_receipts(f, NULL, "limit=2"), 200);
    assert_int_equal(number_at(item(f->json, "rows", 1), "number"), 2);
    assert_string_equal(
        text_at(item(item(f->json, "rows", 1), "records", 0), "state"), "duplicate");
    assert_string_equal(
        text_at(item(item(f->json, "rows", 1), "records", 1), "code"), "invalid_json");
    assert_string_equal(text_at(f->json, "next"), "2");
    snprintf(last, sizeof last, "%s", text_at(item(f->json, "rows", 1), "hash"));
    assert_int_equal(ask_receipts(f, NULL, "after=2"), 200);
    assert_int_equal(lore_json_get(f->json, "rows")->len, 1);
    assert_string_equal(text_at(item(f->json, "rows", 0), "previous"), last);
    assert_int_equal(lore_json_get(f->json, "next")->type, LORE_J_NULL);
}

static void
a_receipt_can_be_checked_with_the_services_public_key(void **state)
{
    struct fixture *f = *state;
    struct lore_receipt_line lines[2] = {{.state = 's'}, {.state = 's'}};
    unsigned char hash[32], none[32] = {0}, signature[LORE_SIGNATURE];
    const struct lore_json *row;
    char hex[65];

    send_three(f);
    assert_int_equal(ask_receipts(f, NULL, NULL), 200);
    row = item(f->json, "rows", 0);
    for (int i = 0; i < 2; i++) {
        const char *d = new_document(f, i + 1);

        lines[i].seq = (uint64_t)i + 1;
        lore_hash(d, strlen(d), lines[i].hash);
    }
    lore_receipt_hash(
        &(struct lore_receipt_head){none, f->agent.id, text_at(row, "batch"), 1}, lines, 2, hash);
    lore_hex(hash, sizeof hash, hex);
    assert_string_equal(text_at(row, "hash"), hex);
    assert_true(lore_signing_bytes(text_at(row, "signature"), signature, sizeof signature));
    assert_true(lore_signing_receipt_ok(lore_agents_key(f->app.agents), hash, signature));
}

static void
others_receipts_are_for_readers_alone(void **state)
{
    struct fixture *f = *state;
    struct keys other = new_agent(f, "gpu02");
    struct lore_req req = {.method = LORE_GET,
        .path = lore_format(&f->arena, "/api/v1/agents/%s/receipts", f->agent.id)};

    send_three(f);
    assert_int_equal(ask_receipts(f, &other, NULL), 403);
    assert_int_equal(ask(f, &req), 401);
    req.authorization = f->token;
    assert_int_equal(ask(f, &req), 200);
    assert_int_equal(lore_json_get(f->json, "rows")->len, 3);
    req.path = "/api/v1/agents/01JB0000000000000000000000/receipts";
    assert_int_equal(ask(f, &req), 404);
}

static void
each_agent_has_a_chain_of_its_own(void **state)
{
    struct fixture *f = *state;
    struct keys other = new_agent(f, "gpu02");
    struct sending s = {.keys = &other};
    int64_t receipts = 0, records = 0;

    send_three(f);
    add_part(&s, &other, 1, new_document(f, 9));
    assert_int_equal(send_signed(f, &s), 200);
    assert_int_equal(number_at(lore_json_get(f->json, "receipt"), "number"), 1);
    assert_int_equal(verify(f, &receipts, &records), LORE_OK);
    assert_int_equal(receipts, 4);
    assert_int_equal(records, 5); /* the refused one has no document */
    lore_buf_free(&s.body);
}

static void
a_new_key_of_the_service_is_an_event_and_old_receipts_stay_good(void **state)
{
    struct fixture *f = *state;
    int64_t receipts = 0, records = 0, before;

    send_three(f);
    before = rows_of(f, "fact_event");
    stop_service(f);
    assert_int_equal(unlink(lore_format(&f->arena, "%s/service.key", f->dir)), 0);
    assert_int_equal(lore_db_accept(f->dir, false, true, &f->err), LORE_OK);
    start_service(f, 64);
    assert_string_equal(send_one(f, 5, new_document(f, 5)), "stored");
    assert_int_equal(rows_of(f, "fact_event"), before + 4); /* submission, key, receipt, its rows */
    assert_int_equal(verify(f, &receipts, &records), LORE_OK);
    assert_int_equal(receipts, 4);
}

static void
a_database_without_agents_verifies(void **state)
{
    struct fixture *f = *state;
    int64_t receipts = 7, records = 7;

    assert_int_equal(verify(f, &receipts, &records), LORE_OK);
    assert_int_equal(receipts, 0);
    assert_int_equal(records, 0);
}

static void
a_database_from_before_agents_verifies(void **state)
{
    struct fixture *f = *state;
    struct lore_buf schema = {0};
    struct lore_db *old = NULL;
    int64_t receipts = 7, records = 7;

    assert_int_equal(
        lore_file_read(SOURCE_DIR "/migrations/0001_init.sql", &schema, &f->err), LORE_OK);
    assert_int_equal(lore_db_open_file(lore_format(&f->arena, "%s/old.db", f->dir),
                         SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &old, &f->err),
        LORE_OK);
    assert_int_equal(lore_db_exec(old, schema.data, &f->err), LORE_OK);
    assert_int_equal(lore_db_exec(old, "PRAGMA user_version = 1", &f->err), LORE_OK);
    assert_int_equal(lore_db_verify_receipts(old, &receipts, &records, &f->err), LORE_OK);
    assert_int_equal(receipts, 0);
    lore_db_close(old);
    lore_buf_free(&schema);
}

static void
a_line_that_was_changed_is_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f, "UPDATE fact_receipt_line SET state = 'd' WHERE receipt = 1 AND position = 0",
        "receipt 1: does not follow");
}

static void
a_line_that_was_taken_out_is_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f, "DELETE FROM fact_receipt_line WHERE receipt = 2 AND position = 1",
        "receipt 2: does not follow");
}

static void
the_last_receipt_cannot_be_taken_away(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f,
        "DELETE FROM fact_receipt_line WHERE receipt = 3; DELETE FROM fact_receipt WHERE seq = 3",
        "differs from the event log");
}

static void
a_signature_that_was_changed_is_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f, "UPDATE fact_receipt SET signature = zeroblob(64) WHERE seq = 2",
        "receipt 2: not signed by the service");
}

static void
a_records_signature_that_was_changed_is_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f,
        "UPDATE fact_receipt_line SET signature = zeroblob(64) WHERE receipt = 1 AND position = 1",
        "receipt 1, record 2: not signed by the agent");
}

static void
a_document_that_was_changed_is_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f,
        "UPDATE fact_document SET zstd = (SELECT zstd FROM fact_document WHERE seq = 1)"
        " WHERE seq = 2",
        ": its bytes are not those that arrived");
}

/* As a crash between the documents and their receipt leaves it. */
static void
a_document_that_came_without_a_receipt_is_a_duplicate_and_verifies(void **state)
{
    struct fixture *f = *state;
    const char *d = new_document(f, 1);
    struct lore_receipt stored = {0};
    int64_t receipts = 0, records = 0;

    assert_int_equal(lore_ingest_submit(f->app.ingest,
                         &(struct lore_ingest_doc){d, strlen(d), "agent:gpu01", false, NULL},
                         &f->arena, &stored, &f->err),
        LORE_OK);
    assert_string_equal(send_one(f, 1, d), "duplicate");
    assert_int_equal(verify(f, &receipts, &records), LORE_OK);
    assert_int_equal(records, 1);
    assert_string_equal(send_one(f, 2, new_document(f, 2)), "stored");
    expect_found(f,
        "UPDATE fact_document SET zstd = (SELECT zstd FROM fact_document WHERE seq = 2)"
        " WHERE seq = 1",
        ": its bytes are not those that arrived");
}

static void
a_duplicate_in_other_spacing_verifies(void **state)
{
    struct fixture *f = *state;
    int64_t receipts = 0, records = 0;

    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
    assert_string_equal(
        send_one(f, 2, lore_format(&f->arena, " %s", new_document(f, 1))), "duplicate");
    assert_int_equal(verify(f, &receipts, &records), LORE_OK);
    assert_int_equal(records, 2);
}

static void
keys_that_were_changed_are_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(f, "UPDATE fact_receipt SET service_key = zeroblob(32) WHERE seq = 1",
        "a key that is not in the event log");
}

static void
an_agents_key_that_was_changed_is_found(void **state)
{
    struct fixture *f = *state;

    send_three(f);
    expect_found(
        f, "UPDATE fact_agent SET public_key = zeroblob(32)", "no enrollment of this agent");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_agent_gets_its_receipts_again_in_order_page_by_page),
        TEST(a_receipt_can_be_checked_with_the_services_public_key),
        TEST(others_receipts_are_for_readers_alone),
        TEST(each_agent_has_a_chain_of_its_own),
        TEST(a_new_key_of_the_service_is_an_event_and_old_receipts_stay_good),
        TEST(a_database_without_agents_verifies),
        TEST(a_database_from_before_agents_verifies),
        TEST(a_line_that_was_changed_is_found),
        TEST(a_line_that_was_taken_out_is_found),
        TEST(the_last_receipt_cannot_be_taken_away),
        TEST(a_signature_that_was_changed_is_found),
        TEST(a_records_signature_that_was_changed_is_found),
        TEST(a_document_that_was_changed_is_found),
        TEST(a_document_that_came_without_a_receipt_is_a_duplicate_and_verifies),
        TEST(a_duplicate_in_other_spacing_verifies),
        TEST(keys_that_were_changed_are_found),
        TEST(an_agents_key_that_was_changed_is_found),
    };

    return cmocka_run_group_tests_name("receipts", tests, NULL, NULL);
}
