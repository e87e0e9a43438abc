/* The version that advice is about (about.h). The board says who leads where; the database has
 * the dims of workloads and the line. */
#include "service/api/about.h"

#include <string.h>

#include "db/attempt.h"
#include "db/store.h"
#include "service/api/diagnosis.h"
#include "service/api/objects.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/place_facts.h"
#include "service/http/app.h"
#include "service/recommend/shapes.h"

enum {
    ROWS = 64,  /* of the board that are looked at, the newest first */
    OCTAVES = 6 /* width of the likeness of shapes: the nearest is wanted, however far */
};

/* ---- the board ---- */

/* Whether a version in LANGUAGE may run on a chip of VENDOR; NULL: any. */
static bool
runs_on(enum lore_language language, const char *vendor)
{
    const char *of = lore_language_vendor(language);

    return !of || !vendor || lore_streq(of, vendor);
}

/* Rows with a leader in a language that the question can use: those that somebody measured or
 * imported, and where there are none, those with a run whose time is only stated. */
static size_t
rows_of(struct lore_req *req, const struct lore_question *q, const struct lore_chip *chip,
    const char *workload, struct lore_board_row **out)
{
    LORE_INDEXES_VIEW indexes = req->app->indexes;
    const struct lore_board_filter f = {.op = q->op,
        .chip = chip,
        .workload = workload,
        .language = q->language,
        .bests = true,
        .sort = "-updated",
        .limit = ROWS};
    size_t n, total, kept = 0;

    lore_board(lore_indexes_board(indexes), &f, req->arena, out, &n, &total);
    for (unsigned stated = 0; stated < 2 && kept == 0; stated++)
        for (size_t i = 0; i < n; i++) {
            const struct lore_board_row *r = &(*out)[i];

            if (r->best_version && (r->evidence == LORE_EV_CLAIMED) == stated &&
                (!stated || r->best_run) && runs_on(r->language, q->chip ? q->chip->vendor : NULL))
                (*out)[kept++] = *r;
        }
    return kept;
}

/* ---- the nearest row ---- */

struct near {
    double *alike; /* per row: likeness of its workload to the asked one, 0 to 1 */
    const struct lore_chip *chip;
};

static void
free_shapes(struct lore_shapes **s)
{
    lore_shapes_free(*s);
}

/* Likeness of the workloads of the N rows V to the asked shape; all 0 without one. */
static enum lore_status
find_alike(struct lore_req *req, const struct lore_question *q, const struct lore_board_row *v,
    size_t n, double *out, struct lore_err *err)
{
    struct lore_shape_near *near = NULL;
    __attribute__((cleanup(free_shapes))) struct lore_shapes *shapes =
        q->shape ? lore_shapes_new() : NULL;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; shapes && status == LORE_OK && i < n; i++) {
        struct lore_workload_row row = {0};
        struct lore_workload w = {0};

        if (!v[i].workload)
            continue;
        status = lore_db_get_workload(req->db, v[i].workload, req->arena, &row, err);
        if (status == LORE_OK)
            status = lore_workload_fill(&row, req->arena, &w, err);
        if (status == LORE_OK)
            lore_shapes_add(shapes, 0, (uint32_t)i,
                &(struct lore_shape){
                    lore_memdup(req->arena, &w.dims, sizeof w.dims), w.dtype, w.layout});
    }
    size_t found = shapes ? lore_shapes_near(shapes, 0, q->shape, OCTAVES, req->arena, &near) : 0;
    for (size_t i = 0; status == LORE_OK && i < found; i++)
        out[near[i].workload] = (double)near[i].alike;
    return status;
}

/* Whether row A is a better place to start from than row B: nearer chip, nearer shape, else more
 * runs; on one workload the faster. */
static bool
is_nearer(const struct near *near, const struct lore_board_row *v, size_t a, size_t b)
{
    const struct lore_board_row *x = &v[a], *y = &v[b];
    enum lore_travel to_x = lore_chip_travel(lore_chip_find(x->chip), near->chip);
    enum lore_travel to_y = lore_chip_travel(lore_chip_find(y->chip), near->chip);

    if (near->chip && to_x != to_y)
        return to_x < to_y;
    if (near->alike[a] != near->alike[b])
        return near->alike[a] > near->alike[b];
    if (lore_streq(x->workload, y->workload) && (x->time_ns > 0) == (y->time_ns > 0))
        return x->time_ns < y->time_ns;
    return x->runs > y->runs;
}

