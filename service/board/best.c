/* The best version of a cell, and the base of its speedup.
 *
 * A version is ranked by its fastest measured time (evidence confirmed or measured). Without one it
 * is ranked by its fastest stated time (imported, claimed), behind all measured ones. A failed or
 * timed-out check in the cell excludes the version, because its code never changes. A version that
 * passed on other workloads only is excluded, too: it was not checked where it was timed. Measured
 * times of unchecked versions rank behind those of versions that passed. Library versions are bases
 * and never best.
 *
 * Times of different methods are not compared. The ranking method of the cell orders its versions;
 * versions timed by other methods only come after them.
 *
 * The headline is the time of the first version over the time of the best. Both times have the same
 * method, are of the same cell, and their environments do not conflict. If the ranked
 * time of the best version has no such partner, its times by other methods are tried. For stated
 * results the author's speedup over the first version is preferred, because it is more exact than a
 * ratio of rounded times. Times without a workload are not comparable; then only a stated speedup
 * is shown. */
#include <stdatomic.h>
#include <string.h>

#include "service/base/text.h"
#include "service/board/ranking.h"
#include "service/derive/gain.h"

const char *
lore_board_name_of(const struct lore_board *ix, uint32_t id)
{
    return lore_intern_text(&ix->names, id);
}

enum timing_class
lore_board_class_of(const struct board_entry *e)
{
    return e->evidence == LORE_EV_CONFIRMED || e->evidence == LORE_EV_MEASURED ? CLASS_MEASURED
                                                                               : CLASS_STATED;
}

bool
lore_board_is_library(const struct lore_board *ix, const struct board_version *v)
{
    return v->kind == LORE_V_LIBRARY || ix->cells[v->cell].language == LORE_LANG_LIBRARY;
}

bool
lore_board_in_project(const struct board_version *v, const struct board_rules *rules)
{
    return !rules->by_project || v->project == rules->project;
}

static bool
is_retracted(const struct lore_board *ix, const struct board_version *v)
{
    return v->check != NONE && ix->identities[ix->checks[v->check].identity].retracted;
}

bool
lore_board_is_hidden(const struct lore_board *ix, const struct board_entry *e)
{
    return e->masked || e->retracted || e->copy || e->beyond != NONE ||
           is_retracted(ix, &ix->versions[e->version]);
}

/* Whether all evidence of a version is hidden: all its experiments, or all its runs if it has no
 * experiment. */
static bool
all_hidden(const struct board_version *v)
{
    if (v->experiments == 0 && v->hidden_experiments > 0)
        return true;
    return v->runs == 0 && v->hidden_runs > 0 && v->experiments == 0;
}

bool
lore_board_is_copy(const struct board_version *v)
{
    return v->copies > 0 && v->retracted == 0 && all_hidden(v);
}

bool
lore_board_passed_elsewhere_only(const struct lore_board *ix, const struct board_version *v)
{
    if (v->passes > 0 || v->check == NONE || ix->cells[v->cell].workload == NONE)
        return false;
    const struct board_check *c = &ix->checks[v->check];
    return c->passes == 0 && ix->identities[c->identity].passed > 0;
}

uint32_t
lore_board_fastest(
    const struct lore_board *ix, const struct board_version *v, enum timing_class class)
{
    uint32_t ranking = ix->cells[v->cell].ranking[class], found = NONE;

    for (uint32_t i = v->timings; i != NONE; i = ix->timings[i].next) {
        const struct board_timing *t = &ix->timings[i];
        if (t->class != class || t->entry == NONE)
            continue;
        if (ranking != NONE && t->method == ix->methods[ranking].method)
            return t->entry;
        if (found == NONE || ix->entries[t->entry].time_ns < ix->entries[found].time_ns)
            found = t->entry;
    }
    return found;
}

static struct lore_gain_standing
standing_of(const struct lore_board *ix, const struct board_version *v, bool any_shape)
{
    return (struct lore_gain_standing){.kind = (enum lore_version_kind)v->kind,
        .library = lore_board_is_library(ix, v),
        .failed = v->fail || v->timeout,
        .passed_elsewhere_only = !any_shape && lore_board_passed_elsewhere_only(ix, v),
        .hidden = all_hidden(v)};
}

