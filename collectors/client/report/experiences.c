/* From experiments to entries of the log. The log has two backends, three outcomes and five
 * bottlenecks. Other values are written under Warplore's names; a note on standard error names
 * them. Experiments without an outcome are left out with such a note: the log cannot hold them. */
#include "collectors/client/report/experiences.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/client/report/quantity.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define SYSTEM "kernel-opt-skill"

/* ---- entries for experiments that did not come from a log ---- */

static const char *
bottleneck_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    static const char *const names[][2] = {{"memory", "memory_bound"}, {"compute", "compute_bound"},
        {"latency", "latency_bound"}, {"occupancy", "occupancy_bound"}, {"tail", "grid_anomaly"}};
    const char *raw = lore_fetch_text(x, "raw_label");
    const char *all = lore_fetch_stated_labels(fetch->arena, x);

    if (raw)
        return raw;
    for (size_t i = 0; all && i < sizeof names / sizeof *names; i++)
        if (strcmp(all, names[i][0]) == 0)
            return names[i][1];
    if (all)
        lore_fetch_note(fetch, "%s: bottleneck \"%s\" is none of the log's; written as it is",
            lore_fetch_text(x, "id"), all);
    return all ? all : "unknown";
}

/* NULL: X has no outcome that the log could hold. */
static const char *
outcome_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    const struct lore_json *o = lore_fetch_object(x, "outcome");
    const char *typed = lore_fetch_text(x, "typed_outcome"), *effect = lore_fetch_text(o, "effect");
    const char *correct = lore_fetch_text(o, "correctness"), *id = lore_fetch_text(x, "id");

    if (lore_streq(typed, "success") || lore_streq(typed, "failure") ||
        lore_streq(typed, "neutral"))
        return typed;
    if (lore_streq(correct, "fail") || lore_streq(correct, "timeout"))
        return "failure";
    if (lore_streq(effect, "win"))
        return "success";
    if (lore_streq(effect, "loss"))
        return "failure";
    if (lore_streq(effect, "neutral"))
        return "neutral";
    if (lore_streq(effect, "inconclusive")) {
        lore_fetch_note(fetch, "%s: inconclusive; written as neutral", id);
        return "neutral";
    }
    lore_fetch_note(fetch, "%s: not measured, which the log cannot say; left out", id);
    return NULL;
}

static const char *
backend_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    const char *language = lore_fetch_text(x, "language");

    if (!lore_streq(language, "cuda") && !lore_streq(language, "triton"))
        lore_fetch_note(fetch, "%s: backend \"%s\" is neither cuda nor triton; written as it is",
            lore_fetch_text(x, "id"), language ? language : "");
    return language ? language : "cuda";
}

static const char *
dims_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    const struct lore_json *dims = lore_fetch_object(lore_fetch_object(x, "workload"), "dims");
    const char *all = "";

    for (const struct lore_json *d = dims ? dims->child : NULL; d; d = d->next)
        all = lore_format(
            fetch->arena, "%s%s%s=%s", all, *all ? "," : "", d->key, d->str ? d->str : "");
    return all;
}

static const char *
optimization_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    const char *all = NULL;

    for (const struct lore_json *t = lore_fetch_first(x, "techniques"); t; t = t->next) {
        const char *one =
            lore_fetch_text(t, "raw") ? lore_fetch_text(t, "raw") : lore_fetch_text(t, "name");
        if (one)
            all = all ? lore_format(fetch->arena, "%s + %s", all, one) : one;
    }
    return all ? all : lore_fetch_text(x, "title") ? lore_fetch_text(x, "title") : "";
}

/* A number as the log's own tool writes it: 2 is "2.0". */
static const char *
float_text(struct lore_arena *arena, double v)
{
    char text[32];

    lore_f64_text(v, text);
    return strpbrk(text, ".eEn") ? lore_strdup(arena, text) : lore_format(arena, "%s.0", text);
}

static void
put_number(struct lore_jsonw *w, struct lore_arena *arena, const char *key, bool known, double v)
{
    lore_w_key(w, key);
    lore_w_raw(w, known ? float_text(arena, v) : NULL);
}

static bool
latency_of(const struct lore_json *x, const char *side, double *ns)
{
    bool before = strcmp(side, "before") == 0;
    const struct lore_json *claim = lore_fetch_object(lore_fetch_object(x, "record"), "claim");

    return lore_fetch_number(
               lore_fetch_object(x, "outcome"), before ? "before_ns" : "after_ns", ns) ||
           lore_fetch_number(claim, before ? "latency_before_ns" : "latency_after_ns", ns);
}

static void
put_metrics(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_json *x,
    const char *key, const char *side)
{
    double v = 0;
    bool known;

    lore_w_key(w, key);
    lore_w_obj(w);
    known = lore_quantity_side(x, side, "dram_throughput_pct", arena, &v);
    put_number(w, arena, "memory_sol_pct", known, v);
    known = lore_quantity_side(x, side, "sm_throughput_pct", arena, &v);
    put_number(w, arena, "sm_sol_pct", known, v);
    known = latency_of(x, side, &v);
    put_number(w, arena, "latency_ms", known, v / 1e6);
    known = lore_quantity_side(x, side, "achieved_occupancy_pct", arena, &v);
    put_number(w, arena, "achieved_occupancy", known, v);
    lore_w_obj_end(w);
}

