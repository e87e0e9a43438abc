// uses: board m
/* Which times the board compares: those of one timing method. The published figures are those of
 * the case studies in tests/fixtures/demo. */
#include "tests/unit/board_case.h"

/* A published time, taken by METHOD. */
static struct lore_entry
published(const char *version, double time_ns, const char *method)
{
    struct lore_entry e = run(version, time_ns);

    e.evidence = LORE_EV_IMPORTED;
    e.n_samples = 0;
    e.method = method;
    return e;
}

struct published_case {
    const char *op, *best, *base, *library;
    enum lore_language language;
    double profiled[6]; /* of v0, v1, ...; 0 ends */
    double library_ns, event_ns;
    double over_first, over_library;
};

/* Every version was profiled; the last one and the library were timed by events, too. */
static void
put_published(const struct published_case *c)
{
    static const char *const names[] = {"v0", "v1", "v2", "v3", "v4", "v5"};
    struct lore_entry e;
    size_t last = 0;

    for (size_t i = 0; i < 6 && c->profiled[i] > 0; i++) {
        e = published(names[i], c->profiled[i], "nsight-python");
        e.op = c->op;
        e.language = c->language;
        put(e);
        last = i;
    }
    e = published("library", c->library_ns, "CUDA events");
    e.op = c->op;
    e.kernel_name = c->library;
    e.language = LORE_LANG_LIBRARY;
    e.version_kind = LORE_V_LIBRARY;
    put(e);
    e = published(names[last], c->event_ns, "CUDA events");
    e.op = c->op;
    e.language = c->language;
    put(e);
}

static void
published_figures_come_out_as_published(void **state)
{
    static const struct published_case cases[] = {
        {"softmax", "v3", "v0", "PyTorch", LORE_LANG_CUDA, {899200, 221900, 151500, 142400}, 272100,
            146900, 6.31, 1.85},
        {"gemm", "v3", "v0", "cuBLAS", LORE_LANG_CUDA, {64230000, 47880000, 11640000, 9430000},
            6180000, 9410000, 6.81, 0.66},
        {"mha", "v5", "v0", "PyTorch flash attention", LORE_LANG_CUDA,
            {15450000, 2270000, 1830000, 1910000, 1990000, 1510000}, 515300, 1475300, 10.23, 0.35},
        {"gemm", "v3", "v0", "torch.mm", LORE_LANG_TRITON,
            {129740000, 44260000, 43920000, 42250000}, 97360000, 42770000, 3.07, 2.28},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct published_case *c = &cases[i];
        lore_board_free(ix);
        ix = lore_board_new();
        put_published(c);
        const struct lore_board_row *r = only();
        assert_string_equal(r->best_label, c->best);
        assert_string_equal(r->method, "nsight-python");
        assert_near(r->speedup.value, c->over_first, 0.006);
        assert_string_equal(r->speedup.base_name, c->base);
        assert_near(r->vs_library.value, c->over_library, 0.006);
        assert_string_equal(r->vs_library.base_name, c->library);
        assert_int_equal(r->n_excluded, 0);
    }
}

static void
times_of_different_methods_give_no_ratio(void **state)
{
    struct lore_entry e;
    (void)state;

    put(published("v0", 900, "profiler"));
    put(published("v1", 300, "events"));
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v0");
    assert_near(r->speedup.value, 1, 0);
    assert_string_equal(r->excluded[0].reason, "timed by another method");
    e = published("library", 400, NULL);
    e.language = LORE_LANG_LIBRARY;
    e.version_kind = LORE_V_LIBRARY;
    put(e);
    assert_false(only()->vs_library.set); /* not recorded equals not recorded only */
    put(published("v0", 600, "events"));
    r = only();
    assert_string_equal(r->best_label, "v1");
    assert_string_equal(r->method, "events");
    assert_near(r->speedup.value, 2, 1e-12);
}

static void
versions_are_ranked_by_the_method_of_most_versions(void **state)
{
    (void)state;
    put(published("v9", 10, "events"));
    assert_string_equal(only()->best_label, "v9");
    put(published("v0", 900, "profiler"));
    put(published("v1", 300, "profiler"));
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v1");
    assert_near(r->speedup.value, 3, 1e-12);
    assert_int_equal(r->n_excluded, 1);
    assert_string_equal(r->excluded[0].version_label, "v9");
    assert_string_equal(r->excluded[0].reason, "timed by another method");
    put(published("v9", 200, "profiler"));
    r = only();
    assert_string_equal(r->best_label, "v9");
    assert_near(r->time_ns, 200, 0);
    assert_int_equal(r->n_excluded, 0);
}

static void
the_best_version_lends_another_method_to_a_ratio(void **state)
{
    (void)state;
    put(published("v1", 300, "profiler"));
    put(published("v2", 200, "profiler"));
    put(published("v0", 1000, "events"));
    put(published("v2", 250, "events"));
    const struct lore_board_row *r = only();
    assert_string_equal(r->best_label, "v2");
    assert_near(r->time_ns, 200, 0);
    assert_near(r->speedup.value, 1.5, 1e-12); /* v1 / v2, both profiled */
    struct lore_entry e = published("w0", 800, "events");
    e.version_kind = LORE_V_BASELINE;
    e.workload = "w2";
    put(e);
    e = published("w1", 300, "events");
    e.workload = "w2";
    put(e);
    e = published("w1", 100, "counter");
    e.workload = "w2";
    put(e);
    query((struct lore_board_filter){.workload = "w2"});
    assert_near(rows[0].speedup.value, 800.0 / 300, 1e-12);
}

static void
a_mask_gives_the_ranking_back(void **state)
{
    struct lore_entry e = claim("v9", 10, 0);
    (void)state;

    e.method = "by hand";
    put(e);
    put(published("v0", 900, "profiler"));
    assert_string_equal(only()->best_label, "v9"); /* as many versions: the method seen first */
    e.masked = true;
    put(e);
    assert_string_equal(only()->best_label, "v0");
    e.masked = false;
    put(e);
    assert_string_equal(only()->best_label, "v9");
}

static void
a_comparison_with_a_library_is_no_attempt(void **state)
{
    struct lore_entry e = claim("v1", 0, 1.85);
    (void)state;

    put(run("v0", 900));
    put(run("v1", 300));
    e.base = LORE_BASE_LIBRARY;
    e.base_name = "PyTorch";
    e.effect = LORE_X_WIN;
    put(e);
    e = claim("v1", 0, 3);
    put(e);
    e = claim("v1", 0, 0.35);
    e.base = LORE_BASE_LIBRARY;
    e.effect = LORE_X_LOSS;
    put(e);
    const struct lore_board_row *r = only();
    assert_int_equal(r->won, 1);
    assert_int_equal(r->lost, 0);
    assert_int_equal(r->experiments, 3);
    assert_near(r->vs_library.value, 0.35, 0); /* the newest statement */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(published_figures_come_out_as_published),
        TEST(times_of_different_methods_give_no_ratio),
        TEST(versions_are_ranked_by_the_method_of_most_versions),
        TEST(the_best_version_lends_another_method_to_a_ratio),
        TEST(a_mask_gives_the_ranking_back),
        TEST(a_comparison_with_a_library_is_no_attempt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
