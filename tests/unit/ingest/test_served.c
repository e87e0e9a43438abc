// uses: ingest
/* Answers that are remembered without anybody waiting: known again, shared commits, counted when
 * there is no room, and stored before whatever comes after them. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "db/feedback_version.h"
#include "service/base/clock.h"
#include "service/derive/feedback_sum.h"
#include "service/ingest/served.h"
#include "tests/unit/ingest_fixture.h"

#define DAY (INT64_C(86400) * 1000000)
static const struct lore_served_limits usual = {30 * DAY, 1000, 365 * DAY};

static struct lore_advised_item wide = {
    .list = "advice", .rank = 1, .technique = "memory.vectorized_access", .p_win = {true, 0.7}};

static struct lore_advised
asked_by(const char *caller)
{
    return (struct lore_advised){.caller = caller,
        .op = "softmax",
        .chip = "sm_86",
        .isa = "sm_86",
        .language = "cuda",
        .labels = "",
        .items = &wide,
        .n_items = 1};
}

/* A writer with a queue of MAX over the fixture's database, and what remembers through it. */
static struct lore_ingest *
begin(struct fixture *f, size_t max, const struct lore_served_limits *l, struct lore_served **s)
{
    struct lore_ingest *in = NULL;

    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){NULL, NULL, max, NULL}, &in, &f->err),
        LORE_OK);
    f->db = NULL;
    *s = lore_served_new(in, l);
    return in;
}

/* Stop, which stores what waits, and open the database again. */
static void
end(struct fixture *f, struct lore_ingest *in, struct lore_served *s)
{
    lore_ingest_stop(in);
    lore_served_free(s);
    assert_int_equal(lore_db_open_writer(f->dir, &f->db, &f->err), LORE_OK);
}

static void
an_answer_is_stored_by_the_time_the_service_stops(void **state)
{
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &usual, &s);
    struct lore_advised a = asked_by("ada");
    struct lore_advice_row row;
    char id[LORE_ULID_SIZE];

    assert_true(lore_served_remember(s, &a, id));
    end(f, in, s);
    assert_int_equal(lore_db_get_advice(f->db, id, &f->arena, &row, &f->err), LORE_OK);
    assert_string_equal(row.a.caller, "ada");
    assert_string_equal(row.a.op, "softmax");
    assert_int_equal(row.a.n_items, 1);
    assert_string_equal(row.a.items[0].technique, wide.technique);
    assert_int_equal(row.a.until_us - row.a.served_us, 30 * DAY);
}

static void
the_versions_that_it_proposed_are_stored_with_it(void **state)
{
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &usual, &s);
    struct lore_advised_version v = {.list = "start",
        .rank = 1,
        .version = "V1",
        .chip = "a6000",
        .value = 0.9,
        .low = 0.8,
        .high = 1,
        .p_fail = 0.01};
    struct lore_advised a = asked_by("ada");
    struct lore_advice_row row;
    char id[LORE_ULID_SIZE], other[LORE_ULID_SIZE];

    a.versions = &v;
    a.n_versions = 1;
    assert_true(lore_served_remember(s, &a, id));
    v.version = "V2"; /* another version is another answer */
    assert_true(lore_served_remember(s, &a, other));
    assert_string_not_equal(id, other);
    end(f, in, s);
    assert_int_equal(lore_db_get_advice(f->db, id, &f->arena, &row, &f->err), LORE_OK);
    assert_int_equal(row.a.n_versions, 1);
    assert_string_equal(row.a.versions[0].version, "V1");
    assert_null(row.a.versions[0].from);
    assert_true(row.a.versions[0].low == 0.8 && row.a.versions[0].p_fail == 0.01);
}

static void
the_same_answer_has_the_same_id(void **state)
{
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &usual, &s);
    struct lore_advised a = asked_by("ada"), b = asked_by("ben"), c = asked_by("ada");
    struct lore_advised_item other = wide;
    struct lore_served_stats stats;
    char first[LORE_ULID_SIZE], id[LORE_ULID_SIZE];

    assert_true(lore_served_remember(s, &a, first));
    assert_true(lore_served_remember(s, &a, id));
    assert_string_equal(id, first);
    assert_true(lore_served_remember(s, &b, id)); /* another caller */
    assert_string_not_equal(id, first);
    c.workload = "0123456789abcdef0123456789abcdef"; /* another question */
    assert_true(lore_served_remember(s, &c, id));
    assert_string_not_equal(id, first);
    other.p_win.v = 0.71; /* as good as the same */
    a.items = &other;
    assert_true(lore_served_remember(s, &a, id));
    assert_string_equal(id, first);
    other.p_win.v = 0.3; /* another answer */
    assert_true(lore_served_remember(s, &a, id));
    assert_string_not_equal(id, first);
    lore_served_stats(s, &stats);
    assert_int_equal(stats.repeated, 2);
    end(f, in, s);
}

static void
nothing_is_remembered_when_nothing_is_to_be_kept(void **state)
{
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &(struct lore_served_limits){DAY, 0, DAY}, &s);
    struct lore_advised a = asked_by("ada");
    char id[LORE_ULID_SIZE];

    assert_false(lore_served_remember(s, &a, id));
    assert_false(lore_served_remember(NULL, &a, id));
    end(f, in, s);
}

