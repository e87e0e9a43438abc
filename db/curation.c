/* Decisions about stored records, as records themselves: nothing is rewritten, the last decision
 * counts, and one that is retracted counts no more. curated.c applies their effects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/cache.h"
#include "db/curated.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/standing.h"
#include "service/base/clock.h"
#include "service/base/text.h"

/* The kinds of records to which an action applies, by lore_kind_name; "*": any. */
static const struct {
    const char *action, *kinds[2];
} takes[] = {
    {"mask", {"experiment", NULL}},
    {"unmask", {"experiment", NULL}},
    {"retract", {"*", NULL}},
    {"review", {"insight", NULL}},
    {"merge", {"experiment", NULL}},
    {"unmerge", {"curation", NULL}},
    {"select_spec", {"spec", NULL}},
    {"reject_spec", {"spec", NULL}},
    {"close", {"direction", "campaign"}},
    {"amend", {"campaign", NULL}},
    {"restart", {"kernel", NULL}},
    {"comment", {"*", NULL}},
};

static bool
may_name(const char *action, const char *kind)
{
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++)
        for (size_t k = 0; k < 2 && lore_streq(takes[i].action, action); k++)
            if (lore_streq(takes[i].kinds[k], "*") || lore_streq(takes[i].kinds[k], kind))
                return true;
    return false;
}

enum lore_status
lore_db_find_record(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_found *out, struct lore_err *err)
{
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_ANYWHERE);
    struct lore_found found = {0};
    const char *kind;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "record %s: no such record", id);
    kind = lore_col_text(&q, 0, NULL);
    while (strcmp(lore_kind_name(found.kind), kind) != 0)
        found.kind++;
    found.document = lore_col_text(&q, 1, a);
    found.actor = lore_col_text(&q, 2, a);
    *out = found;
    return lore_done(&q, err);
}

/* A database older than check_alone (put.c) may hold records of different kinds under one id, with
 * different owners. A decision about the id is then about all of them. */
enum lore_status
lore_record_of_others(
    struct lore_db *db, const char *id, const char *owner, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_kinds_open(db, LORE_SQL_OWNERS);
    bool others = false;
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    while (!others && lore_row(&q))
        others = !owner || !lore_streq(lore_col_text(&q, 0, NULL), owner);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        *out = others;
    return status;
}

static enum lore_status
check_subject(
    const struct lore_put_ctx *c, const struct lore_curation *r, size_t i, struct lore_err *err)
{
    const char *id = r->subjects.v[i];
    struct lore_found found;
    char path[40];
    enum lore_status status;

    snprintf(path, sizeof path, "subjects[%zu]", i);
    status = lore_db_find_record(c->db, id, c->arena, &found, err);
    if (status == LORE_NOTFOUND)
        return lore_fail_at(
            err, LORE_INVALID, "unknown_reference", path, "%s: there is no record %s", path, id);
    if (status == LORE_OK && !may_name(r->action, lore_kind_name(found.kind)))
        return lore_fail_at(err, LORE_INVALID, "wrong_subject", path,
            "%s: %s does not apply to a record of kind %s", path, r->action,
            lore_kind_name(found.kind));
    if (status == LORE_OK && c->effects)
        c->effects->specs |= found.kind == LORE_K_SPEC || found.kind == LORE_K_CURATION;
    if (status == LORE_OK && found.kind == LORE_K_CURATION && r->subjects.n > 1)
        return lore_fail_at(err, LORE_INVALID, "wrong_subject", path,
            "%s: a curation must be the only subject of %s", path, r->action);
    return status;
}

/* A quarantine names thousands, so the ids are sorted to find one that is named twice. */
static enum lore_status
check_distinct(const struct lore_put_ctx *c, const struct lore_texts *ids, struct lore_err *err)
{
    const char **sorted = lore_memdup(c->arena, ids->v, ids->n * sizeof *ids->v);
    char path[40];

    qsort(sorted, ids->n, sizeof *sorted, lore_by_text);
    for (size_t i = 1; i < ids->n; i++) {
        size_t at = ids->n - 1;

        if (strcmp(sorted[i], sorted[i - 1]) != 0)
            continue;
        while (strcmp(ids->v[at], sorted[i]) != 0)
            at--;
        snprintf(path, sizeof path, "subjects[%zu]", at);
        return lore_fail_at(
            err, LORE_INVALID, "wrong_subject", path, "%s: the record is named twice", path);
    }
    return LORE_OK;
}

