/* Answers to a name that means no record, or several: the nearest names, or the candidates. For
 * names.c. */
#ifndef LORE_API_NAME_CANDIDATES_H
#define LORE_API_NAME_CANDIDATES_H

#include "db/store.h"
#include "service/api/naming.h"
#include "service/api/object.h"

enum { LORE_CANDIDATES = 8 };

/* What an ambiguous name may mean. */
extern const struct lore_object lore_candidate_object;

/* LORE_CONFLICT, code ambiguous_name; the problem gets `candidates`. N rows, of which at most
 * LORE_CANDIDATES are listed. */
enum lore_status lore_naming_ambiguous_kernels(struct lore_naming *f, const char *op,
    const struct lore_kernel_row *rows, size_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_naming_ambiguous_versions(struct lore_naming *f,
    const struct lore_version_row *rows, size_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_naming_ambiguous_experiments(struct lore_naming *f,
    const struct lore_experiment_row *rows, size_t n, struct lore_err *err) LORE_MUST;
enum lore_status lore_naming_ambiguous_campaigns(struct lore_naming *f,
    const struct lore_campaign_row *rows, size_t n, struct lore_err *err) LORE_MUST;
/* The operator OP is meant, and the answer's note names the N kernels that the word could mean. */
enum lore_status lore_naming_operator(
    struct lore_naming *f, const char *op, const struct lore_kernel_row *rows, size_t n) LORE_MUST;
/* *id: the only record of KIND whose id begins with PREFIX; unchanged when there is none. */
enum lore_status lore_naming_by_id(struct lore_naming *f, const char *kind, const char *prefix,
    const char **id, struct lore_err *err) LORE_MUST;
/* LORE_NOTFOUND with the nearest names. KERNEL: the kernel that the text names, where a version was
 * asked for; NULL: none. */
enum lore_status
lore_naming_not_found(struct lore_naming *f, const char *kernel, struct lore_err *err) LORE_MUST;

#endif
