/* Reads results.tsv and idea-log.jsonl of a session and joins them. The table has one row an
 * attempt, in order, and cuts ideas short; the log has them in full. Rows of one table may differ
 * in the number and order of columns (an agent writes each by hand): a row that does not fit the
 * header is read by the form of its fields. */
#include <math.h>
#include <string.h>

#include "collectors/import/agent_logs/agent_logs.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { COLUMNS = 32 };

const struct lore_agent_decision *
lore_agent_decision_find(const char *word)
{
    static const struct lore_agent_decision decisions[] = {
        {"KEEP", false, true, NULL},
        {"BEST", false, true, NULL},
        {"DISCARD", false, false, NULL},
        {"COMPILE_FAIL", false, false, "compilation"},
        {"RUNTIME_FAIL", false, false, "runtime"},
        {"SEGFAULT", false, false, "runtime"},
        {"CRASH", false, false, "runtime"},
        {"FAIL", false, false, "runtime"},
        {"HANG", false, false, "timeout"},
        {"TIMEOUT", false, false, "timeout"},
        {"VERIFY_FAIL", false, false, "accuracy"},
        {"REFERENCE", true, false, NULL},
    };

    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
        if (lore_streqi(decisions[i].word, word))
            return &decisions[i];
    return NULL;
}

/* ---- the table ---- */

struct row {
    char *v[COLUMNS];
    size_t n;
};

static struct row
split(char *line)
{
    struct row r = {.n = 0};

    for (char *s = line; s && r.n < COLUMNS; r.n++) {
        r.v[r.n] = s;
        s = strchr(s, '\t');
        if (s)
            *s++ = '\0';
    }
    return r;
}

/* The number of S. Nothing for "-" and for what is no finite number of 0 or more. */
static struct lore_f64
number(const char *s)
{
    double v = 0;
    bool ok = lore_parse_f64(s, "", &v, NULL) == LORE_OK && isfinite(v) && v >= 0;

    return (struct lore_f64){ok, ok ? v : 0};
}

static void
set_field(struct lore_arena *arena, struct lore_agent_attempt *a, const char *name, char *value)
{
    const struct {
        const char *name, **field;
    } fields[] = {{"iter", &a->iter}, {"kernel", &a->kernel}, {"decision", &a->decision},
        {"bottleneck", &a->bottleneck}, {"idea_summary", &a->idea}, {"idea", &a->idea},
        {"timestamp", &a->when}};

    if (strcmp(value, "-") == 0 || *value == '\0')
        return;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (lore_streqi(name, fields[i].name) && **fields[i].field == '\0') {
            *fields[i].field = value;
            return;
        }
    if (lore_streqi(name, "tflops") && number(value).set)
        a->tflops = number(value);
    else if (*name && strlen(name) <= LORE_TAKE_NAME && !lore_kvs_get(&a->columns, name))
        lore_kvs_set(arena, &a->columns, name, lore_build_json_text(arena, value));
}

/* A row that does not fit the header: [round,] iter, kernel, then a decision, a speed and a
 * bottleneck in any order, and the idea. */
static void
read_by_form(struct lore_arena *arena, struct row *r, struct lore_agent_attempt *a)
{
    size_t first = r->n == 7 && r->v[0][strspn(r->v[0], "0123456789")] == '\0';

    if (first)
        set_field(arena, a, "round", r->v[0]);
    set_field(arena, a, "iter", r->v[first]);
    set_field(arena, a, "kernel", r->v[first + 1]);
    set_field(arena, a, "idea", r->v[r->n - 1]);
    for (size_t i = first + 2; i + 1 < r->n; i++) {
        const char *name = "bottleneck";
        if (lore_agent_decision_find(r->v[i]))
            name = "decision";
        else if (number(r->v[i]).set)
            name = "tflops";
        else if (*a->bottleneck)
            name = lore_format(arena, "column %zu", i + 1);
        set_field(arena, a, name, r->v[i]);
    }
}

/* Whether the fields of R are in the order of the header: no other one than the decision is a
 * decision. */
static bool
fits(const struct row *header, const struct row *r)
{
    bool ok = header->n == r->n;

    for (size_t i = 0; ok && i < r->n; i++)
        ok = lore_streqi(header->v[i], "decision") || !lore_agent_decision_find(r->v[i]);
    return ok;
}

static const struct lore_agent_attempt empty = {.iter = "",
    .kernel = "",
    .decision = "",
    .bottleneck = "",
    .idea = "",
    .expected = "",
    .notes = "",
    .when = "",
    .source = ""};

