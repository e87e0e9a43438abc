/* Looks at the first rows of a file: its format, its columns and their values. */
#include "collectors/import/maps/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/maps/value.h"
#include "collectors/import/rows.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { ROWS = 2000, COLUMNS = 1000, LONG = 60, DEPTH = 3 };

/* ---- where the rows are ---- */

/* The list of objects, or the object of objects of one kind, with the most items, at most DEPTH
 * members deep. */
static void
find_path(struct lore_suggestion *s, const struct lore_json *node, const char *path, size_t depth,
    size_t *most)
{
    size_t objects = 0;

    if (node->type != LORE_J_ARRAY && node->type != LORE_J_OBJECT)
        return;
    const char *first = node->child && node->child->child ? node->child->child->key : NULL;
    for (const struct lore_json *m = node->child; m; m = m->next)
        objects += m->type == LORE_J_OBJECT &&
                   (node->type == LORE_J_ARRAY || (first && lore_json_get(m, first)));
    if (objects > *most && objects * 2 > node->len) {
        *most = objects;
        s->path = path;
    }
    for (const struct lore_json *m = node->child; m && depth < DEPTH; m = m->next)
        if (m->key && m->key_len > 0 && !strchr(m->key, '.'))
            find_path(s, m,
                *path ? lore_format(s->arena, "%s.%s", path, m->key)
                      : lore_strdup(s->arena, m->key),
                depth + 1, most);
}

enum { LINES = 60 };
struct line {
    const char *text;
    size_t len, n[4]; /* separators of each kind, outside quotes */
};
static const char separators[] = "\t,;|";

static void
count(struct line *l)
{
    bool inside = false;

    for (size_t i = 0; i < l->len; i++) {
        const char *c = strchr(separators, l->text[i]);
        inside ^= l->text[i] == '"';
        if (c && *c && !inside)
            l->n[c - separators]++;
    }
}

/* The number of separators of kind K that most lines have, and how many have it. */
static size_t
usual(const struct line *lines, size_t n, size_t k, size_t *support)
{
    size_t best = 0;

    *support = 0;
    for (size_t i = 0; i < n; i++) {
        size_t same = 0;
        for (size_t o = 0; o < n && lines[i].n[k] > 0; o++)
            same += lines[o].n[k] == lines[i].n[k];
        if (same > *support) {
            *support = same;
            best = lines[i].n[k];
        }
    }
    return best;
}

