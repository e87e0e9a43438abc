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
    [LORE_IL_EXTRA] = {"extra", "Kept in extra"},
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
    file->read = true;
    in->at = file;
    in->file = lore_build_basename(file->path);
    in->text = file->text;
    in->feed = NULL;
    in->line = 0;
    in->root = file->root;
}

static const char *vformat(struct lore_arena *arena, const char *fmt, va_list ap) LORE_PRINTF(2, 0);

static const char *
vformat(struct lore_arena *arena, const char *fmt, va_list ap)
{
    char line[1024];

    (void)vsnprintf(line, sizeof line, fmt, ap);
    /* cut between characters, so that the report stays valid UTF-8 */
    return lore_strndup(arena, line, lore_utf8_prefix(line, strlen(line)));
}

static void
add_line(struct lore_import *in, enum lore_import_list list, const char *text)
{
    struct lore_texts *t = &in->lists[list];
    size_t old_cap = t->cap;

    if (!in->index[list])
        in->index[list] = lore_alloc(in->arena, sizeof *in->index[list]);
    size_t *at = lore_index_at(in->arena, in->index[list], text);
    if (*at == 0) {
        lore_build_text(in->arena, t, text);
        *at = t->n;
    }
    if (t->cap != old_cap) { /* keep the counts as long as the list of lines */
        size_t *counts = lore_alloc_array(in->arena, t->cap, sizeof *counts);
        if (old_cap > 0)
            memcpy(counts, in->counts[list], old_cap * sizeof *counts);
        in->counts[list] = counts;
    }
    in->counts[list][*at - 1]++;
}

void
lore_import_note(struct lore_import *in, enum lore_import_list list, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add_line(in, list, vformat(in->arena, fmt, ap));
    va_end(ap);
}

/* "v0/hypothesis.txt line 12"; the name of the unit when no file is being read. */
static const char *
location(struct lore_import *in, size_t line)
{
    const char *where = in->at ? in->at->path : *in->unit ? in->unit : in->file;

    return line > 0 ? lore_format(in->arena, "%s line %zu", where, line) : where;
}

void
lore_import_refuse(struct lore_import *in, const struct lore_json *node, const char *fmt, ...)
{
    char path[160];
    va_list ap;

    va_start(ap, fmt);
    const char *why = vformat(in->arena, fmt, ap);
    va_end(ap);
    lore_json_path(node, path, sizeof path);
    size_t line = in->line > 0 ? in->line : lore_json_line(in->text, node);
    in->refused++;
    add_line(
        in, LORE_IL_ERRORS, lore_format(in->arena, "%s: %s: %s", location(in, line), path, why));
}

void
lore_import_refuse_line(struct lore_import *in, size_t line, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    const char *why = vformat(in->arena, fmt, ap);
    va_end(ap);
    in->refused++;
    add_line(in, LORE_IL_ERRORS, lore_format(in->arena, "%s: %s", location(in, line), why));
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