static enum lore_status
choose(struct lore_req *req, const struct lore_question *q, const struct lore_board_row *v,
    size_t n, const struct lore_board_row **out, struct lore_err *err)
{
    struct near near = {lore_alloc_array(req->arena, n + 1, sizeof(double)), q->chip};
    enum lore_status status = find_alike(req, q, v, n, near.alike, err);
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (is_nearer(&near, v, i, best))
            best = i;
    *out = n > 0 ? &v[best] : NULL;
    return status;
}

/* The row that leads where the question asks, or nearest to it. */
static enum lore_status
find_row(struct lore_req *req, const struct lore_question *q, const char *workload,
    struct lore_about *out, struct lore_err *err)
{
    struct lore_board_row *v = NULL;
    size_t n = workload ? rows_of(req, q, q->chip, workload, &v) : 0;

    out->by = LORE_ABOUT_CHAMPION;
    if (n == 0) {
        n = rows_of(req, q, q->chip, NULL, &v);
        out->by = workload ? LORE_ABOUT_OTHER_SHAPE : LORE_ABOUT_CHAMPION;
    }
    if (n == 0) {
        n = rows_of(req, q, NULL, NULL, &v);
        out->by = LORE_ABOUT_OTHER_CHIP;
    }
    if (n == 0)
        out->by = LORE_ABOUT_NONE;
    return choose(req, q, v, n, &out->row, err);
}

/* The board's row that GIVEN leads; NULL: it leads none here. */
static void
find_own_row(struct lore_req *req, const struct lore_question *q, const char *workload,
    struct lore_about *out)
{
    struct lore_board_row *v = NULL;
    bool placed = !q->chip == !workload; /* a whole place, or any */
    size_t n = placed ? rows_of(req, q, q->chip, workload, &v) : 0;

    for (size_t i = 0; i < n && !out->row; i++)
        if (lore_streq(v[i].best_version, out->version->v.id))
            out->row = &v[i];
}

/* What measurements exclude: bottlenecks that the board does not show for the row, and without a
 * row the diagnosis of the run; without either, the other roof. */
static enum lore_status
find_limits(struct lore_req *req, const struct lore_run_row *run, struct lore_about *out,
    struct lore_err *err)
{
    const uint32_t memory = 1u << LORE_L_MEMORY, compute = 1u << LORE_L_COMPUTE;
    const char *bound = out->headroom.known ? out->headroom.bound : NULL;
    uint32_t labels = out->row ? out->row->labels | out->row->earlier_labels : 0;
    enum lore_status status =
        out->row ? LORE_OK : lore_diagnosis_labels(req->db, run, req->arena, &labels, err);

    out->limits = out->row ? out->row->labels : labels;
    out->not_limits = labels != 0                    ? ~labels
                      : lore_streq(bound, "memory")  ? compute
                      : lore_streq(bound, "compute") ? memory
                                                     : 0;
    return status;
}

/* Whether the version was found where the question asks. */
static bool
is_here(const struct lore_about *a)
{
    return a->by == LORE_ABOUT_GIVEN || a->by == LORE_ABOUT_CHAMPION;
}

/* The shape of the place: the asked one, else that of the row of the board, else of RUN. */
static enum lore_status
find_shape(struct lore_req *req, const struct lore_question *q, const struct lore_about *about,
    const struct lore_run *run, struct lore_workload *out, struct lore_err *err)
{
    struct lore_workload_row row = {0};
    enum lore_status status = LORE_OK;

    if (q->shape)
        *out = (struct lore_workload){.dims = *q->shape->dims, .dtype = q->shape->dtype};
    else if (run->id && about->by != LORE_ABOUT_OTHER_SHAPE)
        *out = run->workload;
    if (q->shape || run->id || !about->workload || about->by == LORE_ABOUT_OTHER_SHAPE)
        return LORE_OK;
    status = lore_db_get_workload(req->db, about->workload, req->arena, &row, err);
    return status == LORE_OK ? lore_workload_fill(&row, req->arena, out, err) : status;
}

