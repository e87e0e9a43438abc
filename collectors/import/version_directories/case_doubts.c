/* Notes misleading parts of a case in the report. The records do not change; the service applies
 * its own rules. */
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/text.h"

/* with a standard deviation above 10 % of the mean, a gain of a few percent cannot be seen */
#define NOISY 0.1

static void
doubt_shapes(struct lore_case *c, const struct lore_case_version *v)
{
    const struct lore_workload *checked = &v->check.workload, *timed = &v->profile.workload;

    if (!checked->set || !timed->set)
        return;
    if (strcmp(lore_workload_text(c->in->arena, c->op, checked),
            lore_workload_text(c->in->arena, c->op, timed)) != 0)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: checked on %s, timed on %s", v->dir,
            lore_workload_label(c->in->arena, checked), lore_workload_label(c->in->arena, timed));
}

static void
doubt_tolerance(struct lore_case *c, const struct lore_case_version *v)
{
    const struct lore_correctness *first = &c->versions[0].check.correctness,
                                  *own = &v->check.correctness;

    if (first->atol.set && own->atol.set && own->atol.v > first->atol.v)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: tolerance loosened, atol %g instead of %g",
            v->dir, own->atol.v, first->atol.v);
    if (first->rtol.set && own->rtol.set && own->rtol.v > first->rtol.v)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: tolerance loosened, rtol %g instead of %g",
            v->dir, own->rtol.v, first->rtol.v);
}

static void
doubt_check(struct lore_case *c, const struct lore_case_version *v)
{
    const struct lore_correctness *k = &v->check.correctness;
    size_t zero = 0;

    for (size_t i = 0; i < k->n_tensors; i++)
        zero += k->tensors[i].max_abs.set && k->tensors[i].max_abs.v == 0;
    if (k->n_tensors > 0 && zero == k->n_tensors)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s: every difference is exactly zero; check that results were really compared",
            v->dir);
    for (size_t i = 0; i < k->n_tensors; i++) {
        if (k->status == LORE_C_PASS && lore_streq(k->tensors[i].pass, "no"))
            lore_import_note(c->in, LORE_IL_CONFLICTS, "%s: passed, but tensor %s did not", v->dir,
                k->tensors[i].name);
    }
}

static void
doubt_profile(struct lore_case *c, const struct lore_case_version *v)
{
    const struct lore_summary *s = &v->profile.summary;

    for (size_t i = 0; i < v->profile.metrics.n; i++) {
        const struct lore_metric *m = &v->profile.metrics.v[i];
        if (lore_streq(m->unit, "%") && m->value > 100)
            lore_import_note(c->in, LORE_IL_DOUBTS, "%s: %s is %.6g %%", v->dir, m->name, m->value);
    }
    if (s->mean_ns.set && s->std_ns.set && s->mean_ns.v > 0 && s->std_ns.v > NOISY * s->mean_ns.v)
        lore_import_note(c->in, LORE_IL_DOUBTS,
            "%s: the standard deviation is %.0f %% of the mean time", v->dir,
            100 * s->std_ns.v / s->mean_ns.v);
    if (v->has_profile && v->has_check == false)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: profiled without a correctness check", v->dir);
}

/* Whether TEXT gives a stall in percent, "Long Scoreboard=46.33%"; stalls are warps per issue. */
static bool
stall_in_percent(const char *text)
{
    static const char *const stalls[] = {"Scoreboard", "Barrier", "Math Pipe Throttle"};

    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++) {
        for (const char *p = strstr(text, stalls[i]); p != NULL; p = strstr(p + 1, stalls[i])) {
            const char *s = p + strlen(stalls[i]), *rest;
            double v;
            s += lore_starts(s, " stall") ? 6 : 0;
            s += strspn(s, " =(:");
            if (lore_md_number(s, &v, &rest, NULL) && *rest == '%')
                return true;
        }
    }
    return false;
}

void
lore_case_doubts(struct lore_case *c)
{
    size_t cut = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct lore_case_version *v = &c->versions[i];
        doubt_shapes(c, v);
        doubt_tolerance(c, v);
        doubt_check(c, v);
        doubt_profile(c, v);
        if (i > 0 && v->claim < 0)
            lore_import_note(c->in, LORE_IL_DOUBTS, "%s: no hypothesis", v->dir);
    }
    for (size_t i = 0; i < c->n_claims; i++) {
        const struct lore_case_hypothesis *claim = &c->claims[i];
        if (stall_in_percent(claim->t.h.raw_text))
            lore_import_note(c->in, LORE_IL_DOUBTS,
                "%s/hypothesis.txt: stalls in percent, but their unit is warps per issue",
                c->versions[claim->dir].dir);
        (void)lore_case_cut_paths(c->in->arena, claim->t.h.raw_text, &cut);
    }
    if (c->n_claims + 1 < c->n)
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: %zu versions after the first, %zu hypotheses",
            c->name, c->n - 1, c->n_claims);
    struct lore_import_file *env = lore_tree_file(c->in->tree, c->in->unit, "env_check.md");
    if (env && env->utf8)
        (void)lore_case_cut_paths(c->in->arena, env->text, &cut);
    if (cut > 0)
        lore_import_note(
            c->in, LORE_IL_DOUBTS, "%s: absolute paths are cut to the file name", c->name);
    for (size_t i = 0; i < c->n; i++) {
        if (c->versions[i].host) {
            lore_import_note(
                c->in, LORE_IL_DOUBTS, "%s: the machine's name is stored as a hash", c->name);
            break;
        }
    }
}
