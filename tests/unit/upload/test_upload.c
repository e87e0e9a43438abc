// uses: upload
/* Delivery against a service in this process: what leaves the spool is what a receipt that holds
 * covers; everything else stays, whatever the network and the service do. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/upload_case.h"

static void
what_waits_is_delivered_in_batches_with_receipts(void **state)
{
    (void)state;
    add(600, "{\"warplore\":1}");
    assert_int_equal(drain(), LORE_OK);
    assert_true(result.empty);
    assert_int_equal(result.stored, 600);
    assert_int_equal(f->batches, 3); /* 256, 256, 88 */
    assert_int_equal(waiting(), 0);
    assert_chain(3, 600);
    for (size_t i = 0; i < 600; i++)
        assert_int_equal(f->order[i], i + 1);
}

static void
a_batch_holds_at_most_half_a_mebibyte_unless_one_record_is_larger(void **state)
{
    size_t n = 200u << 10;
    char *text = calloc(1, 4 * n + 1);

    (void)state;
    memset(text, ' ', 4 * n);
    for (int i = 0; i < 5; i++)
        assert_int_equal(lore_outbox_add(o, text, n, NULL, NULL), LORE_OK);
    assert_int_equal(lore_outbox_add(o, text, 4 * n, NULL, NULL), LORE_OK);
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(f->batches, 4); /* 2, 2, 1, the large one */
    assert_int_equal(waiting(), 0);
    free(text);
}

static void
a_document_that_no_service_takes_is_not_spooled(void **state)
{
    size_t n = 9u << 20;
    char *text = calloc(1, n);

    (void)state;
    assert_int_equal(lore_outbox_add(o, text, n, NULL, &err), LORE_TOOBIG);
    assert_string_equal(err.code, "document_too_big");
    assert_int_equal(lore_outbox_add(o, text, 0, NULL, &err), LORE_INVALID);
    assert_int_equal(waiting(), 0);
    free(text);
}

static void
refused_records_go_aside_with_the_reason_and_hold_up_no_other(void **state)
{
    struct lore_spool_stats stats;
    struct lore_buf why = {0};
    char path[128];

    (void)state;
    f->refuse = "bad";
    add(2, "{\"a\":1}");
    add(1, "{\"bad\":1}");
    add(2, "{\"a\":2}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.stored, 4);
    assert_int_equal(result.refused, 1);
    assert_string_equal(result.refusal, "unknown_field: a field nobody knows (runs[0].x)");
    assert_int_equal(lore_spool_stats(lore_outbox_spool(o), &stats, NULL), LORE_OK);
    assert_int_equal(stats.dead, 1);
    assert_int_equal(stats.waiting, 0);
    snprintf(path, sizeof path, "%s/spool/dead/3.why", dir);
    assert_int_equal(lore_file_read(path, &why, NULL), LORE_OK);
    assert_string_equal(why.data, result.refusal);
    lore_buf_free(&why);
    assert_chain(1, 5);
}

static void
no_answer_but_a_receipt_takes_anything_out(void **state)
{
    static const struct {
        long status;
        enum lore_status st;
        bool alarm;
    } cases[] = {{404, LORE_BUSY, false}, {408, LORE_BUSY, false}, {425, LORE_BUSY, false},
        {429, LORE_BUSY, false}, {500, LORE_BUSY, false}, {502, LORE_BUSY, false},
        {503, LORE_BUSY, false}, {401, LORE_UNAUTHENTICATED, true}, {403, LORE_FORBIDDEN, true},
        {400, LORE_INVALID, true}, {409, LORE_CONFLICT, true}, {415, LORE_BUSY, true},
        {302, LORE_BUSY, true}};

    (void)state;
    add(3, "{}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->status = cases[i].status;
        f->retry_after_s = 7;
        assert_int_equal(drain(), cases[i].st);
        assert_int_equal(result.alarm, cases[i].alarm);
        assert_int_equal(result.wait_s, 7);
        assert_false(result.empty);
        assert_int_equal(waiting(), 3);
    }
    f->status = 0;
    f->body = "<html>log in to the hotel's network</html>";
    assert_int_equal(drain(), LORE_BUSY);
    f->body = "{}";
    assert_int_equal(drain(), LORE_CORRUPT);
    assert_int_equal(waiting(), 3);
    f->body = NULL;
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(waiting(), 0);
}

static void
a_batch_that_changed_on_its_way_is_no_alarm(void **state)
{
    (void)state;
    add(1, "{}");
    f->status = 401;
    f->problem = "{\"code\":\"bad_digest\",\"detail\":\"not what was signed\"}";
    assert_int_equal(drain(), LORE_UNAUTHENTICATED);
    assert_false(result.alarm);
    f->problem = "{\"code\":\"bad_signature\",\"detail\":\"not by this agent\"}";
    assert_int_equal(drain(), LORE_UNAUTHENTICATED);
    assert_true(result.alarm);
    f->status = 0;
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.stored, 1);
}

