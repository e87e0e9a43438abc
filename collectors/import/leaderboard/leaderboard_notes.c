/* Reads notes.md of one operator. The whole text becomes a note. The tables of versions and of
 * failed attempts give one experiment per row. The leaderboard row is merged into the history
 * row of the best version, because both describe the same change. */
#include <string.h>
#include <strings.h>

#include "collectors/import/leaderboard/leaderboard_md.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* The column whose name begins with one of NAMES; SIZE_MAX: none. */
static size_t
column(const struct lore_md_table *t, const char *const *names)
{
    for (size_t k = 0; names[k]; k++) {
        for (size_t i = 0; i < t->header.n; i++) {
            if (strncasecmp(t->header.cells[i], names[k], strlen(names[k])) == 0)
                return i;
        }
    }
    return SIZE_MAX;
}

static const char *
cell(const struct lore_md_row *row, size_t i)
{
    return i < row->n && *row->cells[i] && strcmp(row->cells[i], "—") != 0 ? row->cells[i] : NULL;
}

/* "260 µs" in nanoseconds. */
static bool
duration(const char *text, double *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"µs", 1e3}, {"μs", 1e3}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *rest = NULL;

    if (!text || !lore_md_number(text, ns, &rest, NULL) || *ns < 0)
        return false;
    rest += strspn(rest, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!lore_starts(rest, units[i].unit))
            continue;
        *ns = lore_build_ns(*ns * (units[i].ns / 1e6));
        return *ns < 9e15;
    }
    return false;
}

static const char *
row_key(struct lore_arena *arena, const char *what, const struct lore_md_row *row)
{
    const char *key = what;

    for (size_t i = 0; i < row->n; i++)
        key = lore_format(arena, "%s|%s", key, row->cells[i]);
    return key;
}

static const char *
row_words(struct lore_arena *arena, const struct lore_md_table *t, const struct lore_md_row *row)
{
    const char *words = "";

    for (size_t i = 0; i < row->n; i++)
        words = lore_format(arena, "%s%s%s: %s", words, i ? "; " : "",
            i < t->header.n ? t->header.cells[i] : "", row->cells[i]);
    return strlen(words) <= (64u << 10) ? words : NULL;
}

static void
take_numbers(const struct lore_md_table *t, const struct lore_md_row *row, double *first,
    struct lore_claim *c)
{
    static const char *const befores[] = {"before", "baseline", NULL};
    static const char *const afters[] = {"after", "latency", "time", NULL};
    static const char *const speedups[] = {"speedup", "speed-up", "gain", NULL};
    const char *gain = cell(row, column(t, speedups)), *rest = NULL;
    double v = 0;

    if (duration(cell(row, column(t, befores)), &v)) {
        c->latency_before_ns = (struct lore_f64){true, v};
        if (*first < 0)
            *first = v;
        else if (v >= *first && v <= *first)
            c->base = LORE_BASE_FIRST;
    }
    if (duration(cell(row, column(t, afters)), &v))
        c->latency_after_ns = (struct lore_f64){true, v};
    if (gain && lore_md_number(gain, &v, &rest, NULL) && v >= 0 && v < 1e9 &&
        (lore_starts(rest, "×") || *rest == 'x' || lore_starts(rest, " ×")))
        c->speedup = (struct lore_f64){true, v};
}

/* Add an experiment for each row of a table Version | Change | Before | After | Speedup |
 * Result. */
static void
take_history(
    struct lore_import *in, struct lore_leaderboard_entry *e, const struct lore_md_table *t)
{
    static const char *const changes[] = {"change", "what", "optimization", "description", NULL};
    static const char *const results[] = {"result", "status", "verdict", "outcome", NULL};
    double first = -1;

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        const char *name = row->cells[0];
        double n = -1;
        in->records++;
        if ((*name != 'v' && *name != 'V') || !lore_md_number(name + 1, &n, NULL, NULL) || n < 0 ||
            n > 1e6) {
            lore_import_refuse_line(in, row->line, "\"%s\" is not a version number", name);
            continue;
        }
        const char *to = lore_leaderboard_version_id(in, e, (int64_t)n), *from = NULL;
        for (size_t k = 0; k < e->n_versions; k++) {
            if (e->versions[k].n < (int64_t)n)
                from = e->versions[k].id;
        }
        bool best = (int64_t)n == e->best && !e->used;
        struct lore_experiment *x = lore_leaderboard_experiment(in, e,
            lore_format(in->arena, "%s|%s|%s|%s", row_key(in->arena, "history", row),
                from ? from : "", to, best && e->raw ? e->raw : ""));
        x->from_version = from;
        x->to_version = to;
        x->claim.set = true;
        x->claim.base = LORE_BASE_PARENT;
        take_numbers(t, row, &first, &x->claim);
        const char *result = cell(row, column(t, results));
        x->claim.outcome = result && strlen(result) <= 200 ? result : NULL;
        lore_build_title(in->arena, x, cell(row, column(t, changes)));
        if (!x->title)
            x->title = lore_format(in->arena, "%s %s", e->name, strlen(name) < 60 ? name : "");
        x->notes = row_words(in->arena, t, row);
        struct lore_f64 notes_speedup = x->claim.speedup;
        if (best)
            lore_leaderboard_claim_row(in, e, x);
        if (best && notes_speedup.set && x->claim.speedup.set &&
            (notes_speedup.v < x->claim.speedup.v || notes_speedup.v > x->claim.speedup.v))
            lore_import_note(in, LORE_IL_CONFLICTS,
                "%s: the board says %.4g×, notes.md %.4g× for %s", e->name, x->claim.speedup.v,
                notes_speedup.v, name);
        x->provenance.path = in->at->path;
        x->provenance.external_id = lore_format(in->arena, "%s notes:%zu", e->name, row->line);
    }
}

