/* The effects of curations (curated.c) and masks (mask.c, old_masks.c). For the files of this
 * folder. */
#ifndef LORE_DB_CURATED_H
#define LORE_DB_CURATED_H

#include "db/put_context.h"
#include "db/rows.h"

/* Apply curation R, stored as SEQ, to fact_mask and drv_curated and to the rows that depend on
 * them. A rebuild calls lore_curated_rebuild, which leaves the masks out. */
enum lore_status lore_curated_apply(const struct lore_put_ctx *c, const struct lore_curation *r,
    int64_t seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_curated_rebuild(const struct lore_put_ctx *c, const struct lore_curation *r,
    int64_t seq, struct lore_err *err) LORE_MUST;
/* mask.c: hide or show EXPERIMENT as MASK says, by CURATION (0: none). */
enum lore_status lore_mask_put(struct lore_db *db, const char *experiment,
    const struct lore_mask_row *mask, int64_t curation, struct lore_err *err) LORE_MUST;
/* old_masks.c: turn each mask without a submission into a submission. Call it in a transaction. */
enum lore_status lore_old_masks_convert(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
