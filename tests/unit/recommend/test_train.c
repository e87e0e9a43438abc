// uses: recommend
/* Learning the numbers of the evidence model: a world in which what wins on one vendor's chips wins
 * on the other's too, and one in which nothing is to be learned. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/recommend/train.h"
#include "service/stats/random.h"

enum { OPS = 6, TECHNIQUES = 10, PER_CELL = 6 };
static const char *const chips[] = {"a100", "h100-sxm", "mi300x", "mi250x"};

/* Every technique on every operator and chip; WINS says how likely. EARLIER, when it is not NULL,
 * says so of half of the experiments, made six years before the others. */
typedef double wins_fn(int op, int technique, uint64_t *seed);
static void
make_of_two_times(
    struct lore_arena *arena, wins_fn *wins, wins_fn *earlier, struct lore_train_data *out)
{
    size_t n = (size_t)OPS * TECHNIQUES * 4 * PER_CELL;
    struct lore_evidence_in *rows = lore_alloc_array(arena, n, sizeof *rows);
    uint64_t seed = 11;

    n = 0;
    for (int o = 0; o < OPS; o++) {
        for (int t = 0; t < TECHNIQUES; t++) {
            uint64_t of = (uint64_t)(o * 100 + t);
            double now = wins(o, t, &of), then = earlier != NULL ? earlier(o, t, &of) : now;
            for (int c = 0; c < 4; c++) {
                for (int k = 0; k < PER_CELL; k++, n++) {
                    bool old = earlier && k % 2 == 1;
                    bool won = (double)lore_random_below(&seed, 1000) < (old ? then : now) * 1000;
                    rows[n] =
                        (struct lore_evidence_in){.experiment = lore_format(arena, "01J%023zu", n),
                            .op = lore_format(arena, "op%d", o),
                            .family = "test",
                            .language = "cuda",
                            .chip = chips[c],
                            .technique = lore_format(arena, "memory.t%d", t),
                            .effect = won ? LORE_X_WIN : LORE_X_LOSS,
                            .correctness = LORE_C_PASS,
                            .evidence = LORE_EV_MEASURED,
                            .speedup = won ? 1.3 : 0.9,
                            .at_us = (old ? 2018 - 1970 : 2024 - 1970) * INT64_C(31556952000000),
                            .seq = (int64_t)n + 1};
                }
            }
        }
    }
    *out = (struct lore_train_data){.rows = rows, .n = n};
}

static void
make(struct lore_arena *arena, wins_fn *wins, struct lore_train_data *out)
{
    make_of_two_times(arena, wins, NULL, out);
}

/* The operator and the technique decide, the chip does not. */
static double
same_everywhere(int op, int technique, uint64_t *seed)
{
    (void)op;
    (void)technique;
    return lore_random_below(seed, 2) ? 0.95 : 0.05;
}

static double
a_coin(int op, int technique, uint64_t *seed)
{
    (void)op;
    (void)technique;
    (void)seed;
    return 0.5;
}

static void
what_travels_everywhere_is_trusted_further(void **state)
{
    struct lore_arena arena = {0};
    struct lore_train_data data;
    struct lore_trained t = {0};
    struct lore_err err = {0};
    double priors[LORE_M_COUNT];

    (void)state;
    make(&arena, same_everywhere, &data);
    assert_int_equal(lore_train(&data, &arena, &t, &err), LORE_OK);
    lore_model_priors(priors);
    assert_false(t.kept);
    assert_true(t.learned.log_loss < t.prior.log_loss);
    assert_true(t.learned.brier < t.prior.brier);
    /* one experiment from the other vendor against the prior of its level */
    assert_true(t.numbers[LORE_M_TRAVEL_OTHER] / t.numbers[LORE_M_KAPPA] >
                priors[LORE_M_TRAVEL_OTHER] / priors[LORE_M_KAPPA]);
    assert_int_equal(t.chips, 4);
    /* learning leaves the numbers in use alone */
    assert_true(lore_model(LORE_M_TRAVEL_OTHER) == priors[LORE_M_TRAVEL_OTHER]);
    lore_arena_free(&arena);
}

/* What won six years ago says nothing of what wins now. */
static void
age_counts_more_where_what_is_old_misleads(void **state)
{
    struct lore_arena arena = {0};
    struct lore_train_data data;
    struct lore_trained misled = {0}, steady = {0};
    struct lore_err err = {0};
    double priors[LORE_M_COUNT];

    (void)state;
    lore_model_priors(priors);
    make_of_two_times(&arena, same_everywhere, same_everywhere, &data);
    assert_int_equal(lore_train(&data, &arena, &misled, &err), LORE_OK);
    assert_false(misled.kept);
    assert_true(misled.numbers[LORE_M_RECENCY_YEAR] < priors[LORE_M_RECENCY_YEAR]);
    make(&arena, same_everywhere, &data);
    for (size_t i = 0; i < data.n; i += 2)
        ((struct lore_evidence_in *)data.rows)[i].at_us -= 6 * INT64_C(31556952000000);
    assert_int_equal(lore_train(&data, &arena, &steady, &err), LORE_OK);
    assert_true(steady.numbers[LORE_M_RECENCY_YEAR] >= priors[LORE_M_RECENCY_YEAR]);
    lore_arena_free(&arena);
}

