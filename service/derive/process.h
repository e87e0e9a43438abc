/* The discipline of an experiment, rule by rule. A rule looks at facts and says kept, broken or
 * unknown; it never touches the effect: a win by a broken rule stays a win, and says which. What is
 * sure breaks the process verdict; what only looks odd is a flag. A rule whose facts are absent is
 * unknown, which is neither. Pure. The rules and their reasons: docs/verdicts.md. */
#ifndef LORE_DERIVE_PROCESS_H
#define LORE_DERIVE_PROCESS_H

#include "service/base/arena.h"
#include "service/derive/process_facts.h"

struct lore_process_rule {
    const char *name; /* no comma: verdicts keep lists of names */
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
