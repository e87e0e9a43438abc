/* What handlers share: one per process, made by main, read-only after start but for the
 * parts that lock themselves. */
#ifndef LORE_APP_H
#define LORE_APP_H

#include <stdint.h>

#include "http.h"

struct lore_config;      /* service/config.h */
struct lore_ingest;      /* service/ingest/ingest.h: the writer */
struct lore_memory;      /* service/ingest/memory.h: evidence and board in RAM */
struct lore_readers;     /* db/readers.h: pool of read-only connections */
struct lore_tokens;      /* service/auth/tokens.h */
struct lore_stats_http;  /* service/http/counters.h: counters behind /metrics */

struct lore_app {
    const struct lore_config *config;
    struct lore_ingest *ingest;
    struct lore_memory *memory;
    struct lore_readers *readers;
    struct lore_tokens *tokens;
    struct lore_stats_http *counters;
    int64_t started_us;
    const char *version;
};

#endif
