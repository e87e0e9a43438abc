// uses: board m
/* The board on small sets of entries whose right rows a person can see, and once against a slow
 * reference over random entries. */
#include "tests/unit/board_case.h"

enum { MEMORY = 1u << LORE_L_MEMORY, SYNC = 1u << LORE_L_SYNC };

static void
an_empty_board_has_no_rows(void **state)
{
    (void)state;
    query((struct lore_board_filter){.sort = "-speedup"});
    assert_int_equal(n, 0);
    assert_int_equal(total, 0);
    retract(ix, "nobody", true);
    lore_board_free(NULL);
}

static void
the_fastest_correct_version_is_best_against_the_first(void **state)
{
    (void)state;
    put(run("v0", 900));
    put(run("v1", 300));
    put(run("v2", 450));
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v1");
    assert_string_equal(r->status, "v1");
    assert_near(r->time_ns, 300, 0);
    assert_true(r->speedup.set);
    assert_near(r->speedup.value, 3, 1e-12);
    assert_int_equal(r->speedup.base, LORE_BASE_FIRST);
    assert_string_equal(r->speedup.base_version, "v0");
    assert_int_equal(r->versions, 3);
    assert_int_equal(r->runs, 3);
    assert_int_equal(r->evidence, LORE_EV_MEASURED);
    assert_false(r->vs_library.set);
}

static void
wrong_and_unchecked_versions_are_excluded_with_their_reason(void **state)
{
    struct lore_entry e;
    (void)state;

    put(run("v0", 900));
    e = run("v1", 100);
    e.correctness = LORE_C_FAIL;
    put(e);
    e = run("v2", 200);
    e.correctness = LORE_C_NOT_CHECKED;
    put(e);
    e = run("v3", 0);
    e.failed = true;
    e.correctness = LORE_C_NONE;
    put(e);
    e = run("v4", 300);
    e.correctness = LORE_C_TIMEOUT;
    put(e);
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v0");
    assert_near(r->speedup.value, 1, 0);
    assert_int_equal(r->n_excluded, 4);
    const char *reasons[] = {"correctness check timed out", "run ended in an error",
        "correctness not checked", "correctness failed"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(r->excluded[i].reason, reasons[i]);
    assert_string_equal(r->excluded[3].version_label, "v1");
}

static void
one_wrong_run_takes_the_best_version_down_again(void **state)
{
    struct lore_entry e;
    (void)state;

    put(run("v0", 900));
    put(run("v1", 100));
    put(run("v2", 200));
    assert_string_equal(only()->best_label, "v1");
    e = run("v1", 110);
    e.correctness = LORE_C_FAIL;
    put(e);
    assert_string_equal(only()->best_label, "v2");
}

static void
a_measurement_outranks_any_claim(void **state)
{
    (void)state;
    put(run("v0", 900));
    put(run("v1", 800));
    put(claim("v9", 1, 900));
    struct lore_entry e = run("v8", 2);
    e.evidence = LORE_EV_IMPORTED;
    put(e);
    assert_string_equal(only()->best_label, "v1");
    assert_int_equal(only()->evidence, LORE_EV_MEASURED);
}

static void
imported_results_stand_while_nothing_is_measured(void **state)
{
    struct lore_entry e = claim("v1", 17000, 15.04);
    (void)state;

    e.evidence = LORE_EV_IMPORTED;
    e.base = LORE_BASE_FIRST;
    e.speedup_low = 3;
    e.speedup_high = 9;
    e.labels = SYNC;
    put(e);
    const struct lore_board_row *r = only();
    assert_string_equal(r->status, "v1");
    assert_near(r->speedup.value, 15.04, 0);
    assert_near(r->speedup.low, 3, 0);
    assert_near(r->speedup.high, 9, 0);
    assert_int_equal(r->speedup.base, LORE_BASE_FIRST);
    assert_int_equal(r->evidence, LORE_EV_IMPORTED);
    assert_int_equal(r->won, 1);
    assert_int_equal(r->labels, 0); /* an experiment names the bottleneck of the version before */
    assert_int_equal(r->earlier_labels, SYNC);
    assert_null(r->best_run);
    assert_string_equal(r->best_experiment, e.experiment);
}

static void
a_chain_of_stated_results_counts_from_before_the_first(void **state)
{
    struct lore_entry e;
    (void)state;

    put(claim("v1", 500, 2)); /* 1000 -> 500 */
    e = claim("v2", 250, 2);
    e.base = LORE_BASE_PARENT;
    put(e);
    const struct lore_board_row *r = only();
    assert_near(r->speedup.value, 4, 1e-12);
    assert_int_equal(r->speedup.base, LORE_BASE_FIRST);
    assert_null(r->speedup.base_version);
}

static void
no_gain_when_every_attempt_failed_and_nothing_was_timed(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct lore_entry e = claim(NULL, 0, 0);
        e.workload = e.workload_label = NULL;
        e.effect = LORE_X_NOT_MEASURED;
        e.said_lost = true;
        put(e);
    }
    const struct lore_board_row *r = only();
    assert_string_equal(r->status, "no gain reported");
    assert_false(r->speedup.set);
    assert_int_equal(r->lost, 0);
    assert_int_equal(r->said_lost, 5);
    assert_int_equal(r->experiments, 5);
    assert_int_equal(r->versions, 0);
    assert_null(r->best_version);
    assert_null(r->workload);
    assert_near(r->time_ns, 0, 0);
}

