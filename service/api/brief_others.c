/* Techniques that are no dead end, because a version that does as well against its library is built
 * on them. */
#include <stdlib.h>

#include "service/api/brief.h"
#include "service/api/line.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/ingest/indexes.h"

enum { ROWS = 32, LINES = 6 /* versions whose line is read */ };

/* Add the techniques that VERSION or its ancestors show by themselves: what an experiment brought
 * in may have gained nothing. */
static enum lore_status
add_line(struct lore_brief_facts *f, const char *version, struct lore_err *err)
{
    struct lore_line line = {0};
    struct lore_texts *to = &f->others_have;
    enum lore_status status = lore_line_load_id(f->req->db, version, f->req->arena, &line, err);

    for (size_t i = 0; i < line.n; i++)
        if (!line.v[i]->out && !line.v[i]->in_experiment)
            *LORE_PUSH(f->req->arena, to->v, to->n, to->cap) = line.v[i]->name;
    return status;
}

/* Whether the version that leads R does at least as well against the library as the version of the
 * brief. */
static bool
does_well(const struct lore_brief_facts *f, const struct lore_board_row *r)
{
    const struct lore_speedup *own = f->row ? &f->row->vs_library : NULL;

    return r->best_version && r->vs_library.set &&
           (!own || !own->set || r->vs_library.value >= own->value) &&
           !(f->x.start.about.version &&
               lore_streq(r->best_version, f->x.start.about.version->v.id));
}

static int
by_library(const void *a, const void *b)
{
    double x = ((const struct lore_board_row *)a)->vs_library.value;
    double y = ((const struct lore_board_row *)b)->vs_library.value;

    return (x < y) - (x > y);
}

enum lore_status
lore_brief_read_others(struct lore_brief_facts *f, struct lore_err *err)
{
    const struct lore_board_filter of = {.op = f->x.question.op, .sort = "-updated", .limit = ROWS};
    struct lore_board_row *v = NULL;
    size_t n = 0, total, kept = 0;
    enum lore_status status = LORE_OK;

    {
        LORE_INDEXES_VIEW indexes = f->req->app->indexes;
        lore_board(lore_indexes_board(indexes), &of, f->req->arena, &v, &n, &total);
    }
    for (size_t i = 0; i < n; i++)
        if (does_well(f, &v[i]))
            v[kept++] = v[i];
    if (kept > 1)
        qsort(v, kept, sizeof *v, by_library);
    for (size_t i = 0; status == LORE_OK && i < kept && i < LINES; i++)
        status = add_line(f, v[i].best_version, err);
    return status;
}
