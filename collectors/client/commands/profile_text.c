#include "collectors/client/commands/profile_text.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/client/screen/print.h"
#include "collectors/run/adopt.h"
#include "collectors/run/isa_shape.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { PROCESSES_SHOWN = 8, NAME_SHOWN = 110, COMPUTES_SHOWN = 60 };

static double
share(const struct lore_program_profile *p, int64_t ns)
{
    return p->total_ns.v > 0 ? 100.0 * (double)ns / (double)p->total_ns.v : 0;
}

static const char *
pct(struct lore_cli *cli, double v)
{
    return lore_format(cli->arena, v >= 0.05 || v <= 0 ? "%.1f %%" : "<0.1 %%", v);
}

static const char *
ns_text(struct lore_cli *cli, int64_t ns)
{
    return lore_answer_show_ns(cli, (double)ns);
}

static const char *
size_text(struct lore_cli *cli, int64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double v = (double)bytes;
    size_t i = 0;

    for (; v >= 1000 && i + 1 < sizeof units / sizeof *units; i++)
        v /= 1000;
    return lore_format(cli->arena, i == 0 ? "%.0f %s" : "%.1f %s", v, units[i]);
}

/* "132x8" of a grid or block; trailing dimensions of 1 are left out. */
static const char *
extent(struct lore_cli *cli, const struct lore_profile_shape *s, const char *key)
{
    const char *value = lore_kvs_get(&s->launch, key);
    char *text = value ? lore_strdup(cli->arena, lore_kvs_plain(cli->arena, value)) : NULL;
    size_t n = text ? strlen(text) : 0;

    while (n > 2 && strcmp(text + n - 2, "x1") == 0)
        text[n -= 2] = 0;
    return text;
}

/* ---- the first screen ---- */

static void
print_head(struct lore_cli *cli, const struct lore_program_profile *p)
{
    const char *device = p->n_processes ? p->processes[0].device : NULL;
    struct lore_buf *out = &cli->out;
    bool same = true;

    for (size_t i = 1; i < p->n_processes; i++)
        same = same && lore_streq(p->processes[i].device, device);
    lore_buf_printf(out, "profile %s: %s", p->id, lore_print_clean(cli, p->program));
    lore_buf_printf(out, ", %s",
        lore_answer_show_count(cli, (long long)p->n_processes, "process", "processes"));
    if (device && same)
        lore_buf_printf(out, " on %s", lore_print_clean(cli, device));
    else if (p->chip)
        lore_buf_printf(out, same ? " on %s" : " on several devices, most on %s", p->chip);
    lore_buf_puts(out, "\n");
    if (p->error.set)
        lore_buf_printf(out, "%s\n", lore_print_clean(cli, p->error.message));
    if (p->launches.v == 0) {
        lore_buf_puts(out, "it has no kernels\n");
        return;
    }
    lore_buf_printf(out, "%s of %s",
        lore_answer_show_count(cli, p->launches.v, "launch", "launches"),
        lore_answer_show_count(cli, p->kernels.v, "kernel", "kernels"));
    if (p->total_ns.v > 0)
        lore_buf_printf(out, " took %s of GPU time", ns_text(cli, p->total_ns.v));
    else
        lore_buf_puts(out, ", not timed");
    if (p->idle_pct.set)
        lore_buf_printf(out, "; GPU idle %s of the time between first and last kernel%s",
            pct(cli, p->idle_pct.v), p->n_processes > 1 ? ", mean of the processes" : "");
    lore_buf_puts(out, "\n");
}

/* "186.2 ms to 190.1 ms": least and most of one process; "1 of 2" when only one launched it. */
static const char *
of_processes(struct lore_cli *cli, const struct lore_program_profile *p,
    const struct lore_profile_line *line)
{
    const char *least = ns_text(cli, line->process_min_ns.v);
    const char *most = ns_text(cli, line->process_max_ns.v);

    if (line->processes.v < (int64_t)p->n_processes)
        return lore_format(cli->arena, "%lld of %zu", (long long)line->processes.v, p->n_processes);
    return lore_streq(least, most) ? least : lore_format(cli->arena, "%s to %s", least, most);
}

static const char *
computes(struct lore_cli *cli, const struct lore_profile_shape *s)
{
    const char *text = lore_adopt_computes(s, cli->arena);
    size_t n = text ? strlen(text) : 0;

    return n <= COMPUTES_SHOWN ? text
                               : lore_format(cli->arena, "%.*s…",
                                     (int)lore_utf8_prefix(text, COMPUTES_SHOWN), text);
}

