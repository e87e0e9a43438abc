/* The capture format, version 1: what a capture library writes about the process it is a guest of,
 * and `warplore run` reads. One file per process in the run's directory, `PID-NS.capture`, made of
 * frames: a lore_cap_head, then `bytes` bytes of one of the structs below, padded to 8. Writer and
 * reader are on one machine, so integers are in its byte order. A file that ends in the middle of
 * a frame belongs to a process that was killed; everything before counts. Times are nanoseconds of
 * the vendor's clock, which START ties to the wall clock. Vendor-neutral: a backend fills what its
 * chip has and leaves the rest 0 with the bit in `known` not set. */
#ifndef LORE_CAPTURE_H
#define LORE_CAPTURE_H

#include <stdint.h>

#define LORE_CAP_MAGIC 0x3150434cu /* "LCP1" */
#define LORE_CAP_VERSION 1u
#define LORE_CAP_FRAME_MAX (4u << 20) /* bytes of one frame; the reader refuses more */

/* What a capture library reads from its environment, set by `warplore run`. */
#define LORE_ENV_CAPTURE "WARPLORE_CAPTURE"   /* the run's directory; unset: do nothing at all */
#define LORE_ENV_COUNTERS "WARPLORE_COUNTERS" /* metric names, comma separated: counter pass */
#define LORE_ENV_COUNTERS_KERNELS "WARPLORE_COUNTERS_KERNELS"   /* POSIX extended, on names */
#define LORE_ENV_COUNTERS_LAUNCHES "WARPLORE_COUNTERS_LAUNCHES" /* per kernel; default 1 */
#define LORE_ENV_COUNTERS_SKIP "WARPLORE_COUNTERS_SKIP" /* first launches per kernel left alone */
#define LORE_ENV_REPLAY "WARPLORE_REPLAY" /* "kernel" (default) or "app:PASS", PASS from 0 */
#define LORE_ENV_CUPTI "WARPLORE_CUPTI"   /* path of libcupti, tried first */

enum lore_cap_kind {
    LORE_CAP_START = 1,
    LORE_CAP_NAME, /* a text that later frames refer to by id */
    LORE_CAP_DEVICE,
    LORE_CAP_SHAPE,    /* kernel name + launch shape, once; launches refer to it */
    LORE_CAP_LAUNCHES, /* an array of launches, in the order they completed */
    LORE_CAP_TOTALS,   /* copies and fills so far; the last one counts */
    LORE_CAP_LOSS,     /* what was lost so far; the last one counts */
    LORE_CAP_STATE,    /* something the user must know */
    LORE_CAP_METRIC,   /* one counter value of one launch */
    LORE_CAP_END,      /* the process ended in order and everything before was flushed */
};
struct lore_cap_head {
    uint32_t magic, kind, bytes, reserved;
};
struct lore_cap_start {
    uint32_t version, pid;
    uint64_t wall_ns, vendor_ns;              /* the same moment on both clocks */
    char backend[16];                         /* "cupti", "hip", "fake" */
    uint32_t backend_version, driver_version; /* as the vendor numbers them; 0: not known */
};
struct lore_cap_name {
    uint32_t id, length; /* then LENGTH bytes, no NUL: any length up to the frame's */
};
struct lore_cap_device {
    uint32_t ordinal, name; /* name: id of a text */
    uint8_t uuid[16];       /* zero: not known */
    uint32_t major, minor;  /* compute capability; 0 where the vendor has none */
    uint32_t units, warp;   /* SMs or CUs; threads of a warp or wavefront */
};
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
};
struct lore_cap_launch {
    uint64_t start_ns, dur_ns;
    uint32_t shape, stream;
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
    uint64_t no_memory;    /* records for which we had no room */
    uint64_t write_failed; /* records that could not be written */
};
enum lore_cap_state_code {
    LORE_CAP_ATTACHED = 1,    /* watching */
    LORE_CAP_OTHER_PROFILER,  /* another profiler holds the interface: nothing was watched */
    LORE_CAP_TAKEN_OVER,      /* another profiler took the interface while we watched */
    LORE_CAP_VENDOR_TOO_OLD,  /* driver or library older than what we were built for */
    LORE_CAP_VENDOR_MISSING,  /* the vendor's library was not found */
    LORE_CAP_VENDOR_ERROR,    /* any other refusal: text holds the vendor's words */
    LORE_CAP_PERMISSION,      /* counters are for the administrator: text holds the remedy */
    LORE_CAP_COUNTER_UNKNOWN, /* text: metric name that the chip does not have */
    LORE_CAP_COUNTER_DONE,    /* counter mode: every pass was made; a: passes */
    LORE_CAP_COUNTER_PARTIAL, /* a: passes made, b: passes needed; text: why */
};
struct lore_cap_state {
    uint32_t code, text; /* text: id, 0 for none */
    uint64_t a, b;
};
struct lore_cap_metric {
    uint32_t shape, metric; /* metric: id of the vendor's name */
    uint32_t launch;        /* which launch of the shape, from 0 */
    uint32_t missing;       /* 0: value counts; else enum lore_missing (record_base.h) */
    double value;
};

#endif
