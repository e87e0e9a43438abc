/* Reads the results of PyTorch's TunableOp (tunableop_results0.csv), which have no header:
 *
 *   Validator,PT_VERSION,2.4.0
 *   GemmTunableOp_float_NT,nt_25088_4096_64,Gemm_Rocblas_1219,1.262
 *
 * A line is the fastest solution of a problem: operation with types and transposition, then "nt",
 * m, n, k and further names with numbers, the solution, milliseconds. The file holds winners only,
 * so a solution is a version and its time a run, and there is no search. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/index.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/window.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define SYSTEM "tunableop"
#define VALIDATOR "Validator,"

enum { CELLS = 16 };

struct tunable {
    struct lore_import *in;
    const char *chip;
    struct lore_kvs validators;
    struct lore_index versions;
    const char *environment;
    size_t defaults; /* problems for which the default was the fastest */
};

bool
lore_tunableop_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    return f && f->utf8 && !lore_import_json(f) &&
           (lore_starts(f->head, VALIDATOR "PT_VERSION,") ||
               (lore_starts(f->head, "Gemm") && strstr(f->head, "TunableOp_")));
}

/* ---- a problem ---- */

/* "GemmStridedBatchedTunableOp_BFloat16_TN": operator, types in order, and transposition. */
static void
read_operation(struct lore_arena *arena, const char *text, struct lore_workload *w)
{
    const char *types = strstr(text, "TunableOp_"), *end = strrchr(text, '_');

    w->op = strstr(text, "Batched")  ? "batched_gemm"
            : strstr(text, "Scaled") ? "gemm_quant"
                                     : "gemm";
    if (!types || !end)
        return;
    types += strlen("TunableOp_");
    const char *dtype = types < end ? lore_strndup(arena, types, (size_t)(end - types)) : end + 1;
    w->dtype = lore_workload_dtype(lore_streqi(dtype, "c10::Half") ? "half" : dtype);
    w->layout = end + 1;
}

/* "tn_4096_512_1024_B_8_ld_1_2_3": m, n, k, then names with one number or more. */
static enum lore_status
read_shape(
    struct lore_arena *arena, const char *text, struct lore_workload *w, struct lore_err *err)
{
    static const char *const dims[] = {"M", "N", "K"};
    const char *p = text + strcspn(text, "_"), *name = NULL;
    size_t n = 0, nth = 0;

    while (*p == '_') {
        size_t len = strcspn(++p, "_");
        const char *word = lore_strndup(arena, p, len);
        bool number = len > 0 && len < 16 && strspn(word, "0123456789") == len;
        p += len;
        if (number && n < 3) {
            lore_kvs_set(arena, &w->dims, dims[n++], word);
        } else if (!number) {
            name = word;
            nth = 0;
        } else if (name) {
            lore_kvs_set(arena, &w->dims, lore_format(arena, "%s%zu", name, nth), word);
            nth++;
        }
    }
    w->set = n == 3;
    return w->set ? LORE_OK : lore_fail(err, LORE_INVALID, "\"%.80s\": expected m, n and k", text);
}

/* ---- records ---- */

static const char *
environment_of(struct tunable *t)
{
    struct lore_submission *doc = t->in->doc;
    struct lore_arena *arena = t->in->arena;
    const char *all = "";

    if (t->environment || t->validators.n == 0)
        return t->environment;
    for (size_t i = 0; i < t->validators.n; i++)
        all = lore_format(arena, "%s|%s=%s", all, t->validators.v[i].key, t->validators.v[i].value);
    t->environment =
        lore_build_id(arena, 0, "tunableop-environment|%s%s", t->chip ? t->chip : "", all);
    struct lore_environment *e =
        LORE_PUSH(arena, doc->environments, doc->n_environments, doc->cap_environments);
    e->id = t->environment;
    e->chip = t->chip;
    e->soft = t->validators;
    return t->environment;
}

static const char *
version_of(struct tunable *t, const char *kernel, const char *solution)
{
    struct lore_submission *doc = t->in->doc;
    struct lore_arena *arena = t->in->arena;
    const char *id = lore_build_id(arena, 0, "tunableop-version|%s|%s", kernel, solution);
    size_t *known = lore_index_at(arena, &t->versions, id);

    if ((*known)++ > 0)
        return id;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = kernel;
    v->kind = LORE_V_CANDIDATE;
    v->label = solution;
    lore_kvs_set(arena, &v->params, "solution", lore_build_json_text(arena, solution));
    v->provenance.system = SYSTEM;
    return id;
}

