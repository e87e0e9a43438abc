// uses: derive
/* "This failed here before": what counts as the same idea, what does not, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/idea_words.h"
#include "service/derive/repeats.h"

static struct lore_arena arena;
static struct lore_repeats out;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* Tile from FROM to TO, said in TEXT; TO NULL: nothing but the words. */
static struct lore_idea
tile(const char *from, const char *to, const char *text, const char *version)
{
    struct lore_idea_param p = {"tile", from, to};
    struct lore_idea_use u = {"memory.tiling_smem", lore_memdup(&arena, &p, sizeof p), 1};

    return (struct lore_idea){.uses = to ? lore_memdup(&arena, &u, sizeof u) : NULL,
        .n_uses = to != NULL,
        .text = text,
        .from_version = version,
        .workload = "w",
        .chip = "h200"};
}

static struct lore_idea
named(const char *technique, const char *text)
{
    struct lore_idea_use u = {technique, NULL, 0};

    return (struct lore_idea){.uses = lore_memdup(&arena, &u, sizeof u), .n_uses = 1, .text = text};
}

static void
find(const struct lore_idea *idea, const struct lore_repeats_attempt *v, size_t n)
{
    v = lore_memdup(&arena, v, n * sizeof *v);
    lore_repeats_find(idea, lore_repeats_read(v, n, &arena), &arena, &out);
}

static enum lore_repeat_kind
against(struct lore_idea idea, struct lore_idea past, enum lore_attempt_end end)
{
    struct lore_repeats_attempt a = {.id = "1", .idea = past, .end = end, .speedup = 0.9};

    find(&idea, &a, 1);
    return out.kind;
}

