/* GET /api/v1/runs/{id}/triggers: techniques that a run's metrics call for, strongest first, with
 * obstacles; GET /api/v1/techniques/{slug}: all data on one technique. A trigger whose metric was
 * not recorded is "not evaluated", not 0. */
#include <stdlib.h>
#include <string.h>

#include "db/judged.h"
#include "service/api/api_knowledge.h"
#include "service/api/api_methods.h"
#include "service/api/line.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/catalogue/technique_info.h"
#include "service/derive/methods.h"
#include "service/derive/profile.h"

enum { DEFINITIONS_SHOWN = 100 };

struct candidate {
    const struct lore_ranked_method *m;
    const struct lore_technique_row *used; /* NULL: never */
    struct lore_f64 strength;
    struct lore_reading reading;
};

static const struct lore_technique_row *
used_row(const struct lore_technique_row *rows, size_t n, const char *slug)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(rows[i].slug, slug))
            return &rows[i];
    return NULL;
}

static int
by_strength(const void *pa, const void *pb)
{
    const struct candidate *a = pa, *b = pb;

    if (a->strength.v < b->strength.v || a->strength.v > b->strength.v)
        return a->strength.v > b->strength.v ? -1 : 1;
    if (a->m->priority != b->m->priority)
        return a->m->priority < b->m->priority ? -1 : 1;
    return strcmp(a->m->id, b->m->id);
}

/* FIRES has methods whose trigger fires, strongest first; UNEVALUATED those that could not be
 * evaluated. Methods that are not needed are only counted. */
struct evaluated {
    struct candidate *fires, *unevaluated;
    size_t n_fires, n_unevaluated, n_not_needed;
};

static void
evaluate(struct lore_req *req, const struct lore_run *r, const struct lore_technique_row *used,
    size_t n_used, struct evaluated *out)
{
    struct lore_profile profile = lore_profile_open(&r->metrics, req->arena);
    struct lore_method_registry registry = {0};
    size_t n;
    const struct lore_ranked_method *methods = lore_methods(&n);

    lore_methods_catalogue(req->arena, &registry);
    out->fires = lore_alloc_array(req->arena, n + 1, sizeof *out->fires);
    out->unevaluated = lore_alloc_array(req->arena, n + 1, sizeof *out->unevaluated);
    for (size_t i = 0; i < n && i < registry.n; i++) {
        const struct lore_trigger *t = &methods[i].trigger;
        struct candidate c = {.m = &methods[i],
            .used = used_row(used, n_used, methods[i].slug),
            .strength = lore_method_trigger(&registry.v[i], &r->metrics)};

        if (t->metric)
            c.reading = lore_profile_read(&profile,
                !t->canonical ? t->metric
                              : lore_format(req->arena, "%s|%s", t->metric, t->canonical),
                req->arena);
        if (!c.strength.set)
            out->unevaluated[out->n_unevaluated++] = c;
        else if (c.strength.v > 0)
            out->fires[out->n_fires++] = c;
        else
            out->n_not_needed++;
    }
    qsort(out->fires, out->n_fires, sizeof *out->fires, by_strength);
}

struct gate {
    enum lore_gate gate;
    const char *missing;
};

static const char *
gate_name(enum lore_gate gate)
{
    static const char *const names[] = {[LORE_GATE_UNKNOWN] = "unknown",
        [LORE_GATE_OK] = "ok",
        [LORE_GATE_ARCH] = "architecture",
        [LORE_GATE_FEATURE] = "feature"};

    return names[gate];
}

static void
write_ok(struct lore_jsonw *w, const char *key, const void *row)
{
    enum lore_gate gate = ((const struct gate *)row)->gate;

    lore_w_key(w, key);
    if (gate == LORE_GATE_UNKNOWN)
        lore_w_null(w);
    else
        lore_w_bool(w, gate == LORE_GATE_OK);
}

