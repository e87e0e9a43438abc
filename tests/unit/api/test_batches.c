// uses: api
/* Signed batches: each record is stored, was here, or is refused alone; a request that is not what
 * was signed, or came before, changes nothing at all. */
#include "tests/unit/agents_fixture.h"

#include <pthread.h>

#define N_TABLES 5

/* Everything that a refused batch must leave as it was. */
static void
count_all(struct fixture *f, int64_t out[N_TABLES])
{
    static const char *const tables[N_TABLES] = {
        "fact_agent", "fact_receipt", "fact_document", "fact_kernel", "fact_blob"};

    for (int i = 0; i < N_TABLES; i++)
        out[i] = rows_of(f, tables[i]);
}

/* S is refused with STATUS and CODE and leaves nothing behind but a line in the log. */
static void
expect_refused(struct fixture *f, struct sending *s, int status, const char *code)
{
    int64_t before[N_TABLES], after[N_TABLES];

    count_all(f, before);
    assert_int_equal(send_signed(f, s), status);
    assert_string_equal(text_at(f->json, "code"), code);
    count_all(f, after);
    assert_memory_equal(before, after, sizeof before);
    lore_buf_free(&s->body);
}

static struct sending
one_part(struct fixture *f, uint64_t seq, int n)
{
    struct sending s = {0};

    add_part(&s, &f->agent, seq, new_document(f, n));
    return s;
}

static const struct lore_json *
record(struct fixture *f, size_t i)
{
    return item(f->json, "records", i);
}

static void
a_batch_is_stored_as_its_agents_and_answered_with_a_receipt(void **state)
{
    struct fixture *f = *state;
    struct sending s = {0};
    const struct lore_json *receipt;
    struct lore_req req = {.method = LORE_GET, .authorization = f->token};

    for (int i = 1; i <= 3; i++)
        add_part(&s, &f->agent, (uint64_t)i, new_document(f, i));
    assert_int_equal(send_signed(f, &s), 200);
    receipt = lore_json_get(f->json, "receipt");
    assert_string_equal(text_at(receipt, "agent"), f->agent.id);
    assert_int_equal(number_at(receipt, "number"), 1);
    assert_int_equal(strlen(text_at(receipt, "hash")), 64);
    assert_int_equal(strspn(text_at(receipt, "previous"), "0"), 64);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(number_at(record(f, i), "seq"), (int64_t)i + 1);
        assert_string_equal(text_at(record(f, i), "state"), "stored");
    }
    assert_int_equal(rows_of(f, "fact_document"), 3);
    req.path = lore_format(&f->arena, "/api/v1/submissions/%s", text_at(record(f, 2), "document"));
    assert_int_equal(ask(f, &req), 200);
    assert_string_equal(text_at(f->json, "actor"), "agent:gpu01");
    lore_buf_free(&s.body);
}

static void
a_packed_batch_is_the_same_batch(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1), packed = {.encoding = "zstd"};

    assert_int_equal(lore_zstd_pack(s.body.data, s.body.len, &packed.body, &f->err), LORE_OK);
    assert_int_equal(send_signed(f, &packed), 200);
    assert_string_equal(text_at(record(f, 0), "state"), "stored");
    lore_buf_free(&s.body);
    lore_buf_free(&packed.body);
}

static void
a_record_that_is_wrong_holds_up_no_other(void **state)
{
    struct fixture *f = *state;
    struct sending s = {0};
    const struct lore_json *error;

    add_part(&s, &f->agent, 1, new_document(f, 1));
    add_part(&s, &f->agent, 2,
        "{\"warplore\":1,\"id\":\"01JB0000000000000000000002\",\"kernels\":"
        "[{\"id\":\"01JC0000000000000000000002\",\"name\":7}]}");
    add_part(&s, &f->agent, 3,
        "{\"warplore\":1,\"id\":\"01JB0000000000000000000003\",\"versions\":[{\"id\":"
        "\"01JD0000000000000000000003\",\"kernel\":\"01JC0000000000000000000099\",\"kind\":"
        "\"baseline\"}]}");
    add_part(&s, &f->agent, 4, "not json");
    add_part(&s, &f->agent, 5, new_document(f, 5));
    assert_int_equal(send_signed(f, &s), 200);
    assert_string_equal(text_at(record(f, 0), "state"), "stored");
    assert_string_equal(text_at(record(f, 4), "state"), "stored");
    for (size_t i = 1; i < 4; i++)
        assert_string_equal(text_at(record(f, i), "state"), "refused");
    error = lore_json_get(record(f, 1), "error");
    assert_string_equal(text_at(error, "code"), "wrong_type");
    assert_string_equal(text_at(error, "path"), "kernels[0].name");
    error = lore_json_get(record(f, 2), "error");
    assert_string_equal(text_at(error, "code"), "unknown_reference");
    assert_string_equal(text_at(error, "path"), "versions[0].kernel");
    assert_string_equal(text_at(lore_json_get(record(f, 3), "error"), "code"), "invalid_json");
    assert_int_equal(rows_of(f, "fact_document"), 2);
    lore_buf_free(&s.body);
}

