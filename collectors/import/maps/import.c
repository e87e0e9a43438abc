/* Reads a file by a map: opens its rows, and makes records of one row after another. */
#include "collectors/import/maps/map.h"

#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/maps/job.h"
#include "collectors/import/rows.h"
#include "service/base/text.h"
#include "service/wire/build.h"

const char *
lore_map_format(const char *text)
{
    const char *p = text + strspn(text, " \t\r\n");
    const char *line = p + strcspn(p, "\n");

    if (*p == '[')
        return "json";
    if (*p == '{') { /* JSON lines have a whole object in the first line, and a second line */
        const char *end = line;
        while (end > p && strchr(" \t\r", end[-1]))
            end--;
        return end > p + 1 && end[-1] == '}' && line[strspn(line, " \t\r\n")] == '{' ? "jsonl"
                                                                                     : "json";
    }
    const char *rule = strstr(p, "|-");
    if (*p == '|' || (rule && (rule == p || rule[-1] == '\n')) || strstr(p, "| -"))
        return "markdown";
    return "csv";
}

/* The separator that splits the header of a file better than SEPARATOR, which the map states and
 * which leaves it one column; 0: none does. */
static char
better_separator(struct lore_import *in, char separator, const char *header)
{
    static const char all[] = ",\t;|";
    size_t most = 1;
    char best = 0;

    for (const char *s = all; *s; s++) {
        LORE_ROWS rows = {.in = NULL};
        struct lore_err ignored;
        if (*s == separator || lore_rows_csv(in, *s, header, &rows, &ignored) != LORE_OK ||
            rows.n_columns <= most)
            continue;
        most = rows.n_columns;
        best = *s;
    }
    return best;
}

static const char *
separator_name(struct lore_arena *arena, char separator)
{
    return separator == '\t' ? "a tab" : lore_format(arena, "\"%c\"", separator);
}

static enum lore_status
wrong_separator(
    struct lore_import *in, const struct lore_map *map, char separator, struct lore_err *err)
{
    char better = better_separator(in, separator, map->header);

    if (!better)
        return LORE_OK;
    return lore_fail(err, LORE_INVALID,
        "the map says that %s separates the columns, and the header is one column; %s would "
        "separate it. Write rows: {format: csv, separator: \"%s\"}, or leave the separator out",
        separator_name(in->arena, separator), separator_name(in->arena, better),
        better == '\t' ? "\\t" : (const char[]){better, '\0'});
}

/* CSV by the header that the map names, else by a column that it recognises the file by, else from
 * the first line on. */
static enum lore_status
open_csv(struct lore_import *in, const struct lore_map *map, char separator, struct lore_rows *rows,
    struct lore_err *err)
{
    if (map->header)
        return lore_rows_csv(in, separator, map->header, rows, err);
    if (map->columns.n > 0 && lore_rows_csv(in, separator, map->columns.v[0], rows, err) == LORE_OK)
        return LORE_OK;
    lore_rows_close(rows);
    return lore_rows_csv(in, separator, NULL, rows, err);
}

/* The same; a stated separator that leaves the header whole is refused when another splits it. */
static enum lore_status
open_separated(struct lore_import *in, const struct lore_map *map, char separator,
    struct lore_rows *rows, struct lore_err *err)
{
    enum lore_status status = open_csv(in, map, separator, rows, err), wrong = LORE_OK;

    if (separator && (status != LORE_OK || rows->n_columns < 2))
        wrong = wrong_separator(in, map, separator, err);
    return wrong != LORE_OK ? wrong : status;
}

static enum lore_status
open_rows(struct lore_import *in, const struct lore_map *map, struct lore_rows *rows,
    struct lore_err *err)
{
    const char *format = map->format ? map->format : lore_map_format(in->at->head);

    if (strcmp(format, "tsv") == 0)
        return open_separated(in, map, '\t', rows, err);
    if (strcmp(format, "csv") == 0)
        return open_separated(in, map, map->separator, rows, err);
    if (strcmp(format, "jsonl") == 0)
        return lore_rows_jsonl(in, rows, err);
    if (strcmp(format, "json") == 0)
        return lore_rows_json(in, map->path ? map->path : "", rows, err);
    return lore_rows_markdown(in, map->table, rows, err);
}

/* Refuse a row that lacks the column which alone says its operator, language or chip: most often
 * the map has a word where it means the word itself. */
