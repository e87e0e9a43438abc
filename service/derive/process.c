/* The table of rules (process.h), and the rules about what was changed and whether the two sides
 * may be compared. A new rule is one row here, one function, and its tests: the API's list of rules
 * and the verdicts follow from the row. */
#include "service/derive/process.h"

#include <ctype.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/process_rules.h"

/* clang-format off */
static const struct lore_process_rule rules[] = {
    {"one_variable", true, lore_process_one_variable,
        "An experiment changes one thing; with several techniques the gain belongs to none of them alone."},
    {"single_axis", true, lore_process_single_axis,
        "Its techniques pull on more than one axis (memory, compute, latency, sync, launch)."},
    {"placeholder_technique", true, lore_process_placeholder_technique,
        "A technique is a tag that stands for nothing: todo, fill_me_tag, unlabeled_strategy_v4."},
    {"environment_differs", true, lore_process_environment_differs,
        "The sides ran in environments that make their times incomparable."},
    {"workload_differs", true, lore_process_workload_differs,
        "The sides ran on different workloads."},
    {"correctness_before_performance", true, lore_process_correctness_before_performance,
        "The version was timed, and no correctness check of it passed."},
    {"correctness_other_shape", true, lore_process_correctness_other_shape,
        "The version passed a check, but only on another workload than the timed one."},
    {"tolerance_loosened", true, lore_process_tolerance_loosened,
        "Its check allowed larger differences than the check of the side before, or of the baseline."},
    {"profile_reused", true, lore_process_profile_reused,
        "The metrics of a run are those of a run of another version, value for value."},
    {"other_source", true, lore_process_other_source,
        "The source that ran is none of the version's files."},
    {"hypothesis_missing", true, lore_process_hypothesis_missing,
        "A change was measured without saying before what it should do."},
    {"hypothesis_after_run", true, lore_process_hypothesis_after_run,
        "The hypothesis was claimed after the first run that tests it."},
    {"vague_evidence", true, lore_process_vague_evidence,
        "The evidence given in words names neither a value nor a metric."},
    {"unsourced_spec", true, lore_process_unsourced_spec,
        "A target is a fraction of a peak that cites no spec."},
    {"method_differs", false, lore_process_method_differs,
        "The sides were timed by different tools or timers: part of the difference may be theirs."},
    {"samples_drift", false, lore_process_samples_drift,
        "The level of a side's samples moves: most of the interval's width is for that, and it decides nothing."},
    {"change_elsewhere", false, lore_process_change_elsewhere,
        "The times change, but not where the versions do, or again and again: no difference is stated."},
    {"zero_differences", false, lore_process_zero_differences,
        "Every check reports a difference of exactly zero: it may compare a thing with itself."},
    {"label_contradicted", false, lore_process_label_contradicted,
        "The declared bottleneck is contradicted by the metrics it was declared with."},
    {"claim_speedup_differs", false, lore_process_claim_speedup_differs,
        "The stated speedup is not the ratio of the stated latencies."},
    {"occupancy_above_100", false, lore_process_occupancy_above_100,
        "An occupancy is above 100 %: kept as recorded, and read with care."},
    {"percent_out_of_range", false, lore_process_percent_out_of_range,
        "A share of a peak or a whole lies outside 0 to 100 %."},
    {"threads_as_percent", false, lore_process_threads_as_percent,
        "Active threads per warp are recorded as a percentage."},
    {"ratio_as_percent", false, lore_process_ratio_as_percent,
        "A stall ratio in warps per issue is recorded as a percentage."},
    {"range_excludes_value", false, lore_process_range_excludes_value,
        "A metric's value lies outside its own minimum and maximum."},
};
/* clang-format on */
enum { RULES = sizeof rules / sizeof *rules };

const struct lore_process_rule *
lore_process_rules(size_t *n)
{
    *n = RULES;
    return rules;
}

struct lore_discipline
lore_process_judge(const struct lore_process_in *in, struct lore_arena *arena)
{
    struct lore_discipline d = {"", ""};

    for (size_t i = 0; i < RULES; i++) {
        const char **list = rules[i].breaks ? &d.broken : &d.flags;

        if (rules[i].judge(in) == LORE_RULING_BROKEN)
            *list =
                **list == '\0' ? rules[i].name : lore_format(arena, "%s,%s", *list, rules[i].name);
    }
    return d;
}

enum lore_ruling
lore_process_one_variable(const struct lore_process_in *in)
{
    if (in->n_techniques == 0)
        return LORE_RULING_UNKNOWN;
    return in->n_techniques > 1 ? LORE_RULING_BROKEN : LORE_RULING_KEPT;
}

/* Two known axes are enough; a technique that no catalogue knows may be on any. */
enum lore_ruling
lore_process_single_axis(const struct lore_process_in *in)
{
    const char *axis = NULL;
    bool open = in->n_techniques == 0;

    for (size_t i = 0; i < in->n_techniques; i++) {
        const struct lore_technique *t = lore_technique_find(in->techniques[i]);

        if (!t || !t->axis || *t->axis == '\0')
            open = open || in->n_techniques > 1;
        else if (axis && !lore_streq(axis, t->axis))
            return LORE_RULING_BROKEN;
        else
            axis = t->axis;
    }
    return open ? LORE_RULING_UNKNOWN : LORE_RULING_KEPT;
}

