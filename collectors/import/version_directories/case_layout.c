/* Finds the files of a case and the lineage of its versions.
 *
 * hypothesis.txt in vK may describe the step from vK to v(K+1) or the step that made vK, even
 * within one case. The parent of vK is not always v(K-1). So the text decides when it names
 * versions: "Source: v2", "Target: v3", or the version whose profile it quotes ("v3 NCU shows"). A
 * text in vK that quotes vK describes the next step. One that quotes an earlier version describes
 * the step to vK, unless the layout says that every text describes the next step. Otherwise the
 * layout decides, and the lineage is marked as inferred. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

static const char *const sources[] = {
    ".cu", ".cuh", ".hip", ".cpp", ".cc", ".c", ".h", ".hpp", ".py", ".cl"};

static bool
ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n > k && strcmp(s + n - k, end) == 0;
}

static bool
is_source(const char *name)
{
    if (lore_streqi(name, "ref.py"))
        return false;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (ends_with(name, sources[i]))
            return true;
    }
    return false;
}

/* Split the path of FILE below UNIT into a version directory such as "v3" and a file name. False
 * when FILE is not directly in a version directory. */
static bool
in_version(
    const char *unit, const struct lore_import_file *file, long long *ordinal, const char **name)
{
    size_t skip = *unit != '\0' ? strlen(unit) + 1 : 0;
    const char *end;

    if (strlen(file->path) <= skip)
        return false;
    *ordinal = lore_case_number(file->path + skip, &end);
    if (*ordinal < 0 || *end != '/' || strchr(end + 1, '/'))
        return false;
    *name = end + 1;
    return true;
}

static bool
is_known(const char *name)
{
    return strcmp(name, "correctness.md") == 0 || strcmp(name, "ncu_summary.md") == 0 ||
           strcmp(name, "ncu_details.md") == 0 || strcmp(name, "hypothesis.txt") == 0;
}

bool
lore_case_is_source(const struct lore_import_file *file)
{
    return file->utf8 && is_source(lore_build_basename(file->path));
}

bool
lore_version_directories_detect(const struct lore_import_tree *t, const char *unit)
{
    const char *name;
    long long ordinal;

    for (struct lore_import_file *f = lore_tree_next_path(t, unit, NULL); f != NULL;
         f = lore_tree_next_path(t, unit, f)) {
        if (in_version(unit, f, &ordinal, &name) && is_known(name))
            return true;
    }
    return false;
}

static struct lore_case_version *
version_of(struct lore_case *c, const char *dir, long long ordinal)
{
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->versions[i].dir, dir) == 0)
            return &c->versions[i];
    }
    struct lore_case_version *v = LORE_PUSH(c->in->arena, c->versions, c->n, c->cap);
    v->dir = dir;
    v->label = lore_build_basename(dir);
    v->ordinal = ordinal;
    v->parent = v->claim = v->reported = -1;
    return v;
}

static void
assign_file(struct lore_case_version *v, struct lore_import_file *file, const char *name)
{
    struct lore_import_file **slot = strcmp(name, "correctness.md") == 0    ? &v->correctness
                                     : strcmp(name, "ncu_summary.md") == 0  ? &v->summary
                                     : strcmp(name, "ncu_details.md") == 0  ? &v->details
                                     : strcmp(name, "hypothesis.txt") == 0  ? &v->hypothesis
                                     : strcmp(name, "kbs_evidence.md") == 0 ? &v->kbs
                                     : is_source(name) && !v->source        ? &v->source
                                                                            : NULL;
    if (slot != NULL)
        *slot = file;
}

static void
sort_versions(struct lore_case *c)
{
    for (size_t i = 1; i < c->n; i++) {
        struct lore_case_version v = c->versions[i];
        size_t at = i;
        for (; at > 0 && c->versions[at - 1].ordinal > v.ordinal; at--)
            c->versions[at] = c->versions[at - 1];
        c->versions[at] = v;
    }
}

