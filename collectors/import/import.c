/* The table of importers and what they share: the report, refusals with line numbers, the document
 * around the records. */
#include "import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "build.h"
#include "hash.h"
#include "text.h"

const struct lore_importer lore_importers[] = {
    {"kernelflow", "Strategy memory of KernelFlow, version 1 (global_strategy_memory.json)",
        lore_kernelflow_detect, lore_kernelflow_read},
    {"experiences", "Experience database of the kernel optimisation skill (experiences.json)",
        lore_experiences_detect, lore_experiences_read},
    {NULL, NULL, NULL, NULL},
};

static const struct {
    const char *name, *title;
} list_names[LORE_IL_COUNT] = {
    [LORE_IL_LABELS] = {"labels", "Labels converted"},
    [LORE_IL_NAMES] = {"names", "Names resolved"},
    [LORE_IL_CONFLICTS] = {"conflicts", "Conflicts"},
    [LORE_IL_TRAPS] = {"traps", "Suspected traps"},
    [LORE_IL_EXTRA] = {"extra", "Kept beside the fields"},
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

const struct lore_importer *
lore_importer_find(const char *name)
{
    for (const struct lore_importer *i = lore_importers; i->name; i++) {
        if (strcmp(i->name, name) == 0)
            return i;
    }
    return NULL;
}

static const char *vformat(struct lore_arena *arena, const char *fmt, va_list ap) LORE_PRINTF(2, 0);

static const char *
vformat(struct lore_arena *arena, const char *fmt, va_list ap)
{
    char line[1024];

    (void)vsnprintf(line, sizeof line, fmt, ap);
    /* a cut in the middle of a character would make the report no UTF-8 */
    size_t len = strlen(line);
    while (len > 0 && !lore_utf8_valid(line, len))
        line[--len] = '\0';
    return lore_strdup(arena, line);
}

static void
add_once(struct lore_import *in, enum lore_import_list list, const char *text)
{
    struct lore_texts *t = &in->lists[list];

    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->v[i], text) == 0)
            return;
    }
    lore_build_text(in->arena, t, text);
}

void
lore_import_note(struct lore_import *in, enum lore_import_list list, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add_once(in, list, vformat(in->arena, fmt, ap));
    va_end(ap);
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
    in->refused++;
    add_once(in, LORE_IL_ERRORS,
        lore_format(in->arena, "line %zu: %s: %s", lore_json_line(in->text, node), path, why));
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

void
lore_import_unknown_keys(struct lore_import *in, const struct lore_json *node, const char *known)
{
    char path[160];

    for (const struct lore_json *m = node ? node->child : NULL; m; m = m->next) {
        if (is_word_of(m->key, known))
            continue;
        lore_json_path(m, path, sizeof path);
        lore_import_note(in, LORE_IL_EXTRA, "%s: no field takes it; kept in extra", path);
    }
}

/* The document's id is that of its bytes and its records: another mapping is another document. */
static enum lore_status
finish_document(struct lore_import *in, const char *importer, size_t len, struct lore_err *err)
{
    struct lore_submission *doc = in->doc;
    struct lore_buf body = {.max = 64u << 20};
    char hex[LORE_HASH_HEX];

    doc->format = LORE_WIRE_VERSION;
    doc->author.name = lore_format(in->arena, "import %s", importer);
    doc->author.kind = "importer";
    struct lore_artifact *a =
        LORE_PUSH(in->arena, doc->artifacts, doc->n_artifacts, doc->cap_artifacts);
    a->name = in->file;
    a->media_type = "application/json";
    a->text = lore_strndup(in->arena, in->text, len);
    doc->id = "00000000000000000000000000";
    enum lore_status st = lore_build_encode(doc, &body, err);
    if (st == LORE_OK) {
        lore_hash_hex(body.data, body.len, hex);
        doc->id = lore_build_id(in->arena, 0, "document|%s", hex);
    }
    lore_buf_free(&body);
    return st;
}

static enum lore_status
detect(const struct lore_json *root, const char *file, const struct lore_importer **used,
    struct lore_err *err)
{
    for (const struct lore_importer *i = lore_importers; i->name; i++) {
        if (i->detect(root)) {
            *used = i;
            return LORE_OK;
        }
    }
    enum lore_status st = lore_fail_at(
        err, LORE_INVALID, "unknown_format", file, "%s: no importer recognises it", file);
    lore_err_hint(err, "name the format with --format: kernelflow, experiences");
    return st;
}

enum lore_status
lore_import_read(const struct lore_importer *importer, const char *file, const char *text,
    size_t len, struct lore_arena *arena, struct lore_import *out,
    const struct lore_importer **used, struct lore_err *err)
{
    struct lore_json *root = NULL;
    struct lore_err inner = {0};

    memset(out, 0, sizeof *out);
    out->arena = arena;
    out->file = lore_build_basename(file);
    out->text = lore_strndup(arena, text, len);
    out->doc = lore_alloc(arena, sizeof *out->doc);
    if (len > LORE_IMPORT_MAX)
        return lore_fail(
            err, LORE_TOOBIG, "%s: longer than %u KiB; split it", file, LORE_IMPORT_MAX >> 10);
    if (lore_json_parse(text, len, NULL, arena, &root, &inner) != LORE_OK) {
        (void)lore_fail_at(err, LORE_INVALID, inner.code, inner.path, "%s: %s", file, inner.msg);
        return LORE_INVALID;
    }
    out->root = root;
    if (!importer) {
        enum lore_status st = detect(root, file, &importer, err);
        if (st != LORE_OK)
            return st;
    }
    *used = importer;
    if (importer->read(out, &inner) != LORE_OK) {
        (void)lore_fail_at(err, inner.status, inner.code, inner.path, "%s: %s", file, inner.msg);
        return inner.status;
    }
    return out->doc->n_experiments > 0 ? finish_document(out, importer->name, len, err) : LORE_OK;
}