#define ROW struct gate
static const struct lore_object_member gate_table[] = {
    {"!ok", WRITTEN(write_ok), "boolean?", "null: not known"},
    {"!why", NAMED(gate, gate_name), "ok|unknown|architecture|feature"},
    {"missing", AT(missing), NULL, "the feature, architecture or vendor that it needs"},
};
static const struct lore_object lore_gate_object = LORE_OBJECT("Gate", gate_table);
#undef ROW

static void
write_good(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_trigger *t = row;

    if (t->bounds)
        lore_w_kf64(w, key, t->good);
}

static void
write_bad(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_trigger *t = row;

    if (t->bounds)
        lore_w_kf64(w, key, t->bad);
}

#define ROW struct lore_trigger
static const struct lore_object_member bounds[] = {
    {"good", WRITTEN(write_good), "number", "value at which the method is not needed"},
    {"bad", WRITTEN(write_bad), "number", "value at which it is needed most"},
};
static const struct lore_object trigger_bounds = LORE_OBJECT("", bounds);

static const struct lore_object_member trigger[] = {
    {"!metric", AT(metric)},
    {"canonical", AT(canonical)},
    {"", MEMBERS_HERE(trigger_bounds)},
    {"direction", AT(direction), "high_is_bad|low_is_bad"},
};
static const struct lore_object lore_method_trigger_object =
    LORE_KEYED_OBJECT("MethodTrigger", trigger, metric);
#undef ROW

#define ROW struct lore_reading
static const struct lore_object_member reading[] = {{"metric", AT(name)}, {"!value", AT(value)}};
static const struct lore_object known_reading = LORE_OBJECT("", reading);
#undef ROW

/* A method whose trigger fires, as it is shown. */
struct fires {
    struct lore_ranked_method m;
    const char *title;
    struct lore_f64 strength;
    const struct lore_reading *reading; /* NULL: the metric is not known */
    struct gate gate;
    int64_t tried, won, lost;
    const char **conflicts;
    size_t n_conflicts;
};
#define ROW struct fires
static const struct lore_object_member fires[] = {
    {"!method", AT(m.id)},
    {"!technique", AT(m.slug)},
    {"!title", AT(title)},
    {"!axis", AT(m.axis)},
    {"!priority", AT(m.priority), NULL, "1 is tried first within the axis"},
    {"!strength", AT(strength), "number", "0 to 1"},
    {"", SPREAD(reading, known_reading)},
    {"", MEMBERS(m.trigger, trigger_bounds)},
    {"expected", AT(m.gain), NULL, "what its authors expect"},
    {"!gate", OBJECT(gate, lore_gate_object), NULL, "whether the chip can do it"},
    {"!tried", AT(tried)},
    {"!won", AT(won)},
    {"!lost", AT(lost)},
    {"!conflicts_with", STRINGS(conflicts, n_conflicts), NULL,
        "methods here that cannot be taken together with it"},
};
static const struct lore_object lore_fires_object = LORE_OBJECT("Candidate", fires);
#undef ROW

struct unevaluated {
    struct lore_ranked_method m;
    const char *why;
};
#define ROW struct unevaluated
static const struct lore_object_member unevaluated[] = {
    {"!method", AT(m.id)},
    {"!technique", AT(m.slug)},
    {"!axis", AT(m.axis)},
    {"metric", AT(m.trigger.metric)},
    {"!why", AT(why)},
};
static const struct lore_object lore_unevaluated_object = LORE_OBJECT("Silent", unevaluated);
#undef ROW

struct triggers {
    struct lore_line_row *present;
    size_t n_present;
    struct fires *rows;
    struct unevaluated *unevaluated;
    size_t n_rows, n_unevaluated, n_not_needed;
    const char *next; /* NULL: all methods are on one page */
    const struct lore_selection *selection;
};
#define ROW struct triggers
static const struct lore_object_member triggers[] = {
    {"!rows", LIST(rows, n_rows, lore_fires_object), NULL, "strongest first"},
    {"!next", AT(next), "text?"},
    {"!present", LIST(present, n_present, lore_line_technique_object), NULL,
        "techniques whose trigger fires, and that the version has"},
    {"!not_evaluated", LIST(unevaluated, n_unevaluated, lore_unevaluated_object)},
    {"!not_needed", AT(n_not_needed), NULL, "methods whose trigger does not fire"},
    {"selection", POINTER(selection, lore_selection_object)},
};
const struct lore_object lore_triggers_object = LORE_OBJECT("Triggers", triggers);
#undef ROW

