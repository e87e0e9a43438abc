/* Who is best, and against what.
 *
 * A version stands in the contest with its fastest time of the stronger class: measured
 * (evidence confirmed or measured) needs a passed correctness check; stated (imported, claimed)
 * does not, but loses to any measured time. A fail or timeout anywhere in the cell takes the whole
 * version out: a version never changes, so one wrong answer on a workload is a wrong version.
 * Library versions are bases, never best.
 *
 * The headline is first / best, both of one class, in one cell, in environments that do not
 * contradict each other; between stated numbers the author's own speedup over the first version
 * is more exact than a ratio of rounded times. Without a recorded workload no two times are
 * comparable: then only what somebody states is shown. */
#include "cells.h"

const char *
name_of(const struct lore_board_index *ix, uint32_t id)
{
    return lore_intern_text(&ix->names, id);
}

enum timing_class
class_of(const struct entry *e)
{
    return e->evidence == LORE_EV_CONFIRMED || e->evidence == LORE_EV_MEASURED ? CLASS_MEASURED
                                                                               : CLASS_STATED;
}

bool
is_library(const struct lore_board_index *ix, const struct version *v)
{
    return v->kind == LORE_V_LIBRARY || ix->cells[v->cell].language == LORE_LANG_LIBRARY;
}

/* All the evidence that a version has was masked: its runs, or every experiment that made it. */
static bool
masked_out(const struct version *v)
{
    if (v->experiments == 0 && v->masked_experiments > 0)
        return true;
    return v->runs == 0 && v->masked_runs > 0 && v->experiments == 0;
}

uint32_t
standing(const struct lore_board_index *ix, const struct version *v)
{
    if (is_library(ix, v) || masked_out(v) || v->fail || v->timeout)
        return NONE;
    if (v->fastest[CLASS_MEASURED] != NONE && v->pass)
        return v->fastest[CLASS_MEASURED];
    if (v->fastest[CLASS_STATED] != NONE)
        return v->fastest[CLASS_STATED];
    if (v->said != NONE && class_of(&ix->entries[v->said]) == CLASS_STATED)
        return v->said;
    return NONE;
}

const char *
reason_out(const struct lore_board_index *ix, const struct version *v)
{
    if (is_library(ix, v) || v->id == NONE || standing(ix, v) != NONE)
        return NULL;
    if (v->fail)
        return "correctness failed";
    if (v->timeout)
        return "correctness check timed out";
    if (masked_out(v))
        return "masked";
    if (v->fastest[CLASS_MEASURED] != NONE)
        return "correctness not checked";
    return v->error ? "run ended in an error" : NULL;
}

bool
beats(const struct lore_board_index *ix, const struct cell *cell, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE || a == b)
        return a != NONE && b == NONE;
    const struct entry *x = &ix->entries[a], *y = &ix->entries[b];
    if (class_of(x) != class_of(y))
        return class_of(x) < class_of(y);
    if ((x->time_ns > 0) != (y->time_ns > 0))
        return x->time_ns > 0;
    bool by_speedup = x->time_ns <= 0 || cell->workload == NONE;
    if (by_speedup && x->speedup != y->speedup)
        return x->speedup > y->speedup;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns;
    return x->seq < y->seq;
}

/* Unknown environments do not contradict. */
static bool
comparable(const struct entry *a, const struct entry *b)
{
    return class_of(a) == class_of(b) && (a->env == NONE || b->env == NONE || a->env == b->env);
}

/* The fastest time of a version that compares with BEST, or NONE. */
static uint32_t
comparable_time(
    const struct lore_board_index *ix, const struct version *v, const struct entry *best)
{
    uint32_t found = NONE;

    for (uint32_t i = v->entries; i != NONE; i = ix->entries[i].next) {
        const struct entry *e = &ix->entries[i];
        if (!e->masked && e->time_ns > 0 && comparable(e, best) &&
            (found == NONE || e->time_ns < ix->entries[found].time_ns))
            found = i;
    }
    return found;
}

/* How well a version serves as the first one of KERNEL: its baseline, else a baseline of the cell,
 * else the earliest version of the kernel. 0: not at all. */
static int
firstness(const struct lore_board_index *ix, const struct version *v, uint32_t kernel)
{
    bool own = v->kernel == kernel;

    if (is_library(ix, v) || masked_out(v) || v->fail || v->timeout)
        return 0;
    if (v->kind == LORE_V_BASELINE)
        return own ? 3 : 2;
    return own ? 1 : 0;
}

