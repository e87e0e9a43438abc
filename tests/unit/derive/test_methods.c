// uses: derive m
/* Triggers, selection under a budget and the rules for a submitted choice, on a small registry;
 * and, on random registries, that what is selected passes the rules. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/methods_check.h"
#include "service/stats/random.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_method_selection sel;
static struct lore_method_errors errors;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define HIGH(metric, g, b)                                                                         \
    .trigger_metric = metric, .good = {true, g}, .bad = {true, b},                                 \
    .trigger_direction = "high_is_bad"

static const char *const mbarrier[] = {"mbarrier"};
static const struct lore_method_row small[] = {
    {.id = "latency.c", .axis = LORE_AXIS_LATENCY, .priority = 3, HIGH("barrier", 5, 20)},
    {.id = "latency.a", .axis = LORE_AXIS_LATENCY, .priority = 1, HIGH("scoreboard", 10, 40)},
    {.id = "latency.b",
        .axis = LORE_AXIS_LATENCY,
        .priority = 2,
        .min_arch = 90,
        .features = mbarrier,
        .n_features = 1,
        HIGH("scoreboard", 10, 20)},
    {.id = "memory.x", .axis = LORE_AXIS_MEMORY, .priority = 22, HIGH("scoreboard", 0, 100)},
    {.id = "memory.y", .axis = LORE_AXIS_MEMORY, .priority = 23, HIGH("barrier", 0, 100)},
    {.id = "compute.none", .axis = LORE_AXIS_COMPUTE, .priority = 1},
};
static const struct lore_method_coupling coupled[] = {{"latency.a", "memory.x"}};
static const struct lore_method_registry registry = {small, 6, coupled, 1};
static struct lore_metric profile[] = {
    {.name = "scoreboard", .value = 25}, {.name = "barrier", .value = 14}};

static struct lore_method_state
with_budget(unsigned compute, unsigned memory, unsigned latency)
{
    return (struct lore_method_state){.sm = 90,
        .features = {mbarrier, 1},
        .features_known = true,
        .metrics = {.v = profile, .n = 2},
        .budget = {compute, memory, latency}};
}

static const struct lore_method_scan *
scanned(const char *id)
{
    for (size_t i = 0; i < sel.n; i++) {
        if (strcmp(sel.v[i].method->id, id) == 0)
            return &sel.v[i];
    }
    return NULL;
}

static void
run(struct lore_method_state s)
{
    lore_methods_select(&registry, &s, &arena, &sel);
}

static double
strength(const char *direction, double good, double bad, double value)
{
    struct lore_method_row m = {.trigger_metric = "m",
        .good = {true, good},
        .bad = {true, bad},
        .trigger_direction = direction};
    struct lore_metric row = {.name = "m", .value = value};
    struct lore_metrics metrics = {.v = &row, .n = 1};
    struct lore_f64 s = lore_method_trigger(&m, &metrics);

    return s.set ? s.v : -1;
}

static void
a_trigger_is_linear_between_good_and_bad(void **state)
{
    (void)state;
    assert_near(strength("high_is_bad", 10, 40, 25), 0.5, 1e-12);
    assert_near(strength("high_is_bad", 10, 40, 5), 0, 0);
    assert_near(strength("high_is_bad", 10, 40, 99), 1, 0);
    assert_near(strength("low_is_bad", 60, 20, 50), 0.25, 1e-12);
    assert_near(strength("low_is_bad", 60, 20, 0), 1, 0);
    assert_near(strength("low_is_bad", 60, 20, 80), 0, 0);
}

static void
what_cannot_be_evaluated_is_not_zero(void **state)
{
    struct lore_method_row no_thresholds = {
        .trigger_metric = "scoreboard", .trigger_direction = "high_is_bad"};
    struct lore_metric lost = {.name = "scoreboard", .missing = LORE_MISS_LOST};
    struct lore_metrics metrics = {.v = profile, .n = 2}, gone = {.v = &lost, .n = 1};

    (void)state;
    assert_near(strength("high_is_bad", 40, 10, 25), -1, 0); /* contradicts itself */
    assert_near(strength("low_is_bad", 10, 40, 25), -1, 0);
    assert_near(strength(NULL, 10, 40, 25), -1, 0);
    assert_near(strength("high_is_bad", 10, 40, NAN), -1, 0);
    assert_false(lore_method_trigger(&no_thresholds, &metrics).set);
    assert_false(lore_method_trigger(&small[1], &gone).set);
    assert_false(lore_method_trigger(&small[5], &metrics).set);
}