static bool
is_eligible(
    const struct lore_board *ix, const struct board_version *v, const struct board_rules *rules)
{
    struct lore_gain_standing s = standing_of(ix, v, rules->any_shape);

    return v->id != NONE && lore_board_in_project(v, rules) && lore_gain_may_lead(&s) &&
           (!rules->checked || v->passes > 0);
}

uint32_t
lore_board_ranked_entry(
    const struct lore_board *ix, const struct board_version *v, const struct board_rules *rules)
{
    if (!is_eligible(ix, v, rules))
        return NONE;
    uint32_t measured = lore_board_fastest(ix, v, CLASS_MEASURED);
    return measured != NONE ? measured : lore_board_fastest(ix, v, CLASS_STATED);
}

/* Whether E was timed by another method than the best, so that their times are not compared. */
static bool
timed_by_other_method(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_entry *e)
{
    const struct board_entry *best = &ix->entries[cell->best];

    return cell->workload != NONE && e->time_ns > 0 && best->time_ns > 0 &&
           lore_board_class_of(e) == lore_board_class_of(best) && e->method != best->method;
}

bool
lore_board_is_checked(const struct lore_board *ix, const struct board_entry *e)
{
    return lore_board_class_of(e) == CLASS_STATED || ix->versions[e->version].passes > 0;
}

/* Why the eligible entry E ranks after the best regardless of its time. */
static struct lore_excluded
reason_behind(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_entry *e)
{
    if (!lore_board_is_checked(ix, e) && lore_board_is_checked(ix, &ix->entries[cell->best]))
        return (struct lore_excluded){.reason = "correctness not checked", .code = "not_checked"};
    if (timed_by_other_method(ix, cell, e))
        return (struct lore_excluded){.reason = "timed by another method", .code = "other_method"};
    return (struct lore_excluded){0};
}

struct lore_excluded
lore_board_reason_excluded(const struct lore_board *ix, const struct board_cell *cell,
    const struct board_version *v, const struct board_rules *rules)
{
    const struct board_rules all = {.any_shape = true};
    uint32_t e = lore_board_ranked_entry(ix, v, rules);

    if (lore_board_is_library(ix, v) || v->id == NONE || !lore_board_in_project(v, rules))
        return (struct lore_excluded){0};
    if (e != NONE && cell->best != NONE)
        return reason_behind(ix, cell, &ix->entries[e]);
    if (v->fail)
        return (struct lore_excluded){.reason = "correctness failed", .code = "correctness_failed"};
    if (v->timeout)
        return (struct lore_excluded){
            .reason = "correctness check timed out", .code = "correctness_timeout"};
    if (lore_board_is_copy(v)) /* listed only beside the other versions of its project */
        return (struct lore_excluded){
            .reason = rules->by_project ? "repeats results that count for another version" : NULL,
            .code = "copy"};
    if (all_hidden(v) && v->beyond != NONE)
        return (struct lore_excluded){
            .reason = lore_board_name_of(ix, v->beyond), .code = "beyond_ceiling"};
    if (all_hidden(v))
        return v->retracted > 0 ? (struct lore_excluded){.reason = "retracted", .code = "retracted"}
                                : (struct lore_excluded){.reason = "masked", .code = "masked"};
    if (v->kind == LORE_V_ABLATION)
        return (struct lore_excluded){
            .reason = "an ablation: it shows what one technique gives", .code = "ablation"};
    if (lore_board_ranked_entry(ix, v, &all) != NONE && !rules->any_shape &&
        lore_board_passed_elsewhere_only(ix, v))
        return (struct lore_excluded){
            .reason = "correct only on another workload", .code = "shape_mismatch"};
    if (lore_board_ranked_entry(ix, v, &all) != NONE && rules->checked)
        return (struct lore_excluded){.reason = "correctness not checked", .code = "not_checked"};
    return v->error ? (struct lore_excluded){.reason = "run ended in an error", .code = "run_error"}
                    : (struct lore_excluded){0};
}

