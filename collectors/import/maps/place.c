/* Where a row belongs. Rows of one place share kernel, chip and workload; the report says once how
 * a name was resolved. */
#include <string.h>

#include "collectors/import/maps/job.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/parameter_off.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"
#include "service/wire/work.h"

bool
lore_map_has(struct lore_map_job *j, enum lore_map_field field, size_t max, const char **out)
{
    return lore_map_text(&j->r, j->map->fields[field], max, out);
}

static void
set_operator(struct lore_map_job *j, struct lore_map_place *p)
{
    const char *text = NULL;

    p->op = LORE_UNCLASSIFIED;
    if (!lore_map_has(j, LORE_MF_OPERATOR, LORE_TAKE_NAME, &text))
        return;
    p->op = lore_operator_name(j->r.arena, text);
    if (!*p->op)
        p->op = LORE_UNCLASSIFIED;
    lore_import_note(j->in, LORE_IL_NAMES, "operator \"%s\": %s%s", text, p->op,
        lore_operator_find(p->op) ? "" : " (new to the catalogue)");
}

static void
set_language(struct lore_map_job *j, struct lore_map_place *p)
{
    const char *text = NULL;

    p->language = LORE_LANG_OTHER;
    if (!lore_map_has(j, LORE_MF_LANGUAGE, LORE_TAKE_NAME, &text))
        return;
    p->language = lore_language_find(text);
    if (p->language != LORE_LANG_NONE)
        return;
    p->language = LORE_LANG_OTHER;
    lore_import_note(j->in, LORE_IL_DOUBTS, "language \"%s\" is not known; stored as other", text);
}

const struct lore_chip *
lore_chip_in(struct lore_arena *arena, const char *text)
{
    const struct lore_chip *found = lore_chip_find(text);
    size_t best = 0, n = strlen(text);

    for (size_t i = 0; !found && i < n && i < 120; i++) {
        if (i > 0 && !strchr(" _-./(,", text[i - 1]))
            continue;
        for (size_t end = n < 120 ? n : 120; end > i + best; end--) {
            if (end < n && !strchr(" _-./),", text[end]))
                continue;
            const struct lore_chip *c = lore_chip_find(lore_strndup(arena, text + i, end - i));
            const char *next = text + end + (text[end] != '\0');
            if (!c || lore_chip_variant(next, strcspn(next, " _-./),")))
                continue;
            found = c;
            best = end - i;
        }
    }
    return found;
}

static void
set_chip(struct lore_map_job *j, struct lore_map_place *p)
{
    const char *text = NULL;
    const struct lore_chip *chip = NULL;

    if (lore_map_has(j, LORE_MF_CHIP, LORE_TAKE_LINE, &text))
        chip = lore_chip_in(j->r.arena, text);
    if (chip) {
        p->chip = chip->name;
        lore_import_note(j->in, LORE_IL_NAMES, "chip \"%s\": %s", text, chip->name);
        return;
    }
    p->chip = j->in->chip;
    if (text)
        lore_import_note(j->in, LORE_IL_DOUBTS, "chip \"%s\" is not in the catalogue%s", text,
            p->chip ? "; --chip is used" : "; name it with --chip");
    else if (!p->chip && j->map->kind != LORE_MK_VERSIONS)
        lore_import_note(
            j->in, LORE_IL_DOUBTS, "%s: chip unknown; name it with --chip", j->in->file);
}

/* Numbers of "16x32" as the dims that the map names. */
static void
set_extents(
    struct lore_map_job *j, const struct lore_map_value *v, const char *text, struct lore_kvs *dims)
{
    size_t n = 0;

    for (const char *p = text; n < v->n_names; n++) {
        p += strcspn(p, "0123456789");
        size_t digits = strspn(p, "0123456789"), zeros = strspn(p, "0");
        if (digits == 0 || digits > 18)
            break;
        zeros -= zeros == digits;
        lore_kvs_set(
            j->r.arena, dims, v->names[n], lore_strndup(j->r.arena, p + zeros, digits - zeros));
        p += digits;
    }
    if (n < v->n_names)
        lore_import_note(j->in, LORE_IL_DOUBTS,
            "%s line %zu: \"%.80s\" has fewer than %zu dimensions", j->in->at->path, j->r.line,
            text, v->n_names);
}

void
lore_map_kvs_from(struct lore_map_job *j, enum lore_map_field field, struct lore_kvs *kvs)
{
    struct lore_arena *arena = j->r.arena;
    bool found = false;

    for (const struct lore_map_value *v = j->map->fields[field]; v; v = v->next) {
        const struct lore_json *node =
            v->n_columns > 0 && !v->match ? lore_map_node(&j->r, v->columns[0]) : NULL;
        const char *text = NULL;
        struct lore_kvs parsed = {.n = 0};
        if (found && (!node || node->type != LORE_J_OBJECT))
            continue; /* objects are joined, and texts stand in for them */
        if (node && node->type == LORE_J_OBJECT) {
            for (const struct lore_json *m = node->child; m; m = m->next) {
                const struct lore_json *value = lore_json_get(m, "value");
                if (value) /* {"N": {"type": "const", "value": 4096}} */
                    lore_kvs_set(arena, kvs, m->key, lore_build_verbatim(arena, value, NULL, NULL));
                else
                    (void)lore_take_kv(&j->take, node, m->key, kvs);
            }
            found = true;
            continue;
        }
        if (!lore_map_text(&j->r, v, LORE_TAKE_LINE, &text))
            continue;
        if (v->n_names > 0) {
            set_extents(j, v, text, kvs);
        } else if (lore_dims_parse(text, arena, &parsed, NULL) == LORE_OK) {
            for (size_t i = 0; i < parsed.n; i++)
                lore_kvs_set(arena, kvs, parsed.v[i].key, parsed.v[i].value);
        } else {
            lore_import_note(j->in, LORE_IL_DOUBTS, "%s line %zu: \"%.80s\" is not read as %s",
                j->in->at->path, j->r.line, text, lore_map_field_info(field)->name);
            lore_kvs_set(
                arena, kvs, lore_map_field_info(field)->name, lore_build_json_text(arena, text));
        }
        return;
    }
}

