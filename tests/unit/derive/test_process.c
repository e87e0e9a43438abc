// uses: derive
/* The rules of process, one by one: broken, kept, and unknown where the facts are absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/process.h"
#include "service/derive/process_rules.h"

#define UNKNOWN LORE_RULING_UNKNOWN
#define KEPT LORE_RULING_KEPT
#define BROKEN LORE_RULING_BROKEN
#define RUNS(...)                                                                                  \
    .runs = (const struct lore_process_run[]){__VA_ARGS__},                                        \
    .n_runs =                                                                                      \
        sizeof((const struct lore_process_run[]){__VA_ARGS__}) / sizeof(struct lore_process_run)
#define TEXTS(member, ...)                                                                         \
    .member = (const char *const[]){__VA_ARGS__},                                                  \
    .n_##member = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)
#define IN(...) (&(const struct lore_process_in){__VA_ARGS__})
#define F(x) ((struct lore_f64){true, (x)})
#define BEFORE(...) ((struct lore_process_run){.side = LORE_P_BEFORE, __VA_ARGS__})
#define AFTER(...) ((struct lore_process_run){.side = LORE_P_AFTER, __VA_ARGS__})
#define OTHER(s, ...) ((struct lore_process_run){.side = (s), __VA_ARGS__})

static const struct lore_process_in nothing;

static void
every_rule_is_unknown_where_nothing_is_known(void **state)
{
    size_t n;
    const struct lore_process_rule *rules = lore_process_rules(&n);
    (void)state;

    for (size_t i = 0; i < n; i++) {
        if (rules[i].judge(&nothing) != UNKNOWN)
            fail_msg("%s is not unknown", rules[i].name);
    }
}

static void
the_table_has_unique_names_without_commas_and_a_sentence_each(void **state)
{
    size_t n;
    const struct lore_process_rule *rules = lore_process_rules(&n);
    (void)state;

    assert_in_range(n, 17, 100);
    for (size_t i = 0; i < n; i++) {
        assert_null(strchr(rules[i].name, ','));
        if (strcmp(rules[i].name, "method_differs") == 0 ||
            strcmp(rules[i].name, "zero_differences") == 0)
            assert_int_equal(rules[i].kind, LORE_PROCESS_FLAG);
        assert_true(lore_process_is_missing(rules[i].name, strlen(rules[i].name)) ==
                    (rules[i].kind == LORE_PROCESS_MISSING));
        assert_int_equal(rules[i].help[strlen(rules[i].help) - 1], '.');
    }
}

static void
the_page_lists_the_rules_of_the_table(void **state)
{
    struct lore_arena arena = {0};
    struct lore_buf page = {0};
    struct lore_err err;
    size_t n;
    const struct lore_process_rule *rules = lore_process_rules(&n);
    const char *at;
    (void)state;

    assert_int_equal(lore_file_read(SOURCE_DIR "/docs/verdicts.md", &page, &err), LORE_OK);
    at = strstr(page.data, "<!-- rules -->");
    for (size_t i = 0; i < n; i++) {
        const char *row = lore_format(&arena, "\n| `%s` | %s | %s |", rules[i].name,
            lore_process_kind_name(rules[i].kind), rules[i].help);

        at = at != NULL ? strstr(at, row) : NULL;
        if (!at)
            fail_msg("docs/verdicts.md does not say in its place: %s", row + 1);
    }
    assert_true(lore_starts(strchr(at + 1, '\n'), "\n<!-- /rules -->"));
    lore_buf_free(&page);
    lore_arena_free(&arena);
}

static void
verdicts_list_rules_and_flags_apart_in_the_order_of_the_table(void **state)
{
    struct lore_arena arena = {0};
    struct lore_discipline d;
    (void)state;

    d = lore_process_judge(&nothing, &arena);
    assert_string_equal(d.broken, "");
    assert_string_equal(d.flags, "");
    d = lore_process_judge(
        IN(TEXTS(techniques, "todo", "loop unrolling"), TEXTS(lint, "occupancy_above_100"),
            .claim = {.speedup = F(2), .latency_before_ns = F(100), .latency_after_ns = F(100)}),
        &arena);
    assert_string_equal(d.broken, "one_variable,placeholder_technique");
    assert_string_equal(
        d.flags, "claim_speedup_differs,occupancy_above_100,hypothesis,correctness_check");
    lore_arena_free(&arena);
}

static void
one_technique_is_one_variable_and_two_are_not(void **state)
{
    (void)state;
    assert_int_equal(lore_process_one_variable(IN(TEXTS(techniques, "a"))), KEPT);
    assert_int_equal(lore_process_one_variable(IN(TEXTS(techniques, "a", "b"))), BROKEN);
    assert_int_equal(lore_process_one_technique(IN(TEXTS(techniques, "a", "b"))), UNKNOWN);
}

static const char *
technique_on(const char *axis, size_t nth)
{
    size_t n;
    const struct lore_technique *all = lore_techniques(&n);

    for (size_t i = 0; i < n; i++) {
        if (lore_streq(all[i].axis, axis) && nth-- == 0)
            return all[i].slug;
    }
    fail_msg("no technique on %s", axis);
    return NULL;
}

/* Reading two out of a sentence is our work, not what somebody did. */
static void
techniques_read_from_one_sentence_break_no_rule(void **state)
{
    const char *a = technique_on("memory", 0), *b = technique_on("sync", 0);

    (void)state;
    assert_int_equal(
        lore_process_single_axis(IN(TEXTS(techniques, a, b), .one_sentence = true)), UNKNOWN);
    assert_int_equal(
        lore_process_one_variable(IN(TEXTS(techniques, a, b), .one_sentence = true)), UNKNOWN);
    assert_int_equal(
        lore_process_one_technique(IN(TEXTS(techniques, a, b), .one_sentence = true)), BROKEN);
}

