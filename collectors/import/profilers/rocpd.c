/* SQLite databases of rocprofv3 (rocpd, schemas 2 and 3). Its views are the documented interface;
 * where a database has none, the tables behind them are joined, whose names end in the uuid of the
 * process. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/profilers/amd.h"
#include "collectors/import/profilers/databases.h"
#include "collectors/import/profilers/profilers.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { UUID = 32 };

/* The view or table NAME, else the table NAME_<uuid>; NULL: there is neither. */
static const char *
named(const struct lore_sqlite *s, const char *name)
{
    const struct lore_texts *names = lore_sqlite_names(s);
    const char *found = lore_sqlite_find(s, name);
    size_t n = strlen(name);

    for (size_t i = 0; i < names->n && !found; i++) {
        const char *t = names->v[i];
        if (lore_starts(t, name) && t[n] == '_' && strlen(t + n + 1) >= UUID &&
            strspn(t + n + 1, "0123456789abcdef_") == strlen(t + n + 1))
            found = t;
    }
    return found;
}

bool
lore_rocpd_is(const struct lore_sqlite *s)
{
    return lore_sqlite_find(s, "kernels") ? named(s, "rocpd_metadata") != NULL
                                          : named(s, "rocpd_kernel_dispatch") != NULL;
}

/* ---- launches and counters ---- */

static struct lore_launched *
add(struct lore_database *d, const struct lore_json *row, bool counted, struct lore_arena *arena)
{
    struct lore_launch_row x;

    if (!lore_amd_launch(row, arena, &x))
        return NULL;
    x.counted = counted;
    return lore_launches_add(d->l, &x);
}

static void
add_kernel(struct lore_database *d, const struct lore_json *row)
{
    LORE_SCRATCH arena = {0};
    struct lore_launched *s = add(d, row, d->counted, &arena);

    lore_amd_resources(d->l, s, row);
}

static void
add_counter(struct lore_database *d, const struct lore_json *row)
{
    LORE_SCRATCH arena = {0};
    const char *name = lore_row_text(row, "counter_name");
    double value;
    struct lore_launched *s = name ? add(d, row, true, &arena) : NULL;

    if (!s)
        return;
    if (lore_row_f64(row, "value|counter_value", &value))
        (void)lore_launched_metric(d->l, s, name, NULL, value);
    else
        lore_launched_missing(d->l, s, name, LORE_MISS_NOT_COLLECTED);
}

static void
add_copy(struct lore_database *d, const struct lore_json *row)
{
    static const char *const kinds[][2] = {{"HOST_TO_DEVICE", "host_to_device"},
        {"DEVICE_TO_HOST", "device_to_host"}, {"DEVICE_TO_DEVICE", "device_to_device"}};
    const char *name = lore_row_text(row, "name"), *kind = "other";
    int64_t n = 0, bytes = -1, ns = -1;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (name && strstr(name, kinds[i][0]))
            kind = kinds[i][1];
    (void)lore_row_i64(row, "n", &n);
    (void)lore_row_i64(row, "bytes", &bytes);
    (void)lore_row_i64(row, "ns", &ns);
    lore_launches_copy(d->l, kind, n, bytes, ns);
}

/* ---- the machine ---- */

static void
add_agent(struct lore_database *d, const struct lore_json *row)
{
    struct lore_arena *a = d->in->arena;
    int64_t number;
    const char *product = lore_row_text(row, "product_name|model_name"),
               *facts = lore_row_text(row, "extdata");

    if (!lore_streq(lore_row_text(row, "type"), "GPU")) {
        lore_profiler_set(a, &d->soft, "cpu", product ? lore_strdup(a, product) : NULL);
        return;
    }
    if (lore_row_i64(row, "absolute_index", &number))
        lore_launches_device(d->l, number, product);
    if (d->isa)
        return; /* of the first device */
    d->chip_name = lore_strdup(a, product);
    d->isa = lore_strdup(a, lore_row_text(row, "name"));
    lore_profiler_set(a, &d->soft, "device", d->chip_name);
    lore_profiler_set(
        a, &d->soft, "device_uuid", lore_profiler_hashed(a, lore_row_text(row, "uuid")));
    if (facts && strlen(facts) > 2 && strlen(facts) < 8000)
        lore_profiler_set(a, &d->soft, "agent", lore_strdup(a, facts));
}

