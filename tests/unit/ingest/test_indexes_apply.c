// uses: ingest
// What comes late: checks, retractions, merges and verifications of records that are stored
// already. After every step the memory that followed must say what one loaded from the facts says.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/verdicts/verdicts.h"
#include "tests/unit/ingest_fixture.h"

enum { KERNEL = 1, V0, V1, R0, R1, EXPERIMENT };

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
    struct lore_evidence_row *evidence;
    struct lore_board_row *rows;
    size_t n_evidence, n_rows;
};

/* Nobody writes between two steps: what the lock guards stays. */
static struct seen
look(struct fixture *f, struct lore_indexes *m)
{
    struct lore_board_filter all = {0};
    const struct lore_evidence_index *evidence;
    struct seen s = {0};
    size_t total;

    evidence = lore_indexes_evidence(m);
    s.n_evidence = lore_evidence_count(evidence);
    s.evidence = lore_alloc_array(&f->arena, s.n_evidence + 1, sizeof *s.evidence);
    for (size_t i = 0; i < s.n_evidence; i++)
        s.evidence[i] = lore_evidence_at(evidence, i);
    lore_indexes_unlock(m);
    lore_board(lore_indexes_board(m), &all, &f->arena, &s.rows, &s.n_rows, &total);
    lore_indexes_unlock(m);
    return s;
}

static void
same_row(const struct lore_board_row *a, const struct lore_board_row *b)
{
    assert_true(lore_streq(a->workload, b->workload));
    assert_true(lore_streq(a->status, b->status));
    assert_true(lore_streq(a->best_version, b->best_version));
    assert_true(lore_streq(a->best_run, b->best_run));
    assert_int_equal(a->correctness, b->correctness);
    assert_int_equal(a->runs, b->runs);
    assert_int_equal(a->experiments, b->experiments);
    assert_int_equal(a->won, b->won);
    assert_int_equal(a->lost, b->lost);
    assert_int_equal(a->n_tied, b->n_tied);
    assert_int_equal(a->n_excluded, b->n_excluded);
    for (size_t i = 0; i < a->n_excluded; i++)
        assert_true(lore_streq(a->excluded[i].reason, b->excluded[i].reason));
}

static void
same_as_loaded(struct fixture *f)
{
    struct lore_indexes *loaded = NULL;
    struct lore_rebuilt rebuilt;
    struct seen a, b;

    assert_int_equal(lore_verdicts_rebuild(f->db, 1790000000000000, &rebuilt, &f->err), LORE_OK);
    assert_int_equal(rebuilt.verdicts, 0); /* none but those in force */
    assert_int_equal(lore_indexes_load(f->db, &loaded, &f->err), LORE_OK);
    a = look(f, indexes);
    b = look(f, loaded);
    assert_int_equal(a.n_evidence, b.n_evidence);
    for (size_t i = 0; i < a.n_evidence; i++) {
        assert_string_equal(a.evidence[i].experiment, b.evidence[i].experiment);
        assert_int_equal(a.evidence[i].effect, b.evidence[i].effect);
        assert_int_equal(a.evidence[i].correctness, b.evidence[i].correctness);
        assert_int_equal(a.evidence[i].process_broken, b.evidence[i].process_broken);
        assert_int_equal(a.evidence[i].masked, b.evidence[i].masked);
    }
    assert_int_equal(a.n_rows, b.n_rows);
    for (size_t i = 0; i < a.n_rows; i++)
        same_row(&a.rows[i], &b.rows[i]);
    lore_indexes_free(loaded);
}

/* Store BODY, and see what the memory says now. */
static struct seen
say(struct fixture *f, const char *body)
{
    memset(&f->err, 0, sizeof f->err);
    if (lore_ingest_now(f->db, &(struct lore_ingest_parts){.indexes = indexes},
            &(struct lore_ingest_doc){body, strlen(body), "tester", true, NULL, 0}, &f->arena,
            &f->receipt, &f->err) != LORE_OK)
        fail_msg("%s: %s", f->err.path, f->err.msg);
    same_as_loaded(f);
    return look(f, indexes);
}

/* The row of the workload with M = m. */
static const struct lore_board_row *
row_of(struct seen s, int m)
{
    char label[32];

    snprintf(label, sizeof label, "M=%d", m);
    for (size_t i = 0; i < s.n_rows; i++)
        if (s.rows[i].workload_label && strstr(s.rows[i].workload_label, label))
            return &s.rows[i];
    fail_msg("no row of %s", label);
    return NULL;
}