static const char *
date_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    const char *at = lore_fetch_text(x, "happened_at");

    if (!at)
        at = lore_fetch_text(x, "received_at");
    return at && strlen(at) >= 10 ? lore_strndup(fetch->arena, at, 10) : "";
}

static const char *
notes_of(const struct lore_fetch *fetch, const struct lore_json *x)
{
    const char *notes = lore_fetch_text(x, "notes"), *lesson = lore_fetch_text(x, "lesson");

    if (notes && lesson)
        return lore_format(fetch->arena, "%s Lesson: %s", notes, lesson);
    return notes ? notes : lesson ? lesson : "";
}

/* The label of the version that X made; the log has "—" where there is none. */
static enum lore_status
iteration_of(const struct lore_fetch *fetch, const struct lore_json *x, const char **out,
    struct lore_err *err)
{
    const char *id = lore_fetch_text(x, "to_version");
    const struct lore_json *v = NULL;

    *out = "—";
    if (!id)
        return LORE_OK;
    enum lore_status status =
        lore_fetch_one(fetch, lore_format(fetch->arena, "/api/v1/versions/%s", id), &v, err);
    if (status == LORE_OK && lore_fetch_text(v, "label"))
        *out = lore_fetch_text(v, "label");
    return status;
}

static void
put_texts(struct lore_jsonw *w, const struct lore_fetch *fetch, const struct lore_json *x,
    const char *iteration)
{
    const char *op = lore_fetch_text(x, "operator"), *chip = lore_fetch_text(x, "chip");

    lore_w_kstr(w, "date", date_of(fetch, x));
    lore_w_kstr(w, "iteration", iteration);
    lore_w_kstr(w, "kernel", op ? op : "unknown");
    lore_w_kstr(w, "backend", backend_of(fetch, x));
    lore_w_kstr(w, "chip", chip ? chip : "unknown");
    lore_w_kstr(w, "dims", dims_of(fetch, x));
    lore_w_kstr(w, "bottleneck_before", bottleneck_of(fetch, x));
    lore_w_kstr(w, "dominant_stall", "");
}

/* *OUT stays NULL when the log cannot hold X. */
static enum lore_status
make_entry(const struct lore_fetch *fetch, const struct lore_json *x, const struct lore_json **out,
    struct lore_err *err)
{
    const struct lore_json *hypothesis = lore_fetch_object(x, "hypothesis_record");
    const char *outcome = outcome_of(fetch, x), *claim = lore_fetch_text(hypothesis, "claim");
    const char *iteration = NULL;
    struct lore_buf text = {0};
    struct lore_json *node = NULL;
    struct lore_jsonw w;
    double before = 0, after = 0;
    enum lore_status status = outcome ? iteration_of(fetch, x, &iteration, err) : LORE_OK;

    if (status != LORE_OK || !outcome)
        return status;
    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    put_texts(&w, fetch, x, iteration);
    put_metrics(&w, fetch->arena, x, "metrics_before", "before");
    put_metrics(&w, fetch->arena, x, "metrics_after", "after");
    lore_w_kstr(&w, "optimization", optimization_of(fetch, x));
    lore_w_kstr(&w, "hypothesis", claim ? claim : "");
    lore_w_kstr(&w, "outcome", outcome);
    bool known = latency_of(x, "before", &before) && latency_of(x, "after", &after) && after > 0;
    double speedup = known ? before / after : 0;
    if (!known)
        known = lore_fetch_number(lore_fetch_object(x, "outcome"), "speedup", &speedup);
    put_number(&w, fetch->arena, "speedup", known, round(speedup * 100) / 100);
    lore_w_kstr(&w, "notes", notes_of(fetch, x));
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        status = lore_json_parse(text.data, text.len, NULL, fetch->arena, &node, err);
    lore_buf_free(&text);
    if (status == LORE_OK)
        *out = node;
    return status;
}

/* ---- all of them ---- */

static int64_t
own_id(const struct lore_json *record)
{
    const struct lore_json *p = lore_fetch_object(record, "provenance");
    const char *system = lore_fetch_text(p, "system"), *id = lore_fetch_text(p, "external_id");
    long long v = 0;

    if (!system || !strstr(system, SYSTEM) || !id ||
        lore_parse_i64(id, "external_id", &v, NULL) != LORE_OK || v < 1)
        return 0;
    return v;
}

static enum lore_status
add(const struct lore_fetch *fetch, const struct lore_json *row, struct lore_entries *out,
    struct lore_err *err)
{
    const char *path =
        lore_format(fetch->arena, "/api/v1/experiments/%s", lore_fetch_text(row, "id"));
    const struct lore_json *x = NULL, *node;
    enum lore_status status = lore_fetch_one(fetch, path, &x, err);

