// uses: http
/* From a route to its handler: who may call it, which bodies and parameters it takes, what refusals
 * say. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/files.h"
#include "db/store.h"
#include "service/auth/tokens.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/http/answer_pool.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/http/reply.h"
#include "tests/unit/routes_fixture.h"
#include "tests/unit/scratch.h"

/* A service of three tokens, and the request that a test is about. */
struct fixture {
    char dir[64];
    struct lore_app app;
    struct lore_stats_http counters;
    struct lore_arena arena;
    char reader[LORE_TOKEN_SIZE + 8], contributor[LORE_TOKEN_SIZE + 8];
    struct lore_req req;
    struct lore_resp resp;
    int bodies_read;
};

static int
make_token(struct lore_auth_db *db, const char *role, char header[LORE_TOKEN_SIZE + 8])
{
    char text[LORE_TOKEN_SIZE];
    struct lore_err err = {0};

    if (lore_token_make(db, role, role, 0, text, &err) != LORE_OK)
        return -1;
    snprintf(header, LORE_TOKEN_SIZE + 8, "Bearer %s", text);
    return 0;
}

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct lore_auth_db *db = NULL;
    struct lore_err err = {0};
    int bad;

    *state = f;
    lore_hash_init();
    bad = scratch_make(f->dir) != 0 || lore_tokens_open(f->dir, &f->app.tokens, &err) != LORE_OK ||
          lore_auth_open(f->dir, true, &db, &err) != LORE_OK ||
          make_token(db, "reader", f->reader) != 0 ||
          make_token(db, "contributor", f->contributor) != 0;
    lore_auth_close(db);
    f->app.counters = &f->counters;
    f->app.routes = lore_routes;
    return bad ? -1 : 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_tokens_close(f->app.tokens);
    lore_buf_free(&f->resp.body);
    lore_arena_free(&f->arena);
    scratch_drop(f->dir);
    free(f);
    return 0;
}

static enum lore_status
fetch_body(struct lore_req *req, struct lore_err *err)
{
    struct fixture *f = req->exchange;

    (void)err;
    f->bodies_read++;
    req->body = "{\"a\":1}";
    return LORE_OK;
}

/* A request to be changed before it is sent. */
static struct lore_req *
prepare(struct fixture *f, enum lore_method method, const char *path)
{
    f->req = (struct lore_req){.method = method,
        .path = path,
        .arena = &f->arena,
        .request_id = "01TEST",
        .read_body = fetch_body,
        .exchange = f};
    return &f->req;
}

static const struct lore_resp *
ask(struct fixture *f)
{
    lore_buf_free(&f->resp.body);
    memset(&f->resp, 0, sizeof f->resp);
    lore_dispatch(&f->app, &f->req, &f->resp);
    return &f->resp;
}

static const struct lore_resp *
get(struct fixture *f, const char *path, const char *query)
{
    prepare(f, LORE_GET, path)->query = query;
    return ask(f);
}

/* The reply is a problem with this status and code; returns it parsed. */
static const struct lore_json *
expect_problem(struct fixture *f, int status, const char *code)
{
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    const char *text = NULL;
    int64_t n = 0;

    assert_int_equal(f->resp.status, status);
    assert_string_equal(f->resp.content_type, "application/problem+json");
    assert_int_equal(
        lore_json_parse(f->resp.body.data, f->resp.body.len, NULL, &f->arena, &root, &err),
        LORE_OK);
    assert_int_equal(lore_json_text(root, "code", &text, &err), LORE_OK);
    assert_string_equal(text, code);
    assert_int_equal(lore_json_i64(root, "status", &n, &err), LORE_OK);
    assert_int_equal(n, status);
    assert_int_equal(lore_json_text(root, "request_id", &text, &err), LORE_OK);
    assert_string_equal(text, "01TEST");
    return root;
}

static const char *
member(const struct lore_json *root, const char *key)
{
    const char *text = "";

    assert_int_equal(lore_json_text(root, key, &text, NULL), LORE_OK);
    return text;
}

