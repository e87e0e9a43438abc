/* rocprofv3 counts every dispatch and writes a table, one row for a dispatch and counter, whose
 * instances it has summed. Its CSV is read, because every version writes it: the database came with
 * ROCm 7. A row has the sizes of grid and work-group in work-items, as one number each. */
#include "collectors/run/rocprofv3.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/capture/capture_env.h"
#include "collectors/import/profilers/amd.h"
#include "collectors/import/profilers/profilers.h"
#include "collectors/import/rows.h"
#include "collectors/run/app_replay.h"
#include "collectors/run/isa_facts.h"
#include "collectors/run/trace_counters.h"
#include "service/base/text.h"

bool
lore_rocprofv3_is_needed(const struct lore_trace *t)
{
    bool refused = false;

    for (size_t i = 0; i < t->n_states; i++)
        refused = refused || t->states[i].code == LORE_CAP_VENDOR_ERROR ||
                  t->states[i].code == LORE_CAP_VENDOR_TOO_OLD;
    return refused && t->n_groups == 0;
}

/* ---- the table ---- */

static int64_t
product(const int64_t v[3])
{
    return v[0] * (v[1] > 0 ? v[1] : 1) * (v[2] > 0 ? v[2] : 1);
}

/* Whether G was launched as the row says. */
static bool
same_launch(const struct lore_trace_group *g, const struct lore_launch_row *x)
{
    const uint32_t *grid = g->shape.grid, *block = g->shape.block;
    const int64_t blocks[] = {grid[0], grid[1], grid[2]},
                  threads[] = {block[0], block[1], block[2]};

    return lore_streq(x->kernel, g->symbol) && product(x->grid) == product(blocks) &&
           product(x->block) == product(threads);
}

struct counting {
    const struct lore_launch *l;
    const struct lore_trace *timed;
    struct lore_arena *arena;
    struct lore_trace *out;
    int64_t *seen; /* launches of each timed group in this table */
};

/* Add a row's value as a group of its own; lore_trace_join puts them together. */
static void
take_row(struct counting *c, const struct lore_json *row)
{
    int64_t given = c->l->capture.counter_launches, most = given > 0 ? given : LORE_COUNT_LAUNCHES;
    LORE_SCRATCH scratch = {0};
    const char *counter = lore_row_text(row, "Counter_Name");
    struct lore_launch_row x;
    double value;

    if (!counter || !lore_row_f64(row, "Counter_Value", &value) ||
        !lore_amd_launch(row, &scratch, &x))
        return;
    for (size_t i = 0; i < c->timed->n_groups; i++) {
        struct lore_trace_group g = c->timed->groups[i];
        if (!same_launch(&g, &x))
            continue;
        int64_t nth = c->seen[i]++ - c->l->capture.counter_skip;
        if (nth < 0 || nth >= most)
            return;
        g.counters = NULL;
        g.n_counters = g.cap_counters = 0;
        lore_trace_counters_add(&g, lore_strdup(c->arena, counter), value, c->arena);
        *LORE_PUSH(c->arena, c->out->groups, c->out->n_groups, c->out->cap_groups) = g;
        return;
    }
}

/* What cannot be read has no counters, and their metrics say that they were not collected. */
static void
read_table(struct counting *c, const char *path)
{
    struct lore_import_file file = {.path = path};
    struct lore_import in = {.arena = c->arena, .at = &file, .file = path, .text = ""};
    LORE_ROWS rows = {0};
    struct lore_err ignored;
    struct stat st;

    c->seen = lore_alloc(c->arena, (c->timed->n_groups + 1) * sizeof *c->seen);
    file.from =
        (struct lore_bytes){.disk = path, .size = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0};
    if (lore_rows_csv(&in, ',', "Counter_Name", &rows, &ignored) == LORE_OK)
        while (lore_rows_next(&rows))
            take_row(c, rows.row);
}

/* ---- running it ---- */

static char found[4096]; /* the table below the folder that is searched */

static int
look(const char *path, const struct stat *st, int type, struct FTW *at)
{
    static const char end[] = "counter_collection.csv";
    size_t n = strlen(path);

    (void)st, (void)at;
    if (type != FTW_F || n < sizeof end || n >= sizeof found ||
        strcmp(path + n - (sizeof end - 1), end) != 0)
        return 0;
    memcpy(found, path, n + 1);
    return 1;
}

static enum lore_status
count_one(struct counting *c, const char *tool, const char *name, struct lore_err *err)
{
    static const char *const before[] = {
        "--pmc", NULL, "--mangled-kernels", "--output-format", "csv", "-d", NULL, "--"};
    enum { NAME = 2, FOLDER = 7, WORDS = 9 };
    struct lore_launch one = *c->l;
    struct lore_launch_result result;
    size_t n = 0;

    while (c->l->argv[n])
        n++;
    char **argv = lore_alloc_array(c->arena, n + WORDS + 1, sizeof *argv);
    argv[0] = lore_strdup(c->arena, tool);
    for (size_t i = 1; i < WORDS; i++)
        argv[i] = before[i - 1] ? lore_strdup(c->arena, before[i - 1]) : NULL;
    argv[NAME] = lore_strdup(c->arena, name);
    argv[FOLDER] = lore_format(c->arena, "%s/rocprofv3-%s", c->l->capture.dir, name);
    memcpy(argv + WORDS, c->l->argv, n * sizeof *argv);
    one.argv = argv;
    enum lore_status status = lore_launch_run(&one, &result, err);
    found[0] = '\0';
    if (status == LORE_OK && nftw(argv[FOLDER], look, 16, FTW_PHYS) == 1)
        read_table(c, found);
    return status;
}

enum lore_status
lore_rocprofv3_count(const struct lore_launch *l, const struct lore_trace *timed,
    struct lore_arena *arena, struct lore_trace *out, struct lore_err *err)
{
    struct counting c = {.l = l, .timed = timed, .arena = arena, .out = out};
    const char *tool = lore_isa_tool_find(arena, "rocprofv3"), *names = l->capture.counters;
    enum lore_status status = LORE_OK;

    if (!tool)
        return lore_fail(err, LORE_NOTFOUND, "rocprofv3 was not found in PATH");
    while (*names && status == LORE_OK) {
        size_t n = strcspn(names, ",");
        status = count_one(&c, tool, lore_strndup(arena, names, n), err);
        names += n + (names[n] == ',');
    }
    lore_trace_join(out, arena);
    if (out->n_groups > 0)
        *LORE_PUSH(arena, out->states, out->n_states, out->cap_states) = (struct lore_trace_state){
            .code = LORE_CAP_COUNTER_PARTIAL, .text = "they were counted by rocprofv3 instead"};
    return status;
}
