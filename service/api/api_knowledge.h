/* More handlers, with the rules of api.h: records besides runs and experiments, analyses computed
 * per request, and decisions. */
#ifndef LORE_API_API_KNOWLEDGE_H
#define LORE_API_API_KNOWLEDGE_H

#include "service/api/api.h"

/* knowledge.c */
LORE_HANDLER(lore_api_source_documents);
LORE_HANDLER(lore_api_source_document);
LORE_HANDLER(lore_api_verifications);
LORE_HANDLER(lore_api_campaigns);
LORE_HANDLER(lore_api_campaign);
LORE_HANDLER(lore_api_directions);
LORE_HANDLER(lore_api_direction);
LORE_HANDLER(lore_api_curations);
LORE_HANDLER(lore_api_curation);
/* sweeps.c */
LORE_HANDLER(lore_api_sweeps);
LORE_HANDLER(lore_api_sweep);
LORE_HANDLER(lore_api_sweep_configurations);
/* profiles.c */
LORE_HANDLER(lore_api_profiles);
LORE_HANDLER(lore_api_profile);
/* records.c */
LORE_HANDLER(lore_api_record);
/* specs.c */
LORE_HANDLER(lore_api_specs);
LORE_HANDLER(lore_api_spec);
LORE_HANDLER(lore_api_disputes);
LORE_HANDLER(lore_api_chip);
/* history.c, frontier.c, restart.c */
LORE_HANDLER(lore_api_history);
LORE_HANDLER(lore_api_frontier);
LORE_HANDLER(lore_api_restart);
/* merges.c */
LORE_HANDLER(lore_api_merges);
LORE_HANDLER(lore_api_merge_proposals);
LORE_HANDLER(lore_api_merge);
LORE_HANDLER(lore_api_merge_undo);
/* curate.c */
LORE_HANDLER(lore_api_retract);
LORE_HANDLER(lore_api_comment);
LORE_HANDLER(lore_api_spec_select);
LORE_HANDLER(lore_api_spec_reject);
LORE_HANDLER(lore_api_direction_close);
LORE_HANDLER(lore_api_campaign_close);
LORE_HANDLER(lore_api_campaign_amend);
LORE_HANDLER(lore_api_insight_review);
/* failures.c, lineage.c */
LORE_HANDLER(lore_api_failures);
LORE_HANDLER(lore_api_lineage);
LORE_HANDLER(lore_api_environments);
LORE_HANDLER(lore_api_environments_compare);
/* roofline.c, diagnosis.c, drift.c, triggers.c: computed per request */
LORE_HANDLER(lore_api_roofline);
LORE_HANDLER(lore_api_axis_budget);
LORE_HANDLER(lore_api_diagnosis);
LORE_HANDLER(lore_api_profile_diagnosis);
LORE_HANDLER(lore_api_drift);
LORE_HANDLER(lore_api_triggers);
LORE_HANDLER(lore_api_methods_validate); /* methods.c */
LORE_HANDLER(lore_api_technique);
/* judgements.c, check_idea.c, export.c, compare.c */
LORE_HANDLER(lore_api_judgements);
LORE_HANDLER(lore_api_calibration);
LORE_HANDLER(lore_api_check_idea);
LORE_HANDLER(lore_api_brief); /* brief.c */
LORE_HANDLER(lore_api_export);
LORE_HANDLER(lore_api_compare);
/* seed.c: the answer of lore_api_recommend for method=seed-score */
LORE_HANDLER(lore_api_recommend_seed);

#endif