static struct gate
gate_of(struct lore_arena *arena, const char *slug, const struct lore_chip *chip)
{
    char missing[64] = "";
    struct gate g = {LORE_GATE_UNKNOWN, NULL};

    if (chip)
        g.gate = lore_technique_gate(slug, chip, missing);
    g.missing = lore_strdup(arena, missing);
    return g;
}

static struct fires
fires_of(struct lore_arena *arena, const struct evaluated *all, const struct candidate *c,
    const struct lore_chip *chip)
{
    const struct lore_technique *t = lore_technique_find(c->m->slug);
    struct fires f = {.m = *c->m,
        .title = t != NULL ? t->title : c->m->slug,
        .strength = c->strength,
        .reading = c->reading.known ? &c->reading : NULL,
        .gate = gate_of(arena, c->m->slug, chip),
        .tried = c->used != NULL ? c->used->experiments : 0,
        .won = c->used != NULL ? c->used->wins : 0,
        .lost = c->used != NULL ? c->used->losses : 0};

    f.conflicts = lore_alloc_array(arena, all->n_fires, sizeof *f.conflicts);
    for (size_t i = 0; i < all->n_fires; i++)
        if (all->fires[i].m != c->m && lore_technique_conflicts(c->m->id, all->fires[i].m->id))
            f.conflicts[f.n_conflicts++] = all->fires[i].m->id;
    return f;
}

static struct unevaluated
unevaluated_of(const struct candidate *c)
{
    const struct lore_trigger *t = &c->m->trigger;

    return (struct unevaluated){*c->m, !t->metric           ? "no_trigger"
                                       : !t->bounds         ? "no_thresholds"
                                       : c->reading.known   ? "no_direction"
                                       : c->reading.missing ? lore_missing_name(c->reading.missing)
                                                            : "not_collected"};
}

static struct triggers
triggers_of(struct lore_arena *arena, const struct evaluated *all, const struct lore_chip *chip)
{
    struct triggers x = {.rows = lore_alloc_array(arena, all->n_fires + 1, sizeof *x.rows),
        .unevaluated = lore_alloc_array(arena, all->n_unevaluated + 1, sizeof *x.unevaluated),
        .n_not_needed = all->n_not_needed};

    for (; x.n_rows < all->n_fires; x.n_rows++)
        x.rows[x.n_rows] = fires_of(arena, all, &all->fires[x.n_rows], chip);
    for (; x.n_unevaluated < all->n_unevaluated; x.n_unevaluated++)
        x.unevaluated[x.n_unevaluated] = unevaluated_of(&all->unevaluated[x.n_unevaluated]);
    return x;
}

/* Move what the version of RUN has from the fired triggers of ALL to OUT. */
static enum lore_status
take_present(struct lore_req *req, const struct lore_run *run, struct evaluated *all,
    struct triggers *out, struct lore_err *err)
{
    struct lore_line line = {0};
    enum lore_status status =
        run->version ? lore_line_load_id(req->db, run->version, req->arena, &line, err) : LORE_OK;
    struct lore_line_rows has = lore_line_rows(&line, req->arena);
    size_t n = 0;

    out->present = lore_alloc_array(req->arena, all->n_fires + 1, sizeof *out->present);
    for (size_t i = 0; i < all->n_fires; i++) {
        size_t k = 0;
        while (k < has.n &&
               (has.v[k].out_version || !lore_streq(has.v[k].name, all->fires[i].m->slug)))
            k++;
        if (k < has.n)
            out->present[out->n_present++] = has.v[k];
        else
            all->fires[n++] = all->fires[i];
    }
    all->n_fires = n;
    return status;
}

