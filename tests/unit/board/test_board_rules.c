// uses: board m
/* The rules of the leaderboard that keep its numbers honest: checked where it was timed, ties where
 * nothing is shown to be faster, nothing retracted, and the attempts that prove a baseline. */
#include <stdlib.h>

#include "tests/unit/board_case.h"

static struct lore_entry
on(struct lore_entry e, const char *workload, enum lore_check check)
{
    e.workload = workload;
    e.workload_label = lore_format(&arena, "M=%s", workload);
    e.correctness = check;
    return e;
}

static struct lore_entry
between(struct lore_entry e, double low, double high)
{
    e.median_low_ns = low;
    e.median_high_ns = high;
    return e;
}

/* The row of workload W. */
static const struct lore_board_row *
row_on(const char *workload)
{
    query((struct lore_board_filter){.workload = workload});
    assert_int_equal(n, 1);
    return rows;
}

/* Why VERSION is out of the row of workload W; NULL: it is not. */
static const struct lore_excluded *
out_of(const char *workload, const char *version)
{
    const struct lore_board_row *r = row_on(workload);

    for (size_t i = 0; i < r->n_excluded; i++)
        if (strcmp(r->excluded[i].version, version) == 0)
            return &r->excluded[i];
    return NULL;
}

static void
a_version_that_passed_on_another_workload_only_is_out(void **state)
{
    (void)state;
    put(on(run("v0", 900), "4096", LORE_C_PASS));
    put(on(run("v1", 100), "4096", LORE_C_NOT_CHECKED));
    assert_string_equal(out_of("4096", "v1")->code, "not_checked");
    put(on(run("v1", 0), "1024", LORE_C_PASS));
    assert_string_equal(row_on("4096")->best_label, "v0");
    assert_string_equal(out_of("4096", "v1")->reason, "correct only on M=1024; timed on M=4096");
    assert_string_equal(out_of("4096", "v1")->code, "shape_mismatch");
    /* A check on the workload itself brings it back. */
    put(on(run("v1", 0), "4096", LORE_C_PASS));
    assert_string_equal(row_on("4096")->best_label, "v1");
    assert_null(out_of("4096", "v1"));
}

static void
a_stated_time_needs_its_own_workload_too(void **state)
{
    struct lore_entry e = on(run("v1", 100), "4096", LORE_C_NOT_CHECKED);
    (void)state;

    e.evidence = LORE_EV_IMPORTED;
    put(e);
    assert_string_equal(row_on("4096")->best_label, "v1");
    assert_int_equal(rows->correctness, LORE_C_NOT_CHECKED);
    put(on(run("v1", 0), "1024", LORE_C_PASS));
    assert_null(row_on("4096")->best_version);
    assert_string_equal(rows->status, "no correct version");
    query((struct lore_board_filter){.workload = "4096", .any_shape = true});
    assert_string_equal(rows->best_label, "v1");
    assert_string_equal(rows->checked_on, "M=1024");
    assert_int_equal(rows->correctness, LORE_C_NOT_CHECKED);
    assert_int_equal(rows->n_excluded, 0);
}

static void
a_pass_of_the_runs_counts_where_they_ran(void **state)
{
    struct lore_entry e = on(claim("v1", 0, 3), "4096", LORE_C_PASS);
    (void)state;

    put(on(run("v1", 100), "4096", LORE_C_NOT_CHECKED));
    put(on(run("v1", 0), "1024", LORE_C_PASS));
    e.runs_checked = true;
    put(e);
    assert_string_equal(out_of("4096", "v1")->code, "shape_mismatch");
    e = on(claim("v1", 0, 3), "4096", LORE_C_PASS);
    put(e); /* stated of the experiment's own workload */
    assert_string_equal(row_on("4096")->best_label, "v1");
}

