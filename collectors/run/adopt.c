#include "collectors/run/adopt.h"

#include <math.h>
#include <string.h>

#include "collectors/run/collect_ids.h"
#include "collectors/run/collect_parts.h"
#include "collectors/run/flags.h"
#include "collectors/run/isa_shape.h"
#include "collectors/run/range_text.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/stats/stats.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { NAME_MAX_BYTES = 200 };
#define SAME_MEDIAN 0.01 /* medians that differ by less are not worth a sentence */

/* ---- the short name ---- */

static bool
is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Remove the name space at the end of B, before its "::". */
static void
drop_space(struct lore_buf *b)
{
    static const char unnamed[] = "(anonymous namespace)";
    size_t n = sizeof unnamed - 1;

    if (b->len >= n && memcmp(b->data + b->len - n, unnamed, n) == 0)
        b->len -= n;
    while (b->len > 0 && is_word(b->data[b->len - 1]))
        b->len--;
}

/* The end of the part of NAME before the arguments: "(" outside of "<>". */
static size_t
before_arguments(const char *name)
{
    int depth = 0;

    for (size_t i = 0; name[i]; i++) {
        if (lore_starts(name + i, "(anonymous namespace)"))
            i += strlen("(anonymous namespace)") - 1;
        else if (name[i] == '<')
            depth++;
        else if (name[i] == '>' && depth > 0)
            depth--;
        else if (name[i] == '(' && depth == 0 && i > 0)
            return i;
    }
    return strlen(name);
}

/* The beginning of the name after the return type: after the last blank outside of brackets. */
static size_t
after_type(const char *name, size_t n)
{
    size_t start = 0;
    int depth = 0;

    for (size_t i = 0; i < n; i++) {
        if (name[i] == '<' || name[i] == '(')
            depth++;
        else if ((name[i] == '>' || name[i] == ')') && depth > 0)
            depth--;
        else if (name[i] == ' ' && depth == 0)
            start = i + 1;
    }
    return start;
}

const char *
lore_kernel_short_name(struct lore_arena *arena, const char *name)
{
    LORE_BUF b = {.max = 64 << 10};
    size_t n = before_arguments(name);

    for (size_t i = after_type(name, n); i < n; i++) {
        if (name[i] == ':' && name[i + 1] == ':') {
            drop_space(&b);
            i++;
        } else if (name[i] != ' ' || name[i + 1] != '>') {
            lore_buf_putc(&b, name[i]);
        }
    }
    return b.len > 0 && lore_buf_status(&b, "a name", NULL) == LORE_OK
               ? lore_strndup(arena, b.data, b.len)
               : name;
}

/* The short name cut to the limit of a kernel's name. A longer one ends in a hash of the whole
 * name, so that two long names stay different. */
static const char *
kernel_name(struct lore_arena *arena, const char *name)
{
    const char *s = lore_kernel_short_name(arena, name);

    if (strlen(s) <= NAME_MAX_BYTES)
        return s;
    const char *id = lore_build_id(arena, 0, "name|%s", name);
    return lore_format(
        arena, "%.*s… %s", (int)lore_utf8_prefix(s, NAME_MAX_BYTES - 16), s, id + 18);
}

/* ---- the range ---- */

static const char *
dims_option(const struct lore_kvs *dims, struct lore_arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < dims->n; i++)
        text = lore_format(arena, "%s%s%s=%s", text, i > 0 ? "," : " --dims ", dims->v[i].key,
            lore_kvs_plain(arena, dims->v[i].value));
    return text;
}

const char *
lore_adopt_proposal(const struct lore_profile_shape *s, struct lore_arena *arena)
{
    struct lore_workload w;

    if (!s->range || lore_range_text_read(s->range, arena, &w, NULL) != LORE_OK)
        return NULL;
    return lore_format(arena, "--operator %s%s%s%s%s%s", w.op, dims_option(&w.dims, arena),
        w.dtype ? " --dtype " : "", w.dtype ? w.dtype : "", w.layout ? " --layout " : "",
        w.layout ? w.layout : "");
}

