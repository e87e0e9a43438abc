/* What a name, or the beginning of an id, may mean (names.c). service/api/names.h chooses. */
#ifndef LORE_DB_NAMES_H
#define LORE_DB_NAMES_H

#include "service/base/arena.h"
#include "service/base/status.h"

struct lore_db;
#define LORE_NAME_SUBMISSION "submission" /* kinds besides those of lore_kind_name */
#define LORE_NAME_WORKLOAD "workload"

struct lore_id_of {
    const char *kind, *id;
};
struct lore_ids {
    struct lore_id_of *v;
    size_t n;
};
#define LORE_IDS_MAX 9
/* List records whose id begins with PREFIX, at most LORE_IDS_MAX; KIND NULL: of any kind but
 * workloads. */
enum lore_status lore_db_list_ids(struct lore_db *db, const char *kind, const char *prefix,
    struct lore_arena *a, struct lore_ids *out, struct lore_err *err) LORE_MUST;
/* List the names of the newest 2,000 kernels, each once. */
enum lore_status lore_db_list_kernel_names(struct lore_db *db, struct lore_arena *a,
    const char *const **out, size_t *n, struct lore_err *err) LORE_MUST;
/* *out: the chips of a kernel's runs, "h100-sxm,h200"; NULL: none. */
enum lore_status lore_db_get_kernel_chips(struct lore_db *db, const char *kernel,
    struct lore_arena *a, const char **out, struct lore_err *err) LORE_MUST;

#endif
