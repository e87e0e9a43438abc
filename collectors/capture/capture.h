/* The capture format, version 1. A capture library writes it inside the watched process, and
 * `warplore run` reads it. Each process writes one file of frames, `PID-NS.capture`, into the run's
 * directory. A frame is a lore_cap_head and `bytes` bytes of one struct from here or from
 * capture_records.h, padded to 8. Integers have the machine's byte order, because writer and reader
 * share it. A file that ends inside a frame comes from a killed process; the frames before it are
 * valid. Times are nanoseconds of the vendor's clock, which START ties to the wall clock. A value
 * that the chip lacks is 0, and its bit in `known` is not set. */
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
    LORE_CAP_SHAPE,          /* kernel name + launch shape, once; launches refer to it */
    LORE_CAP_LAUNCHES,       /* an array of launches, in the order they completed */
    LORE_CAP_TOTALS,         /* copies and fills so far; the last one counts */
    LORE_CAP_LOSS,           /* what was lost so far; the last one counts */
    LORE_CAP_STATE,          /* whether watching or counting works, and why not */
    LORE_CAP_METRIC,         /* one counter value of one launch */
    LORE_CAP_END,            /* the process exited normally after flushing everything */
    LORE_CAP_NAMED_LAUNCHES, /* an array of launches whose call is named */
    LORE_CAP_TIES,           /* an array of calls with their ranges */
};
struct lore_cap_head {
    uint32_t magic, kind, bytes, reserved;
};
struct lore_cap_start {
    uint32_t version, pid;
    uint64_t wall_ns, vendor_ns;              /* the same moment on both clocks */
    char backend[16];                         /* "cupti", "fake" */
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