/* Whether the line reads like names: no cell is a number. */
static bool
has_names(const struct line *l, char separator)
{
    const char *end = l->text + l->len;

    for (const char *p = l->text; p < end;) {
        const char *stop = memchr(p, separator, (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        bool quoted = n >= 2 && p[0] == '"' && p[n - 1] == '"';
        if (lore_json_is_number(p + quoted, n - 2 * (size_t)quoted))
            return false;
        p += n + 1;
    }
    return true;
}

/* The first cell of the header L; NULL: it is no name. */
static const char *
first_cell(const struct lore_suggestion *s, const struct line *l)
{
    const char *cell = l->text;
    size_t end = 0;

    while (end < l->len && cell[end] != s->separator)
        end++;
    bool quoted = end >= 2 && cell[0] == '"' && cell[end - 1] == '"';
    const char *name = lore_strndup(s->arena, cell + quoted, end - 2 * (size_t)quoted);
    return *name && lore_utf8_valid(name, strlen(name)) ? name : NULL;
}

/* The separator, and the first cell of the header when lines of another kind stand before it: the
 * first line of names that has as many separators as most lines. */
static void
find_header(struct lore_suggestion *s, const char *text)
{
    struct line lines[LINES];
    size_t n = 0, most = 0, cells = 0, kind = 0, header = 0;

    for (const char *p = text; *p && n < LINES; n++) {
        lines[n] = (struct line){.text = p, .len = strcspn(p, "\r\n")};
        count(&lines[n]);
        p += lines[n].len;
        p += strspn(p, "\r\n");
    }
    for (size_t k = 0; k < 4; k++) {
        size_t support, found = usual(lines, n, k, &support);
        if (support > most) {
            most = support;
            cells = found;
            kind = k;
        }
    }
    if (most == 0)
        return;
    s->separator = separators[kind];
    while (
        header < n && (lines[header].n[kind] != cells || !has_names(&lines[header], s->separator)))
        header++;
    if (header > 0 && header < n)
        s->header = first_cell(s, &lines[header]);
    if (!s->header && lines[0].n[kind] == 0)
        s->separator = 0; /* it leaves the first line whole, which is the header then */
}

static enum lore_status
open_rows(
    struct lore_import *in, struct lore_suggestion *s, struct lore_rows *rows, struct lore_err *err)
{
    size_t most = 0;

    s->format = lore_map_format(in->at->head);
    if (strcmp(s->format, "json") == 0) {
        if (lore_import_json(in->at))
            find_path(s, lore_import_json(in->at), "", 0, &most);
        return lore_rows_json(in, s->path ? s->path : "", rows, err);
    }
    if (strcmp(s->format, "jsonl") == 0)
        return lore_rows_jsonl(in, rows, err);
    if (strcmp(s->format, "markdown") == 0)
        return lore_rows_markdown(in, 0, rows, err);
    find_header(s, in->at->head);
    return lore_rows_csv(in, s->separator, s->header, rows, err);
}

/* ---- columns ---- */

static struct lore_suggest_column *
column(struct lore_suggestion *s, struct lore_index *index, const char *name)
{
    size_t *at = lore_index_at(s->arena, index, name);

    if (*at == 0) {
        if (s->n == COLUMNS)
            return NULL;
        struct lore_suggest_column *c = LORE_PUSH(s->arena, s->columns, s->n, s->cap);
        c->name = lore_strdup(s->arena, name);
        c->slug = lore_slug(s->arena, name);
        *at = s->n;
    }
    return &s->columns[*at - 1];
}

static void
add_distinct(struct lore_suggestion *s, struct lore_suggest_column *c, const char *text)
{
    for (size_t i = 0; i < c->n_distinct; i++)
        if (strcmp(c->distinct[i], text) == 0)
            return;
    c->many |= c->n_distinct == LORE_SUGGEST_DISTINCT;
    if (!c->many)
        c->distinct[c->n_distinct++] =
            lore_strndup(s->arena, text, lore_utf8_prefix(text, strnlen(text, 200)));
}

static void
add_value(struct lore_suggestion *s, struct lore_suggest_column *c, const struct lore_json *v)
{
    int64_t us;

    if (v->type == LORE_J_STRING &&
        (lore_choice("-|--", v->str) ||
            lore_choice("n_a|na|nan|none|null", lore_slug(s->arena, v->str))))
        return; /* an author's word for no value */
    c->n++;
    if (v->type == LORE_J_NUMBER) {
        c->least = c->numbers == 0 || v->f < c->least ? v->f : c->least;
        c->most = c->numbers == 0 || v->f > c->most ? v->f : c->most;
        c->numbers++;
        c->integers += v->is_int || floor(v->f) == v->f;
    }
    c->booleans += v->type == LORE_J_BOOL;
    c->lists += v->type == LORE_J_ARRAY && v->child && v->child->type == LORE_J_NUMBER;
    if (v->type == LORE_J_STRING) {
        c->long_texts += v->len > LONG;
        c->dates += lore_time_parse(v->str, &us, NULL) == LORE_OK;
    }
    if (v->type == LORE_J_STRING || v->type == LORE_J_NUMBER)
        add_distinct(s, c, v->str);
    else if (v->type == LORE_J_BOOL)
        add_distinct(s, c, v->i ? "true" : "false");
}

/* Members of objects are columns "a.b". */
static void
look(struct lore_suggestion *s, struct lore_index *index, const struct lore_json *object,
    const char *before, size_t depth)
{
    for (const struct lore_json *m = object->child; m; m = m->next) {
        const char *name = *before ? lore_format(s->arena, "%s.%s", before, m->key) : m->key;
        if (m->type == LORE_J_NULL || !m->key || strlen(name) > 120)
            continue;
        if (m->type == LORE_J_OBJECT && depth < DEPTH) {
            /* the columns of an item of an object need no "value." before them */
            bool item = depth == 0 && strcmp(name, "value") == 0;
            look(s, index, m, item ? "" : name, depth + 1);
            continue;
        }
        struct lore_suggest_column *c = column(s, index, name);
        if (c)
            add_value(s, c, m);
    }
}

enum lore_status
lore_map_suggest(struct lore_import *in, struct lore_suggestion *out, struct lore_err *err)
{
    struct lore_suggestion s = {.arena = in->arena, .file = in->file};
    struct lore_index index = {.n = 0};
    LORE_ROWS rows = {.in = NULL};
    enum lore_status status = open_rows(in, &s, &rows, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < rows.n_columns; i++)
        (void)column(&s, &index, rows.columns[i]);
    while (s.rows < ROWS && lore_rows_next(&rows)) {
        look(&s, &index, rows.row, "", 0);
        s.rows++;
    }
    if (s.rows == 0)
        return lore_fail(err, LORE_INVALID, "no rows");
    s.name = lore_slug(s.arena, lore_strndup(s.arena, in->file, strcspn(in->file, ".")));
    if (!*s.name)
        s.name = "map";
    s.chip = in->chip;
    s.chip_why = "--chip";
    lore_suggest_roles(&s);
    *out = s;
    return LORE_OK;
}

/* ---- the map as text ---- */

/* JSON text as YAML, which does not take all characters unescaped. */
static const char *
escaped(struct lore_arena *arena, const char *json)
{
    size_t n = 0;
    char *out = lore_alloc(arena, 6 * strlen(json) + 1);

    for (const unsigned char *p = (const unsigned char *)json; *p; p++) {
        unsigned code = *p == 0x7f                                   ? 0x7f
                        : *p == 0xc2 && p[1] < 0xa0                  ? p[1]
                        : *p == 0xef && p[1] == 0xbb && p[2] == 0xbf ? 0xfeff
                        : *p == 0xef && p[1] == 0xbf && p[2] >= 0xbe ? 0xff40u + p[2]
                                                                     : 0;
        if (code == 0) {
            out[n++] = (char)*p;
            continue;
        }
        (void)snprintf(out + n, 7, "\\u%04hx", (unsigned short)code);
        n += 6;
        p += code == 0x7f ? 0 : code < 0x100 ? 1 : 2;
    }
    return out;
}

/* TEXT as a YAML scalar. */
static const char *
quoted(struct lore_arena *arena, const char *text)
{
    bool plain = *text != '\0' && !lore_json_is_number(text, strlen(text));

    for (const char *p = text; *p; p++)
        plain &= lore_is_word(*p) || *p == '.' || *p == '/';
    if (plain && !lore_streq(text, "true") && !lore_streq(text, "false") &&
        !lore_streq(text, "null") && !lore_streqi(text, "yes") && !lore_streqi(text, "no"))
        return text;
    return escaped(arena, lore_build_json_text(arena, text));
}

static bool
is_list(const char *field)
{
    for (int l = 0; l < LORE_ML_COUNT; l++)
        if (lore_streq(field, lore_map_list_name((enum lore_map_lists)l)))
            return true;
    return false;
}

/* Whether the work of a launch is that of a matrix product, by operator and dims. */
static bool
is_product(const struct lore_suggestion *s)
{
    const char *op = s->op;
    size_t found = 0;

    for (size_t i = 0; i < s->n_questions; i++)
        if (strcmp(s->questions[i].field, "operator") == 0)
            op = s->questions[i].answer;
    for (size_t i = 0; i < s->n; i++)
        found += lore_streq(s->columns[i].field, "dims") && s->columns[i].as != NULL &&
                 lore_choice("M|N|K", s->columns[i].as);
    return lore_streq(op, "gemm") && found == 3;
}

/* Whether some values are no results of checks. */
static bool
has_odd_checks(const struct lore_suggest_column *c)
{
    bool odd = false;

    for (size_t i = 0; i < c->n_distinct; i++)
        odd |= lore_map_check(c->distinct[i]) == LORE_C_NONE;
    return odd && c->booleans == 0;
}

/* The type of the error that TEXT names: "COMPILE_ERROR". */
static const char *
error_type(struct lore_arena *arena, const char *text)
{
    static const char *const of[][2] = {{"compil", "compilation"}, {"build", "compilation"},
        {"timeout", "timeout"}, {"timed", "timeout"}};
    const char *slug = lore_slug(arena, text);

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strstr(slug, of[i][0]))
            return of[i][1];
    return "runtime";
}

/* Results of checks by name; what is none, is why the row has no result. */
static void
write_checks(
    const struct lore_suggestion *s, const struct lore_suggest_column *c, struct lore_buf *out)
{
    const char *name = quoted(s->arena, c->name), *known = "", *odd = "";
    bool failures = true;

    for (size_t i = 0; i < s->n; i++)
        failures &= !lore_streq(s->columns[i].field, "error");
    for (size_t i = 0; i < c->n_distinct; i++) {
        const char *text = quoted(s->arena, c->distinct[i]);
        enum lore_check check = lore_map_check(c->distinct[i]);
        const char **to = check == LORE_C_NONE ? &odd : &known;
        *to = lore_format(s->arena, "%s%s%s: %s", *to, **to ? ", " : "", text,
            check == LORE_C_NONE ? error_type(s->arena, c->distinct[i]) : lore_check_name(check));
    }
    lore_buf_printf(out, "{column: %s, values: {%s}, otherwise: not_checked}", name, known);
    if (failures)
        lore_buf_printf(out, "\nerror: {column: %s, values: {%s}, otherwise: \"\"}", name, odd);
}

static void
write_field(const struct lore_suggestion *s, const struct lore_suggest_column *c, bool complete,
    struct lore_buf *out)
{
    const char *name = quoted(s->arena, c->name);
    bool timed = lore_streq(c->field, "time") || lore_streq(c->field, "samples");
    const char *unit = c->unit;

    for (size_t i = 0; i < s->n_questions && timed && !unit; i++)
        if (strcmp(s->questions[i].field, "unit") == 0)
            unit = s->questions[i].answer;
    if (timed && !unit && complete)
        return;
    lore_buf_printf(out, "%s: ", c->field);
    if (timed)
        lore_buf_printf(out, "{column: %s, unit: %s%s}", name, unit ? unit : "\"?\"",
            lore_streq(c->field, "samples")                       ? ""
            : strstr(c->slug, "median") || strstr(c->slug, "p50") ? ", statistic: median"
            : strstr(c->slug, "min")                              ? ", statistic: min"
                                                                  : ", statistic: mean");
    else if (lore_streq(c->field, "rate") && is_product(s))
        lore_buf_printf(out, "{column: %s, unit: %s, work: \"2*M*N*K\"}", name, c->unit);
    else if (c->unit)
        lore_buf_printf(out, "{column: %s, unit: %s}", name, c->unit);
    else if (c->match)
        lore_buf_printf(out, "{column: %s, match: %s}", name, quoted(s->arena, c->match));
    else if (lore_streq(c->field, "correct") && has_odd_checks(c))
        write_checks(s, c, out);
    else if (lore_streq(c->field, "speedup"))
        lore_buf_printf(out, "{column: %s, base: first}", name);
    else if (lore_streq(c->field, "kept"))
        lore_buf_printf(out,
            "{column: %s, values: {KEEP: \"yes\", KEPT: \"yes\", BEST: \"yes\", accept: \"yes\", "
            "accepted: \"yes\", adopt: \"yes\", win: \"yes\"}, otherwise: \"no\"}",
            name);
    else if (lore_streq(c->field, "error"))
        lore_buf_printf(out,
            "{column: %s, search: [{ompil: compilation}, {imeout|TIMEOUT: timeout}, "
            "{erif|ncorrect|ismatch|VERIF: accuracy}, {\".\": runtime}]}",
            name);
    else
        lore_buf_puts(out, name);
    lore_buf_putc(out, '\n');
}

static void
write_list(const struct lore_suggestion *s, const char *list, struct lore_buf *out)
{
    bool any = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct lore_suggest_column *c = &s->columns[i];
        if (!lore_streq(c->field, list))
            continue;
        if (!any)
            lore_buf_printf(out, "%s:\n", list);
        any = true;
        lore_buf_printf(out, "  %s: ", quoted(s->arena, c->as ? c->as : c->name));
        if (c->unit)
            lore_buf_printf(out, "{column: %s, unit: %s}\n", quoted(s->arena, c->name),
                quoted(s->arena, c->unit));
        else
            lore_buf_printf(out, "%s\n", quoted(s->arena, c->name));
    }
}