static void
a_public_route_needs_no_token(void **state)
{
    struct fixture *f = *state;

    get(f, "/hello", "name=ann&loud=true");
    assert_int_equal(f->resp.status, 200);
    assert_string_equal(f->resp.body.data, "{\"hello\":\"ann\"}");
}

static void
without_a_token_nothing_else_is_looked_at(void **state)
{
    struct fixture *f = *state;
    struct lore_req *req = prepare(f, LORE_POST, "/things");

    req->body_len = 9000000;
    req->query = "no=such";
    req->content_type = "text/plain";
    ask(f);
    expect_problem(f, 401, "no_token");
    assert_int_equal(f->bodies_read, 0);
}

static void
a_role_too_low_is_forbidden(void **state)
{
    struct fixture *f = *state;

    prepare(f, LORE_POST, "/things")->authorization = f->reader;
    ask(f);
    assert_string_equal(member(expect_problem(f, 403, "forbidden"), "detail"),
        "this needs the role contributor; the token has reader");
    prepare(f, LORE_DELETE, "/things/7")->authorization = f->contributor;
    ask(f);
    expect_problem(f, 403, "forbidden");
    prepare(f, LORE_GET, "/private")->authorization = f->contributor;
    assert_int_equal(ask(f)->status, 200);
    assert_string_equal(f->req.actor, "contributor");
}

static void
a_body_over_the_cap_is_refused_unread(void **state)
{
    struct fixture *f = *state;
    struct lore_req *req = prepare(f, LORE_POST, "/things");

    req->authorization = f->contributor;
    req->content_type = "application/json";
    req->body_len = 65;
    ask(f);
    expect_problem(f, 413, "body_too_big");
    assert_int_equal(f->bodies_read, 0);
    req->body_len = 7;
    ask(f);
    assert_int_equal(f->resp.status, 201);
    assert_string_equal(f->resp.body.data, "{\"a\":1}");
    assert_int_equal(f->bodies_read, 1);
}

/* What else happens while the first is being answered. */
static enum lore_status
take_another(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    (void)resp, (void)err;
    assert_true(((struct lore_app *)req->app)->large);
    return LORE_OK;
}

static void
one_large_body_is_taken_at_a_time(void **state)
{
    static const struct lore_route large[] = {{.method = LORE_POST,
                                                  .path = "/things",
                                                  .who = LORE_CONTRIBUTOR,
                                                  .max_body = LORE_LARGE_BODY + 1,
                                                  .handler = take_another},
        {.path = NULL}};
    struct fixture *f = *state;

    f->app.routes = large;
    for (int i = 0; i < 3; i++) { /* the second finds another one, the third none */
        struct lore_req *req = prepare(f, LORE_POST, "/things");
        req->authorization = f->contributor;
        req->content_type = "application/json";
        req->body_len = LORE_LARGE_BODY + 1;
        f->app.large = i == 1;
        ask(f);
        if (i == 1)
            expect_problem(f, 503, "large_body");
        else
            assert_int_equal(f->resp.status, 200);
        assert_int_equal(f->app.large, i == 1);
    }
    assert_int_equal(f->bodies_read, 2);
}

static void
a_body_where_none_is_taken_is_refused(void **state)
{
    struct fixture *f = *state;

    prepare(f, LORE_GET, "/hello")->body_len = 1;
    ask(f);
    expect_problem(f, 413, "body_not_taken");
}

static void
only_json_is_taken(void **state)
{
    static const char *const bad[] = {NULL, "", "text/plain", "application/jsonx",
        "application/x-www-form-urlencoded", "text/json"};
    static const char *const good[] = {"application/json", "Application/JSON",
        "application/json; charset=utf-8", "application/json ;x"};
    struct fixture *f = *state;

    for (size_t i = 0; i < 6; i++) {
        struct lore_req *req = prepare(f, LORE_POST, "/things");
        req->authorization = f->contributor;
        req->content_type = bad[i];
        req->body_len = 7;
        ask(f);
        expect_problem(f, 415, "unsupported");
    }
    for (size_t i = 0; i < 4; i++) {
        f->req.content_type = good[i];
        assert_int_equal(ask(f)->status, 201);
    }
}

