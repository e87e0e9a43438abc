/* Memory and caches around the passes of a counted launch.
 *
 * Memory: a launch is repeated once per pass, so the memory that it changes is saved before the
 * first pass and restored after each but the last. libcheckpoint.so, which lies beside libcupti,
 * saves all device memory and pinned host memory of the context. What another thread stores into
 * pinned memory meanwhile, without a call to the driver, is lost.
 *
 * Caches: restoring memory leaves changed lines in the L2. The GPU writes them to DRAM during the
 * next pass, where they look like the kernel's own traffic and slow it down. Reading a buffer of
 * several times the L2 replaces them by unchanged lines, and these are discarded, because replacing
 * even an unchanged line is work for the L2. A fill would leave changed lines again.
 *
 * One launch is counted at a time, so the state here is static. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "collectors/cupti/counters_private.h"

enum {
    L2_TIMES = 5,        /* bytes read, in sizes of the L2: 1.3 times were not enough on an H100 */
    SPARE_DEVICE = 1024, /* MiB that a copy of the memory leaves to the program */
    SPARE_HOST = 4096,
    BLOCKS = 1056,
    THREADS = 512,
};

/* CUpti_Checkpoint of cupti_checkpoint.h, which is C++. `optimizations` stays 0: with the vendor's
 * CUPTI_CHECKPOINT_OPT_TRANSFER, memory was restored wrongly and a program crashed (13.0, H100). */
struct checkpoint {
    size_t struct_bytes;
    CUcontext context;
    size_t spare_device_mib, spare_host_mib;
    uint8_t overwrite, optimizations;
    void *private_data;
};
static struct {
    CUptiResult (*save)(struct checkpoint *);
    CUptiResult (*restore)(struct checkpoint *);
    CUptiResult (*release)(struct checkpoint *);
    struct checkpoint saved;
    bool held; /* saved is valid */
} memory;

static struct {
    __typeof__(cuMemAlloc) *alloc;
    __typeof__(cuMemFree) *release;
    __typeof__(cuModuleLoadData) *load;
    __typeof__(cuModuleGetFunction) *function;
    __typeof__(cuLaunchKernel) *launch;
    CUdeviceptr buffer; /* 0: none */
    size_t bytes;
} cleaner;

