/* One small memory per test: experiments whose defaults are measured, correct, CUDA,
 * and the answer to a question. Use TEST() to list the tests. */
#ifndef LORE_TESTS_UNIT_RECOMMEND_CASE_H
#define LORE_TESTS_UNIT_RECOMMEND_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/recommend/recommend.h"
#include "tests/unit/near.h"

#define VECTORIZE "memory.vectorized_access"
#define SHUFFLE "compute.warp_shuffle"
#define UNROLL "compute.loop_unroll"

/* Bottlenecks that the three are for. */
enum { LIMITS = 1u << LORE_L_MEMORY | 1u << LORE_L_COMPUTE };

static struct lore_evidence_index *ix;
static struct lore_arena arena;
static struct lore_answer answer;
static int serial;

static int
begin(void **state)
{
    (void)state;
    ix = lore_evidence_new();
    serial = 0;
    return 0;
}

static int
end(void **state)
{
    (void)state;
    lore_evidence_free(ix);
    lore_arena_free(&arena);
    return 0;
}

/* One more experiment; SPEEDUP 0: not measured. */
static struct lore_evidence_in
base(const char *technique, const char *op, const char *chip, double speedup)
{
    static char id[27];

    snprintf(id, sizeof id, "01KAHVBV00%016d", ++serial);
    const struct lore_operator *known = lore_operator_find(op);
    return (struct lore_evidence_in){.experiment = id,
        .op = op,
        .family = known != NULL ? known->family : NULL,
        .chip = chip,
        .language = "cuda",
        .technique = technique,
        .labels = LIMITS,
        .correctness = LORE_C_PASS,
        .evidence = LORE_EV_MEASURED,
        .speedup = speedup,
        .seq = serial,
        .effect = speedup <= 0      ? LORE_X_NOT_MEASURED
                  : speedup > 1.05  ? LORE_X_WIN
                  : speedup >= 0.98 ? LORE_X_NEUTRAL
                                    : LORE_X_LOSS};
}

static void
add(const char *technique, const char *op, const char *chip, double speedup)
{
    struct lore_evidence_in in = base(technique, op, chip, speedup);
    lore_evidence_add(ix, &in);
}

static struct lore_question
question(const char *op, const char *chip)
{
    return (struct lore_question){.op = op,
        .language = LORE_LANG_CUDA,
        .labels = LIMITS,
        .chip = chip != NULL ? lore_chip_find(chip) : NULL};
}

static void
ask(const char *op, const char *chip)
{
    struct lore_question q = question(op, chip);
    lore_recommend(ix, &q, &arena, &answer);
}

static const struct lore_advice *
find(const struct lore_advice *list, size_t n, const char *technique)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].technique, technique) == 0)
            return &list[i];
    }
    return NULL;
}

static const struct lore_advice *
advised(const char *technique)
{
    return find(answer.advice, answer.n_advice, technique);
}

static const struct lore_advice *
avoided(const char *technique)
{
    return find(answer.avoid, answer.n_avoid, technique);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
