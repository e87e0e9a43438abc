/* The part of rocprofiler-sdk's tool interface that a kernel tracer needs, declared by us: no ROCm
 * is needed to build. The layouts are the ABI of 0.4 (ROCm 6.2) to 1.x (ROCm 7);
 * tests/e2e/rocprofiler_abi.c holds them to the real headers. A record starts with its size, and
 * later versions only add fields at its end. A handle (context, buffer, agent, counter) is a struct
 * of one uint64_t, which every ABI we build for passes as that number. */
#ifndef LORE_HIP_ROCPROFILER_H
#define LORE_HIP_ROCPROFILER_H

#include <stddef.h>
#include <stdint.h>

enum {
    LORE_ROCP_CATEGORY_TRACING = 1, /* of a record's header */
    LORE_ROCP_BUFFER_COPY = 10,     /* kinds of buffered records */
    LORE_ROCP_BUFFER_DISPATCH = 11,
    LORE_ROCP_CODE_OBJECT = 10,       /* kind of callback; its operations: */
    LORE_ROCP_CODE_OBJECT_LOAD = 1,   /* payload: lore_rocp_code_object */
    LORE_ROCP_CODE_OBJECT_KERNEL = 2, /* payload: lore_rocp_kernel */
    LORE_ROCP_PHASE_LOAD = 1,
    LORE_ROCP_MARKER = 7, /* kind of callback: roctx calls; payload: lore_rocp_marker */
    LORE_ROCP_MARKER_PUSH = 1,
    LORE_ROCP_MARKER_POP = 2,
    LORE_ROCP_PHASE_ENTER = 1,
    LORE_ROCP_POLICY_LOSSLESS = 2,
    LORE_ROCP_AGENT_VERSION = 1,
    LORE_ROCP_AGENT_GPU = 2,
    LORE_ROCP_COUNTER_VERSION = 1,
    LORE_ROCP_STORAGE_FILE = 1, /* where a code object lies */
    LORE_ROCP_STORAGE_MEMORY = 2,
    LORE_ROCP_COPY_H2D = 2, /* operations of a copy */
    LORE_ROCP_COPY_D2H = 3,
    LORE_ROCP_COPY_D2D = 4,
};
struct lore_rocp_header {
    uint32_t category, kind;
    const void *payload;
};
struct lore_rocp_dispatch_info { /* 128 bytes in every version */
    uint64_t size, agent, queue, kernel, dispatch;
    uint32_t private_bytes, group_bytes; /* per work-item; per work-group, static and dynamic */
    uint32_t workgroup[3], grid[3];      /* both in work-items */
    uint8_t reserved[56];
};
struct lore_rocp_dispatch {
    uint64_t size;
    uint32_t kind, operation;
    uint64_t correlation[2], thread, start_ns, end_ns;
    struct lore_rocp_dispatch_info info;
};
struct lore_rocp_copy {
    uint64_t size;
    uint32_t kind, operation;
    uint64_t correlation[2], thread, start_ns, end_ns, to_agent, from_agent, bytes;
};
/* Passed by value. 1.0 has a third number in the correlation, so what follows lies eight bytes
 * later; lore_rocp_event finds out which of the two it is. */
struct lore_rocp_event {
    uint32_t kind, operation, phase;
    const void *payload;
};
struct lore_rocp_callback {
    uint64_t context, thread, correlation[2];
    union {
        struct lore_rocp_event before_1_0;
        struct {
            uint64_t ancestor;
            struct lore_rocp_event event;
        } since_1_0;
    };
};
struct lore_rocp_kernel {
    uint64_t size, kernel, code_object;
    const char *name; /* "_Z4gemmPf.kd" */
    uint64_t object;
    uint32_t kernarg_bytes, kernarg_alignment;
    uint32_t group_bytes, private_bytes, sgprs, vgprs, agprs;
};
struct lore_rocp_code_object {
    uint64_t size, id, agent, hsa_agent;
    const char *uri; /* "file:///app#offset=4096&size=8192", "memory://…" */
    uint64_t load_base, load_size, load_delta;
    uint32_t storage;
    union {
        int file;
        struct {
            uint64_t memory, memory_bytes;
        };
    };
};
struct lore_rocp_marker {
    uint64_t size;
    const char *message; /* of LORE_ROCP_MARKER_PUSH */
};
struct lore_rocp_agent { /* the fields that every version has; ours are named */
    uint64_t size, id;
    uint32_t type, unused1[7], waves_per_simd, lds_kib, unused2[2];
    uint32_t wave_threads, dies, units, unused3[4], simds_per_unit, unused4, gfx_version;
    uint16_t vendor_id, device_id;
    uint32_t location, domain, unused5[18];
    uint64_t gpu_id; /* the kernel driver's number, also in sysfs */
    uint32_t unused6[12];
    const char *name, *vendor_name, *product_name, *model_name; /* name: "gfx942" */
    uint32_t node, unused7[3];
};

struct lore_rocp_counter {
    uint64_t id;
    const char *name, *description, *block, *expression;
    uint8_t bits;
};
struct lore_rocp_counted { /* a dispatch that is counted; passed by value */
    uint64_t size, correlation[2], start_ns, end_ns;
    struct lore_rocp_dispatch_info info;
};
/* One instance of a counter: of one die, channel, … Before 1.0 there is no agent, so that the
 * records of an array lie closer together: lore_rocp_stride. */
struct lore_rocp_value {
    uint64_t instance;
    double value;
    uint64_t dispatch, user, agent;
};

typedef void lore_rocp_filled(uint64_t context, uint64_t buffer, struct lore_rocp_header **records,
    size_t n, void *data, uint64_t dropped);
typedef void lore_rocp_called(struct lore_rocp_callback c, void *user, void *data);
typedef int lore_rocp_counters(uint64_t agent, uint64_t *counters, size_t n, void *data);
typedef void
lore_rocp_dispatching(struct lore_rocp_counted d, uint64_t *config, uint64_t *user, void *data);
typedef void lore_rocp_dispatched(struct lore_rocp_counted d, const struct lore_rocp_value *values,
    size_t n, uint64_t user, void *data);
typedef int lore_rocp_agents(uint32_t version, const void **agents, size_t n, void *data);

struct lore_rocp_tool { /* what rocprofiler_configure returns */
    size_t size;
    int (*init)(void *finalize, void *data); /* not 0: our contexts are dropped */
    void (*fini)(void *data);
    void *data;
};

#endif