static void
line_cells(struct lore_cli *cli, struct lore_table *t, const struct lore_program_profile *p,
    size_t i, bool with_computes)
{
    const struct lore_profile_line *line = &p->lines[i];
    const struct lore_profile_shape *s = line->n_shapes ? &line->shapes[0] : NULL;
    const char *grid = s ? extent(cli, s, "grid") : NULL;

    lore_table_cell(cli, t, lore_format(cli->arena, "%zu", i + 1));
    lore_table_cell(cli, t, pct(cli, share(p, line->total_ns.v)));
    lore_table_cell(cli, t, ns_text(cli, line->total_ns.v));
    lore_table_cell(cli, t, lore_format(cli->arena, "%lld", (long long)line->launches.v));
    lore_table_cell(
        cli, t, line->median_ns.set ? lore_answer_show_ns(cli, line->median_ns.v) : NULL);
    if (p->n_processes > 1)
        lore_table_cell(cli, t, of_processes(cli, p, line));
    if (line->n_shapes > 1)
        grid = lore_format(cli->arena, "%s (+%zu)", grid, line->n_shapes - 1);
    lore_table_cell(cli, t, grid);
    lore_table_cell(cli, t, s ? extent(cli, s, "block") : NULL);
    if (with_computes)
        lore_table_cell(cli, t, s ? computes(cli, s) : NULL);
    const char *name = lore_kernel_short_name(cli->arena, line->kernel);
    size_t n = strlen(name);
    lore_table_cell(cli, t,
        n <= NAME_SHOWN
            ? name
            : lore_format(cli->arena, "%.*s…", (int)lore_utf8_prefix(name, NAME_SHOWN), name));
}

static void
print_lines(struct lore_cli *cli, const struct lore_program_profile *p, size_t most)
{
    static const struct lore_print_column columns[] = {{"line", true, false, false},
        {"share", true, false, false}, {"total", true, false, false},
        {"launches", true, false, false}, {"median", true, false, false},
        {"per process", true, false, true}, {"grid", false, false, true},
        {"block", false, false, true}, {"computes", false, false, true},
        {"kernel", false, true, false}};
    enum { N = sizeof columns / sizeof *columns, PER_PROCESS = 5, COMPUTES = 8 };
    struct lore_print_column own[N];
    struct lore_table t = {.columns = own};
    size_t n = p->n_lines < most ? p->n_lines : most;
    int64_t shown = 0;
    bool computes = false;

    for (size_t i = 0; i < n && !computes; i++)
        computes = p->lines[i].n_shapes > 0 && p->lines[i].shapes[0].range;
    for (size_t c = 0; c < N; c++)
        if ((c != PER_PROCESS || p->n_processes > 1) && (c != COMPUTES || computes))
            own[t.n_columns++] = columns[c];
    for (size_t i = 0; i < n; i++) {
        line_cells(cli, &t, p, i, computes);
        shown += p->lines[i].total_ns.v;
    }
    if (n > 0)
        lore_table_print(cli, &t);
    if ((size_t)p->kernels.v > n)
        lore_buf_printf(&cli->out, "and %s with %s of the time%s\n",
            lore_answer_show_count(cli, p->kernels.v - (long long)n, "more kernel", "more kernels"),
            pct(cli, share(p, p->total_ns.v - shown)), n < p->n_lines ? " (--all)" : "");
}

static void
print_copies(struct lore_cli *cli, const struct lore_program_profile *p)
{
    for (size_t i = 0; i < p->n_copies; i++) {
        const struct lore_profile_copy *c = &p->copies[i];
        bool fill = lore_streq(c->kind, "fill");
        lore_buf_printf(&cli->out, "%s%s %lld times, %s, %s",
            i ? "; " : "copies: ", fill ? "fills" : lore_answer_show_word(cli, c->kind),
            (long long)c->count.v, size_text(cli, c->bytes.v), ns_text(cli, c->total_ns.v));
    }
    if (p->n_copies > 0)
        lore_buf_puts(&cli->out, "\n");
}

/* Clocks of the device while the longest kernel ran. */
static void
print_clocks(struct lore_cli *cli, const struct lore_program_profile *p)
{
    const struct lore_kvs *m =
        p->n_lines && p->lines[0].n_shapes ? &p->lines[0].shapes[0].method : NULL;
    const char *low = m ? lore_kvs_get(m, "sm_clock_mhz_min") : NULL;
    const char *high = m ? lore_kvs_get(m, "sm_clock_mhz_max") : NULL;
    const char *throttle = m ? lore_kvs_get(m, "throttle") : NULL;

    if (low && high)
        lore_buf_printf(&cli->out, "SM clock %s to %s MHz%s%s\n", low, high,
            throttle && !lore_streq(throttle, "\"none\"") ? "; throttled: " : "",
            throttle && !lore_streq(throttle, "\"none\"")
                ? lore_print_clean(cli, lore_kvs_plain(cli->arena, throttle))
                : "");
}

