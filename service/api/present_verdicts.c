/* Derived results of an experiment: outcome, judgements of its hypothesis, verdicts on techniques.
 */
#include <string.h>

#include "service/api/objects.h"
#include "service/derive/process.h"
#include "service/verdicts/verdicts.h"

/* The names in FLAGS that are, or are not, of what is missing: verdicts store both in one list. */
static void
write_flags(struct lore_jsonw *w, const char *key, const char *flags, bool missing)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    while (flags && *flags != '\0') {
        size_t n = strcspn(flags, ",");

        if (lore_process_is_missing(flags, n) == missing)
            lore_w_strn(w, flags, n);
        flags += n + (flags[n] == ',');
    }
    lore_w_arr_end(w);
}

static void
write_doubts(struct lore_jsonw *w, const char *key, const void *row)
{
    write_flags(w, key, ((const struct lore_outcome_row *)row)->flags, false);
}

static void
write_missing(struct lore_jsonw *w, const char *key, const void *row)
{
    write_flags(w, key, ((const struct lore_outcome_row *)row)->flags, true);
}

#define ROW struct lore_outcome_row
static const struct lore_object_member outcome[] = {
    {"!effect", AT(effect), LORE_EFFECT_NAMES},
    {"!correctness", AT(correctness), LORE_CHECK_NAMES},
    {"error_type", AT(error_type), NULL, "how it ended before it was timed"},
    {"!process", AT(process), "clean|broken"},
    {"!rules", WORDS(rules), NULL, "rules of process that were broken"},
    {"!flags", WRITTEN(write_doubts), "[text", "doubtful points that break no rule"},
    {"!missing", WRITTEN(write_missing), "[text",
        "what was not recorded: hypothesis, correctness_check …"},
    {"speedup", AT(speedup)},
    {"low", AT(low)},
    {"high", AT(high)},
    {"gain", AT(gain), NULL,
        "what counts of the speedup: over the best version before it, or the middle of a stated "
        "range"},
    {"!basis", AT(basis), "samples|summary|claim|none"},
    {"before_ns", AT(before_ns)},
    {"after_ns", AT(after_ns)},
    {"!policy", AT(policy)},
    {"!disagrees", AT(disagrees), NULL, "the author's outcome differs from the verdict"},
    {"at", TIME(at_us)},
    {"superseded_at", TIME(superseded_us)},
};
const struct lore_object lore_outcome_object = LORE_KEYED_OBJECT("Outcome", outcome, effect);
#undef ROW

#define ROW struct lore_judgement_row
static const struct lore_object_member judgement[] = {
    {"!metric", AT(metric)},
    {"!verdict", AT(verdict), "confirmed|contradicted|partial|not_measured"},
    {"before", AT(before)},
    {"after", AT(after)},
    {"!why", AT(why)},
};
const struct lore_object lore_judgement_object = LORE_OBJECT("Judgement", judgement);
#undef ROW

#define ROW struct lore_rule_clause
static const struct lore_object_member clause[] = {
    {"!clause", AT(text)},
    {"!truth", NAMED(truth, lore_rule_truth_name)},
    {"why", AT(why)},
};
static const struct lore_object lore_clause_object = LORE_OBJECT("Clause", clause);
#undef ROW

#define ROW struct lore_rule_decision
static const struct lore_object_member decided[] = {
    {"!decision", NAMED(decision, lore_decision_name)},
    {"why", AT(reason)},
    {"!accept", LIST(accept.clauses, accept.n, lore_clause_object)},
    {"!reject", LIST(reject.clauses, reject.n, lore_clause_object)},
};
const struct lore_object lore_decided_object = LORE_OBJECT("Decided", decided);
#undef ROW

#define ROW struct lore_watched
static const struct lore_object_member watched[] = {
    {"!metric", AT(words)},
    {"!state", NAMED(state, lore_watch_name)},
    {"before", AT(measured.before)},
    {"after", AT(measured.after)},
    {"change_pct", AT(change_pct)},
};
const struct lore_object lore_watched_object = LORE_OBJECT("Watched", watched);
#undef ROW

#define ROW struct lore_technique_verdict_row
static const struct lore_object_member technique_verdict[] = {
    {"!technique", AT(technique)},
    {"!verdict", AT(verdict),
        "effective|ineffective|implementation_failed|unattributed|not_measured"},
    {"!contributed", AT(contributed), "yes|no|unknown"},
    {"!isa", AT(isa), "verified|missing|not_applicable|unavailable|inconclusive|not_checked"},
    {"!policy", AT(policy)},
    {"!why", AT(why)},
};
const struct lore_object lore_technique_verdict_object =
    LORE_OBJECT("TechniqueVerdict", technique_verdict);
#undef ROW

#define ROW struct lore_synergy
static const struct lore_object_member synergy[] = {
    {"!total_ns", AT(total_ns), "number"},
    {"sum_ns", AT(sum_ns), NULL, "gains that ablations attribute to single techniques"},
    {"residual_ns", AT(residual_ns)},
    {"residual_pct", AT(residual_pct), NULL, "of the total"},
    {"!unknown", AT(n_unknown), NULL, "techniques without an ablation"},
    {"!gain_from_parameters", AT(gain_from_parameters)},
};
const struct lore_object lore_synergy_object = LORE_OBJECT("Synergy", synergy);
#undef ROW
