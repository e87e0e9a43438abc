/* Helpers for all importers: they fill the lists of the report, refuse records by file and line,
 * and list unknown members. */
#include "collectors/import/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collectors/import/index.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static const struct {
    const char *name, *title;
} list_names[LORE_IL_COUNT] = {
    [LORE_IL_LABELS] = {"labels", "Labels converted"},
    [LORE_IL_NAMES] = {"names", "Names resolved"},
    [LORE_IL_CONFLICTS] = {"conflicts", "Conflicts"},
    [LORE_IL_DOUBTS] = {"traps", "Suspected traps"},
    [LORE_IL_EXTRA] = {"extra", "Kept in extra or not read"},
    [LORE_IL_ERRORS] = {"errors", "Refused"},
};

const char *
lore_import_list_name(enum lore_import_list list)
{
    return list_names[list].name;
}

const char *
lore_import_list_title(enum lore_import_list list)
{
    return list_names[list].title;
}

void
lore_import_open(struct lore_import *in, struct lore_import_file *file)
{
    (void)lore_tree_open(in->tree, file);
    if (!file->head) { /* a file that a test made */
        file->head = file->text;
        file->head_len = file->len;
    }
    file->read = true;
    in->at = file;
    in->file = lore_build_basename(file->path);
    in->text = file->text;
    in->feed = NULL;
    in->line = 0;
}

void
lore_import_open_with(struct lore_import *in, struct lore_import_file *file)
{
    file->taken = true;
    *LORE_PUSH(lore_import_kept(in), in->with, in->n_with, in->cap_with) = file;
    lore_import_open(in, file);
}

struct lore_arena *
lore_import_kept(struct lore_import *in)
{
    return in->kept ? in->kept : in->arena;
}

/* Text for one line of a list, cut between characters so that the report stays valid UTF-8. */
struct line {
    char text[1400];
};
static void vformat(struct line *out, const char *fmt, va_list ap) LORE_PRINTF(2, 0);

static void
vformat(struct line *out, const char *fmt, va_list ap)
{
    (void)vsnprintf(out->text, 1024, fmt, ap);
    out->text[lore_utf8_prefix(out->text, strlen(out->text))] = '\0';
}

static void
add_line(struct lore_import *in, enum lore_import_list list, const char *text)
{
    struct lore_arena *arena = in->report ? in->report : in->arena;
    struct lore_texts *t = &in->lists[list];
    size_t old_cap = t->cap;

    if (!in->index[list])
        in->index[list] = lore_alloc(arena, sizeof *in->index[list]);
    if (t->n >= LORE_IMPORT_LINES && !lore_index_find(in->index[list], text))
        text = "more lines of this list are only counted";
    size_t *at = lore_index_at(arena, in->index[list], text);
    if (*at == 0) {
        lore_build_text(arena, t, lore_strdup(arena, text));
        *at = t->n;
    }
    if (t->cap != old_cap) { /* keep the counts as long as the list of lines */
        size_t *counts = lore_alloc_array(arena, t->cap, sizeof *counts);
        if (old_cap > 0)
            memcpy(counts, in->counts[list], old_cap * sizeof *counts);
        in->counts[list] = counts;
    }
    in->counts[list][*at - 1]++;
}

void
lore_import_note(struct lore_import *in, enum lore_import_list list, const char *fmt, ...)
{
    struct line line;
    va_list ap;

    va_start(ap, fmt);
    vformat(&line, fmt, ap);
    va_end(ap);
    add_line(in, list, line.text);
}

/* List the refusal of an entry: "v0/hypothesis.txt line 12: WHY". The name is that of the unit when
 * no file is being read. */
static void
refuse(struct lore_import *in, size_t line, const char *member, const char *why)
{
    const char *where = in->at ? in->at->path : *in->unit ? in->unit : in->file;
    char at[32] = "";
    struct line text;

    in->refused++;
    if (line > 0)
        (void)snprintf(at, sizeof at, " line %zu", line);
    (void)snprintf(
        text.text, sizeof text.text, "%s%s: %s%s%s", where, at, member, *member ? ": " : "", why);
    text.text[lore_utf8_prefix(text.text, strlen(text.text))] = '\0';
    add_line(in, LORE_IL_ERRORS, text.text);
}

void
lore_import_refuse(struct lore_import *in, const struct lore_json *node, const char *fmt, ...)
{
    char path[160];
    struct line why;
    va_list ap;

    va_start(ap, fmt);
    vformat(&why, fmt, ap);
    va_end(ap);
    lore_json_path(node, path, sizeof path);
    refuse(in, in->line > 0 ? in->line : lore_json_line(in->text, node), path, why.text);
}

void
lore_import_refuse_line(struct lore_import *in, size_t line, const char *fmt, ...)
{
    struct line why;
    va_list ap;

    va_start(ap, fmt);
    vformat(&why, fmt, ap);
    va_end(ap);
    refuse(in, line, "", why.text);
}

static bool
is_word_of(const char *key, const char *words)
{
    size_t n = strlen(key);

    for (const char *p = words; (p = strstr(p, key)) != NULL; p += n) {
        if ((p == words || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return n > 0;
        if (n == 0)
            break;
    }
    return false;
}

/* "rows[12].x" -> "rows[].x", so that a member of all rows gives one line of the report. */
static void
drop_indices(char *path)
{
    char *to = path;

    for (const char *p = path; *p; p++) {
        *to++ = *p;
        if (*p == '[')
            p += strspn(p + 1, "0123456789");
    }
    *to = '\0';
}

void
lore_import_unknown_keys(struct lore_import *in, const struct lore_json *node, const char *known)
{
    char path[160];

    if (!node || node->type != LORE_J_OBJECT)
        return;
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (is_word_of(m->key, known))
            continue;
        lore_json_path(m, path, sizeof path);
        drop_indices(path);
        lore_import_note(in, LORE_IL_EXTRA, "%s: no such field; kept in extra", path);
    }
}