const char *
lore_adopt_computes(const struct lore_profile_shape *s, struct lore_arena *arena)
{
    struct lore_workload w;

    if (!s->range || lore_range_text_read(s->range, arena, &w, NULL) != LORE_OK)
        return s->range;
    return lore_format(arena, "%s %s", w.op, lore_workload_label(arena, &w));
}

/* ---- the run ---- */

static const char *
place(struct lore_arena *arena, const struct lore_adopted *of)
{
    return lore_format(arena, "line %zu.%zu of profile %s", of->line, of->shape, of->profile->id);
}

/* What the profile kept of the machine code: into the run, and against the claimed techniques. */
static void
add_machine_code(struct lore_collecting *b, const struct lore_profile_line *line,
    const struct lore_profile_shape *s, struct lore_run *run)
{
    const struct lore_isa_claim claim = {.version = run->version,
        .kernel.symbol = line->symbol ? line->symbol : line->kernel,
        .techniques = &b->c->what.techniques};
    LORE_BUF out = {.max = 1 << 20};
    struct lore_isa_facts facts;
    struct lore_jsonw w;

    lore_isa_shape_facts(s, claim.kernel.symbol, b->arena, &facts);
    lore_isa_facts_verify(&facts, &claim, b->arena, b->doc);
    if (s->isa.n == 0)
        return;
    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_w_key(&w, "isa");
    lore_isa_facts_write(&w, &facts, &claim.kernel, b->arena);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        run->extra = lore_strndup(b->arena, out.data, out.len);
}

static void
fill_run(struct lore_collecting *b, const struct lore_adopted *of, struct lore_run *run)
{
    const struct lore_program_profile *p = of->profile;
    const struct lore_profile_line *line = &p->lines[of->line - 1];
    const struct lore_profile_shape *s = &line->shapes[of->shape - 1];
    const struct lore_run_options *w = &b->c->what;
    struct lore_arena *a = b->arena;

    run->role = w->role ? w->role : LORE_ROLE_CANDIDATE;
    run->evidence = s->n_samples > 0 ? LORE_EV_MEASURED : LORE_EV_IMPORTED;
    run->chip = s->chip;
    run->environment = s->environment;
    run->measured_at = p->measured_at;
    run->tool = p->tool;
    run->samples_ns = s->samples_ns;
    run->n_samples = run->cap_samples = s->n_samples;
    run->first_ns = s->first_ns;
    run->metrics = s->metrics;
    lore_collect_text(a, &run->launch, "kernel", line->kernel);
    lore_collect_text(a, &run->launch, "symbol", line->symbol);
    for (size_t i = 0; i < s->launch.n; i++)
        lore_kvs_set(a, &run->launch, s->launch.v[i].key, s->launch.v[i].value);
    for (size_t i = 0; i < p->method.n; i++)
        lore_kvs_set(a, &run->method, p->method.v[i].key, p->method.v[i].value);
    for (size_t i = 0; i < s->method.n; i++)
        lore_kvs_set(a, &run->method, s->method.v[i].key, s->method.v[i].value);
    lore_collect_text(a, &run->method, "adopted", place(a, of));
    add_machine_code(b, line, s, run);
    if (s->median_ns.set)
        lore_kvs_set(a, &run->method, "profile_median_ns", lore_format(a, "%.0f", s->median_ns.v));
    lore_collect_number(a, &run->method, "profile_processes", (uint64_t)s->processes.v);
    run->correctness = (struct lore_correctness){.set = true, .status = LORE_C_NOT_CHECKED};
    run->workload = (struct lore_workload){.set = true,
        .op = lore_operator_name(a, w->op),
        .dims = w->dims,
        .dtype = w->dtype,
        .layout = w->layout};
    run->id = lore_build_id(a, 0, "adopted|%s|%s|%s", place(a, of), run->version,
        lore_workload_text(a, run->workload.op, &run->workload));
}

static enum lore_status
check_operator(const struct lore_adopted *of, struct lore_arena *arena, struct lore_err *err)
{
    const struct lore_program_profile *p = of->profile;
    const struct lore_profile_line *line =
        of->line >= 1 && of->line <= p->n_lines ? &p->lines[of->line - 1] : NULL;
    const char *proposal = line && of->shape >= 1 && of->shape <= line->n_shapes
                               ? lore_adopt_proposal(&line->shapes[of->shape - 1], arena)
                               : NULL;

    (void)lore_fail_at(err, LORE_INVALID, "missing_field", "--operator",
        "adopt needs --operator: what the kernel computes");
    if (proposal)
        lore_err_hint(err, "the range around its launches says %s; add --dtype", proposal);
    else
        lore_err_hint(err, "--operator gemm --dims M=4096,N=4096,K=4096 --dtype bf16");
    return LORE_INVALID;
}

