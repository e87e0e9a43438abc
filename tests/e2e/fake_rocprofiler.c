/* The double's rocprofiler-sdk: tools are loaded, code objects reported, dispatches and copies
 * buffered. Like the real one it ends the program when a tool library does not open. Records carry
 * the layouts that collectors/hip/rocprofiler.h declares and rocprofiler_abi.c checks; the callback
 * record, which differs between versions, is passed here as each of them has it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/hip/rocprofiler.h"
#include "tests/e2e/fake_hip.h"

enum { REFUSED = 15, AGENT = 77, CONTEXT = 1, BUFFER = 1, RECORDS = 4096 };

static struct {
    struct lore_rocp_tool *tool;
    lore_rocp_called *called, *marked;
    void *called_data;
    lore_rocp_filled *filled;
    void *filled_data;
    lore_rocp_dispatching *dispatching;
    lore_rocp_dispatched *dispatched;
    bool dispatches, copies, started;
    pid_t owner;
} self;
static union record {
    struct lore_rocp_dispatch dispatch;
    struct lore_rocp_copy copy;
} records[RECORDS];
static struct lore_rocp_header headers[RECORDS], *list[RECORDS];
static size_t n_records;
static pthread_mutex_t buffer_lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether FAKE_REFUSE names the function; its status. */
static int
answer(const char *function)
{
    const char *refused = getenv("FAKE_REFUSE");

    return refused && strcmp(function, refused) == 0 ? REFUSED : 0;
}
#define ANSWER() answer(__func__ + strlen("rocprofiler_"))

static bool
is_new(void)
{
    return fake_told("FAKE_SDK", 10000) >= 10000;
}

/* ---- what a tool calls ---- */

API int
rocprofiler_get_timestamp(uint64_t *ns)
{
    *ns = fake_now();
    return ANSWER();
}

API const char *
rocprofiler_get_status_string(int status)
{
    return status == 0 ? "success" : "refused by the double";
}

API int
rocprofiler_query_available_agents(uint32_t version, lore_rocp_agents *f, size_t bytes, void *data)
{
    static struct { /* of 1.0: 16 bytes longer */
        struct lore_rocp_agent agent;
        uint8_t uuid[16];
    } gpu, cpu;
    const void *agents[] = {&cpu, &gpu};

    gpu.agent =
        (struct lore_rocp_agent){.size = sizeof gpu.agent + (is_new() ? sizeof gpu.uuid : 0),
            .id = AGENT,
            .type = LORE_ROCP_AGENT_GPU,
            .waves_per_simd = 8,
            .lds_kib = 64,
            .simds_per_unit = 4,
            .wave_threads = 64,
            .dies = 8,
            .units = 304,
            .gfx_version = 90402,
            .gpu_id = 51974,
            .name = "gfx942",
            .vendor_name = "AMD",
            .product_name = "AMD Instinct MI300X"};
    cpu.agent = (struct lore_rocp_agent){.size = gpu.agent.size, .id = 3, .type = 1, .name = "cpu"};
    if (version != LORE_ROCP_AGENT_VERSION || bytes > gpu.agent.size)
        return REFUSED;
    return ANSWER() ? ANSWER() : f(version, agents, 2, data);
}

API int
rocprofiler_create_context(uint64_t *context)
{
    *context = CONTEXT;
    return ANSWER();
}

API int
rocprofiler_start_context(uint64_t context)
{
    self.started = context == CONTEXT && ANSWER() == 0;
    return ANSWER();
}

API int
rocprofiler_stop_context(uint64_t context)
{
    (void)context;
    self.started = false;
    return ANSWER();
}

API int
rocprofiler_create_buffer(uint64_t context, size_t bytes, size_t watermark, int policy,
    lore_rocp_filled *f, void *data, uint64_t *buffer)
{
    if (context != CONTEXT || watermark > bytes || policy != LORE_ROCP_POLICY_LOSSLESS)
        return REFUSED;
    self.filled = f;
    self.filled_data = data;
    *buffer = BUFFER;
    return ANSWER();
}

#ifndef FAKE_LACKS
API int
rocprofiler_flush_buffer(uint64_t buffer)
{
    pthread_mutex_lock(&buffer_lock);
    if (n_records > 0)
        self.filled(CONTEXT, buffer, list, n_records, self.filled_data,
            (uint64_t)fake_told("FAKE_DROPS", 0)); /* in all, as the real one counts them */
    n_records = 0;
    pthread_mutex_unlock(&buffer_lock);
    return ANSWER();
}
#else
static int
rocprofiler_flush_buffer(uint64_t buffer)
{
    (void)buffer;
    return REFUSED;
}
#endif

