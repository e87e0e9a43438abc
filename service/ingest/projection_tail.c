/* With a lag, the database commits before the disk of the journal has the entries. They are kept in
 * the same transaction, so a start after a power cut can append what the journal lost. They get the
 * same hashes, so copies of the database stay projections of this journal. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/journal_place.h"
#include "db/journal_tail.h"
#include "db/store.h"
#include "service/base/log.h"
#include "service/ingest/projected.h"
#include "service/ingest/writer.h"

/* Entries and bytes of one append. */
#define ENTRIES 512
#define BYTES ((size_t)16 << 20)

/* ---- keeping ---- */

/* The id of the document of LIST whose body is that of E; *list moves behind it. NULL: E is none.
 */
static const char *
document_of(const struct lore_journal_entry *e, const struct lore_job **list)
{
    if (strcmp(e->kind, "document") != 0)
        return NULL;
    for (const struct lore_job *j = *list; j; j = j->next)
        if (j->document && j->document->zstd.data == e->body) {
            *list = j->next;
            return j->document->doc.id;
        }
    return NULL;
}

enum lore_status
lore_projection_keep_tail(struct lore_projection *p, struct lore_db *db,
    const struct lore_job *list, const struct lore_logging *all, struct lore_err *err)
{
    int64_t synced = lore_journal_synced(p->journal, p->stored.seq);
    enum lore_status status = LORE_OK;

    if (lore_journal_lag_ms(p->journal) == 0)
        return LORE_OK;
    for (size_t i = 0; i < all->n && status == LORE_OK; i++) {
        const struct lore_journal_entry *e = &all->v[i];
        struct lore_tail_row row = {.seq = e->seq,
            .first = e->first,
            .at_us = e->at_us,
            .kind = e->kind,
            .actor = e->actor,
            .owner = e->owner,
            .node = e->node,
            .document = document_of(e, &list),
            .curator = e->curator,
            .body = e->body,
            .len = e->len};

        memcpy(row.hash, e->hash, sizeof row.hash);
        if (e->seq > synced)
            status = lore_put_journal_tail(db, &row, err);
    }
    return status == LORE_OK ? lore_put_journal_synced(db, synced, err) : status;
}

/* ---- restoring ---- */

struct restoring {
    struct lore_projection *p;
    struct lore_logging some;
    size_t bytes;
    struct lore_journal_head end; /* of the journal */
    int64_t restored;
};

static enum lore_status
append(struct restoring *r, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (r->some.n > 0)
        status = lore_journal_append_again(r->p->journal, &r->end, r->some.v, r->some.n, err);
    r->restored += (int64_t)r->some.n;
    lore_logging_begin(&r->some, r->p, 0);
    r->bytes = 0;
    return status;
}

/* A row that does not follow ends the walk: reading the journal then says that it is another one.
 */
static enum lore_status
add(void *ctx, const struct lore_tail_row *row, struct lore_err *err)
{
    struct restoring *r = ctx;
    struct lore_arena *a = &r->some.arena;
    const struct lore_journal_entry *last = r->some.n > 0 ? &r->some.v[r->some.n - 1] : NULL;
    struct lore_journal_entry e = {.seq = row->seq,
        .first = row->first,
        .at_us = row->at_us,
        .kind = lore_strdup(a, row->kind),
        .actor = lore_strdup(a, row->actor),
        .owner = lore_strdup(a, row->owner),
        .node = lore_strdup(a, row->node),
        .curator = row->curator,
        .len = row->len};

    e.body = lore_memdup(a, row->body, row->len);
    memcpy(e.previous, last ? last->hash : r->end.hash, sizeof e.previous);
    lore_journal_entry_seal(&e);
    if (row->seq != (last ? last->seq : r->end.seq) + 1 ||
        memcmp(e.hash, row->hash, sizeof e.hash) != 0)
        return LORE_NOTFOUND;
    *LORE_PUSH(a, r->some.v, r->some.n, r->some.cap) = e;
    r->bytes += e.len;
    return r->some.n >= ENTRIES || r->bytes >= BYTES ? append(r, err) : LORE_OK;
}

static enum lore_status
forget(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = lore_db_begin(db, err);

    if (status == LORE_OK)
        status = lore_put_journal_synced(db, INT64_MAX, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status != LORE_OK)
        lore_db_rollback(db);
    return status;
}

enum lore_status
lore_projection_restore_tail(struct lore_projection *p, struct lore_db *db, struct lore_err *err)
{
    struct restoring r = {.p = p, .some = {.arena = {.kept = true}}};
    char seq[24];
    enum lore_status status = lore_journal_find_head(p->journal, &r.end, err);

    if (status == LORE_OK && r.end.seq < p->head.seq) {
        lore_logging_begin(&r.some, p, 0);
        status = lore_db_journal_tail(db, r.end.seq, add, &r, err);
        if (status == LORE_OK || status == LORE_NOTFOUND)
            status = append(&r, err);
    }
    lore_arena_free(&r.some.arena);
    if (status == LORE_OK && r.restored > 0) {
        snprintf(seq, sizeof seq, "%" PRId64, r.restored);
        lore_log(LORE_WARN, "journal_restored", "entries", seq, NULL);
    }
    return status == LORE_OK && r.end.seq >= p->head.seq ? forget(db, err) : status;
}
