/* Register the names that submissions use (catalogue.c). For the files of this folder. */
#ifndef LORE_DB_CATALOGUE_INNER_H
#define LORE_DB_CATALOGUE_INNER_H

#include "db/name_cache.h"
#include "service/base/status.h"

struct lore_db;
struct lore_put_ctx;

enum lore_status lore_catalogue_sync(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* Set *name to the canonical name of OP; a new operator is registered with FAMILY (NULL:
 * unclassified). New names are added to the effects of C. */
enum lore_status lore_name_operator(const struct lore_put_ctx *c, const char *op,
    const char *family, const char **name, struct lore_err *err) LORE_MUST;
/* Set *slug to the slug of NAME, which was written as RAW (NULL: as NAME): the catalogue's, else
 * the one that a technique record says NAME means, else a slug of its own. */
enum lore_status lore_name_technique(const struct lore_put_ctx *c, const char *name,
    const char *raw, const char **slug, struct lore_err *err) LORE_MUST;
/* Set *out to the known slug (static) that NAME, a slug, means by the newest technique record or by
 * the catalogue; NULL: none (names_again.c). */
enum lore_status lore_name_meaning(
    struct lore_db *db, const char *name, const char **out, struct lore_err *err) LORE_MUST;
/* A technique record that explains NAME, a slug, was stored: earlier records follow, and their
 * experiments must be judged again. */
enum lore_status
lore_name_explained(const struct lore_put_ctx *c, const char *name, struct lore_err *err) LORE_MUST;
/* Find or register a metric. PLACE, its index in the record, is only a cache hint. */
enum lore_status lore_name_metric(struct lore_db *db, size_t place, const char *name,
    const char *unit, int64_t *id, struct lore_err *err) LORE_MUST;
/* Look up operator and language of a kernel, or of a version's kernel. Fails with unknown_reference
 * at PATH. */
enum lore_status lore_name_kernel(struct lore_db *db, const char *id, const char *path,
    const struct lore_name **out, struct lore_err *err) LORE_MUST;
enum lore_status lore_name_version(struct lore_db *db, const char *id, const char *path,
    const struct lore_name **out, struct lore_err *err) LORE_MUST;
/* Set *out to CHIP, else to the chip of ENVIRONMENT, else to NULL. */
enum lore_status lore_name_chip(struct lore_db *db, const char *chip, const char *environment,
    const char **out, struct lore_err *err) LORE_MUST;

#endif
