/* Copies: runs and experiments that repeat what another version of the same content already showed
 * (copies.c). For the files of this folder. */
#ifndef LORE_DB_COPIES_H
#define LORE_DB_COPIES_H

#include "db/put_context.h"

/* Note the content of version SEQ, stored before with its sources, find its twin, and cache the
 * version's name. */
enum lore_status lore_copies_add_version(const struct lore_put_ctx *c, int64_t seq,
    const struct lore_version *r, struct lore_err *err) LORE_MUST;
/* Note run SEQ of VERSION (id) as a copy when its twin has the same run. */
enum lore_status lore_copies_add_run(
    struct lore_db *db, int64_t seq, const char *version, struct lore_err *err) LORE_MUST;
/* Note experiment SEQ as a copy when the twin of its version has the same experiment. Reads kernel
 * and versions of R; its runs are stored before. */
enum lore_status lore_copies_add_experiment(struct lore_db *db, int64_t seq,
    const struct lore_experiment *r, struct lore_err *err) LORE_MUST;
/* List the copies of RECORD: of a run or experiment, or of those of a version. */
enum lore_status lore_copies_of(struct lore_db *db, const char *record, struct lore_arena *a,
    struct lore_texts *out, struct lore_err *err) LORE_MUST;
/* Derive all contents and copies again, and the list rows of the copies. */
enum lore_status lore_copies_all(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif
