/* What the HTTP edge counts about itself. Lock-free; every worker adds, /metrics reads. */
#ifndef LORE_HTTP_COUNTERS_H
#define LORE_HTTP_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "service/base/buf.h"

#define LORE_LATENCY_BUCKETS 12

/* Zeroed is valid. */
struct lore_stats_http {
    atomic_uint_fast64_t by_class[6]; /* [2]: 2xx …; [0]: anything else */
    atomic_uint_fast64_t
        latency[LORE_LATENCY_BUCKETS + 1]; /* not cumulative; the last: beyond every bound */
    atomic_uint_fast64_t latency_us_sum;
    atomic_uint_fast64_t bytes_in, bytes_out;
    atomic_uint_fast64_t gate_refused; /* requests that never reached a route */
    atomic_uint_fast64_t cut;          /* connections cut at a deadline */
    atomic_int_fast64_t in_flight;
};
/* Count one finished request. */
void lore_counters_add(struct lore_stats_http *c, int http, int64_t dur_us, size_t in, size_t out);
/* The Prometheus text of all of it: `warplore_http_…` families with HELP and TYPE lines. */
void lore_counters_prometheus(const struct lore_stats_http *c, struct lore_buf *out);

#endif
