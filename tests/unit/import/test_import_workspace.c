// uses: import
/* The workspace importer on a small workspace in the real format: a baseline, a win with a plan and
 * a report, a masked time-out, a version measured per shape with sub-experiments of which one was
 * lost; cited, misquoted and unsourced spec lines; and a workspace of the older kind. */
#include "tests/unit/import_unit.h"

#include "collectors/import/wiki/spec_md.h"

#define FOLDER SOURCE_DIR "/tests/fixtures/import/at"

static struct unit unit, legacy;

static int
setup(void **state)
{
    (void)state;
    unit_read(&unit, "workspace", FOLDER "/row_sum_ws", "");
    unit_read(&legacy, "workspace", FOLDER "/legacy_ws", "");
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&unit.arena);
    lore_arena_free(&legacy.arena);
    return 0;
}

static const struct lore_experiment *
experiment(const char *external_id)
{
    for (size_t i = 0; i < unit.doc.n_experiments; i++) {
        if (lore_streq(unit.doc.experiments[i].provenance.external_id, external_id))
            return &unit.doc.experiments[i];
    }
    fail_msg("no experiment %s", external_id);
    return NULL;
}

static const struct lore_version *
version(const char *label)
{
    for (size_t i = 0; i < unit.doc.n_versions; i++) {
        if (lore_streq(unit.doc.versions[i].label, label))
            return &unit.doc.versions[i];
    }
    fail_msg("no version %s", label);
    return NULL;
}

static const struct lore_run *
run(const char *external_id)
{
    for (size_t i = 0; i < unit.doc.n_runs; i++) {
        if (lore_streq(unit.doc.runs[i].provenance.external_id, external_id))
            return &unit.doc.runs[i];
    }
    fail_msg("no run %s", external_id);
    return NULL;
}

static const struct lore_hypothesis *
hypothesis_of(const struct lore_experiment *x)
{
    for (size_t i = 0; i < unit.doc.n_hypotheses; i++) {
        if (lore_streq(unit.doc.hypotheses[i].id, x->hypothesis))
            return &unit.doc.hypotheses[i];
    }
    fail_msg("no hypothesis");
    return NULL;
}

static void
every_record_is_an_experiment_and_so_is_every_sub_experiment(void **state)
{
    (void)state;
    assert_int_equal(unit.in.records, 6);
    assert_int_equal(unit.in.refused, 0);
    assert_int_equal(unit.doc.n_experiments, 6);
    assert_int_equal(unit.doc.n_versions, 4);
    assert_int_equal(version("v0")->kind, LORE_V_BASELINE);
    assert_null(experiment("v0")->hypothesis);
}

static void
a_latency_in_microseconds_is_the_median_of_do_bench(void **state)
{
    const struct lore_run *r = run("v1");

    (void)state;
    assert_true(r->summary.median_ns.v == 61200);
    assert_string_equal(r->tool, "do_bench");
    assert_string_equal(r->chip, "mi300x");
    assert_string_equal(r->workload.dtype, "bf16");
    assert_string_equal(lore_kvs_get(&r->workload.dims, "N"), "8192");
    assert_string_equal(r->measured_at, "2026-06-02T08:30:00+00:00");
    assert_int_equal(r->correctness.status, LORE_C_PASS);
    assert_true(r->correctness.rel_err.v == 0.0021);
    assert_true(r->correctness.rel_err_limit.v == 0.01);
}

static void
rates_keep_their_units_and_the_peak_of_a_utilisation_is_unknown(void **state)
{
    const struct lore_run *r = run("v1");

    (void)state;
    assert_int_equal(r->metrics.n, 3);
    assert_string_equal(r->metrics.v[0].name, "tflops");
    assert_string_equal(r->metrics.v[0].unit, "TFLOPS");
    assert_string_equal(r->metrics.v[1].unit, "GB/s");
    assert_string_equal(r->metrics.v[2].unit, "%");
    assert_string_equal(lore_kvs_get(&r->method, "utilization_peak"), "\"not recorded\"");
}

static void
a_latency_per_shape_is_a_run_per_shape(void **state)
{
    (void)state;
    assert_true(run("v3/0")->summary.median_ns.v == 40250);
    assert_true(run("v3/1")->summary.median_ns.v == 56750);
    assert_string_equal(lore_kvs_get(&run("v3/1")->workload.dims, "shape"), "\"1\"");
    assert_int_equal(strlen(lore_kvs_get(&run("v3/1")->workload.dims, "set")), 10);
    assert_int_equal(experiment("v3")->runs_after.n, 2);
    assert_true(experiment("v3")->claim.latency_after_ns.v == 48500);
    assert_int_equal(experiment("v3")->metrics_after.n, 3);
}