static void
add_process(struct lore_database *d, const struct lore_json *row)
{
    const char *command = lore_row_text(row, "command");
    size_t n = command ? strcspn(command, " ") : 0;
    struct lore_arena *a = d->in->arena;

    if (d->program || n == 0)
        return;
    d->program = lore_strdup(a, lore_build_basename(lore_strndup(a, command, n)));
    const char *script = command + n + strspn(command + n, " ");
    size_t m = strcspn(script, " ");
    if (lore_starts(d->program, "python") && m > 0 && *script != '-')
        d->program = lore_strdup(a, lore_build_basename(lore_strndup(a, script, m)));
}

static void
add_node(struct lore_database *d, const struct lore_json *row)
{
    struct lore_arena *a = d->in->arena;
    const char *system = lore_row_text(row, "system_name"),
               *release = lore_row_text(row, "release");

    if (system)
        lore_profiler_set(a, &d->soft, "os",
            lore_format(a, "%s%s%s", system, release ? " " : "", release ? release : ""));
    lore_profiler_set(a, &d->soft, "host", lore_profiler_hashed(a, lore_row_text(row, "hostname")));
}

static void
add_metadata(struct lore_database *d, const struct lore_json *row)
{
    const char *value = lore_row_text(row, "value");

    if (lore_streq(lore_row_text(row, "tag"), "schema_version") && value)
        lore_profiler_set(d->in->arena, &d->soft, "rocpd_schema", lore_strdup(d->in->arena, value));
}

/* ---- queries ---- */

/* Write {name} in SQL as the quoted name of the table or view. NULL: one of them is not there. */
static const char *
resolve(struct lore_database *d, const char *sql)
{
    LORE_BUF out = {.max = 64 << 10};
    const char *brace;

    for (; (brace = strchr(sql, '{')); sql = strchr(brace, '}') + 1) {
        const char *name = lore_strndup(d->in->arena, brace + 1, strcspn(brace + 1, "}"));
        const char *found = named(d->file, name);
        if (!found)
            return NULL;
        lore_buf_add(&out, sql, (size_t)(brace - sql));
        lore_buf_printf(&out, "\"%s\"", found);
    }
    lore_buf_puts(&out, sql);
    return lore_strndup(d->in->arena, out.data, out.len);
}

#define DISPATCHES                                                                                 \
    "SELECT S.display_name AS name, P.pid AS pid, A.absolute_index AS agent_abs_index,"            \
    " K.dispatch_id, K.start, K.\"end\", K.grid_size_x, K.grid_size_y, K.grid_size_z,"             \
    " K.workgroup_size_x, K.workgroup_size_y, K.workgroup_size_z, K.group_segment_size AS"         \
    " lds_size, K.private_segment_size AS scratch_size, S.arch_vgpr_count AS vgpr_count,"          \
    " S.accum_vgpr_count, S.sgpr_count"
#define OF_DISPATCHES                                                                              \
    " FROM {rocpd_kernel_dispatch} K JOIN {rocpd_info_kernel_symbol} S ON S.id = K.kernel_id"      \
    " JOIN {rocpd_info_agent} A ON A.id = K.agent_id JOIN {rocpd_info_process} P ON P.id = K.pid"

/* The columns of a view that the reader knows. */
static const char *
columns_of(struct lore_database *d, const char *view)
{
    static const char *const columns[] = {"name", "kernel_name", "pid", "agent_abs_index",
        "dispatch_id", "start", "end", "grid_x", "grid_y", "grid_z", "grid_size_x", "grid_size_y",
        "grid_size_z", "workgroup_x", "workgroup_y", "workgroup_z", "workgroup_size_x",
        "workgroup_size_y", "workgroup_size_z", "lds_size", "lds_block_size", "scratch_size",
        "vgpr_count", "accum_vgpr_count", "sgpr_count", "counter_name", "value"};
    const char *out = "";

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (lore_sqlite_has(d->file, view, columns[i]))
            out = lore_format(d->in->arena, "%s%s\"%s\"", out, *out ? ", " : "", columns[i]);
    return lore_format(d->in->arena, "SELECT %s FROM \"%s\"", out, view);
}

