/* Reads ncu_summary.md and ncu_details.md: one profile of a version.
 *
 * Labels become the profiler's metric names with the unit of that metric, whatever unit the report
 * prints: a stall is a ratio of warps per issue. Values in scientific notation have three digits
 * and are marked as imprecise. A deviation of "nan" means a single sample. The summary has the time
 * and the kernel symbol, the details have ranges and clocks. Different values of one metric are
 * noted as a conflict. */
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* Labels of the benchmark tool, and the profile's label for the same metric. */
static const struct {
    const char *label, *known;
} other_labels[] = {
    {"SM Throughput (% peak)", "SM Throughput (% of peak)"},
    {"Memory Throughput (% peak)", "Memory Throughput (% of peak)"},
    {"DRAM Bandwidth (bytes/s)", "DRAM Total Bandwidth (bytes/s)"},
};

const struct lore_metric_def *
lore_case_metric(const char *label)
{
    for (size_t i = 0; i < sizeof other_labels / sizeof *other_labels; i++) {
        if (lore_streqi(label, other_labels[i].label))
            label = other_labels[i].known;
    }
    return lore_metric_find(label);
}

static struct lore_metric *
find_metric(struct lore_metrics *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->v[i].name, name) == 0)
            return &list->v[i];
    }
    return NULL;
}

/* Whether TEXT has at most three digits in scientific notation: "1.87e+11". */
static bool
few_digits(const char *text, int digits)
{
    return digits > 0 && digits <= 3 && strpbrk(text, "eE");
}

static bool
set_value(struct lore_metric *m, const char *text)
{
    const char *rest;
    int digits;

    if (lore_md_number(text, &m->value, &rest, &digits)) {
        m->precision_lost = few_digits(text, digits);
        return *rest == '\0';
    }
    m->missing = LORE_MISS_NOT_COLLECTED;
    return lore_streqi(text, "nan") || lore_streqi(text, "N/A") || strcmp(text, "—") == 0 ||
           strcmp(text, "-") == 0;
}

/* Add the metric of ROW to LIST or find it there. NULL when the label is unknown or the row has no
 * value. */
static struct lore_metric *
metric_of(struct lore_case *c, struct lore_metrics *list, const struct lore_md_row *row)
{
    const struct lore_metric_def *def = row->n >= 2 ? lore_case_metric(row->cells[0]) : NULL;
    struct lore_metric parsed = {0};

    if (!def || !set_value(&parsed, row->cells[1]))
        return NULL;
    struct lore_metric *m = find_metric(list, def->name);
    if (!m) {
        m = LORE_PUSH(c->in->arena, list->v, list->n, list->cap);
        parsed.name = def->name;
        parsed.unit = def->unit;
        *m = parsed;
    } else if (m->value != parsed.value || m->missing != parsed.missing) {
        lore_import_note(c->in, LORE_IL_CONFLICTS, "%s line %zu: %s is %s here and %.9g elsewhere",
            c->in->at->path, row->line, row->cells[0], row->cells[1], m->value);
    }
    return m;
}

static void
take_lines(struct lore_case *c, struct lore_case_version *v, const struct lore_md *md)
{
    for (size_t i = 0; i < md->n_lines; i++) {
        const struct lore_md_line *l = &md->lines[i];
        const char *text = lore_md_plain(c->in->arena, l->text);
        if (l->level > 0)
            continue;
        if (lore_starts(text, "Kernel name: "))
            lore_case_set_text(c->in->arena, &v->profile.launch, "kernel", text + 13);
        else
            lore_case_keep_text(c, &v->profile_rest, l->section, l->line, l->text);
    }
}

/* Parse a duration in ms, us, ns or s; *NS gets nanoseconds. */
static bool
duration(const char *text, double *ns, const char **rest)
{
    double v;

    if (!lore_md_number(text, &v, rest, NULL) || v < 0)
        return false;
    *rest += strspn(*rest, " ");
    const struct {
        const char *unit;
        double ns;
    } units[] = {{"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}, {"s", 1e9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (lore_starts(*rest, units[i].unit)) {
            *rest += strlen(units[i].unit);
            *ns = lore_build_ns(v * (units[i].ns / 1e6));
            return *ns <= 9e15;
        }
    }
    return false;
}

/* Read mean and deviation from "47.8810 ms ± 0.2603 ms". */
static bool
set_time(struct lore_summary *s, const char *text)
{
    const char *rest;
    double mean, std;

    if (!duration(text, &mean, &rest))
        return false;
    s->set = true;
    s->mean_ns = (struct lore_f64){true, mean};
    rest += strspn(rest, " ");
    if (lore_starts(rest, "±") && duration(rest + strlen("±"), &std, &rest))
        s->std_ns = (struct lore_f64){true, std};
    return *rest == '\0';
}

