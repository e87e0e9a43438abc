/* A memory of any size for the benchmarks: experiments on real operators, chips and techniques, a
 * run each, notes with the frequencies of words in a language. What is numbered N is always the
 * same, so documents are made where they are needed and nothing is kept. */
#ifndef LORE_TESTS_BENCH_SCALE_DATA_H
#define LORE_TESTS_BENCH_SCALE_DATA_H

#include <stdint.h>

#include "service/base/buf.h"
#include "service/base/ulid.h"

#define SCALE_KERNELS 2000 /* a setup document of SCALE_SETUP each */
#define SCALE_SETUP 500    /* kernels of one document, each with its first version */
#define SCALE_PAIRS 500    /* experiments of one document, each with a run */
#define SCALE_TUNED 4362   /* versions of kernel 0, which an exhaustive search made */
#define SCALE_VOCABULARY 20000

enum scale_kind {
    SCALE_DOCUMENT,
    SCALE_SETUP_DOCUMENT,
    SCALE_KERNEL,
    SCALE_VERSION,
    SCALE_FIRST,
    SCALE_RUN,
    SCALE_EXPERIMENT,
    SCALE_ENVIRONMENT
};
void scale_id(enum scale_kind kind, uint64_t n, char out[LORE_ULID_SIZE]);
/* Kernels FIRST .. FIRST + SCALE_SETUP - 1; with kernel 0 come the environments. */
void scale_setup(uint64_t first, struct lore_buf *out);
/* Experiments N .. N + COUNT - 1, their runs, and the versions that they bring. */
void scale_document(uint64_t n, int count, struct lore_buf *out);
/* Words of rank RANK (0: the most frequent) and of a text by its number. */
void scale_word(uint64_t rank, struct lore_buf *out);
/* A question that somebody has: the query of GET /api/v1/recommend. */
void scale_question(uint64_t n, struct lore_buf *out);
const char *scale_operator(uint64_t n);

#endif