static void
a_faster_candidate_is_not_baseline_optimal(void **state)
{
    struct lore_entry e = claim("v2", 0, 0.8);
    (void)state;

    put(run("v0", 900));
    put(e);
    assert_string_equal(only()->status, "baseline optimal");
    put(run("v1", 300));
    assert_string_equal(only()->status, "v1");
}

static void
libraries_are_bases_and_never_best(void **state)
{
    struct lore_entry e = run("cublas", 100);
    (void)state;

    e.version_kind = LORE_V_LIBRARY;
    e.language = LORE_LANG_LIBRARY;
    e.kernel = "KL";
    e.kernel_name = "softmax_library";
    e.version_label = "library";
    put(e);
    query((struct lore_board_filter){0});
    assert_int_equal(n, 0);
    put(run("v0", 900));
    put(run("v1", 200));
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v1");
    assert_true(r->vs_library.set);
    assert_near(r->vs_library.value, 0.5, 1e-12);
    assert_string_equal(r->vs_library.base_name, "softmax_library");
    assert_int_equal(r->versions, 2);
    e.version = "L2";
    e.version_label = "cuDNN 9.10";
    e.time_ns = 50;
    e.run = next_id();
    put(e);
    assert_string_equal(only()->vs_library.base_name, "cuDNN 9.10");
}

static void
a_stated_speedup_without_a_time_is_a_claim_and_leads_nothing(void **state)
{
    struct lore_entry e = claim("v1", 0, 0.56);
    (void)state;

    e.base = LORE_BASE_LIBRARY;
    e.base_name = "cuBLAS";
    put(e);
    e = claim("v1", 0, 36);
    e.base = LORE_BASE_FIRST;
    put(e);
    const struct lore_board_row *r = only();
    assert_string_equal(r->status, "claimed only");
    assert_null(r->best_version);
    assert_false(r->speedup.set);
    assert_int_equal(r->n_claims, 1);
    assert_near(r->claims[0].speedup.value, 36, 0);
    put(run("v2", 900));
    r = only();
    assert_string_equal(r->best_label, "v2");
    assert_int_equal(r->n_claims, 1);
}

static void
a_time_that_the_chip_does_not_allow_leads_nothing_and_is_named(void **state)
{
    const struct lore_limit_in limit = {"w1", "a6000", 100, true};
    struct lore_entry e = run("v1", 1);
    (void)state;

    put(run("v0", 400));
    e.beyond = "1 ns; a6000 needs at least 83 ns";
    put(e);
    lore_board_limit(ix, &limit);
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v0");
    assert_int_equal(r->n_excluded, 1);
    assert_string_equal(r->excluded[0].code, "beyond_ceiling");
    assert_string_equal(r->excluded[0].reason, e.beyond);
    assert_near(r->peak_pct, 25, 1e-9);
    assert_string_equal(r->limiter, "memory");
    lore_board_follow(ix, e.run, &(struct lore_board_standing){0});
    assert_string_equal(only()->best_label, "v1");
}

