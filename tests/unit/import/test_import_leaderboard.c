// uses: import
/* The leaderboard importer on a board of four operators in the real format: labels joined by a
 * plus, ranges, dashes, notes with a history and with failed attempts, source files per version. */
#include "tests/unit/import_unit.h"

#include "collectors/import/leaderboard/leaderboard_md.h"

#define FOLDER SOURCE_DIR "/tests/fixtures/import/kf"

static struct unit unit;

static int
setup(void **state)
{
    (void)state;
    unit_read(&unit, "leaderboard", FOLDER, "kernels");
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
titled(const char *title)
{
    for (size_t i = 0; i < unit.doc.n_experiments; i++) {
        if (lore_streq(unit.doc.experiments[i].title, title))
            return &unit.doc.experiments[i];
    }
    fail_msg("no experiment \"%s\"", title);
    return NULL;
}

static const struct lore_version *
version(const char *external_id)
{
    for (size_t i = 0; i < unit.doc.n_versions; i++) {
        if (lore_streq(unit.doc.versions[i].provenance.external_id, external_id))
            return &unit.doc.versions[i];
    }
    fail_msg("no version %s", external_id);
    return NULL;
}

static void
every_row_is_kept_or_refused_with_its_line(void **state)
{
    (void)state;
    assert_int_equal(unit.in.records, 11);
    assert_int_equal(unit.in.refused, 1);
    assert_true(unit_listed(&unit, LORE_IL_ERRORS, "kernels/README.md line 9"));
    assert_int_equal(unit.doc.n_experiments, 9);
}

static void
labels_joined_by_a_plus_are_a_set(void **state)
{
    const struct lore_experiment *x = titled("fused_gate: V1 done");

    (void)state;
    assert_int_equal(x->bottleneck.labels.n, 2);
    assert_string_equal(x->bottleneck.labels.v[0], "memory");
    assert_string_equal(x->bottleneck.labels.v[1], "sync");
    assert_string_equal(x->bottleneck.raw_label, "Memory+Sync");
    assert_string_equal(titled("lost_op: Perhaps")->bottleneck.raw_label, "Weather");
}

static void
a_typical_range_stays_a_range_beside_the_best(void **state)
{
    const struct lore_experiment *x = titled("fused_gate: V1 done");

    (void)state;
    assert_true(x->claim.speedup.v == 4.1);
    assert_true(x->claim.speedup_low.v == 1.1);
    assert_true(x->claim.speedup_high.v == 3.9);
    assert_int_equal(x->claim.base, LORE_BASE_FIRST);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "above the typical range"));
    assert_false(titled("lost_op: Perhaps")->claim.speedup_low.set);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "is not a range"));
}

static void
ranges_are_written_in_several_ways(void **state)
{
    double low = 0, high = 0;

    (void)state;
    assert_true(lore_leaderboard_range("3–9×", &low, &high) && low == 3 && high == 9);
    assert_true(lore_leaderboard_range("1.1× – 1.4×", &low, &high) && low == 1.1 && high == 1.4);
    assert_true(lore_leaderboard_range("2-8x", &low, &high) && low == 2 && high == 8);
    assert_false(lore_leaderboard_range("3×", &low, &high));
    assert_false(lore_leaderboard_range("", &low, &high));
    assert_false(lore_leaderboard_range("9–3×", &low, &high));
}

static void
baseline_optimal_is_a_result_without_a_number(void **state)
{
    const struct lore_experiment *x = titled("rms_quant: Baseline optimal");

    (void)state;
    assert_false(x->claim.speedup.set);
    assert_string_equal(x->claim.outcome, "Baseline optimal");
    assert_string_equal(x->from_version, version("rms_quant/baseline")->id);
    assert_null(x->to_version);
}

static void
failed_attempts_are_experiments_of_their_own_and_counted(void **state)
{
    const struct lore_experiment *x = titled("Wave-level reduce");

    (void)state;
    assert_string_equal(x->claim.outcome, "No improvement");
    assert_string_equal(x->lesson, "Already hidden");
    assert_false(x->claim.speedup.set);
    assert_true(titled("Unroll by 4")->claim.speedup.v == 0.97);
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "name no quantity"));
    assert_int_equal(unit.doc.n_campaigns, 1);
    assert_int_equal(unit.doc.campaigns[0].expected_records.v, 3);
    assert_string_equal(x->campaign, unit.doc.campaigns[0].id);
    assert_string_equal(titled("Unroll by 4")->campaign, unit.doc.campaigns[0].id);
}

static void
the_best_version_of_the_history_takes_the_row_with_it(void **state)
{
    const struct lore_experiment *x = titled("Warp-level reduce");

    (void)state;
    assert_string_equal(x->to_version, version("row_topk/v2")->id);
    assert_true(x->claim.latency_before_ns.v == 210000);
    assert_true(x->claim.latency_after_ns.v == 17000);
    assert_int_equal(x->claim.base, LORE_BASE_FIRST);
    assert_true(x->claim.speedup.v == 12.4);
    assert_true(x->claim.speedup_high.v == 8);
    assert_string_equal(x->chip, "mi300x");
    assert_non_null(strstr(x->extra, "Warp-level fallback"));
    for (size_t i = 0; i < unit.doc.n_experiments; i++)
        assert_false(lore_streq(unit.doc.experiments[i].title, "row_topk: V2 done"));
}

static void
a_version_that_only_the_notes_know_is_a_version_without_source(void **state)
{
    const struct lore_experiment *x = titled("Inline assembly");

    (void)state;
    assert_string_equal(x->to_version, version("row_topk/v3")->id);
    assert_int_equal(version("row_topk/v3")->n_sources, 0);
    assert_string_equal(x->from_version, version("row_topk/v2")->id);
    assert_string_equal(x->claim.outcome, "reverted");
}

static void
file_names_are_versions(void **state)
{
    const struct lore_version *v = version("row_topk/v2");

    (void)state;
    assert_int_equal(v->ordinal.v, 2);
    assert_string_equal(v->tag, "warp_level_reduce");
    assert_string_equal(v->sources[0].file, "v2_warp_level_reduce.cu");
    assert_int_equal(version("row_topk/baseline")->kind, LORE_V_BASELINE);
    assert_string_equal(v->parents[0].version, version("row_topk/v1")->id);
    assert_non_null(strstr(v->extra, "lineage_inferred"));
}

static void
notes_are_kept_whole(void **state)
{
    (void)state;
    assert_int_equal(unit.doc.n_insights, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(unit.doc.insights[i].body,
            lore_tree_file(&unit.tree, "", unit.doc.insights[i].provenance.path)->text);
}

static void
the_service_takes_it_and_a_second_import_changes_nothing(void **state)
{
    (void)state;
    unit_must_decode(&unit);
    unit_is_stable(FOLDER, "leaderboard");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_kept_or_refused_with_its_line),
        cmocka_unit_test(labels_joined_by_a_plus_are_a_set),
        cmocka_unit_test(a_typical_range_stays_a_range_beside_the_best),
        cmocka_unit_test(ranges_are_written_in_several_ways),
        cmocka_unit_test(baseline_optimal_is_a_result_without_a_number),
        cmocka_unit_test(failed_attempts_are_experiments_of_their_own_and_counted),
        cmocka_unit_test(the_best_version_of_the_history_takes_the_row_with_it),
        cmocka_unit_test(a_version_that_only_the_notes_know_is_a_version_without_source),
        cmocka_unit_test(file_names_are_versions),
        cmocka_unit_test(notes_are_kept_whole),
        cmocka_unit_test(the_service_takes_it_and_a_second_import_changes_nothing),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