static void
records_may_refer_to_earlier_ones_of_the_batch(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1);

    add_part(&s, &f->agent, 2,
        "{\"warplore\":1,\"id\":\"01JB0000000000000000000002\",\"versions\":[{\"id\":"
        "\"01JD0000000000000000000002\",\"kernel\":\"01JC0000000000000000000001\",\"kind\":"
        "\"baseline\"}]}");
    assert_int_equal(send_signed(f, &s), 200);
    assert_string_equal(text_at(record(f, 1), "state"), "stored");
    lore_buf_free(&s.body);
}

static void
a_record_with_a_bad_signature_is_refused_alone(void **state)
{
    struct fixture *f = *state;
    struct keys other = new_agent(f, "gpu02");
    struct sending s = one_part(f, 1, 1);
    struct lore_batch_part moved = {.seq = 3, .document = new_document(f, 3)};

    other.id = f->agent.id; /* another's key, this agent's name */
    add_part(&s, &other, 2, new_document(f, 2));
    moved.n = strlen(moved.document);
    lore_signing_record(f->agent.secret, f->agent.id, 4, moved.document, moved.n, moved.signature);
    lore_signing_batch_add(&s.body, &moved); /* signed for another number */
    assert_int_equal(send_signed(f, &s), 200);
    assert_string_equal(text_at(record(f, 0), "state"), "stored");
    for (size_t i = 1; i < 3; i++)
        assert_string_equal(text_at(lore_json_get(record(f, i), "error"), "code"), "bad_signature");
    assert_int_equal(rows_of(f, "fact_document"), 1);
    lore_buf_free(&s.body);
}

static void
the_same_number_is_a_duplicate_or_with_other_content_refused(void **state)
{
    struct fixture *f = *state;
    struct sending s = {0};

    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
    assert_string_equal(send_one(f, 1, new_document(f, 1)), "duplicate");
    assert_string_equal(send_one(f, 1, new_document(f, 2)), "refused");
    assert_string_equal(text_at(lore_json_get(record(f, 0), "error"), "code"), "seq_reused");
    assert_int_equal(rows_of(f, "fact_document"), 1);
    add_part(&s, &f->agent, 7, new_document(f, 7));
    add_part(&s, &f->agent, 7, new_document(f, 7));
    add_part(&s, &f->agent, 7, new_document(f, 8));
    assert_int_equal(send_signed(f, &s), 200);
    assert_string_equal(text_at(record(f, 0), "state"), "stored");
    assert_string_equal(text_at(record(f, 1), "state"), "duplicate");
    assert_string_equal(text_at(lore_json_get(record(f, 2), "error"), "code"), "seq_reused");
    assert_int_equal(rows_of(f, "fact_document"), 2);
    lore_buf_free(&s.body);
}

static void
a_refused_number_may_be_used_again(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(send_one(f, 1, "not json"), "refused");
    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
}

static void
a_document_that_is_here_already_is_a_duplicate_whoever_brought_it(void **state)
{
    struct fixture *f = *state;
    struct keys other = new_agent(f, "gpu02");
    struct sending s = {.keys = &other};

    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
    assert_string_equal(send_one(f, 2, new_document(f, 1)), "duplicate");
    add_part(&s, &other, 1, new_document(f, 1));
    assert_int_equal(send_signed(f, &s), 200);
    assert_string_equal(text_at(record(f, 0), "state"), "duplicate");
    assert_int_equal(rows_of(f, "fact_document"), 1);
    lore_buf_free(&s.body);
}

static void
a_batch_is_taken_once(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1), again = one_part(f, 2, 2);

    s.batch = again.batch = "01JB0000000000000000000BAT";
    assert_int_equal(send_signed(f, &s), 200);
    expect_refused(f, &s, 409, "replayed_batch");
    expect_refused(f, &again, 409, "replayed_batch");
}

