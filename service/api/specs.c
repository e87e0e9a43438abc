/* Hardware numbers: GET /api/v1/specs, /specs/{id}, /specs/disputes, /chips/{name}. Several values
 * of one metric may stand side by side; the one in force was selected, or all agree. A dispute is a
 * set of different values, whether or not one was selected; a number that ships with the service
 * disputes nobody's. A number is never taken from another product. */
#include "service/api/specs.h"

#include <inttypes.h>
#include <string.h>

#include "db/memo.h"
#include "db/put.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/catalogue/technique_info.h"

enum { MAX_SPECS = 20000 };

static bool
counts(const struct lore_spec_row *r)
{
    return !r->rejected && !r->retracted;
}

static bool
has_environment(const struct lore_spec_row *r)
{
    return r->r.environment;
}

/* Whether ROW states a peak. A measured ceiling is another quantity than a documented peak. */
static bool
states(const struct lore_spec_row *row)
{
    return counts(row) && row->r.value.set && !lore_streq(row->r.evidence_class, "measured");
}

/* Whether ROW ships with the service and somebody else states the same quantity. */
static bool
gives_way(const struct lore_specs *s, const struct lore_spec_row *row)
{
    for (size_t i = 0; lore_streq(row->actor, LORE_ACTOR_SERVICE) && i < s->n; i++) {
        const struct lore_spec_row *o = s->rows[i];

        if (o != row && states(o) && lore_streq(o->r.metric, row->r.metric) &&
            lore_streq(o->r.chip, row->r.chip) && lore_streq(o->r.qualifier, row->r.qualifier))
            return true;
    }
    return false;
}

static void
add_values(struct lore_specs *s, struct lore_arena *arena)
{
    s->values = lore_alloc_array(arena, s->n + 1, sizeof *s->values);
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_spec *r = &s->rows[i]->r;

        if (!states(s->rows[i]) || gives_way(s, s->rows[i]))
            continue;
        s->values[s->n_values++] = (struct lore_speclint_value){.chip = r->chip,
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

static enum lore_status
load(struct lore_db *db, const void *chip, struct lore_arena *arena, const void **out, bool *own,
    struct lore_err *err)
{
    struct lore_list_filter f = {.chip = chip, .page.limit = MAX_SPECS + 1};
    struct lore_spec_row *rows = NULL;
    struct lore_specs s = {0};
    size_t n = 0;
    enum lore_status status = lore_db_list_specs(db, &f, arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    if (n > MAX_SPECS)
        return lore_fail(err, LORE_TOOBIG, "there are more than %d specs", MAX_SPECS);
    for (size_t i = 0; i < n; i++)
        *LORE_PUSH(arena, s.rows, s.n, s.cap) = &rows[i];
    add_values(&s, arena);
    *out = lore_memdup(arena, &s, sizeof s);
    *own = !chip; /* specs of every chip */
    return LORE_OK;
}

enum lore_status
lore_specs_load(struct lore_db *db, const char *chip, struct lore_arena *arena,
    struct lore_specs *out, struct lore_err *err)
{
    const struct lore_memo_key key = {LORE_MEMO_CHIP, chip ? chip : "", "specs", load, chip};
    const void *found = NULL;
    enum lore_status status = lore_memo_get(db, &key, arena, &found, err);

    if (status == LORE_OK)
        *out = *(const struct lore_specs *)found;
    return status;
}

const struct lore_spec_row *
lore_specs_in_force(const struct lore_specs *s, const char *metric, bool measured)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_spec_row *r = s->rows[i];
        if (counts(r) && lore_streq(r->r.metric, metric) && !r->r.qualifier &&
            (measured ? lore_streq(r->r.evidence_class, "measured") : r->selected))
            return r;
    }
    return NULL;
}

const char *
lore_spec_cite(struct lore_arena *arena, const struct lore_spec_row *row)
{
    const struct lore_spec *s = &row->r;
    const char *unit = s->unit != NULL ? s->unit : "", *gap = *unit != '\0' ? " " : "";
    const char *name =
        !s->qualifier ? s->metric : lore_format(arena, "%s (%s)", s->metric, s->qualifier);
    char digits[32];

    if (!s->value.set)
        return lore_format(arena, "%s: UNKNOWN (%s%s%s)", name, lore_missing_name(s->unknown),
            row->path != NULL ? " in " : "", row->path != NULL ? row->path : "");
    lore_f64_text(s->value.v, digits);
    if (row->path && s->line.set)
        return lore_format(
            arena, "%s: %s%s%s <- %s:%" PRId64, name, digits, gap, unit, row->path, s->line.v);
    return lore_format(arena, "%s: %s%s%s <- %s by environment %s", name, digits, gap, unit,
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
    return dispute_of(all, row->r.id) ? "disputed" : "candidate";
}

struct spec {
    struct lore_spec_row row;
    const char *standing, *cite;
    int64_t decided_us; /* 0: nobody decided about it */
};
#define ROW struct spec
static const struct lore_object_member spec[] = {
    {"!", FIELDS(row.r, LORE_K_SPEC)},
    {"path", AT(row.path), NULL, "of its source document"},
    {"!standing", AT(standing), "in_force|candidate|disputed|unknown|rejected|retracted"},
    {"decision", AT(row.decision), "ulid"},
    {"why", AT(row.why)},
    {"decided_by", AT(row.decided_by)},
    {"decided_at", TIME(decided_us)},
    {"!cite", AT(cite), NULL, "the number with its source, in words"},
    STORED(row.),
};
const struct lore_object lore_spec_object = LORE_OBJECT("Spec", spec);
#undef ROW

static struct spec
spec_of(struct lore_arena *arena, const struct lore_specs *all, const struct lore_spec_row *row)
{
    return (struct spec){*row, standing(all, row), lore_spec_cite(arena, row),
        row->decision != NULL ? row->decided_us : 0};
}

/* The specs of one chip, among which a spec of a page is disputed or not. */
struct chip_specs {
    const char *chip;
    struct lore_specs all;
};
struct loaded {
    struct chip_specs *v;
    size_t n, cap;
};

/* Load the specs of CHIP, each chip once: a page shows few of all chips. */
static enum lore_status
load_chip(struct lore_req *req, const char *chip, struct loaded *l, const struct lore_specs **out,
    struct lore_err *err)
{
    size_t i = 0;
    enum lore_status status = LORE_OK;

    while (i < l->n && !lore_streq(l->v[i].chip, chip))
        i++;
    if (i == l->n) {
        struct chip_specs *c = LORE_PUSH(req->arena, l->v, l->n, l->cap);
        *c = (struct chip_specs){.chip = chip};
        status = lore_specs_load(req->db, chip, req->arena, &c->all, err);
    }
    *out = &l->v[i].all;
    return status;
}

enum lore_status
lore_api_specs(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_spec_row *rows = NULL;
    struct loaded loaded = {0};
    struct spec *shown;
    struct lore_list_filter f;
    struct lore_paging paging;
    size_t n = 0;
    enum lore_status status = lore_params_list(req, &paging, &f, err);

    if (status == LORE_OK)
        status = lore_db_list_specs(req->db, &f, req->arena, &rows, &n, err);
    shown = lore_alloc_array(req->arena, n + 1, sizeof *shown);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        const struct lore_specs *of = NULL;
        status = load_chip(req, rows[i].r.chip, &loaded, &of, err);
        if (status == LORE_OK)
            shown[i] = spec_of(req->arena, of, &rows[i]);
    }
    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_spec_object, shown, n, &paging, err);
}