API int
rocprofiler_configure_buffer_tracing_service(
    uint64_t context, int kind, const int32_t *operations, size_t n, uint64_t buffer)
{
    if (context != CONTEXT || buffer != BUFFER || operations || n != 0)
        return REFUSED;
    self.dispatches = self.dispatches || kind == LORE_ROCP_BUFFER_DISPATCH;
    self.copies = self.copies || kind == LORE_ROCP_BUFFER_COPY;
    return ANSWER();
}

API int
rocprofiler_configure_callback_tracing_service(uint64_t context, int kind,
    const int32_t *operations, size_t n, lore_rocp_called *f, void *data)
{
    if (context != CONTEXT || operations || n != 0)
        return REFUSED;
    if (kind == LORE_ROCP_MARKER) {
        self.marked = answer("marker") ? NULL : f;
        return answer("marker");
    }
    if (kind != LORE_ROCP_CODE_OBJECT)
        return REFUSED;
    self.called = f;
    self.called_data = data;
    return ANSWER();
}

/* ---- external correlations: of a thread, which only that thread changes ---- */

static _Thread_local uint64_t external[4096];
static _Thread_local size_t n_external;
enum { THREAD = 1 };

API int
rocprofiler_push_external_correlation_id(uint64_t context, uint64_t thread, uint64_t value)
{
    if (context != CONTEXT || thread != THREAD || n_external == sizeof external / sizeof *external)
        return REFUSED;
    external[n_external++] = value;
    return ANSWER();
}

API int
rocprofiler_pop_external_correlation_id(uint64_t context, uint64_t thread, uint64_t *value)
{
    if (context != CONTEXT || thread != THREAD || n_external == 0)
        return REFUSED;
    *value = external[--n_external];
    return ANSWER();
}

/* ---- counters: the feed's; of each the GPU has one per die, and counts IN_PASS at once ---- */

enum { IN_PASS = 4, DIES = 8, FIRST_COUNTER = 100, OTHER_IDS = 1 << 20 };

API int
rocprofiler_iterate_agent_supported_counters(uint64_t agent, lore_rocp_counters *f, void *data)
{
    uint64_t counters[1024];
    size_t n = 0;

    while (n < 1024 && fake_feed_counter(n)) {
        counters[n] = FIRST_COUNTER + n;
        n++;
    }
    return agent != AGENT ? REFUSED : ANSWER() ? ANSWER() : f(agent, counters, n, data);
}

API int
rocprofiler_query_counter_info(uint64_t counter, int version, void *info)
{
    struct lore_rocp_counter *c = info;

    uint64_t one = counter % OTHER_IDS - FIRST_COUNTER;

    if (version != LORE_ROCP_COUNTER_VERSION || !fake_feed_counter(one))
        return REFUSED;
    *c = (struct lore_rocp_counter){.id = counter, .name = fake_feed_counter(one)};
    return ANSWER();
}

/* An instance is a counter and a die. With FAKE_IDS it names the counter by an id that no GPU has.
 */
API int
rocprofiler_query_record_counter_id(uint64_t instance, uint64_t *counter)
{
    *counter = (instance >> 8) + (fake_told("FAKE_IDS", 0) ? OTHER_IDS : 0);
    return ANSWER();
}

static struct {
    uint64_t counters[IN_PASS];
    size_t n;
} configs[4096];
static uint64_t n_configs;

static int
create_config(uint64_t agent, const uint64_t *counters, size_t n, uint64_t *config)
{
    if (*config != 0) /* the real one adds to an existing set */
        return REFUSED;
    if (agent != AGENT || n > IN_PASS || n_configs + 1 == sizeof configs / sizeof *configs)
        return REFUSED;
    *config = ++n_configs;
    memcpy(configs[*config].counters, counters, n * sizeof *counters);
    configs[*config].n = n;
    return answer("create_counter_config");
}

static int
configure_counting(lore_rocp_dispatching *f, lore_rocp_dispatched *g)
{
    self.dispatching = f;
    self.dispatched = g;
    return answer("configure_callback_dispatch_counting_service");
}

#ifndef FAKE_OLDER
API int
rocprofiler_create_counter_config(uint64_t agent, uint64_t *counters, size_t n, uint64_t *config)
{
    return create_config(agent, counters, n, config);
}

API int
rocprofiler_destroy_counter_config(uint64_t config)
{
    return config == 0 || config > n_configs ? REFUSED : 0;
}

API int
rocprofiler_configure_callback_dispatch_counting_service(
    uint64_t context, lore_rocp_dispatching *f, void *data, lore_rocp_dispatched *g, void *g_data)
{
    (void)data, (void)g_data;
    return context != CONTEXT ? REFUSED : configure_counting(f, g);
}
#else /* the names before 1.0 */
API int
rocprofiler_create_profile_config(uint64_t agent, uint64_t *counters, size_t n, uint64_t *config)
{
    return create_config(agent, counters, n, config);
}

