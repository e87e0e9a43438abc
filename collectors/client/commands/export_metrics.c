/* `warplore export --bmf` and `--openmetrics`: times as other tools keep them over time. The
 * champions are the best versions of the board; the runs are all that have a time. Bencher's metric
 * format has nanoseconds under "latency"; OpenMetrics has seconds with labels. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/ask/fetch.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/commands/fetching.h"
#include "collectors/client/screen/rows.h"
#include "collectors/import/index.h"
#include "service/base/clock.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

/* Labels of a time, and where a row has them. A label that is missing is left out. */
static const struct {
    const char *label, *champion, *run;
} labels[] = {{"operator", "operator", "operator"}, {"chip", "chip", "chip"},
    {"workload", "workload.label", "workload.label"}, {"kernel", "kernel_name", "kernel_name"},
    {"language", "language", "language"}, {"project", "project", "project"},
    {"label", NULL, "version_label"}, {"version", "best.version", "version"},
    {"run", "best.run", "id"}, {"evidence", "evidence", "evidence"}};
enum {
    LABELS = sizeof labels / sizeof *labels,
    NAMED = 7 /* what makes the name of a benchmark */
};

struct metrics {
    struct lore_cli *cli;
    bool runs;
    struct lore_buf *out;
    struct lore_index names; /* of benchmarks already written */
    size_t left_out;
};

static const char *
label_of(const struct metrics *m, const struct lore_json *row, size_t i)
{
    const char *path = m->runs ? labels[i].run : labels[i].champion;

    return path ? lore_rows_at_text(row, path) : NULL;
}

static bool
number_at(const struct lore_json *row, const char *path, double *out)
{
    const struct lore_json *n = lore_rows_at(row, path);

    if (!n || n->type != LORE_J_NUMBER)
        return false;
    *out = n->f;
    return true;
}

/* ---- Bencher ---- */

/* "gemm h100 M=4096 softmax_v2": a benchmark stands once, with its newest value. */
static const char *
name_of(struct metrics *m, const struct lore_json *row)
{
    const char *name = "";

    for (size_t i = 0; i < NAMED; i++) {
        const char *text = label_of(m, row, i);
        if (text && *text)
            name = lore_format(m->cli->arena, "%s%s%s", name, *name ? " " : "", text);
    }
    return name;
}

static void
put_bmf(struct metrics *m, struct lore_jsonw *w, const struct lore_json *row)
{
    const char *name = name_of(m, row);
    size_t *seen = lore_index_at(m->cli->arena, &m->names, name);
    double time, low, high;

    if (!number_at(row, "time_ns", &time))
        return;
    if ((*seen)++ > 0) {
        m->left_out++;
        return;
    }
    lore_w_key(w, name);
    lore_w_obj(w);
    lore_w_key(w, "latency");
    lore_w_obj(w);
    lore_w_kf64(w, "value", time);
    if (number_at(row, m->runs ? "stats.p10_ns" : "interval.low_ns", &low) &&
        number_at(row, m->runs ? "stats.p90_ns" : "interval.high_ns", &high)) {
        lore_w_kf64(w, "lower_value", low);
        lore_w_kf64(w, "upper_value", high);
    }
    lore_w_obj_end(w);
    lore_w_obj_end(w);
}

/* ---- OpenMetrics ---- */

static void
put_label(struct lore_buf *out, bool first, const char *name, const char *text)
{
    lore_buf_printf(out, "%s%s=\"", first ? "" : ",", name);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            lore_buf_putc(out, '\\');
        if (*text == '\n')
            lore_buf_puts(out, "\\n");
        else
            lore_buf_putc(out, *text);
    }
    lore_buf_putc(out, '"');
}

static void
put_sample(struct metrics *m, const char *metric, const struct lore_json *row, double ns)
{
    const char *at = lore_rows_at_text(row, m->runs ? "measured_at" : "updated_at");
    char digits[32];
    int64_t us;
    bool first = true;

    lore_buf_printf(m->out, "%s{", metric);
    for (size_t i = 0; i < LABELS; i++) {
        const char *text = label_of(m, row, i);
        if (!text || !*text)
            continue;
        put_label(m->out, first, labels[i].label, text);
        first = false;
    }
    (void)lore_f64_text(ns / 1e9, digits);
    lore_buf_printf(m->out, "} %s", digits);
    if (at && lore_time_parse(at, &us, NULL) == LORE_OK) {
        (void)lore_f64_text((double)us / 1e6, digits);
        lore_buf_printf(m->out, " %s", digits);
    }
    lore_buf_putc(m->out, '\n');
}

static void
put_family(struct metrics *m, const struct lore_fetched *rows, const char *suffix, const char *help,
    const char *path)
{
    const char *name =
        lore_format(m->cli->arena, "warplore_%s_%sseconds", m->runs ? "run" : "best", suffix);

    lore_buf_printf(
        m->out, "# TYPE %s gauge\n# UNIT %s seconds\n# HELP %s %s\n", name, name, name, help);
    for (size_t i = 0; i < rows->n; i++) {
        double ns;
        if (number_at(rows->v[i], path, &ns))
            put_sample(m, name, rows->v[i], ns);
    }
}

static void
put_openmetrics(struct metrics *m, const struct lore_fetched *rows)
{
    put_family(m, rows, "time_", m->runs ? "Median time of a run." : "Time of the best version.",
        "time_ns");
    put_family(m, rows, "time_low_", "Lower end of its spread.",
        m->runs ? "stats.p10_ns" : "interval.low_ns");
    put_family(m, rows, "time_high_", "Upper end of its spread.",
        m->runs ? "stats.p90_ns" : "interval.high_ns");
    lore_buf_puts(m->out, "# EOF\n");
}

/* ---- the command ---- */

int
lore_export_metrics(
    struct lore_cli *cli, const char *what, bool bmf, const char *filter, const char *path)
{
    struct lore_fetching f;
    struct lore_fetched rows = {0};
    struct lore_buf out = {.max = (size_t)256 << 20};
    struct metrics m = {.cli = cli, .runs = lore_streq(what, "runs"), .out = &out};
    struct lore_err err = {0};
    struct lore_jsonw w;

    if (!m.runs && !lore_streq(what, "champions"))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--%s %s: expected champions or runs",
            bmf ? "bmf" : "openmetrics", what);
    lore_fetching_begin(&f, cli);
    enum lore_status status = lore_fetch_all(&f.fetch,
        lore_format(cli->arena, "/api/v1/%s%s%s", m.runs ? "runs" : "leaderboard",
            *filter ? "?" : "", filter),
        &rows, &err);
    if (status != LORE_OK)
        return lore_fetching_end(&f, status, &err);
    if (bmf) {
        lore_jsonw_begin(&w, &out, false);
        lore_w_obj(&w);
        for (size_t i = 0; i < rows.n; i++)
            put_bmf(&m, &w, rows.v[i]);
        lore_w_obj_end(&w);
        status = lore_jsonw_end(&w, &err);
        lore_buf_putc(&out, '\n');
    } else {
        put_openmetrics(&m, &rows);
    }
    if (status != LORE_OK) {
        lore_buf_free(&out);
        return lore_fetching_end(&f, status, &err);
    }
    if (m.left_out > 0)
        lore_buf_printf(
            &cli->err, "warplore: %zu older runs of the same benchmark are left out\n", m.left_out);
    return lore_cli_put(cli, path, &out, "the metrics");
}