enum lore_ruling
lore_process_placeholder_technique(const struct lore_process_in *in)
{
    for (size_t i = 0; i < in->n_techniques; i++) {
        if (lore_technique_is_placeholder(in->techniques[i]))
            return LORE_RULING_BROKEN;
    }
    return in->n_techniques == 0 ? LORE_RULING_UNKNOWN : LORE_RULING_KEPT;
}

/* What the runs of one side say about one thing. */
struct said {
    const char *first;
    bool varies;
};

static void
note(struct said *s, const char *value)
{
    if (!value)
        return;
    if (!s->first)
        s->first = value;
    else if (!lore_streq(s->first, value))
        s->varies = true;
}

/* Equal but for case and separators. */
static bool
same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a != '\0' && !isalnum((unsigned char)*a))
            a++;
        while (*b != '\0' && !isalnum((unsigned char)*b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (*a == '\0')
            return true;
    }
}

/* The same for a name that people write in several ways. */
static void
note_name(struct said *s, const char *name)
{
    if (!name || *name == '\0')
        return;
    if (!s->first)
        s->first = name;
    else if (!same_name(s->first, name))
        s->varies = true;
}

/* Two sides differ when both say and do not all say the same. */
static enum lore_ruling
same_on_both(const struct said side[2])
{
    if (!side[0].first || !side[1].first)
        return LORE_RULING_UNKNOWN;
    if (side[0].varies || side[1].varies || !lore_streq(side[0].first, side[1].first))
        return LORE_RULING_BROKEN;
    return LORE_RULING_KEPT;
}

/* A product is of its ISA; two products of one are two chips. */
static bool
other_chip(const char *a, const char *b)
{
    const struct lore_chip *x = a != NULL ? lore_chip_find(a) : NULL;
    const struct lore_chip *y = b != NULL ? lore_chip_find(b) : NULL;

    return x && y && x != y && (!lore_streq(x->isa, y->isa) || (x->product && y->product));
}

/* Did the sides run on two chips? Runs need no environment, and all but a few name a chip. */
static bool
chips_differ(const struct lore_process_in *in)
{
    const char *first[2] = {NULL, NULL};

    for (size_t i = in->n_runs; i-- > 0;)
        if (in->runs[i].side <= LORE_P_AFTER && in->runs[i].chip)
            first[in->runs[i].side] = in->runs[i].chip;
    for (size_t i = 0; i < in->n_runs; i++)
        if (in->runs[i].side <= LORE_P_AFTER &&
            other_chip(in->runs[i].chip, first[in->runs[i].side == LORE_P_BEFORE]))
            return true;
    return false;
}

enum lore_ruling
lore_process_environment_differs(const struct lore_process_in *in)
{
    struct said side[2] = {{0}};

    if (chips_differ(in))
        return LORE_RULING_BROKEN;
    for (size_t i = 0; i < in->n_runs; i++) {
        if (in->runs[i].side <= LORE_P_AFTER)
            note(&side[in->runs[i].side], in->runs[i].environment);
    }
    return same_on_both(side);
}

/* Times are what is compared: where a side has some, its runs without (a check on another shape, a
 * profile) say nothing about the comparison. */
enum lore_ruling
lore_process_workload_differs(const struct lore_process_in *in)
{
    struct said side[2] = {{0}};
    bool timed[2] = {false, false};

    for (size_t i = 0; i < in->n_runs; i++)
        if (in->runs[i].side <= LORE_P_AFTER && in->runs[i].timed)
            timed[in->runs[i].side] = true;
    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side <= LORE_P_AFTER && (r->timed || !timed[r->side]))
            note(&side[r->side], r->workload);
    }
    return same_on_both(side);
}

static enum lore_ruling
names_on_both(const struct said side[2])
{
    if (!side[0].first || !side[1].first)
        return LORE_RULING_UNKNOWN;
    return side[0].varies || side[1].varies || !same_name(side[0].first, side[1].first)
               ? LORE_RULING_BROKEN
               : LORE_RULING_KEPT;
}

/* A flag and no rule: tools and timers are free text, and two names may mean one clock. Case and
 * separators are no difference ("cuda_event", "CUDA event"); of runs without a time there is no
 * timer to speak of. */
enum lore_ruling
lore_process_method_differs(const struct lore_process_in *in)
{
    struct said tool[2] = {{0}}, timer[2] = {{0}};
    enum lore_ruling by_tool, by_timer;

    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side > LORE_P_AFTER || !r->timed)
            continue;
        note_name(&tool[r->side], r->tool);
        note_name(&timer[r->side], r->timer);
    }
    by_tool = names_on_both(tool);
    by_timer = names_on_both(timer);
    return by_tool > by_timer ? by_tool : by_timer; /* unknown < kept < broken */
}

static enum lore_ruling
of_comparison(const struct lore_process_in *in, bool odd)
{
    if (!in->compared)
        return LORE_RULING_UNKNOWN;
    return odd ? LORE_RULING_BROKEN : LORE_RULING_KEPT;
}

enum lore_ruling
lore_process_samples_drift(const struct lore_process_in *in)
{
    return of_comparison(in, in->drifts);
}

enum lore_ruling
lore_process_change_elsewhere(const struct lore_process_in *in)
{
    return of_comparison(in, in->elsewhere);
}