/* ---- saying ---- */

static const char *
samples(struct fixture *f, int ns)
{
    const char *list = "";

    for (int i = 0; i < 12; i++)
        list = lore_format(&f->arena, "%s%s%d", list, i > 0 ? "," : "", ns + i);
    return list;
}

/* A run; NS 0: a check alone. CHECK NULL: nothing is said of correctness. */
static const char *
run(struct fixture *f, int n, int version, int m, int ns, const char *check)
{
    return lore_format(&f->arena,
        "{\"id\":\"%s\",\"version\":\"%s\",\"chip\":\"h200\",\"evidence\":\"measured\",\"tool\":"
        "\"events\",\"workload\":{\"dims\":{\"M\":%d}}%s%s%s%s}",
        id(f, n), id(f, version), m, ns > 0 ? ",\"samples_ns\":[" : "",
        ns > 0 ? samples(f, ns) : "", ns > 0 ? "]" : "",
        !check ? "" : lore_format(&f->arena, ",\"correctness\":{\"status\":\"%s\"}", check));
}

static const char *
runs(struct fixture *f, int document, const char *list)
{
    return lore_format(
        &f->arena, "{\"warplore\":1,\"id\":\"%s\",\"runs\":[%s]}", id(f, document), list);
}

/* The kernel, its two versions, a run of each on M=4096 and the experiment between them. */
static const char *
story(struct fixture *f, const char *check)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":\"softmax\","
        "\"name\":\"row\",\"language\":\"cuda\"}],\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\","
        "\"kind\":\"baseline\",\"label\":\"v0\"},{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":"
        "\"candidate\",\"label\":\"v1\",\"parents\":[\"%s\"]}],\"runs\":[%s,%s],\"hypotheses\":[{"
        "\"id\":\"%s\",\"claim\":\"float4 halves the loads\"}],\"experiments\":[{\"id\":\"%s\","
        "\"kernel\":\"%s\",\"from_version\":\"%s\",\"to_version\":\"%s\",\"hypothesis\":\"%s\","
        "\"title\":\"float4\",\"techniques\":[\"float4 loads\"],\"chip\":\"h200\",\"evidence\":"
        "\"measured\",\"workload\":{\"dims\":{\"M\":4096}},\"runs_before\":[\"%s\"],"
        "\"runs_after\":[\"%s\"]}]}",
        id(f, 100), id(f, KERNEL), id(f, V0), id(f, KERNEL), id(f, V1), id(f, KERNEL), id(f, V0),
        run(f, R0, V0, 4096, 2000, "pass"), run(f, R1, V1, 4096, 1000, check), id(f, 50),
        id(f, EXPERIMENT), id(f, KERNEL), id(f, V0), id(f, V1), id(f, 50), id(f, R0), id(f, R1));
}

/* Document 200 + N with a decision on the SUBJECTs; the second 0: none. */
static const char *
decide(struct fixture *f, int n, const char *action, int subject, int second)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"%s\","
        "\"subjects\":[\"%s\"%s],%s\"reason\":\"because\"}]}",
        id(f, 200 + n), id(f, 300 + n), action, id(f, subject),
        second != 0 ? lore_format(&f->arena, ",\"%s\"", id(f, second)) : "",
        second != 0 ? lore_format(&f->arena, "\"canonical\":\"%s\",", id(f, subject)) : "");
}

/* ---- tests ---- */

static void
a_retracted_run_leaves_board_and_verdict_and_comes_back(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, "pass"));

    assert_int_equal(s.evidence[0].effect, LORE_X_WIN);
    assert_int_equal(s.evidence[0].process_broken, 0);
    assert_string_equal(s.rows[0].best_label, "v1");
    s = say(f, decide(f, 1, "retract", R1, 0));
    assert_int_equal(s.evidence[0].effect, LORE_X_NOT_MEASURED);
    assert_string_equal(s.rows[0].best_label, "v0");
    assert_int_equal(s.rows[0].won, 0);
    s = say(f, decide(f, 2, "retract", 301, 0));
    assert_int_equal(s.evidence[0].effect, LORE_X_WIN);
    assert_string_equal(s.rows[0].best_label, "v1");
    s = say(f, decide(f, 3, "retract", R0, 0)); /* nothing left to compare with */
    assert_int_equal(s.evidence[0].effect, LORE_X_NOT_MEASURED);
    assert_string_equal(s.rows[0].best_label, "v1");
    assert_false(s.rows[0].speedup.set);
}

