// uses: api
/* Agents: enrolled once with a code that is used once, known by their signature, gone within a
 * second of being revoked. */
#include "tests/unit/agents_fixture.h"

#include <sys/stat.h>

/* The answer to a wrong, an expired and a used code, without what names the request. */
static const char *
words(struct fixture *f)
{
    return lore_format(&f->arena, "%d %s %s %s", f->resp.status, text_at(f->json, "code"),
        text_at(f->json, "detail"), text_at(f->json, "hint"));
}

static void
a_code_enrolls_one_agent_and_then_no_other(void **state)
{
    struct fixture *f = *state;
    const char *code = new_code(f, NULL, 15), *wrong;
    struct keys a = {0}, b = {0};
    char text[LORE_PUBLIC_KEY_TEXT];

    lore_signing_keys(a.public_key, a.secret);
    lore_signing_keys(b.public_key, b.secret);
    assert_int_equal(enroll(f, code, a.public_key, "gpu02"), 201);
    assert_string_equal(text_at(f->json, "label"), "gpu02");
    lore_signing_text(lore_agents_key(f->app.agents), LORE_PUBLIC_KEY, text);
    assert_string_equal(text_at(f->json, "service_key"), text);
    assert_int_equal(enroll(f, code, b.public_key, "gpu03"), 403);
    assert_string_equal(text_at(f->json, "code"), "bad_code");
    wrong = words(f);
    assert_int_equal(enroll(f, "wle_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", b.public_key, "gpu03"), 403);
    assert_string_equal(words(f), wrong);
    assert_int_equal(rows_of(f, "fact_agent"), 2);
}

static void
an_expired_code_is_refused_in_the_same_words(void **state)
{
    struct fixture *f = *state;
    const char *code = "wle_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", *wrong;
    unsigned char hash[32];
    struct keys a = {0};

    lore_signing_keys(a.public_key, a.secret);
    assert_int_equal(enroll(f, code, a.public_key, "x"), 403);
    wrong = words(f);
    lore_hash(code, strlen(code), hash);
    assert_int_equal(
        lore_db_auth_code_add(f->auth, hash, NULL, 1000, lore_now_us() - 1, &f->err), LORE_OK);
    assert_int_equal(enroll(f, code, a.public_key, "x"), 403);
    assert_string_equal(words(f), wrong);
}

static void
the_secret_of_a_code_is_not_in_the_file(void **state)
{
    struct fixture *f = *state;
    const char *code = new_code(f, NULL, 15);
    struct lore_buf file = {0};

    assert_int_equal(
        lore_file_read(lore_format(&f->arena, "%s/auth.db", f->dir), &file, &f->err), LORE_OK);
    assert_null(memmem(file.data, file.len, code + 4, strlen(code) - 4));
    lore_buf_free(&file);
}

static void
a_key_that_is_enrolled_is_refused_and_its_code_is_still_good(void **state)
{
    struct fixture *f = *state;
    const char *code = new_code(f, NULL, 15);
    struct keys other = {0};

    assert_int_equal(enroll(f, code, f->agent.public_key, "again"), 409);
    assert_string_equal(text_at(f->json, "path"), "public_key");
    lore_signing_keys(other.public_key, other.secret);
    assert_int_equal(enroll(f, code, other.public_key, "again"), 201);
}

static void
the_operators_label_counts_and_no_two_agents_share_one(void **state)
{
    struct fixture *f = *state;
    struct keys a = {0}, b = {0};

    lore_signing_keys(a.public_key, a.secret);
    lore_signing_keys(b.public_key, b.secret);
    assert_int_equal(enroll(f, new_code(f, "rack 7", 15), a.public_key, "mine"), 201);
    assert_string_equal(text_at(f->json, "label"), "rack 7");
    assert_int_equal(enroll(f, new_code(f, NULL, 15), b.public_key, "gpu01"), 201);
    assert_string_equal(text_at(f->json, "label"), "gpu01-2");
}

