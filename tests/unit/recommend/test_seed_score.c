// uses: recommend
/* The compatibility score against its published vectors, and the weaknesses it must keep. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/recommend/seed_score.h"

static struct lore_arena arena;
static struct lore_seed_answer out;
static const struct lore_seed_query softmax = {"softmax", "cuda", "sm_86", "memory_bound", 0};

/* The four published rows, in file order. */
static const struct lore_seed_row published[] = {
    {11, "gemm", "cuda", "sm_86", "memory", "failure", {0}, "tiling"},
    {19, "softmax", "triton", "sm_86", "memory-bound", "failure", {0}, "num-warps{n=8}"},
    {26, "mha", "triton", "sm_86", "memory_bound", "success", {true, 36.04}, "flash{block=64}"},
    {29, "softmax", "cuda", "sm_86", "memory_bound", "success", {true, 1.34}, "vectorize{w=4}"},
};

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static int64_t
total(const struct lore_seed_row *row)
{
    return lore_seed_score(row, &softmax).total;
}

static void
the_four_published_rows_score_as_published(void **state)
{
    (void)state;
    assert_int_equal(total(&published[3]), 146);
    assert_int_equal(total(&published[0]), 71);
    assert_int_equal(total(&published[2]), 62);
    assert_int_equal(total(&published[1]), 61);
    lore_seed_recommend(published, 4, &softmax, &arena, &out);
    assert_int_equal(out.kind, LORE_SEED_MATCHED);
    assert_int_equal(out.n_hits, 4);
    assert_int_equal(out.hits[0].row, 3);
    assert_int_equal(out.hits[1].row, 0); /* an unrelated failure before 36x */
    assert_int_equal(out.hits[2].row, 2);
    assert_int_equal(out.hits[3].row, 1);
}

static void
every_term_is_told_apart(void **state)
{
    struct lore_seed_terms t = lore_seed_score(&published[3], &softmax);

    (void)state;
    assert_int_equal(t.kernel, 40);
    assert_int_equal(t.backend, 50);
    assert_int_equal(t.chip, 20);
    assert_int_equal(t.bottleneck, 30);
    assert_int_equal(t.success, 4);
    assert_int_equal(t.recency, 2);
}

static void
a_backend_outweighs_a_kernel(void **state)
{
    struct lore_seed_row gemm = {.kernel = "gemm", .backend = "cuda"};
    struct lore_seed_row triton = {.kernel = "softmax", .backend = "triton"};

    (void)state;
    assert_int_equal(total(&gemm), 50);
    assert_int_equal(total(&triton), 40);
}

static void
a_row_without_a_backend_is_cuda(void **state)
{
    struct lore_seed_row none = {.kernel = "x"}, empty = {.kernel = "x", .backend = ""};

    (void)state;
    assert_int_equal(total(&none), 50);
    assert_int_equal(total(&empty), 50);
}

static int64_t
success_term(double speedup)
{
    struct lore_seed_row row = {.outcome = "success", .speedup = {true, speedup}};

    return lore_seed_score(&row, &softmax).success;
}

static void
the_success_term_cuts_towards_zero_and_stops_at_ten(void **state)
{
    (void)state;
    assert_int_equal(success_term(36.04), 10);
    assert_int_equal(success_term(1e300), 10);
    assert_int_equal(success_term(1.02), 3);
    assert_int_equal(success_term(0), 0);
    assert_int_equal(success_term(-0.5), -3); /* int(-3.47) */
    assert_int_equal(success_term(-1), 0);    /* undefined there */
    assert_int_equal(success_term(NAN), 0);
    assert_int_equal(success_term(INFINITY), 0);
}

static void
only_a_success_with_a_speedup_has_the_term(void **state)
{
    struct lore_seed_row failed = {.outcome = "failure", .speedup = {true, 5}};
    struct lore_seed_row silent = {.outcome = "success"};

    (void)state;
    assert_int_equal(lore_seed_score(&failed, &softmax).success, 0);
    assert_int_equal(lore_seed_score(&silent, &softmax).success, 0);
}

static int64_t
recency(int64_t id)
{
    struct lore_seed_row row = {.id = id};

    return lore_seed_score(&row, &softmax).recency;
}

static void
recency_divides_by_ten_rounding_down(void **state)
{
    (void)state;
    assert_int_equal(recency(9), 0);
    assert_int_equal(recency(10), 1);
    assert_int_equal(recency(59), 5);
    assert_int_equal(recency(1000), 5);
    assert_int_equal(recency(-1), -1);
    assert_int_equal(recency(-10), -1);
    assert_int_equal(recency(-11), -2);
    assert_true(recency(INT64_MIN) < 0);
}

static void
from_the_tenth_row_on_everything_matches(void **state)
{
    struct lore_seed_row other[] = {
        {.id = 9, .backend = "triton"}, {.id = 10, .backend = "triton"}};

    (void)state;
    lore_seed_recommend(other, 2, &softmax, &arena, &out);
    assert_int_equal(out.kind, LORE_SEED_MATCHED);
    assert_int_equal(out.n_scored, 1);
    assert_int_equal(out.hits[0].row, 1);
}

