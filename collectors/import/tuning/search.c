/* Collects the configurations of a search by columns (search.h). */
#include "collectors/import/tuning/search.h"
#include "collectors/import/rows.h"
#include "collectors/import/tuning/search_group.h"
#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISAGREES 0.01    /* relative difference; a larger one is not rounding */
#define MANY_DISAGREE 0.1 /* fraction of the configurations */
/* Texts of one sweep. A document may have 48 MiB (wire.h), and to make one takes four times its
 * size, of the 200 MB that an import may take. */
#define MAX_TEXTS ((size_t)16 << 20)
#define MAX_MEMORY ((size_t)56 << 20) /* of the configurations of one sweep */
#define MAX_MS 1e9                    /* eleven days */
#define SAMPLE_BYTES 8                /* digits of a sample and its blank, on average */

void
lore_search_begin(struct lore_search *s, struct lore_import *in, const char *system)
{
    *s = (struct lore_search){.in = in, .system = system, .statistic = "mean"};
}

/* ---- places ---- */

/* P with texts of its own; only a new place is copied. */
static struct lore_search_place
copy_of(struct lore_arena *arena, const struct lore_search_place *p)
{
    struct lore_search_place to = *p;
    struct lore_kvs dims = {0};

    to.kernel = lore_strdup(arena, p->kernel);
    to.symbol = lore_strdup(arena, p->symbol);
    to.op = lore_strdup(arena, p->op);
    to.chip = lore_strdup(arena, p->chip);
    to.device = lore_strdup(arena, p->device);
    to.variant = lore_strdup(arena, p->variant);
    to.workload.op = p->workload.op ? lore_strdup(arena, p->workload.op) : to.op;
    to.workload.dtype = lore_strdup(arena, p->workload.dtype);
    to.workload.layout = lore_strdup(arena, p->workload.layout);
    for (size_t i = 0; i < p->workload.dims.n; i++)
        lore_kvs_set(arena, &dims, lore_strdup(arena, p->workload.dims.v[i].key),
            lore_strdup(arena, p->workload.dims.v[i].value));
    to.workload.dims = dims;
    return to;
}

size_t
lore_search_place(struct lore_search *s, const struct lore_search_place *p)
{
    struct lore_arena *arena = lore_import_kept(s->in);
    const char *text = lore_format(&s->scratch, "%s|%d|%s|%s|%s|%s|%s", p->kernel, (int)p->language,
        p->symbol ? p->symbol : "", p->chip ? p->chip : "", p->device ? p->device : "",
        p->variant ? p->variant : "", lore_workload_text(&s->scratch, p->op, &p->workload));
    size_t *at = lore_index_at(arena, &s->places, text);

    if (*at > 0)
        return *at - 1;
    struct lore_search_group *g = lore_alloc(arena, sizeof *g);
    *LORE_PUSH(arena, s->groups, s->n_groups, s->cap_groups) = g;
    *at = s->n_groups;
    g->place = copy_of(arena, p);
    g->part = 1;
    return s->n_groups - 1;
}

void
lore_search_header(struct lore_search *s, const struct lore_search_place *of, const char *text)
{
    struct lore_import *in = s->in;

    if (s->n == 0 || strlen(text) > (1u << 20))
        return;
    struct lore_source_document *d = LORE_PUSH(in->arena, in->doc->source_documents,
        in->doc->n_source_documents, in->doc->cap_source_documents);
    d->id = lore_build_id(in->arena, 0, "%s-header|%s|%s", s->system, in->file, text);
    d->title = lore_format(
        in->arena, "Tuning of %.60s on %s", of->kernel, of->chip ? of->chip : "an unknown chip");
    d->path = in->file;
    d->text = text;
    d->provenance.system = s->system;
}

/* ---- one configuration ---- */

void
lore_search_param(
    struct lore_search *s, struct lore_search_config *c, const char *name, const char *json)
{
    (void)s;
    if (c->n_params < LORE_SWEEP_SERIES)
        c->params[c->n_params] =
            (struct lore_search_value){.name = name, .json = json ? json : "\"\""};
    c->n_params++;
}

