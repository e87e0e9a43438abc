/* Contents of the frames for launches, copies, losses and counters; capture.h defines the frames.
 */
#ifndef LORE_CAPTURE_CAPTURE_RECORDS_H
#define LORE_CAPTURE_CAPTURE_RECORDS_H

#include <stdint.h>

enum lore_cap_api { /* how the kernel was launched */
    LORE_CAP_API_UNKNOWN,
    LORE_CAP_API_STREAM,
    LORE_CAP_API_COOPERATIVE,
    LORE_CAP_API_GRAPH,
    LORE_CAP_API_DEVICE, /* by another kernel */
};
enum { /* bits of lore_cap_shape.known */
    LORE_CAP_HAS_REGISTERS = 1,
    LORE_CAP_HAS_SHARED = 2,
    LORE_CAP_HAS_LOCAL = 4,
    LORE_CAP_HAS_CLUSTER = 8,
};
struct lore_cap_shape {
    uint32_t id, name, device, api, known;
    uint32_t grid[3], block[3], cluster[3];
    uint32_t registers, static_shared_bytes, dynamic_shared_bytes, local_bytes_per_thread;
    uint32_t range; /* id of the text of the range that it was launched in; 0: none, or by a tie */
};
struct lore_cap_launch {
    uint64_t start_ns, dur_ns;
    uint32_t shape, stream;
};
/* A launch by a call that is named, and the range in which that call was made, which may be known
 * earlier or later than the launch is complete. */
struct lore_cap_named_launch {
    struct lore_cap_launch launch;
    uint32_t call, reserved;
};
struct lore_cap_tie {
    uint32_t call, range; /* range: id of its text */
};
enum {
    LORE_CAP_COPY_H2D,
    LORE_CAP_COPY_D2H,
    LORE_CAP_COPY_D2D,
    LORE_CAP_COPY_OTHER,
    LORE_CAP_FILL,
    LORE_CAP_TOTALS_N
};
struct lore_cap_totals {
    struct {
        uint64_t count, bytes, ns;
    } of[LORE_CAP_TOTALS_N];
};
struct lore_cap_loss {
    uint64_t dropped;      /* records the vendor says it dropped */
    uint64_t bad;          /* records without usable times or of an unknown layout */
    uint64_t no_memory;    /* records that found no memory */
    uint64_t write_failed; /* records that could not be written */
};
enum lore_cap_state_code {
    LORE_CAP_ATTACHED = 1,    /* watching */
    LORE_CAP_OTHER_PROFILER,  /* another profiler holds the interface: nothing was watched */
    LORE_CAP_REPLACED,        /* another profiler took the interface while we watched */
    LORE_CAP_VENDOR_TOO_OLD,  /* driver or library older than what we were built for */
    LORE_CAP_VENDOR_MISSING,  /* the vendor's library was not found */
    LORE_CAP_VENDOR_ERROR,    /* any other refusal: text holds the vendor's words */
    LORE_CAP_PERMISSION,      /* only the administrator may read counters: text holds the remedy */
    LORE_CAP_COUNTER_UNKNOWN, /* text: metric name that the chip does not have */
    LORE_CAP_COUNTER_DONE,    /* counter mode: every pass was made; a: passes */
    LORE_CAP_COUNTER_PARTIAL, /* a: passes made, b: passes needed; text: why */
    LORE_CAP_COUNTER_UNCLEAN, /* the L2 was not cleaned before each pass; text: why, unless asked */
    LORE_CAP_CODE_LEFT_OUT,   /* a: objects of machine code that were not kept, b: their bytes */
    LORE_CAP_RANGES_REFUSED,  /* the launches in ranges are not known; text: why */
    LORE_CAP_RANGES_SEEN, /* at the end; a: opened, b: of those, with a text that says something;
                             text: the other library that NVTX loads, if one */
    LORE_CAP_STATES_END
};
struct lore_cap_state {
    uint32_t code, text; /* text: id, 0 for none */
    uint64_t a, b;
};
struct lore_cap_metric {
    uint32_t shape, metric; /* metric: id of the vendor's name */
    uint32_t launch;        /* which launch of the shape, from 0 */
    uint32_t missing;       /* 0: the value is valid; else enum lore_missing (record_base.h) */
    double value;
};

#endif
