// uses: api
/* Which lessons an answer shows: those of the operator, the technique and chips of the same kind,
 * traps first, no headings without a lesson below. Titles are those of a public wiki. */
#include "service/api/lessons.h"

#include <ftw.h>

#include "db/files.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/recommend/recommend.h"
#include "tests/unit/two_readers.h"

#define ID(tail) "01J000000000000000000000" tail
#define LESSON(id, kind, title, scope)                                                             \
    "{\"id\":\"" ID(id) "\",\"kind\":\"" kind "\",\"title\":\"" title                              \
                        "\",\"body\":\"words\"" scope "}"
#define FLASH ",\"operator\":\"flash_attention\",\"family\":\"attention\""
#define NORM ",\"operator\":\"softmax\",\"family\":\"norm\""
#define PAGE "Pitfalls: FlyDSL Flash Attention on MI308X (gfx942) -- "

static const char some[] =
    "{\"warplore\":1,\"id\":\"" ID("D1") "\",\"insights\":[" LESSON("T1", "anti_strategy",
        PAGE "49. BLOCK_M=64 regresses occupancy", FLASH ",\"chip\":\"mi308x\"") "," LESSON("T2",
        "anti_strategy", PAGE "25. Persistent kernel regresses 3.1%",
        FLASH ",\"chip\":\"mi308x\"") "," LESSON("T3", "anti_strategy",
        PAGE "18. K/V LDS sharing regresses 30%", FLASH ",\"chip\":\"mi308x\"") "," LESSON("H1",
        "technique_card", "Flash Attention Guide -- To Be Added",
        FLASH) "," LESSON("H2", "technique_card", "Flash Attention Guide -- 7. Stopping Conditions",
        FLASH) "," LESSON("H3", "technique_card", "Flash Attention Guide -- Sources",
        FLASH) "," LESSON("C1", "technique_card", "FlashAttention-4 -- Caveats",
        FLASH ",\"arch\":\"blackwell\",\"vendor\":\"nvidia\"") "," LESSON("C2", "technique_card",
        "FlashAttention-4 -- When to Use",
        FLASH ",\"arch\":\"blackwell\",\"vendor\":\"nvidia\"") "," LESSON("C3", "technique_card",
        "Wide loads on any chip", ",\"technique\":\"memory.vectorized_access\"") "," LESSON("P1",
        "technique_card", "NVFP4 Batched GEMV -- Vectorized Loads",
        ",\"operator\":\"gemv\",\"family\":\"gemm\",\"technique\":\"memory.vectorized_"
        "access\"") "," LESSON("S1", "doc", "Softmax on Ampere",
        NORM ",\"chip\":\"a6000\"") "," LESSON("S2", "anti_strategy", "Do not pad rows",
        NORM ",\"chip\":\"a6000\",\"labels\":[\"memory\"]") "]}";

static int
open_filled(void **state)
{
    fixture_open(state);
    return put(*state, some);
}

static struct lore_db *asked; /* NULL: the fixture's */

/* The tails of what is shown, in order: "T2 T1 C3". */
static const char *
shown(struct fixture *f, const char *op, const char *chip, const char *technique)
{
    const struct lore_operator *known = lore_operator_find(op);
    struct lore_question q = {
        .op = op, .family = known != NULL ? known->family : NULL, .chip = lore_chip_find(chip)};
    struct lore_advice advice = {.technique = technique};
    struct lore_answer a = {.advice = &advice, .n_advice = technique != NULL};
    struct lore_lessons l = {0};
    const char *out = "";

    assert_non_null(q.chip);
    ok(f, lore_lessons_find(asked ? asked : f->db, &q, &a, &f->arena, &l, &f->err));
    for (size_t i = 0; i < l.n; i++)
        out = lore_format(&f->arena, "%s%s%s", out, i ? " " : "", l.v[i].l.id + 24);
    return out;
}

static void
traps_of_the_operator_on_a_like_chip_come_first_and_two_of_a_page(void **state)
{
    assert_string_equal(shown(*state, "flash_attention", "mi300x", NULL), "T3 T2");
}

