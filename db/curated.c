/* The effects of decisions: masks, retractions, merge groups. Masks have their own history
 * (mask.c). For retractions and merges drv_curated keeps the state in force, so that one look-up
 * tells whether a record counts. Everything can be undone: unmask, unmerge, and a retraction of the
 * retraction. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db/cache.h"
#include "db/copies.h"
#include "db/curated.h"
#include "db/effects.h"
#include "db/experiment_facets.h"
#include "db/internal.h"
#include "db/limit.h"
#include "db/rest.h"
#include "db/standing.h"
#include "service/base/text.h"

static bool
is(const struct lore_curation *r, const char *action)
{
    return strcmp(r->action, action) == 0;
}

/* Update the list row of an experiment and note it for the in-memory indexes. Other records have no
 * list row. */
static enum lore_status
update_list_row(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT seq FROM fact_experiment WHERE id = $1");
    int64_t seq;
    enum lore_status status;

    lore_bind_text(&q, 1, record);
    if (!lore_row(&q))
        return lore_done(&q, err);
    seq = lore_col_i64(&q, 0);
    status = lore_done(&q, err);
    lore_cache_invalidate(c->db, 'G', ""); /* odds of sessions, learned from all attempts */
    if (status == LORE_OK)
        status = lore_experiment_facets_put(c->db, seq, err);
    return status == LORE_OK && c->effects ? lore_db_note_shown(c, record, err) : status;
}

/* ---- retractions ---- */

/* Note the experiments that RECORD (an attribution, a verification, a run or a version) affects. */
static enum lore_status
note_affected(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT experiment FROM fact_attribution WHERE id = $1");
    enum lore_status status = LORE_OK;

    if (!c->effects)
        return LORE_OK;
    lore_bind_text(&q, 1, record);
    if (lore_row(&q))
        status = lore_db_note_judged(c, lore_col_text(&q, 0, c->arena), err);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK)
        status = lore_verification_affects(c, record, err);
    return status == LORE_OK ? lore_runs_affect(c, record, err) : status;
}

/* Show or hide the copies of RECORD, or of the runs and experiments of RECORD, a version. */
static enum lore_status
update_copies(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    struct lore_texts copies = {0};
    enum lore_status status = lore_copies_of(c->db, record, c->arena, &copies, err);

    for (size_t i = 0; status == LORE_OK && i < copies.n; i++) {
        if (c->effects)
            *LORE_PUSH(c->arena, c->effects->retracted.v, c->effects->retracted.n,
                c->effects->retracted.cap) = copies.v[i];
        status = update_list_row(c, copies.v[i], err);
    }
    return status;
}

/* Hide or show the experiments that end in RECORD, a version. */
static enum lore_status
update_list_rows(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT e.id FROM fact_version v JOIN fact_experiment e"
                                  " ON +e.kernel = v.kernel WHERE v.id = $1"
                                  " AND e.to_version = v.id");
    struct lore_texts ends = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, record);
    status = lore_db_texts(&q, c->arena, &ends, err);
    for (size_t i = 0; status == LORE_OK && i < ends.n; i++)
        status = update_list_row(c, ends.v[i], err);
    return status;
}