/* What decides whether a technique applies. */
static enum lore_status
find_facts(struct lore_req *req, const struct lore_question *q, const struct lore_run_row *run,
    const struct lore_hardware *h, struct lore_about *out, struct lore_err *err)
{
    struct lore_workload shape = {0};
    struct lore_place_seen seen = {.op = q->op, .here = is_here(out)};
    enum lore_status status = find_shape(req, q, out, &run->r, &shape, err);
    const struct lore_input units = lore_hardware_input(h, "compute_units", false);
    const struct lore_input l2 = lore_hardware_input(h, "l2_bytes", false);
    const struct lore_input shared = lore_hardware_input(h, "shared_bytes_per_sm", false);

    seen.units = (struct lore_f64){units.known, units.value};
    seen.l2_bytes = (struct lore_f64){l2.known, l2.value};
    seen.shared_bytes = (struct lore_f64){shared.known, shared.value};
    seen.dims = &shape.dims;
    seen.dtype = shape.dtype;
    seen.run = run->r.id ? &run->r : NULL;
    if (status == LORE_OK)
        lore_place_facts_find(&seen, req->arena, &out->facts);
    return status;
}

/* The run of the version at its place, and what it tells: headroom, limits, facts. */
static enum lore_status
read_run(struct lore_req *req, const struct lore_question *q, const char *id,
    struct lore_about *out, struct lore_err *err)
{
    const struct lore_run_row none = {0}, *run = &none;
    struct lore_hardware own = {0}, h = {0};
    const struct lore_chip *chip = q->chip;
    enum lore_status status = LORE_OK;

    if (id)
        status = lore_db_share_run(req->db, id, req->arena, &run, err);
    if (status != LORE_OK)
        return status;
    const struct lore_chip *ran = run->r.chip ? lore_chip_find(run->r.chip) : NULL;
    status = lore_hardware_load(req->db, chip ? chip : ran, req->arena, &h, err);
    own = h;
    if (status == LORE_OK && ran && ran != h.chip)
        status = lore_hardware_load(req->db, ran, req->arena, &own, err);
    if (status != LORE_OK)
        return status;
    if (id)
        lore_headroom_of_run(req->db, run, &own, req->arena, &out->headroom);
    if (id)
        status = find_limits(req, run, out, err);
    out->timed = id != NULL;
    out->profiled = run->r.metrics.n > 1; /* one may be a rate that its author states */
    return status == LORE_OK ? find_facts(req, q, run, &h, out, err) : status;
}

enum lore_status
lore_about_find(struct lore_req *req, const struct lore_question *q, const char *workload,
    const struct lore_version_row *given, struct lore_about *out, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    *out = (struct lore_about){.by = LORE_ABOUT_GIVEN, .version = given};
    if (given) {
        find_own_row(req, q, workload, out);
    } else {
        out->by = LORE_ABOUT_NONE;
        if (q->op)
            status = find_row(req, q, workload, out, err);
        if (status != LORE_OK)
            return status;
        if (!out->row)
            return read_run(req, q, NULL, out, err);
        struct lore_version_row *v = lore_alloc(req->arena, sizeof *v);
        status = lore_db_get_version_head(req->db, out->row->best_version, req->arena, v, err);
        out->version = v;
    }
    if (out->row) {
        out->chip = out->row->chip;
        out->workload = out->row->workload;
    }
    const char *run = out->row ? out->row->best_run : NULL;
    if (status == LORE_OK && !run && q->chip && workload)
        status = lore_db_find_run(req->db,
            &(struct lore_run_place){out->version->v.id, q->chip->name, workload}, req->arena, &run,
            err);
    if (status == LORE_OK)
        status = read_run(req, q, run, out, err);
    if (status == LORE_OK)
        status = lore_line_load(req->db, &out->version->v, req->arena, &out->line, err);
    if (status == LORE_OK)
        out->techniques = lore_line_rows(&out->line, req->arena);
    return status;
}

/* A smaller gain is none by the rule of effects. */
bool
lore_about_is_done(const struct lore_about *a)
{
    return a->headroom.known && a->headroom.at_most < LORE_WIN_ABOVE && is_here(a);
}