static void
techniques_on_two_axes_break_the_single_axis(void **state)
{
    const char *m0 = technique_on("memory", 0), *m1 = technique_on("memory", 1);
    const char *c = technique_on("compute", 0);
    (void)state;

    assert_int_equal(lore_process_single_axis(IN(TEXTS(techniques, m0, m1))), KEPT);
    assert_int_equal(lore_process_single_axis(IN(TEXTS(techniques, m0, c))), BROKEN);
    assert_int_equal(lore_process_single_axis(IN(TEXTS(techniques, m0, "my own idea"))), UNKNOWN);
    assert_int_equal(lore_process_single_axis(IN(TEXTS(techniques, "mine", m0, c))), BROKEN);
    assert_int_equal(lore_process_single_axis(IN(TEXTS(techniques, "my own idea"))), KEPT);
}

static void
a_tag_that_stands_for_nothing_is_named(void **state)
{
    (void)state;
    assert_int_equal(
        lore_process_placeholder_technique(IN(TEXTS(techniques, "fill_me_tag"))), BROKEN);
    assert_int_equal(lore_process_placeholder_technique(IN(TEXTS(techniques, "tiling"))), KEPT);
}

static void
sides_timed_by_other_clocks_are_flagged(void **state)
{
    (void)state;
#define TIMED .timed = true
    assert_int_equal(lore_process_method_differs(IN(RUNS(
                         BEFORE(TIMED, .timer = "cuda_event"), AFTER(TIMED, .timer = "wall")))),
        BROKEN);
    assert_int_equal(lore_process_method_differs(IN(RUNS(BEFORE(TIMED, .timer = "cuda_event"),
                         AFTER(TIMED, .timer = "CUDA event")))),
        KEPT);
    assert_int_equal(
        lore_process_method_differs(IN(RUNS(BEFORE(TIMED, .tool = "nvbench", .timer = "cuda_event"),
            AFTER(TIMED, .tool = "bench.py", .timer = "cuda_event")))),
        BROKEN);
    assert_int_equal(lore_process_method_differs(IN(RUNS(BEFORE(TIMED, .timer = "cuda_event"),
                         AFTER(TIMED, .timer = "cuda_event"), AFTER(TIMED, .timer = "cuda")))),
        BROKEN);
    /* one side says nothing, or the other clock timed nothing */
    assert_int_equal(lore_process_method_differs(IN(RUNS(
                         BEFORE(TIMED, .timer = "cuda_event"), AFTER(TIMED, .tool = "nvbench")))),
        UNKNOWN);
    assert_int_equal(lore_process_method_differs(IN(RUNS(BEFORE(TIMED, .timer = "cuda_event"),
                         AFTER(TIMED, .timer = "cuda_event"), AFTER(.timer = "wall")))),
        KEPT);
#undef TIMED
}