static void
what_was_learned_on_another_makers_chips_is_not_shown(void **state)
{
    assert_string_equal(shown(*state, "flash_attention", "b200", NULL), "C1 C2");
}

static void
a_lesson_on_a_technique_of_the_answer_is_shown_unless_it_is_of_another_operator(void **state)
{
    assert_string_equal(
        shown(*state, "flash_attention", "b200", "memory.vectorized_access"), "C1 C2 C3");
    assert_string_equal(shown(*state, "frobnicate", "b200", "memory.vectorized_access"), "C3");
}

static void
a_trap_of_a_technique_carries_over_to_another_operator(void **state)
{
    struct lore_question q = {
        .op = "topk_softmax", .family = "moe", .chip = lore_chip_find("mi300x")};
    struct lore_lesson l = {.id = "x",
        .kind = "anti_strategy",
        .op = "softmax",
        .title = "Unrolling spills on wide rows",
        .technique = "compute.loop_unroll",
        .family = "norm",
        .chip = "mi300x"};

    (void)state;
    assert_true(lore_lesson_relevance(&l, &q) > 0);
    l.kind = "technique_card";
    assert_true(lore_lesson_relevance(&l, &q) <= 0);
    l.kind = "anti_strategy";
    l.chip = "h200";
    assert_true(lore_lesson_relevance(&l, &q) <= 0);
}

static void
a_trap_comes_before_a_document_and_nothing_is_made_up(void **state)
{
    assert_string_equal(shown(*state, "softmax", "a4000", NULL), "S2 S1");
    assert_string_equal(shown(*state, "frobnicate", "a4000", NULL), "");
}

static void
headings_without_a_lesson_are_no_lesson(void **state)
{
    static const char *const titles[] = {"Guide -- To Be Added", "Guide -- Stopping Conditions",
        "CUDA GEMM Optimization Ladder -- When To Stop", "NVFP4 Batched GEMV -- Sources",
        "Gluon Guide -- Prerequisites", "Gluon Guide -- Step 5: Output Optimization Results",
        "Fused MoE -- FP8 Block-Scale -- Framework Baselines (B200)", "Guide -- 12. ", "TODO"};
    struct lore_question q = {.op = "gemm", .family = "gemm"};
    struct lore_lesson l = {.id = "x", .kind = "technique_card", .op = "gemm", .family = "gemm"};

    (void)state;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        l.title = titles[i];
        if (lore_lesson_relevance(&l, &q) > 0)
            fail_msg("shown: %s", titles[i]);
    }
    l.title = "Guide -- Sources of bank conflicts";
    assert_true(lore_lesson_relevance(&l, &q) > 0);
}

