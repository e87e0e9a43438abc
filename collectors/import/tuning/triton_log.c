/* Reads what Triton's autotuner prints (TRITON_PRINT_AUTOTUNING=1) among other lines of a log:
 *
 *   Triton autotuning for function add finished after 0.48s; best config selected: BLOCK: 128, …;
 *   Triton autotuning for function add,          (newer)
 *   with key as (4096, 'torch.float16'),
 *   finished after 0.48s,
 *   best config selected: BLOCK: 128, num_warps: 4, …;
 *   Triton autotuning benchmark results for function add:
 *     config=BLOCK: 128, …; p50=0.0100 ms, p20=0.0090 ms, p80=0.0110 ms
 *
 * A best configuration is a version of its kernel: no time is printed with it. Benchmark results
 * are a sweep. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/take.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/tuning/search.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define SYSTEM "triton-autotune"
#define SELECTED "Triton autotuning for function "
#define RESULTS "Triton autotuning benchmark results for function "
#define BEST "best config selected: "

struct log {
    struct lore_search search;
    struct lore_search_place place;
    size_t line; /* of the text at `seen` */
    const char *seen, *chip;
    size_t selected;
};

bool
lore_triton_log_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    const char *says = f && f->utf8 && !f->root ? strstr(f->text, SELECTED) : NULL;

    return says && strstr(says, BEST);
}

static size_t
line_of(struct log *l, const char *at)
{
    for (; l->seen < at; l->seen++)
        l->line += *l->seen == '\n';
    return l->line;
}

/* ---- a configuration: "BLOCK: 128, num_warps: 4, maxnreg: None" ---- */

static const char *
value_of(struct lore_arena *arena, const char *text)
{
    if (lore_streq(text, "True") || lore_streq(text, "False"))
        return lore_streq(text, "True") ? "true" : "false";
    return lore_build_scalar(arena, text);
}

static void
read_config(struct log *l, const char *text, size_t len, struct lore_search_config *c)
{
    struct lore_arena *arena = &l->search.scratch;
    char *all = lore_strndup(arena, text, len), *next = all;

    for (char *item = all; item; item = next) {
        next = strstr(item, ", ");
        if (next) {
            *next = '\0';
            next += 2;
        }
        char *colon = strstr(item, ": ");
        if (!colon || colon == item)
            continue;
        *colon = '\0';
        if (strcmp(colon + 2, "None") != 0)
            lore_search_param(&l->search, c, item, value_of(arena, colon + 2));
    }
}

/* ---- the best configuration of a kernel ---- */

static const char *
name_kernel(struct log *l, const char *text)
{
    struct lore_import *in = l->search.in;
    size_t len = strcspn(text, " ,:\n");

    l->place = (struct lore_search_place){.language = LORE_LANG_TRITON, .chip = l->chip};
    l->place.symbol = lore_strndup(in->arena, text, len);
    l->place.kernel = lore_tuning_kernel(in, l->place.symbol, &l->place.op);
    return text + len;
}

/* The text between WORD and any of ENDS, within P … LIMIT, as JSON; NULL: it is not there. */
static const char *
between(
    struct lore_arena *arena, const char *p, const char *limit, const char *word, const char *ends)
{
    const char *at = memmem(p, (size_t)(limit - p), word, strlen(word));

    if (!at)
        return NULL;
    at += strlen(word);
    size_t len = strcspn(at, ends);
    return lore_build_json_text(
        arena, lore_strndup(arena, at, len < (size_t)(limit - at) ? len : (size_t)(limit - at)));
}

/* What is said around the configuration: for which key, how long the search took. */
static const char *
said_of(struct lore_arena *arena, const char *from, const char *best)
{
    struct lore_named parts[] = {{"key", between(arena, from, best, "with key as ", "\n")},
        {"finished_after", between(arena, from, best, "finished after ", ";,\n")},
        {"selected", between(arena, best, best + strcspn(best, "\n"), ";", "\n")}};

    return lore_take_extra(arena, parts, 3);
}

