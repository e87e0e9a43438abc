/* Fit the models to the facts. Rows are first copied out of the database, so that no read
 * transaction is open during a minute of arithmetic. They are copied in pieces: beside a busy
 * service the copy is slow, and the log cannot be truncated while a reader is open. */
#include "service/ingest/learn.h"

#include <inttypes.h>
#include <string.h>

#include "db/learned.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/jsonw.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/ingest/indexes.h"
#include "service/ingest/indexes_moves.h"
#include "service/recommend/train.h"

struct rows {
    struct lore_arena *arena;
    struct lore_evidence_in *v;
    size_t n, cap;
    int64_t piece_us, until_us; /* until_us: ticks, when the piece ends */
    int64_t seq;                /* sequence number of the last experiment */
    bool some, cut;             /* some: the piece has rows; cut: it ended before the last row */
    struct lore_train_shape *shapes;
    size_t n_shapes, cap_shapes;
};

static const char *
copy(struct lore_arena *arena, const char *text)
{
    return text ? lore_strdup(arena, text) : NULL;
}

static bool
copy_row(void *ctx, const struct lore_evidence_in *in)
{
    struct rows *r = ctx;

    /* A piece never ends between two rows of one experiment. */
    r->cut = r->some && in->seq != r->seq && lore_ticks_us() >= r->until_us;
    if (r->cut)
        return false;
    if (!r->some) /* the time of a piece starts with its first row */
        r->until_us = lore_ticks_us() + r->piece_us;
    r->some = true;
    r->seq = in->seq;
    struct lore_evidence_in *row = LORE_PUSH(r->arena, r->v, r->n, r->cap);
    *row = *in;
    row->experiment = copy(r->arena, in->experiment);
    row->op = copy(r->arena, in->op);
    row->family = copy(r->arena, in->family);
    row->language = copy(r->arena, in->language);
    row->chip = copy(r->arena, in->chip);
    row->workload = copy(r->arena, in->workload);
    row->technique = copy(r->arena, in->technique);
    return true;
}

static void
write_score(struct lore_jsonw *w, const char *key, struct lore_train_score s)
{
    lore_w_key(w, key);
    lore_w_obj(w);
    lore_w_kf64(w, "log_loss", s.log_loss);
    lore_w_kf64(w, "brier", s.brier);
    lore_w_kf64(w, "ece", s.ece);
    lore_w_obj_end(w);
}

static enum lore_status
basis_text(const struct lore_trained *t, size_t rows, struct lore_arena *arena, const char **out,
    struct lore_err *err)
{
    LORE_BUF text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "rows", (int64_t)rows);
    lore_w_ki64(&w, "questions", (int64_t)t->questions);
    lore_w_ki64(&w, "tested", (int64_t)t->tested);
    lore_w_ki64(&w, "chips_left_out", (int64_t)t->chips);
    lore_w_kbool(&w, "priors_kept", t->kept);
    write_score(&w, "priors", t->prior);
    write_score(&w, "learned", t->learned);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        *out = lore_strndup(arena, text.data, text.len);
    return status;
}

static bool
copy_shape(void *ctx, const char *id, const struct lore_workload *w)
{
    struct rows *r = ctx;
    struct lore_train_shape *s = LORE_PUSH(r->arena, r->shapes, r->n_shapes, r->cap_shapes);
    struct lore_kvs *dims = lore_alloc(r->arena, sizeof *dims);

    for (size_t i = 0; i < w->dims.n; i++)
        lore_kvs_set(r->arena, dims, lore_strdup(r->arena, w->dims.v[i].key),
            lore_strdup(r->arena, w->dims.v[i].value));
    *s = (struct lore_train_shape){.op = copy(r->arena, w->op),
        .workload = lore_strdup(r->arena, id),
        .shape = {dims, copy(r->arena, w->dtype), copy(r->arena, w->layout)}};
    return true;
}

static enum lore_status
too_little(struct lore_fit *out, struct lore_arena *arena, const struct lore_err *why)
{
    out->basis = lore_strdup(arena, why->msg);
    return LORE_OK;
}

/* Read the next piece of rows into R. */
static enum lore_status
read_piece(struct lore_db *db, int64_t piece_us, struct rows *r, struct lore_err *err)
{
    enum lore_status status = lore_db_snapshot(db, err);

    if (status != LORE_OK)
        return status;
    r->piece_us = piece_us;
    r->some = r->cut = false;
    status = lore_db_each_evidence(db, r->seq, copy_row, r, NULL, err);
    if (status == LORE_OK && !r->cut)
        status = lore_db_each_workload(db, 0, copy_shape, r, NULL, err);
    lore_db_snapshot_end(db);
    return status;
}

