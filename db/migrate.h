/* Migrate a database to a schema version (migrate.c). For the files of this folder. */
#ifndef LORE_DB_MIGRATE_H
#define LORE_DB_MIGRATE_H

#include "db/migrations.h"
#include "service/base/status.h"

struct lore_db;
/* Apply the migrations of LIST that DB lacks. */
enum lore_status lore_migrate(struct lore_db *db, const char *dir,
    const struct lore_migration *list, struct lore_err *err) LORE_MUST;
enum lore_status lore_migrate_version(struct lore_db *db, int *out, struct lore_err *err) LORE_MUST;

#endif
