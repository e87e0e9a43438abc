/* The projects that credentials are bound to. Each has its database (service/ingest/excerpt.h) with
 * connections, indexes and a writer of its own, opened when the first request for it comes, under
 * DIR/projects (projects.c). */
#ifndef LORE_SERVICE_PROJECTS_H
#define LORE_SERVICE_PROJECTS_H

#include "service/config.h"
#include "service/http/app.h"

struct lore_projects *lore_projects_new(struct lore_app *app, const struct lore_config *c);
/* A lore_app's `enter`. */
enum lore_status lore_projects_enter(struct lore_app *app, const char *project,
    struct lore_app **out, struct lore_err *err) LORE_MUST;
/* The log of the advice that is given from the database of INGEST. */
struct lore_served *
lore_projects_advice_log(struct lore_ingest *ingest, const struct lore_config *c);
/* Call it after the server and before the service's writer. */
void lore_projects_stop(struct lore_projects *p);

#endif