/* Holds the writer until a test lets it go. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool inside, open;
};

static enum lore_status
wait_at(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    struct gate *g = ctx;

    (void)db, (void)now_us, (void)err;
    pthread_mutex_lock(&g->lock);
    g->inside = true;
    pthread_cond_broadcast(&g->moved);
    while (!g->open)
        pthread_cond_wait(&g->moved, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return LORE_OK;
}

static void
passed(void *ctx, bool stored)
{
    (void)ctx;
    assert_true(stored);
}

static void
let_go(struct gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->open = true;
    pthread_cond_broadcast(&g->moved);
    pthread_mutex_unlock(&g->lock);
}

static void
when_too_many_wait_an_answer_has_no_id_and_is_counted(void **state)
{
    struct fixture *f = *state;
    struct gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false};
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &usual, &s);
    struct lore_served_stats stats;
    char id[LORE_ULID_SIZE], caller[32];
    int kept = 0;

    assert_true(lore_ingest_queue_write(in, wait_at, passed, &g));
    for (int i = 0; i < 1500; i++) {
        struct lore_advised a = asked_by(caller);

        snprintf(caller, sizeof caller, "caller %d", i);
        kept += lore_served_remember(s, &a, id);
    }
    assert_true(kept >= 1000 && kept < 1500);
    lore_served_stats(s, &stats);
    assert_int_equal(stats.dropped, 1500 - kept);
    let_go(&g);
    end(f, in, s);
    {
        struct lore_advice_stored all = {0};

        assert_int_equal(lore_db_get_advice_stored(f->db, &all, &f->err), LORE_OK);
        assert_int_equal(all.answers + all.forgotten, kept);
    }
}

static void
a_full_queue_takes_no_answer(void **state)
{
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 0, &usual, &s); /* no place at all */
    struct lore_advised a = asked_by("ada");
    struct lore_served_stats stats;
    char id[LORE_ULID_SIZE];

    assert_false(lore_served_remember(s, &a, id));
    assert_false(lore_served_remember(s, &a, id)); /* and it is not thought to be known */
    lore_served_stats(s, &stats);
    assert_int_equal(stats.dropped, 2);
    assert_int_equal(stats.repeated, 0);
    end(f, in, s);
}

/* What is remembered before a document comes is in the database before it. */
static void
an_experiment_that_comes_after_an_answer_is_its_outcome(void **state)
{
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &usual, &s);
    struct lore_advised a = asked_by("ada");
    const char *body = document(f, 100, 4, "wide loads");
    const struct lore_ingest_doc doc = {body, strlen(body), "ada", false, NULL, 0};
    struct lore_advice_row row;
    char id26[LORE_ULID_SIZE], late[LORE_ULID_SIZE];

    assert_true(lore_served_remember(s, &a, id26));
    assert_int_equal(lore_ingest_submit(in, &doc, &f->arena, &f->receipt, &f->err), LORE_OK);
    a.caller = "ben";
    assert_true(lore_served_remember(s, &a, late));
    end(f, in, s);
    assert_int_equal(lore_db_get_advice(f->db, id26, &f->arena, &row, &f->err), LORE_OK);
    assert_int_equal(row.n_results, 1);
    assert_string_equal(row.results[0].experiment, id(f, 4));
    assert_int_equal(lore_advice_outcome(&row.results[0]), LORE_ITEM_WORKED);
    assert_int_equal(lore_db_get_advice(f->db, late, &f->arena, &row, &f->err), LORE_OK);
    assert_int_equal(row.n_results, 0);
}

struct asker {
    struct lore_served *s;
    int n, kept;
};

static void *
ask(void *arg)
{
    struct asker *a = arg;
    char caller[48], id26[LORE_ULID_SIZE];

    for (int i = 0; i < 200; i++) {
        struct lore_advised said = asked_by(caller);

        snprintf(caller, sizeof caller, "asker %d question %d", a->n, i);
        a->kept += lore_served_remember(a->s, &said, id26);
    }
    return NULL;
}

static void
many_ask_at_once_while_documents_come_and_share_commits(void **state)
{
    enum { ASKERS = 4, DOCUMENTS = 40 };
    struct fixture *f = *state;
    struct lore_served *s;
    struct lore_ingest *in = begin(f, 100, &usual, &s);
    struct asker askers[ASKERS];
    pthread_t threads[ASKERS];
    struct lore_served_stats stats;
    struct lore_ingest_stats commits;
    struct lore_advice_stored all = {0};
    uint64_t kept = 0;

    for (int i = 0; i < ASKERS; i++) {
        askers[i] = (struct asker){s, i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < DOCUMENTS; i++) {
        const char *body = document(f, 200 + i, 300 + i, "t");
        const struct lore_ingest_doc doc = {body, strlen(body), "ada", false, NULL, 0};

        assert_int_equal(lore_ingest_submit(in, &doc, &f->arena, &f->receipt, &f->err), LORE_OK);
    }
    for (int i = 0; i < ASKERS; i++) {
        pthread_join(threads[i], NULL);
        kept += (uint64_t)askers[i].kept;
    }
    lore_ingest_stats(in, &commits);
    assert_true(commits.commits < ASKERS * 200); /* 800 answers, far fewer commits */
    lore_served_stats(s, &stats);
    assert_int_equal(kept + stats.dropped, ASKERS * 200);
    end(f, in, s);
    assert_int_equal(lore_db_get_advice_stored(f->db, &all, &f->err), LORE_OK);
    assert_int_equal(all.answers + all.forgotten, kept);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_answer_is_stored_by_the_time_the_service_stops),
        TEST(the_versions_that_it_proposed_are_stored_with_it),
        TEST(the_same_answer_has_the_same_id),
        TEST(nothing_is_remembered_when_nothing_is_to_be_kept),
        TEST(when_too_many_wait_an_answer_has_no_id_and_is_counted),
        TEST(a_full_queue_takes_no_answer),
        TEST(an_experiment_that_comes_after_an_answer_is_its_outcome),
        TEST(many_ask_at_once_while_documents_come_and_share_commits),
    };

    return cmocka_run_group_tests_name("served", tests, NULL, NULL);
}