static void
an_unknown_parameter_offers_the_nearest(void **state)
{
    struct fixture *f = *state;
    const struct lore_json *root;

    get(f, "/hello", "nmae=ann");
    root = expect_problem(f, 400, "unknown_parameter");
    assert_string_equal(member(root, "path"), "nmae");
    assert_string_equal(member(root, "hint"), "did you mean name?");
    get(f, "/things/latest", "x=1");
    assert_string_equal(member(expect_problem(f, 400, "unknown_parameter"), "hint"),
        "this address takes no parameters");
}

static void
a_parameter_given_twice_is_an_error_even_when_empty(void **state)
{
    struct fixture *f = *state;

    get(f, "/hello", "name=a&name=b");
    expect_problem(f, 400, "duplicate_parameter");
    get(f, "/hello", "name=&%6eame=");
    expect_problem(f, 400, "duplicate_parameter");
}

static void
values_are_checked_against_their_type(void **state)
{
    static const char *const bad[] = {"limit=0", "limit=201", "limit=x", "limit=1.5",
        "limit=99999999999999999999", "loud=maybe", "mood=ugly", "mood=goo", "mood=good|bad",
        "name=12345678901"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        get(f, "/hello", bad[i]);
        expect_problem(f, 400, "invalid_parameter");
    }
    assert_int_equal(
        get(f, "/hello", "limit=200&loud=0&mood=bad&id=01ARZ3NDEKTSV4RRFFQ69G5FAV&name=")->status,
        200);
    assert_string_equal(f->resp.body.data, "{\"hello\":\"world\"}");
    assert_int_equal(lore_arg_i64(&f->req, "limit", 7), 200);
    assert_false(lore_arg_bool(&f->req, "loud", true));
}

static void
a_query_that_is_not_encoded_text_is_an_error(void **state)
{
    static const char *const bad[] = {
        "name=%", "name=%2", "name=%zz", "name=%00", "name=%ff", "%ff=1"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        get(f, "/hello", bad[i]);
        expect_problem(f, 400, "bad_query");
    }
    get(f, "/hello", "&name=a%20b+c&");
    assert_string_equal(f->resp.body.data, "{\"hello\":\"a b c\"}");
}

static void
failures_become_problems_that_keep_secrets(void **state)
{
    struct fixture *f = *state;

    get(f, "/things/gone", NULL);
    assert_string_equal(member(expect_problem(f, 404, "not_found"), "path"), "id");
    get(f, "/nowhere", NULL);
    expect_problem(f, 404, "not_found");
    get(f, "/things/broken", NULL);
    assert_null(strstr(member(expect_problem(f, 500, "io"), "detail"), "secret"));
    get(f, "/things/full", NULL);
    assert_null(strstr(member(expect_problem(f, 503, "disk_full"), "detail"), "secret"));
    assert_int_equal(f->resp.retry_after_s, 1);
    get(f, "/things/busy", NULL);
    expect_problem(f, 503, "busy");
    assert_int_equal(f->resp.retry_after_s, 1);
}

static void
a_wrong_method_names_the_right_ones(void **state)
{
    struct fixture *f = *state;

    prepare(f, LORE_OTHER_METHOD, "/things/7");
    ask(f);
    expect_problem(f, 405, "method_not_allowed");
    assert_string_equal(f->resp.allow, "GET, HEAD, DELETE");
}

static void
a_problem_is_json_whatever_bytes_it_quotes(void **state)
{
    struct fixture *f = *state;
    struct lore_err err = {
        .status = LORE_INVALID, .code = "x", .msg = "a\xff\"b\n", .path = "\xc3"};

    lore_problem(&err, "01TEST", &f->resp);
    assert_string_equal(member(expect_problem(f, 400, "x"), "detail"), "a?\"b\n");
}

