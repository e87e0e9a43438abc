/* BM25 ranking. FTS5's own bm25() reads every row with a word, to get its frequency, before it
 * ranks the first match; for a frequent word in a million notes that takes longer than the rest of
 * the query. Here the caller provides the frequencies, each match is ranked as it comes, and the
 * best are kept. Formula and constants are those of bm25(); a word weighs 4 in a title and 1 in a
 * body.
 *
 * Only this file knows the interface of FTS5. */
#include "db/search_rank.h"

#include <string.h>

#include "db/internal.h"

static const double K1 = 1.2, B = 0.75;
static const double weights[] = {4, 1}; /* title, body */

/* The frequency of each word in the row, weighted by column. */
static int
frequencies(const Fts5ExtensionApi *api, Fts5Context *fts, double freq[LORE_SEARCH_PHRASES])
{
    int n = 0, rc = api->xInstCount(fts, &n);

    for (int i = 0; rc == SQLITE_OK && i < n; i++) {
        int phrase, column, offset;

        rc = api->xInst(fts, i, &phrase, &column, &offset);
        if (rc == SQLITE_OK && phrase < LORE_SEARCH_PHRASES && column >= 0 && column < 2)
            freq[phrase] += weights[column];
    }
    return rc;
}

static int
average_size(const Fts5ExtensionApi *api, Fts5Context *fts, double *out)
{
    sqlite3_int64 rows = 0, words = 0;
    int rc = api->xRowCount(fts, &rows);

    if (rc == SQLITE_OK)
        rc = api->xColumnTotalSize(fts, -1, &words);
    *out = rows > 0 && words > 0 ? (double)words / (double)rows : 1;
    return rc;
}

static int
rank_of(const Fts5ExtensionApi *api, Fts5Context *fts, struct lore_ranking *r, double *out)
{
    double freq[LORE_SEARCH_PHRASES] = {0}, sum = 0;
    int words = 0, rc = SQLITE_OK;

    if (r->average <= 0)
        rc = average_size(api, fts, &r->average);
    if (rc == SQLITE_OK)
        rc = api->xColumnSize(fts, -1, &words);
    if (rc == SQLITE_OK)
        rc = frequencies(api, fts, freq);
    for (int i = 0; i < LORE_SEARCH_PHRASES; i++)
        sum += r->idf[i] * (freq[i] * (K1 + 1)) / (freq[i] + K1 * (1 - B + B * words / r->average));
    *out = -sum;
    return rc;
}

/* Keep one of the best matches. Matches of equal rank keep their order. */
static bool
keep(struct lore_ranking *r, double rank, int64_t rowid)
{
    size_t at = r->n;

    if (r->n == r->cap && (r->cap == 0 || rank >= r->best[r->n - 1].rank))
        return false;
    if (r->n == r->cap)
        at = --r->n;
    while (at > 0 && rank < r->best[at - 1].rank)
        at--;
    memmove(&r->best[at + 1], &r->best[at], (r->n - at) * sizeof *r->best);
    r->best[at] = (struct lore_search_ranked){.rank = rank, .rowid = rowid};
    r->n++;
    r->at = at;
    return true;
}

static void
rank_match(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *ctx, int n,
    sqlite3_value **args)
{
    struct lore_db *db = api->xUserData(fts);
    double rank = 0;
    int rc;

    (void)n, (void)args;
    if (!db->ranking) {
        sqlite3_result_error(ctx, "lore_rank_match: no query is being ranked", -1);
        return;
    }
    if (db->ranking->closed) {
        sqlite3_result_int(ctx, 0);
        return;
    }
    rc = rank_of(api, fts, db->ranking, &rank);
    if (rc != SQLITE_OK)
        sqlite3_result_error_code(ctx, rc);
    else
        sqlite3_result_int(ctx, keep(db->ranking, rank, api->xRowid(fts)));
}

enum lore_status
lore_search_rank_register(struct lore_db *db, struct lore_err *err)
{
    sqlite3_stmt *s = NULL;
    fts5_api *api = NULL;
    int rc = sqlite3_prepare_v2(db->handle, "SELECT fts5(?1)", -1, &s, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_pointer(s, 1, (void *)&api, "fts5_api_ptr", NULL);
    if (rc == SQLITE_OK)
        (void)sqlite3_step(s);
    sqlite3_finalize(s);
    if (rc == SQLITE_OK && !api)
        return lore_fail(err, LORE_UNSUPPORTED, "this SQLite has no FTS5");
    if (rc == SQLITE_OK)
        rc = api->xCreateFunction(api, "lore_rank_match", db, rank_match, NULL);
    return rc == SQLITE_OK ? LORE_OK : lore_db_fail(db, rc, err);
}
