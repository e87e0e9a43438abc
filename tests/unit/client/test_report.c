// uses: client
// Reports over canned answers: a kernel of which almost nothing is known, and one with everything
// that must be marked. No cell may be empty, no N/A without its reason, nothing may be made up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/client/report/board.h"
#include "collectors/client/report/experiences.h"
#include "collectors/client/report/report.h"
#include "collectors/client/report/sheet.h"
#include "collectors/client/report/workspace.h"
#include "service/base/text.h"

#define K "01M00000000000000000000001"
#define V0 "01M0000000000000000000000A"
#define V1 "01M0000000000000000000000B"
#define V2 "01M0000000000000000000000C"
#define X1 "01M0000000000000000000000D"
#define R1 "01M0000000000000000000000E"
#define R0 "01M0000000000000000000000F"

struct canned {
    const char *path, *body; /* path: what the asked one begins with; the longest answers */
};
struct world {
    struct lore_arena arena;
    struct lore_buf out, notes;
    struct lore_err err;
    struct lore_fetch fetch;
    struct lore_story story;
    const struct canned *answers;
};

static enum lore_status
answer(void *ctx, const char *path, const struct lore_json **out, struct lore_err *err)
{
    struct world *w = ctx;
    const struct canned *best = NULL;
    struct lore_json *root = NULL;

    for (const struct canned *c = w->answers; c->path; c++)
        if (lore_starts(path, c->path) && (!best || strlen(c->path) > strlen(best->path)))
            best = c;
    if (!best)
        return lore_fail(err, LORE_NOTFOUND, "%s", path);
    enum lore_status status =
        lore_json_parse(best->body, strlen(best->body), NULL, &w->arena, &root, err);
    *out = root;
    return status;
}

static struct world *
world_of(void **state, const struct canned *answers)
{
    struct world *w = *state;

    w->answers = answers;
    w->fetch = (struct lore_fetch){.get = answer, .ctx = w, .arena = &w->arena, .notes = &w->notes};
    return w;
}

static struct world *
told(void **state, const struct canned *answers)
{
    struct world *w = world_of(state, answers);

    if (lore_story_read(&w->fetch, K, NULL, &w->story, &w->err) != LORE_OK)
        fail_msg("%s", w->err.msg);
    return w;
}

static int
set_up(void **state)
{
    *state = calloc(1, sizeof(struct world));
    return *state == NULL;
}

static int
tear_down(void **state)
{
    struct world *w = *state;

    lore_buf_free(&w->out);
    lore_buf_free(&w->notes);
    lore_arena_free(&w->arena);
    free(w);
    return 0;
}

#define KERNEL "{\"id\":\"" K "\",\"operator\":\"softmax\",\"name\":\"rows\",\"language\":\"cuda\"}"
#define NO_ROWS "{\"rows\":[],\"next\":null}"

/* One version, and nothing about it. */
static const struct canned bare[] = {{"/api/v1/kernels/" K, KERNEL},
    {"/api/v1/kernels/" K "/history",
        "{\"rows\":[{\"version\":{\"id\":\"" V0 "\",\"kind\":\"candidate\",\"parents\":[]},"
        "\"baseline\":true,\"champion\":false,\"hidden\":false}],\"next\":null}"},
    {NULL, NULL}};

/* A version with a gain over a parent that no record names. */
static const struct canned orphan[] = {{"/api/v1/kernels/" K, KERNEL},
    {"/api/v1/kernels/" K "/history",
        "{\"rows\":[{\"version\":{\"id\":\"" V0 "\",\"kind\":\"candidate\",\"label\":\"v0\","
        "\"parents\":[]},\"time_ns\":1000000,\"speedup_vs_parent\":1.5,"
        "\"baseline\":false,\"champion\":true,\"hidden\":false}],\"next\":null}"},
    {NULL, NULL}};

/* v0 measured; v1 masked, wrong about everything, measured on another chip; a metric that was
 * refused. */
