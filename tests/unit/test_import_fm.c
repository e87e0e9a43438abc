// uses: import
/* Version directories: two cases in the real format, one of each layout, and the traps that real
 * cases hold. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "build.h"
#include "file.h"
#include "intake.h"
#include "tree.h"

#define FIXTURES SOURCE_DIR "/tests/fixtures/import/fm"

struct fixture {
    struct lore_arena arena;
    struct lore_intake k;
    struct lore_import_tree tree;
    const struct lore_import *in;
    const struct lore_submission *doc;
};

static void
use_intake(struct fixture *f)
{
    assert_int_equal(f->k.n_formats, 1);
    assert_string_equal(f->k.formats[0]->importer->name, "version-directories");
    assert_int_equal(f->k.formats[0]->n, 1);
    f->in = &f->k.formats[0]->in;
    f->doc = f->k.formats[0]->documents[0].doc;
}

static int
load(void **state, const char *path)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    struct lore_err err = {0};

    *state = f;
    lore_intake_begin(&f->k, &f->arena);
    if (lore_intake_path(&f->k, path, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    use_intake(f);
    return 0;
}

static int
rowmax(void **state)
{
    return load(state, FIXTURES "/rowmax");
}

static int
gather(void **state)
{
    return load(state, FIXTURES "/paged_gather");
}

static int
both(void **state)
{
    return load(state, FIXTURES);
}

static int
empty(void **state)
{
    *state = test_calloc(1, sizeof(struct fixture));
    lore_intake_begin(&((struct fixture *)*state)->k, &((struct fixture *)*state)->arena);
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    lore_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static void
add(struct fixture *f, const char *path, const char *text)
{
    f->tree.name = "case";
    (void)lore_tree_add(&f->arena, &f->tree, path, text, strlen(text));
}

static void
read_tree(struct fixture *f)
{
    struct lore_err err = {0};

    lore_tree_sort(&f->tree);
    if (lore_intake_tree(&f->k, &f->tree, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    use_intake(f);
}

static bool
listed(const struct fixture *f, enum lore_import_list list, const char *part)
{
    for (size_t i = 0; i < f->in->lists[list].n; i++) {
        if (strstr(f->in->lists[list].v[i], part))
            return true;
    }
    return false;
}

static const struct lore_version *
version(const struct fixture *f, const char *label)
{
    for (size_t i = 0; i < f->doc->n_versions; i++) {
        if (strcmp(f->doc->versions[i].label, label) == 0)
            return &f->doc->versions[i];
    }
    fail_msg("no version %s", label);
    return NULL;
}

/* The run of version LABEL that TOOL made. */
static const struct lore_run *
run(const struct fixture *f, const char *label, const char *tool)
{
    const char *id = version(f, label)->id;

    for (size_t i = 0; i < f->doc->n_runs; i++) {
        const struct lore_run *r = &f->doc->runs[i];
        if (strcmp(r->version, id) == 0 && strcmp(r->tool, tool) == 0)
            return r;
    }
    fail_msg("no run of %s by %s", label, tool);
    return NULL;
}

static const struct lore_experiment *
experiment(const struct fixture *f, const char *label)
{
    const char *id = version(f, label)->id;

    for (size_t i = 0; i < f->doc->n_experiments; i++) {
        if (strcmp(f->doc->experiments[i].to_version, id) == 0)
            return &f->doc->experiments[i];
    }
    fail_msg("no experiment for %s", label);
    return NULL;
}

static const struct lore_hypothesis *
hypothesis(const struct fixture *f, const char *id)
{
    for (size_t i = 0; i < f->doc->n_hypotheses; i++) {
        if (strcmp(f->doc->hypotheses[i].id, id) == 0)
            return &f->doc->hypotheses[i];
    }
    fail_msg("no hypothesis %s", id);
    return NULL;
}

static const struct lore_metric *
metric(const struct lore_run *r, const char *name)
{
    for (size_t i = 0; i < r->metrics.n; i++) {
        if (strcmp(r->metrics.v[i].name, name) == 0)
            return &r->metrics.v[i];
    }
    fail_msg("no metric %s", name);
    return NULL;
}

/* ---- what becomes what ---- */

