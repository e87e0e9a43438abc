/* A search that tried the values of each parameter says whether more of them are worth a try: where
 * the best value is the largest or smallest that was tried, they are (searched.h). */
#include "service/api/searched.h"

#include "service/api/params.h"
#include "service/base/duration.h"

/* "tile_size=20 is the largest that was tried, and each step up to it was faster: try larger
 * values." */
static const char *
text_of(const struct lore_sweep_edge *e, struct lore_arena *arena)
{
    const char *way = e->largest ? "up" : "down";
    const char *gain =
        e->each ? lore_format(arena, "each step %s to it was faster", way)
        : e->over > LORE_SWEEP_CLEAR
            ? lore_format(arena, "%s faster than any other", lore_factor_text(arena, e->over))
            : lore_format(arena, "the last steps %s to it were faster", way);

    return lore_format(arena, "%s=%s is the %s that was tried, and %s: try %s values.",
        e->parameter, e->value, e->largest ? "largest" : "smallest", gain,
        e->largest ? "larger" : "smaller");
}

static enum lore_status
read_beyond(struct lore_req *req, struct lore_searched *out, struct lore_err *err)
{
    struct lore_sweep_data d = {0};
    struct lore_sweep_edge *edges;
    enum lore_status status =
        lore_db_get_configurations(req->db, out->sweep, 0, req->arena, &d, err);

    if (status != LORE_OK)
        return status;
    size_t n = lore_sweep_edges(&d, req->arena, &edges);
    for (size_t i = 0; i < n; i++)
        out->beyond = lore_format(req->arena, "%s%s%s", out->beyond ? out->beyond : "",
            out->beyond ? " " : "", text_of(&edges[i], req->arena));
    return LORE_OK;
}

enum lore_status
lore_searched_read(struct lore_req *req, const struct lore_start_answer *start,
    struct lore_searched *out, struct lore_err *err)
{
    const struct lore_version_row *v = start->about.version;
    const struct lore_list_filter of = {.kernel = v ? v->v.kernel : NULL,
        .chip = start->place.chip ? start->place.chip->name : NULL,
        .workload = start->place.workload,
        .page.limit = LORE_PAGE_MAX};
    struct lore_sweep_row *rows = NULL;
    size_t n = 0;

    *out = (struct lore_searched){0};
    if (!of.kernel || !start->placed || !of.chip || !of.workload)
        return LORE_OK;
    enum lore_status status = lore_db_list_sweeps(req->db, &of, req->arena, &rows, &n, err);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        if ((size_t)rows[i].timed > out->timed)
            *out = (struct lore_searched){
                rows[i].r.id, (size_t)rows[i].timed, (size_t)rows[i].failed, NULL};
    return status == LORE_OK && out->sweep ? read_beyond(req, out, err) : status;
}

const char *
lore_searched_next(struct lore_req *req, const struct lore_start_answer *start)
{
    struct lore_searched found;
    struct lore_err ignored;

    if (lore_searched_read(req, start, &found, &ignored) != LORE_OK || !found.sweep)
        return NULL;
    return found.beyond
               ? found.beyond
               : lore_format(req->arena,
                     "%zu configurations of it were timed: change its code, not its parameters.",
                     found.timed);
}