static void
a_check_elsewhere_takes_the_best_down_in_every_cell(void **state)
{
    struct lore_entry e = on(run("v1", 100), "4096", LORE_C_NOT_CHECKED);
    (void)state;

    put(e);
    e = on(run("v1", 90), "2048", LORE_C_NOT_CHECKED);
    put(e);
    e = on(run("v1", 80), "4096", LORE_C_NOT_CHECKED);
    e.chip = "h200";
    put(e);
    e = on(run("v1", 0), "1024", LORE_C_PASS);
    put(e);
    query((struct lore_board_filter){0});
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++)
        assert_null(rows[i].best_version);
    /* Passed on 4096: no longer elsewhere only for both chips, still for 2048. */
    put(on(run("v1", 0), "4096", LORE_C_PASS));
    query((struct lore_board_filter){.workload = "4096"});
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].best_label, "v1");
    assert_string_equal(rows[1].best_label, "v1");
    assert_int_equal(rows[0].correctness, LORE_C_PASS);
    assert_int_equal(rows[1].correctness, LORE_C_NOT_CHECKED); /* on the other chip nobody looked */
    assert_null(row_on("2048")->best_version);
    retract(ix, e.run, true);
    assert_null(row_on("2048")->best_version); /* 4096 passed still */
}

static void
a_retracted_check_is_no_check(void **state)
{
    struct lore_entry check = on(run("v1", 0), "1024", LORE_C_PASS);
    (void)state;

    put(on(run("v1", 100), "4096", LORE_C_NOT_CHECKED));
    put(check);
    assert_null(row_on("4096")->best_version);
    retract(ix, check.run, true);
    assert_string_equal(row_on("4096")->best_label, "v1");
    retract(ix, check.run, false);
    assert_null(row_on("4096")->best_version);
}

static void
what_was_never_checked_stays_behind_what_passed(void **state)
{
    (void)state;
    put(on(run("v1", 100), "4096", LORE_C_NOT_CHECKED));
    assert_string_equal(row_on("4096")->best_label, "v1");
    assert_int_equal(rows->correctness, LORE_C_NOT_CHECKED);
    assert_int_equal(rows->n_excluded, 0);
    query((struct lore_board_filter){.checked = true});
    assert_int_equal(total, 0);
    put(on(run("v0", 900), "4096", LORE_C_PASS));
    assert_string_equal(row_on("4096")->best_label, "v0");
    assert_int_equal(rows->correctness, LORE_C_PASS);
    assert_string_equal(out_of("4096", "v1")->reason, "correctness not checked");
    query((struct lore_board_filter){.checked = true});
    assert_int_equal(total, 1);
    /* A claim that passed stands for the row when only checked versions may. */
    struct lore_entry e = on(claim("v9", 500, 2), "512", LORE_C_PASS);
    put(e);
    put(on(run("v8", 50), "512", LORE_C_NOT_CHECKED));
    assert_string_equal(row_on("512")->best_label, "v8");
    query((struct lore_board_filter){.workload = "512", .checked = true});
    assert_string_equal(rows->best_label, "v9");
    assert_string_equal(rows->excluded[0].code, "not_checked");
}

static void
retracted_runs_and_versions_stand_no_more(void **state)
{
    struct lore_entry fast = run("v1", 100);
    (void)state;

    put(run("v0", 900));
    put(run("v1", 300));
    put(fast);
    assert_near(only()->time_ns, 100, 0);
    retract(ix, fast.run, true);
    assert_near(only()->time_ns, 300, 0);
    assert_int_equal(only()->runs, 2);
    retract(ix, "v1", true);
    assert_string_equal(only()->best_label, "v0");
    assert_string_equal(only()->excluded[0].reason, "retracted");
    assert_string_equal(only()->excluded[0].code, "retracted");
    put(run("v1", 50)); /* one that comes later does not stand, either */
    assert_string_equal(only()->best_label, "v0");
    retract(ix, "v1", false);
    assert_near(only()->time_ns, 50, 0);
    retract(ix, "nobody", true);
}

static void
a_retracted_time_is_no_base(void **state)
{
    struct lore_entry slow = run("v0", 900), library = run("cublas", 150);
    (void)state;

    library.version_kind = LORE_V_LIBRARY;
    library.language = LORE_LANG_LIBRARY;
    put(slow);
    put(run("v0", 1000));
    put(run("v1", 300));
    put(library);
    assert_near(only()->speedup.value, 3, 1e-12);
    assert_near(only()->vs_library.value, 0.5, 1e-12);
    retract(ix, slow.run, true);
    assert_near(only()->speedup.value, 1000.0 / 300, 1e-12);
    retract(ix, library.run, true);
    assert_false(only()->vs_library.set);
    retract(ix, "v0", true);
    assert_false(only()->speedup.set);
}