static void
a_case_becomes_a_kernel_with_versions_runs_and_experiments(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->doc->n_versions, 5); /* v0 to v3, and the reference */
    assert_int_equal(f->doc->n_runs, 4 + 4 + 2);
    assert_int_equal(f->doc->n_hypotheses, 3);
    assert_int_equal(f->doc->n_experiments, 3);
    assert_int_equal(f->doc->n_campaigns, 1);
    assert_int_equal(f->doc->n_directions, 2);
    assert_int_equal(f->in->refused, 0);
    assert_string_equal(f->doc->kernels[0].op, "rowmax");
    assert_int_equal(f->doc->kernels[0].language, LORE_LANG_CUDA);
    assert_int_equal(version(f, "v0")->kind, LORE_V_BASELINE);
    assert_int_equal(version(f, "v0")->n_parents, 0);
    assert_string_equal(version(f, "v2")->sources[0].file, "v2.cu");
    assert_non_null(strstr(version(f, "v2")->sources[0].text, "four elements"));
}

static void
a_profile_keeps_every_metric_under_its_vendors_name(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v1", "ncu");

    assert_int_equal(r->metrics.n, 41);
    const struct lore_metric *m = metric(r, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
    assert_true(m->value == 84.5);
    assert_string_equal(m->unit, "%");
    assert_true(m->n.set && m->n.v == 1);
    assert_false(m->std.set);
    assert_true(m->min.v == 84.5 && m->max.v == 84.5);
    assert_true(r->summary.mean_ns.v == 50000);
    assert_true(r->summary.std_ns.v == 1100);
    assert_string_equal(lore_kvs_get(&r->launch, "kernel"), "\"rowmax_v1\"");
    assert_string_equal(r->chip, "h200");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "N"), "8192");
    assert_int_equal(r->evidence, LORE_EV_IMPORTED);
}

static void
a_check_keeps_tolerance_tensors_and_previews(void **state)
{
    struct fixture *f = *state;
    const struct lore_correctness *k = &run(f, "v2", "correctness_check")->correctness;

    assert_int_equal(k->status, LORE_C_FAIL);
    assert_true(k->atol.v == 0.5 && k->rtol.v == 0.001);
    assert_int_equal(k->n_tensors, 2);
    const struct lore_tensor *y = &k->tensors[1];
    assert_string_equal(y->name, "Y");
    assert_string_equal(y->type, "float*");
    assert_string_equal(y->pass, "no");
    assert_true(y->max_abs.v == 0.25 && y->mean_abs.v == 0.01 && y->mean_rel.v == 0.004);
    assert_int_equal(y->mismatches.v, 17);
    assert_string_equal(y->preview, "3.1250 2.8750 3.5000 3.0625");
    assert_string_equal(y->preview_reference, "3.1250 2.8750 3.5000 3.0625");
    assert_false(k->tensors[0].mismatches.set);
}

static void
a_campaign_says_why_it_stopped_and_what_is_left(void **state)
{
    struct fixture *f = *state;
    const struct lore_campaign *c = &f->doc->campaigns[0];

    assert_string_equal(c->stop_reason, "max_iterations");
    assert_int_equal(c->iterations.v, 3);
    assert_string_equal(c->baseline, version(f, "v0")->id);
    assert_non_null(strstr(c->retrospective, "Fewer barriers (v3)"));
    assert_non_null(strstr(c->extra, "\"best_version\":\"v3\""));
    assert_string_equal(c->ended_at, "2026-03-14");
    assert_string_equal(
        f->doc->directions[1].text, "Half precision inputs, where the caller can afford it");
    assert_string_equal(f->doc->directions[0].technique, "memory.async_copy");
    assert_int_equal(f->doc->directions[1].rank.v, 2);
}

static void
an_environment_has_clocks_as_hard_facts_and_the_rest_as_soft(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->doc->n_environments, 1);
    const struct lore_environment *e = &f->doc->environments[0];
    assert_string_equal(lore_kvs_get(&e->hard, "compute_clock_khz"), "1755000");
    assert_string_equal(lore_kvs_get(&e->soft, "driver_version"), "\"570.12.34\"");
    assert_non_null(strstr(lore_kvs_get(&e->soft, "nvcc_version"), "release 12.8, V12.8.61"));
    assert_string_equal(e->captured_at, "2026-03-14T09:26:53Z");
    assert_string_equal(e->chip, "h200");
    assert_true(listed(f, LORE_IL_TRAPS, "clocks could not be locked"));
}