static const struct canned rich[] = {{"/api/v1/kernels/" K, KERNEL},
    {"/api/v1/kernels/" K "/history",
        "{\"rows\":[{\"version\":{\"id\":\"" V0 "\",\"kind\":\"baseline\",\"ordinal\":0,"
        "\"label\":\"v0\",\"parents\":[]},\"run\":{\"id\":\"" R0 "\"},\"time_ns\":2000000,"
        "\"baseline\":true,\"champion\":true,\"hidden\":false},"
        "{\"version\":{\"id\":\"" V1 "\",\"kind\":\"candidate\",\"ordinal\":1,\"label\":\"v1\","
        "\"parents\":[{\"version\":\"" V0 "\",\"kind\":\"restart_from\"}]},"
        "\"experiment\":{\"id\":\"" X1 "\"},\"run\":{\"id\":\"" R1 "\"},\"time_ns\":1000000,"
        "\"speedup_vs_first\":2,\"speedup_vs_parent\":2,\"baseline\":false,\"champion\":false,"
        "\"hidden\":true},{\"version\":{\"id\":\"" V2 "\",\"kind\":\"ablation\",\"label\":\"a\","
        "\"parents\":[{\"version\":\"" V1 "\",\"kind\":\"ablation_of\"}]},\"baseline\":false}],"
        "\"next\":null,\"workload\":\"w\",\"workload_label\":\"M=8 | N=8\"}"},
    {"/api/v1/runs/" R0,
        "{\"id\":\"" R0 "\",\"chip\":\"h200\",\"correctness\":\"pass\",\"tool\":\"t\","
        "\"stats\":{\"n\":3,\"median_ns\":2000000,\"p10_ns\":1900000,\"p90_ns\":2100000,"
        "\"mean_ns\":2000000},\"labels\":[\"memory\"],\"record\":{\"metrics\":{"
        "\"dram__throughput.avg.pct_of_peak_sustained_elapsed\":{\"missing\":\"permission_denied\"}"
        ",\"launch__registers_per_thread\":40,\"smsp__sass_branch_targets.sum\":0,"
        "\"smsp__sass_branch_targets_threads_divergent.sum\":0}}}"},
    {"/api/v1/runs/" R1,
        "{\"id\":\"" R1 "\",\"chip\":\"a100\",\"correctness\":\"fail\",\"stats\":{}}"},
    {"/api/v1/experiments/" X1,
        "{\"id\":\"" X1 "\",\"title\":\"pad | it\\nnow\",\"to_version\":\"" V1 "\","
        "\"from_version\":\"" V0 "\",\"techniques\":[{\"name\":\"memory.smem_padding\"}],"
        "\"outcome\":{\"effect\":\"loss\",\"correctness\":\"fail\",\"speedup\":2},"
        "\"hypothesis_record\":{\"record\":{\"claim\":\"fewer conflicts\",\"change\":\"pad\"}},"
        "\"claim_verdict\":\"invalid\",\"judgements\":[{\"metric\":\"conflicts\",\"verdict\":"
        "\"contradicted\",\"before\":4,\"after\":6,\"why\":\"they rose\"},{\"metric\":\"ipc\","
        "\"verdict\":\"not_measured\",\"why\":\"no number\"}],\"technique_verdicts\":[{"
        "\"technique\":\"memory.smem_padding\",\"verdict\":\"unattributed\",\"contributed\":"
        "\"unknown\",\"isa\":\"not_checked\",\"why\":\"no ablation\"}],\"masks\":[{\"masked\":true,"
        "\"reason\":\"restart\",\"actor\":\"ann\",\"at\":\"2026-11-21T00:00:00Z\"}],"
        "\"record\":{}}"},
    {"/api/v1/experiments?kernel=" K,
        "{\"rows\":[{\"id\":\"" X1 "\",\"to_version\":\"" V1 "\",\"masked\":true,"
        "\"from_version\":\"" V0 "\",\"labels\":[\"sync\"],"
        "\"outcome\":{\"effect\":\"loss\",\"correctness\":\"fail\"}}],\"next\":null}"},
    {"/api/v1/campaigns",
        "{\"rows\":[{\"label\":\"c\",\"iterations\":3,\"noise_threshold_pct\":5,\"stop_reason\":"
        "\"bottleneck_saturated\",\"standing\":{\"state\":\"closed\",\"arrived\":1,"
        "\"expected_records\":3,\"alarm\":true}}],\"next\":null}"},
    {"/api/v1/chips/h200",
        "{\"name\":\"h200\",\"specs\":[{\"cite\":\"l2_bytes: 60 MB <- a.md:2\"},{\"cite\":"
        "\"hbm_bandwidth: 4.8 TB/s <- a.md:9\"},{\"cite\":\"l2_bytes: 60 MB <- a.md:2\"}],"
        "\"unknown\":[{\"cite\":\"peak_clock: UNKNOWN (no_source)\"}],\"disputes\":[{\"metric\":"
        "\"l2_bytes\",\"members\":[{},{}],\"selected\":null}]}"},
    {"/api/v1/kernels/" K "/drift", "{\"rows\":[],\"summary\":\"memory (v0) -> latency (v1)\"}"},
    {"/api/v1/runs/" R1 "/diagnosis",
        "{\"contradictions\":[{\"label\":\"memory\",\"evidence\":\"it is idle\"}],\"rule_sets\":[{"
        "\"name\":\"r@1\",\"labels\":[\"latency\"]}]}"},
    {"/api/v1/curations?action=restart",
        "{\"rows\":[{\"action\":\"restart\",\"author\":\"ann\",\"reason\":\"stuck\",\"values\":{"
        "\"seed\":\"7\",\"next_ordinal\":2},\"extra\":{\"hidden_versions\":[\"" V1 "\"]},"
        "\"decided_at\":\"2026-11-21T00:00:00Z\"}],\"next\":null}"},
    {NULL, NULL}};

