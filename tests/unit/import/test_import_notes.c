// uses: import
/* Notes in Markdown: what becomes an insight, what a hypothesis, what is counted as not read. */
#include <time.h>
#include <unistd.h>

#include "service/base/xalloc.h"
#include "tests/unit/import_intake.h"

static struct lore_submission
read_file(struct taken *t, const char *path)
{
    take(t, path);
    return decoded(t, format_named(t, "notes"));
}

static const struct lore_insight *
insight(const struct lore_submission *doc, const char *begins)
{
    for (size_t i = 0; i < doc->n_insights; i++)
        if (lore_starts(doc->insights[i].body, begins))
            return &doc->insights[i];
    fail_msg("no insight \"%s\"", begins);
    return NULL;
}

static const struct lore_hypothesis *
hypothesis(const struct lore_submission *doc, const char *begins)
{
    for (size_t i = 0; i < doc->n_hypotheses; i++)
        if (lore_starts(doc->hypotheses[i].claim, begins))
            return &doc->hypotheses[i];
    fail_msg("no hypothesis \"%s\"", begins);
    return NULL;
}

static void
a_technique_with_its_effect_is_an_insight_of_the_place_that_the_headings_name(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "notes/diary.md");
    const struct lore_insight *x = insight(&doc, "Swizzled shared memory");

    assert_int_equal(doc.n_insights, 4);
    assert_string_equal(x->verdict, "did not help");
    assert_string_equal(x->op, "gemm");
    assert_string_equal(x->chip, "h100");
    assert_string_equal(x->provenance.external_id, "line 6");
    assert_string_equal(x->provenance.quote, x->body);
    assert_string_equal(insight(&doc, "cp.async")->verdict, "1.3x faster");
    x = insight(&doc, "Register blocking 8x8 spills registers and was 12 % slower");
    assert_string_equal(x->technique, "compute.register_tile");
    assert_string_equal(x->provenance.external_id, "line 8");
    assert_string_equal(insight(&doc, "Vectorised loads")->op, "softmax");
    for (size_t i = 0; i < doc.n_insights; i++) /* also those that name two */
        assert_non_null(doc.insights[i].technique);
    assert_int_equal(doc.n_experiments + doc.n_runs + doc.n_kernels, 0);
}

static void
an_intention_or_expectation_is_a_hypothesis(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "notes/diary.md");

    assert_int_equal(doc.n_hypotheses, 4);
    assert_string_equal(
        hypothesis(&doc, "TODO: try stream-K")->raw_text, "TODO: try stream-K for the tail");
    assert_non_null(strstr(hypothesis(&doc, "Next: vector")->extra, "\"chip\":\"mi300x\""));
    assert_string_equal(hypothesis(&doc, "Next: vector")->chip, "mi300x");
    assert_string_equal(hypothesis(&doc, "Next: vector")->op, "gemm");
    assert_non_null(strstr(hypothesis(&doc, "Loop unrolling should")->extra, "\"line\":15"));
    assert_non_null(strstr(hypothesis(&doc, "persistent kernel")->extra, "\"heading\":\"Ideas\""));
}

static void
what_is_not_read_is_named_with_its_line(void **state)
{
    struct taken *t = *state;

    (void)read_file(t, FIXTURES "notes/diary.md");
    const struct lore_intake_format *f = format_named(t, "notes");
    assert_int_equal(noted(f, LORE_IL_EXTRA, "it names no technique"), 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "a question"), 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "neither effect nor intention"), 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, ": code; in"), 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "a table of 2 rows, tile, time"), 1);
}

static void
underlined_headings_and_other_bullets_are_read(void **state)
{
    struct lore_submission doc = read_file(*state, FIXTURES "notes/notes.md");
    const struct lore_insight *x = insight(&doc, "Padding of shared memory");

    assert_int_equal(doc.n_insights, 3);
    assert_int_equal(doc.n_hypotheses, 1);
    assert_string_equal(x->op, "softmax");
    assert_string_equal(x->arch, "cdna3");
    assert_null(x->chip);
    assert_string_equal(x->title, "Padding of shared memory was reverted, no gain on gfx942");
    assert_string_equal(insight(&doc, "Persistent kernels hang")->op, "rmsnorm");
}

static void
text_without_such_sentences_is_not_taken(void **state)
{
    struct taken *t = *state;
    struct lore_err err = {0};

    lore_intake_begin(&t->k, &t->arena);
    assert_int_not_equal(
        lore_intake_path(&t->k, SOURCE_DIR "/tests/http/README.md", &err), LORE_OK);
    assert_int_equal(t->k.n_formats, 0);
}

/* Sentences without end, and one without an end, take time in proportion to their length. */
static void
bombs_end_soon(void **state)
{
    const size_t n = 128u << 10; /* sanitizers measure each text anew */
    static const char *const parts[] = {"a. ", "swizzle 1.1x faster ", "- x\n", "[", "# h\n"};
    char path[] = "/tmp/notes-XXXXXX.md", *text = lore_xalloc(n + 1);

    (void)state;
    int fd = mkstemps(path, 3);
    assert_true(fd >= 0);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        struct taken t = {0};
        size_t len = strlen(parts[p]);
        for (size_t i = 0; i < n; i++)
            text[i] = parts[p][i % len];
        memcpy(text, "- swizzle: 2x faster.\n", 22);
        assert_int_equal(pwrite(fd, text, n, 0), (ssize_t)n);
        clock_t began = clock();
        take(&t, path);
        assert_true((double)(clock() - began) / CLOCKS_PER_SEC < 60);
        assert_int_equal(format_named(&t, "notes")->in.records >= 1, 1);
        lore_arena_free(&t.arena);
    }
    close(fd);
    unlink(path);
    lore_xfree(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_technique_with_its_effect_is_an_insight_of_the_place_that_the_headings_name),
        INTAKE(an_intention_or_expectation_is_a_hypothesis),
        INTAKE(what_is_not_read_is_named_with_its_line),
        INTAKE(underlined_headings_and_other_bullets_are_read),
        INTAKE(text_without_such_sentences_is_not_taken),
        cmocka_unit_test(bombs_end_soon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