static void
what_is_not_understood_is_listed_with_its_line_and_kept(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_EXTRA, "final_report.md line 21: Tail Effect Index"));
    assert_true(listed(f, LORE_IL_EXTRA, "final_report.md line 40: v7:") ||
                listed(f, LORE_IL_EXTRA, "**v7:** A plan that nobody carried out."));
    assert_non_null(strstr(f->doc->campaigns[0].extra, "Tail Effect Index | 3 | 2 | 2 | 1"));
    assert_non_null(strstr(f->doc->campaigns[0].extra, "A plan that nobody carried out"));
}

static void
the_report_is_held_against_the_profiles(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_CONFLICTS,
        "Execution Time (ms) of v2 is 0.0521, the profile "
        "says 0.0512"));
    assert_false(listed(f, LORE_IL_CONFLICTS, "of v1"));
    assert_true(listed(f, LORE_IL_TRAPS, "Achieved Occupancy (%) of v3 is N/A"));
}

static void
the_newer_format_becomes_fields_lookups_and_references(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = experiment(f, "v1");
    const struct lore_hypothesis *h = hypothesis(f, x->hypothesis);

    assert_string_equal(h->claim, "Prefetch the next page");
    assert_string_equal(h->not_changed, "BLOCK, the order of pages");
    assert_string_equal(h->accept_if, "execution time < 0.070 ms AND correctness passes");
    assert_non_null(strstr(h->decision_link, "software pipeline"));
    assert_string_equal(h->from_version, version(f, "v0")->id);
    assert_int_equal(x->n_lookups, 1);
    assert_string_equal(x->lookups[0].query, "triton prefetch paged gather");
    assert_string_equal(x->lookups[0].finding, "technique-prefetch");
    assert_int_equal(x->n_references, 1);
    assert_string_equal(x->references[0].target, "store/docs/prefetch.md");
    assert_string_equal(x->claim.outcome, "improved");
    assert_non_null(strstr(x->extra, "kernel-sparse"));
    assert_string_equal(f->doc->kernels[0].op, "paged_gather");
    assert_int_equal(f->doc->kernels[0].language, LORE_LANG_TRITON);
    assert_string_equal(experiment(f, "v2")->lookups[0].query, "triton coarsening");
    assert_non_null(strstr(f->doc->campaigns[0].extra, "kbs_evidence.md"));
}

static void
a_benchmark_has_a_run_per_column(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *own = run(f, "v3", "benchmark");
    const struct lore_run *other = run(f, "FlashGather", "benchmark");

    assert_true(own->summary.median_ns.v == 60000 && own->summary.n.v == 100);
    assert_int_equal(own->role, LORE_ROLE_CANDIDATE);
    assert_int_equal(own->correctness.status, LORE_C_PASS);
    assert_string_equal(lore_kvs_get(&own->method, "cache_mode"), "\"torch_l2_thrash\"");
    assert_int_equal(other->role, LORE_ROLE_REFERENCE);
    assert_true(other->summary.mean_ns.v == 73200);
    assert_int_equal(version(f, "FlashGather")->kind, LORE_V_LIBRARY);
    assert_int_equal(version(f, "FlashGather")->n_sources, 0);
    assert_int_equal(version(f, "Torch Compile")->n_sources, 1); /* ref.py */
    assert_true(listed(f, LORE_IL_EXTRA, "benchmark.md line 20: P20 Time (ms)"));
    assert_true(listed(f, LORE_IL_CONFLICTS, "Speedup (vs FlashGather, median) 1.50x"));
    assert_false(listed(f, LORE_IL_CONFLICTS, "Torch Compile"));
    assert_false(own->workload.set); /* "{}" */
}

