// uses: ingest
// The memory of moves in a service: what enters it, and that it follows what is masked, retracted,
// found wrong or measured again. After every step it must say what one loaded from the facts says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/learned.h"
#include "service/base/text.h"
#include "service/ingest/indexes_moves.h"
#include "service/moves/start.h"
#include "tests/unit/ingest_fixture.h"

enum { KERNEL = 1, V0 = 2, VERSIONS = 3, BARE = 9, R0 = 20, X0 = 40 };

static struct lore_indexes *indexes;

static int
begin(void **state)
{
    struct fixture *f;

    if (set_up(state) != 0)
        return -1;
    f = *state;
    return lore_indexes_load(f->db, &indexes, &f->err) == LORE_OK ? 0 : -1;
}

static int
end(void **state)
{
    lore_indexes_free(indexes);
    return tear_down(state);
}

/* ---- looking ---- */

struct seen {
    double time[VERSIONS + 1]; /* per version, then of the bare one: 0 not known, below 0 failed */
    size_t n_first;            /* changes of the first version with something known of them */
    double gain[VERSIONS];     /* of those, ln */
};

static struct seen
look_at(struct fixture *f, const struct lore_trials *t)
{
    struct lore_start_place p = {.op = "softmax", .chip = lore_chip_find("h200")};
    struct lore_start_move *moves;
    struct seen s = {0};

    if (lore_start_at(t, &p, &f->arena)) {
        for (int v = 0; v <= VERSIONS; v++) {
            uint32_t at = lore_trials_state(t, id(f, v < VERSIONS ? V0 + v : BARE));
            s.time[v] = at == UINT32_MAX ? 0 : lore_trials_time(t, at, p.at, NULL);
        }
        s.n_first = lore_start_moves(&p, id(f, V0), false, VERSIONS, &f->arena, &moves);
        for (size_t i = 0; i < s.n_first; i++)
            s.gain[i] = moves[i].gain.value;
    }
    return s;
}

static struct seen
look(struct fixture *f, struct lore_indexes *m)
{
    struct seen s = look_at(f, lore_indexes_moves(m));

    lore_indexes_unlock(m);
    return s;
}

static void
assert_same(struct seen a, struct seen b)
{
    assert_int_equal(a.n_first, b.n_first);
    for (int v = 0; v <= VERSIONS; v++)
        if (a.time[v] != b.time[v])
            fail_msg("version %d: %g and not %g", v, a.time[v], b.time[v]);
    for (size_t i = 0; i < a.n_first; i++)
        assert_true(a.gain[i] == b.gain[i]);
}

static void
store(struct fixture *f, struct lore_indexes *m, const char *body)
{
    memset(&f->err, 0, sizeof f->err);
    if (lore_ingest_now(f->db, &(struct lore_ingest_parts){.indexes = m},
            &(struct lore_ingest_doc){body, strlen(body), "tester", true, NULL, 0}, &f->arena,
            &f->receipt, &f->err) != LORE_OK)
        fail_msg("%s: %s", f->err.path, f->err.msg);
}

/* Store BODY, and see what the memory says now. */
static struct seen
say(struct fixture *f, const char *body)
{
    struct lore_indexes *loaded = NULL;
    struct seen a, b;

    store(f, indexes, body);
    assert_int_equal(lore_indexes_load(f->db, &loaded, &f->err), LORE_OK);
    a = look(f, indexes);
    b = look(f, loaded);
    assert_same(a, b);
    lore_indexes_free(loaded);
    return a;
}

/* ---- saying ---- */

static const char *
run(struct fixture *f, int n, int version, int ns, const char *more)
{
    return lore_format(&f->arena,
        "{\"id\":\"%s\",\"version\":\"%s\",\"chip\":\"h200\",\"workload\":{\"dims\":{\"M\":4096},"
        "\"dtype\":\"f32\"}%s%s}",
        id(f, n), id(f, version),
        ns > 0 ? lore_format(&f->arena, ",\"samples_ns\":[%d,%d,%d]", ns, ns, ns) : "", more);
}

static const char *
runs(struct fixture *f, int document, const char *list)
{
    return lore_format(
        &f->arena, "{\"warplore\":1,\"id\":\"%s\",\"runs\":[%s]}", id(f, document), list);
}

#define MEASURED ",\"evidence\":\"measured\""
#define NOT_BUILT ",\"error\":{\"type\":\"compilation\",\"message\":\"too large\"}"
#define WRONG ",\"correctness\":{\"status\":\"fail\"}"
#define RIGHT ",\"correctness\":{\"status\":\"pass\"}"

