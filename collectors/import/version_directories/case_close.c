/* Reads the parts of final_report.md about the whole case: the reason for stopping, remaining
 * opportunities, and the comparison table, which is checked against the profiles. Numbers are
 * compared at their printed precision. Other text is kept in the campaign's `extra`. */
#include <math.h>
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define COMPARISON "Version Iteration Comparison"

/* Row labels of reports (only letters and digits, without text in parentheses) and the matching
 * label of the profile. */
static const struct {
    const char *row, *label;
} row_labels[] = {
    {"achievedoccupancy", "Achieved Occupancy (%)"},
    {"barrierstall", "Stall: Barrier"},
    {"blocksize", "Block Size"},
    {"blocksizethreads", "Block Size"},
    {"computethroughput", "SM Throughput (% of peak)"},
    {"computethroughputsm", "SM Throughput (% of peak)"},
    {"drambandwidth", "DRAM Total Bandwidth (bytes/s)"},
    {"dynamicsharedmemory", "Dynamic Shared Memory (bytes)"},
    {"ffmathroughput", "FFMA Throughput (per cycle)"},
    {"ffmathroughputcycle", "FFMA Throughput (per cycle)"},
    {"fmapipeutilization", "FMA Pipe Utilization (% of peak)"},
    {"fmautilization", "FMA Pipe Utilization (% of peak)"},
    {"globalloadefficiency", "Global Load Efficiency (%)"},
    {"globalstoreefficiency", "Global Store Efficiency (%)"},
    {"gridsize", "Grid Size"},
    {"ipc", "IPC (instructions per cycle)"},
    {"issueslotutilization", "Issue Slot Utilization (% of peak)"},
    {"l1bankconflicts", "L1 Bank Conflicts (total)"},
    {"l1hitrate", "L1 Hit Rate (%)"},
    {"l2hitrate", "L2 Hit Rate (%)"},
    {"longscoreboardstall", "Stall: Long Scoreboard"},
    {"memorythroughput", "Memory Throughput (% of peak)"},
    {"registersthread", "Registers / Thread"},
    {"sharedmemorybandwidth", "Shared Memory Bandwidth (bytes/s)"},
    {"shortscoreboardstall", "Stall: Short Scoreboard"},
    {"smthroughput", "SM Throughput (% of peak)"},
    {"stallbarrier", "Stall: Barrier"},
    {"stalllongscoreboard", "Stall: Long Scoreboard"},
    {"stallnotselected", "Stall: Not Selected"},
    {"stallshortscoreboard", "Stall: Short Scoreboard"},
    {"tensorcoreutilization", "Tensor Core Utilization (% of peak)"},
    {"theoreticaloccupancy", "Theoretical Occupancy (%)"},
    {"warpexecutionefficiency", "Warp Execution Efficiency"},
    {"warpstallbarrier", "Stall: Barrier"},
    {"warpstalllongsb", "Stall: Long Scoreboard"},
    {"warpstallshortsb", "Stall: Short Scoreboard"},
    {"wavessm", "Waves / SM"},
};