static void
the_same_parameters_are_exact_whatever_the_words(void **state)
{
    (void)state;
    assert_int_equal(against(tile("32", "64", "wider tiles", "v1"),
                         tile("32", "64.0", "tile 64: fewer loads", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_EXACT);
    assert_true(out.flagged);
    assert_non_null(strstr(out.v[0].why, "was slower (0.9x)"));
    assert_string_equal(out.v[0].of->id, "1");
}

static void
a_gain_and_an_open_result_are_no_failures_and_a_pending_attempt_is_nothing(void **state)
{
    static const enum lore_repeats_answer answers[] = {LORE_REPEATS_NEW, LORE_REPEATS_WON_HERE,
        LORE_REPEATS_WON_HERE, LORE_REPEATS_STOP, LORE_REPEATS_STOP, LORE_REPEATS_STOP,
        LORE_REPEATS_STOP, LORE_REPEATS_STOP, LORE_REPEATS_STOP};
    (void)state;

    for (int end = LORE_ATTEMPT_PENDING; end <= LORE_ATTEMPT_NOT_BUILT; end++) {
        against(
            tile("32", "64", NULL, "v1"), tile("32", "64", NULL, "v1"), (enum lore_attempt_end)end);
        assert_int_equal(out.answer, answers[end]);
        assert_int_equal(out.flagged, out.answer == LORE_REPEATS_STOP);
    }
}

static void
the_other_way_and_another_value_are_no_repeats(void **state)
{
    (void)state;
    /* 64 to 32 after 32 to 64, in words that differ by little */
    assert_int_equal(against(tile("64", "32", "tile from 64 to 32", "v1"),
                         tile("32", "64", "tile from 32 to 64", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    assert_int_equal(
        against(tile("64", "32", NULL, "v1"), tile("16", "32", NULL, "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    assert_int_equal(against(tile("32", "128", "a larger tile", "v1"),
                         tile("32", "64", "a larger tile", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    /* the same in words alone */
    assert_int_equal(
        against(tile(NULL, NULL, "raise the tile size of the K loop", "v1"),
            tile(NULL, NULL, "lower the tile size of the K loop", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    assert_int_equal(against(tile(NULL, NULL, "tile_size_x from 2 to 4", "v1"),
                         tile(NULL, NULL, "tile_size_y from 2 to 4", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
}

static void
what_a_claim_denies_in_contrast_is_not_its_idea(void **state)
{
    static const char *const failed = "accumulate the sums of the softmax in fp16";
    (void)state;

    assert_int_equal(against(tile(NULL, NULL, "accumulate the sums of the softmax in half", "v1"),
                         tile(NULL, NULL, failed, "v1"), LORE_ATTEMPT_WRONG),
        LORE_REPEAT_NEAR);
    assert_int_equal(
        against(tile(NULL, NULL, "accumulate the sums of the softmax in fp32, not fp16", "v1"),
            tile(NULL, NULL, failed, "v1"), LORE_ATTEMPT_WRONG),
        LORE_REPEAT_NONE);
    assert_int_equal(
        against(tile(NULL, NULL, "keep the row in registers instead of shared memory", "v1"),
            tile(NULL, NULL, "keep the row in shared memory", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    /* a plain negation says what the change is */
    assert_int_equal(
        against(tile(NULL, NULL, "do not unroll the loop over the rows", "v1"),
            tile(NULL, NULL, "do not unroll the loop over the rows", "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_EXACT);
}

static void
a_failure_whose_mended_form_is_in_the_line_does_not_stop(void **state)
{
    struct lore_repeats_attempt v[] = {
        {.id = "1",
            .idea = tile(NULL, NULL, "double buffer the tiles with cp.async copies", "v1"),
            .to_version = "v2",
            .end = LORE_ATTEMPT_WRONG},
        {.id = "2",
            .idea = tile(
                NULL, NULL, "double buffer the tiles with cp.async copies and a barrier", "v1"),
            .to_version = "v3",
            .end = LORE_ATTEMPT_GAIN,
            .speedup = 1.3}};
    struct lore_idea plan =
        tile(NULL, NULL, "double buffer all the tiles with cp.async copies", NULL);
    (void)state;

    find(&plan, v, 1);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    find(&plan, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_WON_HERE);
    assert_false(out.flagged);
    assert_non_null(strstr(out.why, "gave wrong results"));
    assert_non_null(strstr(out.why, "in its mended form it is in the line already"));
    plan.text = v[0].idea.text; /* word for word it fails as before */
    find(&plan, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_non_null(strstr(out.why, "mended form"));
    v[1].to_version = "v9"; /* and v3 is not in the line of the plan */
    plan = tile(NULL, NULL, "double buffer all the tiles with cp.async copies", "v1");
    find(&plan, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
}

static void
another_value_of_one_parameter_is_no_repeat_under_another_technique(void **state)
{
    struct lore_idea past = tile("32", "64", "two rows at once", "v1"), plan = past;
    struct lore_idea_param p = {past.uses[0].params[0].name, NULL, "128"};
    struct lore_idea_use use = {"made.of_words", &p, 1};

    (void)state;
    plan.uses = &use;
    assert_int_equal(against(plan, past, LORE_ATTEMPT_GAIN), LORE_REPEAT_NONE);
    p.to = "64";
    assert_int_equal(against(plan, past, LORE_ATTEMPT_GAIN), LORE_REPEAT_EXACT);
}

static void
a_technique_that_only_failed_here_is_known_in_any_form(void **state)
{
    (void)state;
    assert_int_equal(
        against(tile("32", "128", NULL, "v1"), tile(NULL, "64", NULL, "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    assert_non_null(strstr(out.why, "memory.tiling_smem: introduced once here: 0 won, 1 failed"));
    against(tile("32", "128", NULL, "v1"), tile(NULL, "64", NULL, "v1"), LORE_ATTEMPT_NO_GAIN);
    assert_int_equal(out.answer, LORE_REPEATS_NEW); /* no gain is no failure */
    assert_non_null(strstr(out.why, "introduced once here: 0 won, 1 gained little or nothing"));
    against(tile("32", "128", NULL, "v1"), tile(NULL, "64", NULL, "v1"), LORE_ATTEMPT_GAIN);
    assert_int_equal(out.answer, LORE_REPEATS_NEW);
    assert_non_null(strstr(out.why, "introduced once here: 1 won (0.9x on h200)"));
}

/* v2 was made with the pipeline. Later attempts at it set its stages, once in words alone. */
static void
another_value_says_nothing_of_the_technique_that_the_base_version_has(void **state)
{
    static const struct lore_idea_param six = {"num_stages", NULL, "6"};
    static const struct lore_idea_use stages = {"memory.multi_stage_pipeline", &six, 1};
    static const char *const pipeline = "memory.multi_stage_pipeline";
    struct lore_repeats_attempt v[] = {
        {.idea = named(pipeline, NULL),
            .to_version = "v2",
            .end = LORE_ATTEMPT_GAIN,
            .speedup = 1.4},
        {.idea = {.uses = &stages, .n_uses = 1}, .to_version = "v3", .end = LORE_ATTEMPT_LOSS},
        {.idea = named(pipeline, "8 stages"), .to_version = "v4", .end = LORE_ATTEMPT_NOT_BUILT},
        {.idea = {.uses = &stages, .n_uses = 1, .text = "num_stages=6"},
            .to_version = "w1",
            .end = LORE_ATTEMPT_LOSS},
        {.idea = {.uses = &stages, .n_uses = 1},
            .to_version = "w2",
            .end = LORE_ATTEMPT_LOSS,
            .base_has = "memory.async_copy,memory.multi_stage_pipeline"},
    };
    struct lore_idea recipe = named(pipeline, "a deeper pipeline"), value = {0};
    (void)state;

    v[0].idea.from_version = "v1";
    v[1].idea.from_version = v[2].idea.from_version = "v2";
    v[3].idea.from_version = v[4].idea.from_version = "w0";
    recipe.just_techniques = true;
    find(&recipe, v, 5);
    assert_int_equal(out.answer, LORE_REPEATS_WON_HERE);
    assert_int_equal(out.n, 1);
    assert_int_equal(out.technique_tried, 1);
    assert_int_equal(out.technique_failed, 0);
    assert_int_equal(out.n_tallies, 1);
    assert_int_equal(out.tallies[0].values, 4);
    assert_string_equal(out.tallies[0].text,
        "introduced once here: 1 won (1.4x); 4 attempts here only changed its values: 0 won");
    struct lore_repeats_tally t;
    lore_repeats_count(v, 5, pipeline, &arena, &t);
    assert_int_equal(t.tried, 1);
    assert_int_equal(t.won, 1);
    assert_int_equal(t.values, 4);
    value.uses = &stages;
    value.n_uses = 1;
    value.from_version = "v2";
    find(&value, v, 5); /* a value again is a repeat of that value */
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_int_equal(out.kind, LORE_REPEAT_EXACT);
}

static void
a_plan_for_no_kernel_is_stopped_by_none(void **state)
{
    struct lore_idea plan = tile(NULL, "64", NULL, NULL), past = tile(NULL, "64", NULL, "v1");
    (void)state;

    against(plan, past, LORE_ATTEMPT_LOSS);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    plan.no_kernel = true;
    against(plan, past, LORE_ATTEMPT_LOSS);
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    assert_non_null(strstr(out.why, "1 attempt on this operator, 0 won, 1 failed: it was slower"));
    against(plan, past, LORE_ATTEMPT_GAIN);
    assert_int_equal(out.answer, LORE_REPEATS_WON_HERE);
}

static void
no_gain_stops_only_the_same_idea(void **state)
{
    const char *t = "memory.vectorized_access";
    (void)state;

    against(named(t, NULL), named(t, "float4 loads of A"), LORE_ATTEMPT_NO_GAIN);
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    assert_non_null(strstr(out.why, "gained nothing here and may be worth another try"));
    against(named(t, "float4 loads of A"), named(t, "float4 loads of A"), LORE_ATTEMPT_NO_GAIN);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_non_null(strstr(out.why, "measured here before: it was no faster (0.9x)"));
}

/* A plan for two techniques is no repeat of an attempt at one of them. */
static void
a_part_of_the_techniques_does_not_stop(void **state)
{
    struct lore_idea_use two[] = {
        {"memory.async_copy", NULL, 0}, {"compute.warp_specialization", NULL, 0}};
    struct lore_idea plan = {.uses = two, .n_uses = 2, .text = "TMA and warp specialization"};
    struct lore_idea past = named("compute.warp_specialization", "Warp specialization, mapped");
    (void)state;

    assert_int_equal(against(plan, past, LORE_ATTEMPT_WRONG), LORE_REPEAT_NEAR);
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    assert_non_null(strstr(out.why, "only a part of the techniques is the same"));
}

static void
the_same_value_from_another_one_is_near(void **state)
{
    (void)state;
    assert_int_equal(
        against(tile("48", "64", NULL, "v1"), tile("32", "64", NULL, "v1"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NEAR);
}

static void
parameters_overlap_when_most_of_them_are_equal(void **state)
{
    struct lore_idea_param few[] = {{"tile", NULL, "64"}, {"stages", NULL, "3"}};
    struct lore_idea_param many[] = {
        {"tile", NULL, "64"}, {"stages", NULL, "3"}, {"warps", NULL, "8"}};
    struct lore_idea_param same[] = {{"tile", NULL, "64"}, {"stages", "3", "3"}};
    struct lore_idea_param other[] = {
        {"tile", NULL, "64"}, {"stages", NULL, "3"}, {"warps", NULL, "4"}};
    struct lore_idea_use two = {"memory.tiling_smem", few, 2}, x = {"memory.tiling_smem", many, 3};
    struct lore_idea_use kept = {"memory.tiling_smem", same, 2};
    struct lore_idea_use warps = {"memory.tiling_smem", other, 3};
    struct lore_idea one = tile(NULL, "64", NULL, "v1"), a = one, b = one;
    (void)state;

    a.uses = &two;
    b.uses = &x;
    assert_int_equal(against(a, b, LORE_ATTEMPT_LOSS), LORE_REPEAT_NEAR);
    assert_int_equal(against(b, a, LORE_ATTEMPT_LOSS), LORE_REPEAT_NEAR);
    assert_int_equal(against(one, a, LORE_ATTEMPT_LOSS), LORE_REPEAT_NONE); /* half */
    a.uses = &kept; /* one more is named and stays as it was */
    assert_int_equal(against(a, one, LORE_ATTEMPT_LOSS), LORE_REPEAT_EXACT);
    a.uses = &warps;
    assert_int_equal(against(a, b, LORE_ATTEMPT_LOSS), LORE_REPEAT_NONE); /* another value */
    /* none in common: another change, however much alike it is said */
    two.params = &few[1];
    two.n_params = 1;
    a.uses = &two;
    a.text = one.text = "tune the pipeline of the main loop";
    assert_int_equal(against(a, one, LORE_ATTEMPT_LOSS), LORE_REPEAT_NONE);
}

static void
words_decide_where_nothing_else_is_recorded(void **state)
{
    const char *said = "Pad the shared memory tile by one column to avoid bank conflicts";
    struct lore_idea past = tile(NULL, NULL, said, "v1");
    (void)state;

    assert_int_equal(
        against(tile(NULL, NULL,
                    "PAD the shared-memory tile by one column: to avoid bank conflicts!", "v1"),
            past, LORE_ATTEMPT_LOSS),
        LORE_REPEAT_EXACT);
    assert_int_equal(against(tile(NULL, NULL,
                                 "Padding shared memory tiles with a column, so bank conflicts are "
                                 "avoided",
                                 "v1"),
                         past, LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NEAR);
    assert_int_equal(
        against(tile(NULL, NULL, "Keep the accumulators in registers across the K loop", "v1"),
            past, LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
}

static void
the_same_technique_without_parameters_needs_like_words(void **state)
{
    const char *t = "memory.vectorized_access";
    (void)state;

    assert_int_equal(
        against(named(t, "float4 loads of A"), named(t, "load A as float4"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NEAR);
    assert_int_equal(against(named(t, "float4 loads of A"),
                         named(t, "vector stores in the epilogue, bf16x2"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
    assert_int_equal(against(named(t, NULL), named(t, NULL), LORE_ATTEMPT_LOSS), LORE_REPEAT_EXACT);
    assert_int_equal(against(named(t, NULL), named(t, "float4 loads of A"), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NEAR);
    assert_int_equal(against(named("compute.unroll", NULL), named(t, NULL), LORE_ATTEMPT_LOSS),
        LORE_REPEAT_NONE);
}

/* v1 -> v2 -> v3 were accepted; from v1 the tile failed. */
static void
look_back(double speedup, enum lore_attempt_end end, const char *from)
{
    struct lore_repeats_attempt v[] = {
        {.id = "failed", .idea = tile("32", "64", NULL, "v1"), .end = end, .speedup = speedup},
        {.id = "a", .idea = named("x", "a"), .to_version = "v2", .end = LORE_ATTEMPT_GAIN},
        {.id = "b", .idea = named("y", "b"), .to_version = "v3", .end = LORE_ATTEMPT_GAIN},
    };
    struct lore_idea idea = tile("32", "64", NULL, from);

    v[1].idea.from_version = "v1";
    v[2].idea.from_version = "v2";
    find(&idea, v, 3);
    assert_int_equal(out.kind, LORE_REPEAT_EXACT);
}

static void
a_small_loss_counts_no_more_after_an_accepted_change(void **state)
{
    (void)state;
    look_back(0.95, LORE_ATTEMPT_LOSS, "v1");
    assert_true(out.flagged);
    assert_int_equal(out.v[0].changes, 0);
    look_back(0.95, LORE_ATTEMPT_LOSS, "v2");
    assert_false(out.flagged);
    assert_int_equal(out.v[0].changes, 1);
    assert_non_null(strstr(out.v[0].why, "1 change ago"));
    assert_non_null(strstr(out.why, "may be worth another try"));
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    look_back(0.85, LORE_ATTEMPT_LOSS, "v2");
    assert_true(out.flagged);
    look_back(0.85, LORE_ATTEMPT_LOSS, "v3");
    assert_false(out.flagged);
    look_back(0.5, LORE_ATTEMPT_LOSS, "v3");
    assert_true(out.flagged);
    look_back(0, LORE_ATTEMPT_NOT_BUILT, "v3");
    assert_true(out.flagged);
    /* where the version is not known */
    look_back(0.88, LORE_ATTEMPT_LOSS, NULL);
    assert_int_equal(out.v[0].changes, 2);
    assert_true(out.flagged); /* nobody said that the plan builds on a later version */
}

static void
another_chip_or_workload_is_elsewhere_except_for_the_compiler(void **state)
{
    struct lore_idea idea = tile("32", "64", NULL, "v1"), past = idea;
    (void)state;

    past.workload = "other";
    against(idea, past, LORE_ATTEMPT_LOSS);
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    assert_int_equal(out.v[0].where, LORE_REPEAT_OTHER_WORKLOAD);
    assert_int_equal(out.failed_elsewhere, 1);
    against(idea, past, LORE_ATTEMPT_NOT_BUILT);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    past.chip = "mi300x";
    against(idea, past, LORE_ATTEMPT_NOT_BUILT);
    assert_int_equal(out.v[0].where, LORE_REPEAT_OTHER_CHIP);
    against(idea, past, LORE_ATTEMPT_GAIN);
    assert_int_equal(out.won_elsewhere, 1);
    assert_non_null(strstr(
        out.why, "1 attempt elsewhere, 1 won, 0 failed: it won (0.9x) with tile=64 on mi300x"));
    past.chip = past.workload = NULL;
    assert_int_equal(against(idea, past, LORE_ATTEMPT_LOSS), LORE_REPEAT_EXACT);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
}

static void
another_kernel_is_elsewhere_and_no_part_of_the_history(void **state)
{
    struct lore_repeats_attempt v[] = {{.id = "there",
                                           .idea = tile("32", "64", NULL, "v9"),
                                           .end = LORE_ATTEMPT_GAIN,
                                           .speedup = 1.3,
                                           .other_kernel = true,
                                           .kernel = "softmax_triton"},
        {.id = "here", .idea = named("x", NULL), .end = LORE_ATTEMPT_LOSS}};
    struct lore_idea idea = tile("32", "64", NULL, "v1");
    (void)state;

    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_ELSEWHERE);
    assert_int_equal(out.attempts, 1);
    assert_non_null(strstr(out.why, "it won (1.3x) with tile=64 on kernel softmax_triton on h200"));
}

static void
the_same_words_stop_whatever_was_accepted_since(void **state)
{
    const char *said = "Pad the shared tile by one column";
    struct lore_repeats_attempt v[] = {
        {.id = "failed",
            .idea = tile(NULL, NULL, said, "v1"),
            .end = LORE_ATTEMPT_LOSS,
            .speedup = 0.99,
            .author = "ada",
            .day = "2026-04-18"},
        {.id = "a", .idea = named("x", "a"), .to_version = "v2", .end = LORE_ATTEMPT_GAIN},
    };
    struct lore_idea idea = tile(NULL, NULL, "pad the shared tile by one column!", "v2");
    (void)state;

    v[1].idea.from_version = "v1";
    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_int_equal(out.kind, LORE_REPEAT_EXACT);
    assert_string_equal(out.why,
        "failed here before: it was slower (0.99x) on h200 (2026-04-18, ada): "
        "the same words, 1 change ago");
    idea.text = "pad the shared tile by a column"; /* five of seven words */
    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_int_equal(out.kind, LORE_REPEAT_NEAR);
    v[0].idea.text = NULL; /* the title says it */
    v[0].idea.title = said;
    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
}

static void
a_plan_without_parameters_matches_a_failure_with_any(void **state)
{
    struct lore_idea plan = named("memory.tiling_smem", NULL);
    (void)state;

    against(plan, tile(NULL, "64", "tiling for the K loop", "v1"), LORE_ATTEMPT_LOSS);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_non_null(strstr(out.why, "with tile=64"));
    plan.text = "shared memory tiling"; /* no more than the technique's name */
    plan.just_techniques = true;
    against(plan, tile(NULL, "64", "tiling for the K loop", "v1"), LORE_ATTEMPT_LOSS);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
}

static void
another_value_is_a_repeat_only_after_two_failed(void **state)
{
    struct lore_repeats_attempt v[] = {
        {.id = "1",
            .idea = tile(NULL, NULL, "swizzle the blocks in groups of 6 rows", "v1"),
            .end = LORE_ATTEMPT_LOSS},
        {.id = "2",
            .idea = tile(NULL, NULL, "swizzle the blocks in groups of 3 rows", "v1"),
            .end = LORE_ATTEMPT_LOSS},
    };
    struct lore_idea idea = tile(NULL, NULL, "swizzle the blocks in groups of 5 rows", "v1");
    (void)state;

    find(&idea, v, 1);
    assert_int_equal(out.answer, LORE_REPEATS_NEW);
    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_STOP);
    assert_non_null(strstr(out.why, "none of 2 values gained"));
    v[0].end = LORE_ATTEMPT_GAIN;
    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_NEW);
    v[0].end = LORE_ATTEMPT_LOSS;
    idea.from_version = "v2"; /* on another version */
    find(&idea, v, 2);
    assert_int_equal(out.answer, LORE_REPEATS_NEW);
}

/* The words of attempts are techniques of their own when the catalogue knows none. */
static void
number_formats_have_synonyms_and_verbs_of_any_change_say_nothing(void **state)
{
    const struct lore_idea wrong = named("silu_computed_in_bf16", "SiLU computed in bf16");
    struct lore_idea plan = tile(NULL, NULL, "do the SiLU in bfloat16", NULL);
    (void)state;

    assert_int_equal(against(plan, wrong, LORE_ATTEMPT_WRONG), LORE_REPEAT_NEAR);
    assert_string_equal(out.why, "failed here before: it gave wrong results: similar words");
    against(plan, wrong, LORE_ATTEMPT_TIMED_OUT);
    assert_non_null(strstr(out.why, "it timed out"));
    plan.text = "do the SiLU in float16";
    assert_int_equal(against(plan, wrong, LORE_ATTEMPT_WRONG), LORE_REPEAT_NONE);
}

static void
the_history_is_counted_without_what_is_pending(void **state)
{
    struct lore_repeats_attempt v[] = {
        {.idea = tile("1", "2", NULL, NULL), .end = LORE_ATTEMPT_WRONG},
        {.idea = named("x", NULL), .end = LORE_ATTEMPT_GAIN},
        {.idea = tile("2", "8", NULL, NULL), .end = LORE_ATTEMPT_NOT_BUILT},
        {.idea = named("y", NULL), .end = LORE_ATTEMPT_OPEN},
        {.idea = tile("2", "4", NULL, NULL), .end = LORE_ATTEMPT_PENDING},
    };
    struct lore_idea idea = tile("2", "16", NULL, NULL);
    (void)state;

    find(&idea, v, 5);
    assert_int_equal(out.kind, LORE_REPEAT_NONE);
    assert_int_equal(out.attempts, 4);
    assert_true(out.gained);
    assert_int_equal(out.since_gain, 2);
    assert_int_equal(out.technique_tried, 0);
    assert_int_equal(out.tallies[0].values, 2);
    assert_int_equal(out.recent, 4);
    assert_int_equal(out.recent_not_built, 1);
    find(&idea, v, 0);
    assert_int_equal(out.attempts, 0);
    assert_false(out.gained || out.flagged);
}

static void
which_gain_was_the_last_is_not_known_of_several_logs(void **state)
{
    struct lore_repeats_attempt v[] = {
        {.idea = tile("1", "2", NULL, "a0"), .to_version = "a1", .end = LORE_ATTEMPT_GAIN},
        {.idea = tile("1", "4", NULL, "a1"), .to_version = "a2", .end = LORE_ATTEMPT_LOSS},
        {.idea = tile("1", "8", NULL, "b0"), .to_version = "b1", .end = LORE_ATTEMPT_LOSS},
    };
    struct lore_idea idea = tile("2", "16", NULL, NULL);
    (void)state;

    for (size_t i = 0; i < 3; i++)
        v[i].loose = true;
    find(&idea, v, 2);
    assert_false(out.unordered);
    assert_int_equal(out.since_gain, 1);
    find(&idea, v, 3);
    assert_true(out.unordered);
    assert_int_equal(out.since_gain, 0);
    assert_int_equal(out.gains, 1);
    v[2].loose = false; /* what is no log of KernelFlow has the order of arrival */
    find(&idea, v, 3);
    assert_int_equal(out.since_gain, 2);
}

static void
settings_are_compared_by_name(void **state)
{
    struct lore_idea_words a, b;
    (void)state;

    lore_idea_words_read("num_warps=16 + l2_groups=[8, 4]", &arena, &a);
    lore_idea_words_read("l2_groups=[8,16] larger groups", &arena, &b);
    assert_int_equal(a.n_settings, 2);
    assert_true(lore_idea_words_similarity(&a, &b) == 0);
    lore_idea_words_read("l2_groups=[8,4]", &arena, &b);
    assert_true(lore_idea_words_similarity(&a, &b) > 0);
    lore_idea_words_read("set tile_x=2 (was 4)", &arena, &a);
    assert_true(a.to_set && a.from_set && a.to == 2 && a.from == 4);
    lore_idea_words_read("raise tile_x from 4 to 8", &arena, &b);
    assert_true(lore_idea_words_opposed(&a, &b));
}

static void
what_is_hoped_for_is_no_part_of_the_words(void **state)
{
    struct lore_idea_words a, b;
    (void)state;

    lore_idea_words_read("unroll the loop 4x: 1.3x, 12% less stalls", &arena, &a);
    lore_idea_words_read("unrolling loop by 4, 20% fewer stalls", &arena, &b);
    assert_int_equal(a.n_numbers, 1);
    assert_true(lore_idea_words_similarity(&a, &b) > 0.6);
    lore_idea_words_read("8 instead of 4 stages", &arena, &a);
    lore_idea_words_read("stages 8 \xe2\x86\x92 4", &arena, &b);
    assert_true(lore_idea_words_opposed(&a, &b));
    lore_idea_words_read("stages 4 -> 8", &arena, &b);
    assert_false(lore_idea_words_opposed(&a, &b));
    lore_idea_words_read("\xff\xfe . % -> ...", &arena, &a); /* no words at all */
    assert_false(lore_idea_words_same(&a, &a));
}

int
main(void)
{
#define TEST(t) cmocka_unit_test_teardown(t, clean)
    const struct CMUnitTest tests[] = {
        TEST(the_same_parameters_are_exact_whatever_the_words),
        TEST(a_gain_and_an_open_result_are_no_failures_and_a_pending_attempt_is_nothing),
        TEST(the_other_way_and_another_value_are_no_repeats),
        TEST(another_value_of_one_parameter_is_no_repeat_under_another_technique),
        TEST(a_technique_that_only_failed_here_is_known_in_any_form),
        TEST(another_value_says_nothing_of_the_technique_that_the_base_version_has),
        TEST(a_plan_for_no_kernel_is_stopped_by_none),
        TEST(no_gain_stops_only_the_same_idea),
        TEST(a_part_of_the_techniques_does_not_stop),
        TEST(the_same_value_from_another_one_is_near),
        TEST(parameters_overlap_when_most_of_them_are_equal),
        TEST(words_decide_where_nothing_else_is_recorded),
        TEST(the_same_technique_without_parameters_needs_like_words),
        TEST(a_small_loss_counts_no_more_after_an_accepted_change),
        TEST(another_chip_or_workload_is_elsewhere_except_for_the_compiler),
        TEST(another_kernel_is_elsewhere_and_no_part_of_the_history),
        TEST(the_same_words_stop_whatever_was_accepted_since),
        TEST(a_plan_without_parameters_matches_a_failure_with_any),
        TEST(what_a_claim_denies_in_contrast_is_not_its_idea),
        TEST(a_failure_whose_mended_form_is_in_the_line_does_not_stop),
        TEST(another_value_is_a_repeat_only_after_two_failed),
        TEST(which_gain_was_the_last_is_not_known_of_several_logs),
        TEST(settings_are_compared_by_name),
        TEST(number_formats_have_synonyms_and_verbs_of_any_change_say_nothing),
        TEST(the_history_is_counted_without_what_is_pending),
        TEST(what_is_hoped_for_is_no_part_of_the_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
