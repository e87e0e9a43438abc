/* The capture format, version 1: what a capture library writes about the process it is a guest of,
 * and `warplore run` reads. One file per process in the run's directory, `PID-NS.capture`, made of
 * frames: a lore_cap_head, then `bytes` bytes of one of the structs here or in capture_records.h,
 * padded to 8. Writer and reader are on one machine, so integers are in its byte order. A file that
 * ends in the middle of a frame belongs to a process that was killed; everything before counts.
 * Times are nanoseconds of the vendor's clock, which START ties to the wall clock. Vendor-neutral:
 * a backend fills what its chip has and leaves the rest 0 with the bit in `known` not set. */
#ifndef LORE_CAPTURE_CAPTURE_H
#define LORE_CAPTURE_CAPTURE_H

#include "collectors/capture/capture_records.h"

#define LORE_CAP_MAGIC 0x3150434cu /* "LCP1" */
#define LORE_CAP_VERSION 1u
#define LORE_CAP_FRAME_MAX (4u << 20) /* bytes of one frame; the reader refuses more */

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

#endif