static void
an_import_again_makes_the_same_document(void **state)
{
    struct fixture *f = *state, again = {0};
    struct lore_err err = {0};

    lore_intake_begin(&again.k, &again.arena);
    if (lore_intake_path(&again.k, FIXTURES, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(again.k.formats[0]->n, 1);
    assert_string_equal(again.k.formats[0]->documents[0].body, f->k.formats[0]->documents[0].body);
    lore_arena_free(&again.arena);
}

static void
a_service_can_read_what_comes_out(void **state)
{
    struct fixture *f = *state;
    const struct lore_intake_document *d = &f->k.formats[0]->documents[0];
    struct lore_submission again;
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    assert_int_equal(
        lore_json_parse(d->body, d->len, &lore_wire_limits, &f->arena, &root, NULL), LORE_OK);
    if (lore_wire_decode(root, &f->arena, &again, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(again.n_experiments, 6);
    assert_int_equal(again.n_campaigns, 2);
}

/* ---- traps ---- */

static const char check_text[] =
    "# Correctness Check\n\n| | |\n|---|---|\n| **Dims** | {'M': 64} |\n"
    "| **Result** | **ALL PASS** |\n";

static void
t5_a_campaign_expects_as_many_experiments_as_are_named(void **state)
{
    struct fixture *f = *state; /* its report has a column v4 without a directory */

    assert_int_equal(f->doc->n_experiments, 3);
    assert_int_equal(f->doc->campaigns[0].expected_records.v, 4);
    assert_true(listed(f, LORE_IL_TRAPS, "4 steps are named, 3 have a directory"));
}

static void
t5_a_missing_directory_is_counted(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", check_text);
    add(f, "v3/correctness.md", check_text);
    read_tree(f);
    assert_int_equal(f->doc->n_experiments, 1);
    assert_int_equal(f->doc->campaigns[0].expected_records.v, 3);
}

static void
t6_another_shape_checked_than_timed_is_listed(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_TRAPS, "v3: checked on M=64 N=256, timed on M=2048 N=8192"));
    assert_string_equal(lore_kvs_get(&run(f, "v3", "correctness_check")->workload.dims, "M"), "64");
    assert_string_equal(lore_kvs_get(&run(f, "v3", "ncu")->workload.dims, "M"), "2048");
    assert_false(listed(f, LORE_IL_TRAPS, "v1: checked on"));
}

static void
t7_a_loosened_tolerance_is_listed(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_TRAPS, "v2: tolerance loosened, atol 0.5 instead of 0.0001"));
    assert_false(listed(f, LORE_IL_TRAPS, "v2: tolerance loosened, rtol"));
}

static void
t8_a_check_without_any_difference_is_doubted(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(f, LORE_IL_TRAPS, "v0: every difference is exactly zero"));
    assert_false(listed(f, LORE_IL_TRAPS, "v1: every difference is exactly zero"));
}

static void
t9_the_solutions_profile_is_not_stored_as_the_references(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *own = run(f, "v3", "benchmark"), *ref = run(f, "ref.py", "benchmark");

    assert_int_equal(own->metrics.n, 4);
    assert_int_equal(ref->metrics.n, 0);
    assert_true(ref->summary.mean_ns.v == 61500);
    assert_true(listed(f, LORE_IL_TRAPS, "hardware metrics of Reference are those of the"));
    assert_non_null(
        strstr(ref->extra, "(% peak) = 90.7312 for Reference")); /* kept, as what it is */
}

static void
t9_another_profile_is_stored(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", check_text);
    add(f, "benchmark.md",
        "# B\n| Field | Value |\n|---|---|\n| Solution | v0.cu |\n## Timing\n"
        "| Metric | Solution | cuBLAS |\n|---|---|---|\n| Execution Time (ms) | 1.5 | 1.25 |\n"
        "## Hardware Metrics (nsight-python)\n| Metric | Solution | cuBLAS |\n|---|---|---|\n"
        "| SM Throughput (% peak) | 50.0 | 80.0 |\n");
    read_tree(f);
    assert_int_equal(run(f, "cuBLAS", "benchmark")->metrics.n, 1);
    assert_false(listed(f, LORE_IL_TRAPS, "hardware metrics of"));
}

static void
t10_bars_in_the_header_do_not_shift_columns(void **state)
{
    struct fixture *f = *state;
    const struct lore_tensor *y = &run(f, "v1", "correctness_check")->correctness.tensors[1];

    assert_true(y->max_abs.v == 1.1921e-07);
    assert_true(y->mean_abs.v == 3.0268e-09);
    assert_true(y->mean_rel.v == 1.4901e-08);
    assert_string_equal(y->pass, "yes");
}

