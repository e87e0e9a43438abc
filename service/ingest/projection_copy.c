/* Moves a database into its new journal: the mark of the key, then credentials, because receipts
 * refer to agents, then everything else in the order in which it was acknowledged. The place in the
 * journal is stored at the end. When the process ends before, the journal holds a part that no
 * database has: the next start refuses it, and the operator empties it. */
#include <inttypes.h>
#include <stdio.h>

#include "db/auth_copy.h"
#include "db/journal_copy.h"
#include "db/journal_place.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/log.h"
#include "service/ingest/projected.h"

/* Entries and bytes of one append. */
#define ENTRIES 512
#define BYTES ((size_t)16 << 20)

struct copy {
    struct lore_projection *p;
    struct lore_logging some;
    size_t bytes;
};

static enum lore_status
append(struct copy *c, struct lore_err *err)
{
    enum lore_status status;

    for (size_t i = 0; i < c->some.n; i++)
        c->some.v[i].node = c->p->node;
    status = lore_journal_append(c->p->journal, &c->p->stored, c->some.v, c->some.n, err);
    lore_logging_begin(&c->some, c->p, lore_now_us());
    c->bytes = 0;
    return status;
}

static enum lore_status
add(void *ctx, const struct lore_acknowledged *x, struct lore_err *err)
{
    struct copy *c = ctx;
    struct lore_arena *a = &c->some.arena;
    enum lore_status status = LORE_OK;

    c->some.now_us = x->at_us;
    if (x->receipt)
        status = lore_logging_receipt(&c->some, x->receipt, x->actor, err);
    else if (x->event)
        status = lore_logging_event(&c->some, x->event, err);
    if (x->packed) {
        struct lore_journal_entry *e = lore_logging_add(&c->some, "document", x->actor);

        e->owner = x->owner ? lore_strdup(a, x->owner) : "";
        e->curator = true; /* its decisions were allowed when it was stored */
        e->body = lore_memdup(a, x->packed, x->len);
        e->len = x->len;
        c->bytes += x->len;
    }
    if (status == LORE_OK && (c->some.n >= ENTRIES || c->bytes >= BYTES))
        status = append(c, err);
    return status;
}

static enum lore_status
copy_all(struct copy *c, struct lore_db *db, struct lore_err *err)
{
    enum lore_status status;

    lore_logging_begin(&c->some, c->p, lore_now_us());
    /* receipts refer to them, also when auth.db was lost since */
    status = lore_auth_adopt_agents(c->p->auth, db, lore_now_us(), err);
    if (status == LORE_OK)
        status = lore_projection_begin(c->p, db, &c->some, err);
    if (status == LORE_OK)
        status = lore_logging_credentials(db, &c->some, err);
    if (status == LORE_OK)
        status = append(c, err);
    if (status == LORE_OK)
        status = lore_db_acknowledged(db, add, c, err);
    if (status == LORE_OK)
        status = append(c, err);
    if (status == LORE_OK)
        status = lore_put_journal_place(db, c->p->stored.seq, c->p->stored.hash, err);
    return status;
}

enum lore_status
lore_projection_copy(struct lore_projection *p, struct lore_db *db, struct lore_err *err)
{
    struct copy c = {.p = p, .some = {.arena = {.kept = true}}};
    enum lore_status status = lore_db_begin(db, err);
    char seq[24];

    if (status != LORE_OK)
        return status;
    status = copy_all(&c, db, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status != LORE_OK)
        lore_db_rollback(db);
    lore_arena_free(&c.some.arena);
    if (status != LORE_OK) {
        p->stored = p->head;
        return status;
    }
    lore_projection_committed(p);
    snprintf(seq, sizeof seq, "%" PRId64, p->head.seq);
    lore_log(LORE_INFO, "journal_begun", "entries", seq, NULL);
    return LORE_OK;
}