enum lore_status
lore_api_spec(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_spec_row row = {0};
    struct lore_specs all = {0};
    struct spec shown;
    enum lore_status status = lore_db_get_spec(req->db, req->vars[0], req->arena, &row, err);

    if (status == LORE_OK)
        status = lore_specs_load(req->db, row.r.chip, req->arena, &all, err);
    if (status != LORE_OK)
        return status;
    shown = spec_of(req->arena, &all, &row);
    return lore_reply_object(resp, &lore_spec_object, &shown, err);
}

static const struct lore_spec_row *
row_of(const struct lore_specs *all, const char *id)
{
    for (size_t i = 0; i < all->n; i++)
        if (lore_streq(all->rows[i]->r.id, id))
            return all->rows[i];
    return NULL;
}

struct dispute {
    struct lore_spec_dispute d;
    struct lore_f64 ratio;
    struct spec *members, selected; /* selected: zero when none is */
};
#define ROW struct dispute
static const struct lore_object_member dispute[] = {
    {"!chip", AT(d.chip)},
    {"!metric", AT(d.metric)},
    {"qualifier", AT(d.qualifier)},
    {"!low", AT(d.low), NULL, "in base units"},
    {"!high", AT(d.high)},
    {"!ratio", AT(ratio)},
    {"dimension", AT(d.dimension)},
    {"!members", LIST(members, d.n_members, lore_spec_object)},
    {"!selected", AT(selected.row.r.id), "ulid?", "the one in force"},
    {"reason", AT(selected.row.why)},
    {"decided_by", AT(selected.row.decided_by)},
    {"decided_at", TIME(selected.decided_us)},
};
const struct lore_object lore_dispute_object = LORE_OBJECT("Dispute", dispute);
#undef ROW

static struct dispute *
disputes_of(struct lore_arena *arena, const struct lore_specs *all)
{
    struct dispute *out = lore_alloc_array(arena, all->n_disputes + 1, sizeof *out);

    for (size_t i = 0; i < all->n_disputes; i++) {
        const struct lore_spec_dispute *d = &all->disputes[i];

        out[i].d = *d;
        if (d->low > 0)
            out[i].ratio = (struct lore_f64){true, d->high / d->low};
        out[i].members = lore_alloc_array(arena, d->n_members + 1, sizeof *out[i].members);
        for (size_t k = 0; k < d->n_members; k++) {
            out[i].members[k] = spec_of(arena, all, row_of(all, d->members[k]->id));
            if (out[i].members[k].row.selected)
                out[i].selected = out[i].members[k];
        }
    }
    return out;
}