static void
a_get_is_answered_304_to_who_has_it(void **state)
{
    struct fixture *f = *state;
    char header[128];

    get(f, "/hello", NULL);
    assert_non_null(f->resp.etag);
    snprintf(header, sizeof header, "W/\"zzz\", \"%s\"", f->resp.etag);
    prepare(f, LORE_GET, "/hello")->if_none_match = header;
    assert_int_equal(ask(f)->status, 304);
    assert_int_equal(f->resp.body.len, 0);
    header[12] ^= 1;
    assert_int_equal(ask(f)->status, 200);
    f->req.if_none_match = "*";
    assert_int_equal(ask(f)->status, 304);
    f->req.path = "/things/gone";
    assert_int_equal(ask(f)->status, 404);
}

static void
wait_for(sem_t *sem)
{
    while (sem_wait(sem) != 0)
        ;
}

/* Keeps the one thread of a pool busy. */
struct busy {
    struct lore_answer_pool *pool;
    sem_t begun, end;
};

static void
wait_for_end(void *arg)
{
    struct busy *b = arg;

    sem_post(&b->begun);
    wait_for(&b->end);
}

static void *
keep_busy(void *arg)
{
    struct busy *b = arg;

    lore_answer_pool_run(b->pool, wait_for_end, b);
    return NULL;
}

static void *
ask_pooled(void *arg)
{
    struct fixture *f = arg;

    prepare(f, LORE_GET, "/pooled")->authorization = f->reader;
    ask(f);
    return NULL;
}

static void
what_memory_tells_waits_for_the_pool_and_nothing_else_does(void **state)
{
    struct fixture *f = *state;
    struct busy busy = {.pool = lore_answer_pool_start(1)};
    struct lore_db *db = NULL;
    struct lore_err err = {0};
    pthread_t first, second;

    assert_int_equal(lore_db_open_writer(f->dir, &db, &err), LORE_OK);
    assert_int_equal(lore_readers_open(f->dir, 1, &f->app.readers, &err), LORE_OK);
    assert_int_equal(
        lore_readers_open_beside(f->app.readers, 1, &f->app.pool_readers, &err), LORE_OK);
    f->app.pool = busy.pool;
    sem_init(&busy.begun, 0, 0);
    sem_init(&busy.end, 0, 0);
    assert_int_equal(pthread_create(&first, NULL, keep_busy, &busy), 0);
    wait_for(&busy.begun);
    prepare(f, LORE_GET, "/private")->authorization = f->reader;
    assert_int_equal(ask(f)->status, 200);
    assert_int_equal(pthread_create(&second, NULL, ask_pooled, f), 0);
    while (lore_answer_pool_waiting(busy.pool) != 1)
        sched_yield();
    sem_post(&busy.end);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert_int_equal(f->resp.status, 200);
    assert_string_equal(f->resp.body.data, "{\"hello\":\"world\"}");
    lore_answer_pool_stop(busy.pool);
    lore_readers_close(f->app.pool_readers);
    lore_readers_close(f->app.readers);
    lore_db_close(db);
    sem_destroy(&busy.begun);
    sem_destroy(&busy.end);
}

static void
who_asks_memory_does_not_wait_for_who_reads_the_database(void **state)
{
    struct fixture *f = *state;
    struct lore_db *db = NULL, *reading;
    struct lore_err err = {0};

    assert_int_equal(lore_db_open_writer(f->dir, &db, &err), LORE_OK);
    assert_int_equal(lore_readers_open(f->dir, 1, &f->app.readers, &err), LORE_OK);
    assert_int_equal(
        lore_readers_open_beside(f->app.readers, 1, &f->app.pool_readers, &err), LORE_OK);
    f->app.pool = lore_answer_pool_start(1);
    f->app.limits.reader_ms = 1;
    reading = lore_readers_take(f->app.readers, 0);
    prepare(f, LORE_GET, "/private")->authorization = f->reader;
    assert_int_equal(ask(f)->status, 503);
    prepare(f, LORE_GET, "/pooled")->authorization = f->reader;
    assert_int_equal(ask(f)->status, 200);
    lore_readers_give(f->app.readers, reading);
    lore_answer_pool_stop(f->app.pool);
    lore_readers_close(f->app.pool_readers);
    lore_readers_close(f->app.readers);
    lore_db_close(db);
}

