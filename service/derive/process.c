/* The table of rules (process.h), and the rules about techniques and comparable sides. A new rule
 * needs a row here, a function and tests. The API's list of rules and the verdicts use the
 * table. */
#include "service/derive/process.h"

#include <ctype.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/process_rules.h"

/* clang-format off */
static const struct lore_process_rule rules[] = {
    {"one_variable", LORE_PROCESS_RULE, lore_process_one_variable,
        "Several techniques were changed at once, so the gain belongs to none of them alone."},
    {"single_axis", LORE_PROCESS_RULE, lore_process_single_axis,
        "The techniques belong to more than one axis (memory, compute, latency, sync, launch)."},
    {"placeholder_technique", LORE_PROCESS_RULE, lore_process_placeholder_technique,
        "A technique is a placeholder without meaning: todo, fill_me_tag, unlabeled_strategy_v4."},
    {"environment_differs", LORE_PROCESS_RULE, lore_process_environment_differs,
        "The sides ran in environments that make their times incomparable."},
    {"workload_differs", LORE_PROCESS_RULE, lore_process_workload_differs,
        "The sides ran on different workloads."},
    {"correctness_other_shape", LORE_PROCESS_RULE, lore_process_correctness_other_shape,
        "The version passed a check, but only on another workload than the timed one."},
    {"tolerance_loosened", LORE_PROCESS_RULE, lore_process_tolerance_loosened,
        "The check of the new version allowed larger differences than that of the version before, or of the baseline."},
    {"profile_reused", LORE_PROCESS_RULE, lore_process_profile_reused,
        "The metrics of a run are those of a run of another version, value for value."},
    {"other_source", LORE_PROCESS_RULE, lore_process_other_source,
        "The source that ran is none of the version's files."},
    {"hypothesis_after_run", LORE_PROCESS_RULE, lore_process_hypothesis_after_run,
        "The hypothesis was claimed after the first run that tests it."},
    {"method_differs", LORE_PROCESS_FLAG, lore_process_method_differs,
        "The sides were timed by different tools or timers, which may cause part of the difference."},
    {"samples_drift", LORE_PROCESS_FLAG, lore_process_samples_drift,
        "The samples of a side drift: drift causes most of the interval's width, and the result is inconclusive."},
    {"change_elsewhere", LORE_PROCESS_FLAG, lore_process_change_elsewhere,
        "The times change at a point where the version does not, or more than once: no difference is reported."},
    {"zero_differences", LORE_PROCESS_FLAG, lore_process_zero_differences,
        "Every check reports a difference of exactly zero: it may compare an output with itself."},
    {"label_contradicted", LORE_PROCESS_FLAG, lore_process_label_contradicted,
        "The declared bottleneck is contradicted by the metrics it was declared with."},
    {"claim_speedup_differs", LORE_PROCESS_FLAG, lore_process_claim_speedup_differs,
        "The stated speedup is not the ratio of the stated latencies."},
    {"occupancy_above_100", LORE_PROCESS_FLAG, lore_process_occupancy_above_100,
        "An occupancy is above 100 %. The value is stored as recorded."},
    {"percent_out_of_range", LORE_PROCESS_FLAG, lore_process_percent_out_of_range,
        "A share of a peak or a whole lies outside 0 to 100 %."},
    {"threads_as_percent", LORE_PROCESS_FLAG, lore_process_threads_as_percent,
        "Active threads per warp are recorded as a percentage."},
    {"ratio_as_percent", LORE_PROCESS_FLAG, lore_process_ratio_as_percent,
        "A stall ratio in warps per issue is recorded as a percentage."},
    {"range_excludes_value", LORE_PROCESS_FLAG, lore_process_range_excludes_value,
        "A metric's value lies outside its own minimum and maximum."},
    {"hypothesis", LORE_PROCESS_MISSING, lore_process_hypothesis,
        "A change was timed, and no hypothesis says what it was expected to do."},
    {"one_technique", LORE_PROCESS_MISSING, lore_process_one_technique,
        "One sentence was read as several techniques, and nobody said which one was tried."},
    {"correctness_check", LORE_PROCESS_MISSING, lore_process_correctness_check,
        "The version was timed, and nobody checked its results."},
    {"figures_in_evidence", LORE_PROCESS_MISSING, lore_process_figures_in_evidence,
        "The evidence given in words names neither a value nor a metric."},
    {"spec_of_target", LORE_PROCESS_MISSING, lore_process_spec_of_target,
        "A target is a fraction of a peak but cites no spec."},
};
/* clang-format on */
enum { RULES = sizeof rules / sizeof *rules };

const struct lore_process_rule *
lore_process_rules(size_t *n)
{
    *n = RULES;
    return rules;
}

const char *
lore_process_kind_name(enum lore_process_kind kind)
{
    static const char *const names[] = {"rule", "flag", "missing"};

    return names[kind];
}

bool
lore_process_is_missing(const char *name, size_t len)
{
    for (size_t i = 0; i < RULES; i++)
        if (strlen(rules[i].name) == len && memcmp(rules[i].name, name, len) == 0)
            return rules[i].kind == LORE_PROCESS_MISSING;
    return false;
}