#define assert_says(text, part)                                                                    \
    do {                                                                                           \
        if (!strstr((text), (part)))                                                               \
            fail_msg("\"%s\" is not in:\n%s", (part), (text));                                     \
    } while (0)
#define assert_silent(text, part)                                                                  \
    do {                                                                                           \
        if (strstr((text), (part)))                                                                \
            fail_msg("\"%s\" is in:\n%s", (part), (text));                                         \
    } while (0)

/* The cell [P, END), blanks trimmed. */
static void
check_cell(struct lore_arena *arena, const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    while (end > p && end[-1] == ' ')
        end--;
    const char *cell = lore_strndup(arena, p, (size_t)(end - p));
    const char *na = strstr(cell, "N/A");
    if (!*cell || lore_streq(cell, "-") || lore_streq(cell, "—"))
        fail_msg("an empty cell: \"%s\"", cell);
    if (na && (!lore_starts(na, "N/A — ") || !na[strlen("N/A — ")]))
        fail_msg("no reason: \"%s\"", cell);
}

/* All cells of all tables in TEXT; how many. */
static size_t
check_tables(struct lore_arena *arena, const char *text)
{
    size_t n = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *from = line + 1;
        if (*line != '|' || strspn(line, "|-") == (size_t)(end - line))
            continue;
        for (const char *p = from; p < end; p++) {
            if (*p == '\\' && p[1] == '|')
                p++;
            else if (*p == '|') {
                check_cell(arena, from, p);
                from = p + 1;
                n++;
            }
        }
    }
    return n;
}

static void
a_gain_over_a_parent_without_a_label_is_told(void **state)
{
    struct world *w = told(state, orphan);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "1.50× vs what its author compared with");
    assert_silent(w->out.data, "(null)");
}

