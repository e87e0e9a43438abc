// uses: recommend
/* Where a probability comes from, and which experiment would change the answer. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/recommend/recommend.h"

static int made;

static void
add(struct lore_evidence_index *ix, const char *op, const char *chip, const char *technique,
    bool won, double speedup)
{
    char id[27];

    snprintf(id, sizeof id, "01J%023d", ++made);
    lore_evidence_add(ix, &(struct lore_evidence_in){.experiment = id,
                              .op = op,
                              .family = "reduction",
                              .language = "cuda",
                              .chip = chip,
                              .technique = technique,
                              .effect = won ? LORE_X_WIN : LORE_X_LOSS,
                              .correctness = LORE_C_PASS,
                              .evidence = LORE_EV_MEASURED,
                              .speedup = speedup,
                              .seq = made});
}

static const struct lore_advice *
find(const struct lore_answer *a, const char *technique)
{
    for (size_t i = 0; i < a->n_advice; i++)
        if (lore_streq(a->advice[i].technique, technique))
            return &a->advice[i];
    fail_msg("no advice on %s", technique);
    return NULL;
}

static void
every_step_ends_where_the_next_begins_and_the_last_is_the_answer(void **state)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct lore_arena arena = {0};
    struct lore_answer a;
    struct lore_question q = {
        .op = "softmax", .family = "reduction", .chip = lore_chip_find("a100")};

    (void)state;
    for (int i = 0; i < 4; i++) {
        add(ix, "gemm", "a100", "memory.tiling_smem", true, 1.4);
        add(ix, "softmax", "h100-sxm", "memory.tiling_smem", i != 0, i != 0 ? 1.3 : 0.9);
    }
    lore_recommend(ix, &q, &arena, &a);
    const struct lore_advice *t = find(&a, "memory.tiling_smem");
    assert_int_equal(t->n_steps, 3);
    assert_string_equal(t->steps[0].level, "all experiments");
    assert_string_equal(t->steps[1].level, "other operators of its family");
    assert_string_equal(t->steps[2].level, "this operator");
    assert_true(t->steps[2].p == t->p_win.value);
    /* each step is the level's mean with the level above as a prior of two experiments */
    for (size_t i = 1; i < t->n_steps; i++) {
        const struct lore_advice_step *s = &t->steps[i];
        double above = t->steps[i - 1].p;
        assert_true(fabs(s->p - (2 * above + s->won) / (2 + s->weight)) < 1e-6);
    }
    assert_true(t->if_lost < t->p_win.value && t->p_win.value < t->if_won);
    lore_arena_free(&arena);
    lore_evidence_free(ix);
}

static void
the_telling_experiment_is_the_one_that_could_come_first(void **state)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct lore_arena arena = {0};
    struct lore_answer a;
    struct lore_question q = {.op = "softmax", .chip = lore_chip_find("a100")};

    (void)state;
    for (int i = 0; i < 40; i++) /* sure: another one changes nothing */
        add(ix, "softmax", "a100", "memory.tiling_smem", true, 1.2);
    for (int i = 0; i < 3; i++) /* promising, from another chip, and much larger when it works */
        add(ix, "softmax", "h100-sxm", "sync.warp_level_reduction", i != 0, i != 0 ? 2.5 : 0.8);
    for (int i = 0; i < 30; i++) /* settled: it does nothing */
        add(ix, "softmax", "a100", "memory.cache_hints", i == 0, i == 0 ? 1.06 : 0.99);
    lore_recommend(ix, &q, &arena, &a);
    assert_non_null(a.telling.technique);
    assert_string_equal(a.telling.technique, "sync.warp_level_reduction");
    assert_true(a.telling.would_lead);
    assert_true(a.telling.if_lost < a.telling.if_won);
    assert_non_null(strstr(a.telling.why, "Measure sync.warp_level_reduction on a100. "));
    q.chip = NULL; /* then there is no "this chip" to measure it on */
    lore_recommend(ix, &q, &arena, &a);
    assert_string_equal(a.telling.technique, "sync.warp_level_reduction");
    assert_non_null(strstr(a.telling.why, "Measure sync.warp_level_reduction. "));
    lore_arena_free(&arena);
    lore_evidence_free(ix);
}

static void
nothing_is_telling_in_an_empty_memory(void **state)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct lore_arena arena = {0};
    struct lore_answer a;
    struct lore_question q = {.op = "softmax"};

    (void)state;
    lore_recommend(ix, &q, &arena, &a);
    assert_null(a.telling.technique);
    lore_arena_free(&arena);
    lore_evidence_free(ix);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_ends_where_the_next_begins_and_the_last_is_the_answer),
        cmocka_unit_test(the_telling_experiment_is_the_one_that_could_come_first),
        cmocka_unit_test(nothing_is_telling_in_an_empty_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
