/* Helpers of the version-directories importer. */
#ifndef LORE_IMPORT_VERSION_DIRECTORIES_CASE_KEEP_H
#define LORE_IMPORT_VERSION_DIRECTORIES_CASE_KEEP_H

#include "collectors/import/version_directories/case.h"
#include "service/wire/wire.h"

/* Derive the id of RECORD from its whole content. Call it when all other members are set. */
const char *lore_case_derive_id(const struct lore_case *c, enum lore_kind kind, const void *record);
/* TEXT, cut to MOST bytes with "…" at the cut. */
const char *lore_case_truncate(struct lore_arena *arena, const char *text, size_t most);
/* TEXT with absolute paths cut to file names; their number is added to *CUT. */
const char *lore_case_cut_paths(struct lore_arena *arena, const char *text, size_t *cut);

/* Add TEXT without a field to REST for `extra`, and list it in the report. TEXT is from the current
 * file. */
void lore_case_keep_text(struct lore_case *c, struct lore_case_unmapped_list *rest,
    const char *section, size_t line, const char *text);
void lore_case_keep_row(struct lore_case *c, struct lore_case_unmapped_list *rest,
    const struct lore_md_table *t, const struct lore_md_row *row);
/* {"KEY of MORE": value…, "left": [{file, line, section, text}]}; NULL when there is nothing. */
const char *lore_case_extra(
    struct lore_arena *arena, const struct lore_kvs *more, const struct lore_case_unmapped_list *r);
/* Set KEY to TEXT with absolute paths cut; does nothing for NULL and "". */
void lore_case_set_text(
    struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text);
/* The same, but under KEY_2, KEY_3 … when KEY exists, so that no value is replaced. */
void lore_case_add_text(
    struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text);
void lore_case_set_f64(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, double v);

/* Parse a printed number: "32.8M", "0.0117", "12.50%". *HALF_UNIT is half a unit of its last
 * digit. False: no number. */
bool lore_case_printed(const char *text, double *value, double *half_unit);
/* The number in "v3" at the start of S; -1: none. *END (may be NULL) points behind it. */
long long lore_case_number(const char *s, const char **end);
/* The index of the version with number ORDINAL; -1: none. */
int lore_case_index(const struct lore_case *c, long long ordinal);

#endif