/* The timing of the first version that compares with the cell's best, or NONE. */
static uint32_t
first_time(const struct lore_board_index *ix, const struct cell *cell)
{
    const struct entry *best = &ix->entries[cell->best];
    uint32_t kernel = ix->versions[best->version].kernel, found = NONE;
    int found_rank = 0;
    int64_t found_seq = INT64_MAX;

    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        const struct version *v = &ix->versions[i];
        int rank = firstness(ix, v, kernel);
        if (rank == 0 || rank < found_rank || (rank == found_rank && v->first_seq >= found_seq))
            continue;
        uint32_t e = comparable_time(ix, v, best);
        if (e == NONE)
            continue;
        found = e;
        found_rank = rank;
        found_seq = v->first_seq;
    }
    return found;
}

uint32_t
stated(const struct lore_board_index *ix, const struct cell *cell)
{
    const struct entry *best = cell->best != NONE ? &ix->entries[cell->best] : NULL;

    if (best == NULL)
        return NONE;
    if (best->speedup > 0 && best->base != LORE_BASE_LIBRARY)
        return cell->best;
    return ix->versions[best->version].said;
}

static struct lore_speedup
stated_speedup(const struct lore_board_index *ix, uint32_t entry)
{
    if (entry == NONE)
        return (struct lore_speedup){0};
    const struct entry *e = &ix->entries[entry];
    return (struct lore_speedup){
        .set = true,
        .value = e->speedup,
        .base = e->base != LORE_BASE_NONE ? (enum lore_base)e->base : LORE_BASE_PARENT,
        .base_name = name_of(ix, e->base_name),
    };
}

/* First over best. A stated result tells the time before it, too: the first one recorded started
 * there. */
static struct lore_speedup
over_first(const struct lore_board_index *ix, const struct entry *first, const struct entry *best)
{
    const struct version *base = &ix->versions[first->version];
    bool before = first->run == NONE && first->speedup > 0 && first->base != LORE_BASE_LIBRARY &&
                  base->kind != LORE_V_BASELINE;

    return (struct lore_speedup){
        .set = true,
        .value = first->time_ns * (before ? first->speedup : 1) / best->time_ns,
        .base = LORE_BASE_FIRST,
        .base_name = before ? NULL : name_of(ix, base->label),
        .base_version = before ? NULL : name_of(ix, base->id),
    };
}

struct lore_speedup
headline(const struct lore_board_index *ix, const struct cell *cell)
{
    if (cell->best == NONE)
        return (struct lore_speedup){0};
    const struct entry *best = &ix->entries[cell->best];
    bool timed = best->time_ns > 0 && cell->workload != NONE;
    bool said =
        class_of(best) == CLASS_STATED && best->speedup > 0 && best->base == LORE_BASE_FIRST;
    uint32_t first = timed && !said ? first_time(ix, cell) : NONE;
    if (first == NONE)
        return stated_speedup(ix, stated(ix, cell));
    /* A version alone, that nobody calls a baseline, is first by accident of what was recorded. */
    if (ix->entries[first].version == best->version &&
        ix->versions[best->version].kind != LORE_V_BASELINE)
        return stated_speedup(ix, stated(ix, cell));
    return over_first(ix, &ix->entries[first], best);
}

/* The fastest library time in the same workload and chip that compares with BEST. */
static uint32_t
library_time(const struct lore_board_index *ix, const struct cell *cell, const struct entry *best)
{
    uint32_t found = NONE, i = NONE;

    if (cell->workload != NONE && cell->chip != NONE && cell->place < ix->cap_libraries)
        i = ix->libraries[cell->place];
    for (; i != NONE; i = ix->entries[i].next_library) {
        const struct entry *e = &ix->entries[i];
        const struct version *v = &ix->versions[e->version];
        if (e->masked || e->time_ns <= 0 || v->fail || v->timeout || !comparable(e, best))
            continue;
        if (found == NONE || e->time_ns < ix->entries[found].time_ns)
            found = i;
    }
    return found;
}

struct lore_speedup
over_library(const struct lore_board_index *ix, const struct cell *cell)
{
    if (cell->best == NONE)
        return (struct lore_speedup){0};
    const struct entry *best = &ix->entries[cell->best];
    uint32_t library = best->time_ns > 0 ? library_time(ix, cell, best) : NONE;
    if (library == NONE)
        return stated_speedup(ix, ix->versions[best->version].said_library);
    const struct version *v = &ix->versions[ix->entries[library].version];
    return (struct lore_speedup){
        .set = true,
        .value = ix->entries[library].time_ns / best->time_ns,
        .base = LORE_BASE_LIBRARY,
        .base_name = name_of(ix, v->kernel_name),
        .base_version = name_of(ix, v->id),
    };
}
