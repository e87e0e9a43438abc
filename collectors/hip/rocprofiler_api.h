/* rocprofiler-sdk as a table of functions, taken from the library that called us: a process may
 * hold more than one copy. */
#ifndef LORE_HIP_ROCPROFILER_API_H
#define LORE_HIP_ROCPROFILER_API_H

#include <stdbool.h>

#include "collectors/hip/rocprofiler.h"

struct lore_rocp { /* api->create_context(…) is rocprofiler_create_context(…); 0: success */
    int (*get_timestamp)(uint64_t *ns);
    const char *(*get_status_string)(int status);
    int (*query_available_agents)(uint32_t version, lore_rocp_agents *f, size_t bytes, void *data);
    int (*create_context)(uint64_t *context);
    int (*start_context)(uint64_t context);
    int (*stop_context)(uint64_t context);
    int (*create_buffer)(uint64_t context, size_t bytes, size_t watermark, int policy,
        lore_rocp_filled *f, void *data, uint64_t *buffer);
    int (*flush_buffer)(uint64_t buffer);
    int (*configure_buffer_tracing_service)(
        uint64_t context, int kind, const int32_t *operations, size_t n, uint64_t buffer);
    int (*configure_callback_tracing_service)(uint64_t context, int kind, const int32_t *operations,
        size_t n, lore_rocp_called *f, void *data);
    /* for counters: lore_rocp_open_counters */
    int (*iterate_agent_supported_counters)(uint64_t agent, lore_rocp_counters *f, void *data);
    int (*query_counter_info)(uint64_t counter, int version, void *info);
    int (*query_record_counter_id)(uint64_t instance, uint64_t *counter);
    int (*create_counter_config)(uint64_t agent, uint64_t *counters, size_t n, uint64_t *config);
    int (*destroy_counter_config)(uint64_t config);
    int (*configure_callback_dispatch_counting_service)(uint64_t context, lore_rocp_dispatching *f,
        void *data, lore_rocp_dispatched *g, void *g_data);
    /* for ranges: lore_rocp_open_ranges */
    int (*push_external_correlation_id)(uint64_t context, uint64_t thread, uint64_t value);
    int (*pop_external_correlation_id)(uint64_t context, uint64_t thread, uint64_t *value);
};

/* Fill *out with the functions of the library that has the code at CALLER. NULL, or the name of the
 * first function that it lacks; static text. */
const char *lore_rocp_open(struct lore_rocp *out, const void *caller);
/* The same for the functions of counters and of ranges, which no duration needs. */
const char *lore_rocp_open_counters(struct lore_rocp *out, const void *caller);
const char *lore_rocp_open_ranges(struct lore_rocp *out, const void *caller);
/* Bytes from one record to the next in the N values of DISPATCH; 0: it is not known. */
size_t lore_rocp_stride(const struct lore_rocp_value *values, size_t n, uint64_t dispatch);
/* The event in C: whichever of the two layouts holds KIND. False: neither does. */
bool
lore_rocp_event(const struct lore_rocp_callback *c, uint32_t kind, struct lore_rocp_event *out);

#endif