/* One bare "fail" of somebody else disputes a version; a second one is no evidence, either. */
static void
a_bare_failure_of_others_disputes_the_best_and_does_not_depose_it(void **state)
{
    struct lore_entry bare = run("v1", 0), shown = run("v1", 0);
    (void)state;

    put(run("v0", 400));
    put(run("v1", 100));
    bare.correctness = LORE_C_NOT_CHECKED;
    bare.disputes = true;
    put(bare);
    assert_string_equal(only()->best_label, "v1");
    assert_string_equal(only()->disputed, bare.run);
    bare.run = next_id();
    put(bare);
    assert_string_equal(only()->best_label, "v1");
    shown.run = next_id();
    shown.correctness = LORE_C_FAIL;
    put(shown);
    assert_string_equal(only()->best_label, "v0");
    assert_null(only()->disputed);
}

static void
environments_that_differ_give_no_ratio(void **state)
{
    struct lore_entry e = run("v0", 900);
    (void)state;

    e.env_hard = "driver-1";
    put(e);
    e = run("v1", 300);
    e.env_hard = "driver-2";
    put(e);
    assert_false(only()->speedup.set);
    e = run("v0", 600);
    e.env_hard = "driver-2";
    put(e);
    assert_near(only()->speedup.value, 2, 1e-12);
}

static void
without_a_workload_times_are_not_compared(void **state)
{
    struct lore_entry e = run("v0", 900);
    (void)state;

    e.workload = e.workload_label = NULL;
    put(e);
    e = run("v1", 300);
    e.workload = e.workload_label = NULL;
    put(e);
    assert_false(only()->speedup.set);
    query((struct lore_board_filter){.workload = "never seen"});
    assert_int_equal(n, 0);
}

static void
a_mask_hides_a_result_and_lifts_again(void **state)
{
    struct lore_entry e = claim("v1", 100, 9);
    (void)state;

    put(claim("v2", 300, 3));
    put(e);
    assert_string_equal(only()->best_label, "v1");
    e.masked = true;
    put(e);
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v2");
    assert_int_equal(r->experiments, 1);
    assert_int_equal(r->n_excluded, 1);
    assert_string_equal(r->excluded[0].reason, "masked");
    e.masked = false;
    put(e);
    assert_string_equal(only()->best_label, "v1");
}

static void
a_masked_experiment_takes_its_measured_version_along(void **state)
{
    struct lore_entry e = claim("v1", 0, 3);
    (void)state;

    put(run("v0", 900));
    put(run("v1", 300));
    e.evidence = LORE_EV_MEASURED;
    put(e);
    assert_string_equal(only()->best_label, "v1");
    e.masked = true;
    put(e);
    assert_string_equal(only()->best_label, "v0");
}

static void
a_new_verdict_moves_the_counts(void **state)
{
    struct lore_entry e = claim("v1", 100, 2);
    (void)state;

    put(e);
    assert_int_equal(only()->won, 1);
    e.correctness = LORE_C_FAIL; /* fast and wrong */
    put(e);
    assert_int_equal(only()->won, 0);
    assert_int_equal(only()->lost, 0);
    e.effect = LORE_X_LOSS;
    put(e);
    assert_int_equal(only()->won, 0);
    assert_int_equal(only()->lost, 1);
    assert_null(only()->best_version);
    assert_string_equal(only()->excluded[0].reason, "correctness failed");
}

static void
the_same_entry_again_changes_nothing(void **state)
{
    struct lore_entry a = run("v0", 900), b = claim("v1", 100, 2);
    (void)state;

    for (int i = 0; i < 3; i++) {
        put(a);
        put(b);
    }
    assert_int_equal(lore_board_entries(ix), 2);
    assert_int_equal(only()->runs, 1);
    assert_int_equal(only()->experiments, 1);
}

