// uses: derive
/* Duplicate re-runs, as the experience files have them: proposed, previewed, never merged alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/merging.h"

static struct lore_arena arena;
static struct lore_err err;
static struct lore_merge_group *groups;
static size_t n_groups;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static const char *const tile[] = {"memory.tiling", "memory.vectorized_access"};
static const char *const elit[] = {"memory.vectorized_access", "memory.tiling", "memory.tiling"};

static struct lore_merge_row
row(const char *id, double before, double after)
{
    return (struct lore_merge_row){.id = id,
        .op = "softmax",
        .language = "cuda",
        .chip = "sm_86",
        .workload = "w",
        .techniques = tile,
        .n_techniques = 2,
        .effect = LORE_X_WIN,
        .before_ns = {true, before},
        .after_ns = {true, after},
        .speedup = {true, before / after}};
}

static void
equal_reruns_are_proposed_once(void **state)
{
    struct lore_merge_row rows[] = {
        row("a", 100, 50), row("b", 200, 50), row("c", 100, 50), row("d", 200, 50), row("e", 9, 8)};

    (void)state;
    rows[2].techniques = elit; /* the same set in another order */
    rows[2].n_techniques = 3;
    lore_merging_propose(rows, 5, &arena, &groups, &n_groups);
    assert_int_equal(n_groups, 2);
    assert_int_equal(groups[0].n_members, 2);
    assert_int_equal(groups[0].members[0], 0);
    assert_int_equal(groups[0].members[1], 2);
    assert_int_equal(groups[1].members[0], 1);
    assert_false(groups[0].conflict);
}

static void
anything_that_differs_keeps_rows_apart(void **state)
{
    struct lore_merge_row rows[2] = {row("a", 100, 50), row("b", 100, 50)};

    (void)state;
    for (int part = 0; part < 7; part++) {
        rows[1] = row("b", 100, 50);
        const char **texts[] = {&rows[1].op, &rows[1].language, &rows[1].chip, &rows[1].workload};
        if (part < 4)
            *texts[part] = "other";
        else if (part == 4)
            rows[1].n_techniques = 1;
        else if (part == 5)
            rows[1].after_ns.v += 1e-9;
        else
            rows[1].speedup.set = false;
        lore_merging_propose(rows, 2, &arena, &groups, &n_groups);
        assert_int_equal(n_groups, 0);
    }
}

static void
rows_without_numbers_or_operator_are_no_duplicates(void **state)
{
    struct lore_merge_row rows[2] = {row("a", 1, 1), row("b", 1, 1)};

    (void)state;
    for (int i = 0; i < 2; i++)
        rows[i].before_ns.set = rows[i].after_ns.set = rows[i].speedup.set = false;
    lore_merging_propose(rows, 2, &arena, &groups, &n_groups);
    assert_int_equal(n_groups, 0);
    rows[0] = row("a", 1, 1);
    rows[1] = row("b", 1, 1);
    rows[0].op = rows[1].op = NULL;
    lore_merging_propose(rows, 2, &arena, &groups, &n_groups);
    assert_int_equal(n_groups, 0);
}

static struct lore_merge_group previewed;

static const struct lore_merge_group *
preview(const struct lore_merge_row *rows, size_t n)
{
    const char *ids[8];

    for (size_t i = 0; i < n; i++)
        ids[i] = rows[i].id;
    struct lore_merge_ids want = {ids, n};
    assert_int_equal(lore_merging_preview(rows, n, &want, &arena, &previewed, &err), LORE_OK);
    return &previewed;
}

static void
the_canonical_one_is_the_best_win_else_the_fastest_else_the_first(void **state)
{
    struct lore_merge_row rows[] = {row("a", 100, 10), row("b", 100, 50), row("c", 100, 40)};

    (void)state;
    rows[0].effect = LORE_X_NEUTRAL; /* fast, but no win */
    assert_int_equal(preview(rows, 3)->canonical, 2);
    assert_true(previewed.conflict);
    rows[2].speedup.set = false; /* a win of unknown size gives way */
    assert_int_equal(preview(rows, 3)->canonical, 1);
    for (int i = 0; i < 3; i++)
        rows[i].effect = LORE_X_LOSS;
    assert_int_equal(preview(rows, 3)->canonical, 0);
    rows[0].after_ns.v = 45;
    assert_int_equal(preview(rows, 3)->canonical, 2);
    for (int i = 0; i < 3; i++)
        rows[i].after_ns.set = false;
    assert_int_equal(preview(rows, 3)->canonical, 0);
}

static void
notes_are_joined_once_and_the_longest_hypothesis_stays(void **state)
{
    struct lore_merge_row rows[] = {row("a", 1, 1), row("b", 1, 1), row("c", 1, 1), row("d", 1, 1)};

    (void)state;
    rows[0].notes = "first";
    rows[1].notes = "";
    rows[2].notes = "first";
    rows[3].notes = "last";
    rows[0].hypothesis = "short";
    rows[2].hypothesis = "the longer one";
    rows[3].hypothesis = "as long as it.";
    rows[0].iteration = "v1";
    rows[3].iteration = "v9";
    const struct lore_merge_group *g = preview(rows, 4);
    assert_string_equal(g->notes, "first | last");
    assert_string_equal(g->hypothesis, "the longer one");
    assert_int_equal(g->n_iterations, 2);
    assert_string_equal(g->iterations[1], "v9");
}

static enum lore_status
wanted(const char *const *ids, size_t n)
{
    struct lore_merge_row rows[] = {row("a", 1, 1), row("b", 1, 1), row("c", 1, 1)};
    struct lore_merge_ids want = {ids, n};

    return lore_merging_preview(rows, 3, &want, &arena, &previewed, &err);
}

static void
unknown_repeated_and_lonely_ids_are_refused(void **state)
{
    static const char *const ab[] = {"a", "b"}, *const ax[] = {"a", "x"}, *const aa[] = {"a", "a"};

    (void)state;
    assert_int_equal(wanted(ab, 2), LORE_OK);
    assert_int_equal(wanted(ax, 2), LORE_NOTFOUND);
    assert_non_null(strstr(err.msg, "members: no experiment x"));
    assert_int_equal(wanted(aa, 2), LORE_CONFLICT);
    assert_int_equal(wanted(ab, 1), LORE_INVALID);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_reruns_are_proposed_once),
        cmocka_unit_test(anything_that_differs_keeps_rows_apart),
        cmocka_unit_test(rows_without_numbers_or_operator_are_no_duplicates),
        cmocka_unit_test(the_canonical_one_is_the_best_win_else_the_fastest_else_the_first),
        cmocka_unit_test(notes_are_joined_once_and_the_longest_hypothesis_stays),
        cmocka_unit_test(unknown_repeated_and_lonely_ids_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