static void
a_retracted_version_takes_its_runs_and_experiments_along(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, "pass"));

    s = say(f, decide(f, 1, "retract", V1, 0));
    assert_int_equal(s.evidence[0].masked, 1);
    assert_string_equal(s.rows[0].best_label, "v0");
    assert_int_equal(s.rows[0].runs, 1);
    assert_int_equal(s.rows[0].experiments, 0);
    assert_string_equal(s.rows[0].excluded[0].reason, "retracted");
    s = say(f, runs(f, 101, run(f, 20, V1, 4096, 500, "pass"))); /* of what was retracted before */
    assert_string_equal(s.rows[0].best_label, "v0");
    s = say(f, decide(f, 2, "retract", 301, 0));
    assert_int_equal(s.evidence[0].masked, 0);
    assert_int_equal(s.evidence[0].effect, LORE_X_WIN);
    assert_string_equal(s.rows[0].best_run, id(f, 20));
}

static void
what_is_only_stated_of_a_retracted_version_is_hidden_too(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, document(f, 100, 10, "x")); /* from version 2 to version 3 */

    assert_int_equal(s.evidence[0].masked, 0);
    s = say(f, decide(f, 1, "retract", 3, 0));
    assert_int_equal(s.evidence[0].masked, 1);
    assert_int_equal(s.rows[0].won, 0);
    s = say(f, decide(f, 2, "retract", 301, 0));
    assert_int_equal(s.evidence[0].masked, 0);
    assert_int_equal(s.rows[0].won, 1);
}

static void
a_retracted_base_measures_nothing(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, "pass"));

    s = say(f, decide(f, 1, "retract", V0, 0));
    assert_int_equal(s.evidence[0].masked, 0);
    assert_int_equal(s.evidence[0].effect, LORE_X_NOT_MEASURED);
    assert_string_equal(s.rows[0].best_label, "v1");
}

static void
a_late_failure_makes_the_win_incorrect(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, "pass"));

    assert_int_equal(s.evidence[0].correctness, LORE_C_PASS);
    s = say(f, runs(f, 101, run(f, 20, V1, 4096, 0, "fail")));
    assert_int_equal(s.evidence[0].effect, LORE_X_WIN);
    assert_int_equal(s.evidence[0].correctness, LORE_C_FAIL);
    assert_string_equal(s.rows[0].best_label, "v0");
    assert_string_equal(s.rows[0].excluded[0].code, "correctness_failed");
    s = say(f, decide(f, 1, "retract", 20, 0));
    assert_int_equal(s.evidence[0].correctness, LORE_C_PASS);
    assert_string_equal(s.rows[0].best_label, "v1");
}

/* The status of a check, with limits. */
#define LOOSE "pass\",\"atol\":0.5,\"reference\":\"cpu"
#define STRICT "pass\",\"atol\":0.0001,\"reference\":\"cpu"

static void
a_late_check_of_the_baseline_shows_that_its_limits_were_loosened(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, LOOSE));

    assert_int_equal(s.evidence[0].process_broken, 0);
    s = say(f, runs(f, 101, run(f, 20, V0, 512, 0, "pass"))); /* states no limit */
    assert_int_equal(s.evidence[0].process_broken, 0);
    s = say(f, runs(f, 102, run(f, 21, V0, 512, 0, STRICT)));
    assert_int_equal(s.evidence[0].process_broken, 1);
    s = say(f, decide(f, 1, "retract", 21, 0));
    assert_int_equal(s.evidence[0].process_broken, 0);
}

static void
a_late_pass_on_the_same_workload_mends_the_process(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, NULL));

    assert_int_equal(s.evidence[0].process_broken, 0); /* nobody checked: that breaks no rule */
    assert_int_equal(s.evidence[0].correctness, LORE_C_NOT_CHECKED);
    assert_string_equal(s.rows[0].best_label, "v0");          /* which passed */
    s = say(f, runs(f, 102, run(f, 21, V1, 512, 0, "pass"))); /* checked on another shape only */
    assert_int_equal(s.evidence[0].process_broken, 1);
    s = say(f, runs(f, 101, run(f, 20, V1, 4096, 0, "pass")));
    assert_int_equal(s.evidence[0].process_broken, 0);
    assert_int_equal(s.evidence[0].correctness, LORE_C_PASS);
    assert_string_equal(s.rows[0].best_label, "v1");
}

