/* The same code fills the table cells of Markdown and CSV; only the writer differs. */
#include "collectors/client/report/board.h"

#include <string.h>

#include "collectors/client/report/quantity.h"
#include "collectors/client/report/sheet.h"
#include "service/base/text.h"

enum { N_COLUMNS = 10, MAX_PROOFS = 20 };
static const char *const titles[N_COLUMNS] = {"Operator", "Impl", "Chip", "Workload", "Bottleneck",
    "Best Speedup", "Against the library", "Status", "Evidence", "Details"};
static const char *const excluded_titles[] = {
    "Operator", "Impl", "Chip", "Workload", "Version", "Reason for exclusion"};

/* ---- writing ---- */

struct writer {
    struct lore_buf *out;
    struct lore_arena *arena;
    struct lore_sheet sheet;
    bool csv;
    size_t columns, at;
};

void
lore_report_csv_field(struct lore_buf *out, const char *text)
{
    bool formula = strchr("=+-@\t\r", text[0]) && text[0];
    bool quote =
        strpbrk(text, ",\"\r\n") || text[0] == ' ' || (text[0] && text[strlen(text) - 1] == ' ');

    if (quote)
        lore_buf_putc(out, '"');
    if (formula)
        lore_buf_putc(out, '\'');
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            lore_buf_putc(out, '"');
        lore_buf_putc(out, *p);
    }
    if (quote)
        lore_buf_putc(out, '"');
}

static void
put(struct writer *w, const char *text, const char *why)
{
    if (!w->csv) {
        lore_sheet_cell(&w->sheet, text, why);
        return;
    }
    text = text ? lore_sheet_plain(w->arena, text) : "";
    lore_report_csv_field(w->out, *text ? text : lore_sheet_na(w->arena, why));
    w->at = (w->at + 1) % w->columns;
    lore_buf_puts(w->out, w->at == 0 ? "\r\n" : ",");
}

static void
begin(struct writer *w, const char *const *names, size_t n)
{
    w->columns = n;
    w->at = 0;
    if (!w->csv) {
        lore_sheet_begin(&w->sheet, w->out, w->arena, names, n);
        w->sheet.whole = true;
        return;
    }
    for (size_t i = 0; i < n; i++)
        put(w, names[i], NULL);
}

static void
end(struct writer *w)
{
    if (!w->csv)
        lore_sheet_end(&w->sheet, NULL);
}

/* ---- cells ---- */

static const char *
speedup_of(struct lore_arena *a, const struct lore_json *s)
{
    const char *base = lore_fetch_text(s, "base_name") ? lore_fetch_text(s, "base_name")
                                                       : lore_fetch_text(s, "base");
    double v;

    if (!lore_fetch_number(s, "value", &v))
        return NULL;
    return lore_format(a, "%s vs %s", lore_sheet_say_factor(a, v),
        base ? lore_sheet_say_words(a, base) : "an unnamed base");
}

static const char *
joined(struct lore_arena *a, const char *all, const char *one)
{
    return all && one ? lore_format(a, "%s; %s", all, one) : all ? all : one;
}

/* "Unroll (loss 01K…)" of the experiment ID. */
static enum lore_status
attempt_of(const struct lore_fetch *fetch, const char *id, const char **out, struct lore_err *err)
{
    const struct lore_json *x = NULL;
    const char *path = lore_format(fetch->arena, "/api/v1/experiments/%s", id);
    enum lore_status status = lore_fetch_one(fetch, path, &x, err);
    const char *title = lore_fetch_text(x, "title"),
               *effect = lore_report_say_effect(fetch->arena, lore_fetch_object(x, "outcome"));

    *out = lore_format(fetch->arena, "%s (%s%s%s)", title ? title : "an experiment",
        effect ? effect : "", effect ? " " : "", id);
    return status;
}

/* The attempts behind "baseline optimal" and "no gain reported". */
static enum lore_status
proof_of(const struct lore_fetch *fetch, const struct lore_json *row, const char **out,
    struct lore_err *err)
{
    const struct lore_json *named = lore_json_get(row, "failed_attempts");
    enum lore_status status = LORE_OK;
    const char *all = NULL;
    unsigned n = 0;

    if (!named || named->len == 0)
        return LORE_OK;
    for (const struct lore_json *m = named->child; m && n < MAX_PROOFS && status == LORE_OK;
         m = m->next, n++) {
        const char *one = NULL;
        if (m->type == LORE_J_STRING)
            status = attempt_of(fetch, m->str, &one, err);
        all = joined(fetch->arena, all, one);
    }
    *out =
        lore_format(fetch->arena, "%u failed attempts: %s", (unsigned)named->len, all ? all : "");
    if (named->len > n)
        *out = lore_format(fetch->arena, "%s; and %u more", *out, (unsigned)named->len - n);
    return status;
}

static enum lore_status
details_of(const struct lore_fetch *fetch, const struct lore_json *row, const char **out,
    struct lore_err *err)
{
    struct lore_arena *a = fetch->arena;
    const char *all = lore_fetch_text(row, "kernel_name"), *proof = NULL;
    const char *ties = lore_fetch_list(a, lore_json_get(row, "tied"), "label", ", ");
    double ns, low, high;

