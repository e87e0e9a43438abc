// uses: derive
/* The techniques of a version's line: where each came in, and what took it out again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "service/derive/line.h"

#define TILING "memory.tiling_smem"
#define VECTORS "memory.vectorized_access"

static struct lore_arena arena;
static struct lore_line lines[9];

#define PARENTS(...)                                                                               \
    .parents = (const struct lore_parent[]){__VA_ARGS__},                                          \
    .n_parents = sizeof((const struct lore_parent[]){__VA_ARGS__}) / sizeof(struct lore_parent)
#define USES(...)                                                                                  \
    .uses = (struct lore_line_use[]){__VA_ARGS__},                                                 \
    .n_uses = sizeof((struct lore_line_use[]){__VA_ARGS__}) / sizeof(struct lore_line_use)

/* "tiling v1, vectors v2 -v3": names with the version that brought them in, and took them out. */
static const char *
say(size_t i)
{
    const char *text = "";

    for (size_t k = 0; k < lines[i].n; k++) {
        const struct lore_line_technique *t = lines[i].v[k];
        const char *name = strcmp(t->name, TILING) == 0    ? "tiling"
                           : strcmp(t->name, VECTORS) == 0 ? "vectors"
                                                           : t->name;
        text = lore_format(&arena, "%s%s%s %s%s%s", text, k ? ", " : "", name, t->in->id,
            t->out ? " -" : "", t->out ? t->out->id : "");
    }
    return text;
}

