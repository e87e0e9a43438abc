// uses: recommend
/* Steps through a searched space: thousands of them tell of their own operator, and do not drown
 * what somebody meant to try on another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/recommend/recommend.h"

static void
add(struct lore_evidence_index *ix, const char *op, const char *technique, bool step, bool won)
{
    static int made;
    char id[27];

    snprintf(id, sizeof id, "01J%023d", ++made);
    lore_evidence_add(ix, &(struct lore_evidence_in){.experiment = id,
                              .op = op,
                              .chip = "a100",
                              .technique = technique,
                              .effect = won ? LORE_X_WIN : LORE_X_LOSS,
                              .correctness = LORE_C_PASS,
                              .evidence = LORE_EV_IMPORTED,
                              .speedup = won ? 1.8 : 0.7,
                              .step = step,
                              .seq = made});
}

static void
steps_bear_on_their_own_operator_alone(void **state)
{
    struct lore_evidence_index *ix = lore_evidence_new();
    struct lore_arena arena = {0};
    struct lore_answer a;
    struct lore_question softmax = {.op = "softmax", .chip = lore_chip_find("a100")};
    struct lore_question conv = {.op = "conv2d", .chip = lore_chip_find("a100")};

    (void)state;
    for (int i = 0; i < 500; i++)
        add(ix, "conv2d", "memory.tiling_smem", true, i % 5 != 0);
    for (int i = 0; i < 3; i++)
        add(ix, "softmax", "sync.warp_level_reduction", false, i != 0);
    lore_recommend(ix, &softmax, &arena, &a);
    assert_int_equal(a.n_advice, 1);
    assert_string_equal(a.advice[0].technique, "sync.warp_level_reduction");
    assert_int_equal(a.considered, 3);
    lore_recommend(ix, &conv, &arena, &a);
    assert_string_equal(a.advice[0].technique, "memory.tiling_smem");
    assert_int_equal(a.advice[0].tried, 500);
    assert_int_equal(a.on_operator, 500);
    lore_arena_free(&arena);
    lore_evidence_free(ix);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_bear_on_their_own_operator_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