static enum lore_status
check(const struct lore_run_options *what, const struct lore_adopted *of, struct lore_arena *arena,
    struct lore_err *err)
{
    const struct lore_program_profile *p = of->profile;

    if (!what->op)
        return check_operator(of, arena, err);
    if (of->line < 1 || of->line > p->n_lines)
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "LINE",
            "line %zu: the profile has lines 1 to %zu", of->line, p->n_lines);
    const struct lore_profile_line *line = &p->lines[of->line - 1];
    if (of->shape < 1 || of->shape > line->n_shapes)
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "LINE",
            line->n_shapes ? "line %zu has launch shapes %zu.1 to %zu.%zu"
                           : "line %zu has no samples: it is among the shortest kernels",
            of->line, of->line, of->line, line->n_shapes);
    const struct lore_profile_shape *s = &line->shapes[of->shape - 1];
    if (s->n_samples == 0 && s->metrics.n == 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "LINE",
            "line %zu.%zu has neither samples nor metrics", of->line, of->shape);
    return LORE_OK;
}

enum lore_status
lore_adopt_run(const struct lore_run_options *what, const struct lore_adopted *of,
    struct lore_arena *arena, struct lore_submission *out, struct lore_err *err)
{
    struct lore_observations c = {.what = *what};
    struct lore_collecting b = {.c = &c, .arena = arena, .doc = out, .err = err};
    const struct lore_program_profile *p = of->profile;
    const struct lore_program program = {.name = p->program, .content = p->program_hash};
    struct lore_version_spec spec = {.kind = lore_collect_kind(what),
        .label = what->label,
        .summary = what->summary,
        .licence = what->licence,
        .files = what->version_files,
        .program = &program,
        .params = &what->params,
        .build = &what->build};
    const char *version, *content;
    enum lore_status status = check(what, of, arena, err);

    if (status != LORE_OK)
        return status;
    memset(out, 0, sizeof *out);
    out->format = LORE_WIRE_VERSION;
    out->id = lore_build_new_id(arena);
    out->author.name = what->author ? what->author : "warplore run";
    out->author.kind = what->author ? NULL : "collector";
    if (!c.what.kernel)
        c.what.kernel = kernel_name(arena, p->lines[of->line - 1].kernel);
    if (!spec.label && spec.files.n == 0) /* boards show the label */
        spec.label = c.what.kernel;
    spec.kernel = lore_collect_kernel(&b);
    status = lore_collect_version(&b, &spec, &version, &content);
    if (status != LORE_OK)
        return status;
    struct lore_run *run = LORE_PUSH(arena, out->runs, out->n_runs, out->cap_runs);
    run->version = version;
    fill_run(&b, of, run);
    return LORE_OK;
}

const char *
lore_adopt_medians(
    const struct lore_adopted *of, const struct lore_run *run, struct lore_arena *arena)
{
    const struct lore_profile_shape *s = &of->profile->lines[of->line - 1].shapes[of->shape - 1];
    long long launches = (long long)s->launches.v, processes = (long long)s->processes.v;
    const char *of_all = "";
    struct lore_stats own;

    if (run->n_samples == 0)
        return lore_format(
            arena, "%zu metrics and no time: its launches were slowed by counting", run->metrics.n);
    lore_stats(run->samples_ns, run->n_samples, arena, &own);
    if (s->median_ns.set && fabs(s->median_ns.v - own.median) > SAME_MEDIAN * own.median)
        of_all =
            lore_format(arena, "; the profile's %s is over all %lld launches of %lld process%s",
                lore_flags_time(arena, s->median_ns.v), launches, processes,
                processes == 1 ? "" : "es");
    return lore_format(arena, "median %s over %zu samples%s%s", lore_flags_time(arena, own.median),
        run->n_samples, processes > 1 ? " of the process with the most time" : "", of_all);
}
