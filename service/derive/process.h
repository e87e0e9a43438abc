/* The process rules. Each rule looks at the facts of an experiment and returns kept, broken or
 * unknown; unknown if facts are missing. A certain breach breaks the process verdict; a doubtful
 * one only raises a flag. A rule never changes the effect: a win that breaks a rule stays a win and
 * names the rule. Pure functions. docs/verdicts.md explains each rule. */
#ifndef LORE_DERIVE_PROCESS_H
#define LORE_DERIVE_PROCESS_H

#include "service/base/arena.h"
#include "service/derive/process_facts.h"

struct lore_process_rule {
    const char *name; /* without commas: verdicts store lists of names */
    bool breaks;      /* false: a flag */
    enum lore_ruling (*judge)(const struct lore_process_in *in);
    const char *help;
};
/* Every rule, in the order in which verdicts name them. */
const struct lore_process_rule *lore_process_rules(size_t *n);
/* Names of the rules broken and of the flags raised, each "a,b" in ARENA, "" for none. */
struct lore_discipline {
    const char *broken, *flags;
};
struct lore_discipline
lore_process_judge(const struct lore_process_in *in, struct lore_arena *arena);

#endif
