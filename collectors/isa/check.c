/* Implements check.h. Patterns run on the few hundred distinct forms of a kernel, not on its
 * instructions, so the cost does not grow with the listing. Every path without positive evidence
 * ends in a verdict other than "verified". */
#include <regex.h>
#include <string.h>

#include "collectors/isa/check.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

static const char *const verdicts[LORE_ISA_VERDICT_COUNT] = {
    "unavailable", "verified", "missing", "not_applicable", "inconclusive"};

const char *
lore_isa_verdict_name(enum lore_isa_verdict v)
{
    return (unsigned)v < LORE_ISA_VERDICT_COUNT ? verdicts[v] : NULL;
}

static void
set_verdict(struct lore_isa_check *c, enum lore_isa_verdict v, const char *why)
{
    c->verdict = v;
    c->why = why;
}

static size_t
count(const regex_t *re, const struct lore_isa_function *f)
{
    size_t n = 0;

    for (size_t i = 0; f != NULL && i < f->n_forms; i++)
        if (regexec(re, f->forms[i].form, 0, NULL, 0) == 0)
            n += f->forms[i].count;
    return n;
}

/* Count the matches of PATTERN in both functions; false: PATTERN is not a valid expression. */
static bool
match_pattern(const char *pattern, const char *kind, const struct lore_isa_function *f,
    const struct lore_isa_function *before, struct lore_isa_found *out)
{
    regex_t re;

    if (regcomp(&re, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
        return false;
    *out = (struct lore_isa_found){pattern, kind, count(&re, f), count(&re, before)};
    regfree(&re);
    return true;
}

struct sums {
    size_t patterns, satisfied, count, before, absent, hints;
};

static bool
match_all(const struct lore_isa_signature *s, const struct lore_isa_function *f,
    const struct lore_isa_function *before, struct lore_isa_check *out, struct sums *sum)
{
    unsigned min = s->min_count > 0 ? s->min_count : 1;
    struct lore_isa_found *at = out->found;

    for (size_t i = 0; i < LORE_ISA_PATTERNS && s->patterns[i]; i++, at++) {
        if (!match_pattern(s->patterns[i], "pattern", f, before, at))
            return false;
        sum->patterns++;
        sum->satisfied += at->count >= min;
        sum->count += at->count;
        sum->before += at->before;
        out->n_missing += at->count == 0;
    }
    for (size_t i = 0; i < 2 && s->absent[i]; i++, at++) {
        if (!match_pattern(s->absent[i], "absent", f, before, at))
            return false;
        sum->absent += at->count;
    }
    for (size_t i = 0; i < LORE_ISA_PATTERNS && s->hints[i]; i++, at++) {
        if (!match_pattern(s->hints[i], "hint", f, before, at))
            return false;
        sum->hints += at->count;
    }
    out->n_found = (size_t)(at - out->found);
    return true;
}

static bool
spills_less(const struct lore_isa_function *f, const struct lore_isa_function *before)
{
    if (f->vgpr_spills.set && before->vgpr_spills.set)
        return f->vgpr_spills.v < before->vgpr_spills.v;
    return f->spill_ops < before->spill_ops;
}

/* BEFORE is the function of the parent version, or NULL. */
static void
judge_spills(const struct lore_isa_function *f, const struct lore_isa_function *before,
    struct lore_isa_check *out)
{
    bool counted = f->vgpr_spills.set;
    bool spills = counted ? f->vgpr_spills.v > 0 : f->spill_ops > 0;

    if (spills && before && spills_less(f, before))
        set_verdict(out, LORE_ISA_INCONCLUSIVE,
            "fewer registers are spilled than before, but some still are");
    else if (spills)
        set_verdict(out, LORE_ISA_MISSING,
            counted ? "the compiler counts spilled vector registers"
                    : "local or scratch memory is loaded and stored");
    else if (!counted && f->maybe_spills > 0)
        set_verdict(out, LORE_ISA_INCONCLUSIVE, "buffer accesses that may be spills");
    else
        set_verdict(out, LORE_ISA_VERIFIED,
            counted ? "the compiler counts no spilled vector register"
                    : "no local or scratch memory is touched");
}

/* A larger count proves nothing, because unrolling repeats a loop's body. */
static void
judge_fewer(const struct sums *sum, bool compared, struct lore_isa_check *out)
{
    if (!compared)
        set_verdict(
            out, LORE_ISA_INCONCLUSIVE, "shows only beside the version before, which is not given");
    else if (sum->before == 0)
        set_verdict(
            out, LORE_ISA_INCONCLUSIVE, "the version before had none of these instructions");
    else if (sum->count < sum->before)
        set_verdict(out, LORE_ISA_VERIFIED, "fewer of these instructions than before");
    else if (sum->count == sum->before)
        set_verdict(out, LORE_ISA_MISSING, "as many of these instructions as before");
    else
        set_verdict(
            out, LORE_ISA_INCONCLUSIVE, "more of these instructions than before, perhaps unrolled");
}

static void
judge(const struct lore_isa_signature *s, const struct sums *sum, struct lore_isa_check *out)
{
    unsigned min = s->min_count > 0 ? s->min_count : 1;
    bool there = s->need == LORE_ISA_ALL ? sum->patterns > 0 && sum->satisfied == sum->patterns
                                         : sum->patterns > 0 && sum->count >= min;

    if (sum->absent > 0)
        set_verdict(out, sum->satisfied > 0 ? LORE_ISA_INCONCLUSIVE : LORE_ISA_MISSING,
            "instructions that the technique removes are still there");
    else if (there)
        set_verdict(out, LORE_ISA_VERIFIED, "the instructions of the signature are there");
    else if (s->absent[0])
        set_verdict(out, LORE_ISA_INCONCLUSIVE,
            "the instructions that the technique removes are gone, but those it adds were not "
            "found");
    else if (sum->hints > 0)
        set_verdict(out, LORE_ISA_INCONCLUSIVE,
            "only instructions that many kernels without the technique have too");
    else
        set_verdict(out, LORE_ISA_MISSING, "the instructions of the signature are not there");
}

/* Select the function of LISTING; false with OUT's verdict and reason set. */
static bool
select_function(const struct lore_isa_request *q, const struct lore_isa_listing *listing,
    struct lore_arena *arena, struct lore_isa_function *f, struct lore_isa_check *out)
{
    struct lore_err err = {0};
    enum lore_status status = lore_isa_select(listing, q->symbol, q->isa, arena, f, &err);

    if (status == LORE_OK && f->instructions > 0)
        return true;
    set_verdict(out, status == LORE_CONFLICT ? LORE_ISA_INCONCLUSIVE : LORE_ISA_UNAVAILABLE,
        status == LORE_OK ? "the function is empty" : lore_strdup(arena, err.msg));
    return false;
}

void
lore_isa_check_signature(const struct lore_isa_request *q, const struct lore_isa_signature *s,
    struct lore_arena *arena, struct lore_isa_check *out)
{
    struct lore_isa_function f, before = {0};
    struct sums sum = {0};
    struct lore_isa_check scratch = {0};
    bool compared;

    *out = (struct lore_isa_check){.technique = lore_technique_slug(arena, s->technique),
        .target = s->target,
        .version = s->version};
    if (!q->listing || q->listing->n_functions == 0) {
        set_verdict(
            out, LORE_ISA_UNAVAILABLE, q->why_none != NULL ? q->why_none : "no disassembly");
        return;
    }
    if (q->listing->target != s->target) {
        set_verdict(out, LORE_ISA_NOT_APPLICABLE, "the signature is for another instruction set");
        return;
    }
    if (!select_function(q, q->listing, arena, &f, out))
        return;
    out->symbol = f.name;
    out->isa = f.isa;
    compared = q->before != NULL && q->before->target == s->target &&
               select_function(q, q->before, arena, &before, &scratch);
    out->found = lore_alloc_array(arena, 2 * LORE_ISA_PATTERNS + 2, sizeof *out->found);
    if (!match_all(s, &f, compared ? &before : NULL, out, &sum))
        set_verdict(
            out, LORE_ISA_INCONCLUSIVE, "a pattern of the signature is not a valid expression");
    else if (s->need == LORE_ISA_NO_SPILL)
        judge_spills(&f, compared ? &before : NULL, out);
    else if (s->need == LORE_ISA_FEWER)
        judge_fewer(&sum, compared, out);
    else
        judge(s, &sum, out);
}

void
lore_isa_check_technique(
    const struct lore_isa_request *q, struct lore_arena *arena, struct lore_isa_check *out)
{
    const struct lore_isa_signature *s;
    const struct lore_isa_listing *l = q->listing;
    size_t n, any = 0;
    const struct lore_isa_signature *all = lore_isa_signatures(&n);
    const char *slug = lore_technique_slug(arena, q->technique);

    *out = (struct lore_isa_check){.technique = slug};
    for (size_t i = 0; i < n; i++)
        any += strcmp(all[i].technique, slug) == 0;
    if (any == 0) {
        set_verdict(out, LORE_ISA_NOT_APPLICABLE, "the technique leaves no trace in instructions");
        return;
    }
    if (!l || l->n_functions == 0) {
        set_verdict(
            out, LORE_ISA_UNAVAILABLE, q->why_none != NULL ? q->why_none : "no disassembly");
        return;
    }
    out->target = l->target;
    s = lore_isa_signature(slug, l->target);
    if (!s)
        set_verdict(out, LORE_ISA_NOT_APPLICABLE, "no signature for this instruction set");
    else
        lore_isa_check_signature(q, s, arena, out);
}
