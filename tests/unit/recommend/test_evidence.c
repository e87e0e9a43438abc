// uses: recommend m
/* The evidence index: rows, names, masks, verdicts, and the counts that guard against counting
 * twice. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/recommend/cells.h"
#include "tests/unit/near.h"

static struct lore_evidence_index *ix;

static int
begin(void **state)
{
    (void)state;
    ix = lore_evidence_new();
    return 0;
}

static int
end(void **state)
{
    (void)state;
    lore_evidence_free(ix);
    return 0;
}

static const struct lore_evidence_in one = {
    .experiment = "01KAHVBV00WBGRGAY0RNBBTPZ4",
    .op = "softmax",
    .family = "norm",
    .language = "cuda",
    .chip = "a6000",
    .technique = "memory.vectorized_access",
    .effect = LORE_X_WIN,
    .correctness = LORE_C_PASS,
    .evidence = LORE_EV_MEASURED,
    .speedup = 2,
    .seq = 7,
};

static const struct lore_evidence_row *
row(size_t i)
{
    static struct lore_evidence_row rows[2];
    static int turn;

    assert_true(i < lore_evidence_count(ix));
    turn = 1 - turn;
    rows[turn] = lore_evidence_at(ix, i);
    return &rows[turn];
}

static size_t
count(void)
{
    return lore_evidence_count(ix);
}

static void
an_empty_index_answers(void **state)
{
    (void)state;
    assert_int_equal(count(), 0);
    assert_int_equal(lore_evidence_find(ix, "softmax"), LORE_NO_NAME);
    lore_evidence_free(NULL);
}

static void
a_row_keeps_its_facts_and_absent_ones_stay_absent(void **state)
{
    struct lore_evidence_in bare = {.experiment = "01KAHVBV009TT40A8B8YGCFXPW"};
    (void)state;

    lore_evidence_add(ix, &one);
    lore_evidence_add(ix, &bare);
    assert_string_equal(row(0)->experiment, one.experiment);
    assert_string_equal(lore_evidence_text(ix, row(0)->op), "softmax");
    assert_string_equal(lore_evidence_text(ix, row(0)->technique), "memory.vectorized_access");
    assert_string_equal(lore_chips(&(size_t){0})[row(0)->chip].name, "a6000");
    assert_int_equal(row(0)->language, LORE_LANG_CUDA);
    assert_near(row(0)->log_speedup, log(2), 1e-6);
    assert_int_equal(row(0)->workload, LORE_NO_NAME);
    assert_int_equal(row(1)->op, LORE_NO_NAME);
    assert_int_equal(row(1)->chip, UINT16_MAX);
    assert_true(isnan(row(1)->log_speedup));
    assert_int_equal(row(1)->technique, LORE_NO_NAME);
    assert_true(ix->technique[1].nameless);
    assert_null(lore_evidence_text(ix, LORE_NO_NAME));
}

static void
techniques_of_one_experiment_know_of_each_other(void **state)
{
    struct lore_evidence_in in = one;
    (void)state;

    lore_evidence_add(ix, &in);
    in.technique = "latency.online_recomputation";
    lore_evidence_add(ix, &in);
    in.experiment = "01KAHVBV009TT40A8B8YGCFXPW";
    lore_evidence_add(ix, &in);
    assert_int_equal(row(0)->siblings, 2);
    assert_int_equal(row(1)->siblings, 2);
    assert_int_equal(row(2)->siblings, 1);
    assert_true(row(0)->first && !row(1)->first && row(2)->first);
}

static void
the_same_experiment_and_technique_again_replaces_the_row(void **state)
{
    struct lore_evidence_in in = one;
    (void)state;

    lore_evidence_add(ix, &one);
    in.effect = LORE_X_LOSS;
    in.speedup = 0.5;
    lore_evidence_add(ix, &in);
    assert_int_equal(count(), 1);
    assert_int_equal(row(0)->effect, LORE_X_LOSS);
    assert_int_equal(row(0)->siblings, 1);
    assert_true(row(0)->first);
}

static void
a_new_verdict_replaces_the_row_in_its_place(void **state)
{
    struct lore_evidence_in in = one, other = one;
    (void)state;

    lore_evidence_add(ix, &in);
    other.technique = "latency.online_recomputation";
    lore_evidence_add(ix, &other);
    other.experiment = "01KAHVBV009TT40A8B8YGCFXPW";
    lore_evidence_add(ix, &other);
    in.effect = LORE_X_LOSS;
    in.process_broken = in.masked = true;
    in.speedup = 0.5;
    lore_evidence_add(ix, &in);
    assert_int_equal(count(), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(row(i)->masked, i == 0);
        assert_int_equal(row(i)->effect, i == 0 ? LORE_X_LOSS : LORE_X_WIN);
        assert_int_equal(row(i)->process_broken, i == 0);
        assert_int_equal(row(i)->siblings, i < 2 ? 2 : 1);
    }
    assert_near(row(0)->log_speedup, log(0.5), 1e-6);
    in.masked = false;
    lore_evidence_add(ix, &in);
    assert_false(row(0)->masked);
}

/* The row of the one experiment that is masked now. */
static struct lore_evidence_row
masked_row(const char *experiment)
{
    for (size_t i = 0; i < count(); i++) {
        struct lore_evidence_row row_i = lore_evidence_at(ix, i);
        if (strcmp(row_i.experiment, experiment) == 0 && row_i.masked)
            return row_i;
    }
    fail_msg("%s: no masked row", experiment);
    return (struct lore_evidence_row){.experiment = ""};
}

