/* Runs the rules of a set and collects their findings with evidence, and the rules that could not
 * be evaluated. Labels outside the vocabulary of the set are removed, whatever a rule reports. So a
 * set such as roofline-gaps can never report `sync`, even by mistake. */
#include "service/derive/rules.h"

#include "service/base/text.h"

static const struct lore_rule_set *const sets[] = {&lore_rules_speed_of_light,
    &lore_rules_roofline_gaps, &lore_rules_ncu_patterns, &lore_rules_sync};
enum { N_SETS = sizeof sets / sizeof *sets };
static const struct lore_diagnose_context no_context;
#define BIT(l) (UINT32_C(1) << LORE_L_##l)

const char *
lore_confidence_name(enum lore_confidence c)
{
    static const char *const names[] = {"low", "medium", "high"};
    return c <= LORE_CONF_HIGH ? names[c] : "unknown";
}

size_t
lore_rule_sets(const char *const **names)
{
    static const char *const all[N_SETS] = {
        "speed-of-light@2", "roofline-gaps@1", "ncu-patterns@2", "sync@1"};

    *names = all;
    return N_SETS;
}

static const struct lore_rule_set *
set_find(const char *name)
{
    for (size_t i = 0; i < N_SETS; i++)
        if (lore_streq(sets[i]->name, name))
            return sets[i];
    return NULL;
}

uint32_t
lore_rule_set_vocabulary(const char *rule_set)
{
    const struct lore_rule_set *set = set_find(rule_set);

    return !set ? 0 : set->vocabulary;
}

struct lore_reading
lore_rule_read(struct lore_rule_run *r, const char *names)
{
    return lore_profile_read(r->profile, names, r->arena);
}

void
lore_rule_missing(struct lore_rule_run *r, const char *name)
{
    for (size_t i = 0; i < r->n_missing; i++)
        if (lore_streq(r->missing[i], name))
            return;
    *LORE_PUSH(r->arena, r->missing, r->n_missing, r->cap_missing) = name;
}

struct lore_reading
lore_rule_ratio(struct lore_rule_run *r, const char *a, const char *b, double scale)
{
    struct lore_reading x = lore_rule_read(r, a), y = lore_rule_read(r, b);
    struct lore_reading out = {.missing = LORE_MISS_NOT_COLLECTED};

    if (!x.known)
        lore_rule_missing(r, x.name);
    if (!y.known)
        lore_rule_missing(r, y.name);
    if (!x.known || !y.known)
        return out;
    out.name = scale == 1 ? lore_format(r->arena, "%s / %s", x.name, y.name)
                          : lore_format(r->arena, "%g * %s / %s", scale, x.name, y.name);
    out.known = y.value > 0; /* a denominator of 0 events gives no ratio */
    out.value = out.known ? scale * x.value / y.value : 0;
    out.missing = LORE_MISS_NOT_APPLICABLE;
    return out;
}

static const char *
op_text(char op)
{
    return op == '<' ? "<" : op == '>' ? ">" : op == 'g' ? ">=" : "<=";
}

static bool
holds(double value, char op, double threshold)
{
    switch (op) {
    case '<':
        return value < threshold;
    case '>':
        return value > threshold;
    case 'g':
        return value >= threshold;
    default:
        return value <= threshold;
    }
}

bool
lore_rule_test(struct lore_rule_run *r, struct lore_reading reading, char op, double threshold)
{
    if (!reading.known) {
        if (reading.name)
            lore_rule_missing(r, reading.name);
        return false;
    }
    if (!holds(reading.value, op, threshold))
        return false;
    *LORE_PUSH(r->arena, r->tests, r->n_tests, r->cap_tests) =
        (struct lore_test){reading.name, reading.value, op_text(op), threshold};
    return true;
}

bool
lore_rule_any(struct lore_rule_run *r, struct lore_reading a, struct lore_reading b)
{
    bool first = lore_rule_test(r, a, '>', 0);

    return lore_rule_test(r, b, '>', 0) || first;
}

struct lore_reading
lore_rule_sm_side(struct lore_rule_run *r)
{
    /* one pipe alone is not enough: the missing one may be the busier */
    struct lore_reading sm = lore_rule_read(r, "sm_throughput_pct");
    struct lore_reading matrix = lore_rule_read(r, "matrix_util_pct");
    struct lore_reading vector = lore_rule_read(r, "vector_util_pct");

    if (sm.known || !matrix.known || !vector.known)
        return sm;
    return matrix.value > vector.value ? matrix : vector;
}