static void
two_chips_are_two_environments(void **state)
{
    static const struct {
        const char *before, *after;
        enum lore_ruling expected;
    } cases[] = {{"h100-sxm", "a100", BROKEN}, {"h200", "h100-sxm", BROKEN},
        {"h100-sxm", "h100-sxm", UNKNOWN}, {"sm_90", "h100-sxm", UNKNOWN},
        {"sm_86", "h100-sxm", BROKEN}, {NULL, "h100-sxm", UNKNOWN}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(lore_process_environment_differs(IN(
                             RUNS(BEFORE(.chip = cases[i].before), AFTER(.chip = cases[i].after)))),
            cases[i].expected);
}

static void
sides_differ_only_when_both_say(void **state)
{
    (void)state;
    assert_int_equal(lore_process_environment_differs(
                         IN(RUNS(BEFORE(.environment = "a"), AFTER(.environment = "b")))),
        BROKEN);
    assert_int_equal(lore_process_environment_differs(IN(RUNS(BEFORE(.environment = "a"),
                         AFTER(.environment = "a"), AFTER(.environment = "b")))),
        BROKEN);
    assert_int_equal(lore_process_environment_differs(
                         IN(RUNS(BEFORE(.environment = "a"), AFTER(.environment = "a")))),
        KEPT);
    assert_int_equal(lore_process_environment_differs(
                         IN(RUNS(BEFORE(.environment = "a"), AFTER(.workload = "w")))),
        UNKNOWN);
    assert_int_equal(
        lore_process_workload_differs(IN(RUNS(BEFORE(.workload = "a"), AFTER(.workload = "b")))),
        BROKEN);
    assert_int_equal(
        lore_process_workload_differs(IN(RUNS(BEFORE(.workload = "a"), AFTER(.workload = "a")))),
        KEPT);
    assert_int_equal(
        lore_process_workload_differs(IN(RUNS(BEFORE(.workload = "a"), AFTER(.timed = true)))),
        UNKNOWN);
    /* a check on another shape is no comparison of times */
    assert_int_equal(lore_process_workload_differs(IN(RUNS(BEFORE(.workload = "a", .timed = true),
                         AFTER(.workload = "a", .timed = true), AFTER(.workload = "b")))),
        LORE_RULING_KEPT);
    assert_int_equal(lore_process_workload_differs(IN(RUNS(BEFORE(.workload = "a"),
                         AFTER(.workload = "a"), OTHER(LORE_P_BASELINE, .workload = "b")))),
        KEPT);
}

static void
a_timed_version_that_nobody_checked_misses_a_check(void **state)
{
    struct lore_process_run timed = AFTER(.timed = true, .workload = "w");
    struct lore_process_run passed = OTHER(LORE_P_SAME_VERSION, .correctness = LORE_C_PASS);
    struct lore_process_run failed = AFTER(.timed = true, .correctness = LORE_C_FAIL);
    const struct lore_claim said = {.correctness = LORE_C_PASS};
    (void)state;

#define RULE lore_process_correctness_check
    assert_int_equal(RULE(IN(RUNS(timed))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(timed, passed))), KEPT);
    assert_int_equal(
        RULE(IN(RUNS(failed))), KEPT); /* the correctness verdict says that it failed */
    assert_int_equal(RULE(IN(RUNS(timed), .claim = said)), KEPT);
    assert_int_equal(RULE(IN(.claim = {.latency_after_ns = F(2)})), BROKEN);
    assert_int_equal(
        RULE(IN(.claim = {.latency_after_ns = F(2), .correctness = LORE_C_PASS})), KEPT);
    assert_int_equal(RULE(IN(RUNS(AFTER(.workload = "w")))), UNKNOWN);
#undef RULE
}