static void
a_late_pass_on_another_workload_is_no_pass(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, NULL));

    s = say(f, runs(f, 101, run(f, 20, V1, 1024, 0, "pass")));
    assert_int_equal(s.evidence[0].process_broken, 1);
    assert_int_equal(s.evidence[0].correctness, LORE_C_NOT_CHECKED);
    const struct lore_board_row *r = row_of(s, 4096);
    assert_string_equal(r->best_label, "v0");
    assert_int_equal(r->n_excluded, 1);
    assert_string_equal(r->excluded[0].code, "shape_mismatch");
    assert_non_null(strstr(r->excluded[0].reason, "M=1024"));
    assert_non_null(strstr(r->excluded[0].reason, "M=4096"));
}

static void
a_version_whose_signature_is_missing_stays_champion(void **state)
{
    struct fixture *f = *state;
    struct lore_technique_verdict_row *verdicts;
    size_t n;
    struct seen s = say(f, story(f, "pass"));

    s = say(f, lore_format(&f->arena,
                   "{\"warplore\":1,\"id\":\"%s\",\"verifications\":[{\"id\":\"%s\",\"version\":"
                   "\"%s\",\"technique\":\"float4 loads\",\"status\":\"missing\"}]}",
                   id(f, 101), id(f, 9), id(f, V1)));
    assert_int_equal(lore_db_list_technique_verdicts(
                         f->db, id(f, EXPERIMENT), &f->arena, &verdicts, &n, &f->err),
        LORE_OK);
    assert_string_equal(verdicts[0].isa, "missing");
    assert_string_equal(s.rows[0].best_label, "v1");
    assert_string_equal(s.rows[0].status, "v1");
    assert_int_equal(s.rows[0].n_excluded, 0);
    assert_int_equal(s.evidence[0].effect, LORE_X_WIN);
}

static void
one_operator_with_other_dims_is_another_row(void **state)
{
    struct fixture *f = *state;
    struct seen s = say(f, story(f, "pass"));

    s = say(f, runs(f, 101, run(f, 20, V1, 10240, 300, "pass")));
    assert_int_equal(s.n_rows, 2);
    assert_int_equal((int)row_of(s, 4096)->time_ns, 1005);
    assert_int_equal((int)row_of(s, 10240)->time_ns, 305);
    assert_false(row_of(s, 10240)->speedup.set); /* the base was not timed there */
}

/* Experiments that count. */
static size_t
counted(struct seen s)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n_evidence; i++)
        n += s.evidence[i].first && !s.evidence[i].masked;
    return n;
}

static void
a_merge_group_counts_once_and_hidden_ones_not_at_all(void **state)
{
    struct fixture *f = *state;
    struct seen s = {0};

    for (int i = 0; i < 4; i++)
        s = say(f, document(f, 100 + i, 10 + i, "x"));
    assert_int_equal(counted(s), 4);
    assert_int_equal(s.rows[0].won, 4);
    s = say(f, decide(f, 1, "merge", 10, 11));
    assert_int_equal(counted(s), 3);
    assert_int_equal(s.rows[0].won, 3);
    s = say(f, decide(f, 2, "mask", 12, 0));
    assert_int_equal(counted(s), 2);
    s = say(f, decide(f, 3, "retract", 13, 0));
    assert_int_equal(counted(s), 1);
    assert_int_equal(s.rows[0].won, 1);
    s = say(f, decide(f, 4, "unmerge", 301, 0));
    s = say(f, decide(f, 5, "unmask", 12, 0));
    s = say(f, decide(f, 6, "retract", 303, 0));
    assert_int_equal(counted(s), 4);
    assert_int_equal(s.rows[0].won, 4);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)
        T(a_retracted_run_leaves_board_and_verdict_and_comes_back),
        T(a_retracted_version_takes_its_runs_and_experiments_along),
        T(what_is_only_stated_of_a_retracted_version_is_hidden_too),
        T(a_retracted_base_measures_nothing),
        T(a_late_failure_makes_the_win_incorrect),
        T(a_late_check_of_the_baseline_shows_that_its_limits_were_loosened),
        T(a_late_pass_on_the_same_workload_mends_the_process),
        T(a_late_pass_on_another_workload_is_no_pass),
        T(a_version_whose_signature_is_missing_stays_champion),
        T(one_operator_with_other_dims_is_another_row),
        T(a_merge_group_counts_once_and_hidden_ones_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
