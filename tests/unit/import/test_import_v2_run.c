// uses: import
/* The v2-run importer on a small run directory in the real format: three iterations, of which one
 * improved, one failed its check and one regressed; both layouts of ablations; evidence that is
 * missing in every way that the tools have. */
#include "tests/unit/import_unit.h"

#define FIXTURE SOURCE_DIR "/tests/fixtures/import/co/run_20260611_140302"

static struct unit unit;

static int
setup(void **state)
{
    (void)state;
    unit_read(&unit, "v2-run", FIXTURE, "");
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&unit.arena);
    return 0;
}

static const struct lore_experiment *
experiment(int64_t iteration)
{
    for (size_t i = 0; i < unit.doc.n_experiments; i++) {
        if (unit.doc.experiments[i].iteration.v == iteration)
            return &unit.doc.experiments[i];
    }
    fail_msg("no iteration %lld", (long long)iteration);
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
run_by_id(const char *id)
{
    for (size_t i = 0; i < unit.doc.n_runs; i++) {
        if (lore_streq(unit.doc.runs[i].id, id))
            return &unit.doc.runs[i];
    }
    fail_msg("no run %s", id);
    return NULL;
}

static const struct lore_run *
run_of(const char *label, const char *tool)
{
    const char *id = version(label)->id;

    for (size_t i = 0; i < unit.doc.n_runs; i++) {
        if (lore_streq(unit.doc.runs[i].version, id) && lore_streq(unit.doc.runs[i].tool, tool))
            return &unit.doc.runs[i];
    }
    fail_msg("no run of %s by %s", label, tool);
    return NULL;
}

static const struct lore_attribution *
attribution(const char *technique)
{
    for (size_t i = 0; i < unit.doc.n_attributions; i++) {
        if (lore_streq(unit.doc.attributions[i].technique, technique))
            return &unit.doc.attributions[i];
    }
    fail_msg("no attribution of %s", technique);
    return NULL;
}

static const struct lore_verification *
verification(const char *technique)
{
    for (size_t i = 0; i < unit.doc.n_verifications; i++) {
        if (lore_streq(unit.doc.verifications[i].technique, technique))
            return &unit.doc.verifications[i];
    }
    fail_msg("no verification of %s", technique);
    return NULL;
}

static void
every_iteration_is_one_experiment_whatever_came_of_it(void **state)
{
    (void)state;
    assert_int_equal(unit.doc.n_experiments, 3);
    assert_int_equal(unit.in.records, 3);
    assert_int_equal(unit.in.refused, 0);
    assert_string_equal(experiment(1)->claim.outcome, "improved");
    assert_string_equal(experiment(2)->claim.outcome, "failed_validation");
    assert_string_equal(experiment(3)->claim.outcome, "regressed");
    assert_int_equal(experiment(2)->claim.correctness, LORE_C_FAIL);
    assert_int_equal(experiment(2)->retries.v, 3);
    assert_null(experiment(2)->to_version);
}

static void
a_run_directory_is_a_campaign_that_knows_how_many_experiments_it_has(void **state)
{
    const struct lore_campaign *c = &unit.doc.campaigns[0];

    (void)state;
    assert_int_equal(unit.doc.n_campaigns, 1);
    assert_string_equal(c->label, "run_20260611_140302");
    assert_int_equal(c->iterations.v, 3);
    assert_int_equal(c->expected_records.v, 3);
    assert_true(c->noise_threshold_pct.v == 2.0);
    assert_string_equal(c->stop_reason, "max_iterations");
    assert_non_null(strstr(c->retrospective, "Vector loads did the work"));
    assert_string_equal(lore_kvs_get(&c->config, "branches"), "3");
}

static void
paths_of_the_machine_are_cut_to_file_names(void **state)
{
    (void)state;
    assert_null(strstr(unit.body, "/home/nadia"));
    assert_string_equal(lore_kvs_get(&unit.doc.campaigns[0].config, "best_file"), "\"kernel.cu\"");
}

static void
a_regressed_champion_is_measured_against_the_best_so_far(void **state)
{
    const struct lore_experiment *x = experiment(3);

    (void)state;
    assert_string_equal(x->from_version, version("iterv1")->id);
    assert_string_equal(x->to_version, version("iterv3")->id);
    assert_int_equal(x->claim.base, LORE_BASE_BEST_SO_FAR);
    assert_true(x->claim.speedup.v == 0.9506);
    assert_true(x->claim.latency_after_ns.v == 180200);
}

static void
a_benchmark_keeps_all_its_statistics_and_the_reference_gets_a_run(void **state)
{
    const struct lore_run *r = run_of("iterv1", "benchmark.py");
    size_t references = 0;

    (void)state;
    assert_true(r->summary.mean_ns.v == 171300);
    assert_true(r->summary.median_ns.v == 170443 || r->summary.median_ns.v == 170444);
    assert_int_equal(r->summary.n.v, 20);
    assert_int_equal(r->correctness.status, LORE_C_PASS);
    assert_true(r->correctness.atol.v == 1e-4);
    assert_string_equal(r->chip, "h200");
    assert_string_equal(lore_kvs_get(&r->method, "warmup"), "10");
    assert_string_equal(r->metrics.v[0].unit, "GB/s");
    for (size_t i = 0; i < unit.doc.n_runs; i++)
        references += unit.doc.runs[i].role == LORE_ROLE_REFERENCE;
    assert_true(references >= 3);
}

static void
another_shape_than_the_run_names_is_its_own_workload_and_a_trap(void **state)
{
    const struct lore_run *r = run_of("iterv3", "benchmark.py");

    (void)state;
    assert_string_equal(lore_kvs_get(&r->workload.dims, "N"), "4096");
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "another shape"));
}

