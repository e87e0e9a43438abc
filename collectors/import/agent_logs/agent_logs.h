/* Shared by the files of the agent-logs importer. agent_logs.c reads a session's folder, task.c
 * what its folders' names say, rows.c the attempts, and map.c makes records. */
#ifndef LORE_IMPORT_AGENT_LOGS_AGENT_LOGS_H
#define LORE_IMPORT_AGENT_LOGS_AGENT_LOGS_H

#include "collectors/import/import.h"
#include "collectors/import/take.h"

#define LORE_AGENT_SYSTEM "agent-logs"
#define LORE_AGENT_TABLE "results.tsv"
#define LORE_AGENT_IDEAS "idea-log.jsonl"

/* What "matmul_f16fp32_16384x16384x512" says; texts live in an arena. */
struct lore_agent_task {
    const char *op;         /* canonical; NULL: the name has no dims */
    const char *dtype;      /* of the inputs; NULL: not named */
    const char *accumulate; /* type of the sums; NULL: not named */
    struct lore_kvs dims;
    double flops; /* of one launch, where the operator has one rule; 0: not known */
};
/* Read NAME. Dims written as 1x2x3 have the names M, N, K for a matrix product. */
struct lore_agent_task lore_agent_task_read(struct lore_arena *arena, const char *name);

/* What a decision word says about an attempt. */
struct lore_agent_decision {
    const char *word;
    bool reference;    /* a library, no attempt */
    bool kept;         /* the next attempts start from it */
    const char *error; /* type of the run's error; NULL: it ran */
};
/* NULL: unknown. */
const struct lore_agent_decision *lore_agent_decision_find(const char *word);

/* One attempt, from a row of results.tsv, a line of idea-log.jsonl, or both. Texts are never NULL,
 * but "" when absent. */
struct lore_agent_attempt {
    const char *iter, *kernel, *decision, *bottleneck;
    const char *idea;     /* in full */
    const char *expected; /* the gain that was expected, as written */
    const char *notes, *when;
    int64_t ms; /* `when` since 1970; 0: not known */
    struct lore_f64 tflops;
    const char *source;           /* the row and the line as written: what ids are derived from */
    size_t row, line;             /* in results.tsv and idea-log.jsonl; 0: not there */
    const struct lore_json *node; /* of the line */
    struct lore_kvs columns;      /* columns of the row without a field */
};
struct lore_agent_attempts {
    struct lore_agent_attempt *v; /* in order */
    size_t n, cap;
};
/* Read the attempts of the two files; either may be NULL. Rows and lines that cannot be read are
 * refused one by one. */
void lore_agent_rows_read(struct lore_take *take, struct lore_import_file *table,
    struct lore_import_file *ideas, struct lore_agent_attempts *out);

struct lore_agent_session {
    struct lore_import *in;
    struct lore_take take;
    const char *name; /* "matmul_f16_4096x4096x4096/model": of kernel and campaign */
    struct lore_agent_task task;
    enum lore_language language;
    const char *chip, *author;      /* NULL: not known */
    const struct lore_json *config; /* of task_config.json; NULL: none */
    const char *kernel, *campaign;  /* ids */
};
/* Add the records of the attempts to in->doc, after the kernel and the campaign. */
void lore_agent_map(struct lore_agent_session *s, const struct lore_agent_attempts *a);

#endif
