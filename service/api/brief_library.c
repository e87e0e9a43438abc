/* Whether the time of a library is to be believed: a library that reaches a multiple of the rate at
 * like work on the same chip was probably timed wrongly here, or in other settings. */
#include "service/api/brief_say.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"
#include "service/wire/work.h"

#define DOUBTFUL                                                                                   \
    0.5          /* of the rate that libraries reach elsewhere; half is more than shapes explain */
#define LARGER 8 /* other work may be this much larger; small work has lower rates everywhere */
#define SHORT_NS 2e4 /* the launch is a good part of a shorter time */
enum { ROWS = 200 };

struct timed_work {
    const struct lore_board_row *row;
    double ns, flops, bytes;
    const char *dtype;
};

/* The library's time at the place of R, and the work done in it. Whether both are known. */
static bool
read_work(struct saying *s, const struct lore_board_row *r, struct timed_work *out)
{
    struct lore_workload_row row = {0};
    struct lore_workload w = {0};
    struct lore_work work;
    struct lore_err ignored;

    if (!r->vs_library.set || !r->vs_library.base_version || !(r->time_ns > 0) || !r->workload ||
        lore_db_get_workload(s->f->req->db, r->workload, s->arena, &row, &ignored) != LORE_OK ||
        lore_workload_fill(&row, s->arena, &w, &ignored) != LORE_OK ||
        !lore_work_of(r->op, &w.dims, w.dtype, &work) || !work.flops.set || !work.bytes.set)
        return false;
    *out = (struct timed_work){
        r, r->time_ns * r->vs_library.value, work.flops.v, work.bytes.v, w.dtype};
    return out->ns > 0 && out->flops > 0 && out->bytes > 0;
}

/* The rate of A over that of B: of operations, but of bytes where A has far fewer operations per
 * byte, and so may be limited by memory. */
static double
rate_over(const struct timed_work *a, const struct timed_work *b)
{
    bool thin = a->flops / a->bytes < DOUBTFUL * b->flops / b->bytes;

    return (thin ? a->bytes / b->bytes : a->flops / b->flops) * b->ns / a->ns;
}

const char *
lore_brief_doubt_library(struct saying *s, const struct lore_board_row *r)
{
    const struct lore_board_filter of = {.op = r->op,
        .chip = r->chip ? lore_chip_find(r->chip) : NULL,
        .sort = "-updated",
        .limit = ROWS};
    struct timed_work here, there, best = {0};
    struct lore_board_row *v = NULL;
    size_t n = 0, total;
    double least = DOUBTFUL;

    if (!of.chip || !read_work(s, r, &here) || here.ns < SHORT_NS)
        return "";
    {
        LORE_INDEXES_VIEW indexes = s->f->req->app->indexes;
        lore_board(lore_indexes_board(indexes), &of, s->arena, &v, &n, &total);
    }
    for (size_t i = 0; i < n; i++) {
        if (lore_streq(v[i].workload, r->workload) || !read_work(s, &v[i], &there) ||
            !lore_streqi(there.dtype, here.dtype) || there.flops > LARGER * here.flops)
            continue;
        double share = rate_over(&here, &there);
        if (share < least) {
            least = share;
            best = there;
        }
    }
    if (!best.row)
        return "";
    return lore_format(s->arena,
        " Doubtful: that is %.0f %% of the rate of %s at %s on this chip [%s]; time the library "
        "again before comparing with it.",
        least * 100,
        best.row->vs_library.base_name ? best.row->vs_library.base_name : "the library",
        best.row->workload_label ? best.row->workload_label : "another shape",
        lore_brief_cite_id(s, best.row->vs_library.base_version));
}