static void
print_processes(struct lore_cli *cli, const struct lore_program_profile *p)
{
    for (size_t i = 0; p->n_processes > 1 && i < p->n_processes && i < PROCESSES_SHOWN; i++) {
        const struct lore_profile_process *one = &p->processes[i];
        lore_buf_printf(&cli->out,
            "process %zu: %lld launches, %s of GPU time in %s, idle %s%s%s\n", i + 1,
            (long long)one->launches.v, ns_text(cli, one->total_ns.v), ns_text(cli, one->span_ns.v),
            pct(cli, one->span_ns.v > 0
                         ? 100 * (1 - (double)one->busy_ns.v / (double)one->span_ns.v)
                         : 0),
            one->device ? ", " : "", one->device ? lore_print_clean(cli, one->device) : "");
    }
    if (p->n_processes > PROCESSES_SHOWN)
        lore_buf_printf(&cli->out, "and %zu more processes\n", p->n_processes - PROCESSES_SHOWN);
}

/* What to do next, with the first line whose range says what it computes. */
static void
print_next(struct lore_cli *cli, const struct lore_program_profile *p)
{
    const char *options = "--operator gemm --dims M=4096,N=4096,K=4096", *proposal = NULL;
    const char *place = "1";

    for (size_t i = 0; i < p->n_lines && !proposal; i++) {
        if (p->lines[i].n_shapes == 0)
            continue;
        proposal = lore_adopt_proposal(&p->lines[i].shapes[0], cli->arena);
        if (proposal)
            place = lore_format(cli->arena, "%zu.1", i + 1);
    }
    if (p->n_lines > 0)
        lore_buf_printf(&cli->out,
            "launch shapes of a line: warplore profile %s --line 1\n"
            "a line as a run:         warplore adopt %s %s %s --dtype bf16\n",
            p->id, p->id, place, proposal ? proposal : options);
}

/* Lists that an importer kept beside the kernels: calls of an API, advice of a profiler. */
static void
print_kept(struct lore_cli *cli, const struct lore_program_profile *p)
{
    struct lore_json *extra = NULL;
    bool first = true;

    if (!p->extra ||
        lore_json_parse(p->extra, strlen(p->extra), NULL, cli->arena, &extra, NULL) != LORE_OK)
        return;
    for (const struct lore_json *m = extra->child; m; m = m->next) {
        if (m->type != LORE_J_ARRAY || m->len == 0)
            continue;
        lore_buf_printf(&cli->out, "%s%s %u", first ? "also kept, in --json: " : ", ",
            lore_print_clean(cli, m->key), m->len);
        first = false;
    }
    if (!first)
        lore_buf_puts(&cli->out, "\n");
}

void
lore_profile_print(
    struct lore_cli *cli, const struct lore_program_profile *p, size_t most, struct lore_buf *out)
{
    struct lore_buf saved = cli->out; /* tables are printed to cli->out */
    bool swap = out != &cli->out;

    if (swap)
        cli->out = *out;
    print_head(cli, p);
    print_lines(cli, p, most);
    print_copies(cli, p);
    print_clocks(cli, p);
    print_processes(cli, p);
    print_kept(cli, p);
    print_next(cli, p);
    if (!swap)
        return;
    *out = cli->out;
    cli->out = saved;
}

/* ---- one line ---- */

static const char *
fact(struct lore_cli *cli, const struct lore_profile_shape *s, const char *key)
{
    const char *value = lore_kvs_get(&s->launch, key);

    return value ? lore_kvs_plain(cli->arena, value) : NULL;
}

/* What the machine code of a launch shape shows, or why there is none; nothing when it is as that
 * of the shape before. */
static void
print_code(struct lore_cli *cli, const struct lore_profile_line *line, size_t nth, size_t i)
{
    const struct lore_profile_shape *s = &line->shapes[i];
    const char *why = lore_kvs_get(&s->isa, "unavailable"), *text;
    char own[33], before[33];

    if (s->isa.n == 0)
        return;
    lore_kvs_hash(why ? &s->isa : &s->forms, own);
    if (i > 0) {
        const struct lore_profile_shape *last = &line->shapes[i - 1];
        lore_kvs_hash(why ? &last->isa : &last->forms, before);
        if (strcmp(own, before) == 0)
            return;
    }
    const struct lore_texts shown =
        lore_isa_shape_shows(s, line->symbol ? line->symbol : line->kernel, cli->arena);
    text = why ? lore_kvs_plain(cli->arena, why)
               : lore_format(cli->arena, "%s instructions for %s",
                     lore_kvs_get(&s->isa, "instructions"),
                     lore_kvs_get(&s->isa, "target")
                         ? lore_kvs_plain(cli->arena, lore_kvs_get(&s->isa, "target"))
                         : "its chip");
    for (size_t k = 0; k < shown.n; k++)
        text = lore_format(cli->arena, "%s%s%s", text, k > 0 ? ", " : "; they show ", shown.v[k]);
    lore_print_wrapped(cli, lore_format(cli->arena, "machine code of %zu.%zu: ", nth, i + 1), 4,
        lore_print_clean(cli, text));
}