static const char *
read_selected(struct log *l, const char *p)
{
    struct lore_import *in = l->search.in;
    struct lore_search_config c = {.measured_at = NULL};
    struct lore_err err = {0};
    const char *rest = name_kernel(l, p + strlen(SELECTED)), *next = strstr(rest, SELECTED);
    const char *limit = next ? next : rest + strlen(rest);
    const char *best = memmem(rest, (size_t)(limit - rest), BEST, strlen(BEST));

    in->records++;
    if (!best) {
        lore_import_refuse_line(in, line_of(l, p), "\"%s\" is missing", BEST);
        return rest;
    }
    size_t len = strcspn(best, ";\n");
    read_config(l, best + strlen(BEST), len - strlen(BEST), &c);
    l->place.variant = said_of(in->arena, rest, best);
    c.best = c.n_params > 0;
    c.place = lore_search_place(&l->search, &l->place);
    if (lore_search_add(&l->search, &c, &err) != LORE_OK)
        lore_search_refuse(&l->search, NULL, line_of(l, best), &err);
    l->selected += c.best;
    return best + len;
}

/* ---- times ---- */

/* The number behind NAME= in LINE, in milliseconds; 0: there is none. */
static double
time_of(struct lore_arena *arena, const char *line, const char *name)
{
    const char *at = strstr(line, name);
    double ms = 0;

    if (!at)
        return 0;
    at += strlen(name);
    const char *number = lore_strndup(arena, at, strcspn(at, " ,\n"));
    return lore_parse_f64(number, name, &ms, NULL) == LORE_OK ? ms : 0;
}

static void
read_timed(struct log *l, const char *line, size_t len)
{
    struct lore_import *in = l->search.in;
    struct lore_arena *scratch = &l->search.scratch;
    struct lore_search_config c = {.measured_at = NULL};
    const char *text = lore_strndup(scratch, line, len), *end = strchr(text, ';');
    static const char *const names[] = {"p20", "p80"};
    struct lore_err err = {0};

    in->records++;
    read_config(l, text, end ? (size_t)(end - text) : len, &c);
    c.time_ms = time_of(scratch, text, "p50=");
    for (size_t i = 0; i < 2; i++) {
        char digits[32];
        double v = time_of(scratch, text, lore_format(scratch, "%s=", names[i]));
        (void)lore_f64_text(v, digits);
        if (v > 0)
            (void)lore_search_value(&l->search, &c, names[i], "ms", lore_strdup(scratch, digits));
    }
    c.place = lore_search_place(&l->search, &l->place);
    if (lore_search_add(&l->search, &c, &err) != LORE_OK)
        lore_search_refuse(&l->search, NULL, line_of(l, line), &err);
}

static const char *
read_results(struct log *l, const char *p)
{
    static const char config[] = "config=";

    p = name_kernel(l, p + strlen(RESULTS));
    p += strcspn(p, "\n");
    while (*p == '\n') {
        const char *line = p + 1 + strspn(p + 1, " \t");
        size_t len = strcspn(line, "\n");
        if (!lore_starts(line, config))
            break;
        read_timed(l, line + sizeof config - 1, len - (sizeof config - 1));
        p = line + len;
    }
    return p;
}

enum lore_status
lore_triton_log_read(struct lore_import *in, struct lore_err *err)
{
    struct log *l = lore_alloc(in->arena, sizeof *l);

    if (!in->at || !in->at->utf8)
        return lore_fail(err, LORE_INVALID, "expected lines \"%s…\"", SELECTED);
    lore_search_begin(&l->search, in, SYSTEM);
    l->search.statistic = "median";
    l->seen = in->text;
    l->line = 1;
    l->chip = lore_tuning_chip(in, NULL, NULL);
    for (const char *p = in->text; (p = strstr(p, "Triton autotuning ")) != NULL;) {
        if (lore_starts(p, SELECTED))
            p = read_selected(l, p);
        else if (lore_starts(p, RESULTS))
            p = read_results(l, p);
        else
            p++;
    }
    if (l->selected > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: %zu best configurations have no time; they are versions and a sweep without times",
            in->file, l->selected);
    lore_import_note(in, LORE_IL_EXTRA,
        "%s: other lines, also \"Autotuning kernel\", are in the file only", in->file);
    lore_search_end(&l->search);
    if (in->records == 0)
        return lore_fail(err, LORE_INVALID, "the log has no line \"%s…\"", SELECTED);
    return LORE_OK;
}