static const char *
experiment(struct fixture *f, int n, int to)
{
    return lore_format(&f->arena,
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"from_version\":\"%s\",\"to_version\":\"%s\",\"title\":"
        "\"tile\",\"techniques\":[{\"name\":\"compute.thread_coarsening\",\"params\":{"
        "\"parameter\":\"tile\"}}],\"chip\":\"h200\",\"evidence\":\"measured\",\"workload\":{"
        "\"dims\":{\"M\":4096},\"dtype\":\"f32\"},\"runs_before\":[\"%s\"],\"runs_after\":"
        "[\"%s\"]}",
        id(f, n), id(f, KERNEL), id(f, V0), id(f, V0 + to), id(f, R0), id(f, R0 + to));
}

/* Three versions with tiles of 1, 2 and 4 and one without parameters; the last tile is not built.
 */
static const char *
story(struct fixture *f)
{
    const char *versions = lore_format(&f->arena,
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"candidate\"}", id(f, BARE), id(f, KERNEL));

    for (int v = 0; v < VERSIONS; v++)
        versions = lore_format(&f->arena,
            "%s,{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"candidate\",\"params\":{\"tile\":%d,"
            "\"unrolled\":true}}",
            versions, id(f, V0 + v), id(f, KERNEL), 1 << v);
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":\"softmax\","
        "\"name\":\"row\",\"language\":\"cuda\"}],\"versions\":[%s],\"runs\":[%s,%s,%s,%s],"
        "\"experiments\":[%s,%s]}",
        id(f, 100), id(f, KERNEL), versions, run(f, R0, V0, 2000, MEASURED),
        run(f, R0 + 1, V0 + 1, 1000, MEASURED), run(f, R0 + 2, V0 + 2, 0, MEASURED NOT_BUILT),
        run(f, R0 + 9, BARE, 1500, MEASURED), experiment(f, X0, 1), experiment(f, X0 + 1, 2));
}

static const char *
decide(struct fixture *f, int n, const char *action, int subject)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"%s\","
        "\"subjects\":[\"%s\"],\"reason\":\"because\"}]}",
        id(f, 200 + n), id(f, 300 + n), action, id(f, subject));
}

/* ---- tests ---- */

static void
versions_runs_failures_and_experiments_enter(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f));

    assert_true(s.time[0] == 2000 && s.time[1] == 1000);
    assert_true(s.time[2] < 0); /* it did not build */
    assert_true(s.time[3] == 1500);
    assert_int_equal(s.n_first, 1); /* to the tile of 2; the failed one is not proposed */
    assert_true(s.gain[0] > 0.1);
}

static void
a_masked_experiment_leaves_its_runs(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f));

    s = say(f, decide(f, 1, "mask", X0));
    assert_true(s.time[1] == 1000);
}

static void
a_retracted_run_is_forgotten_and_comes_back(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f));

    s = say(f, decide(f, 1, "retract", R0 + 1));
    assert_true(s.time[1] == 0);
    s = say(f, decide(f, 2, "retract", 301)); /* the retraction */
    assert_true(s.time[1] == 1000);
}

static void
a_retracted_version_is_gone_with_its_runs_and_moves(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f));

    s = say(f, decide(f, 1, "retract", V0 + 1));
    assert_true(s.time[1] == 0);
    assert_int_equal(s.n_first, 0);
    s = say(f, runs(f, 101, run(f, 60, V0 + 1, 800, MEASURED)));
    assert_true(s.time[1] == 0);
    s = say(f, decide(f, 2, "retract", 301));
    assert_true(s.time[1] == 900); /* of both */
}

static void
a_late_check_that_fails_makes_it_a_failure_and_a_pass_mends_it(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f));

    s = say(f, runs(f, 101, run(f, 60, V0 + 1, 0, MEASURED WRONG)));
    assert_true(s.time[1] < 0);
    assert_int_equal(s.n_first, 0);
    s = say(f, runs(f, 102, run(f, 61, V0 + 1, 0, MEASURED RIGHT)));
    assert_true(s.time[1] == 1000);
}

static void
a_better_class_of_evidence_replaces_and_the_same_is_a_median(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f));

    s = say(f, runs(f, 101, run(f, 60, V0, 10, ",\"evidence\":\"claimed\"")));
    assert_true(s.time[0] == 2000);
    s = say(f, runs(f, 102, run(f, 61, V0, 4000, MEASURED)));
    assert_true(s.time[0] == 3000);
    s = say(f, runs(f, 103, run(f, 62, V0, 5000, ",\"evidence\":\"confirmed\"")));
    assert_true(s.time[0] == 5000);
}