static void
a_metric_is_found_under_another_of_its_names(void **state)
{
    struct lore_method_row m = {HIGH("l1_hit_pct", 0, 100)};
    struct lore_metric row = {.name = "l1tex__t_sector_hit_rate.pct", .value = 25};
    struct lore_metrics metrics = {.v = &row, .n = 1};

    (void)state;
    assert_near(lore_method_trigger(&m, &metrics).v, 0.25, 1e-12);
}

static void
budget_one_takes_the_first_by_priority_that_passes(void **state)
{
    (void)state;
    run(with_budget(0, 0, 1));
    assert_int_equal(sel.n_taken, 1);
    assert_int_equal(sel.n, 1); /* the scan ends there */
    assert_true(scanned("latency.a")->taken);
}

static void
budget_two_takes_the_strongest(void **state)
{
    (void)state;
    run(with_budget(0, 0, 2)); /* a 0.5, b 1.0, c 0.6 */
    assert_int_equal(sel.n_taken, 2);
    assert_true(scanned("latency.b")->taken && scanned("latency.c")->taken);
    assert_int_equal(scanned("latency.a")->skip, LORE_SKIP_CONDITION);
    assert_string_equal(scanned("latency.a")->note, "weaker trigger than the chosen ones");
}

static void
every_skip_says_why(void **state)
{
    static const char *const a[] = {"latency.a"}, *const c[] = {"latency.c"};
    struct lore_method_state s = with_budget(1, 0, 2);

    (void)state;
    s.selected = (struct lore_method_ids){a, 1};
    s.skip = (struct lore_method_ids){c, 1};
    s.sm = 80;
    run(s);
    assert_int_equal(sel.n_taken, 0);
    assert_int_equal(scanned("latency.a")->skip, LORE_SKIP_ALREADY_SELECTED);
    assert_int_equal(scanned("latency.b")->skip, LORE_SKIP_ARCH_INCOMPATIBLE);
    assert_int_equal(scanned("latency.c")->skip, LORE_SKIP_CONDITION);
    assert_int_equal(scanned("compute.none")->skip, LORE_SKIP_NO_TRIGGER);
    assert_string_equal(scanned("compute.none")->note, "trigger not evaluated");
    s.sm = 90;
    s.features.n = 0;
    run(s);
    assert_int_equal(scanned("latency.b")->skip, LORE_SKIP_FEATURE_UNAVAILABLE);
    s.features_known = false;
    run(s);
    assert_true(scanned("latency.b")->taken);
    profile[0].value = 10; /* good: not triggered */
    run(s);
    assert_int_equal(scanned("latency.b")->skip, LORE_SKIP_NO_TRIGGER);
    assert_string_equal(scanned("latency.b")->note, "");
    profile[0].value = 25;
}

static void
coupled_methods_are_not_taken_together(void **state)
{
    static const struct lore_method_coupling turned[] = {{"memory.x", "latency.a"}};
    struct lore_method_registry other = registry;
    struct lore_method_state s = with_budget(0, 1, 1);

    (void)state;
    other.coupled = turned;
    lore_methods_select(&other, &s, &arena, &sel); /* memory comes before latency */
    assert_true(scanned("memory.x")->taken);
    assert_false(scanned("latency.a")->taken);
    assert_string_equal(scanned("latency.a")->note, "coupled to a chosen method");
    assert_true(scanned("latency.b")->taken);
}

static bool
has_error(const char *code, const char *method)
{
    for (size_t i = 0; i < errors.n; i++) {
        if (strcmp(errors.v[i].code, code) == 0 &&
            (!method || (errors.v[i].method && strcmp(errors.v[i].method, method) == 0)))
            return true;
    }
    return false;
}

static void
check(struct lore_method_state s, const struct lore_method_submitted *m, size_t n, bool allow)
{
    lore_methods_validate(
        &registry, &s, &(struct lore_method_choice){m, n, allow}, &arena, &errors);
}