API int
rocprofiler_destroy_profile_config(uint64_t config)
{
    return config == 0 || config > n_configs ? REFUSED : 0;
}

API int
rocprofiler_configure_callback_dispatch_profile_counting_service(
    uint64_t context, lore_rocp_dispatching *f, void *data, lore_rocp_dispatched *g, void *g_data)
{
    (void)data, (void)g_data;
    return context != CONTEXT ? REFUSED : configure_counting(f, g);
}
#endif

/* Ask for the counters of launch L, and hand over their values, in records of the layout that the
 * version has: their sums are the feed's. */
static void
count(const struct fake_launch *l, const struct lore_rocp_dispatch *r)
{
    struct lore_rocp_counted d = {
        .size = sizeof d, .correlation = {9, r->correlation[1]}, .info = r->info};
    struct lore_rocp_value values[IN_PASS * DIES];
    size_t stride = is_new() ? sizeof *values : offsetof(struct lore_rocp_value, agent), n = 0;
    uint64_t config = 0, user = 0;

    self.dispatching(d, &config, &user, NULL);
    if (config == 0)
        return;
    for (size_t i = 0; i < configs[config].n; i++)
        for (uint64_t die = 0; die < DIES; die++) {
            uint64_t counter = configs[config].counters[i];
            double sum = fake_feed_value(counter - FIRST_COUNTER, l->kernel->name, l->number);
            struct lore_rocp_value v = {.instance = counter << 8 | die,
                .value = die == 0 ? sum - 7 * (double)(int64_t)(sum / DIES)
                                  : (double)(int64_t)(sum / DIES),
                .dispatch = r->info.dispatch,
                .agent = AGENT};
            memcpy((char *)values + n++ * stride, &v, stride);
        }
    self.dispatched(d, values, n, user, NULL);
}

/* ---- tools ---- */

static void
finish(void)
{
    void (*fini)(void *) = self.tool->fini;

    self.tool->fini = NULL; /* once */
    fini(self.tool->data);
}

static void
load(const char *path)
{
    uint64_t client[3] = {sizeof client, 0, 1};
    struct lore_rocp_tool *(*configure)(uint32_t, const char *, uint32_t, void *);
    void *library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);

    if (!library) {
        fprintf(stderr, "double: %s\n", dlerror());
        abort(); /* as the real one does */
    }
    *(void **)&configure = dlsym(library, "rocprofiler_configure");
    self.tool = configure((uint32_t)fake_told("FAKE_SDK", 10000), "double", 0, client);
    if (!self.tool)
        return;
    self.owner = getpid();
    /* newer versions drop the contexts of a tool whose init fails; older ones do not look at that
     */
    if (self.tool->init(NULL, self.tool->data) != 0 && is_new())
        self.started = self.dispatches = self.copies = false;
    else
        atexit(finish);
}

static void
open_tools(void)
{
    const char *paths = getenv("ROCP_TOOL_LIBRARIES");

    for (const char *p = paths; p && *p; p += *p == ':') {
        char *path = strndup(p, strcspn(p, ":"));
        load(path);
        p += strlen(path);
        free(path);
    }
}

void
fake_profiler_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, open_tools);
}

/* ---- what happens ---- */

/* Each layout as a type of its own, passed by value as a C++ compiler would. */
struct older {
    uint64_t context, thread, correlation[2];
    uint32_t kind, operation, phase;
    const void *payload;
};
struct newer {
    uint64_t context, thread, correlation[3];
    uint32_t kind, operation, phase;
    const void *payload;
};

struct event {
    uint32_t kind, operation, phase;
};

static void
call(lore_rocp_called *f, struct event e, const void *payload)
{
    uint64_t user = 0;

    if (!f)
        return;
    if (is_new())
        ((void (*)(struct newer, void *, void *))(void *)f)(
            (struct newer){CONTEXT, THREAD, {5, 0, 10}, e.kind, e.operation, e.phase, payload},
            &user, self.called_data);
    else
        ((void (*)(struct older, void *, void *))(void *)f)(
            (struct older){CONTEXT, THREAD, {5, 0}, e.kind, e.operation, e.phase, payload}, &user,
            self.called_data);
}

/* roctx, which tells the profiler before and after each call. */
API int
roctxRangePushA(const char *message)
{
    const struct lore_rocp_marker m = {sizeof m, message};

    for (uint32_t phase = LORE_ROCP_PHASE_ENTER; self.started && phase <= 2; phase++)
        call(self.marked, (struct event){LORE_ROCP_MARKER, LORE_ROCP_MARKER_PUSH, phase}, &m);
    return 0;
}

