/* Making everything derived again from the facts: verdicts by the policies of this program, what is
 * hidden and withheld, the rows that lists filter on, the search index. All in one transaction, so
 * a rebuild that ends early has changed nothing.
 *
 * Verdicts are not deleted: one that changes is superseded and stays in the history, one that does
 * not keeps the time it was found. Not for a running service, which holds verdicts in memory. */
#include "db/rebuild.h"
#include "db/curated.h"
#include "db/entry.h"
#include "db/feedback_version.h"
#include "db/filter.h"
#include "db/internal.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/settings.h"
#include "db/withheld.h"
#include "service/base/hash.h"

/* The records of one kind in order of arrival, and what is derived from one of them. */
struct kind {
    struct lore_stmt (*open)(struct lore_db *db); /* document, seq, id */
    enum lore_status (*derive)(const struct lore_put_ctx *c, int64_t seq, const char *id,
        lore_judge_fn judge, struct lore_err *err);
};

static struct lore_stmt
open_versions(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_version ORDER BY seq");
}

static struct lore_stmt
open_hypotheses(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_hypothesis ORDER BY seq");
}

static struct lore_stmt
open_experiments(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_experiment ORDER BY seq");
}

static struct lore_stmt
open_insights(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_insight ORDER BY seq");
}

static struct lore_stmt
open_source_documents(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_source_document ORDER BY seq");
}

static struct lore_stmt
open_campaigns(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_campaign ORDER BY seq");
}

static struct lore_stmt
open_techniques(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_technique ORDER BY seq");
}

static struct lore_stmt
open_directions(struct lore_db *db)
{
    return lore_sql(db, "SELECT document, seq, id FROM fact_direction ORDER BY seq");
}

/* Kinds of which only the words are derived. */
#define DERIVE_WORDS(noun, row_noun, member)                                                       \
    static enum lore_status derive_##noun(const struct lore_put_ctx *c, int64_t seq,               \
        const char *id, lore_judge_fn judge, struct lore_err *err)                                 \
    {                                                                                              \
        struct lore_##row_noun##_row row;                                                          \
        enum lore_status status = lore_get_##row_noun(c->db, id, c->arena, &row, err);             \
                                                                                                   \
        (void)seq, (void)judge;                                                                    \
        return status == LORE_OK ? lore_words_##noun(c, &row.member, err) : status;                \
    }
DERIVE_WORDS(version, version, v)
DERIVE_WORDS(hypothesis, hypothesis, h)
DERIVE_WORDS(insight, insight, i)
DERIVE_WORDS(source_document, source_document, r)
DERIVE_WORDS(campaign, campaign, r)
DERIVE_WORDS(technique, technique_def, r)
DERIVE_WORDS(direction, direction, r)

/* The filter row comes last: it needs the verdict, and makes the experiment readable. */
static enum lore_status
derive_experiment(const struct lore_put_ctx *c, int64_t seq, const char *id, lore_judge_fn judge,
    struct lore_err *err)
{
    struct lore_experiment_row row;
    enum lore_status status = judge(c->db, id, c->arena, c->now_us, err);

    if (status == LORE_OK)
        status = lore_filter_put(c->db, seq, err);
    if (status == LORE_OK)
        status = lore_get_experiment(c->db, id, c->arena, &row, err);
    return status == LORE_OK ? lore_words_experiment(c, &row.e, err) : status;
}

