/* The exact choice of methods, shown with the triggers of a run. */
#ifndef LORE_API_API_METHODS_H
#define LORE_API_API_METHODS_H

#include "service/base/jsonw.h"
#include "service/http/http.h"
#include "service/wire/record.h"

/* What was said about a choice: budget, history, chip. Lists are borrowed. */
struct lore_choice_in;
/* The parameters `budget`, `selected`, `ineffective`, `failed`, `skip` and RUN (NULL: none), whose
 * chip and gaps stand in for what was not given. *OUT lives in the request's arena. */
enum lore_status lore_choice_read(const struct lore_req *req, const struct lore_run *run,
    struct lore_choice_in **out, struct lore_err *err) LORE_MUST;
/* `"selection": {…}`. */
void lore_present_selection(
    struct lore_jsonw *w, const struct lore_choice_in *in, struct lore_arena *arena);

#endif