/* Whether SQL gives a row. */
static bool
any(struct lore_database *d, const char *sql)
{
    struct lore_sqlite_rows r = {0};
    bool found =
        sql && lore_sqlite_query(d->file, sql, &r, NULL) == LORE_OK && lore_sqlite_next(&r);

    return lore_sqlite_end(&r, NULL) == LORE_OK && found;
}

enum lore_status
lore_rocpd_read(struct lore_database *d, struct lore_err *err)
{
    static const char *const read[] = {"rocpd_metadata", "rocpd_info_agent", "rocpd_info_node",
        "rocpd_info_process", "rocpd_info_code_object", "rocpd_string", "rocpd_event",
        "rocpd_info_kernel_symbol", "rocpd_info_pmc", "rocpd_pmc_event", "rocpd_info_thread",
        "rocpd_info_queue", "rocpd_info_stream", "rocpd_memory_copy", "rocpd_kernel_dispatch"};
    const char *kernels = lore_sqlite_find(d->file, "kernels")
                              ? columns_of(d, "kernels")
                              : resolve(d, DISPATCHES OF_DISPATCHES);
    const char *counters =
        lore_sqlite_find(d->file, "counters_collection")
            ? columns_of(d, "counters_collection")
            : resolve(d, DISPATCHES ", I.name AS counter_name, SUM(E.value) AS value" OF_DISPATCHES
                                    " JOIN {rocpd_pmc_event} E ON E.event_id = K.event_id"
                                    " JOIN {rocpd_info_pmc} I ON I.id = E.pmc_id"
                                    " GROUP BY K.id, I.name");
    const char *copies = resolve(d, "SELECT S.string AS name, COUNT(*) AS n, SUM(M.size) AS bytes,"
                                    " SUM(M.\"end\" - M.start) AS ns FROM {rocpd_memory_copy} M"
                                    " JOIN {rocpd_string} S ON S.id = M.name_id GROUP BY 1");
    const char *dispatch = named(d->file, "rocpd_kernel_dispatch"),
               *pmc = named(d->file, "rocpd_pmc_event");
    const struct {
        const char *table;
        void (*take)(struct lore_database *, const struct lore_json *);
    } whole[] = {{"rocpd_metadata", add_metadata}, {"rocpd_info_agent", add_agent},
        {"rocpd_info_node", add_node}};
    struct lore_database_step steps[8];
    size_t n = 0;

    d->tool = "rocprofv3";
    d->timer = "rocprofiler-sdk: dispatch timestamps";
    d->counted = any(d, counters ? lore_format(d->in->arena, "SELECT 1 FROM \"%s\" LIMIT 1",
                                       pmc ? pmc : "counters_collection")
                                 : NULL);
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        const char *table = named(d->file, whole[i].table);
        if (table)
            steps[n++] = (struct lore_database_step){table,
                lore_format(d->in->arena, "SELECT * FROM \"%s\" ORDER BY id LIMIT 256", table),
                whole[i].take, NULL};
    }
    const char *process = named(d->file, "rocpd_info_process");
    if (process) /* its column "environment" has the variables of the process */
        steps[n++] = (struct lore_database_step){process,
            lore_format(d->in->arena, "SELECT command FROM \"%s\" ORDER BY id LIMIT 8", process),
            add_process, "environment variables may hold credentials and are not read"};
    if (kernels)
        steps[n++] =
            (struct lore_database_step){dispatch ? dispatch : "kernels", kernels, add_kernel, NULL};
    if (counters && d->counted)
        steps[n++] = (struct lore_database_step){
            pmc ? pmc : "counters_collection", counters, add_counter, NULL};
    if (copies)
        steps[n++] = (struct lore_database_step){
            named(d->file, "rocpd_memory_copy"), copies, add_copy, NULL};
    enum lore_status status = lore_database_steps(d, steps, n, err);
    /* views were read, so the tables behind them were */
    for (size_t i = 0; i < sizeof read / sizeof *read && status == LORE_OK; i++)
        lore_database_has_read(d, read[i]);
    return status;
}