/* In the order in which a document's records are stored. */
static const struct kind kinds[] = {
    {open_source_documents, derive_source_document},
    {open_versions, derive_version},
    {open_campaigns, derive_campaign},
    {open_hypotheses, derive_hypothesis},
    {open_experiments, derive_experiment},
    {open_insights, derive_insight},
    {open_techniques, derive_technique},
    {open_directions, derive_direction},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The kind whose next record was stored first: the search index is filled in the same order again,
 * because it ranks the newest. KINDS when all are done. */
static int
first_of(struct lore_stmt cursors[KINDS], const bool more[KINDS])
{
    int first = KINDS;

    for (int k = 0; k < KINDS; k++)
        if (more[k] &&
            (first == KINDS || lore_col_i64(&cursors[k], 0) < lore_col_i64(&cursors[first], 0)))
            first = k;
    return first;
}

static enum lore_status
derive_all(const struct lore_put_ctx *c, lore_judge_fn judge, struct lore_err *err)
{
    struct lore_stmt cursors[KINDS];
    bool more[KINDS];
    enum lore_status status = LORE_OK, closed;
    int k;

    for (k = 0; k < KINDS; k++) {
        cursors[k] = kinds[k].open(c->db);
        more[k] = lore_row(&cursors[k]);
    }
    while (status == LORE_OK && (k = first_of(cursors, more)) < KINDS) {
        const char *id = lore_col_text(&cursors[k], 2, c->arena);

        status = kinds[k].derive(c, lore_col_i64(&cursors[k], 1), id, judge, err);
        if (status == LORE_OK)
            status = lore_search_flush(c->db, err);
        more[k] = lore_row(&cursors[k]);
        lore_arena_reset(c->arena);
    }
    for (k = 0; k < KINDS; k++) {
        closed = lore_done(&cursors[k], status == LORE_OK ? err : NULL);
        status = status == LORE_OK ? closed : status;
    }
    return status;
}

/* Retractions and merge groups, before the experiments that they hide. */
static enum lore_status
curate_all(const struct lore_put_ctx *c, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT seq, rest FROM fact_curation ORDER BY seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        struct lore_submission doc = {0};

        status =
            lore_rest_read(LORE_K_CURATION, "", lore_col_text(&q, 1, NULL), c->arena, &doc, err);
        if (status == LORE_OK)
            status = lore_curate_again(c, &doc.curations[0], lore_col_i64(&q, 0), err);
        lore_arena_reset(c->arena);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* Made new rather than emptied: deleting from a full-text index costs as much as filling it, and
 * fails on one that is damaged. */
static enum lore_status
renew_search(struct lore_db *db, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT sql FROM sqlite_schema WHERE name = 'drv_search'");
    const char *create;
    enum lore_status status;

    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "%s: there is no drv_search", db->path);
    create = lore_col_text(&q, 0, a);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = lore_db_exec(db,
            "DELETE FROM drv_experiment; DELETE FROM drv_curated; DELETE FROM drv_judgement;"
            " DELETE FROM drv_technique_verdict; DELETE FROM drv_bottleneck;"
            " DELETE FROM drv_advice_outcome;"
            " DROP TABLE drv_search",
            err);
    return status == LORE_OK ? lore_db_exec(db, create, err) : status;
}

static enum lore_status
count(struct lore_db *db, struct lore_rebuilt *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT (SELECT count(*) FROM drv_experiment),"
                               " (SELECT count(*) FROM drv_outcome),"
                               " (SELECT count(*) FROM drv_search)");

    if (lore_row(&q))
        *out = (struct lore_rebuilt){lore_col_i64(&q, 0), lore_col_i64(&q, 1), lore_col_i64(&q, 2)};
    return lore_done(&q, err);
}

static enum lore_status
note(struct lore_db *db, const struct lore_rebuilt *r, int64_t now_us, struct lore_err *err)
{
    unsigned char hash[32];
    const int64_t counts[] = {r->experiments, r->verdicts, r->search};

    lore_hash(counts, sizeof counts, hash);
    return lore_put_event(db, LORE_ACTOR_SERVICE, "rebuild", "derived", hash, now_us, err);
}

enum lore_status
lore_rebuild(struct lore_db *db, lore_judge_fn judge, int64_t now_us, struct lore_rebuilt *out,
    struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct lore_put_ctx c = {.db = db, .arena = &arena, .now_us = now_us};
    struct lore_rebuilt before = {0}, after = {0};
    enum lore_status status = lore_db_begin(db, err);

    if (status == LORE_OK)
        status = count(db, &before, err);
    if (status == LORE_OK)
        status = renew_search(db, &arena, err);
    if (status == LORE_OK)
        status = lore_withheld_all(db, err);
    if (status == LORE_OK)
        status = curate_all(&c, err);
    if (status == LORE_OK)
        status = derive_all(&c, judge, err);
    if (status == LORE_OK)
        status = lore_entries_all(db, err);
    if (status == LORE_OK)
        status = lore_settings_all(db, err);
    if (status == LORE_OK)
        status = lore_link_all_tried(db, err);
    if (status == LORE_OK)
        status = count(db, &after, err);
    after.verdicts -= before.verdicts;
    if (status == LORE_OK)
        status = note(db, &after, now_us, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status == LORE_OK)
        *out = after;
    else
        lore_db_rollback(db);
    return status;
}