static void
a_body_that_is_not_what_was_signed_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1);
    char digest[LORE_HASH_HEX];

    lore_hash_hex(s.body.data, s.body.len, digest);
    s.digest = digest;
    s.body.data[s.body.len - 3] ^= 1;
    expect_refused(f, &s, 401, "bad_digest");
}

static void
headers_that_are_not_what_was_signed_are_refused(void **state)
{
    struct fixture *f = *state;
    struct keys other = new_agent(f, "gpu02"), unknown = f->agent;
    struct sending s = one_part(f, 1, 1);

    s.sign_other_path = true;
    expect_refused(f, &s, 401, "bad_signature");
    s = one_part(f, 1, 1);
    other.id = f->agent.id;
    s.keys = &other;
    expect_refused(f, &s, 401, "bad_signature");
    s = one_part(f, 1, 1);
    unknown.id = "01JB0000000000000000000000";
    s.keys = &unknown;
    expect_refused(f, &s, 401, "bad_signature");
    s = one_part(f, 1, 1);
    s.signature = "bm90IGEgc2lnbmF0dXJl";
    expect_refused(f, &s, 401, "bad_signature");
}

static void
a_clock_that_is_off_by_more_than_five_minutes_is_refused(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1);

    s.off_s = -LORE_BATCH_SKEW_S - 5;
    expect_refused(f, &s, 401, "clock_skew");
    s = one_part(f, 1, 1);
    s.off_s = LORE_BATCH_SKEW_S + 5;
    expect_refused(f, &s, 401, "clock_skew");
    s = one_part(f, 1, 1);
    s.off_s = LORE_BATCH_SKEW_S - 5;
    assert_int_equal(send_signed(f, &s), 200);
    lore_buf_free(&s.body);
}

static void
bad_framing_packing_and_types_are_refused_whole(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1);

    lore_buf_puts(&s.body, "{\"seq\":2");
    expect_refused(f, &s, 400, "invalid_batch");
    s = (struct sending){0};
    expect_refused(f, &s, 400, "invalid_batch");
    s = one_part(f, 1, 1);
    s.encoding = "zstd";
    expect_refused(f, &s, 400, "invalid_zstd");
    s = one_part(f, 1, 1);
    s.encoding = "gzip";
    expect_refused(f, &s, 415, "unsupported");
    s = one_part(f, 1, 1);
    s.type = "application/json";
    expect_refused(f, &s, 415, "unsupported");
}

static void
too_many_parts_and_too_many_bytes_are_refused_whole(void **state)
{
    struct fixture *f = *state;
    struct sending s = {0}, bomb = {.encoding = "zstd"};
    struct lore_buf zeroes = {0};

    for (int i = 0; i <= LORE_BATCH_RECORDS; i++)
        add_part(&s, &f->agent, (uint64_t)i + 1, new_document(f, i));
    expect_refused(f, &s, 413, "too_many_parts");
    assert_non_null(lore_buf_reserve(&zeroes, LORE_BATCH_BYTES + 1));
    memset(zeroes.data, '0', LORE_BATCH_BYTES + 1);
    assert_int_equal(
        lore_zstd_pack(zeroes.data, LORE_BATCH_BYTES + 1, &bomb.body, &f->err), LORE_OK);
    expect_refused(f, &bomb, 413, "body_too_big");
    lore_buf_add(&s.body, zeroes.data, LORE_BATCH_BYTES + 1);
    expect_refused(f, &s, 413, "body_too_big");
    lore_buf_free(&zeroes);
}

static void
a_full_batch_shares_its_commits(void **state)
{
    struct fixture *f = *state;
    struct sending s = {0};
    struct lore_ingest_stats before, after;

    for (int i = 0; i < LORE_BATCH_RECORDS; i++)
        add_part(&s, &f->agent, (uint64_t)i + 1, new_document(f, i));
    lore_ingest_stats(f->app.ingest, &before);
    assert_int_equal(send_signed(f, &s), 200);
    lore_ingest_stats(f->app.ingest, &after);
    assert_int_equal(after.documents - before.documents, LORE_BATCH_RECORDS);
    assert_in_range(after.commits - before.commits, 2, 4);
    lore_buf_free(&s.body);
}

static void
what_a_contributor_may_not_decide_an_agent_may_not(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(send_one(f, 1, new_document(f, 1)), "stored");
    assert_string_equal(
        send_one(f, 2,
            "{\"warplore\":1,\"id\":\"01JB0000000000000000000009\",\"curations\":[{\"id\":"
            "\"01JE0000000000000000000009\",\"action\":\"review\",\"subjects\":["
            "\"01JC0000000000000000000001\"],\"reason\":\"fine\",\"state\":\"reviewed\"}]}"),
        "refused");
    assert_string_equal(text_at(lore_json_get(record(f, 0), "error"), "code"), "needs_curator");
}