enum lore_status
lore_api_triggers(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_technique_row *used = NULL;
    const struct lore_chip *chip;
    struct evaluated all = {0};
    struct lore_choice_in *choice = NULL;
    struct lore_run_row run = {0};
    struct triggers x, has = {0};
    size_t n_used = 0;
    enum lore_status status = lore_db_get_run(req->db, req->vars[0], req->arena, &run, err);

    if (status == LORE_OK)
        status = lore_db_list_techniques(req->db, req->arena, &used, &n_used, err);
    if (status == LORE_OK && lore_arg_bool(req, "select", false))
        status = lore_methods_choice_read(req, &run.r, &choice, err);
    if (status != LORE_OK)
        return status;
    chip = !run.r.chip ? NULL : lore_chip_find(run.r.chip);
    evaluate(req, &run.r, used, n_used, &all);
    status = take_present(req, &run.r, &all, &has, err);
    if (status != LORE_OK)
        return status;
    x = triggers_of(req->arena, &all, chip);
    x.present = has.present;
    x.n_present = has.n_present;
    if (choice)
        x.selection = lore_methods_choice_select(choice, req->arena);
    return lore_reply_object(resp, &lore_triggers_object, &x, err);
}

#define ROW struct lore_ranked_method
static const struct lore_object_member method[] = {
    {"!id", AT(id)},
    {"!axis", AT(axis), "compute|memory|latency"},
    {"!priority", AT(priority), NULL, "1 is tried first within the axis"},
    {"min_sm", AT(min_sm)},
    {"!features", WORDS(features), NULL, "that it needs"},
    {"!trigger", OBJECT(trigger, lore_method_trigger_object)},
    {"!conflicts", WORDS(conflicts)},
    {"!complements", WORDS(complements)},
    {"expected", AT(gain), NULL, "what its authors expect"},
};
static const struct lore_object lore_method_object = LORE_OBJECT("Method", method);
#undef ROW

static const char *
pair_name(enum lore_pair kind)
{
    static const char *const names[] = {[LORE_PAIR_FREE] = "free",
        [LORE_PAIR_SAME] = "same",
        [LORE_PAIR_COUPLED] = "coupled",
        [LORE_PAIR_EXCLUSIVE] = "exclusive"};

    return names[kind];
}

struct pair {
    struct lore_pair_row row;
    const char *with;
};
#define ROW struct pair
static const struct lore_object_member pair[] = {
    {"!with", AT(with)},
    {"!kind", NAMED(row.kind, pair_name), "free|same|coupled|exclusive"},
    {"!contradicts", AT(row.contradicts), NULL, "sources disagree about it"},
    {"note", AT(row.note)},
};
static const struct lore_object lore_pair_object = LORE_OBJECT("Pair", pair);
#undef ROW

#define ROW struct lore_technique_def_row
static const struct lore_object_member definition[] = {
    {"!", FIELDS(r, LORE_K_TECHNIQUE)},
    STORED(),
};
static const struct lore_object lore_technique_definition_object =
    LORE_OBJECT("TechniqueDefinition", definition);
#undef ROW

#define ROW struct lore_technique
static const struct lore_object_member about[] = {
    {"axis", AT(axis)},
    {"layer", AT(layer)},
    {"summary", AT(summary)},
    {"!aliases", WORDS(aliases)},
};
static const struct lore_object about_technique = LORE_OBJECT("", about);
#undef ROW

/* What a technique needs. */
struct needs {
    int min_sm;
    bool nvidia, amd; /* has a form there */
    const char *features, *amd_features, *complements, *needs;
};
#define ROW struct needs
static const struct lore_object_member needs[] = {
    {"min_sm", AT(min_sm)},
    {"!nvidia", AT(nvidia), NULL, "has a form for NVIDIA chips"},
    {"!amd", AT(amd)},
    {"!features", WORDS(features), NULL, "NVIDIA's; `|` is \"or\""},
    {"!amd_features", WORDS(amd_features)},
    {"!complements", WORDS(complements)},
    {"needs", AT(needs), NULL, "what must hold, in words"},
};
static const struct lore_object technique_needs = LORE_OBJECT("", needs);
#undef ROW