bool
lore_case_scan(struct lore_case *c)
{
    const struct lore_import_tree *t = c->in->tree;
    const char *unit = c->in->unit, *name;
    long long ordinal;

    for (struct lore_import_file *f = lore_tree_next(t, unit, NULL); f != NULL;
         f = lore_tree_next(t, unit, f)) {
        if (!in_version(unit, f, &ordinal, &name))
            continue;
        size_t len = (size_t)(name - f->path) - 1;
        const char *dir = lore_strndup(c->in->arena, f->path, len);
        if (is_known(name) && !f->utf8) {
            c->in->records++;
            lore_import_open(c->in, f);
            lore_import_refuse_line(c->in, 0, "not UTF-8 text");
            continue;
        }
        if (f->utf8)
            assign_file(version_of(c, dir, ordinal), f, name);
    }
    sort_versions(c);
    for (size_t i = 1; i < c->n; i++) {
        if (c->versions[i].ordinal == c->versions[i - 1].ordinal)
            lore_import_note(c->in, LORE_IL_CONFLICTS, "%s and %s have the same number",
                c->versions[i - 1].dir, c->versions[i].dir);
    }
    return c->n > 0;
}

/* ---- hypotheses ---- */

/* Replace metric labels by the vendors' names and cut lists to the limits of the submission
 * format. */
static void
normalise(struct lore_arena *arena, struct lore_hypothesis *h)
{
    for (size_t i = 0; i < h->n_expected; i++) {
        struct lore_expectation *x = &h->expected[i];
        const struct lore_metric_def *def = lore_metric_find(x->metric);
        x->metric = def != NULL ? def->name : lore_case_truncate(arena, x->metric, 180);
    }
    if (h->n_expected > 200)
        h->n_expected = 200;
    if (h->watch.n > 200)
        h->watch.n = 200;
}

static void
read_claim(struct lore_case *c, size_t dir)
{
    struct lore_import_file *file = c->versions[dir].hypothesis;
    struct lore_hypothesis_txt t;
    struct lore_err err = {0};

    lore_import_open(c->in, file);
    c->in->records++;
    if (lore_hypothesis_txt_parse(file->text, file->len, c->in->arena, &t, &err) != LORE_OK) {
        lore_import_refuse_line(c->in, 0, "%s", err.msg);
        return;
    }
    normalise(c->in->arena, &t.h);
    struct lore_case_hypothesis *claim =
        LORE_PUSH(c->in->arena, c->claims, c->n_claims, c->cap_claims);
    claim->dir = dir;
    claim->t = t;
    claim->from = claim->to = -1;
    if (t.h.extra)
        lore_import_note(
            c->in, LORE_IL_EXTRA, "%s: some parts have no field; kept in extra", file->path);
}

void
lore_case_read_hypotheses(struct lore_case *c)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->versions[i].hypothesis)
            read_claim(c, i);
    }
}

/* ---- lineage ---- */

long long
lore_case_quoted_version(const char *text, bool profile_only)
{
    const char *end;

    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        bool inside =
            p > text && (p[-1] == '_' || (p[-1] >= '0' && p[-1] <= '9') ||
                            (p[-1] >= 'a' && p[-1] <= 'z') || (p[-1] >= 'A' && p[-1] <= 'Z'));
        long long n = inside ? -1 : lore_case_number(p, &end);
        if (n >= 0 && (!profile_only || lore_starts(end, " NCU") || lore_starts(end, "'s NCU")))
            return n;
    }
    return -1;
}

static long long
stated_source(const struct lore_case_hypothesis *claim)
{
    long long n = claim->t.source != NULL ? lore_case_number(claim->t.source, NULL) : -1;

    if (n < 0)
        n = lore_case_quoted_version(claim->t.h.rationale, true);
    if (n < 0)
        n = lore_case_quoted_version(claim->t.h.claim, true);
    return n >= 0 ? n : lore_case_quoted_version(claim->t.h.rationale, false);
}