struct lore_search_value *
lore_search_value(struct lore_search *s, struct lore_search_config *c, const char *name,
    const char *unit, const char *json)
{
    struct lore_search_value *v = LORE_PUSH(&s->scratch, c->values, c->n_values, c->cap_values);

    *v = (struct lore_search_value){.name = name, .unit = unit, .json = json};
    return v;
}

static bool
is_time(double ms)
{
    return ms >= 0 && ms <= MAX_MS;
}

void
lore_search_timed(
    struct lore_search *s, struct lore_search_config *c, double ms, const char *written)
{
    if (ms > 0 && is_time(ms)) {
        c->time_ms = ms;
        return;
    }
    c->untimed = true;
    (void)lore_search_value(s, c, "stated_time", NULL, written);
    lore_import_note(s->in, LORE_IL_DOUBTS,
        "%s: a stated time of %.60s is no time; the configuration is stored without it, and with "
        "it "
        "as stated_time",
        s->in->file, written);
}

void
lore_search_sample(struct lore_search *s, struct lore_search_config *c, double ms)
{
    if (!is_time(ms)) {
        lore_import_note(s->in, LORE_IL_DOUBTS,
            "%s: a time of %g ms in a list of times is left out", s->in->file, ms);
        return;
    }
    *LORE_PUSH(&s->scratch, c->samples_ms, c->n_samples, c->cap_samples) = ms;
}

/* A configuration that was excluded before it was compiled counts as one that does not compile. */
static const struct {
    const char *pattern, *type;
} errors[] = {
    {"compil", "compilation"},
    {"runtime", "runtime"},
    {"computation", "runtime"},
    {"timeout", "timeout"},
    {"correct", "accuracy"},
    {"verif", "accuracy"},
    {"validation", "accuracy"},
    {"constraint", "compilation"},
    {"limit", "compilation"},
    {"resource", "compilation"},
    {"accuracy", "accuracy"},
    {"environment", "environment"},
    {"process", "process"},
    {"not_supported", "runtime"}, /* the kernel is there, and does not take the problem */
    {"unsupported", "runtime"},
    {"invalid_problem", "runtime"},
    {"invalid", "compilation"},
};

void
lore_search_fail(struct lore_search *s, struct lore_search_config *c, const char *code)
{
    const char *lower = lore_slug(&s->scratch, code);

    c->said = code;
    c->error = "runtime";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strstr(lower, errors[i].pattern)) {
            c->error = errors[i].type;
            return;
        }
    }
    lore_import_note(s->in, LORE_IL_DOUBTS,
        "%s: \"%s\" instead of a time: recorded as a runtime error", s->in->file, code);
}

/* ---- columns ---- */

/* The column NAME, or a new one; NULL: there are too many. HINT is where it probably stands. */
static struct lore_search_column *
column(struct lore_search_group *g, struct lore_search_columns *cols, size_t hint,
    const struct lore_search_value *v)
{
    if (hint < cols->n && strcmp(cols->v[hint].name, v->name) == 0)
        return &cols->v[hint];
    for (size_t i = 0; i < cols->n; i++)
        if (strcmp(cols->v[i].name, v->name) == 0)
            return &cols->v[i];
    if (cols->n == LORE_SWEEP_SERIES)
        return NULL;
    struct lore_search_column *c = &cols->v[cols->n++];
    *c = (struct lore_search_column){lore_strdup(&g->arena, v->name),
        lore_strdup(&g->arena, v->unit), v->counter, lore_series_new(&g->arena, g->n)};
    return c;
}

/* Bytes that a value takes in the texts of a sweep, as JSON in a JSON text. */
static size_t
bytes_of(const char *json, size_t len)
{
    size_t n = len + 1;

    for (const char *p = *json == '"' ? json : ""; *p != '\0'; p++)
        n += *p == '"' || *p == '\\';
    return n;
}

static void
set(struct lore_search_group *g, struct lore_search_column *c, const char *json)
{
    size_t len = strlen(json);

    lore_series_extend(c->t, g->n + 1);
    lore_series_set(c->t, g->n, json, len);
    g->bytes += bytes_of(json, len);
}