static void
what_is_not_known_is_said_in_one_line(void **state)
{
    struct world *w = told(state, bare);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_int_equal(lore_report_notes(&w->story, &w->out, &w->err), LORE_OK);
    assert_int_equal(lore_report_iteration(&w->story, NULL, &w->out, &w->err), LORE_OK);
    assert_true(check_tables(&w->arena, w->out.data) > 10);
    assert_silent(w->out.data, "N/A");
    assert_says(w->out.data, "Workload (no version was timed on one); GPU, Arch, Tool, Reference, "
                             "Tolerance: atol, Tolerance: rtol (no run on this workload).");
    assert_says(w->out.data, "Stopping reason (no campaign was recorded)");
    assert_says(w->out.data, "\n\nThe first version; no experiment made it.\n");
    assert_silent(w->out.data, "(null)");
}

static void
no_cell_is_empty_where_much_is_known(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_int_equal(lore_report_notes(&w->story, &w->out, &w->err), LORE_OK);
    assert_int_equal(lore_report_iteration(&w->story, "v1", &w->out, &w->err), LORE_OK);
    assert_true(check_tables(&w->arena, w->out.data) > 100);
    assert_says(w->out.data,
        "| Standing, no decision is recorded | loss 2.00× vs v0, wrong result; "
        "no later version starts from it |");
    assert_silent(w->out.data, "(null)");
}

static void
a_missing_metric_says_the_recorded_reason(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "; Memory Throughput (%) (permission denied); Compute Throughput (%), "
                             "SM Active Cycles (%), ");
    assert_says(w->out.data, "; Branch Divergence (%) (no branch was executed).");
    assert_says(w->out.data, "| Registers / Thread | 40 | N/A — not collected |");
}

static void
times_of_another_chip_are_not_compared(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "Not measured: Speedup (×) vs baseline (this is the baseline);");
    assert_silent(w->out.data, "2.00× vs v0 |");
    assert_says(w->out.data, "v1 (masked): timed on a100, v0 on h200; it has no speedup over "
                             "the baseline.");
}

static void
what_is_hidden_failed_or_contradicted_is_shown_as_that(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "| Metric | v0 (baseline, best) | v1 (masked) |");
    assert_says(w->out.data, "| conflicts | 4 | 6 | **contradicted** | they rose |");
    assert_says(w->out.data, "| ipc | N/A — not measured | N/A — not measured | not measured |");
    assert_says(w->out.data, "| " X1 " (masked) | v1 | memory.smem_padding |");
    assert_says(w->out.data, "| " X1 " | v1 | restart | ann |");
    assert_says(w->out.data, "v1 (masked) began after a partial restart, from v0.");
    assert_says(w->out.data, "| 2026-11-21T00:00:00Z | ann | 7 | v2 | v1 | stuck |");
    assert_says(w->out.data, "| Stopping reason | c: bottleneck saturated |");
    assert_says(w->out.data, "| closed | fewer arrived than expected |");
}

static void
numbers_of_the_chip_are_cited_or_unknown(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_report_final(&w->story, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "## Hardware Spec\n\n    hbm_bandwidth: 4.8 TB/s <- a.md:9\n"
                             "    l2_bytes: 60 MB <- a.md:2\n    peak_clock: UNKNOWN (no_source)\n"
                             "\nDisputed: l2_bytes, 2 values; none was selected.\n");
    assert_says(w->out.data, "Where the bottleneck moved: memory (v0) -> latency (v1).");
    assert_says(w->out.data, "v1 (masked): declared memory, but it is idle.");
    assert_says(w->out.data, "| Bottleneck | memory (recorded) | latency (r@1) |");
}

static void
an_iteration_report_needs_a_version_that_exists(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_report_iteration(&w->story, "v7", &w->out, &w->err), LORE_NOTFOUND);
    assert_says(w->err.msg, "v7: the kernel has no such version");
}