static void
a_timeout_is_its_own_verdict_and_the_next_version_does_not_build_on_it(void **state)
{
    (void)state;
    assert_int_equal(run("v2")->correctness.status, LORE_C_TIMEOUT);
    assert_string_equal(run("v2")->error.type, "timeout");
    assert_false(run("v2")->summary.set);
    assert_string_equal(experiment("v2")->gate.result, "TIMEOUT_FAIL");
    assert_string_equal(experiment("v2")->gate.reason, "no result after 30 s");
    assert_string_equal(version("v3")->parents[0].version, version("v1")->id);
    assert_string_equal(version("v2")->parents[0].version, version("v1")->id);
    assert_non_null(strstr(version("v3")->extra, "lineage_inferred"));
}

static void
an_action_is_a_technique_and_a_claim_with_risk_and_rollback(void **state)
{
    const struct lore_experiment *x = experiment("v1");
    const struct lore_hypothesis *h = hypothesis_of(x);

    (void)state;
    assert_string_equal(x->techniques[0].name, "vectorized_load");
    assert_string_equal(h->claim, "bandwidth above 2 TB/s");
    assert_string_equal(h->change, "loads of 16 bytes per lane");
    assert_string_equal(h->risk, "unaligned rows. Rollback: masked scalar loads");
    assert_string_equal(h->rollback, "masked scalar loads");
    assert_string_equal(h->decision_link, "dword loads -> too many requests -> dwordx4");
    assert_non_null(strstr(h->raw_text, "Iteration V1 Plan"));
    assert_string_equal(x->bottleneck.labels.v[0], "memory");
    assert_string_equal(x->bottleneck.raw_label, "memory_bound");
    assert_string_equal(version("v1")->git_commit, "abc0101");
}

static void
the_comparison_with_the_previous_version_is_kept_raw(void **state)
{
    (void)state;
    assert_non_null(strstr(experiment("v1")->extra, "\"latency_delta\":-35.2"));
    assert_null(experiment("v0")->extra);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "sign and unit are not specified"));
}

static void
lists_become_lists(void **state)
{
    const struct lore_experiment *x = experiment("v1");

    (void)state;
    assert_int_equal(x->n_targets, 3);
    assert_true(x->targets[0].value.v == 0.9);
    assert_string_equal(x->targets[0].direction, "up");
    assert_string_equal(x->targets[0].met, "yes");
    assert_false(x->targets[2].value.set);
    assert_string_equal(x->targets[2].met, "unknown");
    assert_int_equal(x->n_lookups, 2);
    assert_string_equal(x->lookups[0].use, "used");
    assert_string_equal(x->lookups[1].query, "tl.load cache modifier");
    assert_int_equal(x->n_pitfalls, 2);
    assert_string_equal(x->pitfalls[0].type, "compilation");
    assert_string_equal(x->pitfalls[0].lesson, "pad rows to 8");
    assert_string_equal(x->pitfalls[1].type, "process");
    assert_non_null(strstr(x->extra, "cosmic"));
    assert_string_equal(x->references[0].target, "loads.md");
    assert_null(strstr(unit.body, "/home/omar"));
}

static void
lost_sub_experiments_are_counted(void **state)
{
    const struct lore_campaign *session = NULL;

    (void)state;
    for (size_t i = 0; i < unit.doc.n_campaigns; i++) {
        if (strstr(unit.doc.campaigns[i].label, "session of v3"))
            session = &unit.doc.campaigns[i];
    }
    assert_non_null(session);
    assert_int_equal(session->expected_records.v, 3);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "1 lost"));
    assert_string_equal(experiment("v3/experience/1")->decision, "revert");
    assert_string_equal(experiment("v3/experience/1")->campaign, session->id);
    assert_string_equal(experiment("v3/experience/0")->title, "two stages");
    assert_non_null(strstr(experiment("v3/experience/0")->notes, "s_waitcnt 61 -> 22 %"));
}

static void
a_mask_is_a_curation_and_the_experiment_is_kept(void **state)
{
    (void)state;
    assert_int_equal(unit.doc.n_curations, 1);
    assert_string_equal(unit.doc.curations[0].action, "mask");
    assert_string_equal(unit.doc.curations[0].subjects.v[0], experiment("v2")->id);
    assert_string_equal(unit.doc.curations[0].reason, "masked in the workspace");
}

