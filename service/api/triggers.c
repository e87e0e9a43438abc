/* GET /api/v1/runs/{id}/triggers: which techniques a run's metrics ask for, strongest first, and
 * what stands in the way; GET /api/v1/techniques/{slug}: all that is known about one. A trigger
 * whose metric was not recorded is "not evaluated", not 0. */
#include <stdlib.h>
#include <string.h>

#include "db/judged.h"
#include "service/api/api_knowledge.h"
#include "service/api/api_methods.h"
#include "service/api/edge.h"
#include "service/api/present.h"
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

/* Strong ones first in FIRES, those without a number in SILENT; what is not needed is in neither.
 */
struct evaluated {
    struct candidate *fires, *silent;
    size_t n_fires, n_silent, n_quiet;
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
    out->silent = lore_alloc_array(req->arena, n + 1, sizeof *out->silent);
    for (size_t i = 0; i < n && i < registry.n; i++) {
        const struct lore_trigger *t = &methods[i].trigger;
        struct candidate c = {.m = &methods[i],
            .used = used_row(used, n_used, methods[i].slug),
            .strength = lore_method_trigger(&registry.v[i], &r->metrics)};

        if (t->metric != NULL)
            c.reading = lore_profile_read(&profile,
                t->canonical == NULL ? t->metric
                                     : lore_format(req->arena, "%s|%s", t->metric, t->canonical),
                req->arena);
        if (!c.strength.set)
            out->silent[out->n_silent++] = c;
        else if (c.strength.v > 0)
            out->fires[out->n_fires++] = c;
        else
            out->n_quiet++;
    }
    qsort(out->fires, out->n_fires, sizeof *out->fires, by_strength);
}

static void
put_gate(struct lore_jsonw *w, const char *slug, const struct lore_chip *chip)
{
    static const char *const why[] = {[LORE_GATE_UNKNOWN] = "unknown",
        [LORE_GATE_OK] = "ok",
        [LORE_GATE_ARCH] = "architecture",
        [LORE_GATE_FEATURE] = "feature"};
    char missing[64] = "";
    enum lore_gate gate =
        chip == NULL ? LORE_GATE_UNKNOWN : lore_technique_gate(slug, chip, missing);

    lore_w_key(w, "gate");
    lore_w_obj(w);
    lore_w_key(w, "ok");
    if (gate == LORE_GATE_UNKNOWN)
        lore_w_null(w);
    else
        lore_w_bool(w, gate == LORE_GATE_OK);
    lore_w_kstr(w, "why", why[gate]);
    lore_w_kstr_opt(w, "missing", missing);
    lore_w_obj_end(w);
}

/* The other candidates that cannot be taken together with this one. */
static void
put_conflicts(struct lore_jsonw *w, const struct evaluated *all, const struct candidate *c)
{
    lore_w_key(w, "conflicts_with");
    lore_w_arr(w);
    for (size_t i = 0; i < all->n_fires; i++)
        if (all->fires[i].m != c->m && lore_technique_conflicts(c->m->id, all->fires[i].m->id))
            lore_w_str(w, all->fires[i].m->id);
    lore_w_arr_end(w);
}

static void
put_candidate(struct lore_jsonw *w, const struct evaluated *all, const struct candidate *c,
    const struct lore_chip *chip)
{
    const struct lore_technique *t = lore_technique_find(c->m->slug);

    lore_w_obj(w);
    lore_w_kstr(w, "method", c->m->id);
    lore_w_kstr(w, "technique", c->m->slug);
    lore_w_kstr(w, "title", t != NULL ? t->title : c->m->slug);
    lore_w_kstr(w, "axis", c->m->axis);
    lore_w_ki64(w, "priority", c->m->priority);
    lore_present_f64(w, "strength", c->strength);
    if (c->reading.known) {
        lore_w_kstr(w, "metric", c->reading.name);
        lore_w_kf64(w, "value", c->reading.value);
    }
    if (c->m->trigger.bounds) {
        lore_w_kf64(w, "good", c->m->trigger.good);
        lore_w_kf64(w, "bad", c->m->trigger.bad);
    }
    lore_w_kstr_opt(w, "expected", c->m->gain);
    put_gate(w, c->m->slug, chip);
    lore_w_ki64(w, "tried", c->used != NULL ? c->used->experiments : 0);
    lore_w_ki64(w, "won", c->used != NULL ? c->used->wins : 0);
    lore_w_ki64(w, "lost", c->used != NULL ? c->used->losses : 0);
    put_conflicts(w, all, c);
    lore_w_obj_end(w);
}