static void
a_service_that_repeats_a_page_ends_the_asking(void **state)
{
    static const struct canned answers[] = {
        {"/api/v1/x", "{\"rows\":[{}],\"next\":\"5\"}"}, {NULL, NULL}};
    struct world *w = world_of(state, answers);
    struct lore_fetched rows = {0};

    assert_int_equal(lore_fetch_all(&w->fetch, "/api/v1/x?a=b", &rows, &w->err), LORE_CORRUPT);
}

static void
cells_hold_one_line_and_no_bare_bar(void **state)
{
    static const char *const titles[] = {"a|b", "c"};
    struct world *w = *state;
    struct lore_sheet t;

    lore_sheet_begin(&t, &w->out, &w->arena, titles, 2);
    lore_sheet_pair(&t, "x | y\n z\x1b[2J\xc2\x9b", " \t\n", "so it is");
    lore_sheet_pair(&t, "\\|", NULL, NULL);
    lore_sheet_pair(&t, "\xff", "é", NULL);
    t.whole = true;
    lore_sheet_end(&t, "Not known");
    assert_string_equal(w->out.data, "| a\\|b | c |\n|---|---|\n"
                                     "| x \\| y z [2J | N/A — so it is |\n"
                                     "| \\\\\\| | N/A — not recorded |\n"
                                     "| N/A — not recorded | é |\n");
}

static void
rows_and_columns_without_a_value_are_named_below(void **state)
{
    static const char *const titles[] = {"metric", "v0", "v1", "change"};
    static const char *const cells[3][4] = {
        {"time", "2", "1", NULL}, {"cache", NULL, NULL, NULL}, {"ipc", "", "3", ""}};
    struct world *w = *state;
    struct lore_sheet t;

    lore_sheet_begin(&t, &w->out, &w->arena, titles, 4);
    for (int i = 0; i < 12; i++)
        lore_sheet_cell(&t, cells[i / 4][i % 4], i == 5 ? "refused: by the driver" : "");
    lore_sheet_end(&t, "Not measured");
    lore_sheet_begin(&t, &w->out, &w->arena, titles, 2);
    lore_sheet_pair(&t, "time", NULL, NULL);
    lore_sheet_end(&t, NULL);
    assert_string_equal(w->out.data, "| metric | v0 | v1 |\n|---|---|---|\n"
                                     "| time | 2 | 1 |\n| ipc | N/A — not recorded | 3 |\n"
                                     "\nNot measured: change; cache (refused).\n");
}

static void
csv_is_quoted_and_runs_nothing(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {{"plain", "plain"}, {"", ""}, {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""}, {"two\nlines", "\"two\nlines\""}, {"=1+1", "'=1+1"},
        {"+1", "'+1"}, {"-1", "'-1"}, {"@SUM(A1)", "'@SUM(A1)"}, {"\tx", "'\tx"},
        {"=a,b", "\"'=a,b\""}, {" x", "\" x\""}, {"a=b", "a=b"}};
    struct world *w = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_buf_reset(&w->out);
        lore_buf_puts(&w->out, "");
        lore_report_csv_field(&w->out, cases[i].in);
        assert_string_equal(w->out.len ? w->out.data : "", cases[i].out);
    }
}

static void
markdown_has_no_html_and_no_images(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {{"a < b, 1<2, a!", "a < b, 1<2, a!"}, {"vector<float>", "vector&lt;float>"},
        {"<script>x</script>", "&lt;script>x&lt;/script>"}, {"<!-- x -->", "&lt;!-- x -->"},
        {"<?php", "&lt;?php"}, {"![x](http://a.example/x.png)", "&#33;[x](http://a.example/x.png)"},
        {"\\<img src=x>", "\\&lt;img src=x>"}, {"[a](b) !x", "[a](b) !x"}, {"<\nimg", "< img"}};
    static const char log[] = "{\"kernel\":\"<img src=x>\",\"notes\":\"![n](http://a.example)\","
                              "\"optimization\":\"<b>\",\"outcome\":\"success\"}";
    struct lore_json *node = NULL;
    struct lore_experiences_entry entry = {.id = 1};
    struct lore_entries one = {.v = &entry, .n = 1};
    struct world *w = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(lore_sheet_line(&w->arena, cases[i].in, true), cases[i].out);
    assert_string_equal(lore_sheet_plain(&w->arena, "a <b>\n|"), "a <b> |");
    assert_int_equal(lore_json_parse(log, strlen(log), NULL, &w->arena, &node, &w->err), LORE_OK);
    entry.node = node;
    lore_buf_reset(&w->out);
    lore_experiences_markdown(&one, &w->arena, &w->out);
    assert_says(w->out.data, "## &lt;img src=x> [cuda]");
    assert_says(w->out.data, "&#33;[n](http://a.example)");
    assert_null(strstr(w->out.data, "<b>"));
}

