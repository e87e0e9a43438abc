/* Migrate a database to the schema of this binary. Each migration and its number are one
 * transaction, with an event in the log unless the database is new. A database with content is
 * copied before the first migration.
 *
 * Released migrations never change (migrations/hashes.txt). The copy is the only way back, and a
 * database from a newer binary is refused. */
#include <stdio.h>
#include <string.h>

#include "db/copies.h"
#include "db/copy.h"
#include "db/curated.h"
#include "db/entry.h"
#include "db/feedback_version.h"
#include "db/files.h"
#include "db/internal.h"
#include "db/migrate.h"
#include "db/put.h"
#include "db/settings.h"
#include "db/withheld.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"

static int
last_of(const struct lore_migration *list)
{
    int last = 0;

    for (; list->name != NULL; list++)
        last = list->version;
    return last;
}

int
lore_db_schema_version(void)
{
    return last_of(lore_migrations);
}

enum lore_status
lore_migrate_version(struct lore_db *db, int *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "PRAGMA user_version");

    if (lore_row(&q))
        *out = (int)lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
back_up(struct lore_db *db, const char *dir, int version, struct lore_err *err)
{
    char folder[4096], path[4096 + 64];
    enum lore_status status;

    if (snprintf(folder, sizeof folder, "%s/backup", dir) >= (int)sizeof folder)
        return lore_fail(err, LORE_INVALID, "%s: path too long", dir);
    status = lore_mkdirs(folder, 0700, err);
    if (status != LORE_OK)
        return status;
    snprintf(path, sizeof path, "%s/%d-%lld.db", folder, version, (long long)lore_now_us());
    status = lore_copy_database(db, path, false, err);
    if (status == LORE_OK)
        status = lore_copy_sync(folder, err);
    return status;
}

/* The steps that SQL cannot express: they derive rows from the stored facts. A step uses the tables
 * of the newest schema, so it runs with the last migration, in this order, on a database older than
 * `version`. A repeated step changes nothing. */
static const struct {
    int version;
    enum lore_status (*derive)(struct lore_db *db, struct lore_err *err);
} derivations[] = {{8, lore_run_entries_all}, {8, lore_experiment_entries_all},
    {15, lore_settings_all}, {15, lore_db_link_all_tried}, {18, lore_copies_all},
    {19, lore_old_masks_convert}, {19, lore_withheld_all}};

static enum lore_status
derive(struct lore_db *db, int old, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < sizeof derivations / sizeof *derivations && status == LORE_OK; i++)
        if (old < derivations[i].version)
            status = derivations[i].derive(db, err);
    return status;
}

static enum lore_status
note(struct lore_db *db, const struct lore_migration *m, struct lore_err *err)
{
    unsigned char hash[LORE_HASH_BYTES];

    lore_hash(m->sql, strlen(m->sql), hash);
    return lore_put_event(db,
        &(struct lore_event){LORE_ACTOR_SERVICE, "migration", m->name, hash, lore_now_us()}, err);
}

/* Apply one migration to a database that had the version OLD; 0: it was empty. The change of a
 * database with facts is logged as an event. */
static enum lore_status
apply(struct lore_db *db, const struct lore_migration *m, int old, struct lore_err *err)
{
    bool new = old == 0, last = m[1].name == NULL;
    char pragma[64];
    enum lore_status status;

    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", m->version);
    status = lore_db_begin(db, err);
    if (status != LORE_OK)
        return status;
    status = lore_db_exec(db, m->sql, err);
    if (status == LORE_OK)
        status = lore_db_exec(db, pragma, err);
    if (status == LORE_OK && !new &&last)
        status = derive(db, old, err);
    if (status == LORE_OK && !new)
        status = note(db, m, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status != LORE_OK) {
        lore_db_rollback(db);
        if (err)
            lore_err_hint(err, "migration %s was undone; the database is as it was", m->name);
    }
    return status;
}

enum lore_status
lore_migrate(
    struct lore_db *db, const char *dir, const struct lore_migration *list, struct lore_err *err)
{
    int version = 0, last = last_of(list);
    enum lore_status status = lore_migrate_version(db, &version, err);

    if (status != LORE_OK || version == last)
        return status;
    if (version > last)
        return lore_fail(err, LORE_UNSUPPORTED,
            "%s: schema version %d is newer than this program's %d; use the newer warplored",
            db->path, version, last);
    if (version > 0)
        status = back_up(db, dir, version, err);
    for (; status == LORE_OK && list->name; list++)
        if (list->version > version)
            status = apply(db, list, version, err);
    return status;
}