static void
put_silent(struct lore_jsonw *w, const struct evaluated *all)
{
    lore_w_key(w, "not_evaluated");
    lore_w_arr(w);
    for (size_t i = 0; i < all->n_silent; i++) {
        const struct lore_ranked_method *m = all->silent[i].m;

        lore_w_obj(w);
        lore_w_kstr(w, "method", m->id);
        lore_w_kstr(w, "technique", m->slug);
        lore_w_kstr(w, "axis", m->axis);
        lore_w_kstr_opt(w, "metric", m->trigger.metric);
        lore_w_kstr(w, "why",
            m->trigger.metric == NULL        ? "no_trigger"
            : !m->trigger.bounds             ? "no_thresholds"
            : all->silent[i].reading.known   ? "no_direction"
            : all->silent[i].reading.missing ? lore_missing_name(all->silent[i].reading.missing)
                                             : "not_collected");
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

enum lore_status
lore_api_triggers(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_technique_row *used = NULL;
    const struct lore_chip *chip;
    struct evaluated all = {0};
    struct lore_choice_in *choice = NULL;
    struct lore_run_row run = {0};
    struct lore_jsonw w;
    size_t n_used = 0;
    enum lore_status status = lore_get_run(req->db, req->vars[0], req->arena, &run, err);

    if (status == LORE_OK)
        status = lore_list_techniques(req->db, req->arena, &used, &n_used, err);
    if (status == LORE_OK && lore_arg_bool(req, "select", false))
        status = lore_choice_read(req, &run.r, &choice, err);
    if (status != LORE_OK)
        return status;
    chip = run.r.chip == NULL ? NULL : lore_chip_find(run.r.chip);
    evaluate(req, &run.r, used, n_used, &all);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < all.n_fires; i++)
        put_candidate(&w, &all, &all.fires[i], chip);
    lore_rows_end(&w, false, 0);
    put_silent(&w, &all);
    lore_w_ki64(&w, "not_needed", (int64_t)all.n_quiet);
    if (choice != NULL)
        lore_present_selection(&w, choice, req->arena);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* "a,b" as a list. */
static void
put_list(struct lore_jsonw *w, const char *key, const char *list)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (const char *p = list; p != NULL && *p != '\0';) {
        size_t n = strcspn(p, ",");

        lore_w_strn(w, p, n);
        p += n + (p[n] == ',');
    }
    lore_w_arr_end(w);
}

static void
put_method(struct lore_jsonw *w, const struct lore_ranked_method *m)
{
    lore_w_obj(w);
    lore_w_kstr(w, "id", m->id);
    lore_w_kstr(w, "axis", m->axis);
    lore_w_ki64(w, "priority", m->priority);
    if (m->min_sm > 0)
        lore_w_ki64(w, "min_sm", m->min_sm);
    put_list(w, "features", m->features);
    lore_w_key(w, "trigger");
    if (m->trigger.metric == NULL) {
        lore_w_null(w);
    } else {
        lore_w_obj(w);
        lore_w_kstr(w, "metric", m->trigger.metric);
        lore_w_kstr_opt(w, "canonical", m->trigger.canonical);
        if (m->trigger.bounds) {
            lore_w_kf64(w, "good", m->trigger.good);
            lore_w_kf64(w, "bad", m->trigger.bad);
        }
        lore_w_kstr_opt(w, "direction", m->trigger.direction);
        lore_w_obj_end(w);
    }
    put_list(w, "conflicts", m->conflicts);
    put_list(w, "complements", m->complements);
    lore_w_kstr_opt(w, "expected", m->gain);
    lore_w_obj_end(w);
}

static void
put_catalogue(struct lore_jsonw *w, const char *slug, const struct lore_technique *t)
{
    const struct lore_technique_info *info = t == NULL ? NULL : lore_technique_info(slug);
    size_t n;
    const struct lore_ranked_method *methods = lore_methods(&n);

    lore_w_kstr(w, "slug", slug);
    lore_w_kstr(w, "title", t != NULL ? t->title : slug);
    lore_w_kbool(w, "known", t != NULL);
    if (t != NULL) {
        lore_w_kstr_opt(w, "axis", t->axis);
        lore_w_kstr_opt(w, "layer", t->layer);
        lore_w_kstr_opt(w, "summary", t->summary);
        put_list(w, "aliases", t->aliases);
    }
    lore_present_labels(w, "triggers", t == NULL ? 0 : t->triggers);
    if (info != NULL) {
        if (info->min_sm > 0)
            lore_w_ki64(w, "min_sm", info->min_sm);
        lore_w_kbool(w, "nvidia", info->min_sm >= 0);
        lore_w_kbool(w, "amd", !lore_streq(info->amd, "-"));
        put_list(w, "features", info->features);
        put_list(w, "amd_features", lore_streq(info->amd, "-") ? NULL : info->amd);
        put_list(w, "complements", info->complements);
        lore_w_kstr_opt(w, "needs", info->needs);
    }
    lore_w_key(w, "methods");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        if (lore_streq(methods[i].slug, slug))
            put_method(w, &methods[i]);
    lore_w_arr_end(w);
}

static void
put_pairs(struct lore_jsonw *w, const char *slug)
{
    static const char *const kinds[] = {[LORE_PAIR_FREE] = "free",
        [LORE_PAIR_SAME] = "same",
        [LORE_PAIR_COUPLED] = "coupled",
        [LORE_PAIR_EXCLUSIVE] = "exclusive"};
    size_t n;
    const struct lore_pair_row *rows = lore_technique_pairs(&n);

    lore_w_key(w, "pairs");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        const struct lore_ranked_method *a = lore_method_find(rows[i].a),
                                        *b = lore_method_find(rows[i].b);
        const char *sa = a != NULL ? a->slug : rows[i].a, *sb = b != NULL ? b->slug : rows[i].b;

        if (!lore_streq(sa, slug) && !lore_streq(sb, slug))
            continue;
        lore_w_obj(w);
        lore_w_kstr(w, "with", lore_streq(sa, slug) ? rows[i].b : rows[i].a);
        lore_w_kstr(w, "kind", kinds[rows[i].kind]);
        lore_w_kbool(w, "contradicts", rows[i].contradicts);
        lore_w_kstr_opt(w, "note", rows[i].note);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_definitions(struct lore_jsonw *w, const struct lore_technique_def_row *rows, size_t n)
{
    lore_w_key(w, "definitions");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_wire_members(w, LORE_K_TECHNIQUE, &rows[i].r);
        lore_present_time(w, "received_at", rows[i].received_us);
        lore_w_kstr_opt(w, "document", rows[i].document);
        lore_w_kstr_opt(w, "actor", rows[i].actor);
        lore_w_ki64(w, "seq", rows[i].seq);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_counts(struct lore_jsonw *w, const struct lore_technique_row *used,
    const struct lore_count *verdicts, size_t n)
{
    lore_w_ki64(w, "experiments", used != NULL ? used->experiments : 0);
    lore_w_ki64(w, "wins", used != NULL ? used->wins : 0);
    lore_w_ki64(w, "losses", used != NULL ? used->losses : 0);
    lore_w_key(w, "verdicts");
    lore_w_obj(w);
    for (size_t i = 0; i < n; i++)
        lore_w_ki64(w, verdicts[i].name, verdicts[i].n);
    lore_w_obj_end(w);
}

enum { NEAR_SHOWN = 3 };

/* Names that SLUG may have meant, with and without their axis; what only has it as a part counts
 * when none is spelt alike. */
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
    if (dot == NULL)
        return;
    near->names[near->n] = dot + 1;
    near->slugs[near->n++] = slug;
}

/* Both names of SLUG go: it is said once. */
static void
say_near(struct near *near, struct lore_arena *arena, const char *slug)
{
    size_t left = 0;

    near->text = near->text == NULL ? slug : lore_format(arena, "%s, %s", near->text, slug);
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
                say_near(&near, arena, near.slugs[at]);
        }
    for (size_t i = 0; near.text == NULL && strlen(spelt[1]) > 2 && i < near.n; i++)
        if (strstr(near.names[i], spelt[1]) != NULL)
            say_near(&near, arena, near.slugs[i]);
    return near.text;
}

static enum lore_status
no_technique(struct lore_req *req, const char *slug, const struct lore_technique_row *used,
    size_t n_used, struct lore_err *err)
{
    const char *near = near_techniques(req->arena, slug, used, n_used);
    enum lore_status status =
        lore_fail(err, LORE_NOTFOUND, "technique %.100s: nobody named it", slug);

    lore_err_hint(err, "%s%sGET /api/v1/techniques lists them",
        near != NULL ? lore_format(req->arena, "near: %s", near) : "", near != NULL ? "; " : "");
    return status;
}

enum lore_status
lore_api_technique(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *slug = lore_technique_slug(req->arena, req->vars[0]);
    const struct lore_technique *known = lore_technique_find(slug);
    struct lore_page page = {.limit = DEFINITIONS_SHOWN};
    struct lore_technique_def_row *defs = NULL;
    struct lore_technique_row *used = NULL;
    struct lore_count *verdicts = NULL;
    struct lore_jsonw w;
    size_t n_defs = 0, n_used = 0, n_verdicts = 0;
    enum lore_status status = lore_list_techniques(req->db, req->arena, &used, &n_used, err);

    if (status == LORE_OK)
        status = lore_list_technique_defs(req->db, slug, page, req->arena, &defs, &n_defs, err);
    if (status == LORE_OK)
        status =
            lore_count_technique_verdicts(req->db, slug, req->arena, &verdicts, &n_verdicts, err);
    if (status != LORE_OK)
        return status;
    if (known == NULL && n_defs == 0 && used_row(used, n_used, slug) == NULL)
        return no_technique(req, slug, used, n_used, err);
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    put_catalogue(&w, slug, known);
    put_pairs(&w, slug);
    put_counts(&w, used_row(used, n_used, slug), verdicts, n_verdicts);
    put_definitions(&w, defs, n_defs);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
