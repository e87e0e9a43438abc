/* Selection of methods by the registry's rules, shown with the triggers of a run. */
#ifndef LORE_API_API_METHODS_H
#define LORE_API_API_METHODS_H

#include "service/derive/budget.h"
#include "service/derive/methods.h"
#include "service/http/http.h"

/* Inputs of a selection: budget, history, chip. Lists are borrowed. */
struct lore_choice_in;
/* Read the parameters `chip`, `budget`, `selected`, `ineffective`, `failed` and `skip`. A missing
 * chip or budget is taken from RUN (NULL: none), the budget from its gaps. *OUT lives in the
 * request's arena. */
enum lore_status lore_methods_choice_read(const struct lore_req *req, const struct lore_run *run,
    struct lore_choice_in **out, struct lore_err *err) LORE_MUST;
/* The budget of a selection. */
struct lore_choice_made {
    const char *algorithm, *budget_from;
    const struct lore_axis_budget *budget; /* NULL: not known */
};
struct lore_scanned_method {
    struct lore_method_row m;
    const char *technique, *reason, *note; /* reason: why it was skipped; NULL: it is chosen */
    struct lore_f64 strength;
};
struct lore_selection {
    struct lore_choice_made choice;
    struct lore_gaps gaps;
    struct lore_scanned_method *chosen, *skipped;
    size_t n_chosen, n_skipped;
};
struct lore_selection *
lore_methods_choice_select(const struct lore_choice_in *in, struct lore_arena *arena);

#endif