void
lore_profile_print_line(struct lore_cli *cli, const struct lore_program_profile *p, size_t nth)
{
    static const struct lore_print_column columns[] = {{"line", true, false, false},
        {"share", true, false, false}, {"total", true, false, false},
        {"launches", true, false, false}, {"median", true, false, false},
        {"least", true, false, true}, {"most", true, false, true}, {"grid", false, false, false},
        {"block", false, false, false}, {"registers", true, false, true},
        {"dynamic shared", true, false, true}, {"computes", false, true, false}};
    struct lore_table t = LORE_TABLE(columns);
    const struct lore_profile_line *line = &p->lines[nth - 1];
    const char *dynamic;
    bool in_ranges = false;

    for (size_t i = 0; i < line->n_shapes && !in_ranges; i++)
        in_ranges = line->shapes[i].range != NULL;
    t.n_columns -= !in_ranges;

    lore_print_wrapped(cli, "kernel: ", 8, lore_print_clean(cli, line->kernel));
    for (size_t i = 0; i < line->n_shapes; i++) {
        const struct lore_profile_shape *s = &line->shapes[i];
        lore_table_cell(cli, &t, lore_format(cli->arena, "%zu.%zu", nth, i + 1));
        lore_table_cell(cli, &t, pct(cli, share(p, s->total_ns.v)));
        lore_table_cell(cli, &t, ns_text(cli, s->total_ns.v));
        lore_table_cell(cli, &t, lore_format(cli->arena, "%lld", (long long)s->launches.v));
        lore_table_cell(
            cli, &t, s->median_ns.set ? lore_answer_show_ns(cli, s->median_ns.v) : NULL);
        lore_table_cell(cli, &t, ns_text(cli, s->min_ns.v));
        lore_table_cell(cli, &t, ns_text(cli, s->max_ns.v));
        lore_table_cell(cli, &t, extent(cli, s, "grid"));
        lore_table_cell(cli, &t, extent(cli, s, "block"));
        lore_table_cell(cli, &t, fact(cli, s, "registers_per_thread"));
        dynamic = fact(cli, s, "dynamic_shared_bytes");
        lore_table_cell(cli, &t, dynamic ? lore_format(cli->arena, "%s B", dynamic) : NULL);
        if (in_ranges)
            lore_table_cell(cli, &t, computes(cli, s));
    }
    if (line->n_shapes > 0)
        lore_table_print(cli, &t);
    for (size_t i = 0; i < line->n_shapes; i++)
        print_code(cli, line, nth, i);
}

/* ---- reading an answer ---- */

bool
lore_profile_read_line(const char *text, size_t *line, size_t *shape)
{
    char *end;
    long a = strtol(text, &end, 10), b = 0;

    if (end != text && *end == '.')
        b = strtol(end + 1, &end, 10);
    if (end == text || *end || a < 1 || a > 100000 || b < 0 || b > 100000)
        return false;
    *line = (size_t)a;
    *shape = (size_t)b;
    return true;
}

enum lore_status
lore_profile_read(struct lore_cli *cli, const struct lore_json *answer,
    struct lore_program_profile *out, struct lore_err *err)
{
    LORE_BUF text = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_submission doc = {0};
    struct lore_json *root = NULL;
    struct lore_jsonw w;
    bool required;
    const char *name;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "warplore", LORE_WIRE_VERSION);
    lore_w_kstr(&w, "id", lore_build_new_id(cli->arena));
    lore_w_key(&w, "profiles");
    lore_w_arr(&w);
    lore_w_obj(&w);
    for (size_t i = 0; (name = lore_kind_field(LORE_K_PROFILE, i, &required)); i++) {
        const struct lore_json *member = lore_json_get(answer, name);
        if (!member)
            continue;
        lore_w_key(&w, name);
        lore_w_node(&w, member);
    }
    lore_w_obj_end(&w);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        status = lore_json_parse(text.data, text.len, &lore_wire_limits, cli->arena, &root, err);
    if (status == LORE_OK)
        status = lore_wire_decode(root, cli->arena, &doc, err);
    if (status == LORE_OK)
        *out = doc.profiles[0];
    return status;
}

int
lore_profile_show(struct lore_cli *cli, const struct lore_json *answer)
{
    struct lore_program_profile p;
    struct lore_err err = {0};

    if (lore_profile_read(cli, answer, &p, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_SERVICE, &err);
    lore_profile_print(cli, &p, LORE_PROFILE_SHOWN, &cli->out);
    return LORE_EXIT_OK;
}
