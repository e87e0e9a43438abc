/* `warplored verify`: all that can be checked of a data directory or a backup. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "db/agent.h"
#include "db/backup.h"
#include "db/journal_place.h"
#include "db/put.h"
#include "db/store.h"
#include "service/auth/service_key.h"
#include "service/base/text.h"
#include "service/commands.h"
#include "service/ingest/replay.h"

struct verifying {
    const char *data, *scratch;
    bool deep, backup;
    int64_t events, receipts, records;
    struct lore_replayed facts;
};

static enum lore_status
verify_database(struct verifying *v, struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = lore_db_verify_events(db, &v->events, err);

    if (status == LORE_OK)
        status = lore_db_verify_receipts(db, &v->receipts, &v->records, err);
    return status == LORE_OK ? lore_replay_verify(db, v->scratch, v->deep, &v->facts, err) : status;
}

/* A database that was made from a journal notes the mark of the key; receipts were signed with one.
 * A directory without either needs none yet. The manifest of a backup has the hash of its key. */
static enum lore_status
verify_key(const struct verifying *v, struct lore_db *db, struct lore_err *err)
{
    static const char what[] =
        "put the service.key of a backup, or of a node that runs, there; it is the one that signed"
        " the receipts";
    unsigned char mark[LORE_HASH_BYTES];
    bool noted = false, same = true;
    enum lore_status status = lore_db_journal_has(db, LORE_JOURNAL_KEY, &noted, err);

    if (status != LORE_OK)
        return status;
    status = lore_service_key_mark(v->data, false, mark, err);
    if (status == LORE_NOTFOUND) {
        if (!noted && v->receipts == 0)
            return LORE_OK;
        (void)lore_fail_at(
            err, LORE_CORRUPT, "key_missing", "data", "%.160s/service.key is missing", v->data);
        lore_err_hint(err, "%s", what);
        return LORE_CORRUPT;
    }
    if (status == LORE_OK && noted)
        status = lore_db_journal_knows(db, LORE_JOURNAL_KEY, mark, &same, err);
    if (status == LORE_OK && !same) {
        status = lore_fail_at(err, LORE_CORRUPT, "key_foreign", "data",
            "%.140s/service.key is not the key with which the journal of this database was begun",
            v->data);
        lore_err_hint(err, "%s", what);
    }
    return status;
}

/* A running service goes on storing: all is read from one snapshot. */
static enum lore_status
verify(struct verifying *v, struct lore_arena *a, struct lore_err *err)
{
    struct lore_db *db = NULL;
    struct lore_manifest m;
    enum lore_status status = LORE_OK;

    v->backup = access(lore_format(a, "%s/" LORE_MANIFEST_NAME, v->data), F_OK) == 0;
    if (v->backup)
        status = lore_backup_check(v->data, a, &m, err);
    if (status == LORE_OK)
        status = lore_db_open_reader(v->data, &db, err);
    if (status == LORE_OK)
        status = lore_db_check_identity(db, err);
    if (status == LORE_OK)
        status = lore_db_snapshot(db, err);
    if (status == LORE_OK)
        status = verify_database(v, db, err);
    if (status == LORE_OK && !v->backup)
        status = verify_key(v, db, err);
    lore_db_close(db);
    if (status == LORE_CORRUPT && !lore_starts(err->code, "key_") &&
        !lore_starts(err->code, "credentials_"))
        lore_backup_hint(v->data, err);
    return status;
}

int
lore_run_verify(char **args)
{
    const char *tmp = getenv("TMPDIR");
    struct verifying v = {.scratch = tmp ? tmp : "/var/tmp"};
    const struct lore_flag flags[] = {
        {"scratch", &v.scratch, NULL}, {"deep", NULL, &v.deep}, {NULL, NULL, NULL}};
    struct lore_arena arena = {0};
    struct lore_config c;
    struct lore_err err = {0};
    char **rest;
    enum lore_status status = lore_commands_own_flags(args, flags, &c, &arena, &rest, &err);

    if (status == LORE_OK)
        status = lore_commands_need_data(&c, &err);
    v.data = c.data;
    if (status == LORE_OK)
        status = verify(&v, &arena, &err);
    if (status == LORE_OK)
        printf("integrity ok:%s chain of %" PRId64 " events intact, %" PRId64
               " receipts and %" PRId64 " signed records verified, %" PRId64
               " rows equal what %" PRId64 " documents say\n",
            v.backup ? " manifest and hashes right," : "", v.events, v.receipts, v.records,
            v.facts.rows, v.facts.documents);
    lore_arena_free(&arena);
    return status == LORE_OK ? 0 : lore_commands_print_error(&err, status == LORE_INVALID ? 2 : 1);
}
