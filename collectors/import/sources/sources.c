/* Source files with kernels that no other importer reads become versions: gemm_v1.cu and gemm_v2.cu
 * are versions v1 and v2 of the kernel gemm. A file v1.cu is a version of the kernel that its
 * folder is named after. The operator is that of the kernel's name, where the catalogue knows it.
 * No time, no parent and no experiment follows from a source, so none is made. */
#include "collectors/import/sources/sources.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define UNCLASSIFIED "unclassified"

enum { DIGITS = 6, NAME_MAX_BYTES = 200, SHOWN = 4 };

struct named {
    const char *kernel, *label, *tag; /* label, tag: NULL: the file's name states none */
    int64_t ordinal;                  /* of the label */
};

/* Where "v12" with nothing but a separator before and behind it stands in STEM; NULL: nowhere. */
static const char *
find_version(const char *stem, size_t *len)
{
    for (const char *p = stem; *p; p++) {
        if ((*p != 'v' && *p != 'V') || (p > stem && !strchr("_-.", p[-1])))
            continue;
        size_t n = 1 + strspn(p + 1, "0123456789");
        if (n > 1 && n <= DIGITS && (!p[n] || strchr("_-.", p[n]))) {
            *len = n;
            return p;
        }
    }
    return NULL;
}

/* The last part of the folder of PATH, else the tree's name. */
static const char *
folder_of(const struct lore_import_tree *t, const char *path, struct lore_arena *arena)
{
    const char *end = strrchr(path, '/'), *begin = end;

    if (!end)
        return t->name;
    while (begin > path && begin[-1] != '/')
        begin--;
    return lore_strndup(arena, begin, (size_t)(end - begin));
}

/* Whether another folder of T has a file of the name of PATH, too. */
static bool
has_namesake(const struct lore_import_tree *t, const char *path)
{
    const char *name = lore_build_basename(path);

    for (size_t i = 0; i < t->n; i++)
        if (!lore_streq(t->files[i].path, path) &&
            lore_streq(lore_build_basename(t->files[i].path), name))
            return true;
    return false;
}

static struct named
name_of(const struct lore_import *in)
{
    struct lore_arena *arena = in->arena;
    const char *base = lore_build_basename(in->at->path), *dot = strrchr(base, '.');
    const char *stem = lore_strndup(arena, base, dot ? (size_t)(dot - base) : strlen(base));
    const char *folder = folder_of(in->tree, in->at->path, arena);
    struct named n = {.kernel = stem};
    size_t len = 0;
    const char *v = find_version(stem, &len);

    if (v) {
        n.ordinal = strtoll(v + 1, NULL, 10);
        n.label = lore_format(arena, "v%lld", (long long)n.ordinal);
        n.tag = v[len] && v[len + 1] ? v + len + 1 : NULL;
        n.kernel = v > stem + 1 ? lore_strndup(arena, stem, (size_t)(v - stem) - 1) : folder;
    }
    if (!n.kernel || !*n.kernel)
        n.kernel = stem;
    if (n.kernel != folder && folder && has_namesake(in->tree, in->at->path))
        n.kernel = lore_format(arena, "%s/%s", folder, n.kernel);
    return n;
}

static const char *
extra_of(struct lore_arena *arena, const struct lore_source_kernels *k)
{
    struct lore_buf out = {.max = 4u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_w_key(&w, "entry_points");
    lore_w_arr(&w);
    for (size_t i = 0; i < k->names.n; i++)
        lore_w_str(&w, k->names.v[i]);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    const char *text =
        lore_jsonw_end(&w, NULL) == LORE_OK ? lore_strndup(arena, out.data, out.len) : NULL;
    lore_buf_free(&out);
    return text;
}

static void
report(struct lore_import *in, const struct named *n, const char *op,
    const struct lore_source_kernels *k)
{
    const char *points = "";

    for (size_t i = 0; i < k->names.n && i < SHOWN; i++)
        points = lore_format(in->arena, "%s%s%s", points, i ? ", " : "", k->names.v[i]);
    lore_import_note(in, LORE_IL_NAMES,
        "%s: version %s of kernel %s in %s, operator %s; entry points %s%s", in->at->path,
        n->label ? n->label : "without a label", n->kernel, lore_language_name(k->language), op,
        points,
        k->names.n > SHOWN ? lore_format(in->arena, " and %zu more", k->names.n - SHOWN) : "");
}

bool
lore_sources_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    LORE_SCRATCH arena = {0};
    struct lore_source_kernels k;

    if (!f || !f->whole || !f->utf8)
        return false;
    lore_source_kernels(unit, f->text, &arena, &k);
    return k.language != LORE_LANG_NONE;
}

enum lore_status
lore_sources_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_source_kernels k;
    char hex[LORE_HASH_HEX];

    in->records++;
    lore_source_kernels(in->at->path, in->text, in->arena, &k);
    if (k.language == LORE_LANG_NONE)
        return lore_fail(err, LORE_INVALID, "no kernel was found whose language is certain");
    struct named n = name_of(in);
    const struct lore_operator *known = lore_operator_find(n.kernel);
    if (strlen(n.kernel) > NAME_MAX_BYTES || (n.tag && strlen(n.tag) > NAME_MAX_BYTES))
        return lore_fail(err, LORE_INVALID, "the file's name is too long for a kernel's");
    struct lore_version *v =
        LORE_PUSH(in->arena, in->doc->versions, in->doc->n_versions, in->doc->cap_versions);
    v->kernel = lore_build_kernel(
        in->arena, in->doc, known ? known->name : UNCLASSIFIED, k.language, n.kernel);
    lore_hash_hex(in->text, strlen(in->text), hex);
    v->id = lore_build_id(
        in->arena, 0, "source|%s|%s|%s|%s", v->kernel, in->at->path, n.label ? n.label : "", hex);
    v->kind = LORE_V_CANDIDATE;
    v->label = n.label;
    v->ordinal = (struct lore_i64){n.label != NULL, n.ordinal};
    v->tag = n.tag;
    v->provenance.system = "sources";
    v->provenance.path = in->at->path;
    v->extra = extra_of(in->arena, &k);
    struct lore_source *s = LORE_PUSH(in->arena, v->sources, v->n_sources, v->cap_sources);
    *s = (struct lore_source){lore_build_basename(in->at->path), in->text};
    report(in, &n, known ? known->name : "not in the catalogue", &k);
    return LORE_OK;
}
