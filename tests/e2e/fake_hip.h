/* The double of an AMD GPU: what its two halves, the HIP runtime and rocprofiler-sdk, say to each
 * other. One library holds both. The environment tells it what to do:
 * - FAKE_SDK=10000: the version of rocprofiler-sdk; below, callbacks have the older layout
 * - FAKE_REFUSE=NAME: rocprofiler_NAME is refused
 * - FAKE_FEED=FILE: kernels, durations and counters of a real machine (fake_feed.c)
 * - FAKE_NS=N: how long a kernel takes otherwise
 * - FAKE_BAD=1: every third dispatch has no end time
 * - FAKE_OBJECT=FILE: the code object of each kernel is 5000 bytes of FILE, from byte 16
 * - FAKE_DROPS=N: so many records are dropped before the first buffer, and no more
 * - FAKE_IDS=1: a record names its counter by another id than the GPU's list
 * - FAKE_DEVICES=0: how many devices the runtime shows
 * - FAKE_CRASH=1: the runtime ends the process that counts devices */
#ifndef LORE_TESTS_E2E_FAKE_HIP_H
#define LORE_TESTS_E2E_FAKE_HIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API __attribute__((visibility("default")))

struct fake_kernel { /* a kernel of the program's code object */
    uint64_t id;     /* from 1 */
    const char *name;
    uint32_t vgprs, agprs, sgprs, group_bytes, private_bytes;
    const void *code; /* the code object, an ELF file in memory; NULL: none */
    size_t code_bytes;
};
struct fake_launch {
    const struct fake_kernel *kernel;
    uint32_t groups[3], threads[3], dynamic_bytes;
    uint64_t number, ns; /* number: which launch of the kernel, from 0 */
};

long fake_told(const char *name, long otherwise);
uint64_t fake_now(void);

/* fake_rocprofiler.c */
void fake_profiler_open(void); /* at the program's first call of HIP: load the tools */
void fake_profiler_loaded(const struct fake_kernel *k);
void fake_profiler_launched(const struct fake_launch *l);
void fake_profiler_copied(int operation, uint64_t bytes, uint64_t ns);

/* fake_feed.c: what the file says, in place of the defaults */
void fake_feed_kernel(struct fake_kernel *k);
uint64_t fake_feed_duration(const char *kernel, uint64_t number, uint64_t otherwise);
/* The I-th counter of the chip; NULL: there are no more. */
const char *fake_feed_counter(size_t i);
/* The value of counter I in launch NUMBER of KERNEL. */
double fake_feed_value(size_t i, const char *kernel, uint64_t number);

#endif
