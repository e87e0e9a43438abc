/* The variant that a chip's name means (chip_meant.h), by the rows of the leaderboard. */
#include "service/api/chip_meant.h"

#include "service/api/params.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

enum { MOST_ROWS = 100000 };

/* Set COUNTS[i] to the board rows on the i-th name of the N in NAMES: those with a time, or all
 * where none has one. Whether they have times. */
static bool
count_rows(struct lore_req *req, const struct lore_board_filter *of, const char *const *names,
    size_t n, size_t *counts)
{
    LORE_INDEXES_VIEW indexes = req->app->indexes;
    struct lore_board_row *rows = NULL;
    size_t n_rows = 0, total;
    bool timed = false;

    lore_board(lore_indexes_board(indexes), of, req->arena, &rows, &n_rows, &total);
    for (size_t i = 0; i < n_rows; i++)
        timed |= rows[i].time_ns > 0;
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < n; k++)
            counts[k] += (rows[i].time_ns > 0 || !timed) && lore_streq(rows[i].chip, names[k]);
    return timed;
}

/* " On h100 itself 3 speedups are only stated, up to 1.8x (KERNEL) [experiment]." of operator OP;
 * "": none is. An answer about a variant with times leaves them out. */
static const char *
claims_text(struct lore_req *req, const char *op, const struct lore_chip *chip)
{
    LORE_INDEXES_VIEW indexes = req->app->indexes;
    const struct lore_board_filter of = {.op = op, .chip = chip, .limit = MOST_ROWS};
    struct lore_board_row *rows = NULL;
    const struct lore_board_row *best = NULL;
    size_t n_rows = 0, total, n = 0;

    lore_board(lore_indexes_board(indexes), &of, req->arena, &rows, &n_rows, &total);
    for (size_t i = 0; i < n_rows; i++) {
        if (!lore_streq(rows[i].chip, chip->name) || rows[i].n_claims == 0)
            continue;
        n += rows[i].n_claims;
        if (!best || rows[i].claims->speedup.value > best->claims->speedup.value)
            best = &rows[i];
    }
    if (!best)
        return "";
    return lore_format(req->arena, " On %s itself %zu speedup%s only stated, up to %.3gx%s%s [%s].",
        chip->name, n, n == 1 ? " is" : "s are", best->claims->speedup.value,
        best->kernel_name ? " by " : "", best->kernel_name ? best->kernel_name : "",
        best->claims->experiment);
}

const struct lore_chip *
lore_chip_meant(
    struct lore_req *req, const char *op, const struct lore_chip *chip, const char **note)
{
    const char *const *names = NULL;
    size_t n = 0, own = 0, best = 0, places = 0;
    const char *others = "";

    *note = NULL;
    if (!op || !chip || !chip->product)
        return chip;
    lore_params_chip_names(req->arena, chip, &names, &n);
    if (n < 2)
        return chip;
    size_t *counts = lore_alloc_array(req->arena, n, sizeof *counts);
    bool timed = count_rows(req,
        &(struct lore_board_filter){
            .op = op, .chip = chip, .variants = true, .bests = true, .limit = MOST_ROWS},
        names, n, counts);
    for (size_t i = 0; i < n; i++) {
        if (lore_streq(names[i], chip->name)) {
            own = counts[i];
            continue;
        }
        if (counts[i] == 0)
            continue;
        others = lore_format(req->arena, "%s%s%s", others, *others ? ", " : "", names[i]);
        if (counts[i] > places) {
            places = counts[i];
            best = i;
        }
    }
    if (places == 0)
        return chip;
    if (own > 0) {
        *note = lore_format(
            req->arena, "%s is also recorded on %s: name that chip to ask about it.", op, others);
        return chip;
    }
    *note = lore_format(req->arena,
        "%s has no %s on %s itself, but on its variants: %s. This answer is about %s.%s", op,
        timed ? "times" : "results", chip->name, others, names[best], claims_text(req, op, chip));
    return lore_chip_find(names[best]);
}
