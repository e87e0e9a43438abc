/* Collects the earlier records that a document changes (lore_effects). A short document can affect
 * many: a version with thousands of experiments, retracted and restored a thousand times. Every
 * caller waits for the one writer, so the effects of one document are limited. A document
 * beyond the limit is refused, and its writes are rolled back. */
#include "db/effects.h"
#include "db/internal.h"

/* Updating the list rows of this many experiments takes about a second. */
#define MAX_SHOWN 100000
/* Cheap to collect; each is judged once. */
#define MAX_JUDGED 1000000

static enum lore_status
note(const struct lore_put_ctx *c, struct lore_texts *t, size_t max, const char *id,
    struct lore_err *err)
{
    if (t->n >= max) {
        (void)lore_fail_at(err, LORE_TOOBIG, "too_big", "",
            "the document affects more experiments than one document may");
        if (err)
            lore_err_hint(err, "send it in several documents");
        return LORE_TOOBIG;
    }
    *LORE_PUSH(c->arena, t->v, t->n, t->cap) = id;
    return LORE_OK;
}

enum lore_status
lore_db_note_shown(const struct lore_put_ctx *c, const char *id, struct lore_err *err)
{
    return note(c, &c->effects->shown, MAX_SHOWN, id, err);
}

enum lore_status
lore_db_note_judged(const struct lore_put_ctx *c, const char *id, struct lore_err *err)
{
    return note(c, &c->effects->judged, MAX_JUDGED, id, err);
}