static void
a_pass_on_another_shape_than_the_timed_one_is_named(void **state)
{
    struct lore_process_run timed = AFTER(.timed = true, .workload = "10240x1024");
    struct lore_process_run here =
        OTHER(LORE_P_SAME_VERSION, .correctness = LORE_C_PASS, .workload = "10240x1024");
    struct lore_process_run there = AFTER(.correctness = LORE_C_PASS, .workload = "128x128");
    struct lore_process_run nowhere = AFTER(.correctness = LORE_C_PASS);
    (void)state;

#define RULE lore_process_correctness_other_shape
    assert_int_equal(RULE(IN(RUNS(timed, there))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(timed, there, here))), KEPT);
    assert_int_equal(RULE(IN(RUNS(timed, there, nowhere))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(timed))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(AFTER(.timed = true), there))), UNKNOWN);
    assert_int_equal(
        RULE(IN(RUNS(timed, here, there, AFTER(.timed = true, .workload = "64x64")))), BROKEN);
#undef RULE
}

static void
limits_looser_than_before_or_than_the_baseline_are_named(void **state)
{
    struct lore_process_run strict = BEFORE(.atol = F(1e-4), .rtol = F(1e-3), .dtype = "f32");
    struct lore_process_run base = OTHER(LORE_P_BASELINE, .atol = F(1e-4), .dtype = "f32");
    (void)state;

#define RULE lore_process_tolerance_loosened
    assert_int_equal(RULE(IN(RUNS(strict, AFTER(.atol = F(0.5), .dtype = "f32")))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(strict, AFTER(.atol = F(1e-4), .dtype = "f32")))), KEPT);
    assert_int_equal(RULE(IN(RUNS(strict, AFTER(.atol = F(1e-6), .dtype = "f32")))), KEPT);
    assert_int_equal(
        RULE(IN(RUNS(strict, AFTER(.atol = F(1e-4), .rtol = F(1), .dtype = "f32")))), BROKEN);
    assert_int_equal(
        RULE(IN(RUNS(base, BEFORE(.dtype = "f32"), AFTER(.atol = F(0.5), .dtype = "f32")))),
        BROKEN);
    assert_int_equal(RULE(IN(RUNS(strict, AFTER(.rel_err_limit = F(9), .dtype = "f32")))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(strict, AFTER(.atol = F(0.5), .dtype = "f16")))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(strict, AFTER(.dtype = "f32")))), UNKNOWN);
#undef RULE
}

static void
differences_that_are_all_zero_are_doubtful_unless_numbers_are_whole(void **state)
{
    struct lore_process_run zero = AFTER(.worst = F(0), .dtype = "f32");
    struct lore_process_run some = BEFORE(.worst = F(3e-7), .dtype = "f32");
    (void)state;

#define RULE lore_process_zero_differences
    assert_int_equal(RULE(IN(RUNS(zero))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(zero, BEFORE(.worst = F(0))))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(zero, some))), KEPT);
    assert_int_equal(RULE(IN(RUNS(AFTER(.worst = F(0), .dtype = "i32")))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(BEFORE(.worst = F(0))))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(AFTER(.correctness = LORE_C_PASS)))), UNKNOWN);
#undef RULE
}