static const struct lore_metric_def *
row_metric(const char *label)
{
    const struct lore_metric_def *def = lore_case_metric(label);
    char key[64];
    size_t n = 0;
    int depth = 0;

    for (const char *p = label; def == NULL && *p != '\0' && n + 1 < sizeof key; p++) {
        depth += (*p == '(') - (*p == ')');
        char lower = (char)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
        if (depth == 0 && ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')))
            key[n++] = lower;
    }
    key[n] = '\0';
    for (size_t i = 0; def == NULL && i < sizeof row_labels / sizeof *row_labels; i++) {
        if (strcmp(key, row_labels[i].row) == 0)
            def = lore_case_metric(row_labels[i].label);
    }
    return def;
}

/* ---- the comparison ---- */

/* Note a conflict when the report differs from MEASURED by more than FACTOR times half a unit
 * of its last printed digit. */
static void
compare(struct lore_case *c, const struct lore_md_row *row, const struct lore_case_version *v,
    struct lore_f64 measured, double factor)
{
    const struct lore_md_table *t = lore_case_table(c, COMPARISON);
    const char *cell = lore_case_cell(row, lore_case_column(t, v));
    double printed, half_unit;

    if (!cell || !measured.set)
        return;
    if (!lore_case_printed(cell, &printed, &half_unit)) {
        if (lore_starts(cell, "N/A"))
            lore_import_note(c->in, LORE_IL_DOUBTS,
                "%s line %zu: %s of %s is N/A, the profile has %.6g", c->report_file->path,
                row->line, row->cells[0], v->label, measured.v);
        return;
    }
    if (fabs(printed - measured.v) > half_unit * factor * 1.001 + 1e-9 * fabs(printed))
        lore_import_note(c->in, LORE_IL_CONFLICTS,
            "%s line %zu: %s of %s is %s, the profile says %.6g", c->report_file->path, row->line,
            row->cells[0], v->label, cell, measured.v);
}

static struct lore_f64
time_ms(const struct lore_case_version *v)
{
    struct lore_f64 ns = v->profile.summary.mean_ns;
    return (struct lore_f64){ns.set, ns.v / 1e6};
}

static struct lore_f64
speedup(const struct lore_case *c, const struct lore_case_version *v)
{
    struct lore_f64 first = time_ms(c->versions), own = time_ms(v);
    bool set = first.set && own.set && own.v > 0;
    return (struct lore_f64){set, set ? first.v / own.v : 0};
}

static struct lore_f64
metric_value(const struct lore_case_version *v, const char *name)
{
    for (size_t i = 0; i < v->profile.metrics.n; i++) {
        const struct lore_metric *m = &v->profile.metrics.v[i];
        if (strcmp(m->name, name) == 0 && m->missing == LORE_MISS_NONE)
            return (struct lore_f64){true, m->value};
    }
    return (struct lore_f64){false, 0};
}

static void
check_row(struct lore_case *c, const struct lore_md_table *t, const struct lore_md_row *row)
{
    const char *label = row->cells[0];
    bool time = lore_starts(label, "Execution Time"), gain = lore_starts(label, "Speedup");
    const struct lore_metric_def *def = time || gain ? NULL : row_metric(label);

    if (!time && !gain && !def) {
        if (!lore_streqi(label, "Bottleneck"))
            lore_case_keep_row(c, &c->report_rest, t, row);
        return;
    }
    if (def && strchr(label, '%') && strcmp(def->unit, "%") != 0)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s line %zu: \"%s\" is no percentage; %s is in %s",
            c->report_file->path, row->line, label, def->name,
            *def->unit != '\0' ? def->unit : "plain numbers");
    /* speedups are often truncated instead of rounded: allow a whole unit of the last digit */
    for (size_t i = 0; i < c->n; i++) {
        const struct lore_case_version *v = &c->versions[i];
        compare(c, row, v,
            time   ? time_ms(v)
            : gain ? speedup(c, v)
                   : metric_value(v, def->name),
            gain ? 2 : 1);
    }
}

static void
check_best(struct lore_case *c)
{
    size_t fastest = c->n;

    for (size_t i = 0; i < c->n; i++) {
        const struct lore_case_version *v = &c->versions[i];
        bool wrong = v->has_check && v->check.correctness.status != LORE_C_PASS;
        if (time_ms(v).set && !wrong &&
            (fastest == c->n || time_ms(v).v < time_ms(&c->versions[fastest]).v))
            fastest = i;
    }
    if (c->best >= 0 && fastest < c->n && (int)fastest != c->best)
        lore_import_note(c->in, LORE_IL_CONFLICTS,
            "%s: best version %s, but %s is fastest in the profiles", c->report_file->path,
            c->versions[c->best].label, c->versions[fastest].label);
}

/* ---- tables ---- */