static void
no_match_shows_the_last_five_in_file_order(void **state)
{
    struct lore_seed_row rows[7] = {{0}};

    (void)state;
    for (int i = 0; i < 7; i++)
        rows[i] = (struct lore_seed_row){.id = i, .backend = "triton"};
    lore_seed_recommend(rows, 7, &softmax, &arena, &out);
    assert_int_equal(out.kind, LORE_SEED_NO_MATCH);
    assert_int_equal(out.n_hits, 5);
    assert_int_equal(out.hits[0].row, 2);
    assert_int_equal(out.hits[4].row, 6);
    assert_null(out.best);
    assert_false(out.avoid);
    lore_seed_recommend(rows, 2, &softmax, &arena, &out);
    assert_int_equal(out.n_hits, 2);
}

static void
nothing_known_is_said(void **state)
{
    (void)state;
    lore_seed_recommend(NULL, 0, &softmax, &arena, &out);
    assert_int_equal(out.kind, LORE_SEED_EMPTY);
    assert_int_equal(out.n_hits, 0);
}

static void
rows_of_one_score_keep_their_order(void **state)
{
    struct lore_seed_row rows[64];

    (void)state;
    for (int i = 0; i < 64; i++)
        rows[i] = (struct lore_seed_row){
            .id = 1, .backend = i % 2 ? "cuda" : "triton", .kernel = "softmax"};
    struct lore_seed_query all = softmax;
    all.limit = 100;
    lore_seed_recommend(rows, 64, &all, &arena, &out);
    assert_int_equal(out.n_hits, 64);
    for (size_t i = 0; i < 32; i++) {
        assert_int_equal(out.hits[i].row, 2 * i + 1);
        assert_int_equal(out.hits[32 + i].row, 2 * i);
    }
}

static void
the_best_optimisation_is_counted_over_all_successes_not_the_top(void **state)
{
    struct lore_seed_row rows[] = {
        {1, "softmax", "cuda", "sm_86", "memory_bound", "success", {true, 9}, "shuffle"},
        {2, "softmax", "cuda", NULL, NULL, "success", {true, 2}, "tile{a=1}"},
        {3, "softmax", "cuda", NULL, NULL, "success", {true, 2}, "tile{a=2}"},
        {4, "softmax", "cuda", NULL, NULL, "neutral", {true, 1}, "tile{a=3}"},
        {5, "softmax", "cuda", NULL, NULL, "failure", {true, 1}, "unroll"},
        {6, "softmax", "cuda", NULL, NULL, "success", {true, 2}, ""},
    };
    struct lore_seed_query one = softmax;

    (void)state;
    one.limit = 1;
    lore_seed_recommend(rows, 6, &one, &arena, &out);
    assert_int_equal(out.n_hits, 1);
    assert_string_equal(out.best, "tile");
    assert_int_equal(out.best_count, 2);
    assert_int_equal(out.n_success, 4);
    assert_int_equal(out.n_neutral, 1);
    assert_int_equal(out.n_failures, 1);
    assert_int_equal(out.failures[0], 4);
    assert_false(out.avoid);
}

static void
a_tie_for_the_best_goes_to_the_higher_rank(void **state)
{
    struct lore_seed_row rows[] = {
        {1, "softmax", "triton", NULL, NULL, "success", {true, 2}, "a"},
        {2, "softmax", "cuda", NULL, NULL, "success", {true, 2}, "z"},
    };

    (void)state;
    lore_seed_recommend(rows, 2, &softmax, &arena, &out);
    assert_string_equal(out.best, "z");
}

static void
failures_without_a_success_are_to_be_avoided(void **state)
{
    (void)state;
    lore_seed_recommend(published, 2, &softmax, &arena, &out);
    assert_true(out.avoid);
    assert_int_equal(out.n_failures, 2);
    assert_null(out.best);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_four_published_rows_score_as_published),
        cmocka_unit_test(every_term_is_told_apart),
        cmocka_unit_test(a_backend_outweighs_a_kernel),
        cmocka_unit_test(a_row_without_a_backend_is_cuda),
        cmocka_unit_test(the_success_term_cuts_towards_zero_and_stops_at_ten),
        cmocka_unit_test(only_a_success_with_a_speedup_has_the_term),
        cmocka_unit_test(recency_divides_by_ten_rounding_down),
        cmocka_unit_test(from_the_tenth_row_on_everything_matches),
        cmocka_unit_test(no_match_shows_the_last_five_in_file_order),
        cmocka_unit_test(nothing_known_is_said),
        cmocka_unit_test(rows_of_one_score_keep_their_order),
        cmocka_unit_test(the_best_optimisation_is_counted_over_all_successes_not_the_top),
        cmocka_unit_test(a_tie_for_the_best_goes_to_the_higher_rank),
        cmocka_unit_test(failures_without_a_success_are_to_be_avoided),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
