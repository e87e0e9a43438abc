// uses: import
/* The traps that real JSON files of other systems hold, each on a small file of our own in the real
 * format. The number in a test's name is the trap's in the list of known ones. */
#include "tests/unit/import_intake.h"

static const struct lore_experiment *
by_iteration(const struct lore_submission *doc, const char *label)
{
    for (size_t i = 0; i < doc->n_experiments; i++) {
        for (size_t v = 0; v < doc->n_versions; v++) {
            if (lore_streq(doc->versions[v].label, label) &&
                lore_streq(doc->versions[v].id, doc->experiments[i].to_version))
                return &doc->experiments[i];
        }
    }
    fail_msg("no %s", label);
    return NULL;
}

static void
t1_five_spellings_of_a_bottleneck_are_one_label_and_stay_as_written(void **state)
{
    static const char *const spellings[] = {
        "memory_bound", "Memory-bound", "DRAM_MEMORY_BOUND", "bandwidth", "memory"};
    struct taken *t = *state;

    take(t, FIXTURES "traps/experiences.json");
    struct lore_submission doc = decoded(t, format_named(t, "experiences"));
    for (size_t i = 0; i < 5; i++) {
        const struct lore_experiment *x = by_iteration(&doc, lore_format(&t->arena, "v%zu", i + 1));
        assert_int_equal(x->bottleneck.labels.n, 1);
        assert_string_equal(x->bottleneck.labels.v[0], "memory");
        assert_string_equal(x->bottleneck.raw_label, spellings[i]);
    }
}

static void
t1_empty_fields_and_doubled_percent_signs_are_flagged_and_nothing_is_made_up(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/experiences.json");
    const struct lore_intake_format *f = format_named(t, "experiences");
    struct lore_submission doc = decoded(t, f);
    const struct lore_experiment *x = &doc.experiments[5];
    assert_string_equal(x->notes, "L1 hit rate 40% -> 62%");
    assert_non_null(strstr(x->extra, "40%% -> 62%%"));
    assert_null(x->to_version);
    assert_false(x->workload.set);
    assert_int_equal(x->n_techniques, 0);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "id 6: no optimization named"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "no dims"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "no iteration"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "id 6: \"%%\" read as \"%\""), 1);
}

static void
t2_an_outcome_that_the_policy_would_not_give_is_listed_and_kept_as_a_claim(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/experiences.json");
    const struct lore_intake_format *f = format_named(t, "experiences");
    struct lore_submission doc = decoded(t, f);
    assert_string_equal(by_iteration(&doc, "v7")->claim.outcome, "success");
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "id 7: \"success\" at 1.020x"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "id 8: \"neutral\""), 0); /* 1.010x */
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "id 10: \"success\""), 0);
}

static void
t3_memory_bound_with_an_idle_memory_is_flagged(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/experiences.json");
    const struct lore_intake_format *f = format_named(t, "experiences");
    assert_int_equal(
        noted(f, LORE_IL_DOUBTS, "id 9: \"memory_bound\" with memory at 2.5 % and compute at 96.5"),
        1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "id 1: \"memory_bound\""), 0);
}

static void
t4_a_rerun_is_proposed_for_merging_and_not_merged(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/experiences.json");
    const struct lore_intake_format *f = format_named(t, "experiences");
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "lines 11 and 12: the same trial twice?"), 1);
    assert_int_equal(f->records[LORE_K_EXPERIMENT], 11);
}

static void
t5_records_that_an_index_promises_and_no_file_holds_are_missed_aloud(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    const struct lore_intake_format *f = format_named(t, "gpu-wiki");
    assert_int_equal(noted(f, LORE_IL_CONFLICTS, "says 6 records and lists 5"), 1);
    assert_int_equal(noted(f, LORE_IL_CONFLICTS, "1 of 5 listed records are not"), 1);
    assert_int_equal(noted(f, LORE_IL_CONFLICTS, "amd.cdna3.hip.caveats: not in the index"), 1);
    assert_int_equal(noted(f, LORE_IL_CONFLICTS, "persistent: the index has another worth_"), 1);
}

static const struct lore_experiment *
claimed(const struct lore_submission *doc, const char *bucket, const char *fingerprint)
{
    for (size_t i = 0; i < doc->n_experiments; i++) {
        const char *id = doc->experiments[i].provenance.external_id;
        if (strstr(id, bucket) && strstr(id, fingerprint))
            return &doc->experiments[i];
    }
    fail_msg("no %s %s", bucket, fingerprint);
    return NULL;
}

static void
t18_positive_against_a_regression_is_flagged_and_both_bases_are_kept(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/kernelflow.json");
    const struct lore_intake_format *f = format_named(t, "kernelflow");
    struct lore_submission doc = decoded(t, f);
    const struct lore_experiment *x = claimed(&doc, "positive", "0000000000000003");
    assert_int_equal(
        noted(f, LORE_IL_DOUBTS, "tile_shared: positive only against a regressed iteration 1"), 1);
    assert_true(x->claim.latency_before_ns.v == 3e6);
    assert_string_equal(x->from_version, claimed(&doc, "negative", "0000000000000002")->to_version);
    assert_string_equal(claimed(&doc, "negative", "0000000000000002")->from_version,
        claimed(&doc, "positive", "0000000000000001")->to_version);
}