static void
directions_are_ranked(void **state)
{
    (void)state;
    assert_int_equal(unit.doc.n_directions, 2);
    assert_int_equal(unit.doc.directions[0].rank.v, 1);
    assert_string_equal(unit.doc.directions[0].text, "split rows over two blocks");
    assert_string_equal(unit.doc.directions[1].experiment, experiment("v3")->id);
}

static void
a_spec_enters_only_when_the_cited_line_holds_it(void **state)
{
    const struct lore_spec *s = &unit.doc.specs[0];

    (void)state;
    assert_int_equal(unit.doc.n_specs, 2);
    assert_string_equal(s->metric, "hbm_bandwidth");
    assert_true(s->value.v == 5.3 && s->line.v == 7);
    assert_string_equal(s->unit, "TB/s");
    assert_string_equal(
        unit.doc.source_documents[0].path, "gpu-wiki/hardware-specs/demo_mi300x.md");
    assert_string_equal(s->quote, "| Memory Bandwidth | 5.3 TB/s |");
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "does not contain the number"));
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "the cited document is not part of the import"));
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "the source names no line"));
    assert_non_null(strstr(!unit.doc.campaigns[0].extra ? unit.body : unit.doc.campaigns[0].extra,
        "told by a colleague"));
}

static void
an_unknown_spec_is_unknown_and_a_pitfall_of_the_first_version(void **state)
{
    const struct lore_spec *s = &unit.doc.specs[1];

    (void)state;
    assert_string_equal(s->metric, "peak_clock");
    assert_false(s->value.set);
    assert_int_equal(s->unknown, LORE_MISS_NO_SOURCE);
    assert_int_equal(experiment("v0")->n_pitfalls, 1);
    assert_string_equal(experiment("v0")->pitfalls[0].type, "process");
}

static void
the_task_is_a_campaign_with_its_stop_conditions(void **state)
{
    const struct lore_campaign *c = &unit.doc.campaigns[0];

    (void)state;
    assert_string_equal(c->id, experiment("v1")->campaign);
    assert_string_equal(c->targets[0].metric, "memory-bound target");
    assert_true(c->targets[0].value.v == 4.77);
    assert_string_equal(c->targets[0].unit, "TB/s");
    assert_string_equal(c->targets[0].direction, "up");
    assert_string_equal(lore_kvs_get(&c->config, "execution_mode"), "\"remote\"");
    assert_string_equal(lore_kvs_get(&c->config, "reference_project"), "\"flash-rows\"");
    assert_non_null(strstr(lore_kvs_get(&c->config, "additional_notes"), "fit into memory twice"));
    assert_non_null(strstr(c->goal, "end-to-end latency"));
}

static void
a_report_that_disagrees_with_its_record_is_a_conflict(void **state)
{
    (void)state;
    assert_true(unit_listed(&unit, LORE_IL_CONFLICTS, "latency_us is 63.9, the record says 61.2"));
    assert_int_equal(experiment("v1")->metrics_before.n, 2);
}

static void
vague_evidence_and_a_timer_as_profiler_are_traps(void **state)
{
    (void)state;
    assert_true(
        unit_listed(&unit, LORE_IL_DOUBTS, "memory/v2.json: the evidence contains no number"));
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "memory/v2.json: a timer"));
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "plans/v9_plan.md"));
}

static void
reports_of_the_workspace_are_notes_and_traces_stay_with_their_version(void **state)
{
    (void)state;
    assert_int_equal(unit.doc.n_insights, 2);
    assert_non_null(strstr(experiment("v3")->extra, "buffer_load_dwordx4 v[4:7],4096"));
    assert_non_null(strstr(unit.body, "memcpy baseline bandwidth(GB/s) | 4120"));
}

static void
the_older_kind_of_workspace_keeps_its_log(void **state)
{
    const struct lore_experiment *x = &legacy.doc.experiments[1];

    (void)state;
    assert_int_equal(legacy.in.records, 3);
    assert_int_equal(legacy.in.refused, 1);
    assert_true(unit_listed(&legacy, LORE_IL_ERRORS, "memory.md line 17"));
    assert_int_equal(legacy.doc.n_experiments, 2);
    assert_true(x->claim.speedup.v == 1.4);
    assert_string_equal(x->title, "swizzle the shared tile");
    assert_string_equal(legacy.doc.runs[0].chip, "h20");
    assert_int_equal(legacy.doc.kernels[0].language, LORE_LANG_CUTE_DSL);
    assert_int_equal(legacy.doc.n_insights, 1);
    unit_must_decode(&legacy);
}

static void
no_leaf_is_lost_and_the_service_takes_the_document(void **state)
{
    (void)state;
    unit_loses_nothing(&unit);
    unit_must_decode(&unit);
    unit_is_stable(FOLDER "/row_sum_ws", "workspace");
}