static void
a_metric_that_was_not_stored_is_absent_and_a_null_has_a_reason(void **state)
{
    const struct lore_run *r = run_of("baseline", "ncu");
    bool found = false;

    (void)state;
    assert_int_equal(r->metrics.n, 5);
    for (size_t i = 0; i < r->metrics.n; i++) {
        assert_null(strstr(r->metrics.v[i].name, "dram__"));
        if (strstr(r->metrics.v[i].name, "stalled_wait")) {
            found = true;
            assert_int_equal(r->metrics.v[i].missing, LORE_MISS_NOT_COLLECTED);
        }
    }
    assert_true(found);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "delta_memory is 1"));
}

static void
a_degraded_profile_has_no_values_and_says_why(void **state)
{
    const struct lore_run *r = run_of("iterv1", "ncu");

    (void)state;
    assert_int_equal(r->metrics.n, 1);
    assert_int_equal(r->metrics.v[0].missing, LORE_MISS_PERMISSION_DENIED);
    assert_string_equal(r->error.type, "profiling");
}

static void
the_roofline_is_a_diagnosis_by_the_workflows_own_rules(void **state)
{
    const struct lore_experiment *x = experiment(1);

    (void)state;
    assert_string_equal(x->bottleneck.rule_set, "roofline-gaps@seed");
    assert_int_equal(x->bottleneck.labels.n, 1);
    assert_string_equal(x->bottleneck.labels.v[0], "memory");
    assert_string_equal(x->bottleneck.raw_label, "bandwidth");
    assert_non_null(strstr(x->bottleneck.evidence, "delta_compute 0.814"));
    assert_non_null(strstr(x->extra, "\"axis_budget\""));
    assert_int_equal(run_of("baseline", "ncu")->n_diagnoses, 1);
    /* iteration 3 left no file: state.json remembers */
    assert_string_equal(experiment(3)->bottleneck.labels.v[0], "compute");
    assert_non_null(strstr(experiment(3)->bottleneck.evidence, "delta_compute 0.62"));
}

static void
methods_keep_priority_strength_evidence_and_what_was_passed_over(void **state)
{
    const struct lore_experiment *x = experiment(1);

    (void)state;
    assert_int_equal(x->n_techniques, 3);
    assert_string_equal(x->techniques[0].name, "memory.vectorized_access");
    assert_int_equal(x->techniques[0].priority.v, 2);
    assert_true(x->techniques[0].strength.v == 0.72);
    assert_string_equal(x->techniques[0].evidence, "l1tex__t_sector_hit_rate.pct = 31.5 %");
    assert_non_null(strstr(x->techniques[0].expected, "dram__throughput"));
    assert_int_equal(x->n_skipped, 1);
    assert_string_equal(x->skipped[0].technique, "memory.coalesced_access");
    assert_string_equal(x->skipped[0].reason, "no_trigger");
    assert_non_null(x->hypothesis);
    assert_true(unit_listed(&unit, LORE_IL_EXTRA, "methods[].effort"));
}

static void
branches_are_versions_with_runs_and_the_champion_is_one_of_them(void **state)
{
    const struct lore_version *b2 = version("iterv1/b2"), *b3 = version("iterv1/b3");

    (void)state;
    assert_int_equal(b2->kind, LORE_V_BRANCH);
    assert_int_equal(b2->parents[0].kind, LORE_E_BRANCH_OF);
    assert_string_equal(b2->parents[0].version, version("baseline")->id);
    assert_int_equal(b2->n_sources, 1);
    assert_true(run_of("iterv1/b2", "branch_explore.py")->summary.mean_ns.v == 179000);
    assert_string_equal(run_of("iterv1/b3", "branch_explore.py")->error.type, "compilation");
    assert_int_equal(b3->n_sources, 1);
    assert_string_equal(lore_kvs_get(&version("iterv1")->params, "branch_index"), "1");
    assert_int_equal(run_of("iterv2/b1", "branch_explore.py")->correctness.status, LORE_C_TIMEOUT);
    assert_int_equal(run_of("iterv2/b0", "branch_explore.py")->correctness.status, LORE_C_FAIL);
    assert_int_equal(version("iterv3/b1")->n_parents, 0);
}

