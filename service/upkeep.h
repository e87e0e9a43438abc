/* The service's care for its storage: a thread that checks the database after an unclean end and
 * makes backups on schedule (upkeep.c). */
#ifndef LORE_SERVICE_UPKEEP_H
#define LORE_SERVICE_UPKEEP_H

#include "service/config.h"
#include "service/http/app.h"

struct lore_upkeep;
/* CHECK: the database was not closed cleanly. Its backups have a low priority. */
enum lore_status lore_upkeep_start(struct lore_app *app, const struct lore_config *c, bool check,
    struct lore_upkeep **out, struct lore_err *err) LORE_MUST;
/* Call it every few seconds: note in the data directory how far the database has come, and learn of
 * backups that other processes made. */
void lore_upkeep_note(struct lore_app *app, const char *data);
/* Ends a backup or check that is being made. */
void lore_upkeep_stop(struct lore_upkeep *u);

#endif
