/* Small steps of the version-directories importer. */
#ifndef LORE_IMPORT_VERSION_DIRECTORIES_FM_KEEP_H
#define LORE_IMPORT_VERSION_DIRECTORIES_FM_KEEP_H

#include "collectors/import/version_directories/fm_case.h"
#include "service/wire/wire.h"

/* The id of RECORD by everything it says; to be called when it is complete but for its id. */
const char *lore_fm_seal(const struct lore_fm_case *c, enum lore_kind kind, const void *record);
/* TEXT cut to MOST bytes, with an ellipsis. */
const char *lore_fm_clip(struct lore_arena *arena, const char *text, size_t most);
/* TEXT without its machine's paths: absolute ones are cut to the file name; counted in *cut. */
const char *lore_fm_strip(struct lore_arena *arena, const char *text, size_t *cut);

/* Keep a piece of the file being read, and name it in the report. */
void lore_fm_leave(struct lore_fm_case *c, struct lore_fm_rest *rest, const char *section,
    size_t line, const char *text);
void lore_fm_leave_row(struct lore_fm_case *c, struct lore_fm_rest *rest,
    const struct lore_md_table *t, const struct lore_md_row *row);
/* {"KEY of MORE": value…, "left": [{file, line, section, text}]}; NULL when there is nothing. */
const char *
lore_fm_extra(struct lore_arena *arena, const struct lore_kvs *more, const struct lore_fm_rest *r);
/* KEY = TEXT, paths cut; nothing for NULL and "". */
void
lore_fm_set_text(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text);
/* The same under KEY_2, KEY_3 … when KEY is taken: nothing is replaced. */
void
lore_fm_add_text(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text);
void lore_fm_set_f64(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, double v);

/* A number as a report prints it: "32.8M", "0.0117", "12.50%". *step is half a unit of its last
 * digit. False for none. */
bool lore_fm_printed(const char *text, double *value, double *step);
/* The number that stands in "v3", or -1: at the start of S; *end (may be NULL) what follows. */
long long lore_fm_number(const char *s, const char **end);
/* The index of version ORDINAL; -1: there is none. */
int lore_fm_index(const struct lore_fm_case *c, long long ordinal);

#endif