    if (status != LORE_OK || !x)
        return status;
    const struct lore_json *record = lore_fetch_object(x, "record");
    node = lore_fetch_object(lore_fetch_object(record, "extra"), "experiences");
    if (!node)
        status = make_entry(fetch, x, &node, err);
    if (status == LORE_OK && node)
        *LORE_PUSH(fetch->arena, out->v, out->n, out->cap) =
            (struct lore_experiences_entry){.node = node, .id = own_id(record)};
    return status;
}

static int
by_id(const void *a, const void *b)
{
    const struct lore_experiences_entry *x = a, *y = b;

    return (x->id > y->id) - (x->id < y->id);
}

/* Keep the log's ids. The first of several entries with one id keeps it; the others, and entries
 * without an id, get the numbers after the largest. */
static void
number_entries(const struct lore_fetch *fetch, struct lore_entries *e)
{
    int64_t last = 0;
    size_t given = 0;

    for (size_t i = 0; i < e->n; i++) {
        for (size_t k = 0; k < i && e->v[i].id > 0; k++)
            if (e->v[k].id == e->v[i].id)
                e->v[i].id = 0;
        last = e->v[i].id > last ? e->v[i].id : last;
    }
    for (size_t i = 0; i < e->n; i++) {
        if (e->v[i].id > 0)
            continue;
        e->v[i].id = ++last;
        given++;
    }
    if (given > 0)
        lore_fetch_note(fetch,
            "%zu of %zu entries had no number in the log; numbered in the order of arrival", given,
            e->n);
    if (e->n > 0)
        qsort(e->v, e->n, sizeof *e->v, by_id);
}

/* ---- notes ---- */

#define ID_LEN 26u
#define PREFIX "warplore: "
enum { NAMED = 3 }; /* ids listed in a note about several experiments */

/* "not measured, …; left out" of the line "warplore: 01…: not measured, …; left out"; ""
 * otherwise. */
static const char *
text_after_id(const char *line)
{
    const char *id = line + sizeof PREFIX - 1;

    return strlen(line) > sizeof PREFIX - 1 + ID_LEN + 2 && id[ID_LEN] == ':' ? id + ID_LEN + 2
                                                                              : "";
}

/* One note, about N experiments. */
struct note {
    const char *text, *line, *ids;
    size_t n;
};
struct note_list {
    struct note *v;
    size_t n, cap;
};

static void
add_note(const struct lore_fetch *fetch, const char *line, struct note_list *all)
{
    const char *text = text_after_id(line);
    size_t i = 0;

    while (i < all->n && (!*text || strcmp(all->v[i].text, text) != 0))
        i++;
    if (i == all->n)
        *LORE_PUSH(fetch->arena, all->v, all->n, all->cap) =
            (struct note){.text = text, .line = line, .ids = ""};
    struct note *s = &all->v[i];
    if (*text && s->n++ < NAMED)
        s->ids = lore_format(fetch->arena, "%s%s%.*s", s->ids, *s->ids ? ", " : "", (int)ID_LEN,
            line + sizeof PREFIX - 1);
}

/* Print NOTES; a note about several experiments is printed once. */
static void
print_notes(const struct lore_fetch *fetch, const char *notes)
{
    struct note_list all = {0};

    while (*notes) {
        size_t len = strcspn(notes, "\n");
        add_note(fetch, lore_strndup(fetch->arena, notes, len), &all);
        notes += len + (notes[len] == '\n');
    }
    for (size_t i = 0; i < all.n; i++) {
        const struct note *s = &all.v[i];
        if (s->n < 2)
            lore_buf_printf(fetch->notes, "%s\n", s->line);
        else
            lore_fetch_note(fetch, "%zu experiments: %s (%s%s)", s->n, s->text, s->ids,
                s->n > NAMED ? lore_format(fetch->arena, " and %zu more", s->n - NAMED) : "");
    }
}

enum lore_status
lore_experiences_collect(const struct lore_fetch *fetch, const char *filter,
    struct lore_entries *out, struct lore_err *err)
{
    const char *path =
        lore_format(fetch->arena, "/api/v1/experiments?%s%s", *filter ? filter : "words=", "");
    struct lore_fetched rows = {0};
    struct lore_buf notes = {0};
    struct lore_fetch one = *fetch;
    size_t withheld = 0;
    enum lore_status status = lore_fetch_all(fetch, path, &rows, err);

    *out = (struct lore_entries){0};
    one.notes = &notes;
    /* Lists are newest first; the log is oldest first. Hidden experiments are left out. */
    for (size_t i = rows.n; status == LORE_OK && i > 0; i--) {
        if (lore_fetch_bool(rows.v[i - 1], "withheld"))
            withheld++;
        else if (!lore_fetch_bool(rows.v[i - 1], "masked"))
            status = add(&one, rows.v[i - 1], out, err);
    }
    if (fetch->notes && notes.data)
        print_notes(fetch, notes.data);
    lore_buf_free(&notes);
    if (withheld > 0)
        lore_fetch_note(fetch, "%zu experiment%s withheld: the licence forbids redistribution",
            withheld, withheld == 1 ? "" : "s");
    if (status == LORE_OK)
        number_entries(fetch, out);
    return status;
}