struct sheet {
    const char *slug, *title;
    bool known;
    uint32_t triggers;
    const struct lore_technique *about; /* NULL: not in the catalogue */
    const struct needs *needs;          /* NULL: not known */
    struct lore_ranked_method *methods;
    struct pair *pairs;
    struct lore_count *verdicts;
    struct lore_technique_def_row *definitions;
    size_t n_methods, n_pairs, n_verdicts, n_definitions;
    int64_t experiments, wins, losses;
};

static void
write_verdicts(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct sheet *x = row;

    lore_w_key(w, key);
    lore_w_obj(w);
    for (size_t i = 0; i < x->n_verdicts; i++)
        lore_w_ki64(w, x->verdicts[i].name, x->verdicts[i].n);
    lore_w_obj_end(w);
}

#define ROW struct sheet
static const struct lore_object_member sheet[] = {
    {"!slug", AT(slug)},
    {"!title", AT(title)},
    {"!known", AT(known), NULL, "in the catalogue"},
    {"", SPREAD(about, about_technique)},
    {"!triggers", LABELS(triggers), NULL, "bottlenecks that call for it"},
    {"", SPREAD(needs, technique_needs)},
    {"!methods", LIST(methods, n_methods, lore_method_object)},
    {"!pairs", LIST(pairs, n_pairs, lore_pair_object)},
    {"!experiments", AT(experiments)},
    {"!wins", AT(wins)},
    {"!losses", AT(losses)},
    {"!verdicts", WRITTEN(write_verdicts), "{integer", "how often each was given"},
    {"!definitions", LIST(definitions, n_definitions, lore_technique_definition_object)},
};
const struct lore_object lore_technique_sheet_object = LORE_OBJECT("TechniqueSheet", sheet);
#undef ROW

static const struct needs *
needs_of(struct lore_arena *arena, const struct lore_technique_info *info)
{
    bool amd = info && !lore_streq(info->amd, "-");
    struct needs n;

    if (!info)
        return NULL;
    n = (struct needs){.min_sm = info->min_sm > 0 ? info->min_sm : 0,
        .nvidia = info->min_sm >= 0,
        .amd = amd,
        .features = info->features,
        .amd_features = amd ? info->amd : NULL,
        .complements = info->complements,
        .needs = info->needs};
    return lore_memdup(arena, &n, sizeof n);
}

static void
add_pairs(struct lore_arena *arena, struct sheet *x)
{
    size_t n;
    const struct lore_pair_row *rows = lore_technique_pairs(&n);

    x->pairs = lore_alloc_array(arena, n + 1, sizeof *x->pairs);
    for (size_t i = 0; i < n; i++) {
        const struct lore_ranked_method *a = lore_method_find(rows[i].a),
                                        *b = lore_method_find(rows[i].b);
        const char *sa = a != NULL ? a->slug : rows[i].a, *sb = b != NULL ? b->slug : rows[i].b;

        if (lore_streq(sa, x->slug) || lore_streq(sb, x->slug))
            x->pairs[x->n_pairs++] =
                (struct pair){rows[i], lore_streq(sa, x->slug) ? rows[i].b : rows[i].a};
    }
}

/* Add the catalogue's data. */
static void
add_catalogue(struct lore_arena *arena, const struct lore_technique *known, struct sheet *x)
{
    size_t n;
    const struct lore_ranked_method *methods = lore_methods(&n);

    x->about = known;
    x->known = known != NULL;
    x->title = known != NULL ? known->title : x->slug;
    x->triggers = known != NULL ? known->triggers : 0;
    x->needs = needs_of(arena, known != NULL ? lore_technique_info(x->slug) : NULL);
    x->methods = lore_alloc_array(arena, n + 1, sizeof *x->methods);
    for (size_t i = 0; i < n; i++)
        if (lore_streq(methods[i].slug, x->slug))
            x->methods[x->n_methods++] = methods[i];
    add_pairs(arena, x);
}

enum { NEAR_SHOWN = 3 };

