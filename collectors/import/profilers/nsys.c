/* SQLite exports of Nsight Systems. Columns come and go with its versions, so each is asked for
 * only where the table has it. The file also records the environment variables of the profiled
 * program, in which credentials are found, so it is not stored and those tables are not read. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/profilers/databases.h"
#include "collectors/import/profilers/launches.h"
#include "collectors/import/profilers/profilers.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"

bool
lore_nsys_is(const struct lore_sqlite *s)
{
    return lore_sqlite_find(s, "StringIds") &&
           (lore_sqlite_find(s, KERNELS) || lore_sqlite_find(s, "META_DATA_EXPORT"));
}

/* ---- kernels ---- */

static const char *
kernel_query(struct lore_database *d)
{
    static const char *const columns[] = {"start", "end", "deviceId", "globalPid", "gridX", "gridY",
        "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory",
        "dynamicSharedMemory", "localMemoryPerThread", "streamId"};
    static const char *const names[][2] = {
        {"demangledName", "kernel"}, {"shortName", "short"}, {"mangledName", "symbol"}};
    const char *select = "", *join = "";

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (lore_sqlite_has(d->file, KERNELS, columns[i]))
            select =
                lore_format(d->in->arena, "%s%sk.\"%s\"", select, *select ? ", " : "", columns[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!lore_sqlite_has(d->file, KERNELS, names[i][0]))
            continue;
        select = lore_format(d->in->arena, "%s, n%zu.value AS \"%s\"", select, i, names[i][1]);
        join = lore_format(
            d->in->arena, "%s LEFT JOIN StringIds n%zu ON n%zu.id = k.%s", join, i, i, names[i][0]);
    }
    return lore_format(
        d->in->arena, "SELECT %s FROM " KERNELS " k%s ORDER BY k.rowid", select, join);
}

static void
put_facts(struct lore_database *d, struct lore_launched *s, const struct lore_json *row)
{
    static const char *const facts[][2] = {{"registersPerThread", "registers_per_thread"},
        {"staticSharedMemory", "static_shared_bytes"},
        {"dynamicSharedMemory", "dynamic_shared_bytes"},
        {"localMemoryPerThread", "local_bytes_per_thread"}};

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const struct lore_json *v = lore_json_get(row, facts[i][0]);
        if (v && v->type == LORE_J_NUMBER)
            lore_launched_fact(d->l, s, facts[i][1], v->str);
    }
}

static void
add_kernel(struct lore_database *d, const struct lore_json *row)
{
    static const char *const grid[] = {"gridX", "gridY", "gridZ"}, *const block[] = {"blockX",
                                                                       "blockY", "blockZ"};
    struct lore_launch_row x = {.id = -1, .start_ns = -1, .dur_ns = -1, .device = -1};
    int64_t end;

    x.kernel = lore_row_text(row, "kernel|short|symbol");
    x.symbol = lore_row_text(row, "symbol");
    if (!x.kernel)
        x.kernel = "(no name)";
    for (size_t i = 0; i < 3; i++) {
        (void)lore_row_i64(row, grid[i], &x.grid[i]);
        (void)lore_row_i64(row, block[i], &x.block[i]);
    }
    (void)lore_row_i64(row, "globalPid", &x.process);
    (void)lore_row_i64(row, "deviceId", &x.device);
    if (lore_row_i64(row, "start", &x.start_ns) && lore_row_i64(row, "end", &end) &&
        end >= x.start_ns)
        x.dur_ns = end - x.start_ns;
    put_facts(d, lore_launches_add(d->l, &x), row);
}

static const char *
copy_kind(int64_t kind)
{
    static const char *const kinds[] = {"other", "host_to_device", "device_to_host",
        "host_to_device", "device_to_host", "device_to_device", "device_to_device",
        "device_to_device", "device_to_device", "other", "device_to_device", "host_to_device",
        "device_to_host", "device_to_device"};

    return kind >= 0 && (size_t)kind < sizeof kinds / sizeof *kinds ? kinds[kind] : "other";
}

static void
add_copy(struct lore_database *d, const struct lore_json *row)
{
    int64_t kind = -1, n = 0, bytes = -1, ns = -1;
    bool copy = lore_row_i64(row, "kind", &kind);

    (void)lore_row_i64(row, "n", &n);
    (void)lore_row_i64(row, "bytes", &bytes);
    (void)lore_row_i64(row, "ns", &ns);
    lore_launches_copy(d->l, copy ? copy_kind(kind) : "fill", n, bytes, ns);
}

/* ---- the machine ---- */

static void
add_gpu(struct lore_database *d, const struct lore_json *row)
{
    int64_t number, major, minor;
    const char *name = lore_row_text(row, "name");

    if (lore_row_i64(row, "cuDevice|id", &number))
        lore_launches_device(d->l, number, name);
    if (d->chip_name)
        return; /* of the first device */
    d->chip_name = lore_strdup(d->in->arena, name);
    if (lore_row_i64(row, "computeMajor|smMajor", &major) &&
        lore_row_i64(row, "computeMinor|smMinor", &minor))
        d->isa = lore_format(d->in->arena, "sm_%lld%lld", (long long)major, (long long)minor);
    for (const struct lore_json *cell = row->child; cell; cell = cell->next)
        if (cell->type == LORE_J_NUMBER && !lore_choice("vmId|id|cuDevice|luid|pwGpuId", cell->key))
            lore_kvs_set(d->in->arena, &d->soft, lore_format(d->in->arena, "gpu_%s", cell->key),
                lore_strdup(d->in->arena, cell->str));
    lore_profiler_set(d->in->arena, &d->soft, "device", name);
    lore_profiler_set(d->in->arena, &d->soft, "device_uuid",
        lore_profiler_hashed(d->in->arena, lore_row_text(row, "uuid")));
}