static enum lore_status
read_rows(struct lore_db *db, int64_t piece_us, struct rows *r, struct lore_err *err)
{
    enum lore_status status = read_piece(db, piece_us, r, err);

    while (status == LORE_OK && r->cut)
        status = read_piece(db, piece_us, r, err);
    return status;
}

/* The rows grow with the database, so their arena may grow as large as the indexes. */
#define ROWS_MAX ((size_t)16 << 30)

static enum lore_status
learn_rows(struct lore_db *db, int64_t piece_us, struct lore_arena *own, struct lore_arena *arena,
    struct lore_fit *out, struct lore_err *err)
{
    struct rows r = {.arena = own};
    struct lore_trained t = {0};
    struct lore_err why = {0};
    enum lore_status status = read_rows(db, piece_us, &r, err);

    if (status != LORE_OK)
        return status;
    const struct lore_train_data data = {r.v, r.n, r.shapes, r.n_shapes};
    status = lore_train(&data, own, &t, &why);
    if (status == LORE_NOTFOUND)
        return too_little(out, arena, &why);
    if (status == LORE_OK)
        status = basis_text(&t, r.n, arena, &out->basis, err);
    out->numbers = lore_train_numbers_text(t.numbers, arena);
    return status;
}

static enum lore_status
learn_evidence(struct lore_db *db, int64_t piece_us, struct lore_arena *arena, struct lore_fit *out,
    struct lore_err *err)
{
    LORE_SCRATCH own = {.limit = ROWS_MAX};
    return learn_rows(db, piece_us, &own, arena, out, err);
}

static enum lore_status
learn_moves(struct lore_db *db, int64_t piece_us, struct lore_arena *arena, struct lore_fit *out,
    struct lore_err *err)
{
    struct lore_trials *trials = NULL;
    enum lore_status status = lore_indexes_moves_copy(db, piece_us, &trials, err);

    if (status != LORE_OK)
        return status;
    struct lore_moves *model = lore_trials_model(trials);
    const char *before = lore_moves_numbers(model, arena);
    lore_moves_fit(model);
    out->numbers = lore_moves_numbers(model, arena);
    out->basis = "{}";
    if (lore_streq(out->numbers, before)) {
        out->numbers = NULL;
        out->basis = "no operator was tuned on two chips";
    }
    lore_trials_free(trials);
    return LORE_OK;
}

enum lore_status
lore_learn(struct lore_db *db, int64_t piece_us, struct lore_arena *arena,
    struct lore_fit out[LORE_FITS], struct lore_err *err)
{
    out[0] = (struct lore_fit){.name = LORE_LEARNED_EVIDENCE};
    out[1] = (struct lore_fit){.name = LORE_LEARNED_MOVES};
    enum lore_status status = learn_evidence(db, piece_us, arena, &out[0], err);
    return status == LORE_OK ? learn_moves(db, piece_us, arena, &out[1], err) : status;
}

enum lore_status
lore_learn_store(
    struct lore_db *db, const struct lore_fit *fits, int64_t now_us, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < LORE_FITS && status == LORE_OK; i++) {
        const struct lore_learned learned = {fits[i].numbers, fits[i].basis, now_us};
        if (fits[i].numbers)
            status = lore_put_learned(db, fits[i].name, &learned, err);
    }
    return status;
}

enum lore_status
lore_learn_apply(struct lore_db *db, struct lore_indexes *indexes, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct lore_learned learned = {0};
    struct lore_err why = {0};
    double numbers[LORE_M_COUNT];
    enum lore_status status =
        lore_db_get_learned(db, LORE_LEARNED_EVIDENCE, &arena, &learned, &why);

    if (status == LORE_OK && lore_train_numbers_parse(learned.numbers, numbers, &why) == LORE_OK)
        lore_model_use(numbers);
    else if (status == LORE_OK)
        lore_log(LORE_WARN, "learned", "name", LORE_LEARNED_EVIDENCE, "problem", why.msg, NULL);
    if (status == LORE_OK || status == LORE_NOTFOUND)
        status = lore_db_get_learned(db, LORE_LEARNED_MOVES, &arena, &learned, &why);
    if (status == LORE_OK)
        status = lore_indexes_set_parameters(indexes, learned.numbers, &why);
    if (status == LORE_INVALID)
        lore_log(LORE_WARN, "learned", "name", LORE_LEARNED_MOVES, "problem", why.msg, NULL);
    if (status == LORE_NOTFOUND || status == LORE_INVALID)
        return LORE_OK;
    if (status != LORE_OK)
        *err = why;
    return status;
}

void
lore_learn_priors(bool on)
{
    static _Thread_local double priors[LORE_M_COUNT];

    lore_model_priors(priors);
    lore_model_try(on ? priors : NULL);
}
