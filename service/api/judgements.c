/* GET /api/v1/judgements: expectations of hypotheses against measurements, across experiments; GET
 * /api/v1/calibration: stated probabilities against observed outcomes, per author. */
#include <string.h>

#include "db/judged.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/derive/calibration.h"

#define ROW struct lore_judged_row
static const struct lore_object_member judged[] = {
    {"!experiment", AT(j.experiment), "ulid"},
    {"!hypothesis", AT(hypothesis), "ulid"},
    {"author", AT(author)},
    {"", MEMBERS(j, lore_judgement_object)},
};
const struct lore_object lore_judged_row_object = LORE_OBJECT("JudgedRow", judged);
#undef ROW

enum lore_status
lore_api_judgements(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_judged_row *rows = NULL;
    struct lore_list_filter f;
    struct lore_paging paging;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_params_list(req, &paging, &f, err);

    if (status == LORE_OK)
        status = lore_db_list_judged(req->db, &f, req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_paging_rows(&paging, n, &more);
    lore_paging_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        lore_object_write(&w, &lore_judged_row_object, &rows[i]);
    return lore_paging_done(&w, more, n == 0 ? 0 : rows[n - 1].cursor, err);
}

/* A hypothesis predicts a win. A win with a failed check does not count. */
static enum lore_happened
happened(const struct lore_forecast_row *r)
{
    if (lore_streq(r->correctness, "fail") || lore_streq(r->correctness, "timeout"))
        return LORE_HAPPENED_NO;
    if (lore_streq(r->effect, "win"))
        return LORE_HAPPENED_YES;
    if (lore_streq(r->effect, "loss") || lore_streq(r->effect, "neutral"))
        return LORE_HAPPENED_NO;
    return LORE_HAPPENED_UNKNOWN;
}

/* One of ten equal intervals of the stated probability. */
struct bin {
    double low, high;
    struct lore_calibration_bin b;
};
#define ROW struct bin
static const struct lore_object_member bin[] = {
    {"!low", AT(low)},
    {"!high", AT(high)},
    {"!n", AT(b.n)},
    {"!mean_probability", AT(b.mean_probability)},
    {"!rate", AT(b.rate), NULL, "how often it happened"},
};
static const struct lore_object lore_calibration_bin_object = LORE_OBJECT("CalibrationBin", bin);
#undef ROW

static void
write_bins(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_calibration *c = row;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (int i = 0; i < LORE_CALIBRATION_BINS; i++) {
        struct bin b = {
            (double)i / LORE_CALIBRATION_BINS, (double)(i + 1) / LORE_CALIBRATION_BINS, c->bins[i]};

        if (b.b.n > 0)
            lore_object_write(w, &lore_calibration_bin_object, &b);
    }
    lore_w_arr_end(w);
}

#define ROW struct lore_calibration
static const struct lore_object_member calibration[] = {
    {"!author", AT(author), "text?"},
    {"!n", AT(n)},
    {"!without_probability", AT(without_probability)},
    {"!without_outcome", AT(without_outcome)},
    {"brier", AT(brier), NULL, "Brier score"},
    {"base_rate", AT(base_rate)},
    {"reference", AT(reference), NULL, "Brier score of always saying the base rate"},
    {"calibration_error", AT(error)},
    {"!bins", WRITTEN_LIST(write_bins, lore_calibration_bin_object)},
};
const struct lore_object lore_calibration_object = LORE_OBJECT("Calibration", calibration);
#undef ROW

struct answer {
    struct lore_calibrations all;
    const char *next; /* NULL: all authors are on one page */
};
#define ROW struct answer
static const struct lore_object_member answer[] = {
    {"!rows", LIST(all.authors, all.n_authors, lore_calibration_object)},
    {"!next", AT(next), "text?"},
    {"!total", OBJECT(all.total, lore_calibration_object)},
};
const struct lore_object lore_calibrations_object = LORE_OBJECT("Calibrations", answer);
#undef ROW

enum lore_status
lore_api_calibration(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_forecast_row *rows = NULL;
    struct answer x = {0};
    struct lore_prediction *p;
    size_t n = 0;
    enum lore_status status = lore_db_list_forecasts(
        req->db, lore_arg_text(req, "author", NULL), req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    p = lore_alloc_array(req->arena, n + 1, sizeof *p);
    for (size_t i = 0; i < n; i++)
        p[i] = (struct lore_prediction){rows[i].author, rows[i].probability, happened(&rows[i])};
    status = lore_calibration_of(p, n, req->arena, &x.all, err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_calibrations_object, &x, err) : status;
}