static void
a_board_names_bases_ties_reasons_and_proof(void **state)
{
    static const struct canned answers[] = {
        {"/api/v1/experiments/" X1, "{\"title\":\"unroll\",\"outcome\":{\"effect\":\"loss\"}}"},
        {"/board",
            "{\"rows\":[{\"operator\":\"=gemm\",\"language\":\"hip\",\"chip\":\"mi300x\","
            "\"labels\":[],\"speedup\":{\"value\":1.5,\"base\":\"best_so_far\"},\"typical\":null,"
            "\"status\":\"v2\",\"evidence\":\"measured\",\"tied\":[{\"label\":\"v1\"}],"
            "\"excluded\":[{\"label\":\"v9\",\"reason\":\"not_checked\"}]},"
            "{\"operator\":\"norm\",\"language\":\"hip\",\"chip\":\"mi300x\",\"labels\":["
            "\"memory\"],"
            "\"speedup\":null,\"status\":\"baseline optimal\",\"evidence\":\"claimed\","
            "\"failed_attempts\":[\"" X1 "\"],\"excluded\":[]}],\"next\":null}"},
        {NULL, NULL}};
    struct world *w = world_of(state, answers);
    struct lore_fetched rows = {0};

    assert_int_equal(lore_fetch_all(&w->fetch, "/board?q=", &rows, &w->err), LORE_OK);
    assert_int_equal(
        lore_board_write(&w->fetch, &rows, LORE_BOARD_MARKDOWN, true, &w->out, &w->err), LORE_OK);
    assert_true(check_tables(&w->arena, w->out.data) == 10 + 20 + 6 + 6);
    assert_says(w->out.data, "| N/A — not diagnosed | 1.50× vs best so far |");
    assert_says(w->out.data, "tied with v1: not distinguishable");
    assert_says(w->out.data, "| N/A — baseline optimal |");
    assert_says(w->out.data, "1 failed attempts: unroll (loss " X1 ")");
    assert_says(w->out.data, "| v9 | not checked |");
    lore_buf_reset(&w->out);
    assert_int_equal(
        lore_board_write(&w->fetch, &rows, LORE_BOARD_CSV, false, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "\r\n'=gemm,hip,mi300x,N/A — not recorded,");
    assert_silent(w->out.data, "v9");
}

static void
a_memory_file_has_null_for_what_nobody_recorded(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_memory_number(&w->story.steps[1]), 1);
    assert_int_equal(lore_memory_number(&w->story.steps[2]), -1);
    assert_int_equal(lore_memory_file(&w->story, &w->story.steps[1], &w->out, &w->err), LORE_OK);
    assert_says(
        w->out.data, "{\n  \"version\": \"v1\",\n  \"masked\": true,\n  \"timestamp\": null,");
    assert_says(w->out.data, "    \"latency_us\": 1000,\n    \"tflops\": null,");
    /* another chip: no delta */
    assert_says(w->out.data, "      \"latency_delta\": null,");
    assert_says(w->out.data, "    \"rel_err\": null,\n    \"status\": \"FAIL\"");
    assert_says(w->out.data, "  \"search_log\": [],");
    assert_says(w->out.data, "    \"result\": null,\n    \"failure_reason\": null");
}

