/* Techniques as catalogues describe them: several may describe the same one. */
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"

LORE_KIND_BEFORE(technique)
{
    const struct lore_technique_def *r = record;

    return lore_name_technique(c, r->technique, NULL, &made->text[0], err);
}

LORE_KIND_AFTER(technique)
{
    const struct lore_technique_def *r = record;

    (void)made, (void)seq;
    return r->slug ? lore_name_explained(c, r->slug, err) : LORE_OK;
}

#define ROW struct lore_technique_def_row
static const struct lore_row_member members[] = {LORE_KNOWN_MEMBERS};
const struct lore_row_shape lore_technique_def_rows = {LORE_MEMBERS(members), .noun = "technique",
    LORE_RECORD(LORE_K_TECHNIQUE, LORE_DECODE_LISTS, r),
    .get = LORE_LITERAL(LORE_KNOWN("fact_technique") " WHERE t.id = $1"),
    .list =
        LORE_LITERAL(LORE_KNOWN("fact_technique") " WHERE ($technique IS NULL"
                                                  " OR t.technique = $technique)" LORE_PAGE("t"))};