static void
thousands_of_experiments_are_found_again(void **state)
{
    enum { N = 5000 };
    (void)state;

    for (int i = 0; i < N; i++) {
        char id[27], technique[32];
        snprintf(id, sizeof id, "01KAHVBV00%016d", i);
        snprintf(technique, sizeof technique, "technique_%d", i % 700);
        struct lore_evidence_in in = one;
        in.experiment = id;
        in.technique = technique;
        in.seq = i;
        lore_evidence_add(ix, &in);
    }
    assert_int_equal(count(), N);
    assert_int_equal(lore_evidence_names(ix), 702);
    for (int i = 0; i < N; i += 613) {
        char id[27], technique[32];
        snprintf(id, sizeof id, "01KAHVBV00%016d", i);
        snprintf(technique, sizeof technique, "technique_%d", i % 700);
        struct lore_evidence_in in = one;
        in.experiment = id;
        in.technique = technique;
        in.seq = i;
        in.masked = true;
        lore_evidence_add(ix, &in);
        assert_int_equal(count(), N);
        assert_int_equal(masked_row(id).seq, i);
    }
    assert_true(lore_evidence_bytes(ix) > N * 32);
}

static void
a_row_takes_less_than_64_bytes(void **state)
{
    enum { N = 30000 };
    (void)state;

    for (int i = 0; i < N; i++) {
        char id[27], technique[32];
        snprintf(id, sizeof id, "01KAHVBV00%016d", i);
        snprintf(technique, sizeof technique, "technique_%d", i % 20);
        struct lore_evidence_in in = one;
        in.experiment = id;
        in.technique = technique;
        lore_evidence_add(ix, &in);
    }
    assert_int_equal(count(), N);
    assert_true(lore_evidence_bytes(ix) < N * 64);
}

static void
an_experiment_may_change_its_operator_and_its_id_may_be_any_text(void **state)
{
    struct lore_evidence_in in = one;
    (void)state;

    in.experiment = "not a ULID";
    lore_evidence_add(ix, &in);
    in.op = "layernorm";
    lore_evidence_add(ix, &in);
    assert_int_equal(count(), 1);
    assert_string_equal(row(0)->experiment, "not a ULID");
    assert_string_equal(lore_evidence_text(ix, row(0)->op), "layernorm");
    in.experiment = "another";
    lore_evidence_add(ix, &in);
    assert_int_equal(count(), 2);
    assert_string_equal(row(1)->experiment, "another");
}

