/* Which documents an excerpt takes, and how those of its clients reach the source. */
#include <string.h>

#include "db/excerpt.h"
#include "db/store.h"
#include "service/ingest/excerpted.h"
#include "service/ingest/writer.h"

static enum lore_status
not_here(const char *project, struct lore_err *err)
{
    (void)lore_fail_at(err, LORE_FORBIDDEN, "other_project", "project",
        "project: expected %.100s, the project of this token", project);
    lore_err_hint(err, "state it as `project` of the document and of each of its kernels");
    return LORE_FORBIDDEN;
}

/* Whether DB has all NAMES, one of them from a document that the service did not store itself. */
static enum lore_status
has_all(struct lore_db *db, const struct lore_texts *names, bool *out, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;
    bool own = false;

    for (size_t i = 0; i < names->n && status == LORE_OK; i++) {
        const char *actor = NULL;

        status = lore_db_find_any(db, names->v[i], &a, &actor, err);
        own |= actor && strcmp(actor, LORE_ACTOR_SERVICE) != 0;
    }
    *out = status == LORE_OK && own;
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

enum lore_status
lore_excerpt_admit(const struct lore_excerpt *x, struct lore_db *db, const struct lore_document *d,
    const struct lore_excerpted *from, struct lore_err *err)
{
    const char *project = lore_wire_project(&d->doc);
    bool here = project && strcmp(project, x->project) == 0;
    enum lore_status status = LORE_OK;

    if (!here && from && from->names.n > 0)
        status = has_all(db, &from->names, &here, err);
    return status == LORE_OK && !here ? not_here(x->project, err) : status;
}

/* What the source says about records of other projects is not for this client. */
static enum lore_status
hide(enum lore_status status, struct lore_err *err)
{
    if (status == LORE_OK || lore_ingest_is_service_fault(status) || status == LORE_TOOBIG)
        return status;
    return lore_fail_at(
        err, LORE_CONFLICT, "conflict", "", "an id of this document is in use for something else");
}

enum lore_status
lore_excerpt_forward(const struct lore_excerpt *x, const struct lore_document *d, int64_t at_us,
    struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_job j = {.document = d, .at_us = at_us, .arena = &a};
    enum lore_status status = lore_ingest_queue(x->source, &j, 1, err);

    if (status == LORE_OK && j.status != LORE_OK) {
        *err = j.err;
        status = j.status;
    }
    return hide(status, err);
}