/* Four metrics of a benchmark table, all of V's digits. */
static struct lore_metrics
profile(double v)
{
    static struct lore_metric rows[8][4];
    static size_t next;
    struct lore_metric *m = rows[next++ % 8];

    m[0] = (struct lore_metric){.name = "SM Throughput (% peak)", .value = 32.7 + v};
    m[1] = (struct lore_metric){.name = "Memory Throughput (% peak)", .value = 88.31 + v};
    m[2] = (struct lore_metric){.name = "Achieved Occupancy (%)", .value = 92.25 + v};
    m[3] = (struct lore_metric){.name = "l1 hit", .value = 12.5 + v};
    return (struct lore_metrics){m, 4, 4};
}

static void
a_profile_that_equals_another_versions_was_reused(void **state)
{
    struct lore_metric whole[4] = {{.name = "registers", .value = 32}, {.name = "grid", .value = 8},
        {.name = "block", .value = 256}, {.name = "waves", .value = 2}};
    struct lore_metrics launch = {whole, 4, 4};
    struct lore_process_run after = AFTER(.version = "v1", .metrics = profile(0));
    (void)state;

#define RULE lore_process_profile_reused
    assert_int_equal(RULE(IN(RUNS(after, BEFORE(.version = "v0", .metrics = profile(0))))), BROKEN);
    assert_int_equal(
        RULE(IN(RUNS(after, OTHER(LORE_P_RECENT, .version = "v7", .metrics = profile(0))))),
        BROKEN);
    assert_int_equal(
        RULE(IN(RUNS(after, BEFORE(.version = "v0", .metrics = profile(0.01))))), KEPT);
    assert_int_equal(
        RULE(IN(RUNS(after, BEFORE(.version = "v1", .metrics = profile(0))))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(after, BEFORE(.version = "v0")))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(AFTER(.version = "v1", .metrics = launch),
                         BEFORE(.version = "v0", .metrics = launch)))),
        UNKNOWN);
#undef RULE
}

static void
a_run_of_another_source_is_named(void **state)
{
    (void)state;
#define RULE lore_process_other_source
    assert_int_equal(
        RULE(IN(RUNS(AFTER(.source_hash = "ab")), TEXTS(sources, "cd", "ef"))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(AFTER(.source_hash = "EF")), TEXTS(sources, "cd", "ef"))), KEPT);
    assert_int_equal(RULE(IN(RUNS(AFTER(.source_hash = "ab")))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(AFTER(.timed = true)), TEXTS(sources, "cd"))), UNKNOWN);
    assert_int_equal(RULE(IN(RUNS(BEFORE(.source_hash = "ab")), TEXTS(sources, "cd"))), UNKNOWN);
#undef RULE
}

static void
a_timed_change_misses_a_hypothesis_and_a_library_comparison_does_not(void **state)
{
    (void)state;
#define RULE lore_process_hypothesis
    struct lore_process_run timed = AFTER(.timed = true);
    assert_int_equal(RULE(IN(RUNS(timed))), BROKEN);
    assert_int_equal(RULE(IN(RUNS(timed), .has_hypothesis = true)), KEPT);
    assert_int_equal(RULE(IN(.claim = {.speedup = F(2)})), BROKEN);
    assert_int_equal(RULE(IN(RUNS(AFTER(.workload = "w")))), UNKNOWN); /* it did not run */
    assert_int_equal(RULE(IN(.claim = {.speedup = F(2), .base = LORE_BASE_LIBRARY})), UNKNOWN);
#undef RULE
}

static void
a_hypothesis_claimed_after_its_run_is_named(void **state)
{
    struct lore_process_run first = AFTER(.measured_us = 100), later = AFTER(.measured_us = 300);
    (void)state;

#define RULE lore_process_hypothesis_after_run
    assert_int_equal(
        RULE(IN(.has_hypothesis = true, .claimed_us = 200, RUNS(later, first))), BROKEN);
    assert_int_equal(RULE(IN(.has_hypothesis = true, .claimed_us = 200, RUNS(later))), KEPT);
    assert_int_equal(RULE(IN(.has_hypothesis = true, .claimed_us = 100, RUNS(first))), KEPT);
    assert_int_equal(RULE(IN(.has_hypothesis = true, .claimed_us = 200,
                         RUNS(BEFORE(.measured_us = 100), AFTER(.timed = true)))),
        UNKNOWN);
    assert_int_equal(RULE(IN(.has_hypothesis = true, RUNS(first))), UNKNOWN);
    assert_int_equal(RULE(IN(.has_hypothesis = true, .claimed_later = true, RUNS(first))), BROKEN);
    assert_int_equal(RULE(IN(.claimed_us = 200, RUNS(first))), UNKNOWN);
#undef RULE
}

