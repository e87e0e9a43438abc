/* The process rules. Each rule looks at the facts of an experiment and returns kept, broken or
 * unknown; unknown if facts are missing. What somebody did wrong breaks the process verdict, a
 * doubtful point raises a flag, and what nobody recorded is named as missing. A rule never changes
 * the effect: a win that breaks a rule stays a win and names the rule. Pure functions.
 * docs/verdicts.md explains each rule. */
#ifndef LORE_DERIVE_PROCESS_H
#define LORE_DERIVE_PROCESS_H

#include "service/base/arena.h"
#include "service/derive/process_facts.h"

enum lore_process_kind {
    LORE_PROCESS_RULE,   /* its breach breaks the process verdict */
    LORE_PROCESS_FLAG,   /* doubtful; no consequence */
    LORE_PROCESS_MISSING /* not recorded; no consequence. The name is the missing thing */
};
const char *lore_process_kind_name(enum lore_process_kind kind); /* "rule", "flag", "missing" */
struct lore_process_rule {
    const char *name; /* without commas: verdicts store lists of names */
    enum lore_process_kind kind;
    enum lore_ruling (*judge)(const struct lore_process_in *in);
    const char *help;
};
/* Every rule, in the order in which verdicts name them. */
const struct lore_process_rule *lore_process_rules(size_t *n);
/* Whether the LEN bytes at NAME are the name of a row of kind LORE_PROCESS_MISSING. Verdicts store
 * those among the flags. */
bool lore_process_is_missing(const char *name, size_t len);
/* Names of the rules broken, and of the flags raised and things missing; each "a,b" in ARENA, ""
 * for none. */
struct lore_discipline {
    const char *broken, *flags;
};
struct lore_discipline
lore_process_judge(const struct lore_process_in *in, struct lore_arena *arena);

#endif
