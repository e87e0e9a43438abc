/* The experience that the benchmarks send: experiment + run pairs with 40 metrics and 30 samples
 * each, spread over operators, chips, languages and techniques like a real memory. Everything is a
 * function of a number, so two programs make the same rows. */
#ifndef LORE_TESTS_BENCH_WORKLOAD_H
#define LORE_TESTS_BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/buf.h"
#include "service/base/ulid.h"

#define BENCH_METRICS 40
#define BENCH_SAMPLES 30
#define BENCH_KERNELS 48 /* operators x languages */

struct bench_ids {
    bool numbered; /* set before bench_setup: ids that follow from numbers, the same in every run */
    char kernel[BENCH_KERNELS][LORE_ULID_SIZE];
    char before[BENCH_KERNELS][LORE_ULID_SIZE], after[BENCH_KERNELS][LORE_ULID_SIZE];
    char environment[LORE_ULID_SIZE];
};
/* The document that must be stored first: kernels, versions, one environment. */
void bench_setup(struct bench_ids *ids, struct lore_buf *out);
/* One document with PAIRS pairs, the first numbered N. */
void bench_document(const struct bench_ids *ids, uint64_t n, int pairs, struct lore_buf *out);
const char *bench_metric(int i);
const char *bench_operator(uint64_t n);
const char *bench_language(uint64_t n);
const char *bench_chip(uint64_t n);
const char *bench_technique(uint64_t n);
const char *bench_label(uint64_t n);
int64_t bench_sample(uint64_t n, int i);

#endif