/* 256.0, as data frames write a dimension, is 256. */
static const char *
whole(const struct lore_map_job *j, const char *json)
{
    size_t n = strspn(json, "0123456789"), zeros = json[n] == '.' ? strspn(json + n + 1, "0") : 0;

    return n > 0 && zeros > 0 && json[n + 1 + zeros] == '\0' ? lore_strndup(j->r.arena, json, n)
                                                             : json;
}

/* JSON, or "false" when the map says that it means "not in use" and the name does not. */
static const char *
unless_off(const struct lore_map_job *j, const struct lore_map_value *v, const char *json)
{
    if (!v->off || !lore_streqi(lore_kvs_plain(j->r.arena, json), v->off) ||
        lore_parameter_is_off(v->name, json))
        return json;
    return "false";
}

void
lore_map_kvs(struct lore_map_job *j, enum lore_map_lists list, struct lore_kvs *kvs)
{
    const struct lore_map_list *l = &j->map->lists[list];
    const char *json = NULL;

    for (size_t i = 0; i < l->n; i++)
        if (lore_map_scalar(&j->r, &l->v[i], &json))
            lore_kvs_set(j->r.arena, kvs, l->v[i].name,
                list == LORE_ML_DIMS ? whole(j, json) : unless_off(j, &l->v[i], json));
    if (list != LORE_ML_PARAMETERS || j->map->parameters_like.n == 0)
        return;
    for (const struct lore_json *m = j->r.row->child; m; m = m->next)
        if (lore_map_like(&j->map->parameters_like, m->key))
            (void)lore_take_kv(&j->take, j->r.row, m->key, kvs);
}

static struct lore_map_place *
copy_of(struct lore_arena *arena, const struct lore_map_place *p)
{
    struct lore_map_place *to = lore_alloc(arena, sizeof *to);

    *to = *p;
    to->op = lore_strdup(arena, p->op);
    to->name = lore_strdup(arena, p->name);
    to->session = lore_strdup(arena, p->session);
    to->workload.op = to->op;
    to->workload.dtype = lore_strdup(arena, p->workload.dtype);
    to->workload.layout = lore_strdup(arena, p->workload.layout);
    to->workload.dims = (struct lore_kvs){.n = 0};
    for (size_t i = 0; i < p->workload.dims.n; i++)
        lore_kvs_set(
            arena, &to->workload.dims, p->workload.dims.v[i].key, p->workload.dims.v[i].value);
    return to;
}

/* Operations and bytes come from dims of certain names. Without them a run has no share of the
 * peak, and nobody would see why. */
static void
note_work(struct lore_map_job *j, const struct lore_map_place *p)
{
    const char *needed = lore_work_dims(p->op), *has = "";
    struct lore_work work;

    if (!needed || p->workload.dims.n == 0 || lore_work_of(p->op, &p->workload.dims, "f32", &work))
        return;
    for (size_t i = 0; i < p->workload.dims.n; i++)
        has = lore_format(j->r.arena, "%s%s%s", has, i > 0 ? ", " : "", p->workload.dims.v[i].key);
    lore_import_note(j->in, LORE_IL_DOUBTS,
        "operator %s with the dims %s: its operations are not computed; they need %s", p->op, has,
        needed);
}

struct lore_map_place *
lore_map_place(struct lore_map_job *j)
{
    struct lore_arena *arena = j->r.arena;
    struct lore_map_place p = {.op = NULL};

    set_operator(j, &p);
    set_language(j, &p);
    set_chip(j, &p);
    p.name = p.op;
    (void)lore_map_has(j, LORE_MF_KERNEL, LORE_TAKE_NAME, &p.name);
    (void)lore_map_has(j, LORE_MF_SESSION, LORE_TAKE_NAME, &p.session);
    p.workload.op = p.op;
    (void)lore_map_has(j, LORE_MF_DTYPE, LORE_TAKE_NAME, &p.workload.dtype);
    (void)lore_map_has(j, LORE_MF_LAYOUT, LORE_TAKE_NAME, &p.workload.layout);
    lore_map_kvs(j, LORE_ML_DIMS, &p.workload.dims);
    lore_map_kvs_from(j, LORE_MF_DIMS_FROM, &p.workload.dims);
    p.workload.set = p.workload.dims.n > 0 || p.workload.dtype || p.workload.layout;
    const char *key =
        lore_format(arena, "%s|%s|%d|%s|%s|%s", p.op, p.name, (int)p.language, p.chip ? p.chip : "",
            lore_workload_text(arena, p.op, &p.workload), p.session ? p.session : "");
    size_t *at = lore_index_at(j->kept, &j->place_of, key);
    if (*at == 0) {
        note_work(j, &p);
        struct lore_map_place *to = copy_of(j->kept, &p);
        to->key = lore_strdup(j->kept, key);
        *LORE_PUSH(j->kept, j->places, j->n_places, j->cap_places) = to;
        *at = j->n_places;
    }
    return j->places[*at - 1];
}