API int
roctxRangePop(void)
{
    const struct lore_rocp_marker m = {sizeof m, NULL};

    for (uint32_t phase = LORE_ROCP_PHASE_ENTER; self.started && phase <= 2; phase++)
        call(self.marked, (struct event){LORE_ROCP_MARKER, LORE_ROCP_MARKER_POP, phase}, &m);
    return 0;
}

static void
call_loaded(uint32_t operation, const void *payload)
{
    call(self.called, (struct event){LORE_ROCP_CODE_OBJECT, operation, LORE_ROCP_PHASE_LOAD},
        payload);
}

void
fake_profiler_loaded(const struct fake_kernel *k)
{
    const char *file = getenv("FAKE_OBJECT");
    char name[1024], uri[1024] = "memory://1#offset=0x1000&size=64";
    struct lore_rocp_code_object object = {.size = sizeof object,
        .id = k->id,
        .agent = AGENT,
        .uri = uri,
        .storage = LORE_ROCP_STORAGE_MEMORY,
        .memory = (uintptr_t)k->code,
        .memory_bytes = k->code_bytes};
    struct lore_rocp_kernel kernel = {.size = sizeof kernel,
        .kernel = k->id,
        .code_object = k->id,
        .name = name,
        .group_bytes = k->group_bytes,
        .private_bytes = k->private_bytes,
        .sgprs = k->sgprs,
        .vgprs = k->vgprs,
        .agprs = k->agprs};

    snprintf(name, sizeof name, "%s.kd", k->name);
    if (file) {
        snprintf(uri, sizeof uri, "file://%.900s#offset=16&size=5000", file);
        object.storage = LORE_ROCP_STORAGE_FILE;
        object.file = open(file, O_RDONLY | O_CLOEXEC);
    }
    if (k->code || file)
        call_loaded(LORE_ROCP_CODE_OBJECT_LOAD, &object);
    if (file)
        close(object.file);
    call_loaded(LORE_ROCP_CODE_OBJECT_KERNEL, &kernel);
    memset(name, '!', sizeof name - 1); /* who kept the pointer shows it */
}

static void
add(uint32_t kind, const union record *r)
{
    bool full;

    pthread_mutex_lock(&buffer_lock);
    records[n_records] = *r;
    headers[n_records].category = LORE_ROCP_CATEGORY_TRACING;
    headers[n_records].kind = kind;
    headers[n_records].payload = &records[n_records];
    list[n_records] = &headers[n_records];
    full = ++n_records == RECORDS;
    pthread_mutex_unlock(&buffer_lock);
    if (full)
        rocprofiler_flush_buffer(BUFFER);
}

void
fake_profiler_launched(const struct fake_launch *l)
{
    static uint64_t dispatches;
    union record r = {.dispatch = {.size = sizeof r.dispatch,
                          .kind = LORE_ROCP_BUFFER_DISPATCH,
                          .operation = 2,
                          .correlation = {9, n_external > 0 ? external[n_external - 1] : 0},
                          .thread = THREAD,
                          .start_ns = fake_now()}};
    struct lore_rocp_dispatch_info *i = &r.dispatch.info;

    *i = (struct lore_rocp_dispatch_info){.size = sizeof *i - sizeof i->reserved,
        .agent = AGENT,
        .queue = 1,
        .kernel = l->kernel->id,
        .dispatch = ++dispatches,
        .private_bytes = l->kernel->private_bytes,
        .group_bytes = l->kernel->group_bytes + l->dynamic_bytes};
    for (int k = 0; k < 3; k++) {
        i->workgroup[k] = l->threads[k];
        i->grid[k] = l->groups[k] * l->threads[k];
    }
    r.dispatch.end_ns = r.dispatch.start_ns + l->ns;
    if (fake_told("FAKE_BAD", 0) && dispatches % 3 == 0)
        r.dispatch.end_ns = 0;
    if (self.started && self.dispatches && getpid() == self.owner)
        add(LORE_ROCP_BUFFER_DISPATCH, &r);
    if (self.started && self.dispatching && getpid() == self.owner)
        count(l, &r.dispatch);
}

void
fake_profiler_copied(int operation, uint64_t bytes, uint64_t ns)
{
    union record r = {.copy = {.size = sizeof r.copy,
                          .kind = LORE_ROCP_BUFFER_COPY,
                          .operation = (uint32_t)operation,
                          .start_ns = fake_now(),
                          .bytes = bytes}};

    r.copy.end_ns = r.copy.start_ns + ns;
    if (self.started && self.copies && getpid() == self.owner)
        add(LORE_ROCP_BUFFER_COPY, &r);
}