static void
numbers_that_are_not_understood_leave_the_priors(void **state)
{
    struct fixture *f = *state;
    struct lore_learned numbers = {.basis = "{}", .trained_us = 1};
    struct lore_indexes *loaded = NULL;
    struct lore_moves *other = lore_moves_new(&f->arena);
    const struct lore_trials *t;

    (void)say(f, story(f));
    numbers.numbers = lore_moves_numbers(other, &f->arena);
    assert_int_equal(lore_db_begin(f->db, &f->err), LORE_OK);
    assert_int_equal(lore_put_learned(f->db, "moves@2", &numbers, &f->err), LORE_OK);
    numbers.numbers = "{\"not\":\"numbers\"}";
    assert_int_equal(lore_put_learned(f->db, "moves@2", &numbers, &f->err), LORE_OK);
    assert_int_equal(lore_db_commit(f->db, &f->err), LORE_OK);
    assert_int_equal(
        lore_indexes_load(f->db, &loaded, &f->err), LORE_OK); /* what there was holds */
    t = lore_indexes_moves(loaded);
    assert_non_null(t);
    lore_indexes_unlock(loaded);
    lore_indexes_free(loaded);
}

/* What the writer does after a commit that took back or gave back RECORD. */
static void
after(struct fixture *f, struct lore_moves_index *m, const char *record, const char *experiment_id)
{
    const char *records[] = {record}, *judged[] = {experiment_id};
    struct lore_effects e = {.retracted = {.v = records, .n = record != NULL},
        .judged = {.v = judged, .n = experiment_id != NULL}};
    bool changed = false;

    assert_int_equal(lore_indexes_moves_refresh(m, f->db, &changed, &f->err), LORE_OK);
    assert_int_equal(lore_indexes_moves_follow(m, f->db, &e, &f->err), LORE_OK);
    if (m->rebuild_due)
        assert_int_equal(lore_indexes_moves_refresh(m, f->db, &changed, &f->err), LORE_OK);
}

/* Made by a thread, however few there are: what is stored and taken back while it reads counts. */
static void
a_memory_made_anew_beside_the_writer_misses_nothing(void **state)
{
    struct fixture *f = *state;
    struct lore_rwlock guard, other;
    atomic_uint_fast64_t generation = 0;
    struct lore_moves_index m = {.lock = &guard, .generation = &generation},
                            fresh = {.lock = &other};
    struct seen s;

    lore_rwlock_init(&guard);
    lore_rwlock_init(&other);
    store(f, NULL, story(f));
    after(f, &m, NULL, NULL);
    for (int round = 0; round < 20; round++) {
        int run_id = 700 + round;

        store(f, NULL, decide(f, 2 * round, "retract", R0 + 1));
        after(f, &m, id(f, R0 + 1), NULL);
        assert_true(m.rebuild != NULL);
        store(f, NULL, runs(f, 600 + round, run(f, run_id, V0, 2000 + round, MEASURED)));
        after(f, &m, NULL, id(f, X0));
        store(f, NULL, decide(f, 2 * round + 1, "retract", 300 + 2 * round)); /* the retraction */
        after(f, &m, id(f, R0 + 1), id(f, X0 + 1));
        store(f, NULL, decide(f, 40 + round, round % 2 == 0 ? "mask" : "unmask", X0));
        after(f, &m, NULL, id(f, X0));
        if (round % 5 == 4)
            lore_indexes_moves_wait(&m);
    }
    lore_indexes_moves_wait(&m);
    assert_false(atomic_load(&m.behind));
    after(f, &fresh, NULL, NULL);
    s = look_at(f, m.trials);
    assert_same(s, look_at(f, fresh.trials));
    assert_true(s.time[1] == 1000);
    assert_true(atomic_load(&generation) >= 4);
    after(f, &m, id(f, R0), NULL); /* freed while one may be in the making */
    lore_indexes_moves_free(&m);
    lore_indexes_moves_free(&fresh);
    lore_rwlock_destroy(&guard);
    lore_rwlock_destroy(&other);
}

static void
a_copy_read_piece_by_piece_says_what_one_read_at_once_says(void **state)
{
    struct fixture *f = *state;
    struct lore_trials *whole = NULL, *pieces = NULL;

    store(f, NULL, story(f));
    assert_int_equal(lore_indexes_moves_copy(f->db, LORE_SNAPSHOT_US, &whole, &f->err), LORE_OK);
    struct seen s = look_at(f, whole);
    assert_int_equal(lore_indexes_moves_copy(f->db, 0, &pieces, &f->err), LORE_OK);
    assert_same(s, look_at(f, pieces));
    lore_trials_free(pieces);
    lore_trials_free(whole);
}

int
main(void)
{
#define CASE(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
    const struct CMUnitTest tests[] = {
        CASE(versions_runs_failures_and_experiments_enter),
        CASE(a_masked_experiment_leaves_its_runs),
        CASE(a_retracted_run_is_forgotten_and_comes_back),
        CASE(a_retracted_version_is_gone_with_its_runs_and_moves),
        CASE(a_late_check_that_fails_makes_it_a_failure_and_a_pass_mends_it),
        CASE(a_better_class_of_evidence_replaces_and_the_same_is_a_median),
        CASE(a_copy_read_piece_by_piece_says_what_one_read_at_once_says),
        CASE(a_memory_made_anew_beside_the_writer_misses_nothing),
        CASE(numbers_that_are_not_understood_leave_the_priors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