static bool
by_ranking_method(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_entry *e)
{
    uint32_t ranking = cell->ranking[lore_board_class_of(e)];
    return ranking != NONE && ix->methods[ranking].method == e->method;
}

static struct lore_gain_time
time_of(const struct lore_board *ix, const struct board_cell *cell, const struct board_entry *e)
{
    return (struct lore_gain_time){.measured = lore_board_class_of(e) == CLASS_MEASURED,
        .checked = lore_board_is_checked(ix, e),
        .in_method = by_ranking_method(ix, cell, e),
        .ns = e->time_ns,
        .speedup = e->speedup,
        .by_speedup = cell->workload == NONE,
        .seq = e->seq};
}

bool
lore_board_beats(const struct lore_board *ix, const struct board_cell *cell, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE || a == b)
        return a != NONE && b == NONE;
    struct lore_gain_time x = time_of(ix, cell, &ix->entries[a]),
                          y = time_of(ix, cell, &ix->entries[b]);
    return lore_gain_leads(&x, &y);
}

uint32_t
lore_board_best_of(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_rules *rules)
{
    uint32_t best = NONE;

    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        uint32_t e = lore_board_ranked_entry(ix, &ix->versions[i], rules);
        if (lore_board_beats(ix, cell, e, best))
            best = e;
    }
    return best;
}

uint32_t
lore_board_labels(const struct lore_board *ix, const struct board_cell *cell, uint32_t *stated)
{
    const struct board_version *v =
        cell->best != NONE ? &ix->versions[ix->entries[cell->best].version] : NULL;

    *stated = v ? v->stated_labels : 0;
    return v ? v->labels : 0;
}

/* An unknown environment matches every other. */
bool
lore_board_comparable(const struct board_entry *a, const struct board_entry *b)
{
    return a->method == b->method && (a->env == NONE || b->env == NONE || a->env == b->env);
}

static bool
counts_before(const struct board_entry *a, const struct board_entry *b)
{
    if (lore_board_class_of(a) != lore_board_class_of(b))
        return lore_board_class_of(a) == CLASS_MEASURED;
    return a->time_ns < b->time_ns;
}

/* The time of a version that compares with BEST: the fastest measured one, else the fastest stated
 * one, or NONE. */
static uint32_t
comparable_time(
    const struct lore_board *ix, const struct board_version *v, const struct board_entry *best)
{
    uint32_t found = NONE;

    if (is_retracted(ix, v))
        return NONE;
    for (uint32_t i = v->entries; i != NONE; i = ix->entries[i].next) {
        const struct board_entry *e = &ix->entries[i];
        if (!e->masked && !e->retracted && e->beyond == NONE && e->time_ns > 0 &&
            lore_board_comparable(e, best) &&
            (found == NONE || counts_before(e, &ix->entries[found])))
            found = i;
    }
    return found;
}

/* How suitable a version is as the first version of KERNEL: 3 its baseline, 2 another version of
 * the kernel, 1 the baseline of another kernel in the cell, 0 unsuitable. */
static int
baseline_rank(const struct lore_board *ix, const struct board_version *v, uint32_t kernel)
{
    bool own = v->kernel == kernel;

    if (v->kind != LORE_V_BASELINE && !own)
        return 0;
    struct lore_gain_standing s = standing_of(ix, v, true);
    if (!lore_gain_may_be_first(&s))
        return 0;
    return !own ? 1 : v->kind != LORE_V_BASELINE ? 2 : 3;
}

struct first {
    uint32_t version, time; /* time: an entry */
    int rank;
    int64_t seq;
};

/* The most suitable first version among those with a time comparable with BEST. With ANY, a version
 * needs no such time, and no times are read. */
