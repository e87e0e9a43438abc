/* Accept and reject rules, written before the run: "execution time < 0.050 ms AND correctness
 * passes". Pure functions.
 *
 * AND, OR, && or || join clauses; AND binds tighter; a comma or semicolon is AND. A clause is one
 * of:
 *   - a metric (claims_metric.h), latency or speedup with a comparison and a number;
 *   - "METRIC falls by more than the noise", also with "rises", "beyond" or "outside". The noise is
 *     that of both sides together. The clause is undecided if that noise is unknown;
 *   - "correctness passes" or "correctness fails".
 * Parentheses hold remarks, which are ignored; one that contains AND or OR is not understood. Logic
 * is three-valued: a clause is undecided if the noise interval contains the threshold. */
#ifndef LORE_DERIVE_CLAIMS_RULE_H
#define LORE_DERIVE_CLAIMS_RULE_H

#include "service/derive/claims_metric.h"

enum { LORE_RULE_TEXT_MAX = 8 << 10, LORE_RULE_CLAUSES_MAX = 32 };

enum lore_rule_truth { LORE_RULE_NOT_PARSED, LORE_RULE_FALSE, LORE_RULE_UNDECIDED, LORE_RULE_TRUE };
const char *lore_rule_truth_name(enum lore_rule_truth t); /* "not_parsed", "false" … */

struct lore_rule_facts {
    struct lore_claim_side before, after;
    enum lore_check correctness;
    struct lore_f64 noise_pct; /* stated noise of times; the noise of the samples counts if
                                  larger; neither: LORE_NOISE_DEFAULT_PCT */
};
struct lore_rule_clause {
    const char *text;
    enum lore_rule_truth truth;
    const char *why; /* the numbers, or what is missing */
};
struct lore_claims_rule {
    enum lore_rule_truth truth;
    struct lore_rule_clause *clauses;
    size_t n;
};
/* Evaluate a rule. TEXT NULL or blank gives "not parsed" and no clauses. A clause that cannot be
 * parsed makes the rule "not parsed", unless the other clauses decide it. */
void lore_claims_rule(const char *text, const struct lore_rule_facts *facts,
    struct lore_arena *arena, struct lore_claims_rule *out);

enum lore_decision {
    LORE_DECISION_NOT_PARSED,
    LORE_DECISION_ACCEPT,
    LORE_DECISION_REJECT,
    LORE_DECISION_UNDECIDED
};
const char *lore_decision_name(enum lore_decision d);
struct lore_rule_decision {
    enum lore_decision decision;
    struct lore_claims_rule accept, reject;
    const char *reason; /* static */
};
/* accept: the accept rule is true and the reject rule, if any, is false. reject: the reject rule is
 * true and the accept rule is not, or the accept rule is false and there is no reject rule.
 * not_parsed: no rule was understood, or there is none. Otherwise undecided. Either text may be
 * NULL. */
void lore_claims_decide(const char *accept_if, const char *reject_if,
    const struct lore_rule_facts *facts, struct lore_arena *arena, struct lore_rule_decision *out);

#endif