struct lore_discipline
lore_process_judge(const struct lore_process_in *in, struct lore_arena *arena)
{
    struct lore_discipline d = {"", ""};

    for (size_t i = 0; i < RULES; i++) {
        const char **list = rules[i].kind == LORE_PROCESS_RULE ? &d.broken : &d.flags;

        if (rules[i].judge(in) == LORE_RULING_BROKEN)
            *list =
                **list == '\0' ? rules[i].name : lore_format(arena, "%s,%s", *list, rules[i].name);
    }
    return d;
}

enum lore_ruling
lore_process_one_variable(const struct lore_process_in *in)
{
    if (in->n_techniques == 0 || in->one_sentence)
        return LORE_RULING_UNKNOWN;
    return in->n_techniques > 1 ? LORE_RULING_BROKEN : LORE_RULING_KEPT;
}

enum lore_ruling
lore_process_one_technique(const struct lore_process_in *in)
{
    return in->one_sentence ? LORE_RULING_BROKEN : LORE_RULING_UNKNOWN;
}

/* Two different known axes break the rule. A technique that is not in the catalogue may belong to
 * any axis. */
enum lore_ruling
lore_process_single_axis(const struct lore_process_in *in)
{
    const char *axis = NULL;
    bool open = in->n_techniques == 0 || in->one_sentence;

    for (size_t i = 0; !in->one_sentence && i < in->n_techniques; i++) {
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

/* The values of one field in the runs of one side. */
struct side_values {
    const char *first;
    bool varies;
};

static void
add_value(struct side_values *s, const char *value)
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

/* Like add_value, but spellings of one name count as equal. */
static void
add_name(struct side_values *s, const char *name)
{
    if (!name || *name == '\0')
        return;
    if (!s->first)
        s->first = name;
    else if (!same_name(s->first, name))
        s->varies = true;
}

/* Broken if both sides have values that are not all equal; unknown if a side has none. */
static enum lore_ruling
same_on_both(const struct side_values side[2])
{
    if (!side[0].first || !side[1].first)
        return LORE_RULING_UNKNOWN;
    if (side[0].varies || side[1].varies || !lore_streq(side[0].first, side[1].first))
        return LORE_RULING_BROKEN;
    return LORE_RULING_KEPT;
}

/* Whether A and B are different chips. Two products with one ISA differ; a product and its bare ISA
 * do not. */
static bool
other_chip(const char *a, const char *b)
{
    const struct lore_chip *x = a != NULL ? lore_chip_find(a) : NULL;
    const struct lore_chip *y = b != NULL ? lore_chip_find(b) : NULL;

    return x && y && x != y && (!lore_streq(x->isa, y->isa) || (x->product && y->product));
}

/* Whether the sides ran on different chips. This catches runs without an environment, because most
 * runs name a chip. */
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
    struct side_values side[2] = {{0}};

    if (chips_differ(in))
        return LORE_RULING_BROKEN;
    for (size_t i = 0; i < in->n_runs; i++) {
        if (in->runs[i].side <= LORE_P_AFTER)
            add_value(&side[in->runs[i].side], in->runs[i].environment);
    }
    return same_on_both(side);
}

/* Times are compared, so if a side has timed runs, its other runs are ignored, such as a check on
 * another shape or a profile. */
enum lore_ruling
lore_process_workload_differs(const struct lore_process_in *in)
{
    struct side_values side[2] = {{0}};
    bool timed[2] = {false, false};

    for (size_t i = 0; i < in->n_runs; i++)
        if (in->runs[i].side <= LORE_P_AFTER && in->runs[i].timed)
            timed[in->runs[i].side] = true;
    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side <= LORE_P_AFTER && (r->timed || !timed[r->side]))
            add_value(&side[r->side], r->workload);
    }
    return same_on_both(side);
}

static enum lore_ruling
names_on_both(const struct side_values side[2])
{
    if (!side[0].first || !side[1].first)
        return LORE_RULING_UNKNOWN;
    return side[0].varies || side[1].varies || !same_name(side[0].first, side[1].first)
               ? LORE_RULING_BROKEN
               : LORE_RULING_KEPT;
}

/* This is only a flag: tools and timers are free text, and two names may mean one clock. Case and
 * separators are ignored ("cuda_event", "CUDA event"), and so are runs without a time. */
enum lore_ruling
lore_process_method_differs(const struct lore_process_in *in)
{
    struct side_values tool[2] = {{0}}, timer[2] = {{0}};
    enum lore_ruling by_tool, by_timer;

    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side > LORE_P_AFTER || !r->timed)
            continue;
        add_name(&tool[r->side], r->tool);
        add_name(&timer[r->side], r->timer);
    }
    by_tool = names_on_both(tool);
    by_timer = names_on_both(timer);
    return by_tool > by_timer ? by_tool : by_timer; /* unknown < kept < broken */
}

static enum lore_ruling
flag_comparison(const struct lore_process_in *in, bool odd)
{
    if (!in->compared)
        return LORE_RULING_UNKNOWN;
    return odd ? LORE_RULING_BROKEN : LORE_RULING_KEPT;
}

enum lore_ruling
lore_process_samples_drift(const struct lore_process_in *in)
{
    return flag_comparison(in, in->drifts);
}

enum lore_ruling
lore_process_change_elsewhere(const struct lore_process_in *in)
{
    return flag_comparison(in, in->elsewhere);
}