static void
store_pairs(
    struct lore_case *c, struct lore_kvs *config, const struct lore_md_table *t, const char *prefix)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        if (row->n == 2 && *row->cells[0] != '\0')
            lore_case_add_text(c->in->arena, config,
                lore_format(c->in->arena, "%s.%s", prefix, lore_slug(c->in->arena, row->cells[0])),
                row->cells[1]);
        else
            lore_case_keep_row(c, &c->report_rest, t, row);
    }
}

static void
take_table(struct lore_case *c, struct lore_kvs *config, const struct lore_md_table *t)
{
    static const char *const known[] = {
        "Optimization Strategies", "Hypothesis Outcomes", "KBS Evidence", "NCU + KBS Synthesis"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (lore_starts(t->section, known[i]))
            return;
    }
    if (lore_starts(t->section, "Environment") || lore_starts(t->section, "Final Benchmark")) {
        store_pairs(c, config, t, lore_slug(c->in->arena, t->section));
        return;
    }
    bool comparison = lore_starts(t->section, COMPARISON);
    for (size_t i = 0; i < t->n; i++) {
        if (comparison)
            check_row(c, t, &t->rows[i]);
        else
            lore_case_keep_row(c, &c->report_rest, t, &t->rows[i]);
    }
}

/* Store the table of SECTION as text under KEY, one row per line. */
static void
store_table(struct lore_case *c, struct lore_kvs *more, const char *section, const char *key)
{
    const struct lore_md_table *t = lore_case_table(c, section);
    struct lore_buf b = {.max = LORE_IMPORT_MAX};

    for (size_t i = 0; t != NULL && i <= t->n; i++) {
        const struct lore_md_row *row = i == 0 ? &t->header : &t->rows[i - 1];
        for (size_t k = 0; k < row->n; k++)
            lore_buf_printf(&b, "%s%s", k > 0 ? " | " : i > 0 ? "\n" : "", row->cells[k]);
    }
    if (b.data)
        lore_case_set_text(c->in->arena, more, key, lore_strdup(c->in->arena, b.data));
    lore_buf_free(&b);
}

/* ---- retrospective and directions ---- */

enum part { NOTHING, RATIONALE, DIRECTIONS, RETROSPECTIVE };

static void
append(struct lore_arena *arena, const char **to, const char *text)
{
    *to = *to != NULL ? lore_format(arena, "%s\n%s", *to, text) : text;
}

/* Whether the rationale TEXT begins with a version that has an experiment; its notes contain the
 * text then. */
static bool
has_version(const struct lore_case *c, const char *text)
{
    const char *end, *second = strstr(text, "→") != NULL ? strstr(text, "→") + strlen("→") : NULL;
    long long n = lore_case_number(text, &end);

    if (second && second - text < 12)
        n = lore_case_number(second + strspn(second, " "), NULL);
    return n >= 0 && lore_case_index(c, n) > 0;
}

/* The part that LINE belongs to. A label of a list is skipped in *TEXT; "" remains when nothing
 * follows it. */
static enum part
part_of(enum part now, const struct lore_md_line *line, const char **text)
{
    static const struct {
        const char *label;
        enum part part;
    } labels[] = {{"Decision rationale per version:", RATIONALE},
        {"Remaining optimization opportunities:", DIRECTIONS}, {"Stopping reason:", RETROSPECTIVE},
        {"Best version:", RETROSPECTIVE}, {"Key gains:", RETROSPECTIVE}};

    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        size_t n = strlen(labels[i].label);
        if (lore_starts(*text, labels[i].label)) {
            if (labels[i].part != RETROSPECTIVE)
                *text += n + strspn(*text + n, " ");
            return labels[i].part;
        }
    }
    if (line->bullet == 0 && now != NOTHING)
        return RETROSPECTIVE;
    return now;
}

