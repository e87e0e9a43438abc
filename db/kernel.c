/* Kernels: implementations of an operator in one language. */
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"

LORE_KIND_BEFORE(kernel)
{
    const struct lore_kernel *r = record;

    made->text[1] = lore_language_name(r->language);
    return lore_name_operator(c, r->op, r->family, &made->text[0], err);
}

#define SELECT                                                                                     \
    "SELECT k.seq, d.received_us, k.id, k.operator, k.name, k.language, k.project, k.origin,"      \
    " k.entry_symbol, k.goal, k.rest, o.family, d.id,"                                             \
    " (SELECT count(*) FROM fact_version v WHERE v.kernel = k.id),"                                \
    " (SELECT count(*) FROM fact_experiment e WHERE e.kernel = k.id)"                              \
    " FROM fact_kernel k JOIN cat_operator o ON o.name = k.operator"                               \
    " JOIN fact_document d ON d.seq = k.document"

#define ROW struct lore_kernel_row
static const struct lore_row_member members[] = {AT(seq), AT(received_us), AT(k.id), AT(k.op),
    AT(k.name), AT_ENUM(k.language, lore_language_find), AT(k.project), AT(k.origin),
    AT(k.entry_symbol), AT(k.goal), AT(rest), AT(family), AT(document), AT(n_versions),
    AT(n_experiments)};
const struct lore_row_shape lore_kernel_rows = {LORE_MEMBERS(members), .noun = "kernel",
    LORE_RECORD(LORE_K_KERNEL, LORE_DECODE_WHOLE, k),
    .get = LORE_LITERAL(SELECT " WHERE k.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE ($op IS NULL OR k.operator = $op)"
                                " AND ($language IS NULL OR k.language = $language)"
                                " AND ($project IS NULL OR k.project = $project)"
                                " AND ($name IS NULL OR k.name = $name)" LORE_PAGE("k"))};