static void
where_nothing_is_to_be_learned_nothing_gets_worse(void **state)
{
    struct lore_arena arena = {0};
    struct lore_train_data data;
    struct lore_trained t = {0};
    struct lore_err err = {0};

    (void)state;
    make(&arena, a_coin, &data);
    assert_int_equal(lore_train(&data, &arena, &t, &err), LORE_OK);
    assert_true(t.kept || t.learned.log_loss < t.prior.log_loss);
    lore_arena_free(&arena);
}

static void
a_handful_of_experiments_teaches_nothing(void **state)
{
    struct lore_arena arena = {0};
    struct lore_train_data data;
    struct lore_trained t = {0};
    struct lore_err err = {0};

    (void)state;
    make(&arena, a_coin, &data);
    data.n = 20;
    assert_int_equal(lore_train(&data, &arena, &t, &err), LORE_NOTFOUND);
    assert_string_equal(err.code, "too_little");
    lore_arena_free(&arena);
}

static void
numbers_come_back_as_they_were_written(void **state)
{
    struct lore_arena arena = {0};
    struct lore_err err = {0};
    double in[LORE_M_COUNT], out[LORE_M_COUNT];

    (void)state;
    lore_model_priors(in);
    in[LORE_M_TRAVEL_ISA] = 0.625;
    in[LORE_M_CALIBRATION_SLOPE] = 0.8;
    assert_int_equal(
        lore_train_numbers_parse(lore_train_numbers_text(in, &arena), out, &err), LORE_OK);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(lore_train_numbers_parse("{\"travel.same_isa\": 0.5}", out, &err), LORE_OK);
    assert_true(out[LORE_M_TRAVEL_ISA] == 0.5);
    lore_model_priors(in);
    assert_true(out[LORE_M_KAPPA] == in[LORE_M_KAPPA]);
    lore_arena_free(&arena);
}

static void
numbers_out_of_range_are_refused_by_name(void **state)
{
    double out[LORE_M_COUNT];
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_train_numbers_parse("{\"travel.same_isa\": 7}", out, &err), LORE_INVALID);
    assert_string_equal(err.path, "travel.same_isa");
    assert_int_equal(
        lore_train_numbers_parse("{\"travel.same_isa\": \"x\"}", out, &err), LORE_INVALID);
    assert_int_equal(lore_train_numbers_parse("[", out, &err), LORE_INVALID);
}

static void
a_trial_is_this_threads_and_a_use_is_everybodys(void **state)
{
    double numbers[LORE_M_COUNT], prior = lore_model(LORE_M_KAPPA);

    (void)state;
    lore_model_priors(numbers);
    numbers[LORE_M_KAPPA] = 5;
    lore_model_use(numbers);
    assert_true(lore_model(LORE_M_KAPPA) == 5);
    numbers[LORE_M_KAPPA] = 7;
    assert_true(lore_model(LORE_M_KAPPA) == 5);
    lore_model_try(numbers);
    assert_true(lore_model(LORE_M_KAPPA) == 7);
    lore_model_try(NULL);
    lore_model_use(NULL);
    assert_true(lore_model(LORE_M_KAPPA) == prior);
}

static void
one_answer_keeps_its_numbers_while_others_are_put_in_use(void **state)
{
    double numbers[LORE_M_COUNT], prior = lore_model(LORE_M_KAPPA);

    (void)state;
    lore_model_priors(numbers);
    numbers[LORE_M_KAPPA] = 5;
    {
        LORE_MODEL_HELD held = lore_model_hold();

        lore_model_use(numbers);
        assert_true(lore_model(LORE_M_KAPPA) == prior);
        assert_false(lore_model_hold()); /* the outer block holds them already */
    }
    assert_true(lore_model(LORE_M_KAPPA) == 5);
    lore_model_use(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_travels_everywhere_is_trusted_further),
        cmocka_unit_test(age_counts_more_where_what_is_old_misleads),
        cmocka_unit_test(where_nothing_is_to_be_learned_nothing_gets_worse),
        cmocka_unit_test(a_handful_of_experiments_teaches_nothing),
        cmocka_unit_test(numbers_come_back_as_they_were_written),
        cmocka_unit_test(numbers_out_of_range_are_refused_by_name),
        cmocka_unit_test(a_trial_is_this_threads_and_a_use_is_everybodys),
        cmocka_unit_test(one_answer_keeps_its_numbers_while_others_are_put_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