struct lore_texts
lore_about_has(const struct lore_about *s, struct lore_arena *arena)
{
    struct lore_texts has = {0}; /* what a step that stayed took out is no advice, either */

    for (size_t i = 0; i < s->line.n; i++)
        if (!s->line.v[i]->out || s->line.v[i]->out_experiment)
            *LORE_PUSH(arena, has.v, has.n, has.cap) = s->line.v[i]->name;
    for (const char *moot = s->line.moot; moot && *moot;) {
        size_t n = strcspn(moot, ",");
        *LORE_PUSH(arena, has.v, has.n, has.cap) = lore_strndup(arena, moot, n);
        moot += n + (moot[n] == ',');
    }
    return has;
}

/* ---- as JSON ---- */

static const char *
by_name(unsigned by)
{
    static const char *const names[] = {NULL, "given", "champion", "other_shape", "other_chip"};

    return by < sizeof names / sizeof *names ? names[by] : NULL;
}

#define ROW struct lore_version_row
static const struct lore_object_member version[] = {
    {"!version", AT(v.id), "ulid"},
    {"label", AT(v.label)},
    {"!kernel", AT(v.kernel), "ulid"},
    {"kernel_name", AT(kernel_name)},
    {"language", AT(language)},
};
static const struct lore_object about_version = LORE_OBJECT("", version);
#undef ROW

#define ROW struct lore_board_row
static const struct lore_object_member place[] = {
    {"chip", AT(chip)},
    {"workload", AT(workload), NULL, "its id"},
    {"workload_label", AT(workload_label)},
    {"time_ns", AT(time_ns)},
    {"evidence", NAMED(evidence, lore_evidence_name), LORE_EVIDENCE_NAMES, "of that time"},
};
static const struct lore_object about_place = LORE_OBJECT("", place);
#undef ROW

#define ROW struct lore_headroom
static const struct lore_object_member headroom[] = {
    {"!fraction", AT(fraction), NULL, "of the limit"},
    {"!at_most", AT(at_most), NULL, "the largest speedup that the limit allows"},
    {"!bound", AT(bound), "memory|compute|ridge"},
    {"limit", AT(limit), NULL, "the peak number of the chip behind it"},
    {"rule", AT(rule), NULL, "how the work was counted; absent: the bytes were measured"},
    {"counter", AT(counter), NULL,
        "the run's own counter that is near its peak, where no peak rate is known"},
};
static const struct lore_object about_headroom = LORE_FLAGGED_OBJECT("Headroom", headroom, known);
#undef ROW

static void
write_done(struct lore_jsonw *w, const char *key, const void *row)
{
    if (lore_about_is_done(row))
        lore_w_kbool(w, key, true);
}

static void
write_has(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_line_rows *t = &((const struct lore_about *)row)->techniques;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < t->n; i++)
        if (!t->v[i].out_version)
            lore_w_str(w, t->v[i].name);
    lore_w_arr_end(w);
}

#define ROW struct lore_about
static const struct lore_object_member about[] = {
    {"!by", NAMED(by, by_name), "given|champion|other_shape|other_chip",
        "how it was found: the question names it, or it is the best here, for another shape, on "
        "another chip"},
    {"!", SPREAD(version, about_version)},
    {"", SPREAD(row, about_place)},
    {"headroom", OBJECT(headroom, about_headroom)},
    {"done", WRITTEN(write_done), "boolean", "no gain above 5 % is possible: stop here"},
    {"!techniques", LIST(techniques.v, techniques.n, lore_line_technique_object), NULL,
        "techniques of its ancestors and of its source; out_version: it was gone there"},
    {"moot", AT(line.moot), NULL, "techniques that are pointless in its source, comma-separated"},
};
const struct lore_object lore_about_object = LORE_KEYED_OBJECT("AdviceAbout", about, version);

static const struct lore_object_member shortly[] = {
    {"!by", NAMED(by, by_name), "given|champion|other_shape|other_chip"},
    {"!", SPREAD(version, about_version)},
    {"", SPREAD(row, about_place)},
    {"headroom", OBJECT(headroom, about_headroom)},
    {"done", WRITTEN(write_done), "boolean", "no gain above 5 % is possible: stop here"},
    {"!has", WRITTEN(write_has), "[text", "techniques that it has"},
};
const struct lore_object lore_about_short_object =
    LORE_KEYED_OBJECT("ShortAbout", shortly, version);
#undef ROW