static void
take_lines(struct lore_case *c, struct lore_campaign *campaign, const char **stop)
{
    struct lore_arena *arena = c->in->arena;
    enum part part = NOTHING;

    for (size_t i = 0; i < c->report.n_lines; i++) {
        const struct lore_md_line *line = &c->report.lines[i];
        const char *text = lore_md_plain(arena, line->text);
        if (line->level > 0)
            part = NOTHING;
        if (line->level > 0 || strspn(text, "-") == strlen(text))
            continue;
        part = part_of(part, line, &text);
        if (*text == '\0')
            continue;
        if (lore_starts(text, "Stopping reason:"))
            *stop = text + 16 + strspn(text + 16, " ");
        if (part == DIRECTIONS)
            lore_build_text(arena, &c->directions, text);
        else if (part == RETROSPECTIVE || lore_starts(line->section, "Best Version Conclusion"))
            append(arena, &campaign->retrospective, text);
        else if (part != RATIONALE || !has_version(c, text))
            lore_case_keep_text(c, &c->report_rest, line->section, line->line, line->text);
    }
    campaign->retrospective = lore_case_truncate(arena, campaign->retrospective, 60u << 10);
}

/* The stop reason of the submission format that TEXT mentions first; NULL: none. */
static const char *
stop_reason(struct lore_arena *arena, const char *text)
{
    static const struct {
        const char *word, *reason;
    } words[] = {{"max_iteration", "max_iterations"}, {"maximum_iteration", "max_iterations"},
        {"iterations_exhausted", "max_iterations"}, {"target_met", "target_met"},
        {"target_reached", "target_met"}, {"performance_target", "target_met"},
        {"saturat", "bottleneck_saturated"}, {"near_peak", "near_peak"}, {"blocked", "blocked"}};
    const char *slug = lore_slug(arena, text), *first = NULL, *out = NULL;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(slug, words[i].word);
        if (at && (!first || at < first)) {
            first = at;
            out = words[i].reason;
        }
    }
    return out;
}

/* The number of iterations in "Max iterations (5) reached", "maximum iterations (N=3)" or "5
 * iterations exhausted". */
static struct lore_i64
iterations(const char *text)
{
    const char *open = strchr(text, '('), *rest;
    double v;

    if (lore_md_number(text, &v, &rest, NULL) && lore_starts(rest, " iterations") && v < 1e5)
        return (struct lore_i64){true, (int64_t)v};
    if (!open)
        return (struct lore_i64){0};
    open += 1 + 2 * lore_starts(open + 1, "N=");
    size_t n = strspn(open, "0123456789");
    if (n == 0 || n > 5 || open[n] != ')' || !lore_md_number(open, &v, NULL, NULL))
        return (struct lore_i64){0};
    return (struct lore_i64){true, (int64_t)v};
}

void
lore_case_close_report(struct lore_case *c, struct lore_campaign *campaign, struct lore_kvs *more)
{
    const char *stop = NULL;

    if (!c->report_file)
        return;
    lore_import_open(c->in, c->report_file);
    for (size_t i = 0; i < c->report.n_tables; i++)
        take_table(c, &campaign->config, &c->report.tables[i]);
    check_best(c);
    take_lines(c, campaign, &stop);
    if (stop) {
        campaign->stop_reason = stop_reason(c->in->arena, stop);
        campaign->iterations = iterations(stop);
        lore_case_set_text(c->in->arena, more, "stopping_reason", stop);
    }
    if (c->best >= 0)
        lore_case_set_text(c->in->arena, more, "best_version", c->versions[c->best].label);
    lore_case_set_text(c->in->arena, more, "title", c->report.title);
    store_table(c, more, COMPARISON, "comparison");
    store_table(c, more, "Optimization Strategies", "strategies");
    store_table(c, more, "Hypothesis Outcomes", "outcomes");
    store_table(c, more, "KBS Evidence", "kbs_evidence");
    store_table(c, more, "NCU + KBS Synthesis", "synthesis");
    campaign->ended_at = c->date;
}
