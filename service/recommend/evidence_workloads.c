/* Workloads of groups (evidence_workloads.h) as bits, by the order in which they came to the
 * operator. A group with few rows of many workloads has no bits: its rows are read sooner. */
#include "service/recommend/evidence_workloads.h"

#include <string.h>

#include "service/base/xalloc.h"
#include "service/recommend/evidence_inner.h"

enum { FEW_WORDS = 8, ROWS_PER_WORD = 8 }; /* bits take at most a byte per row, and 64 bytes */

/* WORKLOAD is in a row on OP: one of its workloads, or of several operators'. */
static void
note_workload(struct lore_evidence_index *ix, uint32_t op, uint32_t workload)
{
    if (workload >= ix->cap_workloads) {
        size_t cap = ix->names.cap;
        ix->workloads = lore_xrealloc(ix->workloads, cap * sizeof *ix->workloads);
        memset(ix->workloads + ix->cap_workloads, 0,
            (cap - ix->cap_workloads) * sizeof *ix->workloads);
        ix->cap_workloads = cap;
    }
    struct lore_workload_at *w = &ix->workloads[workload];
    if (w->op == 0)
        *w = (struct lore_workload_at){op + 1, ix->on[op].workloads++};
    else if (w->op != op + 1)
        ix->on[op].shared = ix->on[w->op - 1].shared = true;
}

/* Room for the bit of NUMBER, if the group has rows enough. */
static bool
has_room(struct lore_row_group *s, uint32_t number)
{
    struct lore_tried_on *t = &s->tried;
    uint32_t words = number / 64 + 1, most = FEW_WORDS + s->n / ROWS_PER_WORD;

    if (words <= t->words)
        return true;
    if (words > most) {
        lore_xfree(t->bits);
        *t = (struct lore_tried_on){.again = 2 * s->n, .steps = t->steps};
        return false;
    }
    words = words + words / 4 < most ? words + words / 4 : most;
    t->bits = lore_xrealloc(t->bits, words * sizeof *t->bits);
    memset(t->bits + t->words, 0, (words - t->words) * sizeof *t->bits);
    t->words = words;
    return true;
}

/* A workload that is the operator's own. */
static void
set(struct lore_evidence_index *ix, struct lore_row_group *s, uint32_t workload)
{
    const struct lore_workload_at *w = &ix->workloads[workload];
    struct lore_tried_on *t = &s->tried;
    uint64_t bit = (uint64_t)1 << w->number % 64;

    if (t->again > 0 || w->op != s->op + 1 || !has_room(s, w->number))
        return;
    t->n += (t->bits[w->number / 64] & bit) == 0;
    t->bits[w->number / 64] |= bit;
}

static bool
counts(const struct lore_evidence_index *ix, const struct lore_chunk *c, uint32_t i)
{
    uint64_t kind = ix->kinds.key[c->kind[i]];
    const struct lore_graded *context = &ix->grading.context[lore_pair_high(kind)];

    return c->workload[i] != LORE_NO_NAME && !context->masked && !context->step;
}

bool
lore_workload_counts(const struct lore_evidence_index *ix, uint32_t row, uint32_t *workload)
{
    const struct lore_chunk *c = ix->chunks[row / LORE_CHUNK];

    *workload = c->workload[row % LORE_CHUNK];
    return counts(ix, c, row % LORE_CHUNK);
}

static void
set_all(struct lore_evidence_index *ix, struct lore_row_group *s)
{
    s->tried.again = 0;
    for (uint32_t k = 0; k < s->n_parts; k++) {
        const struct lore_chunk *c = ix->chunks[s->parts[k].chunk];
        for (uint32_t i = 0; i < c->n; i++)
            if (counts(ix, c, i))
                set(ix, s, c->workload[i]);
    }
}

void
lore_workload_enter(struct lore_evidence_index *ix, struct lore_row_group *s, uint32_t workload,
    const struct lore_graded *c)
{
    if (workload == LORE_NO_NAME)
        return;
    note_workload(ix, s->op, workload);
    if (c->masked)
        return;
    s->tried.steps = s->tried.steps || c->step;
    if (c->step)
        return;
    if (s->tried.again > 0 && s->n >= s->tried.again)
        set_all(ix, s);
    else
        set(ix, s, workload);
}

void
lore_workload_leave(struct lore_evidence_index *ix, struct lore_row_group *s, uint32_t workload)
{
    const struct lore_workload_at *w = &ix->workloads[workload];
    struct lore_tried_on *t = &s->tried;

    if (t->again > 0 || w->op != s->op + 1)
        return;
    for (uint32_t k = 0; k < s->n_parts; k++) {
        const struct lore_chunk *c = ix->chunks[s->parts[k].chunk];
        for (uint32_t i = 0; i < c->n; i++)
            if (c->workload[i] == workload && counts(ix, c, i))
                return;
    }
    uint64_t bit = (uint64_t)1 << w->number % 64;
    if (w->number / 64 >= t->words || (t->bits[w->number / 64] & bit) == 0)
        return; /* the bits were made when it was not among the rows any more */
    t->bits[w->number / 64] &= ~bit;
    t->n--;
}

bool
lore_workloads_totals(
    const struct lore_evidence_index *ix, const struct lore_row_group *s, bool here)
{
    return s->tried.again == 0 && !ix->on[s->op].shared && !(here && s->tried.steps);
}
