/* The permissions of decisions. Those about quality, and what an unknown name means, belong to
 * curators. Every contributor may remark on a record, close a direction or a campaign, note the
 * restart of a search, and retract its own records. */
#include <stdio.h>
#include <string.h>

#include "db/store.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/ingest/document.h"

static enum lore_status
refuse(size_t i, const char *action, struct lore_err *err)
{
    char path[40];

    snprintf(path, sizeof path, "curations[%zu].action", i);
    (void)lore_fail_at(
        err, LORE_FORBIDDEN, "needs_curator", path, "%s: %s needs a curator", path, action);
    if (err && strcmp(action, "retract") == 0)
        lore_err_hint(
            err, "a contributor may retract only records that the same token or agent submitted");
    return LORE_FORBIDDEN;
}

/* An unknown record passes here; storing the document refuses it with its name. */
static enum lore_status
check_own(const struct lore_document *d, struct lore_db *db, size_t i, struct lore_err *err)
{
    const struct lore_curation *c = &d->doc.curations[i];
    enum lore_status status = LORE_OK;

    for (size_t k = 0; k < c->subjects.n && status == LORE_OK; k++) {
        bool others = false;

        status = lore_record_of_others(db, c->subjects.v[k], d->owner, &others, err);
        if (status == LORE_OK && others)
            status = refuse(i, c->action, err);
    }
    return status;
}

/* A technique record whose slug nobody knows says what that name means. A record whose technique is
 * unknown, too, explains nothing. */
static enum lore_status
check_meaning(const struct lore_technique_def *t, size_t i, struct lore_err *err)
{
    char path[40];

    if (!t->slug || !lore_technique_find(t->technique) || lore_words_name(t->slug))
        return LORE_OK;
    snprintf(path, sizeof path, "techniques[%zu].slug", i);
    (void)lore_fail_at(err, LORE_FORBIDDEN, "needs_curator", path,
        "%s: only a curator says what the unknown name \"%.60s\" means", path, t->slug);
    if (err)
        lore_err_hint(err, "propose it in a note: warplore note");
    return LORE_FORBIDDEN;
}

enum lore_status
lore_document_allowed(const struct lore_document *d, struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; !d->curator && i < d->doc.n_curations && status == LORE_OK; i++) {
        const char *action = d->doc.curations[i].action;

        if (strcmp(action, "close") == 0 || strcmp(action, "restart") == 0 ||
            strcmp(action, "comment") == 0)
            continue;
        if (strcmp(action, "retract") != 0)
            status = refuse(i, action, err);
        else if (db)
            status = check_own(d, db, i, err);
    }
    for (size_t i = 0; !d->curator && i < d->doc.n_techniques && status == LORE_OK; i++)
        status = check_meaning(&d->doc.techniques[i], i, err);
    return status;
}