static enum lore_status
put_subjects(
    const struct lore_put_ctx *c, const struct lore_curation *r, int64_t seq, struct lore_err *err)
{
    enum lore_status status = check_distinct(c, &r->subjects, err);

    for (size_t i = 0; i < r->subjects.n && status == LORE_OK; i++) {
        LORE_STMT q = lore_sql(c->db, "INSERT INTO fact_curation_subject (subject, curation,"
                                      " position) VALUES ($1, $2, $3)");

        status = check_subject(c, r, i, err);
        if (status != LORE_OK)
            break;
        lore_bind_text(&q, 1, r->subjects.v[i]);
        lore_bind_i64(&q, 2, seq);
        lore_bind_i64(&q, 3, (int64_t)i);
        status = lore_done(&q, err);
    }
    return status;
}

LORE_KIND_BEFORE(curation)
{
    const struct lore_curation *r = record;
    enum lore_status status = LORE_OK;

    made->text[0] = c->actor != NULL ? c->actor : "";
    made->number = c->now_us;
    if (r->at)
        status = lore_time_parse(r->at, &made->number, err);
    return status;
}

/* Masks, merges and comments affect no cached value. Other decisions are rare and may affect any of
 * them, so they invalidate the whole cache. */
static void
note_change(struct lore_db *db, const char *action)
{
    static const char *const harmless[] = {"mask", "unmask", "merge", "unmerge", "comment"};

    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(action, harmless[i]) == 0)
            return;
    lore_cache_invalidate_all(db);
}

LORE_KIND_AFTER(curation)
{
    const struct lore_curation *r = record;
    enum lore_status status;

    (void)made;
    note_change(c->db, r->action);
    status = put_subjects(c, r, seq, err);
    return status == LORE_OK ? lore_curated_apply(c, r, seq, err) : status;
}

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, t.actor, t.at_us, x.retraction"                    \
    " FROM fact_curation t JOIN fact_document d ON d.seq = t.document"                             \
    " LEFT JOIN drv_curated x ON x.record = t.id"

#define ROW struct lore_curation_row
static const struct lore_row_member members[] = {
    LORE_KNOWN_MEMBERS, AT(at_us), AT_THERE(retracted)};
const struct lore_row_shape lore_curation_rows = {LORE_MEMBERS(members), .noun = "record",
    LORE_RECORD(LORE_K_CURATION, LORE_DECODE_LISTS, r), .happened = offsetof(ROW, at_us),
    .get = LORE_LITERAL(SELECT " WHERE t.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE ($subject IS NULL OR t.seq IN"
                                " (SELECT curation FROM fact_curation_subject"
                                " WHERE subject = $subject))"
                                " AND ($action IS NULL OR t.action = $action)" LORE_PAGE("t"))};

/* Condition and end of each part: document D brought record T, which counts. */
#define BROUGHT(table)                                                                             \
    "SELECT t.id FROM " table " t JOIN fact_document d ON d.seq = t.document"                      \
    " WHERE (d.actor = $1 OR d.author = $1) AND d.received_us >= $2 AND" LORE_NOT_RETRACTED("t")

enum lore_status
lore_db_list_brought(struct lore_db *db, const char *by, int64_t since_us, struct lore_arena *a,
    struct lore_texts *out, struct lore_err *err)
{
    LORE_STMT
    q = lore_sql(db, "SELECT id FROM (" BROUGHT("fact_run") " UNION ALL " BROUGHT("fact_experiment") " UNION ALL " BROUGHT("fact_insight") " UNION ALL " BROUGHT(
                         "fact_attribution") " UNION ALL " BROUGHT("fact_verification") " UNION "
                                                                                        "ALL"
                                                                                        " " BROUGHT("fact_sweep") " UNION ALL " BROUGHT(
                                                                                            "fact_"
                                                                                            "spec") ") LIMIT $3");

    lore_bind_text(&q, 1, by);
    lore_bind_i64(&q, 2, since_us);
    lore_bind_i64(&q, 3, LORE_MAX_SUBJECTS + 1);
    return lore_db_texts(&q, a, out, err);
}