static void
add_system(struct lore_database *d, const struct lore_json *row)
{
    static const char *const facts[][2] = {{"NvDriverVersion", "driver"}, {"OsDescription", "os"},
        {"CpuDescription", "cpu"}, {"CpuCores", "cpu_count"}, {"SoftwareReleaseVersion", "kernel"},
        {"EXPORT_PRODUCT_VERSION", "nsys"}, {"EXPORT_SCHEMA_VERSION", "nsys_schema"}};
    const char *name = lore_row_text(row, "name"), *value = lore_row_text(row, "value");
    struct lore_arena *a = d->in->arena;

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (lore_streq(name, facts[i][0]))
            lore_profiler_set(a, &d->soft, facts[i][1], value ? lore_strdup(a, value) : NULL);
    if (lore_streq(name, "CudaDriverVersion") && value && atol(value) >= 1000)
        lore_profiler_set(a, &d->soft, "cuda",
            lore_format(a, "%ld.%ld", atol(value) / 1000, atol(value) % 1000 / 10));
    if (lore_streq(name, "Hostname"))
        lore_profiler_set(a, &d->soft, "host", lore_profiler_hashed(a, value));
    if (lore_streq(name, "PROCESS_0:COMMAND") && value && !d->program)
        d->program = lore_strdup(a, lore_build_basename(value));
    if (lore_streq(name, "PROCESS_0:ARGUMENT_0") && value && d->program &&
        lore_starts(d->program, "python") && *value != '-')
        d->program = lore_strdup(a, lore_build_basename(value));
}

static void
add_start(struct lore_database *d, const struct lore_json *row)
{
    const char *utc = lore_row_text(row, "utcTime");

    if (utc && strlen(utc) == strlen("2025-08-04T16:29:32") && utc[10] == 'T')
        d->measured_at = lore_format(d->in->arena, "%sZ", utc);
}

enum lore_status
lore_nsys_read(struct lore_database *d, struct lore_err *err)
{
    static const char not_read[] =
        "environment variables may hold credentials, so this table is read only in part";
    const struct lore_database_step steps[] = {
        {"TARGET_INFO_GPU", "SELECT * FROM TARGET_INFO_GPU ORDER BY id LIMIT 64", add_gpu, NULL},
        {"TARGET_INFO_SYSTEM_ENV", "SELECT name, value FROM TARGET_INFO_SYSTEM_ENV LIMIT 5000",
            add_system, not_read},
        {"META_DATA_EXPORT", "SELECT name, value FROM META_DATA_EXPORT LIMIT 5000", add_system,
            NULL},
        {"META_DATA_CAPTURE",
            "SELECT name, value FROM META_DATA_CAPTURE WHERE name IN"
            " ('PROCESS_0:COMMAND', 'PROCESS_0:ARGUMENT_0') ORDER BY name DESC",
            add_system, not_read},
        {"TARGET_INFO_SESSION_START_TIME", "SELECT * FROM TARGET_INFO_SESSION_START_TIME LIMIT 1",
            add_start, NULL},
        {KERNELS, lore_sqlite_find(d->file, KERNELS) ? kernel_query(d) : "", add_kernel, NULL},
        {"CUPTI_ACTIVITY_KIND_MEMCPY",
            "SELECT copyKind AS kind, COUNT(*) AS n, SUM(bytes) AS bytes, SUM(\"end\" - start) AS "
            "ns"
            " FROM CUPTI_ACTIVITY_KIND_MEMCPY GROUP BY copyKind",
            add_copy, NULL},
        {"CUPTI_ACTIVITY_KIND_MEMSET",
            "SELECT COUNT(*) AS n, SUM(bytes) AS bytes, SUM(\"end\" - start) AS ns"
            " FROM CUPTI_ACTIVITY_KIND_MEMSET HAVING COUNT(*) > 0",
            add_copy, NULL},
        {"StringIds", NULL, NULL, NULL},
    };
    const struct lore_database_summary summaries[] = {
        {"cuda_api", "CUPTI_ACTIVITY_KIND_RUNTIME",
            "SELECT n.value AS name, COUNT(*) AS calls, SUM(r.\"end\" - r.start) AS total_ns"
            " FROM CUPTI_ACTIVITY_KIND_RUNTIME r LEFT JOIN StringIds n ON n.id = r.nameId"
            " GROUP BY r.nameId ORDER BY 3 DESC LIMIT 100"},
        {"nvtx", "NVTX_EVENTS",
            "SELECT coalesce(e.text, n.value) AS name, COUNT(*) AS ranges,"
            " SUM(e.\"end\" - e.start) AS total_ns"
            " FROM NVTX_EVENTS e LEFT JOIN StringIds n ON n.id = e.textId"
            " WHERE e.\"end\" IS NOT NULL GROUP BY 1 ORDER BY 3 DESC LIMIT 100"},
        {"os_api", "OSRT_API",
            "SELECT n.value AS name, COUNT(*) AS calls, SUM(r.\"end\" - r.start) AS total_ns"
            " FROM OSRT_API r LEFT JOIN StringIds n ON n.id = r.nameId"
            " GROUP BY r.nameId ORDER BY 3 DESC LIMIT 100"},
    };

    d->tool = "nsys";
    d->timer = "nsys: CUPTI activity";
    enum lore_status status = lore_database_steps(d, steps, sizeof steps / sizeof *steps, err);
    if (status == LORE_OK)
        status = lore_database_summaries(d, summaries, sizeof summaries / sizeof *summaries, err);
    return status;
}