static bool
names_its_columns(struct lore_map_job *j)
{
    static const struct {
        enum lore_map_field field;
        const char *name;
    } must[] = {
        {LORE_MF_OPERATOR, "operator"}, {LORE_MF_LANGUAGE, "language"}, {LORE_MF_CHIP, "chip"}};

    for (size_t i = 0; j->map->strict && i < sizeof must / sizeof *must; i++) {
        const struct lore_map_value *v = j->map->fields[must[i].field];
        if (!v || v->n_columns != 1 || v->form || v->constant || v->fallback || v->next ||
            lore_map_node(&j->r, v->columns[0]))
            continue;
        lore_import_refuse_line(j->in, j->r.line,
            "%s: there is no column \"%s\"; a fixed word is written %s: {value: %s}", must[i].name,
            v->columns[0], must[i].name, v->columns[0]);
        lore_take_clear(&j->take);
        return false;
    }
    return true;
}

/* Whether the row has the columns without which it is no attempt, run or version. What it would
 * have been compared with is kept, so that the kernel is known. */
static bool
is_wanted(struct lore_map_job *j)
{
    for (size_t i = 0; i < j->map->require.n; i++) {
        const struct lore_json *m = lore_map_node(&j->r, j->map->require.v[i]);
        const char *run = NULL;
        if (m && m->type != LORE_J_NULL)
            continue;
        bool before =
            j->map->kind == LORE_MK_ATTEMPTS && lore_map_before(j, lore_map_place(j), &run);
        lore_import_note(j->in, LORE_IL_EXTRA, "%s: rows without %s: %sin the file only",
            j->in->at->path, j->map->require.v[i],
            before ? "all but the version that they start from " : "");
        lore_take_clear(&j->take);
        return false;
    }
    return true;
}

static void
one_row(struct lore_map_job *j, const struct lore_json *row, const struct lore_json *outer)
{
    j->in->records++;
    j->r.row = row;
    j->r.outer = outer;
    if (!names_its_columns(j) || !is_wanted(j))
        return;
    if (j->map->kind == LORE_MK_ATTEMPTS)
        lore_map_attempt(j);
    else if (j->map->kind == LORE_MK_METRICS)
        lore_map_metric_row(j);
    else if (j->map->kind == LORE_MK_VERSIONS)
        lore_map_version_row(j);
    else if (j->map->kind == LORE_MK_SWEEP)
        lore_map_configuration(j);
    else
        lore_map_run_row(j);
    lore_take_clear(&j->take);
}

/* The rows of ITEM: itself, or the items of one of its lists or objects. */
static void
rows_of(struct lore_map_job *j, const struct lore_json *item)
{
    if (!j->map->each) {
        one_row(j, item, NULL);
        return;
    }
    j->r.row = item;
    j->r.outer = NULL;
    const struct lore_json *list = lore_map_node(&j->r, j->map->each);
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next)
        one_row(j, m, item);
    if (!list || (list->type != LORE_J_ARRAY && list->type != LORE_J_OBJECT)) {
        j->in->records++;
        lore_import_refuse_line(j->in, j->r.line, "%s: expected a list or object", j->map->each);
    }
}

/* Columns whose words the map turns into others: these stand in extra, and were read. */
static void
add_mapped(struct lore_map_job *j, const struct lore_map_value *v)
{
    for (; v; v = v->next)
        for (size_t i = 0; i < v->n_columns; i++)
            if (v->n_values + v->n_search > 0 || v->match)
                lore_build_text(j->kept, &j->take.mapped, v->columns[i]);
}

static void
set_mapped(struct lore_map_job *j)
{
    for (int f = 0; f < LORE_MF_COUNT; f++)
        add_mapped(j, j->map->fields[f]);
    for (int l = 0; l < LORE_ML_COUNT; l++)
        for (size_t i = 0; i < j->map->lists[l].n; i++)
            add_mapped(j, &j->map->lists[l].v[i]);
}

enum lore_status
lore_map_import(struct lore_import *in, const struct lore_map *map, struct lore_err *err)
{
    struct lore_map_job j = {
        .in = in, .kept = lore_import_kept(in), .map = map, .take = {.in = in}};
    bool sweep = map->kind == LORE_MK_SWEEP;
    LORE_ROWS rows = {.in = NULL};
    bool object = lore_streq(map->format, "object");
    enum lore_status status = object ? LORE_OK : open_rows(in, map, &rows, err);

    if (status != LORE_OK)
        return status;
    if (object && !lore_import_json(in->at))
        return lore_fail(err, LORE_INVALID, "no JSON document");
    lore_import_note(in, LORE_IL_NAMES, "%s: read by the map %s", in->file, map->name);
    j.take.cells = rows.cells;
    set_mapped(&j);
    j.r = (struct lore_map_row){
        .in = in, .arena = in->arena, .take = &j.take, .joined = lore_map_joined_new(in, map)};
    if (sweep)
        lore_map_sweep_begin(&j);
    if (object) { /* the document is the row */
        j.r.line = 1;
        rows_of(&j, lore_import_json(in->at));
        rows.n = 1;
    }
    while (status == LORE_OK && (map->most == 0 || rows.n < map->most) && lore_rows_next(&rows)) {
        j.r.head = rows.head;
        j.r.line = rows.line;
        rows_of(&j, rows.row);
        /* rows of one metric are joined in the document, so it stays until the end */
        if (map->kind != LORE_MK_METRICS)
            status = lore_import_flush(in, err);
    }
    if (sweep)
        lore_search_end(&j.search);
    if (status != LORE_OK)
        return status;
    if (rows.n == 0)
        return lore_fail(err, LORE_INVALID, "no rows");
    return LORE_OK;
}

