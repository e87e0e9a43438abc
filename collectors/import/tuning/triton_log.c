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
#include "collectors/import/window.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define SYSTEM "triton-autotune"
#define SELECTED "Triton autotuning for function "
#define RESULTS "Triton autotuning benchmark results for function "
#define BEST "best config selected: "

enum { BLOCK_LINES = 8, MAX_LINE = 64 << 10 };

struct log {
    struct lore_search search;
    struct lore_search_place place;
    const char *chip;
    struct lore_buf block; /* from "Triton autotuning for function" to its best configuration */
    size_t line, lines;    /* of the block: its first line, and how many */
    bool results;          /* in a list of benchmark results of `place` */
    size_t selected;
};

bool
lore_triton_log_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    const char *says = f && f->utf8 && !lore_import_json(f) ? strstr(f->head, SELECTED) : NULL;

    return says && strstr(says, BEST);
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

/* Read the key and the duration of the search from the text around the configuration. */
static const char *
said_of(struct lore_arena *arena, const char *from, const char *best)
{
    struct lore_named parts[] = {{"key", between(arena, from, best, "with key as ", "\n")},
        {"finished_after", between(arena, from, best, "finished after ", ";,\n")},
        {"selected", between(arena, best, best + strcspn(best, "\n"), ";", "\n")}};

    return lore_take_extra(arena, parts, 3);
}

/* The block is complete, or does not get a best configuration. */
static void
end_block(struct log *l)
{
    struct lore_import *in = l->search.in;
    struct lore_search_config c = {.measured_at = NULL};
    const char *block = l->block.len > 0 ? l->block.data : NULL;
    struct lore_err err = {0};

    if (!block)
        return;
    in->records++;
    const char *rest = name_kernel(l, block + strlen(SELECTED)), *best = strstr(rest, BEST);
    if (best) {
        read_config(l, best + strlen(BEST), strcspn(best, ";\n") - strlen(BEST), &c);
        l->place.variant = said_of(in->arena, rest, best);
        c.best = c.n_params > 0;
        c.place = lore_search_place(&l->search, &l->place);
    }
    if (!best)
        lore_import_refuse_line(in, l->line, "\"%s\" is missing", BEST);
    else if (lore_search_add(&l->search, &c, &err) != LORE_OK)
        lore_search_refuse_line(&l->search, l->line, &err);
    l->selected += c.best;
    lore_buf_reset(&l->block);
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
read_timed(struct log *l, const char *line, size_t len, size_t number)
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
        lore_search_refuse_line(&l->search, number, &err);
}

/* ---- lines ---- */

/* What begins at P, in a line. */
static void
begin(struct log *l, const char *p, size_t number)
{
    end_block(l);
    l->results = lore_starts(p, RESULTS);
    if (l->results)
        (void)name_kernel(l, p + strlen(RESULTS));
    if (!lore_starts(p, SELECTED))
        return;
    lore_buf_puts(&l->block, p);
    l->line = number;
    l->lines = 1;
}

static void
read_line(struct log *l, const char *text, size_t number)
{
    static const char config[] = "config=";
    const char *p = strstr(text, "Triton autotuning "), *line = text + strspn(text, " \t");

    for (; p; p = strstr(p + 1, "Triton autotuning "))
        begin(l, p, number);
    if (l->results && lore_starts(line, config))
        read_timed(l, line + strlen(config), strlen(line + strlen(config)), number);
    else if (l->block.len > 0 && l->line < number)
        lore_buf_printf(&l->block, "\n%s", text);
    if (l->block.len > 0 && (strstr(l->block.data, BEST) || l->lines++ > BLOCK_LINES))
        end_block(l);
}

static enum lore_status
read_lines(struct log *l, struct lore_err *err)
{
    struct lore_feed feed;
    struct lore_window w;
    LORE_SCRATCH own = {0}; /* a line; the scratch arena is emptied with each configuration */
    const char *text;
    size_t len, number;
    enum lore_status status = lore_feed_open(l->search.in, &feed, err);

    if (status != LORE_OK)
        return status;
    lore_window_open(&w, &feed);
    while (lore_window_next_line(&w, &text, &len, &number)) {
        if (len < MAX_LINE)
            read_line(l, lore_strndup(&own, text, len), number);
        lore_arena_reset(&own);
    }
    status = w.err.status == LORE_OK ? LORE_OK : lore_fail(err, w.err.status, "%s", w.err.msg);
    end_block(l);
    lore_window_close(&w);
    return status;
}

enum lore_status
lore_triton_log_read(struct lore_import *in, struct lore_err *err)
{
    struct log *l = lore_alloc(lore_import_kept(in), sizeof *l);

    lore_search_begin(&l->search, in, SYSTEM);
    l->search.statistic = "median";
    l->block.max = 2 * BLOCK_LINES * MAX_LINE;
    l->chip = lore_tuning_chip(in, NULL, NULL);
    enum lore_status status = read_lines(l, err);
    lore_buf_free(&l->block);
    if (l->selected > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: %zu best configurations have no time; they are versions and a sweep without times",
            in->file, l->selected);
    lore_import_note(in, LORE_IL_EXTRA,
        "%s: other lines, also \"Autotuning kernel\", are in the file only", in->file);
    lore_search_end(&l->search);
    if (status == LORE_OK && in->records == 0)
        return lore_fail(err, LORE_INVALID, "the log has no line \"%s…\"", SELECTED);
    return status;
}