/* *seq: the last valid retraction of RECORD, 0 for none; *was: the one in force so far. */
static enum lore_status
last_retraction(
    struct lore_db *db, const char *record, int64_t *seq, int64_t *was, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT coalesce((SELECT c.seq FROM fact_curation_subject s JOIN fact_curation c"
        " ON c.seq = s.curation WHERE s.subject = $1 AND c.action = 'retract' "
        "AND" LORE_NOT_RETRACTED(
            "c") " ORDER BY c.seq DESC LIMIT 1), 0),"
                 " coalesce((SELECT x.retraction FROM drv_curated x WHERE x.record = $1), 0)");

    lore_bind_text(&q, 1, record);
    if (lore_row(&q)) {
        *seq = lore_col_i64(&q, 0);
        *was = lore_col_i64(&q, 1);
    }
    return lore_done(&q, err);
}

/* RECORD begins or ends to count: update what depends on it. */
static enum lore_status
follow(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    enum lore_status status = update_list_row(c, record, err);

    if (c->effects)
        *LORE_PUSH(c->arena, c->effects->retracted.v, c->effects->retracted.n,
            c->effects->retracted.cap) = record;
    if (status == LORE_OK && !c->db->facts_only)
        status = update_list_rows(c, record, err);
    if (status == LORE_OK)
        status = update_copies(c, record, err);
    return status == LORE_OK ? note_affected(c, record, err) : status;
}

static enum lore_status
update_retraction(const struct lore_put_ctx *c, const char *record, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "INSERT INTO drv_curated (record, retraction) VALUES ($1, $2)"
                                  " ON CONFLICT (record) DO UPDATE"
                                  " SET retraction = excluded.retraction");
    int64_t seq = 0, was = 0;
    enum lore_status status = last_retraction(c->db, record, &seq, &was, err);

    if (status != LORE_OK || seq == was)
        return status;
    lore_bind_text(&q, 1, record);
    if (seq != 0)
        lore_bind_i64(&q, 2, seq);
    else
        lore_bind_null(&q, 2);
    status = lore_done(&q, err);
    return status == LORE_OK ? follow(c, record, err) : status;
}

enum lore_status
lore_put_beyond(const struct lore_put_ctx *c, const char *record, const char *why, bool fresh,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "INSERT INTO drv_curated (record, beyond) VALUES ($1, $2)"
                                  " ON CONFLICT (record) DO UPDATE SET beyond = excluded.beyond");
    enum lore_status status;

    lore_bind_text(&q, 1, record);
    lore_bind_text(&q, 2, why);
    status = lore_done(&q, err);
    if (!fresh)
        lore_cache_invalidate_all(c->db); /* a limit has changed, which is rare */
    return status == LORE_OK && !fresh ? follow(c, record, err) : status;
}

/* Read curation ID; *out is NULL when ID is no curation. */
static enum lore_status
read_curation(const struct lore_put_ctx *c, const char *id, int64_t *seq,
    const struct lore_curation **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT rest, seq FROM fact_curation WHERE id = $1");
    struct lore_submission doc = {0};
    enum lore_status status;

    *out = NULL;
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_done(&q, err);
    *seq = lore_col_i64(&q, 1);
    status =
        lore_rest_read(LORE_K_CURATION, "", lore_col_text(&q, 0, c->arena), c->arena, &doc, err);
    if (status == LORE_OK)
        *out = doc.curations;
    return status == LORE_OK ? lore_done(&q, err) : status;
}

static enum lore_status
refuse_retraction(const struct lore_curation *about, struct lore_err *err)
{
    bool undoes = is(about, "retract");

    (void)lore_fail_at(err, LORE_INVALID, "wrong_subject", "subjects[0]",
        "subjects[0]: a %s cannot be retracted",
        undoes ? "retraction of a retraction" : about->action);
    if (err)
        lore_err_hint(err, "%s",
            undoes                 ? "retract the record again"
            : is(about, "merge")   ? "unmerge it"
            : is(about, "unmerge") ? "merge them again"
            : is(about, "mask")    ? "unmask the experiment"
                                   : "mask the experiment");
    return LORE_INVALID;
}

/* Retract a curation, which is then no longer in force. A retracted retraction restores its
 * records. The retraction that restored them cannot be retracted itself; otherwise such chains
 * would have no end. */
static enum lore_status
retract_curation(
    const struct lore_put_ctx *c, const struct lore_curation *about, struct lore_err *err)
{
    const struct lore_curation *inner = NULL;
    enum lore_status status = LORE_OK;
    int64_t seq;

    if (is(about, "mask") || is(about, "unmask") || is(about, "merge") || is(about, "unmerge"))
        return refuse_retraction(about, err);
    if (!is(about, "retract"))
        return LORE_OK;
    status = read_curation(c, about->subjects.v[0], &seq, &inner, err);
    if (status == LORE_OK && inner && is(inner, "retract"))
        return refuse_retraction(about, err);
    for (size_t i = 0; i < about->subjects.n && status == LORE_OK; i++)
        status = update_retraction(c, about->subjects.v[i], err);
    return status;
}