static void
a_lesson_newer_than_the_askers_snapshot_waits_for_the_next_question(void **state)
{
    struct fixture *f = *state;
    struct lore_lesson *rows;
    size_t n;

    two_readers_open(f);
    asked = one;
    ok(f, lore_db_snapshot(one, &f->err));
    assert_string_equal(shown(f, "softmax", "a4000", NULL), "S2 S1");
    take(f, "D2",
        "'insights':[{'id':'01J000000000000000000000S3','kind':'anti_strategy','title':'W',"
        "'operator':'softmax','family':'norm','chip':'a6000','body':'w'}]");
    ok(f, lore_db_list_lessons(
              other, &(struct lore_lesson_scope){.op = "softmax"}, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 3);
    assert_string_equal(shown(f, "softmax", "a4000", NULL), "S2 S1");
    lore_db_snapshot_end(one);
    assert_string_equal(shown(f, "softmax", "a4000", NULL), "S3 S2 S1");
    asked = NULL;
    two_readers_close();
}

/* Rows that looking for lessons has stepped over one by one so far. */
static int
rows_scanned(const struct fixture *f)
{
    int n = 0;

    for (size_t i = 0; i < LORE_DB_STATEMENTS; i++) {
        const struct lore_slot *s = &f->db->slots[i];
        if (s->s && strstr(s->sql, "FROM fact_insight i WHERE ("))
            n += sqlite3_stmt_status(s->s, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0);
    }
    return n;
}

static void
lessons_on_something_else_are_not_looked_through(void **state)
{
    struct fixture *f = *state;
    const char *many = "'insights':[";
    int before, first;

    assert_string_equal(shown(f, "softmax", "a4000", "memory.vectorized_access"), "S2 S1 C3");
    first = rows_scanned(f);
    for (int i = 0; i < 200; i++)
        many = lore_format(&f->arena,
            "%s%s{'id':'01J0000000000000000000%04d','kind':'note','title':'Tiles','body':'words',"
            "'operator':'gemm','family':'gemm','technique':'compute.loop_unroll'}",
            many, i > 0 ? "," : "", 2000 + i);
    take(f, "D2", lore_format(&f->arena, "%s]", many));
    before = rows_scanned(f);
    assert_string_equal(shown(f, "softmax", "a4000", "memory.vectorized_access"), "S2 S1 C3");
    assert_int_equal(rows_scanned(f) - before, first);
}

static size_t n_cards, n_shown;

static int
judge_card(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    static const char *const empty[] = {"-- To Be Added", "-- Stopping Conditions", "-- Sources",
        "-- When To Stop", "-- Prerequisites"};
    struct lore_question q = {.op = "gemm", .family = "gemm"};
    struct lore_lesson l = {.kind = "technique_card", .op = "gemm", .family = "gemm"};
    struct lore_arena arena = {0};
    struct lore_buf text = {0};
    struct lore_json *root = NULL;

    (void)st;
    (void)ftw;
    if (type != FTW_F || !strstr(path, "/technique-card/"))
        return 0;
    assert_int_equal(lore_file_read(path, &text, NULL), LORE_OK);
    assert_int_equal(lore_json_parse(text.data, text.len, NULL, &arena, &root, NULL), LORE_OK);
    const struct lore_json *title =
        lore_json_get(lore_json_get(lore_json_get(root, "payload"), "problem"), "statement");
    if (title && title->str) {
        l.title = title->str;
        bool is_shown = lore_lesson_relevance(&l, &q) > 0;
        for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
            const char *at = strstr(l.title, empty[i]);
            if (is_shown && at && at[strlen(empty[i])] == '\0')
                fail_msg("shown: %s", l.title);
        }
        n_cards++;
        n_shown += is_shown;
    }
    lore_buf_free(&text);
    lore_arena_free(&arena);
    return 0;
}

static void
of_a_whole_wiki_the_empty_headings_go_and_the_cards_stay(void **state)
{
    const char *data = getenv("WARPLORE_DATA");
    char path[512];

    (void)state;
    snprintf(path, sizeof path, "%s/gpu-wiki/kernel_wiki/records",
        data != NULL ? data : SOURCE_DIR "/../shared/data");
    if (nftw(path, judge_card, 16, FTW_PHYS) != 0)
        skip(); /* the wiki is not at hand */
    assert_true(n_cards > 400);
    assert_true(n_shown < n_cards);
    assert_true(n_shown > n_cards * 8 / 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_filled, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(traps_of_the_operator_on_a_like_chip_come_first_and_two_of_a_page),
        TEST(what_was_learned_on_another_makers_chips_is_not_shown),
        TEST(a_lesson_on_a_technique_of_the_answer_is_shown_unless_it_is_of_another_operator),
        TEST(a_trap_comes_before_a_document_and_nothing_is_made_up),
        TEST(a_lesson_newer_than_the_askers_snapshot_waits_for_the_next_question),
        TEST(lessons_on_something_else_are_not_looked_through),
        cmocka_unit_test(a_trap_of_a_technique_carries_over_to_another_operator),
        cmocka_unit_test(of_a_whole_wiki_the_empty_headings_go_and_the_cards_stay),
        cmocka_unit_test(headings_without_a_lesson_are_no_lesson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