const char *
lore_tests_text(struct lore_arena *arena, const struct lore_test *tests, size_t n)
{
    const char *text = "";

    for (size_t i = 0; i < n; i++)
        text = lore_format(arena, "%s%s%s = %.6g %s %.6g", text, i > 0 ? ", " : "", tests[i].metric,
            tests[i].value, tests[i].op, tests[i].threshold);
    return text;
}

void
lore_rule_finding_labels(
    struct lore_rule_run *r, uint32_t labels, enum lore_confidence c, const char *note)
{
    struct lore_finding *f = LORE_PUSH(r->arena, r->findings, r->n_findings, r->cap_findings);
    const char *text = lore_tests_text(r->arena, r->tests, r->n_tests);

    if (note)
        text = lore_format(r->arena, "%s%s%s", text, *text != '\0' ? "; " : "", note);
    *f = (struct lore_finding){.pattern = r->rule->pattern,
        .label = r->rule->label,
        .symptom = r->rule->symptom,
        .labels = labels & r->vocabulary,
        .signal = r->rule->signal,
        .confidence = c,
        .evidence = text,
        .tests = r->tests,
        .n_tests = r->n_tests};
    r->reported = true;
    if (!f->signal)
        r->found |= f->labels;
}

void
lore_rule_finding(struct lore_rule_run *r, enum lore_confidence c, const char *note)
{
    lore_rule_finding_labels(r, r->rule->labels, c, note);
}

#define FAR 4 /* a level below this part of the busiest one does not limit */

void
lore_rule_memory_finding(
    struct lore_rule_run *r, double high, enum lore_confidence c, const char *note)
{
    static const struct {
        const char *level, *names;
    } levels[] = {{"L1/TEX", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed|"
                             "l1tex__throughput.avg.pct_of_peak_sustained_active"},
        {"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed|l2_throughput_pct"},
        {"DRAM", "dram_throughput_pct"}};
    struct lore_reading all = lore_rule_read(r, "memory_throughput_pct"), level = {0};
    const char *text = NULL, *busy = "Cache";
    double most = all.known ? all.value : 0, top = -1;

    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        level = lore_rule_read(r, levels[i].names); /* the last one, DRAM, stays */
        if (!level.known)
            continue;
        text = lore_format(r->arena, "%s%s%s %.3g %%", text ? text : "", text ? ", " : "",
            levels[i].level, level.value);
        if (level.value >= top && level.value * FAR >= most)
            busy = levels[i].level;
        top = level.value > top ? level.value : top;
    }
    most = top > most ? top : most;
    bool dram = !level.known || level.value > high || level.value * FAR >= most;
    bool cache = level.known && level.value <= high && level.value < most;
    text = !text   ? note
           : cache ? lore_format(r->arena, "of the memory side %s is busy: %s; %s",
                         *busy == 'C' ? "a level that was not recorded" : busy, text, note)
                   : lore_format(r->arena, "%s; %s", text, note);
    lore_rule_finding_labels(r, (dram ? BIT(MEMORY) : 0) | (cache ? BIT(CACHE) : 0), c, text);
    if (!dram)
        r->findings[r->n_findings - 1].label = lore_format(r->arena, "%s-Bound", busy);
}

void
lore_rule_compare(struct lore_rule_run *r)
{
    if (lore_rule_test(r, lore_rule_read(r, r->rule->names), r->rule->op, r->rule->threshold))
        lore_rule_finding(r, LORE_CONF_LOW, NULL);
}

static void
run_rule(struct lore_rule_run *r, const struct lore_rule *rule)
{
    r->rule = rule;
    r->tests = NULL;
    r->missing = NULL;
    r->n_tests = r->cap_tests = r->n_missing = r->cap_missing = 0;
    r->reported = false;
    r->note = NULL;
    rule->check(r);
    if (r->reported)
        return;
    if (r->n_missing == 0 && !r->note) {
        r->n_clear++;
        return;
    }
    *LORE_PUSH(r->arena, r->open, r->n_open, r->cap_open) =
        (struct lore_not_evaluated){rule->pattern, rule->label, r->missing, r->n_missing, r->note};
}

/* METRICS plus the quantities computed from AMD counters. P is the profile of METRICS. */
static struct lore_metrics
complete(const struct lore_metrics *metrics, const struct lore_profile *p,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena)
{
    struct lore_metrics all = {.v = NULL};
    struct lore_ontology_value *values;
    size_t n;

    if (!lore_profile_has_vendor(p, "amd"))
        return *metrics;
    for (size_t i = 0; i < metrics->n; i++)
        *LORE_PUSH(arena, all.v, all.n, all.cap) = metrics->v[i];
    lore_ontology(metrics, "amd", &(ctx ? ctx : &no_context)->device, arena, &values, &n);
    for (size_t i = 0; i < n; i++) {
        const struct lore_ontology_row *row = values[i].row;

        if (values[i].set && !lore_profile_read(p, row->canonical, arena).known)
            *LORE_PUSH(arena, all.v, all.n, all.cap) = (struct lore_metric){
                .name = row->canonical, .unit = row->unit, .value = values[i].value};
    }
    return all;
}

