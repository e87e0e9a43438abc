/* What decisions change (curated.c), and masks (mask.c, old_masks.c). For the files of this folder.
 */
#ifndef LORE_DB_CURATED_H
#define LORE_DB_CURATED_H

#include "db/put.h"

/* What curation R, stored as SEQ, changes: fact_mask, drv_curated, what follows. Again: without
 * the masks, when derived tables are made anew. */
enum lore_status lore_curate(const struct lore_put_ctx *c, const struct lore_curation *r,
    int64_t seq, struct lore_err *err) LORE_MUST;
enum lore_status lore_curate_again(const struct lore_put_ctx *c, const struct lore_curation *r,
    int64_t seq, struct lore_err *err) LORE_MUST;
/* mask.c: hide or show EXPERIMENT by CURATION (0: none). */
enum lore_status
lore_mask_put(struct lore_db *db, const char *experiment, bool masked, const char *reason,
    const char *actor, int64_t now_us, int64_t curation, struct lore_err *err) LORE_MUST;
/* old_masks.c: make submissions of the masks that none brought. Inside a transaction. */
enum lore_status lore_masks_as_curations(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