enum lore_status
lore_api_disputes(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_specs all = {0};
    const struct lore_chip *chip = NULL;
    enum lore_status status = lore_params_chip(req, &chip, err);

    if (status == LORE_OK)
        status = lore_specs_load(req->db, chip ? chip->name : NULL, req->arena, &all, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_rows(
        resp, &lore_dispute_object, disputes_of(req->arena, &all), all.n_disputes, NULL, err);
}

struct specs {
    struct spec *v;
    size_t n;
};

/* The specs for which WANT is true. */
static struct specs
specs_of(struct lore_arena *arena, const struct lore_specs *all,
    bool (*want)(const struct lore_spec_row *))
{
    struct specs s = {lore_alloc_array(arena, all->n + 1, sizeof *s.v), 0};

    for (size_t i = 0; i < all->n; i++)
        if (want(all->rows[i]))
            s.v[s.n++] = spec_of(arena, all, all->rows[i]);
    return s;
}

static bool
is_in_force(const struct lore_spec_row *r)
{
    return r->selected && r->r.value.set;
}

static bool
is_ceiling(const struct lore_spec_row *r)
{
    return counts(r) && has_environment(r) && lore_streq(r->r.evidence_class, "measured");
}

static bool
is_unknown(const struct lore_spec_row *r)
{
    return counts(r) && !r->r.value.set;
}

static void
write_doubted(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_spec_finding *f = row;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (int i = 0; i < 2 && f->ids[i]; i++)
        lore_w_str(w, f->ids[i]);
    lore_w_arr_end(w);
}

#define ROW struct lore_spec_finding
static const struct lore_object_member doubt[] = {
    {"!code", AT(code)},
    {"!specs", WRITTEN(write_doubted), "[ulid"},
    {"!text", AT(sentence)},
};
static const struct lore_object lore_spec_doubt_object = LORE_OBJECT("SpecDoubt", doubt);
#undef ROW

struct chip_sheet {
    const struct lore_chip *chip;
    const char *features, *features_from; /* NULL: not known */
    struct specs specs, ceilings, unknown;
    struct dispute *disputes;
    const struct lore_spec_finding *lint;
    size_t n_disputes, n_lint;
};
#define ROW struct chip_sheet
static const struct lore_object_member sheet[] = {
    {"!", SPREAD(chip, lore_chip_object)},
    {"features", WORDS(features), NULL, "features of its ISA"},
    {"features_from", AT(features_from), NULL, "source of the features"},
    {"!specs", LIST(specs.v, specs.n, lore_spec_object), NULL, "numbers in force"},
    {"!ceilings", LIST(ceilings.v, ceilings.n, lore_spec_object), NULL, "measured ceilings"},
    {"!unknown", LIST(unknown.v, unknown.n, lore_spec_object), NULL,
        "numbers that no source gives"},
    {"!disputes", LIST(disputes, n_disputes, lore_dispute_object)},
    {"!lint", LIST(lint, n_lint, lore_spec_doubt_object)},
};
const struct lore_object lore_chip_sheet_object = LORE_OBJECT("ChipSheet", sheet);
#undef ROW

/* Load the specs of a sibling, which differs from CHIP only in its number of units. They serve for
 * consistency checks and are never used for CHIP. */
static enum lore_status
load_sibling(struct lore_req *req, const struct lore_chip *chip, struct lore_specs *out,
    struct lore_err *err)
{
    const char *text = lore_arg_text(req, "sibling", NULL);
    const struct lore_chip *sibling = text != NULL ? lore_chip_find(text) : NULL;

    if (!text)
        return LORE_OK;
    if (!sibling) {
        enum lore_status status = lore_fail_at(
            err, LORE_INVALID, "unknown_chip", "sibling", "sibling: no chip called \"%s\"", text);
        lore_err_hint(err, "%s", lore_params_chip_hint(req->arena, text));
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
    struct chip_sheet x = {.chip = chip};
    enum lore_status status;

    if (!chip) {
        status = lore_fail_at(
            err, LORE_NOTFOUND, "unknown_chip", "", "chip %s: not in the catalogue", req->vars[0]);
        lore_err_hint(err, "%s", lore_params_chip_hint(req->arena, req->vars[0]));
        return status;
    }
    status = lore_specs_load(req->db, chip->name, req->arena, &all, err);
    if (status == LORE_OK)
        status = load_sibling(req, chip, &sibling, err);
    if (status != LORE_OK)
        return status;
    x.features = lore_technique_isa_features(chip->isa, &x.features_from);
    x.specs = specs_of(req->arena, &all, is_in_force);
    x.ceilings = specs_of(req->arena, &all, is_ceiling);
    x.unknown = specs_of(req->arena, &all, is_unknown);
    x.disputes = disputes_of(req->arena, &all);
    x.n_disputes = all.n_disputes;
    x.lint = lore_spec_lint(
        all.values, all.n_values, sibling.values, sibling.n_values, req->arena, &x.n_lint);
    return lore_reply_object(resp, &lore_chip_sheet_object, &x, err);
}