/* Whether every hypothesis.txt describes the next version: true when the first directory has one
 * and the last has none. */
static bool
describes_next(const struct lore_case *c)
{
    return c->versions[0].hypothesis && !c->versions[c->n - 1].hypothesis;
}

static void
place_claim(struct lore_case *c, struct lore_case_hypothesis *claim, bool next)
{
    const struct lore_case_version *dir = &c->versions[claim->dir];
    long long from = stated_source(claim), to = -1;

    if (claim->t.target)
        to = lore_case_number(claim->t.target, NULL);
    claim->to_stated = to >= 0;
    if (from >= 0 && lore_case_index(c, from) < 0)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s/hypothesis.txt: mentions v%lld, which has no directory", dir->dir, from);
    if (from > dir->ordinal || lore_case_index(c, from) < 0)
        from = -1;
    claim->from_stated = from >= 0;
    bool own = claim->dir > 0 && !next && from != dir->ordinal;
    if (to < 0)
        to = own ? dir->ordinal : dir->ordinal + 1;
    if (from < 0 && to == dir->ordinal && claim->dir > 0)
        from = c->versions[claim->dir - 1].ordinal;
    else if (from < 0)
        from = dir->ordinal;
    claim->target = to;
    claim->from = lore_case_index(c, from);
    claim->to = lore_case_index(c, to);
    if (claim->to < 0)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s/hypothesis.txt: about v%lld, which has no directory; kept as an untested "
            "hypothesis",
            dir->dir, to);
}

static void
link_claim(struct lore_case *c, size_t at)
{
    struct lore_case_hypothesis *claim = &c->claims[at];

    if (claim->to < 0)
        return;
    struct lore_case_version *v = &c->versions[claim->to];
    if (v->claim >= 0) {
        const struct lore_case_hypothesis *other = &c->claims[v->claim];
        lore_import_note(c->in, LORE_IL_CONFLICTS,
            "%s: two hypotheses, in %s and in %s; the one in its own directory counts", v->label,
            c->versions[other->dir].label, c->versions[claim->dir].label);
        if ((int)claim->dir != claim->to)
            return;
    }
    v->claim = (int)at;
}

static void
set_parent(struct lore_case *c, size_t at)
{
    struct lore_case_version *v = &c->versions[at];
    const struct lore_case_hypothesis *claim = v->claim >= 0 ? &c->claims[v->claim] : NULL;

    v->parent = (int)at - 1;
    if (claim && claim->from >= 0 && (size_t)claim->from < at) {
        v->parent = claim->from;
        v->parent_source = claim->from_stated ? "hypothesis.txt" : NULL;
    }
    if (v->reported >= 0 && (size_t)v->reported < at) {
        if (!v->parent_source) {
            v->parent = v->reported;
            v->parent_source = "final_report.md";
        } else if (v->reported != v->parent) {
            lore_import_note(c->in, LORE_IL_CONFLICTS,
                "%s: its hypothesis starts from %s, the final report from %s", v->dir,
                c->versions[v->parent].label, c->versions[v->reported].label);
        }
    }
    if (!v->parent_source)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: its parent is not stated; %s assumed", v->dir,
            c->versions[v->parent].label);
    else if (v->parent != (int)at - 1)
        lore_import_note(c->in, LORE_IL_NAMES, "%s: parent is %s, not %s (%s)", v->dir,
            c->versions[v->parent].label, c->versions[at - 1].label, v->parent_source);
}

void
lore_case_lineage(struct lore_case *c)
{
    bool next = describes_next(c);

    for (size_t i = 0; i < c->n_claims; i++) {
        place_claim(c, &c->claims[i], next);
        link_claim(c, i);
    }
    for (size_t i = 1; i < c->n; i++)
        set_parent(c, i);
}