static void
t11_both_headers_of_field_tables_are_read(void **state)
{
    struct fixture *f = *state; /* v0 has the empty header and no Backend row */

    assert_true(run(f, "v0", "correctness_check")->correctness.atol.v == 0.0001);
    assert_true(run(f, "v1", "correctness_check")->correctness.atol.v == 0.0001);
    assert_true(run(f, "v0", "ncu")->summary.mean_ns.v == 1.25e6);
}

static void
t12_three_digits_and_single_values_are_marked(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v0", "ncu");

    assert_true(metric(r, "dram__bytes.sum.per_second")->precision_lost);
    assert_true(metric(r, "dram__bytes.sum.per_second")->value == 3.10e11);
    assert_false(metric(r, "launch__block_size")->precision_lost);
    assert_true(metric(r, "launch__block_size")->n.v == 1);
    assert_false(metric(r, "launch__block_size")->std.set);
    assert_string_equal(lore_kvs_get(&r->method, "metrics_unstable"), "41");
    assert_true(listed(f, LORE_IL_TRAPS, "printed with three digits"));
}

static void
t13_stalls_are_warps_per_issue_and_efficiency_is_threads(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v1", "ncu");

    assert_string_not_equal(
        metric(r, "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio")->unit, "%");
    assert_string_not_equal(
        metric(r, "smsp__thread_inst_executed_per_inst_executed.ratio")->unit, "%");
    assert_true(listed(f, LORE_IL_TRAPS, "\"Stall: Barrier (%)\" is no percentage"));
    assert_true(listed(f, LORE_IL_TRAPS, "v1/hypothesis.txt: stalls in percent"));
    assert_true(listed(f, LORE_IL_TRAPS, "v3/hypothesis.txt: stalls in percent"));
    assert_false(listed(f, LORE_IL_TRAPS, "v2/hypothesis.txt: stalls in percent"));
}

static void
t14_occupancy_above_a_hundred_is_accepted_and_listed(void **state)
{
    struct fixture *f = *state;
    const struct lore_run *r = run(f, "v1", "ncu");

    assert_true(metric(r, "sm__warps_active.avg.pct_of_peak_sustained_active")->value == 100.4171);
    assert_true(listed(f, LORE_IL_TRAPS, "is 100.417 %"));
}

static void
t15_only_what_is_new_was_tried_and_several_are_several(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = experiment(f, "v3"); /* made from v1 */
    size_t applied = 0;

    for (size_t i = 0; i < x->n_techniques; i++)
        applied += x->techniques[i].status == NULL;
    assert_int_equal(applied, 2);
    assert_string_equal(x->techniques[0].raw, "Rows per block (2)"); /* (1) before */
    assert_string_equal(x->techniques[1].name, "compute.loop_unroll");
    assert_string_equal(x->techniques[2].name, "memory.vectorized_access");
    assert_string_equal(x->techniques[2].status, "not_applied");
    assert_int_equal(x->n_techniques, 3); /* coalescing is inherited */
    assert_true(listed(f, LORE_IL_TRAPS, "v3: 2 strategies at once"));
}

static void
t16_the_parent_is_the_version_that_the_text_quotes(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(version(f, "v3")->parents[0].version, version(f, "v1")->id);
    assert_string_equal(experiment(f, "v3")->from_version, version(f, "v1")->id);
    assert_string_equal(version(f, "v3")->extra, "{\"lineage_from\":\"hypothesis.txt\"}");
    assert_string_equal(hypothesis(f, experiment(f, "v3")->hypothesis)->claim,
        "Two rows per block to halve the barriers");
    assert_true(listed(f, LORE_IL_CONFLICTS,
        "v3: its hypothesis starts from v1, the final "
        "report from v2"));
}

static void
t16_a_hypothesis_may_lie_with_the_version_before(void **state)
{
    struct fixture *f = *state; /* Source and Target say so */

    assert_string_equal(
        hypothesis(f, experiment(f, "v3")->hypothesis)->claim, "Eight warps per program");
    assert_string_equal(version(f, "v3")->parents[0].version, version(f, "v1")->id);
}