static void
take_summary(struct lore_case *c, struct lore_case_version *v, const struct lore_md_table *t)
{
    bool fields = !lore_streqi(t->header.cells[0], "Metric");

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        bool taken = row->n == 2;
        if (taken && fields && lore_streqi(row->cells[0], "Execution Time"))
            taken = set_time(&v->profile.summary, row->cells[1]);
        else if (taken && fields)
            taken = lore_case_field(c, &v->profile, row->cells[0], row->cells[1]);
        else if (taken)
            taken = metric_of(c, &v->profile.metrics, row) != NULL;
        if (!taken)
            lore_case_keep_row(c, &v->profile_rest, t, row);
    }
}

static bool
set_context(struct lore_case *c, struct lore_case_version *v, const char *key, const char *text)
{
    if (lore_streqi(key, "Annotation")) {
        lore_case_set_text(c->in->arena, &v->profile.method, "annotation", text);
    } else if (lore_streqi(key, "Kernel")) {
        const char *before = lore_kvs_get(&v->profile.launch, "kernel");
        lore_case_set_text(c->in->arena, &v->profile.launch, "kernel", text);
        if (before && !lore_streq(before, lore_kvs_get(&v->profile.launch, "kernel")))
            lore_import_note(c->in, LORE_IL_CONFLICTS, "%s: kernel %s, but %s in the summary",
                c->in->at->path, text, before);
    } else if (lore_streqi(key, "GPU")) {
        lore_case_set_chip(c, &v->profile.method, "gpu", text);
    } else if (lore_streqi(key, "Host")) {
        v->host = text;
    } else if (lore_streqi(key, "ComputeClock")) {
        v->compute_khz = text;
    } else if (lore_streqi(key, "MemoryClock")) {
        v->memory_khz = text;
    } else {
        return false;
    }
    return true;
}

/* Add a row "Metric | AvgValue | StdDev | Min | Max | Stable"; false when it has no known
 * metric. */
static bool
take_detail(struct lore_case *c, struct lore_case_version *v, const struct lore_md_row *row)
{
    struct lore_metric *m = row->n == 6 ? metric_of(c, &v->profile.metrics, row) : NULL;
    double x;

    if (!m || m->min.set)
        return false;
    if (m->missing != LORE_MISS_NONE)
        return true;
    if (lore_md_number(row->cells[2], &x, NULL, NULL))
        m->std = (struct lore_f64){true, x};
    else
        m->n = (struct lore_i64){true, 1}; /* a single sample has no deviation */
    if (lore_md_number(row->cells[3], &x, NULL, NULL))
        m->min = (struct lore_f64){true, x};
    if (lore_md_number(row->cells[4], &x, NULL, NULL))
        m->max = (struct lore_f64){true, x};
    if (lore_streqi(row->cells[5], "no"))
        v->unstable++;
    else if (lore_streqi(row->cells[5], "yes"))
        v->stable++;
    return true;
}

static void
take_details(struct lore_case *c, struct lore_case_version *v, const struct lore_md_table *t)
{
    bool metrics = lore_streqi(t->header.cells[0], "Metric");

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        bool taken = metrics ? take_detail(c, v, row)
                             : row->n == 2 && set_context(c, v, row->cells[0], row->cells[1]);
        if (!taken)
            lore_case_keep_row(c, &v->profile_rest, t, row);
    }
}

static void
read_file(struct lore_case *c, struct lore_case_version *v, struct lore_import_file *file,
    void (*take)(struct lore_case *, struct lore_case_version *, const struct lore_md_table *))
{
    struct lore_md md;

    if (!file)
        return;
    c->in->records++;
    lore_import_open(c->in, file);
    lore_md_parse(c->in->arena, file->text, file->len, NULL, &md);
    for (size_t i = 0; i < md.n_tables; i++)
        take(c, v, &md.tables[i]);
    take_lines(c, v, &md);
    if (md.n_tables == 0)
        lore_import_refuse_line(c->in, 0, "no table");
    else
        v->has_profile = true;
}

void
lore_case_read_profile(struct lore_case *c, struct lore_case_version *v)
{
    struct lore_metrics *list = &v->profile.metrics;
    size_t lost = 0;

    read_file(c, v, v->summary, take_summary);
    read_file(c, v, v->details, take_details);
    if (!v->has_profile)
        return;
    v->profile.tool = "ncu";
    if (v->profile.summary.set)
        lore_case_set_text(c->in->arena, &v->profile.method, "statistic", "mean");
    if (v->stable + v->unstable > 0) {
        lore_case_set_f64(c->in->arena, &v->profile.method, "metrics_stable", (double)v->stable);
        lore_case_set_f64(
            c->in->arena, &v->profile.method, "metrics_unstable", (double)v->unstable);
    }
    for (size_t i = 0; i < list->n; i++)
        lost += list->v[i].precision_lost;
    if (lost > 0)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s: %zu values printed with three digits or fewer, marked as imprecise", v->dir, lost);
}
