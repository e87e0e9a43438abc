/* Objects of the interface that have a table (object.h), by the file that defines them. A new one
 * is a line here and one in objects.c. */
#ifndef LORE_API_OBJECTS_H
#define LORE_API_OBJECTS_H

#include "service/api/object.h"
#include "service/api/present.h"

/* Choices of several tables. */
#define LORE_EFFECT_NAMES "win|neutral|loss|inconclusive|not_measured"
#define LORE_CHECK_NAMES "pass|fail|timeout|not_checked"
#define LORE_EVIDENCE_NAMES "confirmed|measured|imported|claimed"
#define LORE_BASE_NAMES "first|parent|best_so_far|library"
#define LORE_BOUND_NAMES "unknown|near_peak|compute|memory|latency"
#define LORE_KIND_NAMES                                                                            \
    "kernel|version|environment|run|hypothesis|experiment|attribution|insight|source_document|"    \
    "spec|technique_definition|verification|campaign|direction|curation"

/* --- */
/* catalogue.c */
extern const struct lore_object lore_operator_object, lore_chip_object, lore_used_chip_object,
    lore_technique_object, lore_metric_object;
/* curate.c */
extern const struct lore_object lore_decision_object, lore_masked_object;
/* diagnosis.c */
extern const struct lore_object lore_test_object, lore_finding_object, lore_not_evaluated_object,
    lore_rule_set_result_object, lore_contradiction_object, lore_metric_doubt_object,
    lore_stall_object, lore_quantity_object, lore_diagnosis_object;
/* drift.c */
extern const struct lore_object lore_drift_step_object, lore_drift_object;
/* duplicates.c */
extern const struct lore_object lore_duplicate_object, lore_duplicates_object;
/* environments.c */
extern const struct lore_object lore_environment_object, lore_compared_value_object,
    lore_compared_environments_object;
/* experiments.c */
extern const struct lore_object lore_used_technique_object, lore_labels_from_object,
    lore_experiment_object, lore_citing_object, lore_attribution_object, lore_mask_object,
    lore_experiment_full_object, lore_count_object, lore_facets_object;
/* export.c */
extern const struct lore_object lore_exported_object;
/* failures.c */
extern const struct lore_object lore_failure_object, lore_failures_object;
/* hardware.c */
extern const struct lore_object lore_input_object, lore_axis_budget_object, lore_gaps_object;
/* hypotheses.c */
extern const struct lore_object lore_hypothesis_object;
/* insights.c */
extern const struct lore_object lore_insight_object;
/* judgements.c */
extern const struct lore_object lore_judged_row_object, lore_calibration_bin_object,
    lore_calibration_object, lore_calibrations_object;
/* kernels.c */
extern const struct lore_object lore_kernel_row_object, lore_kernel_full_object;
/* knowledge.c */
extern const struct lore_object lore_source_document_object, lore_verification_object,
    lore_direction_standing_object, lore_direction_object, lore_curation_object, lore_wins_object,
    lore_campaign_standing_object, lore_campaign_object;
/* leaderboard.c */
extern const struct lore_object lore_speedup_object, lore_tied_object, lore_excluded_object,
    lore_workload_name_object, lore_best_object, lore_typical_object, lore_time_interval_object,
    lore_board_row_object;
/* lineage.c */
extern const struct lore_object lore_ancestor_object, lore_descendant_object, lore_lineage_object;
/* matrix.c */
extern const struct lore_object lore_matrix_cell_object;
/* merges.c */
extern const struct lore_object lore_merge_preview_object, lore_merge_proposals_object,
    lore_merge_group_object;
/* methods.c */
extern const struct lore_object lore_scanned_method_object, lore_selection_object,
    lore_method_error_object, lore_methods_checked_object;
/* pairing.c */
extern const struct lore_object lore_paired_object;
/* present_model.c */
extern const struct lore_object lore_model_number_object, lore_model_object;
/* present_verdicts.c */
extern const struct lore_object lore_outcome_object, lore_judgement_object, lore_clause_object,
    lore_decided_object, lore_watched_object, lore_technique_verdict_object, lore_synergy_object;
/* recommend_start_write.c */
extern const struct lore_object lore_interval_object, lore_repeated_idea_object,
    lore_version_said_object, lore_start_from_object, lore_start_object, lore_move_object,
    lore_next_object, lore_place_object, lore_lineage_state_object, lore_start_answer_object,
    lore_start_level_object;
/* recommend_write.c */
extern const struct lore_object lore_asked_chip_object, lore_question_object, lore_cited_object,
    lore_step_object, lore_travel_object, lore_worst_object, lore_advice_object,
    lore_untried_object, lore_telling_object, lore_told_lesson_object, lore_knowledge_object,
    lore_recommendation_object;
/* records.c */
extern const struct lore_object lore_review_object, lore_standing_object,
    lore_record_standing_object, lore_any_record_object;
/* repeats.c */
extern const struct lore_object lore_repeat_object, lore_repeats_object;
/* restart.c */
extern const struct lore_object lore_never_hidden_object, lore_restart_object;
/* roofline.c */
extern const struct lore_object lore_ceiling_object, lore_roofline_object;
/* rules.c */
extern const struct lore_object lore_rule_object;
/* runs.c */
extern const struct lore_object lore_run_statistics_object, lore_run_derived_object,
    lore_run_object, lore_run_full_object;
/* search.c */
extern const struct lore_object lore_hit_object, lore_hits_object;
/* seed.c */
extern const struct lore_object lore_seed_terms_object, lore_seed_row_object,
    lore_seed_failure_object, lore_seed_best_object, lore_seed_scored_object,
    lore_seed_score_object;
/* specs.c */
extern const struct lore_object lore_spec_object, lore_dispute_object, lore_spec_doubt_object,
    lore_chip_sheet_object;
/* submissions.c */
extern const struct lore_object lore_similar_object, lore_receipt_record_object,
    lore_receipt_object, lore_author_object, lore_document_object, lore_artifact_object,
    lore_document_full_object;
/* system.c */
extern const struct lore_object lore_health_object, lore_param_object, lore_route_object,
    lore_setting_object, lore_ingest_object, lore_memory_object, lore_internals_object,
    lore_me_object, lore_event_object;
/* targets.c */
extern const struct lore_object lore_target_standing_object;
/* transfer.c */
extern const struct lore_object lore_transfer_object;
/* triggers.c */
extern const struct lore_object lore_gate_object, lore_method_trigger_object, lore_fires_object,
    lore_silent_object, lore_triggers_object, lore_method_object, lore_pair_object,
    lore_technique_definition_object, lore_technique_sheet_object;
/* versions.c */
extern const struct lore_object lore_parent_object, lore_file_object, lore_version_object,
    lore_version_row_object, lore_version_full_object;
/* workloads.c */
extern const struct lore_object lore_workload_object;

#endif