static void
a_batch_that_is_too_long_is_halved(void **state)
{
    (void)state;
    f->max_records = 10;
    add(100, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.stored, 100);
    assert_true(f->batches >= 10);
    assert_chain((uint64_t)f->batches, 100);
}

static void
one_record_that_is_too_long_goes_aside(void **state)
{
    struct lore_spool_stats stats;

    (void)state;
    add(2, "{}");
    f->status = 413; /* from a box on the way, which has not looked at anything */
    f->problem = "<html>Request Entity Too Large</html>";
    assert_int_equal(drain(), LORE_TOOBIG);
    assert_true(result.alarm);
    assert_int_equal(waiting(), 2);
    f->problem = "{\"code\":\"body_too_big\",\"detail\":\"too many bytes\"}";
    f->times = 2; /* two at once, then the first alone */
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(lore_spool_stats(lore_outbox_spool(o), &stats, NULL), LORE_OK);
    assert_int_equal(stats.dead, 1);
    assert_int_equal(result.stored, 1);
}

static void
a_replayed_batch_gets_a_new_id(void **state)
{
    (void)state;
    add(1, "{}");
    f->status = 409;
    f->problem = "{\"code\":\"replayed_batch\",\"detail\":\"was received before\"}";
    f->times = 2;
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(f->calls, 3);
    f->problem = "{\"code\":\"replayed_batch\"}";
    f->status = 409;
    add(1, "{}");
    f->calls = 0;
    assert_int_equal(drain(), LORE_CONFLICT);
    assert_int_equal(f->calls, 4); /* and no more */
}

static void
a_clock_that_is_wrong_is_corrected_by_the_service(void **state)
{
    (void)state;
    add(1, "{}");
    f->clock_ahead_s = 10 * 365 * 86400;
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(f->calls, 2);
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(f->calls, 3); /* it is remembered */
    f->clock_ahead_s = -3600;
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(f->calls, 5);
    /* a 401 that no clock explains is not tried again at once */
    f->status = 401;
    add(1, "{}");
    assert_int_equal(drain(), LORE_UNAUTHENTICATED);
    assert_int_equal(f->calls, 6);
}

/* ---- who this host is ---- */

static void
forget_identity(void)
{
    char path[128];

    snprintf(path, sizeof path, "%s/agent.json", dir);
    assert_int_equal(unlink(path), 0);
    reopen();
}

static void
without_a_key_documents_go_one_by_one_with_the_token(void **state)
{
    const struct lore_upload_options no_token = {
        .url = "http://127.0.0.1:1", .send = fake_http, .send_ctx = f};
    const struct lore_upload_options in_clear = {
        .url = "http://10.0.0.1", .token = "wl_token", .send = fake_http, .send_ctx = f};

    (void)state;
    forget_identity();
    add(3, "{}");
    assert_int_equal(lore_upload_drain(o, &no_token, &result, &err), LORE_UNAUTHENTICATED);
    assert_string_equal(err.code, "no_credential");
    assert_int_equal(lore_upload_drain(o, &in_clear, &result, &err), LORE_INVALID);
    assert_string_equal(err.code, "token_in_clear");
    assert_int_equal(f->calls, 0);
    f->status = 404;
    assert_int_equal(drain(), LORE_BUSY);
    assert_int_equal(waiting(), 3);
    f->status = 0;
    /* what a box between us and the service may say with a status of success */
    const char *const pages[] = {"<html>sign in</html>", "", "{}", "[]", "{\"status\":\"stored\"}"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        f->body = pages[i];
        assert_int_equal(drain(), LORE_BUSY);
        assert_string_equal(err.code, "no_answer");
        assert_int_equal(waiting(), 3);
    }
    f->body = NULL;
    f->status = 400;
    f->problem = "<html>Bad Request</html>";
    assert_int_equal(drain(), LORE_INVALID);
    assert_true(result.alarm);
    assert_int_equal(waiting(), 3);
    f->problem = "{\"code\":\"unknown_field\",\"detail\":\"told to\"}";
    f->times = 1;
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.refused, 1);
    assert_int_equal(result.stored, 2);
    assert_int_equal(f->singles, 2);
    assert_int_equal(waiting(), 0);
}