static void
a_state_follows_the_rule_of_its_system(void **state)
{
    struct world *w = told(state, rich);

    assert_int_equal(lore_state_file(&w->story, &w->out, &w->err), LORE_OK);
    assert_says(w->out.data, "\"best_metric_ms\": 2,");
    assert_says(w->out.data, "\"noise_threshold_pct\": 5,");
    assert_says(w->out.data, "\"validation_passed\": false,\n      \"status\": "
                             "\"failed_validation\",\n      \"retries\": null");
    assert_says(w->out.data, "\"run_dir\": null,");
}

#define LOGGED(id, system, external, effect)                                                       \
    "{\"id\":\"" id "\",\"operator\":\"gemm\",\"language\":\"hip\",\"chip\":\"mi300x\","           \
    "\"received_at\":\"2026-11-20T10:00:00Z\",\"labels\":[\"sync\"],"                              \
    "\"techniques\":[{\"name\":\"a.b\",\"raw\":\"b{x=1}\"}],"                                      \
    "\"outcome\":{\"effect\":\"" effect "\",\"before_ns\":3000000,\"after_ns\":1500000},"          \
    "\"record\":{\"provenance\":{\"system\":\"" system "\",\"external_id\":\"" external "\"}}}"

static const struct canned logged[] = {
    {"/api/v1/experiments?", "{\"rows\":[{\"id\":\"" V2 "\"},{\"id\":\"" V1 "\"},{\"id\":\"" V0
                             "\"},{\"id\":\"" X1 "\"}],\"next\":null}"},
    {"/api/v1/experiments/" V0, LOGGED(V0, "fmh66/kernel-opt-skill", "7", "win")},
    {"/api/v1/experiments/" V1, LOGGED(V1, "other", "3", "inconclusive")},
    {"/api/v1/experiments/" V2, LOGGED(V2, "other", "4", "not_measured")},
    {"/api/v1/experiments/" X1,
        "{\"id\":\"" X1 "\",\"record\":{\"extra\":{\"experiences\":{\"zeta\":[1,{}],\"notes\":"
        "\"a\\\"\\n\\u0001é\",\"speedup\":1.10,\"date\":\"2026-01-01\",\"metrics_before\":{}}}}}"},
    {NULL, NULL}};

static void
experiences_keep_their_words_and_numbers(void **state)
{
    struct world *w = world_of(state, logged);
    struct lore_entries e = {0};

    assert_int_equal(lore_experiences_collect(&w->fetch, "", &e, &w->err), LORE_OK);
    assert_int_equal(e.n, 3);
    lore_experiences_json(&e, &w->out);
    assert_says(w->out.data, "[\n  {\n    \"id\": 7,\n    \"date\": \"2026-11-20\",\n    "
                             "\"iteration\": \"—\",\n    \"kernel\": \"gemm\",");
    assert_says(w->out.data, "    \"metrics_before\": {\n      \"memory_sol_pct\": null,\n      "
                             "\"sm_sol_pct\": null,\n      \"latency_ms\": 3.0,");
    assert_says(w->out.data, "    \"optimization\": \"b{x=1}\",");
    assert_says(w->out.data, "    \"outcome\": \"success\",\n    \"speedup\": 2.0,");
    assert_says(w->out.data,
        "  {\n    \"id\": 8,\n    \"date\": \"2026-01-01\",\n    \"metrics_before\": {},\n    "
        "\"speedup\": 1.10,\n    \"notes\": \"a\\\"\\n\\u0001é\",\n    \"zeta\": [\n      1,\n     "
        " "
        "{}\n    ]\n  },");
    assert_says(w->out.data, "\"outcome\": \"neutral\"");
}

