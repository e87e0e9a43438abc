/* Sorts the launches by what the program's author says that they compute, in the ranges around
 * them. An option that is given wins over a range. */
#include <string.h>

#include "collectors/run/collect_parts.h"
#include "collectors/run/range_text.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { WORKLOADS = 256 /* runs of one program */ };

static void
add_problem(struct lore_collecting *b, const char *text)
{
    struct lore_texts *all = &b->c->trace.problems;

    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->v[i], text) == 0)
            return;
    lore_build_text(b->arena, all, text);
}

/* Read the text of a range that an author wrote. False: it is none, it cannot be read, which is
 * said once, or the options say something else. */
static bool
read_range(struct lore_collecting *b, const char *text, struct lore_workload *out)
{
    const struct lore_run_options *w = &b->c->what;
    struct lore_err err = {0};

    if (!text || !lore_starts(text, LORE_RANGE_PREFIX))
        return false;
    if (lore_range_text_read(text, b->arena, out, &err) == LORE_OK)
        return !w->op || lore_streq(out->op, lore_operator_name(b->arena, w->op));
    add_problem(b, lore_strdup(b->arena, err.msg));
    return false;
}

static struct lore_ranged *
ranged_as(struct lore_collecting *b, struct lore_ranged_list *list, const struct lore_workload *w)
{
    const char *text = lore_workload_text(b->arena, w->op, w);

    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->v[i].text, text) == 0)
            return &list->v[i];
    if (list->n == WORKLOADS) {
        add_problem(
            b, "the ranges name more than 256 workloads; those that took least time are left out");
        return NULL;
    }
    struct lore_ranged *r = LORE_PUSH(b->arena, list->v, list->n, list->cap);
    *r = (struct lore_ranged){.workload = *w, .text = text, .trace = b->c->trace};
    r->trace.groups = NULL;
    r->trace.n_groups = r->trace.cap_groups = 0;
    return r;
}

void
lore_collect_ranges(struct lore_collecting *b, struct lore_ranged_list *out)
{
    const struct lore_trace *t = &b->c->trace;
    struct lore_workload w;

    memset(out, 0, sizeof *out);
    if (b->c->what.op && b->c->what.dims.n > 0)
        return;
    for (size_t i = 0; i < t->n_groups; i++) {
        if (!read_range(b, t->groups[i].range, &w))
            continue;
        struct lore_ranged *r = ranged_as(b, out, &w);
        if (r)
            *LORE_PUSH(b->arena, r->trace.groups, r->trace.n_groups, r->trace.cap_groups) =
                t->groups[i];
    }
}
