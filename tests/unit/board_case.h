/* One small board per test: entries whose defaults are a measured, correct run of softmax, and the
 * rows of a query. Each test program that includes this gets its own board; use TEST() to list its
 * tests. */
#ifndef LORE_TESTS_UNIT_BOARD_CASE_H
#define LORE_TESTS_UNIT_BOARD_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/board/board.h"
#include "tests/unit/near.h"

static struct lore_board *ix;
static struct lore_arena arena;
static struct lore_board_row *rows;
static size_t n, total;
static int serial;

static inline void
retract(struct lore_board *board, const char *record, bool retracted)
{
    lore_board_follow(board, record, &(struct lore_board_standing){.retracted = retracted});
}

static int
begin(void **state)
{
    (void)state;
    ix = lore_board_new();
    serial = 0;
    return 0;
}

static int
end(void **state)
{
    (void)state;
    lore_board_free(ix);
    lore_arena_free(&arena);
    return 0;
}

static const char *
next_id(void)
{
    return lore_format(&arena, "01KAHVBV00%016d", ++serial);
}

/* A measured, correct run of VERSION. */
static struct lore_entry
run(const char *version, double time_ns)
{
    return (struct lore_entry){.op = "softmax",
        .family = "norm",
        .chip = "a6000",
        .workload = "w1",
        .workload_label = "N=10240 D=1024",
        .language = LORE_LANG_CUDA,
        .kernel = "K1",
        .kernel_name = "softmax.cu",
        .version = version,
        .version_label = version,
        .version_kind = strcmp(version, "v0") == 0 ? LORE_V_BASELINE : LORE_V_CANDIDATE,
        .run = next_id(),
        .time_ns = time_ns,
        .n_samples = 30,
        .evidence = LORE_EV_MEASURED,
        .correctness = LORE_C_PASS,
        .seq = serial,
        .at_us = serial};
}

/* A stated result of an experiment. */
static struct lore_entry
claim(const char *version, double time_ns, double speedup)
{
    struct lore_entry e = run(version ? version : "none", time_ns);

    e.version = e.version_label = version;
    e.experiment = e.run;
    e.run = NULL;
    e.n_samples = 0;
    e.evidence = LORE_EV_CLAIMED;
    e.correctness = LORE_C_NOT_CHECKED;
    e.speedup = speedup;
    e.effect = speedup > 1.05 ? LORE_X_WIN : LORE_X_LOSS;
    return e;
}

static inline void
put(struct lore_entry e)
{
    lore_board_add(ix, &e);
}

static inline const struct lore_board_row *
only(void)
{
    struct lore_board_filter f = {0};

    lore_board(ix, &f, &arena, &rows, &n, &total);
    assert_int_equal(n, 1);
    return rows;
}

static void
query(struct lore_board_filter f)
{
    lore_board(ix, &f, &arena, &rows, &n, &total);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