static void
bad_input_names_its_field_and_uses_no_code(void **state)
{
    struct fixture *f = *state;
    const char *code = new_code(f, NULL, 15);
    const struct {
        const char *body, *path;
    } bad[] = {
        {"{\"public_key\":\"x\",\"label\":\"l\"}", "code"},
        {"{\"code\":\"c\",\"label\":\"l\"}", "public_key"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"l\"}", "public_key"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"a\\nb\"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"gpu \"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"LOAD\"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"a\\u009b31m\"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"a\\u200bb\"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"a\\u202eb\"}", "label"},
        {"{\"code\":\"c\",\"public_key\":\"AAAA\",\"label\":\"l\",\"role\":\"admin\"}", "role"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct lore_req req = {.method = LORE_POST,
            .path = "/api/v1/agents",
            .content_type = "application/json",
            .body = bad[i].body,
            .body_len = strlen(bad[i].body)};

        assert_int_equal(ask(f, &req), 400);
        assert_string_equal(text_at(f->json, "path"), bad[i].path);
    }
    /* more than ten bad bodies would not have been wrong codes either */
    assert_int_equal(enroll(f, code, (const unsigned char[32]){7}, "l"), 201);
}

static void
after_ten_wrong_codes_in_a_minute_the_right_one_waits_too(void **state)
{
    struct fixture *f = *state;
    const char *code = new_code(f, NULL, 15);
    struct keys a = {0};

    lore_signing_keys(a.public_key, a.secret);
    for (int i = 0; i < 10; i++)
        assert_int_equal(enroll(f, "wle_no", a.public_key, "x"), 403);
    assert_int_equal(enroll(f, code, a.public_key, "x"), 503);
    assert_string_equal(text_at(f->json, "code"), "too_many_codes");
    assert_in_range(f->resp.retry_after_s, 50, 61);
    assert_int_equal(rows_of(f, "fact_agent"), 1);
}

static void
an_agent_asks_who_it_is_and_a_reader_for_the_services_key(void **state)
{
    struct fixture *f = *state;
    struct sending s = {.method = "GET", .path = "/api/v1/agents/self"};
    struct lore_req req = {.method = LORE_GET, .path = "/api/v1/agents/self"};
    const char *key;

    assert_int_equal(send_signed(f, &s), 200);
    assert_string_equal(text_at(f->json, "id"), f->agent.id);
    assert_string_equal(text_at(f->json, "label"), "gpu01");
    key = text_at(f->json, "service_key");
    assert_int_equal(ask(f, &req), 401);
    req.authorization = f->token;
    assert_int_equal(ask(f, &req), 200);
    assert_string_equal(text_at(f->json, "service_key"), key);
    assert_null(lore_json_get(f->json, "id"));
}

static void
a_signature_opens_no_address_that_wants_a_token(void **state)
{
    struct fixture *f = *state;
    struct sending s = {.method = "GET", .path = "/api/v1/agents"};

    assert_int_equal(send_signed(f, &s), 401);
    assert_string_equal(text_at(f->json, "code"), "no_token");
}

static void
a_token_opens_no_address_that_wants_a_signature(void **state)
{
    struct fixture *f = *state;
    struct lore_req req = {.method = LORE_POST,
        .path = "/api/v1/batches",
        .content_type = LORE_BATCH_MEDIA,
        .authorization = f->token};

    assert_int_equal(ask(f, &req), 401);
    assert_string_equal(text_at(f->json, "code"), "no_signature");
}

/* Ask until the status is WANT, for at most a second: a revocation's promise. */
static int
status_within_a_second(struct fixture *f, struct sending *s, int want)
{
    int64_t until = lore_ticks_us() + 1000000;
    int got;

    do
        got = send_signed(f, s);
    while (got != want && lore_ticks_us() < until);
    return got;
}

static void
a_revoked_agent_is_refused_within_a_second_and_the_log_says_so(void **state)
{
    struct fixture *f = *state;
    struct sending s = {.method = "GET", .path = "/api/v1/agents/self"};
    int64_t before;

    assert_int_equal(send_signed(f, &s), 200);
    before = rows_of(f, "fact_event");
    assert_int_equal(
        lore_db_auth_agent_revoke(f->auth, f->agent.id, lore_now_us(), &f->err), LORE_OK);
    assert_int_equal(status_within_a_second(f, &s, 401), 401);
    assert_string_equal(text_at(f->json, "code"), "agent_revoked");
    assert_int_equal(rows_of(f, "fact_agent_revoked"), 1);
    assert_int_equal(rows_of(f, "fact_event"), before + 3); /* revoked, its rows, and a refusal */
    assert_int_equal(send_signed(f, &s), 401);
    assert_int_equal(rows_of(f, "fact_event"), before + 3); /* the second is not told again */
    assert_int_equal(lore_db_auth_agent_revoke(f->auth, "01JB0000000000000000000000", 1, &f->err),
        LORE_NOTFOUND);
}

/* The edge, where the body took long enough for somebody to revoke its sender. */
static enum lore_status
revoked_before_the_body(struct lore_req *req, struct lore_err *err)
{
    struct fixture *f = req->exchange;
    const int64_t until = lore_ticks_us() + 1000000;
    struct lore_agent_row row = {0};

    assert_int_equal(lore_db_auth_agent_revoke(f->auth, f->agent.id, lore_now_us(), err), LORE_OK);
    while (row.revoked_us == 0 && lore_ticks_us() < until)
        assert_int_equal(
            lore_agents_get(req->app->agents, f->agent.id, req->arena, &row, err), LORE_OK);
    return LORE_OK;
}

static void
an_agent_that_is_revoked_while_its_body_arrives_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sending s = {.read_body = revoked_before_the_body};

    lore_buf_puts(&s.body, "x");
    assert_int_equal(send_signed(f, &s), 401);
    assert_string_equal(text_at(f->json, "code"), "agent_revoked");
    assert_int_equal(rows_of(f, "fact_receipt"), 0);
    lore_buf_free(&s.body);
}

