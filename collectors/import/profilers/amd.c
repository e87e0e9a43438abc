#include "collectors/import/profilers/amd.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/import/profilers/profilers.h"
#include "service/base/text.h"

#define KERNEL "Kernel_Name|kernel_name|KernelName|name"

/* "vecCopy(double*) [clone .kd]", "… (.kd)", "vecCopy.kd": without the mark of a descriptor. */
static const char *
kernel_name(struct lore_arena *arena, const char *name)
{
    static const char *const ends[] = {" [clone .kd]", " (.kd)", ".kd"};
    size_t n = strlen(name);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t m = strlen(ends[i]);
        if (n > m && strcmp(name + n - m, ends[i]) == 0) {
            n -= m;
            break;
        }
    }
    return lore_strndup(arena, name, n);
}

/* The number at the end of "Agent 4", or the number. */
static int64_t
device_of(const struct lore_json *row)
{
    const char *text = lore_row_text(row, "Agent_Id|agent_abs_index|GPU_ID|gpu-id|agent_id");
    size_t n = text ? strlen(text) : 0;

    while (n > 0 && lore_is_digit(text[n - 1]))
        n--;
    return text && lore_is_digit(text[n]) && strlen(text + n) < 9 ? strtoll(text + n, NULL, 10)
                                                                  : -1;
}

/* Extents by dimension, else the product alone. */
static void
extents(const struct lore_json *row, const char *const by[3], const char *all, int64_t out[3])
{
    bool any = false;

    for (size_t i = 0; i < 3; i++)
        any |= lore_row_i64(row, by[i], &out[i]);
    if (any || !lore_row_i64(row, all, &out[0]))
        for (size_t i = 0; i < 3; i++)
            out[i] = any && out[i] < 1 ? 1 : out[i];
    for (size_t i = 0; i < 3; i++)
        if (out[i] < 0 || out[i] > INT64_C(1) << 40)
            memset(out, 0, 3 * sizeof *out);
}

/* Work-items to blocks. */
static void
to_blocks(struct lore_launch_row *x)
{
    for (size_t i = 0; i < 3; i++)
        if (x->grid[i] > 0 && x->block[i] > 0)
            x->grid[i] = (x->grid[i] + x->block[i] - 1) / x->block[i];
}

static void
times(const struct lore_json *row, struct lore_launch_row *x)
{
    const struct lore_json *start = lore_row_any(row, "Start_Timestamp|start|BeginNs"),
                           *end = lore_row_any(row, "End_Timestamp|end|EndNs");

    x->start_ns = x->dur_ns = -1;
    if (!start || !end || !start->is_int || !end->is_int || start->i < 0 || end->i < start->i)
        return;
    x->start_ns = start->i;
    x->dur_ns = end->i - start->i;
}

bool
lore_amd_launch(const struct lore_json *row, struct lore_arena *arena, struct lore_launch_row *out)
{
    static const char *const grid[] = {"Grid_Size_X|grid_x|grid_size_x",
        "Grid_Size_Y|grid_y|grid_size_y", "Grid_Size_Z|grid_z|grid_size_z"};
    static const char *const block[] = {"Workgroup_Size_X|workgroup_x|workgroup_size_x",
        "Workgroup_Size_Y|workgroup_y|workgroup_size_y",
        "Workgroup_Size_Z|workgroup_z|workgroup_size_z"};
    const char *name = lore_row_text(row, KERNEL);

    *out = (struct lore_launch_row){.id = -1};
    if (!name)
        return false;
    out->kernel = kernel_name(arena, name);
    extents(row, grid, "Grid_Size|grid_size|grd", out->grid);
    extents(row, block, "Workgroup_Size|workgroup_size|wgr", out->block);
    to_blocks(out);
    times(row, out);
    out->device = device_of(row);
    (void)lore_row_i64(row, "Process_Id|pid|PID", &out->process);
    (void)lore_row_i64(row, "Dispatch_Id|Dispatch_ID|dispatch_id|Index", &out->id);
    return true;
}

static const struct {
    const char *metric, *columns;
} resources[] = {
    {"vgpr_count", "VGPR_Count|vgpr_count|Arch_VGPR|arch_vgpr|vgpr"},
    {"accum_vgpr_count", "Accum_VGPR_Count|accum_vgpr_count|Accum_VGPR|accum_vgpr"},
    {"sgpr_count", "SGPR_Count|sgpr_count|SGPR|sgpr"},
    {"lds_size", "LDS_Block_Size|lds_block_size|lds_size|LDS_Per_Workgroup|Group_Segment_Size|lds"},
    {"scratch_size", "Scratch_Size|scratch_size|Scratch_Per_Workitem|Private_Segment_Size|scr"},
};

void
lore_amd_resources(struct lore_launches *l, struct lore_launched *s, const struct lore_json *row)
{
    double v;

    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        if (lore_row_f64(row, resources[i].columns, &v))
            (void)lore_launched_metric(l, s, resources[i].metric, NULL, v);
}

bool
lore_amd_describes(const char *column)
{
    static const char names[] =
        "|Kernel_Name|KernelName|Kernel_ID|Kernel_Id|Dispatch_ID|Dispatch_Id|Index|GPU_ID|gpu-id|"
        "Agent_Id|Queue_Id|Queue_ID|queue-id|queue-index|Stream_Id|Process_Id|Thread_Id|pid|tid|"
        "PID|"
        "TID|Grid_Size|Workgroup_Size|LDS_Per_Workgroup|Scratch_Per_Workitem|Arch_VGPR|Accum_VGPR|"
        "SGPR|Wave_Size|wave_size|sig|obj|Correlation_ID|Correlation_Id|XCC_Index|Start_Timestamp|"
        "End_Timestamp|DispatchNs|CompleteNs|BeginNs|EndNs|grd|wgr|lds|scr|arch_vgpr|accum_vgpr|"
        "sgpr|vgpr|Node|Kind|Guid|Domain|";
    size_t n = strlen(column), end = n;

    while (end > 0 && lore_is_digit(column[end - 1]))
        end--;
    if (end < n && end > 1 && column[end - 1] == '_')
        n = end - 1;
    for (const char *p = names; (p = strchr(p, '|')) && p[1]; p++)
        if (strncmp(p + 1, column, n) == 0 && p[1 + n] == '|')
            return true;
    return false;
}
