/* The functions of the rules in the table of process.c. Private to this folder. */
#ifndef LORE_DERIVE_PROCESS_RULES_H
#define LORE_DERIVE_PROCESS_RULES_H

#include "service/derive/process_facts.h"

#define LORE_PROCESS(name) enum lore_ruling lore_process_##name(const struct lore_process_in *in)
/* process.c: techniques, and whether the two sides may be compared */
LORE_PROCESS(one_variable);
LORE_PROCESS(one_technique);
LORE_PROCESS(single_axis);
LORE_PROCESS(placeholder_technique);
LORE_PROCESS(environment_differs);
LORE_PROCESS(workload_differs);
LORE_PROCESS(method_differs);
LORE_PROCESS(samples_drift);
LORE_PROCESS(change_elsewhere);
/* process_checks.c: correctness, profiles, sources */
LORE_PROCESS(correctness_check);
LORE_PROCESS(correctness_other_shape);
LORE_PROCESS(tolerance_loosened);
LORE_PROCESS(zero_differences);
LORE_PROCESS(profile_reused);
LORE_PROCESS(other_source);
/* process_words.c: hypotheses, evidence in words, stated numbers */
LORE_PROCESS(hypothesis);
LORE_PROCESS(hypothesis_after_run);
LORE_PROCESS(figures_in_evidence);
LORE_PROCESS(spec_of_target);
LORE_PROCESS(claim_speedup_differs);
LORE_PROCESS(label_contradicted);
/* The lint codes that make a verdict doubtful. */
LORE_PROCESS(occupancy_above_100);
LORE_PROCESS(percent_out_of_range);
LORE_PROCESS(threads_as_percent);
LORE_PROCESS(ratio_as_percent);
LORE_PROCESS(range_excludes_value);

/* Whether the version after the change has a time or a stated gain. */
bool lore_process_is_timed(const struct lore_process_in *in);
/* Whether TEXT contains a number, in digits or words, or the name of a metric. */
bool lore_process_words_concrete(const char *text);

#endif