static void
a_retracted_failure_gives_the_version_back(void **state)
{
    struct lore_entry e = run("v1", 0);
    (void)state;

    put(run("v0", 900));
    put(run("v1", 300));
    e.correctness = LORE_C_FAIL;
    put(e);
    assert_string_equal(only()->best_label, "v0");
    retract(ix, e.run, true);
    assert_string_equal(only()->best_label, "v1");
}

static void
overlapping_intervals_tie(void **state)
{
    struct lore_entry e;
    (void)state;

    put(between(run("v1", 100), 95, 105));
    put(between(run("v2", 108), 104, 112));
    put(between(run("v3", 120), 115, 125));
    put(run("v4", 101)); /* no interval: nothing is claimed */
    e = between(run("v5", 102), 90, 110);
    e.env_hard = "driver-1";
    put(e);
    e = between(run("v6", 103), 90, 110);
    e.method = "events"; /* not comparable */
    put(e);
    e = between(run("v7", 99.5), 90, 110);
    e.correctness = LORE_C_NOT_CHECKED;
    put(e);
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v1");
    assert_string_equal(r->interval_of, "median");
    assert_near(r->interval_low_ns, 95, 0);
    assert_int_equal(r->n_tied, 2);
    assert_string_equal(r->tied[0].version_label, "v5");
    assert_string_equal(r->tied[1].version_label, "v2");
    assert_near(r->tied[1].time_ns, 108, 0);
}

static void
intervals_that_just_touch_are_told_apart(void **state)
{
    (void)state;

    put(between(run("v1", 100), 97, 103));
    put(between(run("v2", 106), 103, 109));
    assert_int_equal(only()->n_tied, 0);
    assert_int_equal(only()->compared, 2);
}

static void
among_many_versions_more_is_asked_of_each_difference(void **state)
{
    const struct lore_board_row *r;
    (void)state;

    put(between(run("v1", 100), 97, 103));
    put(between(run("v2", 106), 103, 109)); /* the same two as above */
    for (int i = 3; i < 20; i++)
        put(between(run(lore_format(&arena, "v%d", i), 100.01 + 0.1 * i), 97, 103));
    r = only();
    assert_string_equal(r->best_label, "v1");
    assert_int_equal(r->compared, 19);
    assert_int_equal(r->n_tied, 18);
    assert_string_equal(r->tied[17].version_label, "v2");
}

static void
the_fifty_fastest_versions_are_compared(void **state)
{
    (void)state;

    for (int i = 120; i > 0; i--)
        put(between(run(lore_format(&arena, "v%d", i), 100 + 0.001 * i), 99, 101));
    put(between(run("slow", 200), 199, 201));
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v1");
    assert_int_equal(r->compared, 50);
    assert_int_equal(r->n_tied, 49);
    assert_string_equal(r->tied[48].version_label, "v50");
}

static void
other_languages_tie_and_share_a_rank(void **state)
{
    static const struct {
        enum lore_language language;
        double time, low, high;
        size_t rank, rank_high, tied;
    } cases[] = {
        {LORE_LANG_CUDA, 100, 95, 105, 1, 2, 1},
        {LORE_LANG_TRITON, 104, 102, 108, 1, 3, 2},
        {LORE_LANG_CUTLASS, 110, 107, 113, 2, 3, 1},
        {LORE_LANG_HIP, 200, 0, 0, 4, 4, 0},
    };
    (void)state;

    for (size_t i = 0; i < 4; i++) {
        struct lore_entry e = run(next_id(), cases[i].time);
        e.language = cases[i].language;
        if (cases[i].low > 0)
            e = between(e, cases[i].low, cases[i].high);
        put(e);
    }
    query((struct lore_board_filter){.sort = "time"});
    assert_int_equal(n, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rows[i].language, cases[i].language);
        assert_int_equal(rows[i].rank, cases[i].rank);
        assert_int_equal(rows[i].rank_high, cases[i].rank_high);
        assert_int_equal(rows[i].n_tied, cases[i].tied);
    }
    assert_int_equal(rows[0].tied[0].language, LORE_LANG_TRITON);
}

