// uses: import
/* Version directories: what becomes what, on two cases in the real format, one of each layout. */
#include "tests/unit/fm_case.h"

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
    assert_true(listed(f, LORE_IL_DOUBTS, "clocks could not be locked"));
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
    assert_true(listed(f, LORE_IL_DOUBTS, "Achieved Occupancy (%) of v3 is N/A"));
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

static void
fields_of_one_name_or_none_do_not_replace_each_other(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", CHECK_TEXT);
    add(f, "env_check.md",
        "## Status\n- ready: yes\n- nothing to add\n- ???: first\n## Tools\n- ready: no\n- !!: "
        "second\n");
    read_tree(f);
    const struct lore_environment *e = &f->doc->environments[0];
    assert_string_equal(lore_kvs_get(&e->soft, "ready"), "\"yes\"");
    assert_string_equal(lore_kvs_get(&e->soft, "ready_2"), "\"no\"");
    assert_string_equal(lore_kvs_get(&e->soft, "unnamed"), "\"first\"");
    assert_string_equal(lore_kvs_get(&e->soft, "unnamed_2"), "\"second\"");
    assert_non_null(strstr(e->extra, "nothing to add"));
    assert_int_equal(f->in->refused, 0);
}

static void
a_file_that_is_no_report_is_refused_and_the_others_are_read(void **state)
{
    struct fixture *f = *state;

    add(f, "v0/correctness.md", CHECK_TEXT);
    add(f, "v1/correctness.md", "nothing here\n");
    add(f, "v1/hypothesis.txt", "no labels at all\n");
    read_tree(f);
    assert_int_equal(f->in->refused, 2);
    assert_true(listed(f, LORE_IL_ERRORS, "v1/correctness.md"));
    assert_true(listed(f, LORE_IL_ERRORS, "v1/hypothesis.txt"));
    assert_int_equal(f->doc->n_versions, 2);
}

/* The techniques of version LABEL that were tried, as names joined by '+'. */
static const char *
tried(struct fixture *f, const char *label)
{
    const struct lore_experiment *x = experiment(f, label);
    const char *out = "";

    for (size_t i = 0; i < x->n_techniques; i++) {
        if (!x->techniques[i].status)
            out = lore_format(
                &f->arena, "%s%s%s", out, *out != '\0' ? "+" : "", x->techniques[i].raw);
    }
    return out;
}

static void
tables_of_strategies_tick_in_several_ways(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++)
        add(f, lore_format(&f->arena, "a/v%d/correctness.md", i), CHECK_TEXT);
    add(f, "a/final_report.md",
        "# R\n## Optimization Strategies per Version\n| Strategy | v1 | v2 |\n|---|---|---|\n"
        "| One | x | - |\n| Two | - | x |\n| Three | 4 rows | 2 rows |\n| Four | - | - |\n");
    read_tree(f);
    assert_string_equal(tried(f, "v1"), "One+Three 4 rows");
    assert_string_equal(tried(f, "v2"), "Two+Three 2 rows");
}

static void
x_crosses_out_beside_ticks(void **state)
{
    struct fixture *f = *state;

    for (int i = 0; i < 3; i++)
        add(f, lore_format(&f->arena, "v%d/correctness.md", i), CHECK_TEXT);
    add(f, "final_report.md",
        "# R\n## Optimization Strategies per Version\n| Strategy | v1 | v2 |\n|---|---|---|\n"
        "| One | ✓ | x |\n| Two | x | ✓ (twice) |\n| Three | ✗ (implicit) | no |\n");
    read_tree(f);
    assert_string_equal(tried(f, "v1"), "One");
    assert_string_equal(tried(f, "v2"), "Two (twice)");
}

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
        WITH(empty, what_a_cell_says_beside_its_number_is_kept),
        WITH(empty, tables_of_strategies_tick_in_several_ways),
        WITH(empty, x_crosses_out_beside_ticks),
        WITH(empty, fields_of_one_name_or_none_do_not_replace_each_other),
        WITH(empty, a_file_that_is_no_report_is_refused_and_the_others_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