static void
what_the_log_cannot_say_is_noted(void **state)
{
    struct world *w = world_of(state, logged);
    struct lore_entries e = {0};

    assert_int_equal(lore_experiences_collect(&w->fetch, "", &e, &w->err), LORE_OK);
    assert_says(w->notes.data, V1 ": inconclusive; written as neutral");
    assert_says(w->notes.data, V2 ": not measured, which the log cannot say; left out");
    assert_says(w->notes.data,
        "warplore: 2 experiments: backend \"hip\" is neither cuda nor triton; "
        "written as it is (" V0 ", " V1 ")\n");
    assert_says(w->notes.data, "bottleneck \"sync\" is none of the log's");
    assert_says(w->notes.data, "2 of 3 entries had no number in the log");
}

static void
words_of_the_log_drive_no_terminal_and_start_no_line(void **state)
{
#define EVIL "\\u001b[31m\\u009b31m\\n## fake"
    static const struct canned answers[] = {
        {"/api/v1/experiments?", "{\"rows\":[{\"id\":\"" X1 "\"}],\"next\":null}"},
        {"/api/v1/experiments/" X1,
            "{\"id\":\"" X1 "\",\"record\":{\"extra\":{\"experiences\":{\"kernel\":\"k" EVIL "\","
            "\"backend\":\"b" EVIL "\",\"optimization\":\"o" EVIL "\",\"chip\":\"c" EVIL "\","
            "\"notes\":\"n" EVIL "\",\"outcome\":\"success\",\"speedup\":2.0}}}}"},
        {NULL, NULL}};
#undef EVIL
    struct world *w = world_of(state, answers);
    struct lore_entries e = {0};

    assert_int_equal(lore_experiences_collect(&w->fetch, "", &e, &w->err), LORE_OK);
    assert_int_equal(e.n, 1);
    lore_experiences_markdown(&e, &w->arena, &w->out);
    assert_says(w->out.data, "best optimization `o [31m 31m ## fake` → 2.0x (c [31m 31m ## fake)");
    assert_null(strchr(w->out.data, 0x1b));
    assert_null(strstr(w->out.data, "\xc2\x9b"));
    assert_null(strstr(w->out.data, "\n## fake"));
}

static void
an_empty_log_is_an_empty_list_and_page(void **state)
{
    static const struct canned answers[] = {{"/api/v1/experiments?", NO_ROWS}, {NULL, NULL}};
    struct world *w = world_of(state, answers);
    struct lore_entries e = {0};

    assert_int_equal(lore_experiences_collect(&w->fetch, "", &e, &w->err), LORE_OK);
    lore_experiences_json(&e, &w->out);
    assert_string_equal(w->out.data, "[]");
    lore_buf_reset(&w->out);
    lore_experiences_markdown(&e, &w->arena, &w->out);
    assert_says(w->out.data, "**Total: 0 entries** | Success: 0 | Failure: 0 | Neutral: 0");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_gain_over_a_parent_without_a_label_is_told),
        T(what_is_not_known_is_said_in_one_line),
        T(no_cell_is_empty_where_much_is_known),
        T(a_missing_metric_says_the_recorded_reason),
        T(times_of_another_chip_are_not_compared),
        T(what_is_hidden_failed_or_contradicted_is_shown_as_that),
        T(numbers_of_the_chip_are_cited_or_unknown),
        T(an_iteration_report_needs_a_version_that_exists),
        T(a_service_that_repeats_a_page_ends_the_asking),
        T(cells_hold_one_line_and_no_bare_bar),
        T(rows_and_columns_without_a_value_are_named_below),
        T(csv_is_quoted_and_runs_nothing),
        T(markdown_has_no_html_and_no_images),
        T(a_board_names_bases_ties_reasons_and_proof),
        T(a_memory_file_has_null_for_what_nobody_recorded),
        T(a_state_follows_the_rule_of_its_system),
        T(experiences_keep_their_words_and_numbers),
        T(what_the_log_cannot_say_is_noted),
        T(words_of_the_log_drive_no_terminal_and_start_no_line),
        T(an_empty_log_is_an_empty_list_and_page),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