static uint64_t
set_params(struct lore_search_group *g, const struct lore_search_config *c)
{
    uint64_t print = 0;

    for (size_t i = 0; i < c->n_params; i++) {
        const struct lore_search_value *v = &c->params[i];
        uint64_t h = lore_fnv_bytes(LORE_FNV, v->name, strlen(v->name) + 1);
        struct lore_search_column *to = column(g, &g->params, i, v);
        if (to)
            set(g, to, v->json);
        h = lore_fnv_bytes(h, v->json, strlen(v->json));
        h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93); /* else sums of FNV hashes collide */
        print += h ^ h >> 32;                             /* in any order */
    }
    return print;
}

/* A stated time that the samples contradict is kept beside them. */
static void
set_stated(struct lore_search_group *g, double time_ms)
{
    char text[32];
    const struct lore_search_value v = {.name = "time", .unit = "ms"};
    struct lore_search_column *c = column(g, &g->values, g->stated - 1, &v);

    if (!c)
        return;
    g->stated = (size_t)(c - g->values.v) + 1;
    (void)lore_f64_text(time_ms, text);
    set(g, c, text);
}

static void
set_values(struct lore_search *s, struct lore_search_group *g, const struct lore_search_config *c)
{
    for (size_t i = 0; i < c->n_values; i++) {
        const struct lore_search_value *v = &c->values[i];
        struct lore_search_column *to = column(g, &g->values, i, v);
        if (to)
            set(g, to, v->json);
        else
            lore_import_note(s->in, LORE_IL_EXTRA,
                "%s: more than %d values of a configuration; %s is in the file only", s->in->file,
                LORE_SWEEP_SERIES, v->name);
    }
}

static uint32_t
why_of(struct lore_search_group *g, const struct lore_search_config *c)
{
    size_t at = 0;

    if (!c->error)
        return 0;
    while (at < g->n_whys &&
           !(lore_streq(g->whys[at].type, c->error) && lore_streq(g->whys[at].said, c->said)))
        at++;
    if (at == g->n_whys)
        *LORE_PUSH(&g->arena, g->whys, g->n_whys, g->cap_whys) =
            (struct lore_sweep_why){c->error, lore_strdup(&g->arena, c->said), 0};
    g->whys[at].n++;
    return (uint32_t)at + 1;
}

static double
mean_of(const struct lore_search_config *c)
{
    double sum = 0;

    for (size_t i = 0; i < c->n_samples; i++)
        sum += c->samples_ms[i];
    return c->n_samples > 0 ? sum / (double)c->n_samples : 0;
}

static enum lore_status
check(const struct lore_search_config *c, struct lore_err *err)
{
    if (c->n_params > LORE_SWEEP_SERIES)
        return lore_fail(err, LORE_INVALID, "more than %d parameters", LORE_SWEEP_SERIES);
    if (c->n_samples > LORE_MAX_SAMPLES)
        return lore_fail(err, LORE_INVALID, "more than %d times", LORE_MAX_SAMPLES);
    if (!c->error && !c->best && !c->untimed && !(c->time_ms > 0) && !(mean_of(c) > 0))
        return lore_fail(err, LORE_INVALID, "time: missing");
    return LORE_OK;
}

static void
count(struct lore_search *s, const struct lore_search_row *row, const struct lore_search_config *c)
{
    s->n++;
    s->failed += row->why > 0;
    s->disagree += row->disagrees;
    s->failed_with_samples += row->why > 0 && c->n_samples > 0;
    s->unchecked += row->why == 0 && c->check == LORE_C_NOT_CHECKED;
}