static void
documents_from_before_the_enrolment_are_signed_when_they_are_sent(void **state)
{
    (void)state;
    forget_identity();
    add(2, "{}");
    enrol(); /* while the outbox is open */
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(f->batches, 1);
    assert_int_equal(result.stored, 2);
}

static void
a_key_that_others_can_read_is_not_used(void **state)
{
    char path[128];

    (void)state;
    add(1, "{}");
    snprintf(path, sizeof path, "%s/agent.key", dir);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(drain(), LORE_FORBIDDEN);
    assert_true(result.alarm);
    assert_int_equal(f->calls, 0);
    /* and documents can still be added */
    reopen();
    add(1, "{}");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.stored, 2);
}

static enum lore_status
enrol_http(
    void *ctx, const struct lore_http_call *call, struct lore_http_reply *reply, struct lore_err *e)
{
    struct fake_service *s = ctx;
    const char *code = NULL, *key = NULL;
    struct lore_json *root = NULL;
    char text[LORE_PUBLIC_KEY_TEXT];

    assert_string_equal(strchr(call->url + 8, '/'), "/api/v1/agents");
    assert_int_equal(lore_json_parse(call->body, call->n, NULL, &s->arena, &root, e), LORE_OK);
    assert_int_equal(lore_json_text(root, "code", &code, e), LORE_OK);
    assert_int_equal(lore_json_text(root, "public_key", &key, e), LORE_OK);
    reply->status = lore_streq(code, "good") ? 201 : 403;
    if (reply->status != 201) {
        lore_buf_puts(&reply->body, "{\"detail\":\"the code is unknown or used\"}");
        return LORE_OK;
    }
    if (s->body) {
        lore_buf_puts(&reply->body, s->body);
        return LORE_OK;
    }
    assert_true(lore_signing_bytes(key, s->agent_key, LORE_PUBLIC_KEY));
    lore_signing_text(s->public_key, LORE_PUBLIC_KEY, text);
    lore_buf_printf(
        &reply->body, "{\"id\":\"%s\",\"label\":\"gpu-8\",\"service_key\":\"%s\"}", fake_id, text);
    return LORE_OK;
}

static void
enrolling_makes_a_key_that_works_and_does_so_once(void **state)
{
    struct lore_arena arena = {0};
    struct lore_upload_identity who;
    struct lore_enrol how = {.url = "http://127.0.0.1:1",
        .code = "bad",
        .label = "gpu-8",
        .send = enrol_http,
        .send_ctx = f};
    struct stat sb;
    char path[160];

    (void)state;
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(lore_identity_enrol(dir, &how, &arena, &who, &err), LORE_CONFLICT);
    how.again = true;
    assert_int_equal(lore_identity_enrol(dir, &how, &arena, &who, &err), LORE_FORBIDDEN);
    assert_non_null(strstr(err.msg, "the code is unknown or used"));
    assert_int_equal(lore_identity_load(dir, &arena, &who, &err), LORE_OK); /* still who it was */
    assert_string_equal(who.label, "gpu-7");
    how.code = "good";
    how.url = "http://gpu.example";
    assert_int_equal(lore_identity_enrol(dir, &how, &arena, &who, &err), LORE_INVALID);
    how.url = "http://127.0.0.1:1";
    assert_int_equal(lore_identity_enrol(dir, &how, &arena, &who, &err), LORE_OK);
    assert_string_equal(who.label, "gpu-8");
    snprintf(path, sizeof path, "%s/agent.key", dir);
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(sb.st_mode & 0777, 0600);
    snprintf(path, sizeof path, "%s/receipts-%s.jsonl", dir, fake_id);
    assert_int_equal(stat(path, &sb), 0); /* the old chain is kept */
    f->n_receipts = 0;
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_chain(1, 1);
    lore_arena_free(&arena);
}

static void
an_answer_that_is_no_enrolment_leaves_the_host_as_it_was(void **state)
{
    const char *const answers[] = {"<html>sign in</html>", "{}", "[]", "{\"id\":\"x\"}",
        "{\"id\":\"01JQZX0000000000000000AGNT\",\"service_key\":\"short\"}"};
    struct lore_arena arena = {0};
    struct lore_upload_identity who;
    struct lore_enrol how = {.url = "http://127.0.0.1:1",
        .code = "good",
        .label = "gpu-8",
        .again = true,
        .send = enrol_http,
        .send_ctx = f};

    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        f->body = answers[i];
        assert_int_equal(lore_identity_enrol(dir, &how, &arena, &who, &err), LORE_CORRUPT);
        assert_string_equal(err.code, "no_answer");
        assert_int_equal(lore_identity_load(dir, &arena, &who, &err), LORE_OK);
        assert_string_equal(who.label, "gpu-7");
    }
    f->body = NULL;
    add(1, "{}");
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.stored, 1);
    lore_arena_free(&arena);
}