/* Reads its bytes once; it stores nothing. The store keeps the compiler from removing the loads. */
static const char reader[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry warplore_read(.param .u64 from, .param .u64 bytes)\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %d<6>;\n"
    "ld.param.u64 %d1, [from];\nld.param.u64 %d2, [bytes];\ncvta.to.global.u64 %d1, %d1;\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r3, %r1, %r2, %r3;\nmov.u32 %r1, %nctaid.x;\nmul.lo.u32 %r2, %r1, %r2;\n"
    "mul.wide.u32 %d3, %r3, 16;\nmul.wide.u32 %d4, %r2, 16;\nmov.u32 %r8, 0;\n"
    "again:\nsetp.ge.u64 %p1, %d3, %d2;\n@%p1 bra done;\nadd.u64 %d5, %d1, %d3;\n"
    "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%d5];\nxor.b32 %r4, %r4, %r5;\n"
    "xor.b32 %r6, %r6, %r7;\nxor.b32 %r4, %r4, %r6;\nxor.b32 %r8, %r8, %r4;\n"
    "add.u64 %d3, %d3, %d4;\nbra again;\n"
    "done:\nsetp.ne.u32 %p2, %r1, 0;\n@%p2 bra end;\nst.global.u32 [%d1], %r8;\nend:\nret;\n}\n";
/* Discards its bytes, 128 at a time: their lines leave the L2 and nothing is written. */
static const char discarder[] =
    ".version 7.4\n.target sm_80\n.address_size 64\n"
    ".visible .entry warplore_discard(.param .u64 from, .param .u64 bytes)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %d<6>;\n"
    "ld.param.u64 %d1, [from];\nld.param.u64 %d2, [bytes];\ncvta.to.global.u64 %d1, %d1;\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r3, %r1, %r2, %r3;\nmov.u32 %r1, %nctaid.x;\nmul.lo.u32 %r2, %r1, %r2;\n"
    "mul.wide.u32 %d3, %r3, 128;\nmul.wide.u32 %d4, %r2, 128;\n"
    "again:\nsetp.ge.u64 %p1, %d3, %d2;\n@%p1 bra end;\nadd.u64 %d5, %d1, %d3;\n"
    "discard.global.L2 [%d5], 128;\nadd.u64 %d3, %d3, %d4;\nbra again;\nend:\nret;\n}\n";

/* Write once why the L2 may hold changed lines when a pass begins. */
static void
unclean(const char *why)
{
    static atomic_bool written;

    if (!atomic_exchange(&written, true))
        lore_channel_state(lore_counters.channel, LORE_CAP_COUNTER_UNCLEAN, why, 0, 0);
}

/* libcheckpoint.so of the folder that CUPTI was loaded from, else of the usual folders. */
static void *
open_checkpoint(void)
{
    char path[PATH_MAX];
    const char *slash;
    Dl_info cupti;
    void *h = NULL;
    int n;

    if (dladdr((void *)(uintptr_t)lore_counters.api->GetVersion, &cupti) != 0 &&
        cupti.dli_fname != NULL && (slash = strrchr(cupti.dli_fname, '/')) != NULL) {
        n = snprintf(path, sizeof path, "%.*s/libcheckpoint.so", (int)(slash - cupti.dli_fname),
            cupti.dli_fname);
        if (n > 0 && (size_t)n < sizeof path)
            h = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return h ? h : dlopen("libcheckpoint.so", RTLD_NOW | RTLD_LOCAL);
}

static bool
find_checkpoint(void)
{
    static bool tried;
    void *h;

    if (tried)
        return memory.release != NULL;
    tried = true;
    h = open_checkpoint();
    if (!h)
        return false;
    *(void **)&memory.save = dlsym(h, "cuptiCheckpointSave");
    *(void **)&memory.restore = dlsym(h, "cuptiCheckpointRestore");
    if (memory.save && memory.restore)
        *(void **)&memory.release = dlsym(h, "cuptiCheckpointFree");
    return memory.release != NULL;
}

bool
lore_counters_memory_save(CUcontext context)
{
    CUptiResult result;

    if (!find_checkpoint()) {
        unclean("libcheckpoint.so was not found beside libcupti, so the vendor repeats launches");
        return false;
    }
    memory.saved = (struct checkpoint){.struct_bytes = sizeof memory.saved,
        .context = context,
        .spare_device_mib = SPARE_DEVICE,
        .spare_host_mib = SPARE_HOST};
    result = memory.save(&memory.saved);
    memory.held = result == CUPTI_SUCCESS;
    if (!memory.held)
        unclean("the program's memory could not be saved, so the vendor repeats launches");
    return memory.held;
}

bool
lore_counters_memory_restore(void)
{
    return memory.restore(&memory.saved) == CUPTI_SUCCESS;
}

static bool
find_cleaner(void)
{
    if (cleaner.launch)
        return true;
    *(void **)&cleaner.alloc = lore_cupti_driver("cuMemAlloc_v2");
    *(void **)&cleaner.release = lore_cupti_driver("cuMemFree_v2");
    *(void **)&cleaner.load = lore_cupti_driver("cuModuleLoadData");
    *(void **)&cleaner.function = lore_cupti_driver("cuModuleGetFunction");
    if (cleaner.alloc && cleaner.release && cleaner.load && cleaner.function)
        *(void **)&cleaner.launch = lore_cupti_driver("cuLaunchKernel");
    return cleaner.launch != NULL;
}

static CUfunction
load(const char *ptx, const char *name)
{
    CUfunction f = NULL;
    CUmodule module;

    if (cleaner.load(&module, ptx) != CUDA_SUCCESS ||
        cleaner.function(&f, module, name) != CUDA_SUCCESS)
        return NULL;
    return f;
}

/* Load the kernels of C. Chips before 8.0 have no discard; the read alone does for DRAM writes. */
static bool
load_kernels(struct lore_counters_context *c)
{
    if (c->reader)
        return true;
    c->discarder = load(discarder, "warplore_discard");
    c->reader = load(reader, "warplore_read");
    return c->reader != NULL;
}

static size_t
l2_bytes(void)
{
    CUdevice device;
    int bytes = 0;

    if (lore_counters.cuda.cuCtxGetDevice(&device) != CUDA_SUCCESS ||
        lore_counters.cuda.cuDeviceGetAttribute(
            &bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device) != CUDA_SUCCESS)
        return 0;
    return (size_t)bytes;
}

void
lore_counters_cache_open(struct lore_counters_context *c)
{
    cleaner.buffer = 0;
    cleaner.bytes = L2_TIMES * l2_bytes();
    if (!lore_counters.config.clean)
        unclean("");
    else if (!find_cleaner() || !load_kernels(c))
        unclean("the driver refused the kernel that cleans the L2");
    else if (cleaner.bytes == 0 || cleaner.alloc(&cleaner.buffer, cleaner.bytes) != CUDA_SUCCESS)
        unclean("no device memory was left for cleaning the L2");
}

/* Run F over the buffer. */
static bool
over_buffer(CUfunction f)
{
    void *args[] = {&cleaner.buffer, &cleaner.bytes};

    return cleaner.launch(f, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, args, NULL) == CUDA_SUCCESS;
}

bool
lore_counters_cache_clean(const struct lore_counters_context *c)
{
    if (cleaner.buffer != 0 &&
        (!over_buffer(c->reader) || (c->discarder && !over_buffer(c->discarder))))
        return false;
    return lore_counters.cuda.cuCtxSynchronize() == CUDA_SUCCESS;
}

void
lore_counters_memory_close(void)
{
    if (memory.held)
        (void)memory.release(&memory.saved);
    memory.held = false;
    if (cleaner.buffer != 0)
        (void)cleaner.release(cleaner.buffer);
    cleaner.buffer = 0;
}