static void
t16_without_words_the_layout_decides_and_says_so(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", check_text);
    add(f, "v0/hypothesis.txt", "Hypothesis: unroll\nRationale : it may help\n");
    add(f, "v1/correctness.md", check_text);
    read_tree(f);
    const struct lore_hypothesis *h = hypothesis(f, experiment(f, "v1")->hypothesis);
    assert_string_equal(h->extra, "{\"lineage_inferred\":\"source and target\"}");
    assert_string_equal(version(f, "v1")->extra, "{\"lineage_inferred\":true}");
    assert_true(listed(f, LORE_IL_TRAPS, "v1: nothing says what it was made from; v0 assumed"));
}

static void
t16_layouts_mix_within_one_case(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 4; i++)
        add(f, lore_format(&f->arena, "v%d/correctness.md", i), check_text);
    add(f, "v0/hypothesis.txt", "Hypothesis: A\nRationale : v0 NCU shows waits\n");
    add(f, "v2/hypothesis.txt", "Hypothesis: B\nRationale : v0 NCU shows waits\n");
    add(f, "v3/hypothesis.txt", "Hypothesis: C\nRationale : v3 NCU shows waits\n");
    read_tree(f);
    assert_string_equal(hypothesis(f, experiment(f, "v1")->hypothesis)->claim, "A");
    assert_string_equal(hypothesis(f, experiment(f, "v2")->hypothesis)->claim, "B");
    assert_string_equal(experiment(f, "v2")->from_version, version(f, "v0")->id);
    assert_null(experiment(f, "v3")->hypothesis);
    assert_true(listed(f, LORE_IL_TRAPS, "v3/hypothesis.txt: about v4, which is not here"));
}

static void
t17_the_same_name_with_other_dims_is_another_workload(void **state)
{
    struct fixture *f = *state;
    struct lore_workload a, b;

    add(f, "one/gemm/v0/correctness.md", check_text);
    add(f, "two/gemm/v0/correctness.md",
        "| | |\n|---|---|\n| **Dims** | {'M': 128} |\n| **Result** | **ALL PASS** |\n");
    read_tree(f);
    assert_int_equal(f->doc->n_kernels, 1);
    assert_int_equal(f->doc->n_runs, 2);
    a = f->doc->runs[0].workload;
    b = f->doc->runs[1].workload;
    assert_string_not_equal(
        lore_workload_text(&f->arena, "gemm", &a), lore_workload_text(&f->arena, "gemm", &b));
}