static void
write_rows(const struct lore_suggestion *s, struct lore_buf *out)
{
    lore_buf_printf(out, "rows: {format: %s", s->format);
    if (s->separator && strcmp(s->format, "csv") == 0)
        lore_buf_printf(out, ", separator: %s",
            lore_build_json_text(s->arena, (const char[]){s->separator, '\0'}));
    if (s->header)
        lore_buf_printf(out, ", header: %s", quoted(s->arena, s->header));
    if (s->path && *s->path)
        lore_buf_printf(out, ", path: %s", quoted(s->arena, s->path));
    lore_buf_puts(out, "}\nrecognise:\n  columns: [");
    size_t n = 0;
    for (size_t i = 0; i < s->n && n < 12; i++) {
        const char *dot = strrchr(s->columns[i].name, '.');
        const char *name = dot && !s->separator ? dot + 1 : s->columns[i].name;
        if (s->columns[i].n < s->rows && !s->separator)
            continue; /* not every row has it */
        lore_buf_printf(out, "%s%s", n++ ? ", " : "", quoted(s->arena, name));
    }
    lore_buf_puts(out, "]\n");
}

/* Operators by the words of a column. */
static void
write_named(const struct lore_suggestion *s, struct lore_buf *out)
{
    const struct lore_suggest_column *c = s->named;
    const char *done = "";

    lore_buf_printf(out, "operator:\n  column: %s\n  search:\n", quoted(s->arena, c->name));
    for (size_t i = 0; i < c->n_distinct; i++) {
        const char *op = lore_suggest_operator_in(s->arena, c->distinct[i]);
        const char *word = lore_suggest_word_of(s->arena, c->distinct[i]);
        if (lore_text_lists(done, word, strlen(word)))
            continue;
        done = lore_format(s->arena, "%s%s%s", done, *done ? "," : "", word);
        lore_buf_printf(out, "    - %s: %s\n", quoted(s->arena, word), op);
    }
}

