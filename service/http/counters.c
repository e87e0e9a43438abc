/* The counters behind /metrics and their text form. They are read one by one, so two numbers may be
 * a few requests apart. */
#include "service/http/counters.h"

#include <inttypes.h>

/* Upper bounds in microseconds: an answer from memory takes tens, a commit hundreds. */
static const int64_t bounds_us[LORE_LATENCY_BUCKETS] = {
    100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000, 500000, 2000000};

static const char *const quotas[LORE_QUOTAS] = {"address", "credential", "code"};

void
lore_counters_add(struct lore_stats_http *c, int http, int64_t dur_us, size_t in, size_t out)
{
    int class = http / 100;
    int i = 0;

    if (class < 1 || class > 5)
        class = 0;
    while (i < LORE_LATENCY_BUCKETS && dur_us > bounds_us[i])
        i++;
    atomic_fetch_add_explicit(&c->by_class[class], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->latency[i], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->latency_us_sum, (uint64_t)dur_us, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->bytes_in, in, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->bytes_out, out, memory_order_relaxed);
}

void
lore_counters_limited(struct lore_stats_http *c, enum lore_quota q)
{
    if (c)
        atomic_fetch_add_explicit(&c->limited[q], 1, memory_order_relaxed);
}

static uint64_t
get(const atomic_uint_fast64_t *v)
{
    return atomic_load_explicit(v, memory_order_relaxed);
}

static void
family(struct lore_buf *out, const char *name, const char *type, const char *help)
{
    lore_buf_printf(
        out, "# HELP warplore_http_%s %s\n# TYPE warplore_http_%s %s\n", name, help, name, type);
}

static void
put_latency(const struct lore_stats_http *c, struct lore_buf *out)
{
    uint64_t sum = 0;

    family(out, "request_seconds", "histogram",
        "Time from the last header byte to the last byte of the reply.");
    for (int i = 0; i < LORE_LATENCY_BUCKETS; i++) {
        sum += get(&c->latency[i]);
        lore_buf_printf(out, "warplore_http_request_seconds_bucket{le=\"%g\"} %" PRIu64 "\n",
            (double)bounds_us[i] / 1e6, sum);
    }
    sum += get(&c->latency[LORE_LATENCY_BUCKETS]);
    lore_buf_printf(out,
        "warplore_http_request_seconds_bucket{le=\"+Inf\"} %" PRIu64 "\n"
        "warplore_http_request_seconds_sum %.6f\n"
        "warplore_http_request_seconds_count %" PRIu64 "\n",
        sum, (double)get(&c->latency_us_sum) / 1e6, sum);
}

void
lore_counters_prometheus(const struct lore_stats_http *c, struct lore_buf *out)
{
    family(out, "requests_total", "counter", "Finished requests by class of status code.");
    for (int i = 1; i <= 5; i++)
        lore_buf_printf(out, "warplore_http_requests_total{class=\"%dxx\"} %" PRIu64 "\n", i,
            get(&c->by_class[i]));
    put_latency(c, out);
    family(out, "received_bytes_total", "counter", "Body bytes read.");
    lore_buf_printf(out, "warplore_http_received_bytes_total %" PRIu64 "\n", get(&c->bytes_in));
    family(out, "sent_bytes_total", "counter", "Bytes written, headers included.");
    lore_buf_printf(out, "warplore_http_sent_bytes_total %" PRIu64 "\n", get(&c->bytes_out));
    family(out, "refused_total", "counter",
        "Requests refused before routing, by the checks of headers, host, length and path.");
    lore_buf_printf(out, "warplore_http_refused_total %" PRIu64 "\n", get(&c->gate_refused));
    family(out, "limited_total", "counter",
        "Requests refused with 429, by whose quota was used up: an address, a token or agent, or "
        "the wrong enrollment codes of an address.");
    for (int i = 0; i < LORE_QUOTAS; i++)
        lore_buf_printf(out, "warplore_http_limited_total{by=\"%s\"} %" PRIu64 "\n", quotas[i],
            get(&c->limited[i]));
    family(out, "cut_total", "counter",
        "Connections cut because a body or a reply took too long, or because threads ran short.");
    lore_buf_printf(out, "warplore_http_cut_total %" PRIu64 "\n", get(&c->cut));
    family(out, "in_flight", "gauge", "Requests being answered now.");
    lore_buf_printf(out, "warplore_http_in_flight %" PRIdFAST64 "\n",
        atomic_load_explicit(&c->in_flight, memory_order_relaxed));
}