static void
evidence_needs_a_value_or_a_metric(void **state)
{
    (void)state;
#define RULE lore_process_figures_in_evidence
    assert_int_equal(RULE(IN(TEXTS(words, "there may be a bottleneck somewhere"))), BROKEN);
    assert_int_equal(RULE(IN(TEXTS(words, "float4 loads and v2 tiles should help L2"))), BROKEN);
    assert_int_equal(RULE(IN(TEXTS(words, "Global Load Efficiency=12.5%"))), KEPT);
    assert_int_equal(RULE(IN(TEXTS(words, "stalls 46% of cycles"))), KEPT);
    assert_int_equal(
        RULE(IN(TEXTS(words, "dram__throughput.avg.pct_of_peak_sustained_elapsed is low"))), KEPT);
    assert_int_equal(RULE(IN(TEXTS(words, "the Achieved Occupancy is low"))), KEPT);
    assert_int_equal(RULE(IN(TEXTS(words, "it is slow", "0.0530 ms per call"))), KEPT);
    assert_int_equal(RULE(IN(TEXTS(words, ""))), BROKEN);
#undef RULE
    assert_true(lore_process_words_concrete("about .5 of it"));
    assert_false(lore_process_words_concrete("fp16 on sm_86"));
    assert_true(lore_process_words_concrete("v0 reads the row eight times through the L2"));
    assert_true(lore_process_words_concrete("Half the barriers per product"));
    assert_true(lore_process_words_concrete("a third less shared memory is read"));
    assert_false(lore_process_words_concrete("the second read is the third one in line"));
    assert_false(lore_process_words_concrete("one load, half precision, fourfold_unrolled"));
}

static void
a_fraction_of_a_peak_cites_its_spec(void **state)
{
    struct lore_target open = {.metric = "dram", .value = F(4000), .fraction_of_peak = F(0.8)};
    struct lore_target sourced = open, plain = {.metric = "latency", .value = F(50)};
    (void)state;

    sourced.spec = "01J00000000000000000000SP1";
    assert_int_equal(lore_process_spec_of_target(IN(.targets = &open, .n_targets = 1)), BROKEN);
    assert_int_equal(lore_process_spec_of_target(IN(.targets = &sourced, .n_targets = 1)), KEPT);
    assert_int_equal(lore_process_spec_of_target(IN(.targets = &plain, .n_targets = 1)), UNKNOWN);
}

static void
a_stated_speedup_must_be_the_ratio_of_the_stated_times(void **state)
{
    (void)state;
#define RULE lore_process_claim_speedup_differs
#define CLAIM(s, b, a, k)                                                                          \
    IN(.claim = {.speedup = F(s), .latency_before_ns = F(b), .latency_after_ns = F(a), .base = (k)})
    assert_int_equal(RULE(CLAIM(1.34, 944500, 702500, LORE_BASE_PARENT)), KEPT);
    assert_int_equal(RULE(CLAIM(1.5, 944500, 702500, LORE_BASE_PARENT)), BROKEN);
    assert_int_equal(RULE(CLAIM(0.7, 691100, 989600, LORE_BASE_NONE)), KEPT);
    assert_int_equal(RULE(CLAIM(0.03, 25.4, 1000, LORE_BASE_NONE)), KEPT); /* rounded */
    assert_int_equal(RULE(CLAIM(1.5, 944500, 702500, LORE_BASE_LIBRARY)), UNKNOWN);
    assert_int_equal(RULE(CLAIM(1.5, 944500, 702500, LORE_BASE_FIRST)), UNKNOWN);
    assert_int_equal(RULE(IN(.claim = {.speedup = F(2), .latency_after_ns = F(1)})), UNKNOWN);
    assert_int_equal(RULE(CLAIM(1.5, 0, 702500, LORE_BASE_PARENT)), UNKNOWN);
#undef CLAIM
#undef RULE
}

