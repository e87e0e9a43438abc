/* A shape holds every form of the kernel's instructions with its count, so that a technique can be
 * looked for later without the file. */
#include "collectors/run/isa_shape.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { FORMS_MAX = 1000 }; /* members of an object on the wire */

static void
put_number(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, size_t v)
{
    lore_kvs_set(arena, kvs, key, lore_format(arena, "%zu", v));
}

void
lore_isa_shape_put(const struct lore_isa_facts *f, const struct lore_isa_kernel *q,
    struct lore_arena *arena, struct lore_profile_shape *s)
{
    struct lore_isa_function fn = {0};
    const char *why = NULL;
    const struct lore_isa_object *object = lore_isa_facts_find(f, q, arena, &fn, &why);

    if (object && fn.n_forms > FORMS_MAX) {
        why = "it has more different instructions than a profile holds";
        object = NULL;
    }
    if (!object) {
        lore_kvs_set(arena, &s->isa, "unavailable", lore_kvs_quote(arena, why));
        return;
    }
    lore_kvs_set(arena, &s->isa, "tool", lore_kvs_quote(arena, object->tool));
    if (fn.isa)
        lore_kvs_set(arena, &s->isa, "target", lore_kvs_quote(arena, fn.isa));
    put_number(arena, &s->isa, "instructions", fn.instructions);
    put_number(arena, &s->isa, "spill_instructions", fn.spill_ops);
    put_number(arena, &s->isa, "maybe_spill_instructions", fn.maybe_spills);
    for (size_t i = 0; i < fn.n_forms; i++)
        put_number(arena, &s->forms, fn.forms[i].form, fn.forms[i].count);
}

static const char *
word(const struct lore_kvs *kvs, const char *key, struct lore_arena *arena)
{
    const char *v = lore_kvs_get(kvs, key);

    return v ? lore_kvs_plain(arena, v) : NULL;
}

static size_t
number(const struct lore_kvs *kvs, const char *key)
{
    const char *v = lore_kvs_get(kvs, key);

    return v ? strtoull(v, NULL, 10) : 0;
}

static int
by_form(const void *a, const void *b)
{
    const struct lore_isa_form *x = a, *y = b;

    return strcmp(x->form, y->form);
}

void
lore_isa_shape_facts(const struct lore_profile_shape *s, const char *symbol,
    struct lore_arena *arena, struct lore_isa_facts *out)
{
    struct lore_isa_listing *listing = lore_alloc(arena, sizeof *listing);
    struct lore_isa_function *fn = lore_alloc(arena, sizeof *fn);

    memset(out, 0, sizeof *out);
    out->why = word(&s->isa, "unavailable", arena);
    if (s->forms.n == 0) {
        out->why =
            out->why ? out->why : "the profile has no machine code: --isa or --metrics keeps it";
        return;
    }
    *fn = (struct lore_isa_function){.name = symbol,
        .isa = word(&s->isa, "target", arena),
        .forms = lore_alloc_array(arena, s->forms.n, sizeof *fn->forms),
        .n_forms = s->forms.n,
        .instructions = number(&s->isa, "instructions"),
        .spill_ops = number(&s->isa, "spill_instructions"),
        .maybe_spills = number(&s->isa, "maybe_spill_instructions")};
    for (size_t i = 0; i < s->forms.n; i++)
        fn->forms[i] =
            (struct lore_isa_form){s->forms.v[i].key, number(&s->forms, s->forms.v[i].key)};
    qsort(fn->forms, fn->n_forms, sizeof *fn->forms, by_form);
    listing->target = fn->isa && lore_starts(fn->isa, "gfx") ? LORE_ISA_AMDGCN : LORE_ISA_SASS;
    listing->format = LORE_ISA_NVDISASM;
    listing->functions = fn;
    listing->n_functions = 1;
    *LORE_PUSH(arena, out->objects, out->n_objects, out->cap_objects) =
        (struct lore_isa_object){.listing = listing, .tool = word(&s->isa, "tool", arena)};
}

struct lore_texts
lore_isa_shape_shows(
    const struct lore_profile_shape *s, const char *symbol, struct lore_arena *arena)
{
    struct lore_texts shown = {0};
    struct lore_isa_facts facts;
    size_t n;
    const struct lore_isa_signature *all = lore_isa_signatures(&n);

    lore_isa_shape_facts(s, symbol, arena, &facts);
    if (facts.n_objects == 0)
        return shown;
    for (size_t i = 0; i < n; i++) {
        const struct lore_isa_request q = {
            .listing = facts.objects[0].listing, .technique = all[i].technique, .symbol = symbol};
        struct lore_isa_check check;
        if (all[i].target != q.listing->target || all[i].need > LORE_ISA_ALL)
            continue; /* the other needs compare with another version */
        lore_isa_check_technique(&q, arena, &check);
        if (check.verdict == LORE_ISA_VERIFIED)
            lore_build_text(arena, &shown, all[i].technique);
    }
    return shown;
}