static void
read_row(struct lore_import *in, const struct row *header, char *line, size_t at,
    struct lore_agent_attempts *out)
{
    struct lore_agent_attempt a = empty;

    in->records++;
    a.source = lore_strdup(in->arena, line);
    a.row = at;
    struct row r = split(line);
    if (r.n < 4) {
        lore_import_refuse_line(in, at, "%zu columns; an attempt has at least 4", r.n);
        return;
    }
    if (fits(header, &r))
        for (size_t i = 0; i < r.n; i++)
            set_field(in->arena, &a, header->v[i], r.v[i]);
    else
        read_by_form(in->arena, &r, &a);
    *LORE_PUSH(in->arena, out->v, out->n, out->cap) = a;
}

static bool
is_header(const struct row *r)
{
    bool found = false;

    for (size_t i = 0; i < r->n; i++)
        found |= lore_streqi(r->v[i], "decision");
    return found;
}

static void
read_table(struct lore_import *in, struct lore_import_file *f, struct lore_agent_attempts *out)
{
    char *p = lore_strndup(in->arena, f->text, f->len);
    struct row header = {.n = 0};

    lore_import_open(in, f);
    if (!f->utf8) {
        lore_import_refuse_line(in, 0, "not UTF-8 text");
        return;
    }
    for (size_t line = 1; *p; line++) {
        size_t n = strcspn(p, "\n");
        char *next = p + n + (p[n] == '\n');
        p[n - (n > 0 && p[n - 1] == '\r')] = '\0';
        if (line == 1)
            header = split(lore_strdup(in->arena, p));
        if (line == 1 && is_header(&header))
            ;
        else if (n > LORE_TAKE_TEXT)
            lore_import_refuse_line(in, line, "longer than %zu bytes", LORE_TAKE_TEXT);
        else if (*p)
            read_row(in, &header, p, line, out);
        p = next;
    }
}

/* ---- the log ---- */

static bool
read_idea(
    struct lore_take *take, const char *text, size_t len, size_t at, struct lore_agent_attempt *a)
{
    struct lore_json *node = NULL;
    struct lore_err err = {0};

    if (lore_json_parse(text, len, NULL, take->in->arena, &node, &err) != LORE_OK ||
        node->type != LORE_J_OBJECT) {
        take->in->records++;
        lore_import_refuse_line(take->in, at, "%s", node ? "expected an object" : err.msg);
        return false;
    }
    *a = empty;
    a->node = node;
    a->line = at;
    a->source = lore_strndup(take->in->arena, text, len);
    lore_take_text(take, node, "iter", LORE_TAKE_NAME, &a->iter);
    lore_take_text(take, node, "kernel", LORE_TAKE_NAME, &a->kernel);
    if (!lore_take_text(take, node, "decision", LORE_TAKE_NAME, &a->decision))
        lore_take_text(take, node, "status", LORE_TAKE_NAME, &a->decision);
    lore_take_text(take, node, "bottleneck", LORE_TAKE_LINE, &a->bottleneck);
    lore_take_text(take, node, "idea", LORE_TAKE_TEXT, &a->idea);
    lore_take_text(take, node, "expected_gain", LORE_TAKE_LINE, &a->expected);
    lore_take_text(take, node, "notes", LORE_TAKE_TEXT, &a->notes);
    lore_take_text(take, node, "timestamp", LORE_TAKE_NAME, &a->when);
    lore_take_amount(take, node, "tflops", &a->tflops);
    return true;
}

static void
read_ideas(struct lore_take *take, struct lore_import_file *f, struct lore_agent_attempts *out)
{
    const char *p = f->text;

    lore_import_open(take->in, f);
    if (!f->utf8) {
        lore_import_refuse_line(take->in, 0, "not UTF-8 text");
        return;
    }
    for (size_t line = 1; *p; line++) {
        size_t n = strcspn(p, "\n");
        struct lore_agent_attempt a;
        if (p[strspn(p, " \t\r")] != '\n' && n > 0 && read_idea(take, p, n, line, &a))
            *LORE_PUSH(take->in->arena, out->v, out->n, out->cap) = a;
        p += n + (p[n] == '\n');
    }
}

/* ---- both ---- */

/* Whether IDEA is of the attempt in ROW. Early logs have no iteration but a number, which the table
 * then has in its place. */
static bool
belongs(const struct lore_agent_attempt *row, const struct lore_agent_attempt *idea)
{
    const struct lore_json *round = lore_json_get(idea->node, "round");

    if (*idea->iter)
        return strcmp(idea->iter, row->iter) == 0;
    if (*idea->kernel)
        return strcmp(idea->kernel, row->kernel) == 0;
    return round && round->type == LORE_J_NUMBER && strcmp(round->str, row->iter) == 0;
}

