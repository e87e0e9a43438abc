/* From a trace to records: which launches are the measurement, what version and workload they
 * measure, statistics at the source, and one submission that holds it all. */
#ifndef LORE_RUN_COLLECT_H
#define LORE_RUN_COLLECT_H

#include "collectors/run/collected.h"
#include "service/base/buf.h"

/* The submission: kernel, version, environment, run(s), and, when there is a parent, hypothesis and
 * experiment; verifications when the host can disassemble. Ids of kernels, versions and
 * environments are derived from content, ids of runs are new. Text lives in ARENA. Errors name the
 * option. *out has no runs when there is nothing to store: the program did well, nothing was seen
 * of it, and no operator says what it was; lore_collect_story says why. */
enum lore_status lore_collect(struct lore_collected *c, struct lore_arena *arena,
    struct lore_submission *out, struct lore_err *err) LORE_MUST;
/* Before the program is started: whether lore_collect will be able to use WHAT. Files readable,
 * expressions compile, names known, the hypothesis says a change. Errors name the option. */
enum lore_status lore_collect_check(
    const struct lore_what *what, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Once DOC is safely spooled: note its runs in the ledger, so that later runs find their parent's.
 * Failing costs later comparisons, not this record. */
enum lore_status lore_collect_remember(const struct lore_collected *c,
    const struct lore_submission *doc, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* What the user reads at the end: kernels, medians, flags, losses; lines for a terminal. */
void lore_collect_story(const struct lore_collected *c, const struct lore_submission *doc,
    struct lore_arena *arena, struct lore_buf *out);
/* "correctness: fail: exit status 1; row 17 differs", and that --kernel-regex matches nothing, with
 * kernels that were seen. */
const char *lore_collect_check_text(const struct lore_correctness *c, struct lore_arena *arena);
const char *lore_collect_unmatched(const struct lore_collected *c, struct lore_arena *arena);
/* Read warplore.yaml (TEXT of file NAME) into *what where the options said nothing. Keys are the
 * options' names, with '_' or '-'; relative paths are relative to NAME's folder. */
enum lore_status lore_what_yaml(const char *text, size_t n, const char *name,
    struct lore_arena *arena, struct lore_what *what, struct lore_err *err) LORE_MUST;

#endif