static enum lore_status
retract_all(const struct lore_put_ctx *c, const struct lore_curation *r, struct lore_err *err)
{
    const struct lore_curation *about = NULL;
    enum lore_status status = LORE_OK;
    int64_t seq;

    for (size_t i = 0; i < r->subjects.n && status == LORE_OK; i++)
        status = update_retraction(c, r->subjects.v[i], err);
    if (status == LORE_OK && r->subjects.n == 1)
        status = read_curation(c, r->subjects.v[0], &seq, &about, err);
    return status == LORE_OK && about ? retract_curation(c, about, err) : status;
}

/* ---- merge groups ---- */

static enum lore_status
join(const struct lore_put_ctx *c, const struct lore_curation *r, size_t i, int64_t seq,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(c->db, "INSERT INTO drv_curated (record, merge, canonical) VALUES ($1, $2, $3)"
                        " ON CONFLICT (record) DO UPDATE SET merge = excluded.merge,"
                        " canonical = excluded.canonical WHERE drv_curated.merge IS NULL");
    char path[40];
    enum lore_status status;

    lore_bind_text(&q, 1, r->subjects.v[i]);
    lore_bind_i64(&q, 2, seq);
    lore_bind_text(&q, 3, r->canonical);
    status = lore_done(&q, err);
    if (status == LORE_OK && sqlite3_changes(c->db->handle) == 0) {
        snprintf(path, sizeof path, "subjects[%zu]", i);
        (void)lore_fail_at(err, LORE_CONFLICT, "already_merged", path, "%s: %s is in a merge group",
            path, r->subjects.v[i]);
        if (err)
            lore_err_hint(err, "unmerge that group first");
        return LORE_CONFLICT;
    }
    return status == LORE_OK ? update_list_row(c, r->subjects.v[i], err) : status;
}

static enum lore_status
merge_all(
    const struct lore_put_ctx *c, const struct lore_curation *r, int64_t seq, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    if (r->subjects.n < 2)
        return lore_fail_at(err, LORE_INVALID, "wrong_subject", "subjects",
            "subjects: a merge needs at least two experiments");
    for (size_t i = 0; i < r->subjects.n && status == LORE_OK; i++)
        status = join(c, r, i, seq, err);
    return status;
}

static enum lore_status
leave_group(const struct lore_put_ctx *c, const char *record, int64_t seq, int *removed,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "UPDATE drv_curated SET merge = NULL, canonical = NULL"
                                  " WHERE record = $1 AND merge = $2");
    enum lore_status status;

    lore_bind_text(&q, 1, record);
    lore_bind_i64(&q, 2, seq);
    status = lore_done(&q, err);
    if (status != LORE_OK || sqlite3_changes(c->db->handle) == 0)
        return status;
    ++*removed;
    return update_list_row(c, record, err);
}

static enum lore_status
unmerge(const struct lore_put_ctx *c, const struct lore_curation *r, struct lore_err *err)
{
    const struct lore_curation *group = NULL;
    int64_t seq = 0;
    int removed = 0;
    enum lore_status status = read_curation(c, r->subjects.v[0], &seq, &group, err);

    if (status == LORE_OK && (!group || !is(group, "merge")))
        return lore_fail_at(err, LORE_INVALID, "wrong_subject", "subjects[0]",
            "subjects[0]: %s is no merge", r->subjects.v[0]);
    for (size_t i = 0; status == LORE_OK && i < group->subjects.n; i++)
        status = leave_group(c, group->subjects.v[i], seq, &removed, err);
    if (status == LORE_OK && removed == 0)
        return lore_fail_at(err, LORE_CONFLICT, "not_merged", "subjects[0]",
            "subjects[0]: merge %s is already undone", r->subjects.v[0]);
    return status;
}

/* ---- by action ---- */