static struct first
find_first(const struct lore_board *ix, const struct board_cell *cell,
    const struct board_entry *best, bool any)
{
    uint32_t kernel = ix->versions[best->version].kernel;
    struct first found = {NONE, NONE, 0, INT64_MAX};

    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        const struct board_version *v = &ix->versions[i];
        int rank = baseline_rank(ix, v, kernel);
        if (rank == 0 || rank < found.rank || (rank == found.rank && v->first_seq >= found.seq))
            continue;
        uint32_t e = any ? NONE : comparable_time(ix, v, best);
        if (any || e != NONE)
            found = (struct first){i, e, rank, v->first_seq};
    }
    return found;
}

/* The first version's time that is comparable with BEST. BEST is a time of the cell's best version.
 * NONE: there is none, or the first version is the best itself and not declared a baseline. The
 * most suitable first version is tried first: it usually has such a time, which saves searching the
 * others. */
static uint32_t
first_time(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_entry *best)
{
    struct first found = find_first(ix, cell, best, true);

    if (found.version == NONE)
        return NONE;
    found.time = comparable_time(ix, &ix->versions[found.version], best);
    if (found.time == NONE)
        found = find_first(ix, cell, best, false);
    bool itself = found.version == best->version;
    return itself && ix->versions[best->version].kind != LORE_V_BASELINE ? NONE : found.time;
}

uint32_t
lore_board_stated_by(const struct lore_board *ix, const struct board_cell *cell)
{
    const struct board_entry *best = cell->best != NONE ? &ix->entries[cell->best] : NULL;

    if (!best)
        return NONE;
    if (best->speedup > 0 && best->base != LORE_BASE_LIBRARY)
        return cell->best;
    return ix->versions[best->version].stated;
}

struct lore_speedup
lore_board_stated_speedup(const struct lore_board *ix, uint32_t entry)
{
    if (entry == NONE)
        return (struct lore_speedup){0};
    const struct board_entry *e = &ix->entries[entry];
    return (struct lore_speedup){
        .set = true,
        .value = e->speedup,
        .low = e->speedup_low,
        .high = e->speedup_high,
        .base = e->base != LORE_BASE_NONE ? (enum lore_base)e->base : LORE_BASE_PARENT,
        .base_name = lore_board_name_of(ix, e->base_name),
    };
}

/* The speedup of the best over the first version. If the first is a stated result, its speedup also
 * gives the time before it, which is the base. */
static struct lore_speedup
over_first(
    const struct lore_board *ix, const struct board_entry *first, const struct board_entry *best)
{
    const struct board_version *base = &ix->versions[first->version];
    bool before = first->run == NONE && first->speedup > 0 && first->base != LORE_BASE_LIBRARY &&
                  base->kind != LORE_V_BASELINE;

    return (struct lore_speedup){
        .set = true,
        .value = first->time_ns * (before ? first->speedup : 1) / best->time_ns,
        .base = LORE_BASE_FIRST,
        .base_name = before ? NULL : lore_board_name_of(ix, base->label),
        .base_version = before ? NULL : lore_board_name_of(ix, base->id),
    };
}

/* The speedup over the first version by the ranked time of the best version, else by its times of
 * other methods. */
static struct lore_speedup
measured_headline(const struct lore_board *ix, const struct board_cell *cell)
{
    const struct board_entry *best = &ix->entries[cell->best];
    uint32_t first = first_time(ix, cell, best), i = ix->versions[best->version].timings;

    for (; first == NONE && i != NONE; i = ix->timings[i].next) {
        const struct board_timing *t = &ix->timings[i];
        if (t->entry == NONE || t->class != lore_board_class_of(best))
            continue;
        first = first_time(ix, cell, &ix->entries[t->entry]);
        if (first != NONE)
            best = &ix->entries[t->entry];
    }
    return first != NONE ? over_first(ix, &ix->entries[first], best) : (struct lore_speedup){0};
}

struct lore_speedup
lore_board_headline(const struct lore_board *ix, const struct board_cell *cell)
{
    if (cell->best == NONE)
        return (struct lore_speedup){0};
    const struct board_entry *best = &ix->entries[cell->best];
    bool timed = best->time_ns > 0 && cell->workload != NONE;
    bool said = lore_board_class_of(best) == CLASS_STATED && best->speedup > 0 &&
                best->base == LORE_BASE_FIRST;
    struct lore_speedup s = {0};
    if (timed && !said)
        s = measured_headline(ix, cell);
    return s.set ? s : lore_board_stated_speedup(ix, lore_board_stated_by(ix, cell));
}