static void
an_experiment_that_goes_to_and_fro_takes_no_more_room(void **state)
{
    static const char *const ops[] = {"softmax", "layernorm", "gemm"};
    struct lore_evidence_in in = one;
    size_t bytes = 0;
    (void)state;

    for (int i = 0; i < 3000; i++) {
        in.op = ops[i % 3];
        lore_evidence_add(ix, &in);
        bytes = i == 8 ? lore_evidence_bytes(ix) : bytes;
    }
    assert_int_equal(lore_evidence_bytes(ix), bytes);
    in.experiment = "01KAHVBV009TT40A8B8YGCFXPW";
    in.op = ops[0];
    lore_evidence_add(ix, &in);
    assert_int_equal(count(), 2);
    assert_string_equal(lore_evidence_text(ix, row(0)->op), "gemm");
    assert_string_equal(row(0)->experiment, one.experiment);
    assert_string_equal(lore_evidence_text(ix, row(1)->op), "softmax");
    assert_string_equal(row(1)->experiment, in.experiment);
}

static void
names_that_stand_for_nothing_are_nameless(void **state)
{
    const char *names[] = {"baseline", "", "memory.vectorized_access", "fill_me_tag"};
    const bool nameless[] = {true, true, false, true};
    (void)state;

    for (size_t i = 0; i < 4; i++) {
        struct lore_evidence_in in = one;
        in.technique = names[i];
        lore_evidence_add(ix, &in);
        assert_int_equal(ix->technique[i].nameless, nameless[i]);
    }
}

/* However often rows come, change, and move between cells: the sums of a cell and of its place are
 * those of the rows that are there. */
static void
sums_are_of_the_rows_that_are_there(void **state)
{
    static const char *const techniques[] = {"compute.loop_unroll", "memory.cache_hints", "idea"};
    uint32_t turn = 1, n = 0;
    (void)state;

    for (int i = 0; i < 20000; i++) {
        char id[27];
        struct lore_evidence_in in = one;
        turn = turn * 1664525 + 1013904223;
        snprintf(id, sizeof id, "01KAHVBV00%016u", turn >> 8 & 63);
        in.experiment = id;
        in.technique = techniques[(turn >> 14) % 3];
        in.op = turn >> 16 & 1 ? "softmax" : "gemm";
        in.masked = (turn >> 17) % 4 == 0;
        in.share = (enum lore_share)((turn >> 19) % 3);
        in.effect = (enum lore_effect)((turn >> 21) % LORE_X_COUNT);
        in.speedup = 0.5 + (turn >> 24) * 0.01;
        lore_evidence_add(ix, &in);
    }
    for (uint32_t i = 0; i < 3 * 4; i++) { /* three techniques in four places */
        assert_int_equal(ix->technique[i % 3].places.n, 4);
        const struct lore_cell *c = &ix->technique[i % 3].cell[i / 3];
        const struct lore_cell_rows *rows = &ix->technique[i % 3].rows[i / 3];
        struct lore_sums sums = {0};
        float least = INFINITY;
        uint32_t own = 0;
        for (uint32_t k = 0; k < c->n; k++) {
            const struct lore_row *row = &rows->v[k];
            const struct lore_verdict *v = &ix->verdict[row->code];
            lore_sums_add(&sums, v, lore_row_x(ix, row), 1.0 / row->siblings);
            least = fminf(least, lore_own_log(v, row->log));
            own += v->is[LORE_N_OWN];
            assert_int_equal(ix->row[row->number].cell, i / 3);
            assert_int_equal(ix->row[row->number].at, k);
        }
        n += c->n;
        assert_near(c->sums.judged, sums.judged, 1e-9);
        assert_near(c->sums.won, sums.won, 1e-9);
        assert_near(c->sums.xx, sums.xx, 1e-9);
        assert_true(rows->least == least);
        assert_int_equal(rows->count[LORE_N_OWN], own);
        assert_int_equal(c->won, own);
    }
    assert_int_equal(n, count());
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)
int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_empty_index_answers),
        TEST(a_row_keeps_its_facts_and_absent_ones_stay_absent),
        TEST(techniques_of_one_experiment_know_of_each_other),
        TEST(the_same_experiment_and_technique_again_replaces_the_row),
        TEST(a_new_verdict_replaces_the_row_in_its_place),
        TEST(thousands_of_experiments_are_found_again),
        TEST(a_row_takes_less_than_64_bytes),
        TEST(an_experiment_may_change_its_operator_and_its_id_may_be_any_text),
        TEST(an_experiment_that_goes_to_and_fro_takes_no_more_room),
        TEST(names_that_stand_for_nothing_are_nameless),
        TEST(sums_are_of_the_rows_that_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