static int
ended(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
a_version_has_the_techniques_of_its_whole_line(void **state)
{
    const struct lore_line_version v[] = {
        {.id = "v2",
            PARENTS({"v1", LORE_E_NONE}),
            USES({VECTORS, NULL, "x2", false, false, false, false, false},
                {VECTORS, NULL, "x2b", false, false, false, false, false})},
        {.id = "v1",
            PARENTS({"v0", LORE_E_NONE}),
            USES({TILING, NULL, "x1", false, false, false, false, false})},
        {.id = "v0"},
        {.id = "v3",
            PARENTS({"v2", LORE_E_DERIVED_FROM}),
            USES({TILING, NULL, "x3", false, false, false, false, false})},
        {.id = "lost", PARENTS({"gone", LORE_E_DERIVED_FROM})},
    };
    (void)state;

    lore_lines(v, 5, &arena, lines);
    assert_string_equal(say(2), "");
    assert_string_equal(say(1), "tiling v1");
    assert_string_equal(say(0), "tiling v1, vectors v2");
    assert_string_equal(say(3), "tiling v1, vectors v2"); /* it had tiling already */
    assert_string_equal(say(4), "");
    assert_string_equal(lines[0].v[1]->in_experiment, "x2");
}

static void
reverts_removals_and_ablations_take_out(void **state)
{
    const struct lore_line_version v[] = {
        {.id = "v1", USES({TILING, NULL, "x1", false, false, false, false, false})},
        {.id = "v2",
            PARENTS({"v1", LORE_E_NONE}),
            USES({VECTORS, NULL, "x2", false, false, false, false, false})},
        {.id = "r", PARENTS({"v2", LORE_E_REVERT_OF})},
        {.id = "v3",
            PARENTS({"v2", LORE_E_NONE}),
            USES({TILING, "Remove the shared memory tiling", "x3", false, false, false, false,
                false})},
        {.id = "a",
            PARENTS({"v2", LORE_E_ABLATION_OF}),
            .ablation = true,
            USES({VECTORS, NULL, NULL, true, false, false, false, false},
                {"padding", NULL, "xa", false, false, false, false, false})},
        {.id = "v4",
            PARENTS({"v3", LORE_E_NONE}),
            USES({TILING, NULL, "x4", false, false, false, false, false})},
        {.id = "after", PARENTS({"a", LORE_E_NONE})},
    };
    (void)state;

    lore_lines(v, 7, &arena, lines);
    assert_string_equal(say(2), "tiling v1, vectors v2 -r");
    assert_string_equal(say(3), "tiling v1 -v3, vectors v2");
    assert_string_equal(lines[3].v[0]->out_experiment, "x3");
    assert_string_equal(say(4), "tiling v1, vectors v2 -a"); /* and brings no padding in */
    assert_string_equal(say(5), "tiling v1 -v3, vectors v2, tiling v4");
    assert_string_equal(say(1),
        "tiling v1, vectors v2"); /* later versions do not change the line of an earlier one */
    assert_string_equal(say(6), "tiling v1, vectors v2 -a");
}

static void
words_say_which_of_several_goes_out(void **state)
{
    const char *raw = "no shared memory tiling, float4 loads";
    const struct lore_line_version v[] = {
        {.id = "v1", USES({TILING, NULL, "x1", false, false, false, false, false})},
        {.id = "v2",
            PARENTS({"v1", LORE_E_NONE}),
            USES({TILING, raw, "x2", false, true, false, false, false},
                {VECTORS, raw, "x2", false, false, false, false, false})},
        {.id = "v3",
            PARENTS({"v2", LORE_E_NONE}),
            USES({VECTORS, "float4 loads", "x3", false, true, false, false, false},
                {"b", NULL, "x3", false, true, false, false, false})},
    };
    (void)state;

    lore_lines(v, 3, &arena, lines);
    assert_string_equal(say(1), "tiling v1 -v2, vectors v2");
    assert_string_equal(say(2), "tiling v1 -v2, vectors v2"); /* planned, not done */
}

static void
a_merge_has_what_either_parent_has(void **state)
{
    const struct lore_line_version v[] = {
        {.id = "v1", USES({TILING, NULL, "x1", false, false, false, false, false})},
        {.id = "b1",
            PARENTS({"v1", LORE_E_NONE}),
            USES(
                {TILING, "without shared memory tiling", "x2", false, false, false, false, false})},
        {.id = "b2",
            PARENTS({"v1", LORE_E_BRANCH_OF}),
            USES({VECTORS, NULL, "x3", false, false, false, false, false})},
        {.id = "m", PARENTS({"b1", LORE_E_NONE}, {"b2", LORE_E_MERGED_FROM})},
        {.id = "loop", PARENTS({"loop", LORE_E_NONE})},
    };
    struct lore_texts only;
    (void)state;

    lore_lines(v, 5, &arena, lines);
    assert_string_equal(say(1), "tiling v1 -b1");
    assert_string_equal(say(3), "tiling v1, vectors b2");
    only = lore_line_only(&lines[3], &lines[1], &arena);
    assert_int_equal(only.n, 2);
    assert_string_equal(only.v[0], TILING);
    assert_int_equal(lore_line_only(&lines[1], &lines[3], &arena).n, 0);
}

/* How the technique NAME of line I is known; 0: it is not in. */
static unsigned
known(size_t i, const char *name)
{
    for (size_t k = 0; k < lines[i].n; k++)
        if (!lines[i].v[k]->out && strcmp(lines[i].v[k]->name, name) == 0)
            return lines[i].v[k]->known;
    return 0;
}

static void
a_source_shows_what_is_in_and_what_is_gone(void **state)
{
    const struct lore_line_version v[] = {
        {.id = "v0", .shown = {.words = TILING}},
        {.id = "v1",
            PARENTS({"v0", LORE_E_NONE}),
            USES({VECTORS, NULL, "x1", false, false, true, false, false}),
            .shown = {.source = VECTORS ",compute.no_alias", .params = "memory.split_k"}},
        {.id = "v2",
            PARENTS({"v1", LORE_E_NONE}),
            .shown = {.source = "compute.no_alias",
                .lacks = VECTORS,
                .moot = "memory.smem_padding"}},
        {.id = "v3",
            PARENTS({"v1", LORE_E_NONE}),
            USES({VECTORS, NULL, "x3", false, false, false, false, false}),
            .shown = {.lacks = VECTORS}},
        {.id = "v4",
            PARENTS({"v1", LORE_E_ABLATION_OF}),
            .ablation = true,
            USES({VECTORS, NULL, NULL, true, false, false, false, false}),
            .shown = {.source = VECTORS}},
        {.id = "v5", PARENTS({"v2", LORE_E_NONE}), .shown = {.lacks = VECTORS}},
        {.id = "v6", PARENTS({"v1", LORE_E_NONE})},
        {.id = "v7",
            PARENTS({"v6", LORE_E_NONE}),
            USES({"compute.no_alias", NULL, "x7", false, false, false, false, false})},
        {.id = "v8", PARENTS({"v6", LORE_E_NONE}), .shown = {.source = TILING}},
    };

    (void)state;
    lore_lines(v, 9, &arena, lines);
    assert_int_equal(known(0, TILING), LORE_KNOWN_SUMMARY);
    assert_int_equal(known(1, TILING), LORE_KNOWN_SUMMARY);
    assert_int_equal(known(1, VECTORS), LORE_KNOWN_TAG | LORE_KNOWN_SOURCE | LORE_KNOWN_ISA);
    assert_int_equal(known(1, "compute.no_alias"), LORE_KNOWN_SOURCE);
    assert_int_equal(known(1, "memory.split_k"), LORE_KNOWN_PARAMETER);
    assert_int_equal(known(2, VECTORS), 0); /* its source lacks what an ancestor's tag says */
    assert_string_equal(lines[2].moot, "memory.smem_padding");
    assert_true(known(3, VECTORS) != 0 || strstr(say(3), "v3"));
    assert_int_equal(known(4, VECTORS), 0); /* an ablation took it out, whatever is left of it */
    /* it went out at the first version that lacks it, not at the one that is asked about */
    assert_non_null(strstr(say(5), "vectors v1 -v2"));
    /* what the source of an ancestor shows is in a version without one, until one has a source */
    assert_int_equal(known(6, "compute.no_alias"), LORE_KNOWN_BEFORE);
    assert_int_equal(known(6, VECTORS), LORE_KNOWN_TAG | LORE_KNOWN_ISA | LORE_KNOWN_BEFORE);
    assert_int_equal(known(7, "compute.no_alias"), LORE_KNOWN_TAG);
    assert_int_equal(known(8, "compute.no_alias"), 0);
    assert_int_equal(known(8, VECTORS), LORE_KNOWN_TAG | LORE_KNOWN_ISA);
}

#define COMPARED(...)                                                                              \
    .compared = (const struct lore_parent[]){__VA_ARGS__},                                         \
    .n_compared = sizeof((const struct lore_parent[]){__VA_ARGS__}) / sizeof(struct lore_parent)

/* A log that only compares: v1 gained, v2 lost, v3 says what it kept. */
static void
of_earlier_attempts_of_a_log_only_gains_are_perhaps_in(void **state)
{
    const struct lore_line_version v[] = {
        {.id = "v0"},
        {.id = "v1",
            COMPARED({"v0", LORE_E_DERIVED_FROM}),
            USES({.technique = TILING, .experiment = "x1", .gained = true})},
        {.id = "v2",
            COMPARED({"v1", LORE_E_DERIVED_FROM}),
            USES({.technique = VECTORS, .experiment = "x2"})},
        {.id = "v3",
            COMPARED({"v2", LORE_E_DERIVED_FROM}),
            USES({.technique = "a", .experiment = "x3"},
                {.technique = "b", .experiment = "x3", .kept = true})},
        {.id = "v4",
            COMPARED({"v3", LORE_E_DERIVED_FROM}),
            USES({.technique = TILING, .experiment = "x4"})},
    };

    (void)state;
    lore_lines(v, 5, &arena, lines);
    assert_string_equal(say(1), "tiling v1");
    assert_int_equal(known(1, TILING), LORE_KNOWN_TAG);
    assert_string_equal(say(2), "tiling v1, vectors v2");
    assert_int_equal(known(2, TILING), LORE_KNOWN_LOG);
    assert_int_equal(known(3, VECTORS), 0); /* v2 lost with it */
    assert_int_equal(known(3, TILING), LORE_KNOWN_LOG);
    assert_int_equal(known(3, "a"), LORE_KNOWN_TAG);
    assert_int_equal(known(3, "b"), LORE_KNOWN_KEPT);
    assert_int_equal(known(4, "a"), 0);
    assert_int_equal(known(4, "b"), 0);
    assert_int_equal(known(4, TILING), LORE_KNOWN_TAG); /* its own step says so */
    assert_true(lines[3].loose && !lines[0].loose);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_version_has_the_techniques_of_its_whole_line, ended),
        cmocka_unit_test_teardown(reverts_removals_and_ablations_take_out, ended),
        cmocka_unit_test_teardown(words_say_which_of_several_goes_out, ended),
        cmocka_unit_test_teardown(a_merge_has_what_either_parent_has, ended),
        cmocka_unit_test_teardown(a_source_shows_what_is_in_and_what_is_gone, ended),
        cmocka_unit_test_teardown(of_earlier_attempts_of_a_log_only_gains_are_perhaps_in, ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