double
lore_board_headline_value(const struct lore_board *ix, uint32_t cell)
{
    double value = atomic_load_explicit(&ix->headlines[cell], memory_order_relaxed);

    if (value == UNKNOWN) { /* concurrent readers compute the same value */
        value = lore_board_headline(ix, &ix->cells[cell]).value;
        atomic_store_explicit(&ix->headlines[cell], value, memory_order_relaxed);
    }
    return value;
}

/* The time of the cell's best version that is comparable with E, a library time: the ranked time,
 * else its fastest by E's method, else NONE. */
static uint32_t
comparable_best_time(
    const struct lore_board *ix, const struct board_cell *cell, const struct board_entry *e)
{
    const struct board_entry *best = &ix->entries[cell->best];

    if (lore_board_comparable(e, best))
        return cell->best;
    if (e->method == best->method || lore_board_class_of(e) != lore_board_class_of(best))
        return NONE;
    for (uint32_t i = ix->versions[best->version].timings; i != NONE; i = ix->timings[i].next) {
        uint32_t t = ix->timings[i].entry;
        if (t != NONE && lore_board_comparable(e, &ix->entries[t]))
            return t;
    }
    return NONE;
}

struct pair {
    uint32_t base, best_time; /* entries; NONE: no pair */
};

/* The fastest library time on the same workload and chip, paired with a comparable time of the best
 * version. Pairs with the ranked time are preferred. */
static struct pair
library_pair(const struct lore_board *ix, const struct board_cell *cell)
{
    struct pair found = {NONE, NONE};
    uint32_t i = NONE;

    if (cell->workload != NONE && cell->chip != NONE && cell->peer_group < ix->cap_libraries)
        i = ix->libraries[cell->peer_group];
    for (; i != NONE; i = ix->entries[i].next_library) {
        const struct board_entry *e = &ix->entries[i];
        const struct board_version *v = &ix->versions[e->version];
        if (lore_board_is_hidden(ix, e) || e->time_ns <= 0 || v->fail || v->timeout)
            continue;
        uint32_t best_time = comparable_best_time(ix, cell, e);
        bool direct = best_time == cell->best, found_direct = found.best_time == cell->best;
        if (best_time == NONE || (found_direct && !direct))
            continue;
        if (found.base == NONE || direct != found_direct ||
            e->time_ns < ix->entries[found.base].time_ns)
            found = (struct pair){i, best_time};
    }
    return found;
}

/* "cuBLAS 13.0": the label of a library's version, unless it is general ("library", "v1"); else the
 * name of its kernel. */
static const char *
library_name(const struct lore_board *ix, const struct board_version *v)
{
    const char *label = lore_board_name_of(ix, v->label);
    const char *kernel = lore_board_name_of(ix, v->kernel_name);
    bool general = !label || lore_streq(label, "library") ||
                   (*label == 'v' && label[1 + strspn(label + 1, "0123456789")] == '\0');

    return general && kernel ? kernel : label;
}

struct lore_speedup
lore_board_over_library(const struct lore_board *ix, const struct board_cell *cell)
{
    if (cell->best == NONE)
        return (struct lore_speedup){0};
    const struct board_entry *best = &ix->entries[cell->best];
    struct pair p = best->time_ns > 0 ? library_pair(ix, cell) : (struct pair){NONE, NONE};
    if (p.base == NONE)
        return lore_board_stated_speedup(ix, ix->versions[best->version].stated_library);
    const struct board_version *v = &ix->versions[ix->entries[p.base].version];
    return (struct lore_speedup){
        .set = true,
        .value = ix->entries[p.base].time_ns / ix->entries[p.best_time].time_ns,
        .base = LORE_BASE_LIBRARY,
        .base_name = library_name(ix, v),
        .base_version = lore_board_name_of(ix, v->id),
    };
}