static void
a_good_choice_has_no_errors(void **state)
{
    struct lore_method_skipped skipped[] = {{"latency.a", "no_trigger"}};
    struct lore_method_submitted m[] = {{"latency.b", "latency", {true, 2}, skipped, 1},
        {"memory.x", "memory", {true, 22}, NULL, 0}};

    (void)state;
    check(with_budget(0, 1, 1), m, 2, false);
    assert_int_equal(errors.n, 0);
    skipped[0].reason = "feature_unavailable";
    check(with_budget(0, 1, 1), m, 2, false);
    assert_int_equal(errors.n, 0);
}

static void
each_broken_rule_is_its_own_error(void **state)
{
    static const char *const b[] = {"latency.b"};
    struct lore_method_skipped bad[] = {{"latency.a", "did not feel like it"}};
    struct lore_method_submitted m[] = {{"latency.b", "memory", {true, 5}, bad, 1},
        {"nope", "compute", {true, 1}, NULL, 0}, {"latency.c", "latency", {false, 0}, NULL, 0}};
    struct lore_method_state s = with_budget(1, 1, 1);

    (void)state;
    s.sm = 80;
    s.features.n = 0;
    s.selected = s.implementation_failed = s.ineffective = (struct lore_method_ids){b, 1};
    check(s, m, 3, false);
    assert_true(has_error("axis", "latency.b") && has_error("priority", "latency.b"));
    assert_true(has_error("skip_reason", "latency.b"));
    assert_true(has_error("arch_incompatible", "latency.b"));
    assert_true(has_error("feature_unavailable", "latency.b"));
    assert_true(has_error("already_selected", "latency.b"));
    assert_true(has_error("ineffective", "latency.b"));
    assert_true(has_error("implementation_failed", "latency.b"));
    assert_true(has_error("unknown_method", "nope"));
    assert_true(has_error("priority", "latency.c"));
    assert_true(has_error("unjustified_skip", "latency.c"));
    assert_false(has_error("count", NULL));
    check(s, m, 3, true);
    assert_false(has_error("ineffective", NULL) || has_error("already_selected", NULL));
    assert_true(has_error("implementation_failed", "latency.b"));
}

static void
counts_pairs_and_repeats_are_checked(void **state)
{
    struct lore_method_submitted m[] = {{"latency.a", "latency", {true, 1}, NULL, 0},
        {"latency.a", "latency", {true, 1}, NULL, 0}, {"latency.b", "latency", {true, 2}, NULL, 0},
        {"memory.x", "memory", {true, 22}, NULL, 0}};

    (void)state;
    check(with_budget(0, 1, 2), m, 4, false);
    assert_true(has_error("count", NULL) && has_error("axis_count", NULL));
    assert_true(has_error("axis_cap", NULL));
    assert_true(has_error("duplicate", "latency.a"));
    assert_true(has_error("coupled_pair", "latency.a"));
    check(with_budget(0, 0, 0), NULL, 0, false);
    assert_int_equal(errors.n, 0);
}

/* What SEL took, as somebody would submit it. */
static size_t
submit(struct lore_method_submitted *out)
{
    struct lore_method_skipped *skipped = lore_alloc_array(&arena, sel.n, sizeof *skipped);
    size_t n = 0;

    for (size_t i = 0; i < sel.n; i++)
        skipped[i] =
            (struct lore_method_skipped){sel.v[i].method->id, lore_skip_name(sel.v[i].skip)};
    for (size_t i = 0; i < sel.n; i++) {
        const struct lore_method_row *m = sel.v[i].method;
        if (sel.v[i].taken)
            out[n++] = (struct lore_method_submitted){
                m->id, lore_axis_name(m->axis), {true, m->priority}, skipped, sel.n};
    }
    return n;
}