void
lore_suggest_write(const struct lore_suggestion *s, bool complete, struct lore_buf *out)
{
    lore_buf_printf(out, "map: %s\n", quoted(s->arena, s->name));
    write_rows(s, out);
    lore_buf_printf(out, "kind: %s\n", lore_map_kind_name(s->kind));
    if (s->op)
        lore_buf_printf(out, "operator: {value: %s}\n", quoted(s->arena, s->op));
    if (s->chip)
        lore_buf_printf(out, "chip: {value: %s}\n", quoted(s->arena, s->chip));
    if (s->named)
        write_named(s, out);
    if (s->language)
        lore_buf_printf(out, "language: {value: %s}\n", s->language);
    if (s->version)
        lore_buf_printf(out, "version: {value: %s}\n", quoted(s->arena, s->version));
    for (size_t i = 0; i < s->n_questions; i++) {
        const struct lore_suggest_question *q = &s->questions[i];
        if (strcmp(q->field, "unit") == 0)
            continue;
        if (q->answer)
            lore_buf_printf(out, "%s: {value: %s}\n", q->field, quoted(s->arena, q->answer));
        else if (!complete)
            lore_buf_printf(out, "%s: \"?\"\n", q->field);
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->columns[i].field && !is_list(s->columns[i].field))
            write_field(s, &s->columns[i], complete, out);
    for (int l = 0; l < LORE_ML_COUNT; l++)
        write_list(s, lore_map_list_name((enum lore_map_lists)l), out);
}

void
lore_suggest_explain(const struct lore_suggestion *s, struct lore_buf *out)
{
    lore_buf_printf(out, "# %s: %s, %zu rows looked at, %s (%s)\n# What each column became:\n",
        s->file, s->format, s->rows, lore_map_kind_name(s->kind), s->kind_why);
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_suggest_column *c = &s->columns[i];
        lore_buf_printf(out, "#   %-24s %-12s %s%s%s\n", c->name, c->field ? c->field : "extra",
            c->why ? c->why : "", c->unit ? ", in " : "", c->unit ? c->unit : "");
    }
    if (s->remark)
        lore_buf_printf(out, "# %s\n", s->remark);
    if (s->op)
        lore_buf_printf(out, "#   operator %s: %s\n", s->op, s->op_why);
    if (s->named)
        lore_buf_printf(out, "#   operator: words of %s name it\n", s->named->name);
    if (s->chip)
        lore_buf_printf(out, "#   chip %s: %s\n", s->chip, s->chip_why);
}