static void
a_revocation_is_noted_though_the_agent_never_calls_again(void **state)
{
    struct fixture *f = *state;
    size_t seen = 0;
    int64_t before;

    lore_api_sync_agents(&f->app, &seen);
    before = rows_of(f, "fact_event");
    assert_int_equal(
        lore_db_auth_agent_revoke(f->auth, f->agent.id, lore_now_us(), &f->err), LORE_OK);
    lore_api_sync_agents(&f->app, &seen);
    lore_api_sync_agents(&f->app, &seen);
    assert_int_equal(rows_of(f, "fact_agent_revoked"), 1);
    assert_int_equal(rows_of(f, "fact_event"), before + 2); /* revoked, and its rows */
}

static void
what_happened_while_no_service_ran_is_noted_at_its_start(void **state)
{
    struct fixture *f = *state;
    const struct lore_agent_row late = {
        .id = "01JB0000000000000000000001", .label = "late", .key = {9}, .enrolled_us = 5};
    const char *code = new_code(f, NULL, 15), *label = NULL;
    unsigned char hash[32];

    stop_service(f);
    lore_hash(code, strlen(code), hash);
    /* the code is good for as long as its time, which the row gives */
    assert_int_equal(
        lore_db_auth_enroll(f->auth, hash, &late, &f->arena, &label, &f->err), LORE_OK);
    assert_int_equal(lore_db_auth_agent_revoke(f->auth, f->agent.id, 77, &f->err), LORE_OK);
    start_service(f, 64);
    assert_int_equal(rows_of(f, "fact_agent"), 2);
    assert_int_equal(rows_of(f, "fact_agent_revoked"), 1);
}

static void
the_services_key_outlives_it_and_is_for_nobody_else_to_read(void **state)
{
    struct fixture *f = *state;
    const char *path = lore_format(&f->arena, "%s/service.key", f->dir);
    unsigned char key[LORE_PUBLIC_KEY];
    struct lore_agents *g = NULL;
    struct stat s;

    memcpy(key, lore_agents_key(f->app.agents), sizeof key);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    stop_service(f);
    start_service(f, 64);
    assert_memory_equal(key, lore_agents_key(f->app.agents), sizeof key);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(lore_agents_open(f->dir, &g, &f->err), LORE_FORBIDDEN);
    assert_non_null(strstr(f->err.hint, "chmod 600"));
    assert_int_equal(lore_file_write(path, "nonsense\n", 9, 0600, &f->err), LORE_OK);
    assert_int_equal(lore_agents_open(f->dir, &g, &f->err), LORE_CORRUPT);
}

