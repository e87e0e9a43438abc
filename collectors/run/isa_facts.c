/* Which object has a launched kernel, its instruction counts, and verdicts on techniques. The class
 * of an instruction is its opcode without modifiers. */
#include "collectors/run/isa_facts.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/build.h"

enum { CLASSES_MAX = 256 };

/* ---- the kernel's object ---- */

bool
lore_isa_registers_fit(uint32_t compiled, uint32_t launched)
{
    uint32_t least = compiled < 16 ? 16 : compiled;

    return compiled == 0 || launched == 0 || compiled == launched || least == launched ||
           (least + 7) / 8 * 8 == launched;
}

/* Whether O has kernel Q; EXACT: with as many registers. */
static bool
has_kernel(const struct lore_isa_object *o, const struct lore_isa_kernel *q, bool exact,
    struct lore_arena *arena, struct lore_isa_function *out, struct lore_err *err)
{
    const struct lore_cubin_kernel *k = lore_cubin_kernel(&o->cubin, q->symbol);

    if (o->cubin.kernels && !k)
        return false;
    if (exact && k && !lore_isa_registers_fit(k->registers, q->registers))
        return false;
    return lore_isa_select(o->listing, q->symbol, q->isa, arena, out, err) == LORE_OK;
}

const struct lore_isa_object *
lore_isa_facts_find(const struct lore_isa_facts *f, const struct lore_isa_kernel *q,
    struct lore_arena *arena, struct lore_isa_function *out, const char **why)
{
    const struct lore_isa_object *found = NULL;
    struct lore_isa_function other;
    struct lore_err err = {0};
    size_t different;

    for (int exact = 1; exact >= 0 && !found; exact--)
        for (size_t i = 0; i < f->n_objects; i++) {
            if (!has_kernel(
                    &f->objects[i], q, exact, arena, found ? &other : out, found ? NULL : &err))
                continue;
            if (found && lore_isa_diff(out, &other, arena, &different) && different > 0) {
                *why = "several loaded modules contain a kernel of this name with as many "
                       "registers, as autotuning makes them: which one ran is not known";
                return NULL;
            }
            found = found ? found : &f->objects[i];
        }
    if (!found)
        *why = f->why ? f->why : err.msg[0] ? lore_strdup(arena, err.msg) : LORE_ISA_NO_CODE;
    return found;
}

/* ---- the histogram ---- */

struct class
{
    const char *name;
    size_t n, count;
};

static int
by_count(const void *a, const void *b)
{
    const struct class *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    int order = strncmp(x->name, y->name, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Count the opcode classes of F into OUT, at most MOST, the most frequent first. */
static size_t
classes_of(const struct lore_isa_function *f, struct class *out, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n_forms; i++) {
        const char *form = f->forms[i].form;
        size_t len = strcspn(form, ". "), k = 0;
        if (form[0] == ';' || len == 0)
            continue;
        while (k < n && (out[k].n != len || strncmp(out[k].name, form, len) != 0))
            k++;
        if (k == most)
            continue;
        if (k == n)
            out[n++] = (struct class){form, len, 0};
        out[k].count += f->forms[i].count;
    }
    qsort(out, n, sizeof *out, by_count);
    return n;
}

static void
write_function(struct lore_jsonw *w, const struct lore_isa_function *f, struct lore_arena *arena)
{
    struct class *v = lore_alloc_array(arena, CLASSES_MAX, sizeof *v);
    size_t n = classes_of(f, v, CLASSES_MAX);

    lore_w_kstr_opt(w, "isa", f->isa);
    lore_w_ki64(w, "instructions", (int64_t)f->instructions);
    lore_w_ki64(w, "spill_instructions", (int64_t)f->spill_ops);
    if (f->maybe_spills)
        lore_w_ki64(w, "maybe_spill_instructions", (int64_t)f->maybe_spills);
    lore_w_key(w, "opcodes");
    lore_w_obj(w);
    for (size_t i = 0; i < n; i++)
        lore_w_ki64(w, lore_strndup(arena, v[i].name, v[i].n), (int64_t)v[i].count);
    lore_w_obj_end(w);
}

void
lore_isa_facts_write(struct lore_jsonw *w, const struct lore_isa_facts *f,
    const struct lore_isa_kernel *q, struct lore_arena *arena)
{
    struct lore_isa_function fn = {0};
    const char *why = NULL;
    const struct lore_isa_object *object = lore_isa_facts_find(f, q, arena, &fn, &why);

    lore_w_obj(w);
    if (object) {
        lore_w_kstr_opt(w, "tool", object->tool);
        write_function(w, &fn, arena);
    } else {
        lore_w_kstr(w, "unavailable", why);
    }
    lore_w_obj_end(w);
}

/* ---- verifications ---- */

static void
fill(const struct lore_isa_check *check, const char *tool, struct lore_arena *arena,
    struct lore_verification *v)
{
    v->technique = check->technique;
    v->status = lore_isa_verdict_name(check->verdict);
    v->tool = tool ? tool : "warplore run";
    v->kernel_symbol = check->symbol && strlen(check->symbol) <= 2000 ? check->symbol : NULL;
    v->note = check->why;
    if (check->version > 0)
        v->signature = lore_format(arena, "%s/%s@%u", check->technique,
            lore_isa_target_name(check->target), check->version);
    for (size_t i = 0; i < check->n_found; i++) {
        const struct lore_isa_found *found = &check->found[i];
        lore_kvs_set(arena, &v->counts, found->pattern, lore_format(arena, "%zu", found->count));
        if (strcmp(found->kind, "pattern") == 0)
            lore_build_text(arena, found->count > 0 ? &v->found : &v->missing, found->pattern);
    }
}

void
lore_isa_facts_verify(const struct lore_isa_facts *f, const struct lore_isa_claim *claim,
    struct lore_arena *arena, struct lore_submission *doc)
{
    struct lore_isa_function fn;
    const char *why = NULL;
    const struct lore_isa_object *object = lore_isa_facts_find(f, &claim->kernel, arena, &fn, &why);

    for (size_t i = 0; i < claim->techniques->n; i++) {
        const char *text = claim->techniques->v[i];
        struct lore_isa_request q = {.listing = object ? object->listing : NULL,
            .technique = lore_strndup(arena, text, strcspn(text, "{")),
            .symbol = claim->kernel.symbol,
            .isa = claim->kernel.isa,
            .why_none = why};
        struct lore_isa_check check;
        struct lore_verification v = {.version = claim->version};
        char counts[33];

        lore_isa_check_technique(&q, arena, &check);
        fill(&check, object ? object->tool : NULL, arena, &v);
        lore_kvs_hash(&v.counts, counts);
        v.id = lore_build_id(arena, 0, "verification|%s|%s|%s|%s|%s|%s|%s|%s", v.version,
            v.technique, v.status, v.tool, v.kernel_symbol ? v.kernel_symbol : "",
            v.signature ? v.signature : "", counts, v.note);
        *LORE_PUSH(arena, doc->verifications, doc->n_verifications, doc->cap_verifications) = v;
    }
}