static void
map_run(
    struct tunable *t, const char *const *cell, size_t n, const struct lore_workload *w, double ms)
{
    struct lore_submission *doc = t->in->doc;
    struct lore_arena *arena = t->in->arena;
    const char *kernel = lore_build_kernel(arena, doc, w->op, LORE_LANG_LIBRARY, "tunableop");
    const char *version = version_of(t, kernel, cell[2]), *rest = NULL;
    struct lore_run *r = LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs);

    for (size_t i = 4; i < n; i++)
        rest = rest ? lore_format(arena, "%s,%s", rest, cell[i]) : cell[i];
    r->environment = environment_of(t);
    r->id = lore_build_id(arena, 0, "tunableop-run|%s|%s|%s|%s|%s", version,
        r->environment ? r->environment : "", t->chip ? t->chip : "", cell[0],
        lore_format(arena, "%s|%s", cell[1], cell[3]));
    r->version = version;
    r->evidence = LORE_EV_IMPORTED;
    r->workload = *w;
    r->chip = t->chip;
    r->tool = SYSTEM;
    r->summary.set = true;
    r->summary.mean_ns = (struct lore_f64){true, lore_build_ns(ms)};
    lore_kvs_set(arena, &r->launch, "operation", lore_build_json_text(arena, cell[0]));
    r->provenance.system = SYSTEM;
    r->provenance.external_id = cell[1];
    if (rest)
        r->extra = lore_format(arena, "{\"further\":%s}", lore_build_json_text(arena, rest));
    t->defaults += strcmp(cell[2], "Default") == 0;
}

/* ---- lines ---- */

static enum lore_status
read_line(struct tunable *t, char *line, struct lore_err *err)
{
    struct lore_arena *arena = t->in->arena;
    struct lore_workload w = {.set = false};
    const char *cell[CELLS];
    size_t n = 0;
    double ms = 0;

    for (char *p = line; p && n < CELLS; n++) {
        char *comma = n + 1 < CELLS ? strchr(p, ',') : NULL;
        if (comma)
            *comma++ = '\0';
        cell[n] = p;
        p = comma;
    }
    if (n >= 3 && strcmp(cell[0], "Validator") == 0) {
        const struct lore_chip *isa =
            strcmp(cell[1], "GCN_ARCH_NAME") == 0 ? lore_chip_find(cell[2]) : NULL;
        if (isa && !t->chip)
            t->chip = isa->name;
        lore_kvs_set(arena, &t->validators, cell[1], lore_build_json_text(arena, cell[2]));
        return LORE_OK;
    }
    t->in->records++;
    if (n < 4)
        return lore_fail(err, LORE_INVALID, "expected operation,problem,solution,milliseconds");
    if (lore_parse_f64(cell[3], "time", &ms, NULL) != LORE_OK || ms <= 0 || ms > 1e9)
        return lore_fail(err, LORE_INVALID, "\"%.40s\" is not a time", cell[3]);
    read_operation(arena, cell[0], &w);
    if (read_shape(arena, cell[1], &w, err) != LORE_OK)
        return LORE_INVALID;
    map_run(t, cell, n, &w, ms);
    return LORE_OK;
}

enum lore_status
lore_tunableop_read(struct lore_import *in, struct lore_err *err)
{
    struct tunable t = {.in = in, .chip = lore_tuning_chip(in, NULL, NULL)};
    struct lore_feed feed;
    struct lore_window w;
    const char *text;
    size_t len, line;
    enum lore_status status = lore_feed_open(in, &feed, err);

    if (status != LORE_OK)
        return status;
    lore_window_open(&w, &feed);
    while (lore_window_next_line(&w, &text, &len, &line)) {
        struct lore_err inner = {0};
        if (len > 0 && read_line(&t, lore_strndup(in->arena, text, len), &inner) != LORE_OK)
            lore_import_refuse_line(in, line, "%s", inner.msg);
    }
    status = w.err.status == LORE_OK ? LORE_OK : lore_fail(err, w.err.status, "%s", w.err.msg);
    lore_window_close(&w);
    if (t.defaults > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: for %zu problems no solution was faster than the default", in->file, t.defaults);
    lore_import_note(in, LORE_IL_DOUBTS,
        "%s: only the fastest solution of each problem is in the file; the statistic of its time "
        "is "
        "not stated and recorded as the mean",
        in->file);
    return status;
}
