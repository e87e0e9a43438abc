/* GET /api/v1/matrix: one cell per operator and chip. Times of different workloads do not compare,
 * so a cell shows the measured leaderboard row with the largest speedup (else a stated one, else
 * any), and counts workloads and languages. */
#include <stdlib.h>
#include <string.h>

#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/api/timing.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

#define MOST_ROWS 100000

static int
by_text(const char *a, const char *b)
{
    if (!a || !b)
        return (!a) - (!b);
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

static bool
measured(const struct lore_board_row *r)
{
    return lore_timing_is_measured(r->evidence);
}

/* Whether A is the better row to show: measured before stated, then a larger speedup, else a time,
 * else the first. */
static bool
is_better_row(const struct lore_board_row *a, const struct lore_board_row *b)
{
    if (measured(a) != measured(b))
        return measured(a);
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
        if (is_better_row(r, c.best))
            c.best = r;
        c.workloads += r->workload != NULL &&
                       (c.rows == 0 || by_text(r->workload, rows[c.rows - 1].workload) != 0);
        c.languages |= 1u << r->language;
    }
    *n = c.rows;
    return c;
}

static void
write_languages(struct lore_jsonw *w, const char *key, const void *row)
{
    uint32_t languages = ((const struct cell *)row)->languages;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (int l = LORE_LANG_NONE + 1; l < LORE_LANG_COUNT; l++)
        if ((languages >> l & 1) != 0)
            lore_w_str(w, lore_language_name((enum lore_language)l));
    lore_w_arr_end(w);
}

#define ROW struct lore_speedup
static const struct lore_object_member speedup[] = {
    {"speedup", AT(value)},
    {"base", NAMED(base, lore_base_name), LORE_BASE_NAMES},
    {"base_name", AT(base_name)},
};
static const struct lore_object flat_speedup = LORE_OBJECT("", speedup);
#undef ROW

#define ROW struct lore_board_row
static const struct lore_object_member best[] = {
    {"!operator", AT(op)},
    {"family", AT(family)},
    {"chip", AT(chip)},
    {"language", NAMED(language, lore_language_name)},
    {"workload", AT(workload)},
    {"workload_label", AT(workload_label)},
    {"version", AT(best_version), "ulid"},
    {"time_ns", AT(time_ns)},
    {"", MEMBERS(speedup, flat_speedup)},
    {"status", AT(status)},
    {"evidence", NAMED(evidence, lore_evidence_name), LORE_EVIDENCE_NAMES},
};
static const struct lore_object best_row = LORE_OBJECT("", best);
#undef ROW

#define ROW struct cell
static const struct lore_object_member cell[] = {
    {"!", SPREAD(best, best_row)},
    {"!workloads", AT(workloads), NULL, "how many"},
    {"!board_rows", AT(rows), NULL, "rows of the board behind the cell"},
    {"!languages", WRITTEN(write_languages), "[text"},
};
const struct lore_object lore_matrix_cell_object = LORE_OBJECT("MatrixCell", cell);
#undef ROW

enum lore_status
lore_api_matrix(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_board_filter f = {.sort = "operator", .limit = MOST_ROWS};
    struct lore_board_row *rows = NULL;
    struct lore_jsonw w;
    size_t n = 0, total = 0, taken = 0;
    enum lore_status status = lore_params_language(req, &f.language, err);

    if (status != LORE_OK)
        return status;
    f.family = lore_arg_text(req, "family", NULL);
    f.project = lore_arg_text(req, "project", NULL);
    lore_paging_begin(&w, resp);
    {
        LORE_INDEXES_VIEW indexes = req->app->indexes;

        lore_board(lore_indexes_board(indexes), &f, req->arena, &rows, &n, &total);
    }
    if (n > 1)
        qsort(rows, n, sizeof *rows, by_cell);
    for (size_t i = 0; i < n; i += taken) {
        struct cell c = cell_at(&rows[i], n - i, &taken);
        lore_object_write(&w, &lore_matrix_cell_object, &c);
    }
    return lore_paging_done(&w, false, 0, err);
}
