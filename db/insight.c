/* Insights: lessons in words, with their scope and evidence. */
#include <stdio.h>

#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "service/catalogue/catalogue.h"

LORE_KIND_BEFORE(insight)
{
    const struct lore_insight *r = record;
    enum lore_status status = LORE_OK;
    char path[40];

    for (size_t i = 0; i < r->experiments.n && status == LORE_OK; i++) {
        snprintf(path, sizeof path, "experiments[%zu]", i);
        status = lore_reference(c->db, LORE_K_EXPERIMENT, path, r->experiments.v[i], err);
    }
    made->text[0] = r->kind != NULL ? r->kind : "note";
    made->text[1] = r->op != NULL ? lore_operator_name(c->arena, r->op) : NULL;
    made->text[2] = r->language != LORE_LANG_NONE ? lore_language_name(r->language) : NULL;
    made->text[4] = lore_join(&r->labels, '+', c->arena);
    if (status != LORE_OK || !r->technique)
        return status;
    made->text[3] = lore_technique_slug(c->arena, r->technique);
    const char *meant = NULL;
    status = lore_name_meaning(c->db, made->text[3], &meant, err);
    if (status == LORE_OK && meant)
        made->text[3] = meant;
    return status;
}

LORE_KIND_AFTER(insight)
{
    (void)record, (void)made, (void)seq, (void)err;
    lore_cache_invalidate(c->db, 'L', "");
    return LORE_OK;
}

/* What nobody reviewed is a draft. */
#define STATE                                                                                      \
    "coalesce((SELECT x.state FROM fact_curation x WHERE x.seq = " LORE_LAST_CURATION(             \
        "i", "'review'") "), 'draft')"
/* About the ISA or the architecture of $chip. */
#define OF_ITS_KIND                                                                                \
    "EXISTS (SELECT 1 FROM cat_chip k WHERE k.name = $chip AND (i.chip = k.isa OR (i.chip IS NULL" \
    " AND json_extract(i.rest, '$.arch') = k.arch)))"
#define SELECT                                                                                     \
    "SELECT i.seq, d.received_us, i.id, i.kind, i.title, i.body, i.operator, i.family,"            \
    " i.language, i.chip, i.technique, i.labels, i.confidence, i.author, i.rest, d.id"             \
    " FROM fact_insight i JOIN fact_document d ON d.seq = i.document"

#define ROW struct lore_insight_row
static const struct lore_row_member members[] = {AT(seq), AT(received_us), AT(i.id), AT(i.kind),
    AT(i.title), AT(i.body), AT(i.op), AT(i.family), AT_ENUM(i.language, lore_language_find),
    AT(i.chip), AT(i.technique), AT(i.labels), AT(i.confidence), AT(i.author), AT(rest),
    AT(document)};
const struct lore_row_shape lore_insight_rows = {LORE_MEMBERS(members), .noun = "insight",
    LORE_RECORD(LORE_K_INSIGHT, LORE_DECODE_WHOLE, i), .author = offsetof(ROW, i.author),
    .get = LORE_LITERAL(SELECT " WHERE i.id = $1"),
    .list = LORE_LITERAL(SELECT
        " WHERE ($kind IS NULL OR i.kind = $kind)"
        " AND ($state IS NULL OR $state = " STATE ") AND (" LORE_CHIP_COVERED(
            "i.chip") " OR " OF_ITS_KIND ")"
                      " AND ($op IS NULL OR i.operator = $op)"
                      " AND ($technique IS NULL OR i.technique = $technique)" LORE_PAGE("i"))};
