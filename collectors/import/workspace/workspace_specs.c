/* Reads the spec lines of README.md: "<metric>: <value> <unit> <- <document>:<line>". A number is
 * recorded only when the cited document is imported, too, and the cited line contains the number.
 * Other lines are listed as unsourced and kept as text. "<metric>: UNKNOWN (…)" is recorded as a
 * spec whose value is unknown. */
#include <math.h>
#include <string.h>

#include "collectors/import/wiki/spec_md.h"
#include "collectors/import/workspace/workspace.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/spec_names.h"
#include "service/wire/build.h"

/* The file for PATH: the first path in the tree that ends with it. The prefix "gpu-wiki/" is
 * ignored, because the folder of the wiki may have another name. */
static struct lore_import_file *
document_of(const struct lore_workspace *at, const char *path)
{
    struct lore_import_file *f = NULL;
    const char *tail = lore_starts(path, "gpu-wiki/") ? path + strlen("gpu-wiki/") : path;
    size_t n = strlen(tail);

    while (n > 0 && (f = lore_tree_next_path(at->in->tree, "", f))) {
        size_t len = strlen(f->path);
        if (len >= n && strcmp(f->path + len - n, tail) == 0 &&
            (len == n || f->path[len - n - 1] == '/') && lore_tree_open(at->in->tree, f))
            return f;
    }
    return NULL;
}

/* Does any number on LINE equal VALUE? */
static bool
has_number(const char *line, double value)
{
    for (const char *p = line; *p;) {
        double v = 0;
        const char *rest = NULL;
        bool start = p == line || !strchr("0123456789.,", p[-1]);
        if (start && *p >= '0' && *p <= '9' && lore_md_number(p, &v, &rest, NULL) && rest > p) {
            if (fabs(v - value) <= 1e-9 * fabs(value))
                return true;
            p = rest;
        } else {
            p++;
        }
    }
    return false;
}

static const char *
canonical(struct lore_arena *arena, const char *label)
{
    const struct lore_spec_name *name = lore_spec_name_find(label);
    return name ? name->name : lore_strdup(arena, label);
}

static void
list_unsourced(
    struct lore_workspace *at, const struct lore_md_line *l, const char *text, const char *why)
{
    lore_build_text(at->in->arena, &at->unsourced, text);
    lore_import_note(at->in, LORE_IL_DOUBTS, "%s line %zu: \"%s\": %s; not recorded as a spec",
        at->readme_file->path, l->line, text, why);
}

static void
take_unknown(struct lore_workspace *at, const char *text, const char *metric)
{
    struct lore_submission *doc = at->in->doc;

    lore_build_text(at->in->arena, &at->unknown_specs, text);
    if (!at->chip)
        return;
    const char *id =
        lore_build_id(at->in->arena, 0, "spec-unknown|%s|%s|%s", at->campaign, at->chip, metric);
    for (size_t i = 0; i < doc->n_specs; i++) {
        if (strcmp(doc->specs[i].id, id) == 0)
            return;
    }
    struct lore_spec *s = LORE_PUSH(at->in->arena, doc->specs, doc->n_specs, doc->cap_specs);
    s->id = id;
    s->chip = at->chip;
    s->metric = metric;
    s->unknown = LORE_MISS_NO_SOURCE;
    s->evidence_class = "repository_reference";
    s->note = text;
    s->provenance.system = LORE_WORKSPACE_SYSTEM;
}

/* Record METRIC with VALUE such as "4.0 TB/s <- gpu-wiki/hardware-specs/x.md:66" when its source
 * contains it. */
static void
take_cited(struct lore_workspace *at, const struct lore_md_line *l, const char *text,
    const char *metric, const char *value)
{
    struct lore_arena *arena = at->in->arena;
    const char *arrow = strstr(value, "<-");
    struct lore_spec_md_value v;

    if (!arrow) {
        list_unsourced(at, l, text, "no source is cited");
        return;
    }
    const char *source = arrow + 2 + strspn(arrow + 2, " ");
    const char *colon = strrchr(source, ':');
    double line = 0;
    const char *digits = colon ? colon + 1 + (colon[1] == 'L') : NULL;
    if (!lore_spec_value_parse(arena, lore_strndup(arena, value, (size_t)(arrow - value)), &v) ||
        !*v.unit) {
        list_unsourced(at, l, text, "no number with a unit");
        return;
    }
    if (!digits || !lore_md_number(digits, &line, NULL, NULL) || line < 1 || line > 1e6) {
        list_unsourced(at, l, text, "the source names no line");
        return;
    }
    struct lore_import_file *f =
        document_of(at, lore_strndup(arena, source, (size_t)(colon - source)));
    if (!f || !f->utf8) {
        list_unsourced(at, l, text, "the cited document is not part of the import");
        return;
    }
    const char *quote = lore_spec_md_line(arena, f->text, (size_t)line);
    if (!has_number(quote, v.v)) {
        list_unsourced(at, l, text, "the cited line does not contain the number");
        return;
    }
    struct lore_md md;
    lore_md_parse(arena, f->text, f->len, NULL, &md);
    const char *document = lore_spec_md_document(at->in, f, &md);
    if (!at->chip || !document) {
        list_unsourced(at, l, text, "the chip or the document is unknown");
        return;
    }
    const struct lore_spec_citation place = {
        LORE_WORKSPACE_SYSTEM, at->chip, document, (size_t)line};
    (void)lore_spec_md_add(at->in, &place, metric, &v, v.unit);
}

void
lore_workspace_specs(struct lore_workspace *at)
{
    struct lore_arena *arena = at->in->arena;

    if (!at->readme_file)
        return;
    lore_import_open(at->in, at->readme_file);
    for (size_t i = 0; i < at->readme.n_lines; i++) {
        const struct lore_md_line *l = &at->readme.lines[i];
        if (l->level > 0 || !lore_streqi(l->section, "Hardware Spec") ||
            lore_starts(l->text, "```"))
            continue;
        const char *text = lore_md_plain(arena, l->text), *colon = strchr(text, ':');
        if (!colon || colon == text || colon - text > LORE_TAKE_NAME) {
            lore_import_note(at->in, LORE_IL_EXTRA,
                "%s line %zu: not a spec line; kept in the stored file", at->readme_file->path,
                l->line);
            continue;
        }
        const char *metric = canonical(arena, lore_strndup(arena, text, (size_t)(colon - text)));
        const char *value = colon + 1 + strspn(colon + 1, " ");
        if (lore_starts(value, "UNKNOWN"))
            take_unknown(at, text, metric);
        else
            take_cited(at, l, text, metric, value);
    }
}