static void
a_reader_sees_who_is_enrolled_and_what_they_sent(void **state)
{
    struct fixture *f = *state;
    struct lore_req req = {.method = LORE_GET, .path = "/api/v1/agents", .authorization = f->token};
    const struct lore_json *row;

    (void)new_agent(f, "gpu02");
    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
    assert_int_equal(ask(f, &req), 200);
    row = item(f->json, "rows", 0);
    assert_string_equal(text_at(row, "id"), f->agent.id);
    assert_int_equal(number_at(row, "stored"), 1);
    assert_int_equal(number_at(row, "receipts"), 1);
    assert_int_equal(number_at(item(f->json, "rows", 1), "receipts"), 0);
    req.query = "limit=1";
    assert_int_equal(ask(f, &req), 200);
    req.query = lore_format(&f->arena, "limit=1&cursor=%s", text_at(f->json, "next"));
    assert_int_equal(ask(f, &req), 200);
    assert_string_equal(text_at(item(f->json, "rows", 0), "label"), "gpu02");
    assert_int_equal(lore_json_get(f->json, "next")->type, LORE_J_NULL);
}

static void
expect_metric(struct fixture *f, const char *name, int value)
{
    struct lore_req req = {.method = LORE_GET, .path = "/metrics", .authorization = f->token};

    assert_int_equal(ask(f, &req), 200);
    lore_buf_putc(&f->resp.body, '\0');
    assert_non_null(
        strstr(f->resp.body.data, lore_format(&f->arena, "\nwarplore_%s %d\n", name, value)));
}

static void
the_counters_of_the_service_know_agents_and_batches(void **state)
{
    struct fixture *f = *state;
    struct sending replay = {.batch = "01JA0000000000000000000777"}, forged = {.digest = ""};

    (void)new_agent(f, "gpu02");
    expect_metric(f, "agents_enrolled", 2);
    expect_metric(f, "batches_total", 0);
    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
    assert_string_equal(send_one(f, 1, new_document(f, 1)), "duplicate");
    assert_string_equal(send_one(f, 2, "{\"warplore\":1,\"kernals\":[]}"), "refused");
    expect_metric(f, "batches_total", 3);
    expect_metric(f, "batch_records_stored_total", 1);
    expect_metric(f, "batch_records_duplicate_total", 1);
    expect_metric(f, "batch_records_refused_total", 1);
    expect_metric(f, "batch_requests_refused_total", 0);
    add_part(&replay, &f->agent, 3, new_document(f, 3));
    assert_int_equal(send_signed(f, &replay), 200);
    assert_int_equal(send_signed(f, &replay), 409);
    forged.signature = "AAAA";
    assert_int_equal(send_signed(f, &forged), 401);
    lore_buf_free(&replay.body);
    expect_metric(f, "batches_total", 4);
    expect_metric(f, "batch_requests_refused_total", 2);
    expect_metric(f, "batches_in_flight", 0);
    assert_int_equal(
        lore_db_auth_agent_revoke(f->auth, f->agent.id, lore_now_us(), &f->err), LORE_OK);
    usleep(1100000);
    expect_metric(f, "agents_enrolled", 1);
    expect_metric(f, "agents_revoked", 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_code_enrolls_one_agent_and_then_no_other),
        TEST(an_expired_code_is_refused_in_the_same_words),
        TEST(the_secret_of_a_code_is_not_in_the_file),
        TEST(a_key_that_is_enrolled_is_refused_and_its_code_is_still_good),
        TEST(the_operators_label_counts_and_no_two_agents_share_one),
        TEST(bad_input_names_its_field_and_uses_no_code),
        TEST(after_ten_wrong_codes_in_a_minute_the_right_one_waits_too),
        TEST(an_agent_asks_who_it_is_and_a_reader_for_the_services_key),
        TEST(a_signature_opens_no_address_that_wants_a_token),
        TEST(a_token_opens_no_address_that_wants_a_signature),
        TEST(a_revoked_agent_is_refused_within_a_second_and_the_log_says_so),
        TEST(an_agent_that_is_revoked_while_its_body_arrives_is_refused),
        TEST(a_revocation_is_noted_though_the_agent_never_calls_again),
        TEST(what_happened_while_no_service_ran_is_noted_at_its_start),
        TEST(the_services_key_outlives_it_and_is_for_nobody_else_to_read),
        TEST(a_reader_sees_who_is_enrolled_and_what_they_sent),
        TEST(the_counters_of_the_service_know_agents_and_batches),
    };

    return cmocka_run_group_tests_name("agents", tests, NULL, NULL);
}