static void
what_is_selected_passes_the_rules(void **state)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    uint64_t seed = 11;
    size_t taken = 0;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct lore_method_row v[10];
        struct lore_method_coupling pair = {
            ids[lore_random_below(&seed, 10)], ids[lore_random_below(&seed, 10)]};
        for (size_t i = 0; i < 10; i++)
            v[i] = (struct lore_method_row){.id = ids[i],
                .axis = (enum lore_axis)lore_random_below(&seed, 3),
                .priority = (int64_t)lore_random_below(&seed, 5) + 1,
                .min_arch = lore_random_below(&seed, 4) ? 0 : 100,
                .trigger_metric = lore_random_below(&seed, 2) ? "scoreboard" : "barrier",
                .good = {true, (double)lore_random_below(&seed, 20)},
                .bad = {true, 30},
                .trigger_direction = "high_is_bad"};
        struct lore_method_registry reg = {v, 10, &pair, pair.a != pair.b};
        struct lore_method_state s = with_budget((unsigned)lore_random_below(&seed, 3),
            (unsigned)lore_random_below(&seed, 3), (unsigned)lore_random_below(&seed, 3));
        s.selected = (struct lore_method_ids){ids, lore_random_below(&seed, 3)};
        lore_methods_select(&reg, &s, &arena, &sel);
        for (int axis = 0; axis < 3; axis++) /* too few may pass; what is there must be right */
            s.budget[axis] = 0;
        for (size_t i = 0; i < sel.n; i++)
            s.budget[sel.v[i].method->axis] += sel.v[i].taken;
        struct lore_method_submitted m[10];
        size_t n = submit(m);
        lore_methods_validate(&reg, &s, &(struct lore_method_choice){m, n, false}, &arena, &errors);
        if (errors.n > 0)
            fail_msg("round %d: %s %s", round, errors.v[0].code, errors.v[0].message);
        taken += n;
        lore_arena_reset(&arena);
    }
    assert_true(taken > 2000);
}

static void
the_catalogue_is_a_registry(void **state)
{
    struct lore_method_registry all;
    size_t per_axis[LORE_AXIS_COUNT] = {0}, bounded = 0;
    struct lore_metric row = {
        .name = "sm__warps_active.avg.pct_of_peak_sustained_active", .value = 30};
    struct lore_method_state s = {.sm = 90, .metrics = {.v = &row, .n = 1}, .budget = {1, 0, 0}};

    (void)state;
    lore_methods_catalogue(&arena, &all);
    assert_int_equal(all.n, 63);
    assert_int_equal(all.n_coupled, 10);
    for (size_t i = 0; i < all.n; i++) {
        assert_true(all.v[i].axis < LORE_AXIS_COUNT);
        per_axis[all.v[i].axis]++;
        bounded += all.v[i].good.set;
    }
    assert_int_equal(per_axis[LORE_AXIS_COMPUTE], 22);
    assert_int_equal(per_axis[LORE_AXIS_MEMORY], 22);
    assert_int_equal(per_axis[LORE_AXIS_LATENCY], 19);
    assert_true(bounded > 20);
    /* a counter under the profiler's name answers the registry's shorter one */
    lore_methods_select(&all, &s, &arena, &sel);
    assert_int_equal(sel.n_taken, 1);
    assert_true(scanned("compute.launch_config")->taken);
    assert_near(scanned("compute.launch_config")->strength.v, 0.8, 1e-12);
    assert_string_equal(scanned("compute.tensor_core")->note, "trigger not evaluated");
}

static void
reasons_and_axes_have_names(void **state)
{
    (void)state;
    assert_int_equal(lore_skip_find("feature_unavailable"), LORE_SKIP_FEATURE_UNAVAILABLE);
    assert_int_equal(lore_skip_find(""), LORE_SKIP_COUNT);
    assert_int_equal(lore_skip_find(NULL), LORE_SKIP_COUNT);
    assert_int_equal(lore_axis_find("latency"), LORE_AXIS_LATENCY);
    assert_int_equal(lore_axis_find(NULL), LORE_AXIS_COUNT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trigger_is_linear_between_good_and_bad),
        cmocka_unit_test(what_cannot_be_evaluated_is_not_zero),
        cmocka_unit_test(a_metric_is_found_under_another_of_its_names),
        cmocka_unit_test(budget_one_takes_the_first_by_priority_that_passes),
        cmocka_unit_test(budget_two_takes_the_strongest),
        cmocka_unit_test(every_skip_says_why),
        cmocka_unit_test(coupled_methods_are_not_taken_together),
        cmocka_unit_test(a_good_choice_has_no_errors),
        cmocka_unit_test(each_broken_rule_is_its_own_error),
        cmocka_unit_test(counts_pairs_and_repeats_are_checked),
        cmocka_unit_test(what_is_selected_passes_the_rules),
        cmocka_unit_test(the_catalogue_is_a_registry),
        cmocka_unit_test(reasons_and_axes_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