enum lore_status
lore_search_add(struct lore_search *s, struct lore_search_config *c, struct lore_err *err)
{
    struct lore_search_group *g = s->groups[c->place];
    struct lore_search_row row = {.time_ms = c->time_ms, .check = c->check, .ms = c->ms};
    enum lore_status status = check(c, err);

    if (status != LORE_OK) {
        lore_search_drop(s);
        return status;
    }
    if (g->bytes > MAX_TEXTS || g->arena.used > MAX_MEMORY || g->n == LORE_SERIES_MAX)
        lore_search_write(s, g);
    row.mean_ms = mean_of(c);
    if (row.time_ms <= 0 && !c->error)
        row.time_ms = row.mean_ms;
    row.disagrees =
        !c->error && c->n_samples > 0 && fabs(row.mean_ms - row.time_ms) > DISAGREES * row.time_ms;
    row.first = g->n_samples;
    row.best = c->best && row.time_ms <= 0;
    row.key = lore_strdup(&g->arena, c->key);
    row.label = lore_strdup(&g->arena, c->label);
    row.measured_at = lore_strdup(&g->arena, c->measured_at);
    row.print = set_params(g, c);
    if (row.disagrees)
        set_stated(g, row.time_ms);
    set_values(s, g, c);
    row.why = why_of(g, c);
    for (size_t i = 0; i < c->n_samples; i++)
        *LORE_PUSH(&g->arena, g->samples, g->n_samples, g->cap_samples) =
            (int64_t)llround(c->samples_ms[i] * 1e6);
    g->bytes += SAMPLE_BYTES * (c->n_samples + 2);
    *LORE_PUSH(&g->arena, g->rows, g->n, g->cap) = row;
    count(s, &row, c);
    lore_search_drop(s);
    return LORE_OK;
}

void
lore_search_drop(struct lore_search *s)
{
    lore_arena_reset(&s->scratch);
}

void
lore_search_refuse_line(struct lore_search *s, size_t line, const struct lore_err *err)
{
    lore_search_drop(s);
    lore_import_refuse_line(s->in, line, "%s", err->msg);
}

void
lore_search_refuse(struct lore_search *s, const struct lore_rows *rows, const char *path,
    const struct lore_err *err)
{
    const char *key = rows->row ? lore_search_text(rows->row, "key") : NULL;

    if (key && lore_json_get(rows->row, "value"))
        lore_import_refuse_line(s->in, rows->line, "%s[\"%.60s\"]: %s", path, key, err->msg);
    else
        lore_import_refuse_line(s->in, rows->line, "%s[%zu]: %s", path, rows->n - 1, err->msg);
    lore_search_drop(s);
}

/* ---- the end ---- */

static void
note_disagreement(struct lore_search *s)
{
    size_t ran = s->n - s->failed;

    s->no_samples = (double)s->disagree > MANY_DISAGREE * (double)ran;
    if (s->disagree == 0)
        return;
    lore_import_note(s->in, LORE_IL_DOUBTS,
        "%s: for %zu of %zu configurations, the mean of the list of times differs from the stated "
        "time; %s",
        s->in->file, s->disagree, ran,
        s->no_samples ? "the stated time is used"
                      : "the mean of the list is used, the stated time is kept beside it");
}

static void
note_doubts(struct lore_search *s)
{
    struct lore_import *in = s->in;

    if (s->failed_with_samples > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: %zu configurations have times and are marked as failed; recorded as failures with "
            "their times as samples",
            in->file, s->failed_with_samples);
    lore_import_note(in, LORE_IL_NAMES, "%s: %zu configurations, %zu of them failed; %zu sweep%s",
        in->file, s->n, s->failed, s->n_groups, s->n_groups == 1 ? "" : "s, one for each workload");
    if (s->unchecked > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: the results of %zu configuration%s were not verified; their correctness is "
            "recorded as not checked",
            in->file, s->unchecked, s->unchecked == 1 ? "" : "s");
}

void
lore_search_end(struct lore_search *s)
{
    if (s->n > 0) {
        note_disagreement(s);
        for (size_t i = 0; i < s->n_groups; i++) {
            lore_search_write(s, s->groups[i]);
            (void)!lore_import_flush(s->in, NULL); /* the intake remembers why it ended */
        }
        note_doubts(s);
    }
    for (size_t i = 0; i < s->n_groups; i++)
        lore_arena_free(&s->groups[i]->arena);
    lore_arena_free(&s->scratch);
}
