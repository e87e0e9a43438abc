/* A database from a journal alone. */
#include <string.h>

#include "service/base/clock.h"
#include "service/base/xalloc.h"
#include "service/ingest/projected.h"

bool
lore_replay_stands_alone(const struct lore_replay *what)
{
    return what->until_us != 0 || what->any_key;
}

/* ---- before there is a database ---- */

struct beginning {
    const struct lore_replay *what;
    struct lore_projection *p;
};

static enum lore_status
check_first(void *ctx, const struct lore_journal_entry *e, struct lore_err *err)
{
    const struct beginning *b = ctx;
    char until[LORE_TIME_SIZE], first[LORE_TIME_SIZE];

    if (b->what->until_us != 0 && e->at_us > b->what->until_us) {
        lore_time_format(b->what->until_us, until);
        lore_time_format(e->at_us, first);
        return lore_fail_at(err, LORE_INVALID, "before_journal", "until",
            "--until %s: the first entry of this journal is of %s", until, first);
    }
    return lore_projection_check_first(b->p, e, err);
}

enum lore_status
lore_projection_check_replay(const struct lore_replay *what, struct lore_err *err)
{
    const struct lore_journal_part first = {.most = 1};
    struct lore_projection *p = lore_xalloc(sizeof *p);
    enum lore_status status = lore_journal_open_begun(what->journal, &p->journal, err);

    p->replays = true;
    p->any_key = what->any_key;
    p->data = what->data;
    if (status == LORE_OK && !p->journal)
        status = lore_fail_at(err, LORE_INVALID, "missing_option", "journal",
            "--journal is missing; give the journal to replay");
    else if (status == LORE_INVALID && strcmp(err->code, "journal_empty") == 0)
        lore_err_hint(err, "there is nothing to replay: is the path right?");
    if (status == LORE_OK && !p->any_key)
        status = lore_projection_find_key(p, what->key, NULL, err);
    if (status == LORE_OK)
        status =
            lore_journal_read(p->journal, &first, check_first, &(struct beginning){what, p}, err);
    lore_projection_close(p);
    return status;
}

/* ---- with one ---- */

enum lore_status
lore_projection_replay(
    const struct lore_replay *what, struct lore_db *db, int64_t *n, struct lore_err *err)
{
    struct lore_projection *p = lore_xalloc(sizeof *p);
    bool documents = false;
    enum lore_status status = lore_projection_holds_documents(db, &documents, err);

    p->replays = true;
    p->any_key = what->any_key;
    if (status == LORE_OK)
        status = lore_projection_open_parts(p, what->journal, what->data, db, err);
    if (status == LORE_OK && (documents || p->head.seq != 0))
        status = lore_fail_at(err, LORE_INVALID, "not_empty", "data",
            "%.120s: holds a database; give an empty directory", what->data);
    if (status == LORE_OK)
        status = lore_projection_find_key(p, what->key, db, err);
    if (status == LORE_OK)
        status = lore_projection_apply(p, db, NULL, what->until_us, n, err);
    lore_projection_close(p);
    return status == LORE_OK && lore_replay_stands_alone(what)
               ? lore_projection_stand_alone(db, true, err)
               : status;
}