static void
an_ablation_that_was_timed_is_a_version_a_run_and_a_share(void **state)
{
    const struct lore_attribution *a = attribution("memory.vectorized_access");

    (void)state;
    assert_string_equal(a->contributed, "yes");
    assert_true(a->attribution_ns.v == 43100);
    assert_true(a->attribution_pct.v == 25.16);
    assert_true(a->noise_pct.v == 2.0);
    assert_string_equal(a->ablated_version, version("iterv1/no_memory.vectorized_access")->id);
    assert_int_equal(run_by_id(a->ablated_run)->role, LORE_ROLE_ABLATION);
    assert_true(run_by_id(a->ablated_run)->summary.mean_ns.v == 214400);
    assert_int_equal(
        version("iterv1/no_memory.vectorized_access")->parents[0].kind, LORE_E_ABLATION_OF);
}

static void
no_ablation_is_unknown_and_never_zero_or_true(void **state)
{
    const struct lore_attribution *none = attribution("latency.warp_shuffle_reduction");
    const struct lore_attribution *wrong = attribution("compute.fast_math");

    (void)state;
    assert_string_equal(none->contributed, "unknown");
    assert_false(none->attribution_ns.set);
    assert_false(none->attribution_pct.set);
    assert_null(none->ablated_version);
    assert_string_equal(wrong->contributed, "unknown");
    assert_non_null(strstr(wrong->note, "failed_validation"));
    assert_int_equal(version("iterv1/no_compute.fast_math")->n_sources, 1);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "stored as unknown"));
}

static void
the_check_of_compiled_code_fails_closed(void **state)
{
    (void)state;
    assert_string_equal(verification("memory.vectorized_access")->status, "verified");
    assert_string_equal(verification("latency.warp_shuffle_reduction")->status, "missing");
    assert_string_equal(verification("compute.fast_math")->status, "not_applicable");
    assert_string_equal(verification("compute.ilp")->status, "unavailable");
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "stored as unavailable"));
}

static void
a_method_that_the_workflow_lost_is_named(void **state)
{
    (void)state;
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "memory.l2_persistence is in none"));
    assert_int_equal(experiment(2)->n_techniques, 1);
    assert_int_equal(experiment(3)->n_techniques, 1);
    assert_string_equal(experiment(3)->techniques[0].name, "compute.ilp");
}

static void
words_written_afterwards_are_kept(void **state)
{
    (void)state;
    assert_non_null(strstr(experiment(1)->lesson, "barrier stall stayed"));
    assert_non_null(strstr(experiment(1)->notes, "thrown away"));
}

static void
no_leaf_of_any_file_is_lost(void **state)
{
    (void)state;
    unit_loses_nothing(&unit);
}

static void
the_document_is_one_that_the_service_takes(void **state)
{
    (void)state;
    unit_must_decode(&unit);
}

static void
importing_again_gives_the_same_documents(void **state)
{
    (void)state;
    unit_is_stable(FIXTURE, "v2-run");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_iteration_is_one_experiment_whatever_came_of_it),
        cmocka_unit_test(a_run_directory_is_a_campaign_that_knows_how_many_experiments_it_has),
        cmocka_unit_test(paths_of_the_machine_are_cut_to_file_names),
        cmocka_unit_test(a_regressed_champion_is_measured_against_the_best_so_far),
        cmocka_unit_test(a_benchmark_keeps_all_its_statistics_and_the_reference_gets_a_run),
        cmocka_unit_test(another_shape_than_the_run_names_is_its_own_workload_and_a_trap),
        cmocka_unit_test(a_metric_that_was_not_stored_is_absent_and_a_null_has_a_reason),
        cmocka_unit_test(a_degraded_profile_has_no_values_and_says_why),
        cmocka_unit_test(the_roofline_is_a_diagnosis_by_the_workflows_own_rules),
        cmocka_unit_test(methods_keep_priority_strength_evidence_and_what_was_passed_over),
        cmocka_unit_test(branches_are_versions_with_runs_and_the_champion_is_one_of_them),
        cmocka_unit_test(an_ablation_that_was_timed_is_a_version_a_run_and_a_share),
        cmocka_unit_test(no_ablation_is_unknown_and_never_zero_or_true),
        cmocka_unit_test(the_check_of_compiled_code_fails_closed),
        cmocka_unit_test(a_method_that_the_workflow_lost_is_named),
        cmocka_unit_test(words_written_afterwards_are_kept),
        cmocka_unit_test(no_leaf_of_any_file_is_lost),
        cmocka_unit_test(the_document_is_one_that_the_service_takes),
        cmocka_unit_test(importing_again_gives_the_same_documents),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
