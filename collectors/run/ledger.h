/* The runs that this user measured on this machine: one line of JSON per run, appended under a
 * lock. With it a version finds its parent's last run, and an ablation its champion. Losing the
 * file loses comparisons with earlier runs and nothing else. The newest lines are kept; damaged
 * ones are skipped. */
#ifndef LORE_RUN_LEDGER_H
#define LORE_RUN_LEDGER_H

#include <stdint.h>

#include "service/base/arena.h"
#include "service/base/status.h"
#include "service/wire/record.h"

enum { LORE_LEDGER_LINES = 4096 }; /* lines kept when a file above 4 MiB is shortened */

struct lore_ledger_entry {
    int64_t at_us;
    const char *service; /* address of the service that the run was sent to; "": not known */
    const char *kernel, *version; /* ids */
    const char *content;          /* hash of the version's files, as in collect_ids.h */
    const char *workload, *hard;  /* hashes; "" when not known */
    const char *run, *experiment; /* ids; experiment NULL: none */
    const char *hypothesis;       /* id: the experiment's; NULL: none */
    struct lore_f64 median_ns, noise_pct;
};
struct lore_ledger {
    struct lore_ledger_entry *v; /* oldest first */
    size_t n, cap;
    size_t damaged; /* lines that were no entry */
};
/* STATE_DIR, or the default folder ($XDG_STATE_HOME/warplore, ~/.local/state/warplore). NULL when
 * no variable is set. */
const char *lore_ledger_dir(struct lore_arena *arena, const char *state_dir);
/* The entries of SERVICE (NULL counts as ""): a run that another service stores cannot be referred
 * to. A missing file gives an empty ledger. */
enum lore_status lore_ledger_read(const char *dir, const char *service, struct lore_arena *arena,
    struct lore_ledger *out, struct lore_err *err) LORE_MUST;
/* Append N entries; makes DIR (0700) when needed. */
enum lore_status lore_ledger_add(
    const char *dir, const struct lore_ledger_entry *v, size_t n, struct lore_err *err) LORE_MUST;
/* The last entry of VERSION; WORKLOAD and HARD where not NULL. NULL: none. */
const struct lore_ledger_entry *lore_ledger_last(
    const struct lore_ledger *l, const char *version, const char *workload, const char *hard);
/* The last version of KERNEL with CONTENT; NULL: none. */
const struct lore_ledger_entry *
lore_ledger_content(const struct lore_ledger *l, const char *kernel, const char *content);

#endif