static void
t20_hosts_are_hashed_and_paths_cut(void **state)
{
    struct fixture *f = *state;
    struct lore_buf b = {.max = 8u << 20};
    struct lore_submission records = *f->doc;
    struct lore_err err = {0};

    records.n_artifacts = 0; /* exact bytes, which are kept */
    if (lore_build_encode(&records, &b, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_null(strstr(b.data, "0123beefcafe"));
    assert_null(strstr(b.data, "/home/kernels"));
    assert_null(strstr(b.data, "/usr/local"));
    assert_non_null(strstr(b.data, "host_hash"));
    assert_true(listed(f, LORE_IL_TRAPS, "name is stored as a hash"));
    assert_true(listed(f, LORE_IL_TRAPS, "paths of the machine are cut"));
    lore_buf_free(&b);
}

static void
a_file_that_is_no_report_is_refused_and_the_others_are_read(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", check_text);
    add(f, "v1/correctness.md", "nothing here\n");
    add(f, "v1/hypothesis.txt", "no labels at all\n");
    read_tree(f);
    assert_int_equal(f->in->refused, 2);
    assert_true(listed(f, LORE_IL_ERRORS, "v1/correctness.md"));
    assert_true(listed(f, LORE_IL_ERRORS, "v1/hypothesis.txt"));
    assert_int_equal(f->doc->n_versions, 2);
}

static void
what_a_cell_says_beside_its_number_is_kept(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md",
        "| | |\n|---|---|\n| **GPU** | NVIDIA RTX A6000 |\n| **Arch** | sm_90 |\n"
        "| **Result** | **ALL PASS** |\n| **Weather** | fair |\n\n## Output Tensors\n\n"
        "| Tensor | Type | Pass | Max |Δ| | Mean |Δ| | Mean Rel | Mismatches |\n"
        "|---|---|---|---|---|---|---|\n"
        "| C | float* | perhaps | 1e-3 | 1e-4 | 1e-5 | 3 of 100 |\n");
    add(f, "v0/ncu_summary.md",
        "| | |\n|---|---|\n| **GPU** | A chip of 2040 |\n\n## Launch\n\n| Metric | Value |\n"
        "|---|---|\n| Block Size | 256 (guessed) |\n| Moonlight (%) | 3 |\n");
    read_tree(f);
    const struct lore_run *r = run(f, "v0", "correctness_check");
    assert_non_null(strstr(r->extra, "perhaps"));
    assert_non_null(strstr(r->extra, "3 of 100"));
    assert_non_null(strstr(r->extra, "Weather | fair"));
    assert_true(r->correctness.tensors[0].max_abs.v == 1e-3);
    assert_null(r->correctness.tensors[0].pass);
    assert_string_equal(lore_kvs_get(&r->method, "arch"), "\"sm_90\"");
    assert_true(listed(f, LORE_IL_CONFLICTS, "sm_90, but a6000 elsewhere"));
    r = run(f, "v0", "ncu");
    assert_string_equal(lore_kvs_get(&r->method, "gpu"), "\"A chip of 2040\"");
    assert_non_null(strstr(r->extra, "256 (guessed)"));
    assert_non_null(strstr(r->extra, "Moonlight (%) | 3"));
    assert_int_equal(r->metrics.n, 0);
    assert_true(listed(f, LORE_IL_EXTRA, "v0/ncu_summary.md line 10: Moonlight (%) | 3"));
}

#define WITH(setup, test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(rowmax, a_case_becomes_a_kernel_with_versions_runs_and_experiments),
        WITH(rowmax, a_profile_keeps_every_metric_under_its_vendors_name),
        WITH(rowmax, a_check_keeps_tolerance_tensors_and_previews),
        WITH(rowmax, a_campaign_says_why_it_stopped_and_what_is_left),
        WITH(rowmax, an_environment_has_clocks_as_hard_facts_and_the_rest_as_soft),
        WITH(rowmax, what_is_not_understood_is_listed_with_its_line_and_kept),
        WITH(rowmax, the_report_is_held_against_the_profiles),
        WITH(gather, the_newer_format_becomes_fields_lookups_and_references),
        WITH(gather, a_benchmark_has_a_run_per_column),
        WITH(both, an_import_again_makes_the_same_document),
        WITH(both, a_service_can_read_what_comes_out),
        WITH(gather, t5_a_campaign_expects_as_many_experiments_as_are_named),
        WITH(empty, t5_a_missing_directory_is_counted),
        WITH(rowmax, t6_another_shape_checked_than_timed_is_listed),
        WITH(rowmax, t7_a_loosened_tolerance_is_listed),
        WITH(rowmax, t8_a_check_without_any_difference_is_doubted),
        WITH(rowmax, t9_the_solutions_profile_is_not_stored_as_the_references),
        WITH(empty, t9_another_profile_is_stored),
        WITH(rowmax, t10_bars_in_the_header_do_not_shift_columns),
        WITH(rowmax, t11_both_headers_of_field_tables_are_read),
        WITH(rowmax, t12_three_digits_and_single_values_are_marked),
        WITH(rowmax, t13_stalls_are_warps_per_issue_and_efficiency_is_threads),
        WITH(rowmax, t14_occupancy_above_a_hundred_is_accepted_and_listed),
        WITH(rowmax, t15_only_what_is_new_was_tried_and_several_are_several),
        WITH(rowmax, t16_the_parent_is_the_version_that_the_text_quotes),
        WITH(gather, t16_a_hypothesis_may_lie_with_the_version_before),
        WITH(empty, t16_without_words_the_layout_decides_and_says_so),
        WITH(empty, t16_layouts_mix_within_one_case),
        WITH(empty, t17_the_same_name_with_other_dims_is_another_workload),
        WITH(rowmax, t20_hosts_are_hashed_and_paths_cut),
        WITH(empty, what_a_cell_says_beside_its_number_is_kept),
        WITH(empty, a_file_that_is_no_report_is_refused_and_the_others_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