static void
a_mask_travels_alone_so_that_the_facts_arrive_without_a_curator(void **state)
{
    struct lore_arena arena = {0};
    struct lore_intake take;

    (void)state;
    lore_intake_begin(&take, &arena);
    assert_int_equal(lore_intake_path(&take, FOLDER "/row_sum_ws", NULL), LORE_OK);
    const struct lore_intake_format *f = take.formats[0];
    assert_string_equal(f->importer->name, "workspace");
    assert_int_equal(f->n, 2);
    assert_int_equal(f->documents[0].doc->n_curations, 0);
    assert_int_equal(f->documents[0].doc->n_experiments, 6);
    assert_int_equal(f->documents[1].doc->n_curations, 1);
    assert_int_equal(f->documents[1].doc->n_experiments, 0);
    lore_arena_free(&arena);
}

/* The record of a later version changes nothing of the earlier ones. */
static void
a_workspace_that_grows_keeps_its_records(void **state)
{
    static const char more[] = "{\"version\":\"v4\",\"masked\":false,\"performance\":"
                               "{\"latency_us\":47.1},\"quality_gate\":{\"result\":\"PASS\"}}";
    struct unit u = {0};
    size_t same = 0;

    (void)state;
    assert_int_equal(lore_tree_load(FOLDER "/row_sum_ws", &u.arena, &u.tree, NULL), LORE_OK);
    lore_tree_add(&u.arena, &u.tree, "memory/v4.json", more, strlen(more));
    lore_tree_sort(&u.tree);
    unit_read_tree(&u, "workspace", "");
    assert_int_equal(u.doc.n_experiments, 7);
    for (size_t i = 0; i < u.doc.n_experiments; i++) {
        for (size_t k = 0; k < unit.doc.n_experiments; k++)
            same += strcmp(u.doc.experiments[i].id, unit.doc.experiments[k].id) == 0;
    }
    assert_int_equal(same, 6);
    lore_arena_free(&u.arena);
}

static void
a_record_that_is_no_json_is_refused_with_its_reason(void **state)
{
    struct unit u = {0};

    (void)state;
    assert_int_equal(lore_tree_load(FOLDER "/row_sum_ws", &u.arena, &u.tree, NULL), LORE_OK);
    lore_tree_add(&u.arena, &u.tree, "memory/v4.json", "{\"version\":", 11);
    lore_tree_sort(&u.tree);
    unit_read_tree(&u, "workspace", "");
    assert_int_equal(u.in.refused, 1);
    assert_true(unit_listed(&u, LORE_IL_ERRORS, "memory/v4.json"));
    lore_arena_free(&u.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_is_an_experiment_and_so_is_every_sub_experiment),
        cmocka_unit_test(a_latency_in_microseconds_is_the_median_of_do_bench),
        cmocka_unit_test(rates_keep_their_units_and_the_peak_of_a_utilisation_is_unknown),
        cmocka_unit_test(a_latency_per_shape_is_a_run_per_shape),
        cmocka_unit_test(a_timeout_is_its_own_verdict_and_the_next_version_does_not_build_on_it),
        cmocka_unit_test(an_action_is_a_technique_and_a_claim_with_risk_and_rollback),
        cmocka_unit_test(the_comparison_with_the_previous_version_is_kept_raw),
        cmocka_unit_test(lists_become_lists),
        cmocka_unit_test(lost_sub_experiments_are_counted),
        cmocka_unit_test(a_mask_is_a_curation_and_the_experiment_is_kept),
        cmocka_unit_test(directions_are_ranked),
        cmocka_unit_test(a_spec_enters_only_when_the_cited_line_holds_it),
        cmocka_unit_test(an_unknown_spec_is_unknown_and_a_pitfall_of_the_first_version),
        cmocka_unit_test(the_task_is_a_campaign_with_its_stop_conditions),
        cmocka_unit_test(a_report_that_disagrees_with_its_record_is_a_conflict),
        cmocka_unit_test(vague_evidence_and_a_timer_as_profiler_are_traps),
        cmocka_unit_test(reports_of_the_workspace_are_notes_and_traces_stay_with_their_version),
        cmocka_unit_test(the_older_kind_of_workspace_keeps_its_log),
        cmocka_unit_test(no_leaf_is_lost_and_the_service_takes_the_document),
        cmocka_unit_test(a_mask_travels_alone_so_that_the_facts_arrive_without_a_curator),
        cmocka_unit_test(a_workspace_that_grows_keeps_its_records),
        cmocka_unit_test(a_record_that_is_no_json_is_refused_with_its_reason),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