static void
t19_a_contested_technique_a_placeholder_and_a_blocked_baseline_are_listed(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/kernelflow.json");
    const struct lore_intake_format *f = format_named(t, "kernelflow");
    struct lore_submission doc = decoded(t, f);
    assert_int_equal(
        noted(f, LORE_IL_CONFLICTS, "0000000000000003 (tile_shared): both positive"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "placeholder tag \"fill_me_tag\""), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "the baseline itself is listed as rejected"), 1);
    assert_int_equal(claimed(&doc, "rejected", "0000000000000001")->n_techniques, 0);
    assert_string_equal(
        claimed(&doc, "rejected", "0000000000000004")->violations[0].rule, "ncu_symptom_mismatch");
    assert_true(claimed(&doc, "rejected", "0000000000000004")->claim.latency_after_ns.v == 1.1e6);
}

static void
t20_paths_of_the_machine_stay_out_of_the_records(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "traps/kernelflow.json");
    const struct lore_intake_format *f = format_named(t, "kernelflow");
    struct lore_submission doc = decoded(t, f);
    for (size_t i = 0; i < doc.n_experiments; i++) {
        assert_null(strstr(doc.experiments[i].extra, "anna"));
        assert_null(strstr(doc.experiments[i].extra, "C:\\\\work"));
    }
    assert_true(noted(f, LORE_IL_DOUBTS, "cut to the file name") > 0);
}

static const struct lore_insight *
titled(const struct lore_submission *doc, const char *part)
{
    for (size_t i = 0; i < doc->n_insights; i++) {
        if (strstr(doc->insights[i].title, part))
            return &doc->insights[i];
    }
    fail_msg("no %s", part);
    return NULL;
}

static void
t21_numbers_in_prose_become_no_claims(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    struct lore_submission doc = decoded(t, format_named(t, "gpu-wiki"));
    assert_non_null(strstr(titled(&doc, "Wide loads")->body, "4.2 TB/s here, 1.31x"));
    assert_int_equal(doc.n_experiments + doc.n_runs + doc.n_specs + doc.n_attributions, 0);
}

static void
t21_a_when_that_is_cut_or_copies_what_is_doubted_in_record_and_report(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    const struct lore_intake_format *f = format_named(t, "gpu-wiki");
    struct lore_submission doc = decoded(t, f);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "payload.when is cut short"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "payload.when repeats payload.what"), 2);
    assert_non_null(strstr(titled(&doc, "Wide loads")->extra, "when is cut short"));
    assert_non_null(strstr(titled(&doc, "Caveats")->extra, "when repeats what"));
    assert_null(strstr(titled(&doc, "Caveats")->body, "**When.**"));
    assert_non_null(
        strstr(titled(&doc, "Caveats")->extra, "\"when\":\"Small problems see no gain.\""));
    assert_null(strstr(titled(&doc, "Persistent")->extra, "doubts"));
}

static void
t22_a_symptom_in_the_place_of_the_operator_family_is_a_symptom(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    const struct lore_intake_format *f = format_named(t, "gpu-wiki");
    struct lore_submission doc = decoded(t, f);
    const struct lore_insight *x = titled(&doc, "pipeline-stalls");
    assert_string_equal(x->kind, "symptom_card");
    assert_string_equal(x->symptom, "pipeline-stalls");
    assert_null(x->op);
    assert_null(x->family);
    assert_string_equal(x->labels.v[0], "latency");
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "operator_family names a symptom"), 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(t1_five_spellings_of_a_bottleneck_are_one_label_and_stay_as_written),
        INTAKE(t1_empty_fields_and_doubled_percent_signs_are_flagged_and_nothing_is_made_up),
        INTAKE(t2_an_outcome_that_the_policy_would_not_give_is_listed_and_kept_as_a_claim),
        INTAKE(t3_memory_bound_with_an_idle_memory_is_flagged),
        INTAKE(t4_a_rerun_is_proposed_for_merging_and_not_merged),
        INTAKE(t5_records_that_an_index_promises_and_no_file_holds_are_missed_aloud),
        INTAKE(t18_positive_against_a_regression_is_flagged_and_both_bases_are_kept),
        INTAKE(t19_a_contested_technique_a_placeholder_and_a_blocked_baseline_are_listed),
        INTAKE(t20_paths_of_the_machine_stay_out_of_the_records),
        INTAKE(t21_numbers_in_prose_become_no_claims),
        INTAKE(t21_a_when_that_is_cut_or_copies_what_is_doubted_in_record_and_report),
        INTAKE(t22_a_symptom_in_the_place_of_the_operator_family_is_a_symptom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