static void
stated_percentiles_serve_where_no_samples_are(void **state)
{
    struct lore_entry e = run("v1", 100);
    (void)state;

    e.low_ns = 90;
    e.high_ns = 110;
    put(e); /* 30 samples whose median interval nobody gave */
    assert_null(only()->interval_of);
    e = run("v2", 50);
    e.n_samples = 0;
    e.low_ns = 45;
    e.high_ns = 55;
    put(e);
    assert_string_equal(only()->interval_of, "p10..p90");
    assert_near(only()->interval_high_ns, 55, 0);
}

static void
baseline_optimal_names_the_attempts_that_prove_it(void **state)
{
    struct lore_entry newest = {0};
    (void)state;

    put(run("v0", 900));
    for (int i = 0; i < 60; i++) {
        struct lore_entry e = claim(lore_format(&arena, "c%d", i % 7), 0, 0.9);
        e.effect = i % 3 == 0 ? LORE_X_NEUTRAL : i % 3 == 1 ? LORE_X_LOSS : LORE_X_NOT_MEASURED;
        e.said_lost = i % 3 == 2;
        put(e);
        newest = e;
    }
    struct lore_entry undecided = claim("v9", 0, 1), against = claim("v0", 0, 0.5);
    undecided.effect = LORE_X_INCONCLUSIVE;
    put(undecided);
    against.base = LORE_BASE_LIBRARY;
    put(against);
    const struct lore_board_row *r = only();
    assert_string_equal(r->status, "baseline optimal");
    assert_int_equal(r->n_attempts, 50);
    assert_string_equal(r->attempts[0], newest.experiment);
    for (size_t i = 1; i < 50; i++)
        assert_true(strcmp(r->attempts[i], r->attempts[i - 1]) < 0); /* ids ascend with time */
    newest.masked = true;
    put(newest);
    assert_string_not_equal(only()->attempts[0], newest.experiment);
    put(run("v1", 300));
    assert_int_equal(only()->n_attempts, 0);
}

static void
one_name_with_other_dims_is_another_row(void **state)
{
    (void)state;
    put(on(run("v0", 900), "10240 N=1024", LORE_C_PASS));
    put(on(run("v1", 500), "4096 N=4096", LORE_C_PASS));
    query((struct lore_board_filter){.op = "softmax"});
    assert_int_equal(n, 2);
    assert_string_not_equal(rows[0].workload_label, rows[1].workload_label);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(rows[i].versions, 1);
        assert_int_equal(rows[i].rank, 1);
    }
}

enum { ENTRIES = 400, VERSIONS = 24 };

/* A random entry, a run or an experiment, of one of three operators. */
static struct lore_entry
any_entry(uint32_t seed)
{
    static const char *const ops[] = {"gemm", "softmax", "mha"}, *const dims[] = {"1", "2", "4"};
    unsigned version = (seed >> 8) % VERSIONS;
    const char *name = lore_format(&arena, "V%u", version);
    double time = 100 + (seed >> 12) % 50;
    struct lore_entry e = (seed >> 28) % 3 == 0 ? claim(name, 0, time / 120)
                                                : between(run(name, time), time - 2, time + 2);

    e = on(e, dims[(seed >> 20) % 3],
        (seed >> 16) % 40 == 0  ? LORE_C_FAIL
        : (seed >> 16) % 5 == 0 ? LORE_C_PASS
                                : LORE_C_NOT_CHECKED);
    e.op = ops[version % 3];
    e.chip = (seed >> 24) % 4 == 0 ? "h200" : "a6000";
    e.language = version % 2 == 0 ? LORE_LANG_CUDA : LORE_LANG_TRITON;
    e.kernel = lore_format(&arena, "K%u", version % 6);
    return e;
}

static void
same_rows(const struct lore_board_row *a, const struct lore_board_row *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(a[i].status, b[i].status);
        assert_true((!a[i].best_version) == (!b[i].best_version));
        if (a[i].best_version)
            assert_string_equal(a[i].best_version, b[i].best_version);
        assert_near(a[i].time_ns, b[i].time_ns, 0);
        assert_int_equal(a[i].correctness, b[i].correctness);
        assert_int_equal(a[i].rank, b[i].rank);
        assert_int_equal(a[i].n_tied, b[i].n_tied);
        assert_int_equal(a[i].runs, b[i].runs);
        assert_int_equal(a[i].won, b[i].won);
        assert_int_equal(a[i].n_excluded, b[i].n_excluded);
        for (size_t k = 0; k < a[i].n_excluded; k++)
            assert_string_equal(a[i].excluded[k].reason, b[i].excluded[k].reason);
    }
}

