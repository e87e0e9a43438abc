/* Notes of what a document changes about records that were there before (lore_effects). A short
 * document can bear on much: a version with thousands of experiments, retracted and given back a
 * thousand times. Everybody waits for the one writer, so how much one document may bear on is
 * bounded, and it is refused before the work is done. */
#include "db/effects.h"
#include "db/internal.h"

/* A kernel worked on for years has some thousand experiments; this many take about a second. */
#define MAX_SHOWN 100000
/* Collected cheaply, and judged once each. */
#define MAX_JUDGED 1000000

static enum lore_status
note(const struct lore_put_ctx *c, struct lore_texts *t, size_t max, const char *id,
    struct lore_err *err)
{
    if (t->n >= max) {
        (void)lore_fail_at(
            err, LORE_TOOBIG, "too_big", "", "bears on more experiments than one document may");
        if (err != NULL)
            lore_err_hint(err, "send it in several documents");
        return LORE_TOOBIG;
    }
    *LORE_PUSH(c->arena, t->v, t->n, t->cap) = id;
    return LORE_OK;
}

enum lore_status
lore_note_shown(const struct lore_put_ctx *c, const char *id, struct lore_err *err)
{
    return note(c, &c->effects->shown, MAX_SHOWN, id, err);
}

enum lore_status
lore_note_judged(const struct lore_put_ctx *c, const char *id, struct lore_err *err)
{
    return note(c, &c->effects->judged, MAX_JUDGED, id, err);
}