static void
fill_three_cells(void)
{
    struct lore_entry e;

    put(run("v0", 900));
    put(run("v1", 300)); /* softmax a6000: 3x */
    const char *ops[] = {"gemm", "topk_softmax"}, *chips[] = {"h200", "mi300x"};
    for (int i = 0; i < 2; i++) {
        for (int v = 0; v < 2; v++) {
            e = run(v == 0 ? "v0" : "v1", v == 0 ? 1000 : i == 0 ? 800 : 100);
            e.op = ops[i];
            e.family = i == 0 ? "gemm" : "moe";
            e.chip = chips[i];
            e.language = i == 0 ? LORE_LANG_TRITON : LORE_LANG_HIP;
            e.kernel = i == 0 ? "K2" : "K3";
            e.kernel_name = i == 0 ? "Matmul.py" : "topk.cu";
            e.workload = i == 0 ? "w2" : "w3";
            e.workload_label = NULL;
            e.labels = i == 0 ? MEMORY : SYNC;
            put(e);
        }
    }
}

static void
filters_narrow(void **state)
{
    (void)state;
    fill_three_cells();
    const struct {
        struct lore_board_filter f;
        const char *first;
        size_t count;
    } cases[] = {
        {{0}, "gemm", 3},
        {{.op = "softmax"}, "softmax", 1},
        {{.op = "frobnicate"}, NULL, 0},
        {{.family = "moe"}, "topk_softmax", 1},
        {{.language = LORE_LANG_TRITON}, "gemm", 1},
        {{.labels = MEMORY | SYNC}, "gemm", 2},
        {{.text = "matMUL"}, "gemm", 1},
        {{.text = "10240"}, "softmax", 1},
        {{.text = "softmax"}, "softmax", 2},
        {{.workload = "w3"}, "topk_softmax", 1},
        {{.chip = lore_chip_find("mi300x")}, "topk_softmax", 1},
        {{.chip = lore_chip_find("gfx942")}, "topk_softmax", 1},
        {{.chip = lore_chip_find("mi308x")}, NULL, 0},
        {{.chip = lore_chip_find("gfx942"), .variants = true}, "topk_softmax", 1},
        {{.chip = lore_chip_find("mi308x"), .variants = true}, NULL, 0},
        {{.at_least = LORE_EV_MEASURED}, "gemm", 3},
        {{.at_least = LORE_EV_CONFIRMED}, NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        query(cases[i].f);
        assert_int_equal(total, cases[i].count);
        assert_int_equal(n, cases[i].count);
        if (n > 0)
            assert_string_equal(rows[0].op, cases[i].first);
    }
}

static void
sorting_and_paging_agree(void **state)
{
    static const char *const sorts[][4] = {
        {"operator", "gemm", "softmax", "topk_softmax"},
        {"-operator", "topk_softmax", "softmax", "gemm"},
        {"speedup", "gemm", "softmax", "topk_softmax"},
        {"-speedup", "topk_softmax", "softmax", "gemm"},
        {"time", "topk_softmax", "softmax", "gemm"},
        {"-time", "gemm", "softmax", "topk_softmax"},
        {"chip", "softmax", "gemm", "topk_softmax"},
        {"-chip", "topk_softmax", "gemm", "softmax"},
        {"-updated", "topk_softmax", "gemm", "softmax"},
    };
    (void)state;

    fill_three_cells();
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        query((struct lore_board_filter){.sort = sorts[i][0]});
        for (size_t j = 0; j < 3; j++)
            assert_string_equal(rows[j].op, sorts[i][j + 1]);
        for (size_t j = 0; j < 4; j++) {
            query((struct lore_board_filter){.sort = sorts[i][0], .offset = j, .limit = 1});
            assert_int_equal(total, 3);
            assert_int_equal(n, j < 3);
            if (j < 3)
                assert_string_equal(rows[0].op, sorts[i][j + 1]);
        }
    }
}

static void
what_is_unknown_sorts_last_in_both_directions(void **state)
{
    struct lore_entry e = claim(NULL, 0, 0);
    (void)state;

    fill_three_cells();
    e.op = "aaa";
    put(e);
    query((struct lore_board_filter){.sort = "speedup"});
    assert_string_equal(rows[3].op, "aaa");
    query((struct lore_board_filter){.sort = "-time"});
    assert_string_equal(rows[3].op, "aaa");
}

