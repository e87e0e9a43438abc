/* Runs imported patterns on the forms of a kernel. Patterns see opcodes with modifiers, but no
 * operands, addresses or function names. So a kernel whose name contains an instruction does not
 * match. */
#include "collectors/isa/imported.h"

#include <regex.h>
#include <string.h>

#include "service/catalogue/catalogue.h"

static bool
is_posix(const char *pattern)
{
    regex_t re;

    if (regcomp(&re, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
        return false;
    regfree(&re);
    return true;
}

const char *
lore_isa_pattern_refused(const char *pattern)
{
    if (*pattern == '\0')
        return "a pattern is empty, and would match anything";
    if (strlen(pattern) > LORE_ISA_IMPORTED_BYTES)
        return "a pattern is longer than 200 bytes";
    for (const char *p = pattern; *p != '\0'; p++) {
        if (*p == '{')
            return "a pattern has a repeat count ({), which is not run";
        if (p[0] == '(' && p[1] == '?')
            return "a pattern is not a POSIX expression: (?";
        if (*p != '\\')
            continue;
        p++;
        if (*p >= '0' && *p <= '9')
            return "a pattern has a back-reference, which is not run";
        if (*p == '\0' || strchr("dDpPhHvVQEAZzKRXux", *p))
            return "a pattern has an escape that POSIX does not know";
    }
    return is_posix(pattern) ? NULL : "a pattern is not a POSIX expression";
}

static void
set_verdict(struct lore_isa_check *c, enum lore_isa_verdict v, const char *why)
{
    c->verdict = v;
    c->why = why;
}

/* Count the matches of PATTERN in F. False: the pattern does not compile. */
static bool
count(const char *pattern, const struct lore_isa_function *f, size_t *n)
{
    regex_t re;

    if (regcomp(&re, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
        return false;
    *n = 0;
    for (size_t i = 0; i < f->n_forms; i++)
        if (f->forms[i].form[0] != ';' && regexec(&re, f->forms[i].form, 0, NULL, 0) == 0)
            *n += f->forms[i].count;
    regfree(&re);
    return true;
}

static void
judge(const struct lore_isa_imported *s, const struct lore_isa_function *f,
    const struct lore_isa_function *before, struct lore_isa_check *out)
{
    size_t min = s->min_count > 1 ? (size_t)s->min_count : 1, enough = 0, sum = 0;

    for (size_t i = 0; i < s->n; i++) {
        struct lore_isa_found *at = &out->found[i];

        *at = (struct lore_isa_found){.pattern = s->patterns[i], .kind = "pattern"};
        if (!count(s->patterns[i], f, &at->count) ||
            (before && !count(s->patterns[i], before, &at->before))) {
            set_verdict(out, LORE_ISA_INCONCLUSIVE, "a pattern could not be run");
            return;
        }
        out->n_found = i + 1;
        out->n_missing += at->count == 0;
        enough += at->count >= min;
        sum += at->count;
    }
    if (s->all ? enough == s->n : sum >= min)
        set_verdict(
            out, LORE_ISA_VERIFIED, "the instructions of the definition's patterns are there");
    else
        set_verdict(
            out, LORE_ISA_MISSING, "the instructions of the definition's patterns are not there");
}

/* Whether the check can run; false with OUT's verdict and reason set. */
static bool
can_check(
    const struct lore_isa_request *q, const struct lore_isa_imported *s, struct lore_isa_check *out)
{
    if (s->n == 0) {
        set_verdict(out, LORE_ISA_NOT_APPLICABLE, "the definition has no patterns");
        return false;
    }
    if (!q->listing || q->listing->n_functions == 0) {
        set_verdict(
            out, LORE_ISA_UNAVAILABLE, q->why_none != NULL ? q->why_none : "no disassembly");
        return false;
    }
    if (s->target != q->listing->target) {
        set_verdict(out, LORE_ISA_NOT_APPLICABLE, "the definition is for another instruction set");
        return false;
    }
    if (s->n > LORE_ISA_IMPORTED_PATTERNS) {
        set_verdict(out, LORE_ISA_INCONCLUSIVE, "the definition has more than 64 patterns");
        return false;
    }
    for (size_t i = 0; i < s->n; i++) {
        const char *why = lore_isa_pattern_refused(s->patterns[i]);

        if (why) {
            set_verdict(out, LORE_ISA_INCONCLUSIVE, why);
            return false;
        }
    }
    return true;
}

void
lore_isa_check_imported(const struct lore_isa_request *q, const struct lore_isa_imported *s,
    struct lore_arena *arena, struct lore_isa_check *out)
{
    struct lore_isa_function f, before;
    struct lore_err err = {0};
    enum lore_status status;
    bool compared;

    *out = (struct lore_isa_check){
        .technique = lore_technique_slug(arena, s->technique), .target = s->target};
    if (!can_check(q, s, out))
        return;
    status = lore_isa_select(q->listing, q->symbol, q->isa, arena, &f, &err);
    if (status != LORE_OK || f.instructions == 0) {
        set_verdict(out, status == LORE_CONFLICT ? LORE_ISA_INCONCLUSIVE : LORE_ISA_UNAVAILABLE,
            status == LORE_OK ? "the function is empty" : lore_strdup(arena, err.msg));
        return;
    }
    out->symbol = f.name;
    out->isa = f.isa;
    compared = q->before != NULL && q->before->target == s->target &&
               lore_isa_select(q->before, q->symbol, q->isa, arena, &before, &err) == LORE_OK;
    if (f.n_forms > LORE_ISA_IMPORTED_FORMS ||
        (compared && before.n_forms > LORE_ISA_IMPORTED_FORMS)) {
        set_verdict(out, LORE_ISA_INCONCLUSIVE,
            "the kernel has more distinct instructions than this check reads");
        return;
    }
    out->found = lore_alloc_array(arena, s->n, sizeof *out->found);
    judge(s, &f, compared ? &before : NULL, out);
}