static void
a_second_batch_of_an_agent_waits_for_the_first(void **state)
{
    struct fixture *f = *state;
    struct sending s = one_part(f, 1, 1);

    assert_int_equal(
        lore_agents_limits_enter(lore_agents_limits(f->app.agents), f->agent.id, &f->err), LORE_OK);
    expect_refused(f, &s, 503, "batch_in_flight");
    assert_int_equal(f->resp.retry_after_s, 1);
    lore_agents_limits_leave(lore_agents_limits(f->app.agents), f->agent.id);
    s = one_part(f, 1, 1);
    assert_int_equal(send_signed(f, &s), 200);
    lore_buf_free(&s.body);
}

enum { AGENTS = 6, BATCHES = 5, EACH = 7 };

/* One agent on a thread of its own: a fixture that shares the service of another. */
struct sender {
    struct fixture f;
    int first, wrong;
};

static void *
send_some(void *arg)
{
    struct sender *x = arg;

    for (int b = 0; b < BATCHES; b++) {
        struct sending s = {0};

        for (int i = 0; i < EACH; i++)
            add_part(&s, &x->f.agent, (uint64_t)(b * EACH + i + 1),
                new_document(&x->f, x->first + b * EACH + i));
        x->wrong += send_signed(&x->f, &s) != 200 ||
                    number_at(lore_json_get(x->f.json, "receipt"), "number") != b + 1;
        for (size_t i = 0; i < EACH && x->wrong == 0; i++)
            x->wrong += strcmp(text_at(record(&x->f, i), "state"), "stored") != 0;
        lore_buf_free(&s.body);
    }
    return NULL;
}

static void
many_agents_send_at_once_and_every_chain_verifies(void **state)
{
    struct fixture *f = *state;
    struct sender *senders = calloc(AGENTS, sizeof *senders);
    pthread_t threads[AGENTS];
    struct lore_db *db = NULL;
    int64_t receipts = 0, records = 0;

    for (int i = 0; i < AGENTS; i++) {
        senders[i].f.app = f->app;
        senders[i].f.agent = new_agent(f, "gpu");
        senders[i].first = 1000 * (i + 1);
    }
    for (int i = 0; i < AGENTS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, send_some, &senders[i]), 0);
    for (int i = 0; i < AGENTS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(senders[i].wrong, 0);
        lore_buf_free(&senders[i].f.resp.body);
        lore_arena_free(&senders[i].f.arena);
    }
    assert_int_equal(rows_of(f, "fact_document"), AGENTS * BATCHES * EACH);
    assert_int_equal(lore_db_open_reader(f->dir, &db, &f->err), LORE_OK);
    if (lore_db_verify_receipts(db, &receipts, &records, &f->err) != LORE_OK)
        fail_msg("%s", f->err.msg);
    assert_int_equal(receipts, AGENTS * BATCHES);
    assert_int_equal(records, AGENTS * BATCHES * EACH);
    lore_db_close(db);
    free(senders);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_batch_is_stored_as_its_agents_and_answered_with_a_receipt),
        TEST(a_packed_batch_is_the_same_batch),
        TEST(a_record_that_is_wrong_holds_up_no_other),
        TEST(records_may_refer_to_earlier_ones_of_the_batch),
        TEST(a_record_with_a_bad_signature_is_refused_alone),
        TEST(the_same_number_is_a_duplicate_or_with_other_content_refused),
        TEST(a_refused_number_may_be_used_again),
        TEST(a_document_that_is_here_already_is_a_duplicate_whoever_brought_it),
        TEST(a_batch_is_taken_once),
        TEST(a_body_that_is_not_what_was_signed_is_refused),
        TEST(headers_that_are_not_what_was_signed_are_refused),
        TEST(a_clock_that_is_off_by_more_than_five_minutes_is_refused),
        TEST(bad_framing_packing_and_types_are_refused_whole),
        TEST(too_many_parts_and_too_many_bytes_are_refused_whole),
        TEST(a_full_batch_shares_its_commits),
        TEST(what_a_contributor_may_not_decide_an_agent_may_not),
        TEST(a_second_batch_of_an_agent_waits_for_the_first),
        TEST(many_agents_send_at_once_and_every_chain_verifies),
    };

    return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
