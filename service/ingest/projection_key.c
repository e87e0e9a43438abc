/* The first entry of a journal has the mark of the key with which it was begun. Every node needs
 * that key, because it checks what other nodes signed. The database notes the mark, so that a start
 * compares it without reading the journal. */
#include <string.h>

#include "db/journal_place.h"
#include "service/ingest/projected.h"

static void
hint(const struct lore_projection *p, const char *start, struct lore_err *err)
{
    if (p->replays)
        lore_err_hint(err,
            "copy service.key of a node that runs, or of a backup, to %.80s/service.key, for its"
            " owner only, and replay again. If none is left: --accept-credentials",
            p->data);
    else
        lore_err_hint(err,
            "copy service.key of a node that runs, or of a backup, %s. If none is left:"
            " warplored replay --accept-credentials",
            start);
}

static enum lore_status
missing(const struct lore_projection *p, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_INVALID, "key_missing", "data",
        "%.120s/service.key is missing; this journal was begun with one", p->data);
    hint(p, "to that place, for its owner only, and start again", err);
    return LORE_INVALID;
}

static enum lore_status
foreign(const struct lore_projection *p, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_INVALID, "key_foreign", "data",
        "%.120s/service.key is not the key with which this journal was begun", p->data);
    hint(p, "over it, and start once with --accept-credentials", err);
    return LORE_INVALID;
}

static enum lore_status
old(struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_INVALID, "journal_old", "journal",
        "journal: an older program began it, and it does not say with which service.key");
    lore_err_hint(err, "start a node that has all of it once with --leave-journal and without a"
                       " journal, then with an empty journal");
    return LORE_INVALID;
}

enum lore_status
lore_projection_find_key(struct lore_projection *p, lore_projection_key_fn *key, struct lore_db *db,
    struct lore_err *err)
{
    struct lore_journal_head end;
    bool same = true, noted = true;
    enum lore_status status = lore_journal_find_head(p->journal, &end, err);

    if (status == LORE_OK)
        status = key(p->data, p->any_key || (end.seq == 0 && p->head.seq == 0), p->key, err);
    if (status == LORE_NOTFOUND)
        return missing(p, err);
    if (status == LORE_OK && p->head.seq > 0)
        status = lore_db_journal_knows(db, LORE_JOURNAL_KEY, p->key, &same, err);
    if (status == LORE_OK && !same)
        status = lore_db_journal_has(db, LORE_JOURNAL_KEY, &noted, err);
    if (status != LORE_OK || same)
        return status;
    return noted ? foreign(p, err) : old(err);
}

enum lore_status
lore_projection_begin(
    struct lore_projection *p, struct lore_db *db, struct lore_logging *to, struct lore_err *err)
{
    struct lore_journal_entry *e = lore_logging_add(to, "key", "");

    e->body = p->key;
    e->len = sizeof p->key;
    return lore_put_journal_known(db, LORE_JOURNAL_KEY, p->key, err);
}

enum lore_status
lore_projection_check_first(
    const struct lore_projection *p, const struct lore_journal_entry *e, struct lore_err *err)
{
    if (strcmp(e->kind, "key") != 0 || e->len != sizeof p->key)
        return old(err);
    return p->any_key || memcmp(e->body, p->key, sizeof p->key) == 0 ? LORE_OK : foreign(p, err);
}

enum lore_status
lore_projection_note_key(
    struct lore_db *db, const struct lore_journal_entry *e, struct lore_err *err)
{
    if (e->len != LORE_HASH_BYTES)
        return lore_fail(err, LORE_CORRUPT, "the mark of the key has %zu bytes", e->len);
    return lore_put_journal_known(db, LORE_JOURNAL_KEY, e->body, err);
}
