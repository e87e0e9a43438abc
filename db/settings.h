/* The configuration of a version: versions of different kernels with equal settings share one
 * (settings.c). For the files of this folder, inside a transaction. */
#ifndef LORE_DB_SETTINGS_H
#define LORE_DB_SETTINGS_H

#include <stdint.h>

#include "service/base/status.h"
#include "service/wire/record.h"

struct lore_arena;
struct lore_db;
/* Store the settings of R, the version with seq VERSION; once per version. A: scratch. */
enum lore_status lore_settings_put(struct lore_db *db, int64_t version,
    const struct lore_version *r, struct lore_arena *a, struct lore_err *err) LORE_MUST;
/* Rebuild the settings of all versions. */
enum lore_status lore_settings_all(struct lore_db *db, struct lore_err *err) LORE_MUST;
/* SQL: the configuration of VERSION (an id, may be NULL): the hash of its settings, or VERSION when
 * none is stored. */
#define LORE_CONFIGURATION(version)                                                                \
    " coalesce((SELECT z.settings FROM fact_version u CROSS JOIN drv_version_settings z"           \
    " ON z.version = u.seq WHERE u.id = " version "), " version ")"

#endif