static void
an_identity_of_another_user_is_not_used(void **state)
{
    static const char *const files[] = {"agent.json", "agent.key"};
    char path[128];

    (void)state;
    add(1, "{}");
    snprintf(path, sizeof path, "%s/agent.json", dir);
    assert_int_equal(chmod(path, 0622), 0); /* anybody could say where records go */
    assert_int_equal(drain(), LORE_FORBIDDEN);
    assert_int_equal(chmod(path, 0600), 0);
    for (size_t i = 0; i < 2 && geteuid() == 0; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        assert_int_equal(chown(path, 65534, (gid_t)-1), 0);
        assert_int_equal(drain(), LORE_FORBIDDEN);
        assert_non_null(strstr(err.msg, "another user"));
        assert_int_equal(chown(path, 0, (gid_t)-1), 0);
    }
    assert_int_equal(f->calls, 0);
    assert_int_equal(drain(), LORE_OK);
    assert_int_equal(result.stored, 1);
}

/* ---- time ---- */

static void
waits_grow_are_spread_and_do_as_they_are_asked(void **state)
{
    int64_t most = 0, least = INT64_MAX;

    (void)state;
    for (unsigned failures = 1; failures < 40; failures++) {
        int64_t bound = failures < 9 ? 1000ll << (failures - 1) : 300000;
        for (int i = 0; i < 50; i++)
            assert_in_range(
                lore_upload_wait_ms(failures, 0, false), 0, bound < 300000 ? bound : 300000);
    }
    for (int i = 0; i < 200; i++) {
        int64_t ms = lore_upload_wait_ms(20, 0, false);
        most = ms > most ? ms : most;
        least = ms < least ? ms : least;
    }
    assert_true(most > 200000 && least < 100000);
    assert_in_range(lore_upload_wait_ms(1, 120, false), 120000, 121000);
    assert_in_range(lore_upload_wait_ms(1, 1 << 30, false), 3600000, 3601000);
    assert_int_equal(lore_upload_wait_ms(1, 0, true), 3600000);
}

static volatile sig_atomic_t stop;
static int said;

static void
stop_after_delivery(const char *line)
{
    said++;
    if (strstr(line, "delivered: 2 stored"))
        stop = 1;
}

static void
the_loop_delivers_and_stops(void **state)
{
    const struct lore_upload_options options = {.send = fake_http, .send_ctx = f, .stop = &stop};

    (void)state;
    stop = 0;
    add(2, "{}");
    f->status = 503;
    f->times = 1; /* then within a second */
    lore_upload_loop(o, &options, 1, -1, stop_after_delivery);
    assert_int_equal(said, 2);
    assert_int_equal(waiting(), 0);
}

static void
a_stopped_drain_sends_nothing(void **state)
{
    const struct lore_upload_options options = {.send = fake_http, .send_ctx = f, .stop = &stop};

    (void)state;
    stop = 1;
    add(1, "{}");
    assert_int_equal(lore_upload_drain(o, &options, &result, &err), LORE_OK);
    assert_false(result.empty);
    assert_int_equal(f->calls, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_waits_is_delivered_in_batches_with_receipts),
        CASE(a_batch_holds_at_most_half_a_mebibyte_unless_one_record_is_larger),
        CASE(a_document_that_no_service_takes_is_not_spooled),
        CASE(refused_records_go_aside_with_the_reason_and_hold_up_no_other),
        CASE(no_answer_but_a_receipt_takes_anything_out),
        CASE(a_batch_that_changed_on_its_way_is_no_alarm),
        CASE(a_batch_that_is_too_long_is_halved),
        CASE(one_record_that_is_too_long_goes_aside),
        CASE(a_replayed_batch_gets_a_new_id),
        CASE(a_clock_that_is_wrong_is_corrected_by_the_service),
        CASE(without_a_key_documents_go_one_by_one_with_the_token),
        CASE(documents_from_before_the_enrolment_are_signed_when_they_are_sent),
        CASE(a_key_that_others_can_read_is_not_used),
        CASE(enrolling_makes_a_key_that_works_and_does_so_once),
        CASE(an_identity_of_another_user_is_not_used),
        CASE(an_answer_that_is_no_enrolment_leaves_the_host_as_it_was),
        CASE(waits_grow_are_spread_and_do_as_they_are_asked),
        CASE(the_loop_delivers_and_stops),
        CASE(a_stopped_drain_sends_nothing),
    };

    return cmocka_run_group_tests(tests, init, NULL);
}
