/* GET /api/v1/matrix: what is known per operator and chip, a cell each. Times of different
 * workloads do not compare, so a cell shows one row of the board, the one with the largest speedup
 * (else one with a time, else any), and on how many workloads and languages there is something. */
#include <stdlib.h>
#include <string.h>

#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/memory.h"

#define MOST_ROWS 100000

static int
by_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return (a == NULL) - (b == NULL);
    return strcmp(a, b);
}

static int
by_cell(const void *a, const void *b)
{
    const struct lore_board_row *x = a, *y = b;
    int order = by_text(x->op, y->op);

    if (order == 0)
        order = by_text(x->chip, y->chip);
    if (order == 0)
        order = by_text(x->workload, y->workload);
    return order != 0 ? order : (int)x->language - (int)y->language;
}

static bool
same_cell(const struct lore_board_row *a, const struct lore_board_row *b)
{
    return by_text(a->op, b->op) == 0 && by_text(a->chip, b->chip) == 0;
}

/* Whether A tells more than B: a speedup, the larger one; a time; what comes first. */
static bool
tells_more(const struct lore_board_row *a, const struct lore_board_row *b)
{
    if (a->speedup.set != b->speedup.set)
        return a->speedup.set;
    if (a->speedup.set)
        return a->speedup.value > b->speedup.value;
    return a->time_ns > 0 && !(b->time_ns > 0);
}

struct cell {
    const struct lore_board_row *best;
    size_t rows, workloads;
    uint32_t languages; /* bits */
};

/* The cell that begins at ROWS; *n: the rows it takes. */
static struct cell
cell_at(const struct lore_board_row *rows, size_t most, size_t *n)
{
    struct cell c = {.best = &rows[0]};

    for (; c.rows < most && same_cell(&rows[c.rows], &rows[0]); c.rows++) {
        const struct lore_board_row *r = &rows[c.rows];
        if (tells_more(r, c.best))
            c.best = r;
        c.workloads += r->workload != NULL &&
                       (c.rows == 0 || by_text(r->workload, rows[c.rows - 1].workload) != 0);
        c.languages |= 1u << r->language;
    }
    *n = c.rows;
    return c;
}

static void
write_languages(struct lore_jsonw *w, uint32_t languages)
{
    lore_w_key(w, "languages");
    lore_w_arr(w);
    for (int l = LORE_LANG_NONE + 1; l < LORE_LANG_COUNT; l++)
        if ((languages >> l & 1) != 0)
            lore_w_str(w, lore_language_name((enum lore_language)l));
    lore_w_arr_end(w);
}

static void
write_cell(struct lore_jsonw *w, const struct cell *c)
{
    const struct lore_board_row *r = c->best;

    lore_w_obj(w);
    lore_w_kstr(w, "operator", r->op);
    lore_w_kstr_opt(w, "family", r->family);
    lore_w_kstr_opt(w, "chip", r->chip);
    if (r->language != LORE_LANG_NONE)
        lore_w_kstr(w, "language", lore_language_name(r->language));
    lore_w_kstr_opt(w, "workload", r->workload);
    lore_w_kstr_opt(w, "workload_label", r->workload_label);
    lore_w_kstr_opt(w, "version", r->best_version);
    if (r->time_ns > 0)
        lore_w_kf64(w, "time_ns", r->time_ns);
    if (r->speedup.set) {
        lore_w_kf64(w, "speedup", r->speedup.value);
        lore_w_kstr(w, "base", lore_base_name(r->speedup.base));
        lore_w_kstr_opt(w, "base_name", r->speedup.base_name);
    }
    lore_w_kstr_opt(w, "status", r->status);
    if (r->evidence != LORE_EV_NONE)
        lore_w_kstr(w, "evidence", lore_evidence_name(r->evidence));
    lore_w_ki64(w, "workloads", (int64_t)c->workloads);
    lore_w_ki64(w, "board_rows", (int64_t)c->rows);
    write_languages(w, c->languages);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_matrix(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_board_filter f = {.sort = "operator", .limit = MOST_ROWS};
    struct lore_board_row *rows = NULL;
    struct lore_jsonw w;
    size_t n = 0, total = 0, taken = 0;
    enum lore_status status = lore_edge_language(req, &f.language, err);

    if (status != LORE_OK)
        return status;
    f.family = lore_arg_text(req, "family", NULL);
    lore_rows_begin(&w, resp);
    lore_board(lore_memory_board(req->app->memory), &f, req->arena, &rows, &n, &total);
    if (n > 1)
        qsort(rows, n, sizeof *rows, by_cell);
    for (size_t i = 0; i < n; i += taken) {
        struct cell c = cell_at(&rows[i], n - i, &taken);
        write_cell(&w, &c);
    }
    lore_memory_done(req->app->memory);
    return lore_rows_done(&w, false, 0, err);
}
