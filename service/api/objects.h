/* Objects of the interface that have a table (object.h), by the file that defines them. A new one
 * is a line here; a route that answers with it brings it into OpenAPI. */
#ifndef LORE_API_OBJECTS_H
#define LORE_API_OBJECTS_H

#include "service/api/object.h"
#include "service/api/present.h"

/* Choices of several tables. */
#define LORE_EFFECT_NAMES "win|neutral|loss|inconclusive|not_measured"
#define LORE_CHECK_NAMES "pass|fail|timeout|not_checked"
#define LORE_EVIDENCE_NAMES "confirmed|measured|imported|claimed"
#define LORE_BASE_NAMES "first|parent|best_so_far|library|previous"
#define LORE_BOUND_NAMES "unknown|near_peak|compute|memory|latency"
#define LORE_KIND_NAMES                                                                            \
    "kernel|version|environment|run|hypothesis|experiment|attribution|insight|source_document|"    \
    "spec|technique_definition|verification|campaign|direction|curation|sweep|profile"

/* --- */
/* agents.c */
extern const struct lore_object lore_enrolled_object, lore_agent_object, lore_agent_self_object,
    lore_receipt_row_object, lore_enrolment_object;
/* batches.c */
extern const struct lore_object lore_batch_receipt_object, lore_batch_object;
/* catalogue.c */
extern const struct lore_object lore_operator_object, lore_chip_object, lore_used_chip_object,
    lore_technique_object, lore_metric_object;
/* unresolved.c */
extern const struct lore_object lore_unresolved_object;
/* compare.c */
extern const struct lore_object lore_comparison_object;
/* curate.c */
extern const struct lore_object lore_decision_object, lore_masked_object,
    lore_reason_request_object, lore_mask_request_object, lore_quarantine_request_object,
    lore_quarantined_object, lore_review_request_object, lore_amend_request_object,
    lore_close_request_object;
/* diagnosis.c */
extern const struct lore_object lore_diagnosis_object;
/* drift.c */
extern const struct lore_object lore_drift_object;
/* brief_fit.c */
extern const struct lore_object lore_brief_object;
/* check_idea.c */
extern const struct lore_object lore_checked_idea_object;
/* environments.c */
extern const struct lore_object lore_environment_object, lore_compared_environments_object,
    lore_compared_value_object;
/* experiments.c */
extern const struct lore_object lore_experiment_object, lore_experiment_full_object,
    lore_facets_object;
/* export.c */
extern const struct lore_object lore_exported_object;
/* failures.c */
extern const struct lore_object lore_failures_object;
/* feedback.c, feedback_stats.c */
extern const struct lore_object lore_served_object, lore_advice_event_object,
    lore_event_request_object, lore_advice_statistics_object;
/* hardware.c */
extern const struct lore_object lore_input_object, lore_axis_budget_object, lore_gaps_object;
/* history.c, frontier.c */
extern const struct lore_object lore_history_object, lore_frontier_object;
/* hypotheses.c */
extern const struct lore_object lore_hypothesis_object;
/* insights.c */
extern const struct lore_object lore_insight_object;
/* judgements.c */
extern const struct lore_object lore_judged_row_object, lore_calibration_object,
    lore_calibrations_object;
/* kernels.c */
extern const struct lore_object lore_kernel_row_object, lore_kernel_full_object;
/* knowledge.c */
extern const struct lore_object lore_source_document_object, lore_verification_object,
    lore_direction_object, lore_curation_object, lore_campaign_object;
/* sweeps.c */
extern const struct lore_object lore_sweep_object, lore_sweep_full_object,
    lore_sweep_configuration_object;
/* profiles.c */
extern const struct lore_object lore_profile_object;
/* leaderboard.c */
extern const struct lore_object lore_board_row_object;
/* lineage.c */
extern const struct lore_object lore_lineage_object;
/* matrix.c */
extern const struct lore_object lore_matrix_cell_object;
/* merges.c */
extern const struct lore_object lore_merge_preview_object, lore_merge_proposals_object,
    lore_merge_request_object, lore_merge_group_object;
/* methods.c */
extern const struct lore_object lore_selection_object, lore_methods_checked_object;
/* pairing.c */
extern const struct lore_object lore_paired_object;
/* present_model.c */
extern const struct lore_object lore_model_object;
/* present_verdicts.c */
extern const struct lore_object lore_outcome_object, lore_judgement_object, lore_decided_object,
    lore_watched_object, lore_technique_verdict_object, lore_synergy_object;
/* recommend_start_write.c */
extern const struct lore_object lore_interval_object, lore_chance_object, lore_repeated_idea_object,
    lore_start_answer_object, lore_start_short_object, lore_start_level_object;
/* recommend_short.c, recommend_write.c */
extern const struct lore_object lore_short_recommendation_object, lore_recommendation_object;
/* records.c */
extern const struct lore_object lore_standing_object, lore_any_record_object;
/* restart.c */
extern const struct lore_object lore_restart_object, lore_restart_request_object;
/* roofline.c */
extern const struct lore_object lore_roofline_object;
/* rules.c */
extern const struct lore_object lore_rule_object;
/* runs.c */
extern const struct lore_object lore_run_object, lore_run_full_object;
/* search.c */
extern const struct lore_object lore_hits_object;
/* seed.c */
extern const struct lore_object lore_seed_score_object;
/* specs.c */
extern const struct lore_object lore_spec_object, lore_dispute_object, lore_chip_sheet_object;
/* stats.c */
extern const struct lore_object lore_statistics_object;
/* submissions.c */
extern const struct lore_object lore_attempt_receipt_object, lore_dry_run_object,
    lore_session_receipt_object, lore_receipt_object, lore_document_object,
    lore_document_full_object;
/* system.c */
extern const struct lore_object lore_health_object, lore_ready_object, lore_route_object,
    lore_setting_object, lore_internals_object, lore_me_object, lore_event_object;
/* targets.c */
extern const struct lore_object lore_target_standing_object;
/* transfer.c */
extern const struct lore_object lore_transfer_object;
/* triggers.c */
extern const struct lore_object lore_triggers_object, lore_technique_sheet_object;
/* versions.c */
extern const struct lore_object lore_version_object, lore_version_row_object,
    lore_version_full_object;
/* workloads.c */
extern const struct lore_object lore_workload_object;

#endif