    if (lore_fetch_number(row, "time_ns", &ns))
        all = joined(a, all,
            lore_fetch_number(row, "low_ns", &low) && lore_fetch_number(row, "high_ns", &high)
                ? lore_format(a, "%s [%s, %s]", lore_sheet_say_us(a, ns), lore_sheet_say_us(a, low),
                      lore_sheet_say_us(a, high))
                : lore_sheet_say_us(a, ns));
    if (ties)
        all = joined(a, all, lore_format(a, "tied with %s: not distinguishable", ties));
    enum lore_status status = proof_of(fetch, row, &proof, err);
    if (proof)
        all = joined(a, all, proof);
    const struct lore_json *left = lore_json_get(row, "excluded");
    if (left && left->len > 0)
        all = joined(a, all, lore_format(a, "%u excluded", (unsigned)left->len));
    *out = all;
    return status;
}

/* The row's bottlenecks; those inferred from metrics are marked "derived". Without
 * any, those of earlier versions. */
static const char *
bottlenecks_of(struct lore_arena *a, const struct lore_json *r)
{
    const char *all = lore_fetch_list(a, lore_json_get(r, "labels"), NULL, "+");
    const char *derived = lore_fetch_list(a, lore_json_get(r, "derived_labels"), NULL, "+");

    const char *earlier = lore_fetch_list(a, lore_json_get(r, "earlier_labels"), NULL, "+");

    if (earlier)
        return lore_format(a, "%s before the last change", earlier);
    if (!derived)
        return all;
    return lore_format(
        a, lore_streq(all, derived) ? "%s (derived)" : "%s (%s derived)", all, derived);
}

static void
put_cell_names(struct writer *w, const struct lore_json *r)
{
    put(w, lore_fetch_text(r, "operator"), NULL);
    put(w, lore_fetch_text(r, "language"), NULL);
    put(w, lore_fetch_text(r, "chip"), NULL);
    put(w, lore_fetch_text(lore_fetch_object(r, "workload"), "label"), NULL);
}

static enum lore_status
put_row(const struct lore_fetch *fetch, struct writer *w, const struct lore_json *r,
    struct lore_err *err)
{
    struct lore_arena *a = fetch->arena;
    const char *status = lore_fetch_text(r, "status"), *details = NULL;
    const char *none = lore_streq(status, "baseline optimal") ? "baseline optimal"
                                                              : "no correct version with a base";
    enum lore_status st = details_of(fetch, r, &details, err);

    put_cell_names(w, r);
    put(w, bottlenecks_of(a, r), "not diagnosed");
    put(w, speedup_of(a, lore_fetch_object(r, "speedup")), none);
    put(w, speedup_of(a, lore_fetch_object(r, "vs_library")), "no library was timed here");
    put(w, status, "no version qualifies");
    put(w, lore_fetch_text(r, "evidence"), "no evidence");
    put(w, details, "nothing more is known");
    return st;
}

static size_t
count_excluded(const struct lore_fetched *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++)
        for (const struct lore_json *x = lore_fetch_first(rows->v[i], "excluded"); x; x = x->next)
            n++;
    return n;
}

static void
put_excluded(struct writer *w, const struct lore_fetched *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct lore_json *r = rows->v[i];
        for (const struct lore_json *x = lore_fetch_first(r, "excluded"); x; x = x->next) {
            const char *label = lore_fetch_text(x, "label");
            put_cell_names(w, r);
            put(w, label ? label : lore_fetch_text(x, "version"), "no version is named");
            put(w,
                lore_fetch_text(x, "reason")
                    ? lore_sheet_say_words(w->arena, lore_fetch_text(x, "reason"))
                    : NULL,
                NULL);
        }
    }
}

enum lore_status
lore_board_write(const struct lore_fetch *fetch, const struct lore_fetched *rows,
    enum lore_board_form form, bool excluded, struct lore_buf *out, struct lore_err *err)
{
    struct writer w = {.out = out, .arena = fetch->arena, .csv = form == LORE_BOARD_CSV};
    enum lore_status status = LORE_OK;

    if (!w.csv)
        lore_buf_puts(out, "# Leaderboard\n\n");
    if (!w.csv || !excluded) {
        begin(&w, titles, N_COLUMNS);
        for (size_t i = 0; i < rows->n && status == LORE_OK; i++)
            status = put_row(fetch, &w, rows->v[i], err);
        end(&w);
    }
    if (!excluded || status != LORE_OK)
        return status;
    if (!w.csv)
        lore_buf_puts(out, "\n## Excluded\n\n");
    if (!w.csv && count_excluded(rows) == 0) {
        lore_buf_puts(out, "No version was excluded.\n");
        return LORE_OK;
    }
    begin(&w, excluded_titles, 6);
    put_excluded(&w, rows);
    end(&w);
    return LORE_OK;
}
