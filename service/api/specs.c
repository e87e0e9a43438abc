/* Hardware numbers: GET /api/v1/specs, /specs/{id}, /specs/disputes, /chips/{name}. Several values
 * of one metric may stand side by side; the one in force was selected, or all agree. A dispute is
 * what differs and was not decided away. No number is ever taken from another product. */
#include "service/api/specs.h"

#include <inttypes.h>
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/base/text.h"
#include "service/catalogue/technique_info.h"

enum { MAX_SPECS = 20000 };

static bool
counts(const struct lore_spec_row *r)
{
    return !r->rejected && !r->retracted;
}

static bool
measured(const struct lore_spec_row *r)
{
    return r->r.environment != NULL;
}

static void
add_values(struct lore_specs *s, struct lore_arena *arena)
{
    s->values = lore_alloc_array(arena, s->n + 1, sizeof *s->values);
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_spec *r = &s->rows[i]->r;

        /* a measured ceiling is another quantity than what a document promises */
        if (!counts(s->rows[i]) || !r->value.set || lore_streq(r->evidence_class, "measured"))
            continue;
        s->values[s->n_values++] = (struct lore_spec_value){.chip = r->chip,
            .metric = r->metric,
            .qualifier = r->qualifier,
            .value = r->value.v,
            .unit = r->unit,
            .id = r->id,
            .evidence = r->evidence_class,
            .quote = r->quote};
    }
    s->disputes = lore_spec_disputes(s->values, s->n_values, arena, &s->n_disputes);
}

enum lore_status
lore_specs_load(struct lore_db *db, const char *chip, struct lore_arena *arena,
    struct lore_specs *out, struct lore_err *err)
{
    struct lore_page page = {.limit = MAX_SPECS + 1};
    struct lore_spec_row *rows = NULL;
    struct lore_specs s = {0};
    size_t n = 0;
    enum lore_status status = lore_list_specs(db, chip, NULL, page, arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    if (n > MAX_SPECS)
        return lore_fail(err, LORE_TOOBIG, "there are more than %d specs", MAX_SPECS);
    for (size_t i = 0; i < n; i++)
        *LORE_PUSH(arena, s.rows, s.n, s.cap) = &rows[i];
    status = lore_edge_room(arena, "the specs", err);
    if (status != LORE_OK)
        return status;
    add_values(&s, arena);
    *out = s;
    return LORE_OK;
}

const struct lore_spec_row *
lore_specs_in_force(const struct lore_specs *s, const char *metric, bool from_device)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_spec_row *r = s->rows[i];
        if (counts(r) && lore_streq(r->r.metric, metric) && r->r.qualifier == NULL &&
            (from_device ? lore_streq(r->r.evidence_class, "measured") : r->selected))
            return r;
    }
    return NULL;
}

const char *
lore_spec_cite(struct lore_arena *arena, const struct lore_spec_row *row)
{
    const struct lore_spec *s = &row->r;
    const char *unit = s->unit != NULL ? s->unit : "", *gap = *unit != '\0' ? " " : "";
    char digits[32];

    if (!s->value.set)
        return lore_format(arena, "%s: UNKNOWN (%s%s%s)", s->metric, lore_missing_name(s->unknown),
            row->path != NULL ? " in " : "", row->path != NULL ? row->path : "");
    lore_f64_text(s->value.v, digits);
    if (row->path != NULL && s->line.set)
        return lore_format(
            arena, "%s: %s%s%s <- %s:%" PRId64, s->metric, digits, gap, unit, row->path, s->line.v);
    return lore_format(arena, "%s: %s%s%s <- %s by environment %s", s->metric, digits, gap, unit,
        s->evidence_class, s->environment != NULL ? s->environment : "?");
}

/* The dispute that a spec is a member of. */
static const struct lore_spec_dispute *
dispute_of(const struct lore_specs *all, const char *id)
{
    for (size_t i = 0; i < all->n_disputes; i++)
        for (size_t k = 0; k < all->disputes[i].n_members; k++)
            if (lore_streq(all->disputes[i].members[k]->id, id))
                return &all->disputes[i];
    return NULL;
}

static const char *
standing(const struct lore_specs *all, const struct lore_spec_row *row)
{
    if (row->retracted)
        return "retracted";
    if (row->rejected)
        return "rejected";
    if (row->selected)
        return "in_force";
    if (!row->r.value.set)
        return "unknown";
    return dispute_of(all, row->r.id) != NULL ? "disputed" : "candidate";
}