static void
add_note(struct lore_import *in, struct lore_agent_attempt *row, const char *text)
{
    if (*text)
        row->notes = *row->notes ? lore_format(in->arena, "%s\n%s", row->notes, text) : text;
}

/* FIELD of ROW: its own value, else THEIRS. Where they differ the table counts, and the log's value
 * goes to the notes. */
static void
merge(struct lore_import *in, struct lore_agent_attempt *row, const char *what, const char **field,
    const char *theirs)
{
    if (**field == '\0')
        *field = theirs;
    if (*theirs == '\0' || strcmp(*field, theirs) == 0)
        return;
    lore_import_note(in, LORE_IL_CONFLICTS, "%s line %zu: %s is %s, in %s %s", LORE_AGENT_TABLE,
        row->row, what, *field, LORE_AGENT_IDEAS, theirs);
    add_note(in, row, lore_format(in->arena, "%s: %s %s", LORE_AGENT_IDEAS, what, theirs));
}

static const char *
digits_of(struct lore_import *in, struct lore_f64 v)
{
    return v.set ? lore_format(in->arena, "%.17g", v.v) : "";
}

/* Add to ROW what IDEA has more of. */
static void
join(struct lore_import *in, struct lore_agent_attempt *row, const struct lore_agent_attempt *idea)
{
    size_t cut = strlen(row->idea);
    const char *tflops = digits_of(in, row->tflops);

    while (cut > 0 && row->idea[cut - 1] == ' ')
        cut--;
    add_note(in, row, strncmp(idea->idea, row->idea, cut) != 0 ? row->idea : "");
    add_note(in, row, idea->notes);
    if (*idea->idea)
        row->idea = idea->idea;
    merge(in, row, "decision", &row->decision, idea->decision);
    merge(in, row, "bottleneck", &row->bottleneck, idea->bottleneck);
    merge(in, row, "kernel", &row->kernel, idea->kernel);
    merge(in, row, "timestamp", &row->when, idea->when);
    merge(in, row, "tflops", &tflops, digits_of(in, idea->tflops));
    if (!row->tflops.set)
        row->tflops = idea->tflops;
    row->expected = idea->expected;
    row->line = idea->line;
    row->node = idea->node;
    row->source = lore_format(in->arena, "%s\n%s", row->source, idea->source);
}

static void
read_times(struct lore_import *in, struct lore_agent_attempts *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct lore_agent_attempt *a = &all->v[i];
        int64_t us = 0;
        if (*a->when && lore_time_parse(a->when, &us, NULL) == LORE_OK && us > 0)
            a->ms = us / 1000;
        else if (*a->when)
            add_note(in, a, lore_format(in->arena, "timestamp: %s", a->when));
    }
}

void
lore_agent_rows_read(struct lore_take *take, struct lore_import_file *table,
    struct lore_import_file *ideas, struct lore_agent_attempts *out)
{
    struct lore_agent_attempts rows = {0}, log = {0};
    struct lore_import *in = take->in;
    size_t done = 0; /* lines of the log before this one are in OUT */

    *out = (struct lore_agent_attempts){0};
    if (table)
        read_table(in, table, &rows);
    if (ideas)
        read_ideas(take, ideas, &log);
    bool *taken = lore_alloc_array(in->arena, log.n + 1, sizeof *taken);
    size_t *of = lore_alloc_array(in->arena, rows.n + 1, sizeof *of);
    for (size_t r = 0, from = 0; r < rows.n; r++) {
        for (; from < log.n && taken[from]; from++)
            ;
        of[r] = from;
        while (of[r] < log.n && (taken[of[r]] || !belongs(&rows.v[r], &log.v[of[r]])))
            of[r]++;
        if (of[r] < log.n) {
            taken[of[r]] = true;
            join(in, &rows.v[r], &log.v[of[r]]);
        }
    }
    /* an attempt that only the log has stands before the row of the line behind it */
    for (size_t r = 0; r <= rows.n; r++) {
        size_t until = r == rows.n ? log.n : of[r] < log.n ? of[r] : done;
        for (; done < until; done++)
            if (!taken[done]) {
                in->records++;
                *LORE_PUSH(in->arena, out->v, out->n, out->cap) = log.v[done];
            }
        if (r < rows.n)
            *LORE_PUSH(in->arena, out->v, out->n, out->cap) = rows.v[r];
    }
    read_times(in, out);
}
