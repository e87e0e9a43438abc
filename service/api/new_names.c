/* New names and the known ones near them. The service keeps every name that somebody uses, so a
 * typing error would silently become an operator or technique of its own. */
#include "service/api/new_names.h"

#include "db/put.h"
#include "service/base/text.h"
#include "service/catalogue/words.h"
#include "service/ingest/ingest.h"

enum { SHOWN = 50 };

#define ROW struct lore_new_name_row
static const struct lore_object_member members[] = {
    {"!kind", AT(kind), "operator|technique"},
    {"!name", AT(name)},
    {"!near", AT(near), NULL, "known names that may be meant, nearest first"},
};
const struct lore_object lore_new_name_object = LORE_OBJECT("NewName", members);
#undef ROW

struct lore_new_names
lore_new_names_of(const struct lore_receipt *r, struct lore_arena *arena)
{
    size_t n = r->n_names < SHOWN ? r->n_names : SHOWN;
    struct lore_new_names out = {n > 0 ? lore_alloc_array(arena, n, sizeof *out.v) : NULL, n};

    for (size_t i = 0; i < n; i++) {
        const struct lore_new_name *from = &r->names[i];
        struct lore_new_name_row *to = &out.v[i];
        const char *near[LORE_WORDS_NEAREST];
        size_t found = lore_streq(from->kind, "technique")
                           ? lore_words_nearest(from->name, near)
                           : lore_operators_nearest(from->name, near);

        *to = (struct lore_new_name_row){.kind = from->kind, .name = from->name};
        for (size_t k = 0; k < found; k++)
            *LORE_PUSH(arena, to->near.v, to->near.n, to->near.cap) = near[k];
    }
    return out;
}