void
lore_present_spec(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_specs *all,
    const struct lore_spec_row *row)
{
    lore_w_obj(w);
    lore_wire_members(w, LORE_K_SPEC, &row->r);
    lore_w_kstr_opt(w, "path", row->path);
    lore_w_kstr(w, "standing", standing(all, row));
    lore_w_kstr_opt(w, "decision", row->decision);
    lore_w_kstr_opt(w, "why", row->why);
    lore_w_kstr_opt(w, "decided_by", row->decided_by);
    if (row->decision != NULL)
        lore_present_time(w, "decided_at", row->decided_us);
    lore_w_kstr(w, "cite", lore_spec_cite(arena, row));
    lore_present_time(w, "received_at", row->received_us);
    lore_w_kstr_opt(w, "document", row->document);
    lore_w_kstr_opt(w, "actor", row->actor);
    lore_w_ki64(w, "seq", row->seq);
    lore_w_obj_end(w);
}

static enum lore_status
chip_name(const struct lore_req *req, const char **out, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = lore_edge_chip(req, &chip, err);

    *out = chip != NULL ? chip->name : NULL;
    return status;
}

enum lore_status
lore_api_specs(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_spec_row *rows = NULL;
    struct lore_specs all = {0};
    const char *chip = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = chip_name(req, &chip, err);
    if (status == LORE_OK)
        status = lore_specs_load(req->db, chip, req->arena, &all, err);
    if (status == LORE_OK)
        status = lore_list_specs(req->db, chip, lore_arg_text(req, "metric", NULL),
            lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        lore_present_spec(&w, req->arena, &all, &rows[i]);
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

enum lore_status
lore_api_spec(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_spec_row row = {0};
    struct lore_specs all = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_spec(req->db, req->vars[0], req->arena, &row, err);

    if (status == LORE_OK)
        status = lore_specs_load(req->db, row.r.chip, req->arena, &all, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_present_spec(&w, req->arena, &all, &row);
    return lore_jsonw_end(&w, err);
}

static const struct lore_spec_row *
row_of(const struct lore_specs *all, const char *id)
{
    for (size_t i = 0; i < all->n; i++)
        if (lore_streq(all->rows[i]->r.id, id))
            return all->rows[i];
    return NULL;
}

static void
put_dispute(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_specs *all,
    const struct lore_spec_dispute *d)
{
    const struct lore_spec_row *selected = NULL;

    lore_w_obj(w);
    lore_w_kstr(w, "chip", d->chip);
    lore_w_kstr(w, "metric", d->metric);
    lore_w_kstr_opt(w, "qualifier", d->qualifier);
    lore_w_kf64(w, "low", d->low);
    lore_w_kf64(w, "high", d->high);
    lore_w_key(w, "ratio");
    if (d->low > 0)
        lore_w_f64(w, d->high / d->low);
    else
        lore_w_null(w);
    lore_w_kstr_opt(w, "dimension", d->dimension);
    lore_w_key(w, "members");
    lore_w_arr(w);
    for (size_t i = 0; i < d->n_members; i++) {
        const struct lore_spec_row *row = row_of(all, d->members[i]->id);
        lore_present_spec(w, arena, all, row);
        if (row->selected)
            selected = row;
    }
    lore_w_arr_end(w);
    lore_w_kstr(w, "selected", selected != NULL ? selected->r.id : NULL);
    if (selected != NULL) {
        lore_w_kstr_opt(w, "reason", selected->why);
        lore_w_kstr_opt(w, "decided_by", selected->decided_by);
        if (selected->decision != NULL)
            lore_present_time(w, "decided_at", selected->decided_us);
    }
    lore_w_obj_end(w);
}

enum lore_status
lore_api_disputes(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_specs all = {0};
    const char *chip = NULL;
    struct lore_jsonw w;
    enum lore_status status = chip_name(req, &chip, err);

    if (status == LORE_OK)
        status = lore_specs_load(req->db, chip, req->arena, &all, err);
    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < all.n_disputes; i++)
        put_dispute(&w, req->arena, &all, &all.disputes[i]);
    return lore_rows_done(&w, false, 0, err);
}

/* KEY: the rows that WANT takes. */
static void
put_specs(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_specs *all,
    const char *key, bool (*want)(const struct lore_spec_row *))
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < all->n; i++)
        if (want(all->rows[i]))
            lore_present_spec(w, arena, all, all->rows[i]);
    lore_w_arr_end(w);
}