/* What a slow look at all entries says of the version of ONE on its workload. */
struct slow {
    bool wrong, passed, elsewhere;
};

static struct slow
slow_look(const struct lore_entry *all, size_t count, const struct lore_entry *one)
{
    struct slow s = {0};

    for (size_t j = 0; j < count; j++) {
        if (strcmp(all[j].version, one->version) != 0)
            continue;
        bool here = strcmp(all[j].workload, one->workload) == 0;
        s.wrong |= here && all[j].correctness == LORE_C_FAIL;
        s.passed |= here && all[j].correctness == LORE_C_PASS;
        s.elsewhere |= !here && all[j].correctness == LORE_C_PASS;
    }
    return s;
}

/* The best time per cell by brute force over all entries so far: of what passed, else of what was
 * never checked. */
static double
slow_best(const struct lore_entry *all, size_t count, const char *op, const char *workload)
{
    double best[2] = {0, 0};

    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].op, op) != 0 || strcmp(all[i].workload, workload) != 0)
            continue;
        struct slow s = slow_look(all, count, &all[i]);
        double *b = &best[s.passed ? 0 : 1];
        if (!s.wrong && (s.passed || !s.elsewhere) && (*b == 0 || all[i].time_ns < *b))
            *b = all[i].time_ns;
    }
    return best[0] > 0 ? best[0] : best[1];
}

static void
random_entries_agree_with_a_slow_reference(void **state)
{
    enum { N = 900 };
    static const char *const ops[] = {"gemm", "softmax", "mha"}, *const workloads[] = {"w1", "w2"};
    struct lore_entry *all = lore_alloc_array(&arena, N, sizeof *all);
    uint32_t seed = 7;
    (void)state;

    for (size_t i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        const char *op = ops[(seed >> 24) % 3];
        all[i] = run(lore_format(&arena, "%s v%u", op, (unsigned)(seed >> 8) % 12),
            100 + (seed >> 12) % 1000);
        all[i].op = op;
        all[i].workload = workloads[(seed >> 20) % 2];
        all[i].correctness = (seed >> 16) % 60 == 0  ? LORE_C_FAIL
                             : (seed >> 16) % 9 == 0 ? LORE_C_PASS
                                                     : LORE_C_NOT_CHECKED;
        put(all[i]);
        if (i % 15 != 14)
            continue;
        query((struct lore_board_filter){0});
        for (size_t r = 0; r < n; r++)
            assert_near(rows[r].time_ns, slow_best(all, i + 1, rows[r].op, rows[r].workload), 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_empty_board_has_no_rows),
        TEST(the_fastest_correct_version_is_best_against_the_first),
        TEST(wrong_and_unchecked_versions_are_excluded_with_their_reason),
        TEST(one_wrong_run_takes_the_best_version_down_again),
        TEST(a_measurement_outranks_any_claim),
        TEST(imported_results_stand_while_nothing_is_measured),
        TEST(a_chain_of_stated_results_counts_from_before_the_first),
        TEST(no_gain_when_every_attempt_failed_and_nothing_was_timed),
        TEST(a_faster_candidate_is_not_baseline_optimal),
        TEST(libraries_are_bases_and_never_best),
        TEST(a_stated_speedup_without_a_time_is_a_claim_and_leads_nothing),
        TEST(a_time_that_the_chip_does_not_allow_leads_nothing_and_is_named),
        TEST(a_bare_failure_of_others_disputes_the_best_and_does_not_depose_it),
        TEST(environments_that_differ_give_no_ratio),
        TEST(without_a_workload_times_are_not_compared),
        TEST(a_mask_hides_a_result_and_lifts_again),
        TEST(a_masked_experiment_takes_its_measured_version_along),
        TEST(a_new_verdict_moves_the_counts),
        TEST(the_same_entry_again_changes_nothing),
        TEST(filters_narrow),
        TEST(sorting_and_paging_agree),
        TEST(what_is_unknown_sorts_last_in_both_directions),
        TEST(random_entries_agree_with_a_slow_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