struct lore_metrics
lore_rules_complete(const struct lore_metrics *metrics, const struct lore_diagnose_context *ctx,
    struct lore_arena *arena)
{
    struct lore_profile p = lore_profile_open(metrics, arena);

    return complete(metrics, &p, ctx, arena);
}

/* The metrics as recorded, and with the quantities computed from AMD counters. Sets for one vendor
 * read the recorded metrics only, because a computed quantity belongs to no vendor. */
struct profiles {
    struct lore_profile recorded, completed;
};

static struct profiles
open_profiles(const struct lore_metrics *metrics, const struct lore_diagnose_context *ctx,
    struct lore_arena *arena)
{
    struct profiles p = {.recorded = lore_profile_open(metrics, arena)};
    struct lore_metrics all = complete(metrics, &p.recorded, ctx, arena);

    p.completed = all.v == metrics->v ? p.recorded : lore_profile_open(&all, arena);
    return p;
}

static void
run_set(const struct lore_rule_set *set, bool signals_too, const struct profiles *all,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena,
    struct lore_rule_set_result *out)
{
    struct lore_profile profile =
        set->vendor != NULL ? lore_profile_of(&all->recorded, set->vendor) : all->completed;
    struct lore_rule_run r = {.profile = &profile,
        .ctx = ctx != NULL ? ctx : &no_context,
        .arena = arena,
        .vocabulary = set->vocabulary};
    uint32_t signals = 0;

    for (size_t i = 0; i < set->n; i++)
        if (signals_too || !set->rules[i].signal)
            run_rule(&r, &set->rules[i]);
    for (size_t i = 0; i < r.n_findings; i++)
        if (r.findings[i].signal)
            signals |= r.findings[i].labels;
    *out = (struct lore_rule_set_result){.rule_set = set->name,
        .labels = r.found,
        .signals = signals,
        .findings = r.findings,
        .n_findings = r.n_findings,
        .not_evaluated = r.open,
        .n_not_evaluated = r.n_open,
        .n_clear = r.n_clear};
}

static enum lore_status
no_set(const char *name, struct lore_err *err)
{
    lore_fail(err, LORE_NOTFOUND, "no rule set %s", name != NULL ? name : "(none)");
    lore_err_hint(
        err, "one of %s, %s, %s, %s", sets[0]->name, sets[1]->name, sets[2]->name, sets[3]->name);
    return LORE_NOTFOUND;
}

enum lore_status
lore_diagnose(const char *rule_set, const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena,
    struct lore_rule_set_result *out, struct lore_err *err)
{
    const struct lore_rule_set *set = set_find(rule_set);

    if (!set)
        return no_set(rule_set, err);
    struct profiles p = open_profiles(metrics, ctx, arena);
    run_set(set, true, &p, ctx, arena, out);
    return LORE_OK;
}

struct lore_diagnosis_session {
    struct profiles profiles;
    const struct lore_diagnose_context *ctx;
    struct lore_arena *arena;
};

struct lore_diagnosis_session *
lore_diagnosis_session_open(const struct lore_metrics *metrics,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena)
{
    struct lore_diagnosis_session *d = lore_alloc(arena, sizeof *d);

    *d = (struct lore_diagnosis_session){open_profiles(metrics, ctx, arena), ctx, arena};
    return d;
}

enum lore_status
lore_diagnosis_session_verdicts(const struct lore_diagnosis_session *d, const char *rule_set,
    struct lore_rule_set_result *out, struct lore_err *err)
{
    const struct lore_rule_set *set = set_find(rule_set);

    if (!set)
        return no_set(rule_set, err);
    run_set(set, false, &d->profiles, d->ctx, d->arena, out);
    return LORE_OK;
}

const struct lore_rule_set_result *
lore_diagnose_all(const struct lore_metrics *metrics, const struct lore_diagnose_context *ctx,
    struct lore_arena *arena, size_t *n)
{
    struct profiles p = open_profiles(metrics, ctx, arena);
    struct lore_rule_set_result *out = lore_alloc_array(arena, N_SETS, sizeof *out);

    for (size_t i = 0; i < N_SETS; i++)
        run_set(sets[i], true, &p, ctx, arena, &out[i]);
    *n = N_SETS;
    return out;
}
