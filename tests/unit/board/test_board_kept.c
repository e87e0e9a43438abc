// uses: board m
/* What the leaderboard keeps between questions never shows: one that was asked after every step of
 * a story answers as one that is told the story at once. */
#include "tests/unit/board_case.h"

/* Step I of a story, the same for every board: runs, stated results, masks and retractions. */
static void
step(struct lore_board *board, unsigned i)
{
    static const char *const versions[] = {"v0", "v1", "v2", "v3"};
    static const char *const workloads[] = {"w1", "w2", "w3"};
    unsigned dice = (i + 1) * 2654435761u, which = dice >> 8, was = i > 0 ? which % i : 0;
    const char *version = versions[dice >> 12 & 3];
    double time_ns = 100 + (double)(dice >> 16 & 255);
    struct lore_entry e;

    serial = (int)i;
    if (dice % 7 == 0) {
        retract(board, version, which % 2 == 0);
        return;
    }
    if (dice % 7 == 1) {
        serial = (int)was;
        retract(board, next_id(), which % 3 > 0);
        return;
    }
    e = dice % 7 == 2 ? claim(version, time_ns, time_ns / 150) : run(version, time_ns);
    e.workload = e.workload_label = workloads[(dice >> 20) % 3];
    e.env_hard = (dice >> 24) % 4 == 0 ? "other" : NULL;
    e.correctness = (dice >> 26) % 9 == 0 ? LORE_C_FAIL : e.correctness;
    e.masked = (dice >> 27) % 8 == 0;
    lore_board_add(board, &e);
    if (!e.run && dice % 2 == 0) {
        e.masked = !e.masked;
        lore_board_add(board, &e);
    }
}

static void
a_board_that_was_asked_before_answers_as_one_that_was_not(void **state)
{
    size_t with = 0;
    (void)state;

    for (unsigned steps = 1; steps < 150; steps++) {
        struct lore_board *asked_often = ix, *fresh = lore_board_new();
        struct lore_board_row *want;
        size_t n_want;

        step(asked_often, steps - 1);
        for (unsigned i = 0; i < steps; i++)
            step(fresh, i);
        ix = fresh;
        query((struct lore_board_filter){.sort = "-speedup"});
        want = rows;
        n_want = n;
        ix = asked_often;
        query((struct lore_board_filter){.sort = "-speedup"});
        assert_int_equal(n, n_want);
        for (size_t i = 0; i < n; i++) {
            assert_string_equal(rows[i].workload, want[i].workload);
            assert_near(rows[i].speedup.value, want[i].speedup.value, 0);
            with += rows[i].speedup.set;
        }
        lore_board_free(fresh);
    }
    assert_true(with > 100);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_board_that_was_asked_before_answers_as_one_that_was_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