static void
a_memory_label_at_two_percent_of_memory_is_contradicted(void **state)
{
    struct lore_metric m[] = {
        {.name = "dram__throughput.avg.pct_of_peak_sustained_elapsed", .value = 2.19},
        {.name = "sm__throughput.avg.pct_of_peak_sustained_elapsed", .value = 97.33}};
    struct lore_process_in in = {.labels = UINT32_C(1) << LORE_L_MEMORY, .before = {m, 2, 2}};
    (void)state;

    assert_int_equal(lore_process_label_contradicted(&in), BROKEN);
    in.labels = UINT32_C(1) << LORE_L_COMPUTE;
    assert_int_equal(lore_process_label_contradicted(&in), UNKNOWN);
    in.labels = 0;
    assert_int_equal(lore_process_label_contradicted(&in), UNKNOWN);
}

static void
lint_codes_become_flags_of_their_name(void **state)
{
    (void)state;
    assert_int_equal(
        lore_process_occupancy_above_100(IN(TEXTS(lint, "occupancy_above_100"))), BROKEN);
    assert_int_equal(
        lore_process_percent_out_of_range(IN(TEXTS(lint, "percent_out_of_range"))), BROKEN);
    assert_int_equal(
        lore_process_threads_as_percent(IN(TEXTS(lint, "threads_as_percent"))), BROKEN);
    assert_int_equal(lore_process_ratio_as_percent(IN(TEXTS(lint, "ratio_as_percent"))), BROKEN);
    assert_int_equal(
        lore_process_range_excludes_value(IN(TEXTS(lint, "range_excludes_value"))), BROKEN);
    assert_int_equal(lore_process_occupancy_above_100(IN(TEXTS(lint, "single_sample"))), UNKNOWN);
}

#define TEST(name) cmocka_unit_test(name)
int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_rule_is_unknown_where_nothing_is_known),
        TEST(the_table_has_unique_names_without_commas_and_a_sentence_each),
        TEST(the_page_lists_the_rules_of_the_table),
        TEST(verdicts_list_rules_and_flags_apart_in_the_order_of_the_table),
        TEST(one_technique_is_one_variable_and_two_are_not),
        TEST(techniques_read_from_one_sentence_break_no_rule),
        TEST(techniques_on_two_axes_break_the_single_axis),
        TEST(a_tag_that_stands_for_nothing_is_named),
        TEST(sides_timed_by_other_clocks_are_flagged),
        TEST(two_chips_are_two_environments),
        TEST(sides_differ_only_when_both_say),
        TEST(a_timed_version_that_nobody_checked_misses_a_check),
        TEST(a_pass_on_another_shape_than_the_timed_one_is_named),
        TEST(limits_looser_than_before_or_than_the_baseline_are_named),
        TEST(differences_that_are_all_zero_are_doubtful_unless_numbers_are_whole),
        TEST(a_profile_that_equals_another_versions_was_reused),
        TEST(a_run_of_another_source_is_named),
        TEST(a_timed_change_misses_a_hypothesis_and_a_library_comparison_does_not),
        TEST(a_hypothesis_claimed_after_its_run_is_named),
        TEST(evidence_needs_a_value_or_a_metric),
        TEST(a_fraction_of_a_peak_cites_its_spec),
        TEST(a_stated_speedup_must_be_the_ratio_of_the_stated_times),
        TEST(a_memory_label_at_two_percent_of_memory_is_contradicted),
        TEST(lint_codes_become_flags_of_their_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
