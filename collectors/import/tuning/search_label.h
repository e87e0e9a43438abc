/* The label of a version that is a configuration of a tuner. */
#ifndef LORE_IMPORT_TUNING_SEARCH_LABEL_H
#define LORE_IMPORT_TUNING_SEARCH_LABEL_H

#include "collectors/import/tuning/search_config.h"

/* "block_size_x=16 read_only=0", by name: all N parameters. */
const char *
lore_search_text_of(struct lore_arena *arena, const struct lore_search_value *params, size_t n);
/* A label of at most 64 bytes: all parameters when they fit, else those whose DIFFERS is set, the
 * short ones first, and "…" for what does not fit. */
const char *lore_search_label(struct lore_arena *arena, const struct lore_search_value *params,
    const bool *differs, size_t n);

#endif