/* Suggestions for an unknown technique. Names are tried with and without axis. A name that only
 * contains the text counts when none is spelt alike. */
struct near {
    const char **names, **slugs; /* a name, and the technique that has it */
    size_t n;
    const char *text;
    size_t shown;
};

static void
add_near(struct near *near, const char *slug)
{
    const char *dot = strchr(slug, '.');

    near->names[near->n] = near->slugs[near->n] = slug;
    near->n++;
    if (!dot)
        return;
    near->names[near->n] = dot + 1;
    near->slugs[near->n++] = slug;
}

/* Add SLUG to the text and remove both its names, so that it appears once. */
static void
suggest(struct near *near, struct lore_arena *arena, const char *slug)
{
    size_t left = 0;

    near->text = !near->text ? slug : lore_format(arena, "%s, %s", near->text, slug);
    near->shown++;
    for (size_t i = 0; i < near->n; i++) {
        if (lore_streq(near->slugs[i], slug))
            continue;
        near->names[left] = near->names[i];
        near->slugs[left++] = near->slugs[i];
    }
    near->n = left;
}

static const char *
near_techniques(struct lore_arena *arena, const char *slug, const struct lore_technique_row *used,
    size_t n_used)
{
    const char *dot = strchr(slug, '.');
    const char *const spelt[] = {slug, dot != NULL ? dot + 1 : slug};
    struct near near = {.names = lore_alloc_array(arena, 2 * n_used + 1, sizeof(char *)),
        .slugs = lore_alloc_array(arena, 2 * n_used + 1, sizeof(char *))};

    for (size_t i = 0; i < n_used; i++)
        add_near(&near, used[i].slug);
    for (size_t k = 0; k < 2; k++)
        for (int at = 0; at >= 0 && near.shown < NEAR_SHOWN;) {
            at = lore_nearest(spelt[k], near.names, near.n);
            if (at >= 0)
                suggest(&near, arena, near.slugs[at]);
        }
    for (size_t i = 0; near.text == NULL && strlen(spelt[1]) > 2 && i < near.n; i++)
        if (strstr(near.names[i], spelt[1]))
            suggest(&near, arena, near.slugs[i]);
    return near.text;
}

static enum lore_status
no_technique(struct lore_req *req, const char *slug, const struct lore_technique_row *used,
    size_t n_used, struct lore_err *err)
{
    const char *near = near_techniques(req->arena, slug, used, n_used);
    enum lore_status status = lore_fail(err, LORE_NOTFOUND, "technique %.100s: not found", slug);

    lore_err_hint(err, "%s%sGET /api/v1/techniques lists them",
        near != NULL ? lore_format(req->arena, "near: %s", near) : "", near != NULL ? "; " : "");
    return status;
}

enum lore_status
lore_api_technique(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct sheet x = {.slug = lore_technique_slug(req->arena, req->vars[0])};
    const struct lore_technique *known = lore_technique_find(x.slug);
    struct lore_list_filter f = {.technique = x.slug, .page.limit = DEFINITIONS_SHOWN};
    struct lore_technique_row *rows = NULL;
    const struct lore_technique_row *used;
    size_t n = 0;
    enum lore_status status = lore_db_list_techniques(req->db, req->arena, &rows, &n, err);

    if (status == LORE_OK)
        status = lore_db_list_technique_defs(
            req->db, &f, req->arena, &x.definitions, &x.n_definitions, err);
    if (status == LORE_OK)
        status = lore_count_technique_verdicts(
            req->db, x.slug, req->arena, &x.verdicts, &x.n_verdicts, err);
    if (status != LORE_OK)
        return status;
    used = used_row(rows, n, x.slug);
    if (!known && x.n_definitions == 0 && !used)
        return no_technique(req, x.slug, rows, n, err);
    add_catalogue(req->arena, known, &x);
    if (used) {
        x.experiments = used->experiments;
        x.wins = used->wins;
        x.losses = used->losses;
    }
    return lore_reply_object(resp, &lore_technique_sheet_object, &x, err);
}
