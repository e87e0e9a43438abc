/* Counters of the HTTP server for /metrics. Lock-free. */
#ifndef LORE_HTTP_COUNTERS_H
#define LORE_HTTP_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

#include "service/base/buf.h"

#define LORE_LATENCY_BUCKETS 12

enum lore_quota { LORE_QUOTA_ADDRESS, LORE_QUOTA_CREDENTIAL, LORE_QUOTA_CODE, LORE_QUOTAS };

/* Zeroed is valid. */
struct lore_stats_http {
    atomic_uint_fast64_t
        by_class[6]; /* replies by class of status: [2] is 2xx; [0] is anything else */
    atomic_uint_fast64_t latency[LORE_LATENCY_BUCKETS + 1]; /* replies by time, not cumulative; the
                                                               last is above every bound */
    atomic_uint_fast64_t latency_us_sum;
    atomic_uint_fast64_t bytes_in, bytes_out;
    atomic_uint_fast64_t gate_refused;         /* requests that the gate or the library refused */
    atomic_uint_fast64_t limited[LORE_QUOTAS]; /* requests over a quota */
    atomic_uint_fast64_t cut;                  /* connections that the reaper cut */
    atomic_int_fast64_t in_flight;
};
/* Count one finished request. */
void lore_counters_add(struct lore_stats_http *c, int http, int64_t dur_us, size_t in, size_t out);
/* Count a request over the quota Q. C may be NULL. */
void lore_counters_limited(struct lore_stats_http *c, enum lore_quota q);
/* Append all counters as Prometheus text: families `warplore_http_…` with HELP and TYPE lines. */
void lore_counters_prometheus(const struct lore_stats_http *c, struct lore_buf *out);

#endif