/* ---- built-in maps ---- */

static const struct lore_map *
parsed(size_t i)
{
    static struct lore_arena arena = {.kept = true};
    static struct lore_map *maps[64];
    struct lore_err err = {.status = LORE_OK};

    if (i >= sizeof maps / sizeof *maps)
        return NULL;
    if (!maps[i]) /* a test reads each of them */
        (void)!lore_map_read(lore_maps_builtin[i].text, lore_maps_builtin[i].len,
            lore_maps_builtin[i].name, &arena, &maps[i], &err);
    return maps[i];
}

const char *
lore_map_builtin_name(size_t i)
{
    const struct lore_map *map = parsed(i);

    return map ? map->name : lore_maps_builtin[i].name;
}

const struct lore_map *
lore_map_builtin(const char *name)
{
    for (size_t i = 0; lore_maps_builtin[i].name; i++) {
        const struct lore_map *map = parsed(i);
        if (map && (strcmp(map->name, name) == 0 || strcmp(lore_maps_builtin[i].name, name) == 0))
            return map;
    }
    return NULL;
}

/* Whether the first LEN bytes at TEXT have WORD as a whole word; of JSON, as a key. */
static bool
has_column(const char *text, size_t len, const char *word, bool json)
{
    size_t n = strlen(word);

    for (const char *p = text; (p = memmem(p, len - (size_t)(p - text), word, n)) != NULL; p++) {
        const char *end = p + n;
        char before = p > text ? p[-1] : '\n', after = end < text + len ? *end : '\n';
        if (json && before == '"' && after == '"')
            return true;
        if (!json && strchr(",;\t|\n\r\" *`", before) && strchr(",;\t|\n\r\" *`", after))
            return true;
    }
    return false;
}

static bool
recognises(const struct lore_map *map, const char *text, size_t len)
{
    const char *format = lore_map_format(text);
    bool json = strcmp(format, "json") == 0 || strcmp(format, "jsonl") == 0;
    bool wanted = !map->format || strcmp(map->format, format) == 0 ||
                  (strcmp(map->format, "object") == 0 && json) ||
                  (strcmp(map->format, "tsv") == 0 && strcmp(format, "csv") == 0) ||
                  (strcmp(map->format, "jsonl") == 0 && json);

    if (map->columns.n + map->texts.n == 0 || !wanted)
        return false;
    for (size_t i = 0; i < map->texts.n; i++)
        if (!memmem(text, len, map->texts.v[i], strlen(map->texts.v[i])))
            return false;
    for (size_t i = 0; i < map->columns.n; i++)
        if (!has_column(text, len, map->columns.v[i], json))
            return false;
    return true;
}

static const struct lore_map *added[64];
static size_t n_added;

bool
lore_map_add(const struct lore_map *map)
{
    if (n_added == sizeof added / sizeof *added)
        return false;
    added[n_added++] = map;
    return true;
}

const struct lore_map *
lore_map_recognise(const char *text, size_t len)
{
    enum { LOOK = 64 << 10 };

    len = len < LOOK ? len : LOOK;
    for (size_t i = 0; i < n_added; i++)
        if (recognises(added[i], text, len))
            return added[i];
    for (size_t i = 0; lore_maps_builtin[i].name; i++) {
        const struct lore_map *map = parsed(i);
        if (map && recognises(map, text, len))
            return map;
    }
    return NULL;
}

bool
lore_maps_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    return f && f->head_len > 0 && lore_map_recognise(f->head, f->head_len);
}

enum lore_status
lore_maps_read(struct lore_import *in, struct lore_err *err)
{
    const struct lore_map *map =
        in->map ? in->map : lore_map_recognise(in->at->head, in->at->head_len);

    return map ? lore_map_import(in, map, err)
               : lore_fail(err, LORE_INVALID, "no map recognises it; name one with --map");
}