static void
every_reply_carries_the_defences(void **state)
{
    static const char *const wanted[] = {
        "Content-Security-Policy: default-src 'none'; script-src 'self'",
        "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
        "Cross-Origin-Opener-Policy: same-origin\r\n",
        "Cross-Origin-Resource-Policy: same-origin\r\n", "frame-ancestors 'none'",
        "\r\nConnection: close\r\n\r\n"};
    struct fixture *f = *state;
    static const char *const paths[] = {"/hello", "/private", "/nowhere", "/things/broken"};

    for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
        struct lore_buf head = {0};
        get(f, paths[p], NULL);
        lore_reply_head(&f->resp, "01TEST", true, &head);
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            assert_non_null(strstr(head.data, wanted[i]));
        assert_int_equal(
            strstr(head.data, "WWW-Authenticate: Bearer") != NULL, f->resp.status == 401);
        assert_null(strstr(head.data, "Access-Control"));
        lore_buf_free(&head);
    }
}

static void
a_download_is_sandboxed_and_its_name_cannot_break_the_head(void **state)
{
    struct fixture *f = *state;
    struct lore_buf head = {0};

    f->resp = (struct lore_resp){.download = "a\r\nX: y\"/..\\b.cu"};
    lore_reply_head(&f->resp, "01TEST", false, &head);
    assert_non_null(strstr(head.data, "Content-Security-Policy: sandbox;"));
    assert_non_null(strstr(head.data, "filename=\"a__X: y__.._b.cu\"\r\n"));
    lore_buf_free(&head);
}

static void
the_counters_add_up(void **state)
{
    struct fixture *f = *state;
    struct lore_buf out = {0};

    lore_counters_add(&f->counters, 200, 90, 10, 100);
    lore_counters_add(&f->counters, 404, 3000000, 0, 50);
    lore_counters_prometheus(&f->counters, &out);
    assert_non_null(strstr(out.data, "warplore_http_requests_total{class=\"2xx\"} 1\n"));
    assert_non_null(strstr(out.data, "warplore_http_request_seconds_bucket{le=\"0.0001\"} 1\n"));
    assert_non_null(strstr(out.data, "warplore_http_request_seconds_bucket{le=\"+Inf\"} 2\n"));
    assert_non_null(strstr(out.data, "warplore_http_request_seconds_sum 3.000090\n"));
    assert_non_null(strstr(out.data, "warplore_http_sent_bytes_total 150\n"));
    lore_buf_free(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(a_public_route_needs_no_token),
        T(without_a_token_nothing_else_is_looked_at),
        T(a_role_too_low_is_forbidden),
        T(a_body_over_the_cap_is_refused_unread),
        T(one_large_body_is_taken_at_a_time),
        T(a_body_where_none_is_taken_is_refused),
        T(only_json_is_taken),
        T(an_unknown_parameter_offers_the_nearest),
        T(a_parameter_given_twice_is_an_error_even_when_empty),
        T(values_are_checked_against_their_type),
        T(a_query_that_is_not_encoded_text_is_an_error),
        T(failures_become_problems_that_keep_secrets),
        T(a_wrong_method_names_the_right_ones),
        T(a_problem_is_json_whatever_bytes_it_quotes),
        T(a_get_is_answered_304_to_who_has_it),
        T(what_memory_tells_waits_for_the_pool_and_nothing_else_does),
        T(who_asks_memory_does_not_wait_for_who_reads_the_database),
        T(every_reply_carries_the_defences),
        T(a_download_is_sandboxed_and_its_name_cannot_break_the_head),
        T(the_counters_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