/* The board as it stands against one that is told the same at once. */
static void
same_as_new(const struct lore_entry *all, size_t count, const bool *out)
{
    struct lore_board_filter f = {.limit = 1000};
    struct lore_board *live = ix;
    struct lore_board_row *mine;
    size_t n_mine;

    lore_board(live, &f, &arena, &mine, &n_mine, &total);
    ix = lore_board_new();
    for (size_t i = 0; i < count; i++) {
        struct lore_entry e = all[i];
        e.version_retracted = out[atoi(e.version + 1)];
        put(e);
    }
    query(f);
    assert_int_equal(n, n_mine);
    same_rows(mine, rows, n);
    lore_board_free(ix);
    ix = live;
}

static void
a_board_that_changed_equals_one_that_is_new(void **state)
{
    struct lore_entry *all = lore_alloc_array(&arena, ENTRIES, sizeof *all);
    bool out[VERSIONS] = {false};
    uint32_t seed = 11;
    (void)state;

    for (size_t i = 0; i < ENTRIES; i++) {
        seed = seed * 1664525u + 1013904223u;
        all[i] = any_entry(seed);
        all[i].version_retracted = out[atoi(all[i].version + 1)];
        put(all[i]);
        struct lore_entry *e = &all[(seed >> 10) % (i + 1)];
        unsigned version = (seed >> 14) % VERSIONS;
        if (seed % 4 == 0 && !e->run) {
            e->masked = !e->masked;
            e->effect = e->effect == LORE_X_WIN ? LORE_X_LOSS : LORE_X_WIN;
            put(*e);
        } else if (seed % 4 == 1) {
            e->retracted = !e->retracted;
            retract(ix, e->run != NULL ? e->run : e->experiment, e->retracted);
        } else if (seed % 8 == 2) {
            out[version] = !out[version];
            retract(ix, lore_format(&arena, "V%u", version), out[version]);
        }
        if (i % 10 == 9)
            same_as_new(all, i + 1, out);
    }
}

static void
kernels_that_nobody_classified_are_left_out_unless_asked_for(void **state)
{
    struct lore_entry plain = run("a.out", 9000);
    (void)state;

    plain.op = plain.family = LORE_UNCLASSIFIED;
    plain.workload = "w9";
    put(plain);
    query((struct lore_board_filter){0});
    assert_int_equal(n, 0);
    put(run("v1", 1000));
    query((struct lore_board_filter){0});
    assert_int_equal(n, 1);
    assert_int_equal(total, 1);
    assert_string_equal(rows[0].op, "softmax");
    query((struct lore_board_filter){.text = "softmax.cu"}); /* its kernel's name, too */
    assert_int_equal(n, 1);
    query((struct lore_board_filter){.op = LORE_UNCLASSIFIED});
    assert_int_equal(n, 1);
    assert_string_equal(rows[0].best_version, "a.out");
    assert_string_equal(row_on("w9")->op, LORE_UNCLASSIFIED);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_version_that_passed_on_another_workload_only_is_out),
        TEST(a_stated_time_needs_its_own_workload_too),
        TEST(a_pass_of_the_runs_counts_where_they_ran),
        TEST(a_check_elsewhere_takes_the_best_down_in_every_cell),
        TEST(a_retracted_check_is_no_check),
        TEST(what_was_never_checked_stays_behind_what_passed),
        TEST(retracted_runs_and_versions_stand_no_more),
        TEST(a_retracted_time_is_no_base),
        TEST(a_retracted_failure_gives_the_version_back),
        TEST(overlapping_intervals_tie),
        TEST(intervals_that_just_touch_are_told_apart),
        TEST(among_many_versions_more_is_asked_of_each_difference),
        TEST(the_fifty_fastest_versions_are_compared),
        TEST(other_languages_tie_and_share_a_rank),
        TEST(stated_percentiles_serve_where_no_samples_are),
        TEST(baseline_optimal_names_the_attempts_that_prove_it),
        TEST(one_name_with_other_dims_is_another_row),
        TEST(kernels_that_nobody_classified_are_left_out_unless_asked_for),
        TEST(a_board_that_changed_equals_one_that_is_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