/* Read a signed percentage as a change of speed: "174.8 (-9%)" gives a speedup of 0.91. */
static bool
change_of_speed(const char *result, double *speedup)
{
    for (const char *p = result; *p; p++) {
        bool minus = *p == '-' || lore_starts(p, "−");
        const char *number = minus || *p == '+' ? p : NULL, *rest = NULL;
        double v = 0;
        if (!number || !lore_md_number(number, &v, &rest, NULL) || v <= -100 || v > 1000)
            continue;
        rest += strspn(rest, " ");
        if (*rest != '%')
            continue;
        *speedup = 1 + v / 100;
        return true;
    }
    return false;
}

/* Add an experiment for each row of a table Attempt | Result | Analysis. Each row is an abandoned
 * change to the baseline. */
static size_t
take_attempts(
    struct lore_import *in, struct lore_leaderboard_entry *e, const struct lore_md_table *t)
{
    static const char *const results[] = {"result", "outcome", NULL};
    static const char *const lessons[] = {"analysis", "why", "lesson", "reason", NULL};
    size_t n = 0;

    for (size_t i = 0; i < t->n; i++) {
        const struct lore_md_row *row = &t->rows[i];
        in->records++;
        if (!*row->cells[0]) {
            lore_import_refuse_line(in, row->line, "the attempt has no name");
            continue;
        }
        struct lore_experiment *x = lore_leaderboard_experiment(in, e,
            lore_format(in->arena, "%s|%s", row_key(in->arena, "attempt", row),
                e->campaign ? e->campaign : ""));
        const char *result = cell(row, column(t, results));
        const char *lesson = cell(row, column(t, lessons));
        x->claim.set = true;
        x->claim.outcome = result && strlen(result) <= 200 ? result : NULL;
        x->claim.base = LORE_BASE_FIRST;
        if (result && change_of_speed(result, &x->claim.speedup.v)) {
            x->claim.speedup.set = true;
            lore_import_note(in, LORE_IL_DOUBTS,
                "%s: the percentages of attempts name no quantity; read as a change of speed",
                in->at->path);
        }
        lore_build_title(in->arena, x, row->cells[0]);
        x->lesson = lesson;
        x->notes = row_words(in->arena, t, row);
        x->campaign = e->campaign;
        if (e->n_versions > 0 && e->versions[0].n == 0)
            x->from_version = e->versions[0].id;
        x->provenance.path = in->at->path;
        x->provenance.external_id = lore_format(in->arena, "%s notes:%zu", e->name, row->line);
        n++;
    }
    return n;
}

static void
add_note(struct lore_import *in, const struct lore_leaderboard_entry *e, const struct lore_md *md)
{
    struct lore_submission *doc = in->doc;
    char hex[LORE_HASH_HEX];

    if (e->notes->len == 0 || e->notes->len > (64u << 10)) {
        lore_import_note(in, LORE_IL_EXTRA,
            "%s: empty or too long for a note; kept in the stored file", e->notes->path);
        return;
    }
    lore_hash_hex(e->notes->text, e->notes->len, hex);
    struct lore_insight *n =
        LORE_PUSH(in->arena, doc->insights, doc->n_insights, doc->cap_insights);
    n->id = lore_build_id(
        in->arena, 0, "leaderboard-note|%s|%s|%s", e->kernel, e->chip ? e->chip : "", hex);
    n->kind = "note";
    n->title = md->title && *md->title && strlen(md->title) <= 200 ? md->title : e->name;
    n->body = e->notes->text;
    n->op = e->op;
    n->chip = e->chip;
    n->language = e->language;
    n->confidence = "source_reported";
    n->provenance.system = LORE_LEADERBOARD_SYSTEM;
    n->provenance.path = e->notes->path;
}

void
lore_leaderboard_notes(struct lore_import *in, struct lore_leaderboard_entry *e)
{
    struct lore_md md;
    size_t attempts = 0;

    lore_import_open(in, e->notes);
    lore_md_parse(in->arena, e->notes->text, e->notes->len, NULL, &md);
    add_note(in, e, &md);
    for (size_t i = 0; i < md.n_tables; i++) {
        const struct lore_md_table *t = &md.tables[i];
        const char *first = t->header.n > 0 ? t->header.cells[0] : "";
        if (lore_streqi(first, "version"))
            take_history(in, e, t);
        else if (lore_streqi(first, "attempt"))
            attempts += take_attempts(in, e, t);
    }
    if (e->attempts >= 0 && (int64_t)attempts < e->attempts)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: the row counts %lld failed attempts, notes.md describes %zu", e->name,
            (long long)e->attempts, attempts);
}
