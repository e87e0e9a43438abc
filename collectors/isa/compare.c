/* Adds the counts of several functions, compares two versions, and decides whether the newer one
 * spills more registers. */
#include <stdlib.h>
#include <string.h>

#include "collectors/isa/reader.h"
#include "service/base/text.h"

/* "sm_90a" and "sm_90f" match sm_90; a function without an ISA matches any. */
static bool
is_isa(const char *have, const char *want)
{
    size_t n = strlen(want);

    if (!have)
        return true;
    return strncmp(have, want, n) == 0 &&
           (have[n] == '\0' || ((have[n] == 'a' || have[n] == 'f') && have[n + 1] == '\0' &&
                                   strncmp(want, "sm_", 3) == 0));
}

/* 2: F's name is SYMBOL, or SYMBOL is NULL; 1: F's name contains SYMBOL, as mangled names do; 0: no
 * match, or another ISA. */
static int
match_level(const struct lore_isa_function *f, const char *symbol, const char *isa)
{
    if (isa && !is_isa(f->isa, isa))
        return 0;
    if (!symbol || strcmp(f->name, symbol) == 0)
        return 2;
    return symbol[0] != '\0' && strstr(f->name, symbol) ? 1 : 0;
}

/* The sum is known only when every part is. */
static void
add_i64(struct lore_i64 *sum, const struct lore_i64 *part, bool first)
{
    *sum = first ? *part : (struct lore_i64){sum->set && part->set, sum->v + part->v};
    if (!sum->set)
        sum->v = 0;
}

static void
add_numbers(struct lore_isa_function *sum, const struct lore_isa_function *f, bool first)
{
    sum->instructions += f->instructions;
    sum->spill_ops += f->spill_ops;
    sum->maybe_spills += f->maybe_spills;
    add_i64(&sum->vgpr_spills, &f->vgpr_spills, first);
    add_i64(&sum->sgpr_spills, &f->sgpr_spills, first);
    add_i64(&sum->scratch_bytes, &f->scratch_bytes, first);
    if (first) {
        sum->vgprs = f->vgprs;
        sum->sgprs = f->sgprs;
    } else
        sum->vgprs = sum->sgprs = (struct lore_i64){0}; /* register counts do not add up */
}

/* Sorts and joins equal forms. */
static void
join_forms(struct lore_isa_function *f)
{
    size_t n = 0;

    if (f->n_forms > 1)
        qsort(f->forms, f->n_forms, sizeof *f->forms, lore_isa_by_form);
    for (size_t i = 0; i < f->n_forms; i++) {
        if (n > 0 && strcmp(f->forms[n - 1].form, f->forms[i].form) == 0)
            f->forms[n - 1].count += f->forms[i].count;
        else
            f->forms[n++] = f->forms[i];
    }
    f->n_forms = n;
}

static bool
same_isa(const char *a, const char *b)
{
    return !a || !b ? a == b : strcmp(a, b) == 0;
}

enum lore_status
lore_isa_select(const struct lore_isa_listing *listing, const char *symbol, const char *isa,
    struct lore_arena *arena, struct lore_isa_function *out, struct lore_err *err)
{
    struct lore_isa_function sum = {0};
    int best = 0;
    bool first = true;

    for (size_t i = 0; i < listing->n_functions; i++) {
        int fit = match_level(&listing->functions[i], symbol, isa);

        best = fit > best ? fit : best;
    }
    if (best == 0)
        return lore_fail(err, LORE_NOTFOUND, "disassembly: no function \"%s\"%s%s",
            symbol != NULL ? symbol : "", isa != NULL ? " for " : "", isa != NULL ? isa : "");
    for (size_t i = 0; i < listing->n_functions; i++) {
        const struct lore_isa_function *f = &listing->functions[i];

        if (match_level(f, symbol, isa) != best)
            continue;
        if (!first && !same_isa(sum.isa, f->isa))
            return lore_fail(err, LORE_CONFLICT,
                "disassembly: it has code for %s and for %s; choose one",
                sum.isa != NULL ? sum.isa : "?", f->isa != NULL ? f->isa : "?");
        sum.name = first ? f->name : symbol != NULL ? symbol : "";
        sum.isa = f->isa;
        for (size_t k = 0; k < f->n_forms; k++)
            *LORE_PUSH(arena, sum.forms, sum.n_forms, sum.cap_forms) = f->forms[k];
        add_numbers(&sum, f, first);
        first = false;
    }
    join_forms(&sum);
    *out = sum;
    return LORE_OK;
}

static size_t
size_of_change(const struct lore_isa_change *c)
{
    return c->after > c->before ? c->after - c->before : c->before - c->after;
}

static int
largest_first(const void *a, const void *b)
{
    size_t x = size_of_change(a), y = size_of_change(b);

    if (x != y)
        return x < y ? 1 : -1;
    return strcmp(
        ((const struct lore_isa_change *)a)->form, ((const struct lore_isa_change *)b)->form);
}

struct lore_isa_change *
lore_isa_diff(const struct lore_isa_function *before, const struct lore_isa_function *after,
    struct lore_arena *arena, size_t *n)
{
    struct lore_isa_change *out =
        lore_alloc_array(arena, before->n_forms + after->n_forms + 1, sizeof *out);
    size_t i = 0, j = 0;

    *n = 0;
    while (i < before->n_forms || j < after->n_forms) {
        struct lore_isa_change c = {0};
        int order = i == before->n_forms  ? 1
                    : j == after->n_forms ? -1
                                          : strcmp(before->forms[i].form, after->forms[j].form);

        c.form = order <= 0 ? before->forms[i].form : after->forms[j].form;
        c.before = order <= 0 ? before->forms[i++].count : 0;
        c.after = order >= 0 ? after->forms[j++].count : 0;
        if (c.before != c.after)
            out[(*n)++] = c;
    }
    qsort(out, *n, sizeof *out, largest_first);
    return out;
}

static enum lore_isa_spill_verdict
gate(enum lore_isa_spill_verdict g, const char *reason, const char **why)
{
    if (why != NULL)
        *why = reason;
    return g;
}

enum lore_isa_spill_verdict
lore_isa_spill_gate(
    const struct lore_isa_function *before, const struct lore_isa_function *after, const char **why)
{
    if (!before || !after || before->instructions == 0 || after->instructions == 0)
        return gate(LORE_ISA_GATE_UNKNOWN, "one of the two versions has no disassembly", why);
    if (before->vgpr_spills.set && after->vgpr_spills.set)
        return after->vgpr_spills.v > before->vgpr_spills.v
                   ? gate(LORE_ISA_GATE_FAIL, "the compiler spills more vector registers", why)
                   : gate(LORE_ISA_GATE_PASS, "the compiler spills no more registers than before",
                         why);
    if (after->spill_ops > before->spill_ops)
        return gate(LORE_ISA_GATE_FAIL, "more loads and stores of spilled registers", why);
    if (after->maybe_spills > before->maybe_spills)
        return gate(LORE_ISA_GATE_UNKNOWN,
            "more buffer accesses that may be spills; use the compiler's assembler text to decide",
            why);
    return gate(LORE_ISA_GATE_PASS, "loads and stores of spilled registers did not increase", why);
}
