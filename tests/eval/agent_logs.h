/* Tuning sessions of LLM agents as they were written down: `<language>/logs/<task>/<model>/` with
 * results.tsv (one row an attempt, in order) and idea-log.jsonl (the same ideas in full; a row of
 * the table is cut at 80 bytes). Read for measurements only. The texts have no licence: tests refer
 * to them by file, line and hash. */
#ifndef LORE_TESTS_EVAL_AGENT_LOGS_H
#define LORE_TESTS_EVAL_AGENT_LOGS_H

#include <stddef.h>

#include "service/base/arena.h"

enum agent_end {
    AGENT_REFERENCE, /* a library, not an attempt */
    AGENT_KEPT,
    AGENT_DISCARDED,
    AGENT_NOT_BUILT,
    AGENT_NOT_RUN, /* a hang, a fault, a wrong result */
};
struct agent_attempt {
    size_t line;                            /* of results.tsv; the header is line 1 */
    const char *iter, *kernel, *bottleneck; /* "" when the row has none */
    enum agent_end end;
    double tflops;     /* 0: not measured */
    const char *idea;  /* as written, from idea-log.jsonl where that has more of it */
    const char *asked; /* what of it could be known before the run: agent_strip(idea) */
};
struct agent_log {
    const char *name; /* "cuda/logs/matmul_f16fp32_16384x16384x16384/opus-4" */
    const char *language, *task;
    struct agent_attempt *v; /* in the order of results.tsv */
    size_t n;
};
/* Every log below FOLDER (…/agent-logs) by name, in ARENA. LORE_NOTFOUND when there is none. */
enum lore_status agent_logs_read(const char *folder, struct lore_arena *arena,
    struct agent_log **out, size_t *n, struct lore_err *err) LORE_MUST;
/* TEXT without the words that state an outcome ("slower", "failed", "no gain", "+3 %",
 * "317 TFLOPS"); an idea that was written after its run still names the change. */
char *agent_strip(struct lore_arena *arena, const char *text);

#endif