static bool
is_in_force(const struct lore_spec_row *r)
{
    return r->selected && r->r.value.set;
}

static bool
is_ceiling(const struct lore_spec_row *r)
{
    return counts(r) && measured(r) && lore_streq(r->r.evidence_class, "measured");
}

static bool
is_unknown(const struct lore_spec_row *r)
{
    return counts(r) && !r->r.value.set;
}

static void
put_lint(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_specs *all,
    const struct lore_specs *sibling)
{
    size_t n = 0;
    const struct lore_spec_finding *f =
        lore_spec_lint(all->values, all->n_values, sibling->values, sibling->n_values, arena, &n);

    lore_w_key(w, "lint");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "code", f[i].code);
        lore_w_key(w, "specs");
        lore_w_arr(w);
        for (int k = 0; k < 2 && f[i].ids[k] != NULL; k++)
            lore_w_str(w, f[i].ids[k]);
        lore_w_arr_end(w);
        lore_w_kstr(w, "text", f[i].sentence);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_chip(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_chip *chip)
{
    const char *source = NULL, *features = lore_isa_features(chip->isa, &source);

    (void)arena;
    lore_w_kstr(w, "name", chip->name);
    lore_w_kstr(w, "title", chip->title);
    lore_w_kstr(w, "vendor", chip->vendor);
    lore_w_kstr(w, "arch", chip->arch);
    lore_w_kstr(w, "isa", chip->isa);
    lore_w_kstr(w, "unit", chip->unit);
    lore_w_kbool(w, "product", chip->product);
    if (features != NULL) {
        lore_w_key(w, "features");
        lore_w_arr(w);
        for (const char *p = features; *p != '\0';) {
            size_t n = strcspn(p, ",");
            lore_w_strn(w, p, n);
            p += n + (p[n] == ',');
        }
        lore_w_arr_end(w);
        lore_w_kstr_opt(w, "features_from", source);
    }
}

/* The numbers of a chip that somebody says differs from CHIP in its number of units only. They are
 * compared with, and never taken over. */
static enum lore_status
load_sibling(struct lore_req *req, const struct lore_chip *chip, struct lore_specs *out,
    struct lore_err *err)
{
    const char *text = lore_arg_text(req, "sibling", NULL);
    const struct lore_chip *sibling = text != NULL ? lore_chip_find(text) : NULL;

    if (text == NULL)
        return LORE_OK;
    if (sibling == NULL) {
        enum lore_status status = lore_fail_at(
            err, LORE_INVALID, "unknown_chip", "sibling", "sibling: no chip called \"%s\"", text);
        lore_err_hint(err, "%s", lore_edge_chip_hint(req->arena, text));
        return status;
    }
    if (sibling == chip || !lore_streq(sibling->isa, chip->isa))
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "sibling",
            "sibling: expected another chip of %s; %s is of %s", chip->isa, sibling->name,
            sibling->isa);
    return lore_specs_load(req->db, sibling->name, req->arena, out, err);
}

enum lore_status
lore_api_chip(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_chip *chip = lore_chip_find(req->vars[0]);
    struct lore_specs all = {0}, sibling = {0};
    struct lore_jsonw w;
    enum lore_status status;

    if (chip == NULL) {
        status = lore_fail_at(
            err, LORE_NOTFOUND, "unknown_chip", "", "chip %s: not in the catalogue", req->vars[0]);
        lore_err_hint(err, "%s", lore_edge_chip_hint(req->arena, req->vars[0]));
        return status;
    }
    status = lore_specs_load(req->db, chip->name, req->arena, &all, err);
    if (status == LORE_OK)
        status = load_sibling(req, chip, &sibling, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    put_chip(&w, req->arena, chip);
    put_specs(&w, req->arena, &all, "specs", is_in_force);
    put_specs(&w, req->arena, &all, "ceilings", is_ceiling);
    put_specs(&w, req->arena, &all, "unknown", is_unknown);
    lore_w_key(&w, "disputes");
    lore_w_arr(&w);
    for (size_t i = 0; i < all.n_disputes; i++)
        put_dispute(&w, req->arena, &all, &all.disputes[i]);
    lore_w_arr_end(&w);
    put_lint(&w, req->arena, &all, &sibling);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}
