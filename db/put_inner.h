/* One insert of a record with an id, and what it refers to (put.c). For the files of this folder.
 */
#ifndef LORE_DB_PUT_INNER_H
#define LORE_DB_PUT_INNER_H

#include "db/db.h"
#include "db/put.h"

struct lore_insert {
    const char *noun, *id;
    const unsigned char *digest;
    enum lore_put state;
    int64_t seq;       /* when stored */
    bool no_reference; /* a foreign key refused the row: say which, with lore_reference */
};
/* Step Q, an INSERT … ON CONFLICT (id) DO NOTHING. When nothing was inserted, DIGESTS (SELECT
 * digest … WHERE id = $1, bound here) decides between duplicate and conflict. */
enum lore_status lore_insert_run(struct lore_stmt *q, struct lore_stmt *digests,
    struct lore_insert *in, struct lore_err *err) LORE_MUST;
enum lore_ref {
    LORE_REF_KERNEL,
    LORE_REF_VERSION,
    LORE_REF_ENVIRONMENT,
    LORE_REF_RUN,
    LORE_REF_HYPOTHESIS,
    LORE_REF_EXPERIMENT,
    LORE_REF_CHIP,
    LORE_REF_SOURCE_DOCUMENT,
    LORE_REF_SPEC,
    LORE_REF_CAMPAIGN
};
/* LORE_OK when ID is NULL or stored, else unknown_reference at PATH. */
enum lore_status lore_reference(struct lore_db *db, enum lore_ref kind, const char *path,
    const char *id, struct lore_err *err) LORE_MUST;
/* The specs that targets name. */
enum lore_status lore_reference_targets(struct lore_db *db, const struct lore_target *targets,
    size_t n, struct lore_err *err) LORE_MUST;
/* A foreign key failed and every reference was found. */
enum lore_status lore_reference_lost(const struct lore_insert *in, struct lore_err *err) LORE_MUST;

#endif