static enum lore_status
mask_all(
    const struct lore_put_ctx *c, const struct lore_curation *r, int64_t seq, struct lore_err *err)
{
    struct lore_mask_row mask = {
        is(r, "mask"), r->reason, c->actor != NULL ? c->actor : "", c->now_us};
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < r->subjects.n && status == LORE_OK; i++) {
        status = lore_mask_put(c->db, r->subjects.v[i], &mask, seq, err);
        if (status == LORE_OK)
            status = update_list_row(c, r->subjects.v[i], err);
    }
    return status;
}

enum lore_status
lore_curated_rebuild(
    const struct lore_put_ctx *c, const struct lore_curation *r, int64_t seq, struct lore_err *err)
{
    if (is(r, "retract"))
        return retract_all(c, r, err);
    if (is(r, "merge"))
        return merge_all(c, r, seq, err);
    return is(r, "unmerge") ? unmerge(c, r, err) : LORE_OK;
}

enum lore_status
lore_curated_apply(
    const struct lore_put_ctx *c, const struct lore_curation *r, int64_t seq, struct lore_err *err)
{
    if (is(r, "mask") || is(r, "unmask"))
        return mask_all(c, r, seq, err);
    return lore_curated_rebuild(c, r, seq, err);
}

/* ---- reading ---- */

enum lore_status
lore_db_get_standing(struct lore_db *db, const char *record, struct lore_arena *a,
    struct lore_standing *out, struct lore_err *err)
{
    LORE_STMT reviews = lore_sql(db,
        "SELECT c.state, c.actor, c.reason FROM fact_curation_subject s"
        " JOIN fact_curation c ON c.seq = s.curation WHERE s.subject = $1"
        " AND c.action = 'review' AND" LORE_NOT_RETRACTED("c") " ORDER BY c.seq DESC LIMIT 1");
    LORE_STMT q = lore_sql(db, "SELECT x.retraction, c.reason, x.beyond, c.id FROM drv_curated x"
                               " LEFT JOIN fact_curation c ON c.seq = x.retraction"
                               " WHERE x.record = $1");
    LORE_STMT copies = lore_sql(db, "SELECT" LORE_IS_COPY("$1"));
    struct lore_standing s = {0};
    enum lore_status status;

    lore_bind_text(&reviews, 1, record);
    if (lore_row(&reviews)) {
        s.review = lore_col_text(&reviews, 0, a);
        s.reviewer = lore_col_text(&reviews, 1, a);
        s.review_reason = lore_col_text(&reviews, 2, a);
    }
    status = lore_done(&reviews, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, record);
    if (lore_row(&q)) {
        s.retracted = !lore_col_null(&q, 0);
        s.retraction = lore_col_text(&q, 1, a);
        s.beyond = lore_col_text(&q, 2, a);
        s.retraction_id = lore_col_text(&q, 3, a);
    }
    status = lore_done(&q, err);
    lore_bind_text(&copies, 1, record);
    if (status == LORE_OK && lore_row(&copies))
        s.copy = lore_col_i64(&copies, 0) != 0;
    if (status == LORE_OK)
        status = lore_done(&copies, err);
    if (status == LORE_OK)
        *out = s;
    return status;
}

enum lore_status
lore_db_get_hidden(struct lore_db *db, const char *experiment, bool *hidden, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT x.masked FROM fact_experiment e JOIN drv_experiment x"
                               " ON x.seq = e.seq WHERE e.id = $1");

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    *hidden = lore_col_i64(&q, 0) != 0;
    return lore_done(&q, err);
}

enum lore_status
lore_db_get_merge(struct lore_db *db, const char *experiment, struct lore_arena *a,
    const char **merge, const char **canonical, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT c.id, x.canonical FROM drv_curated x JOIN fact_curation c"
                               " ON c.seq = x.merge WHERE x.record = $1");
    const char *found[2] = {NULL, NULL};
    enum lore_status status;

    lore_bind_text(&q, 1, experiment);
    if (lore_row(&q)) {
        found[0] = lore_col_text(&q, 0, a);
        found[1] = lore_col_text(&q, 1, a);
    }
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        *merge = found[0];
        *canonical = found[1];
    }
    return status;
}
