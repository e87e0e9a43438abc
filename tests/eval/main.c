/* How good is the advice, on data whose answers are known? Runs the suites of this folder, here and
 * without a service: eval --data DIR [suite…]. Prints each suite's tables, then every figure that
 * has a goal; --out FILE writes all figures. Exits 1 when a goal is missed. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "tests/eval/eval.h"

static const struct option options[] = {
    {"data", required_argument, NULL, 'd'},
    {"labels", required_argument, NULL, 'l'},
    {"quick", no_argument, NULL, 'q'},
    {"details", no_argument, NULL, 'v'},
    {"out", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int
usage(FILE *to, int code)
{
    fprintf(to, "eval --data DIR [suite…]\n"
                "  --data DIR    folder with tuning/ and agent-logs/ (or WARPLORE_DATA)\n"
                "  --labels FILE labelled texts for the suite words\n"
                "  --quick       a look in seconds: goals are not judged\n"
                "  --details     also kernel by kernel and chip by chip\n"
                "  --out FILE    write every figure there, as JSON\n"
                "suites:\n");
    for (const struct lore_eval_suite *s = lore_eval_suites; s->name != NULL; s++)
        fprintf(to, "  %-12s  %s\n", s->name, s->help);
    return code;
}

/* Whether SUITE is among the N WORDS; no words name every suite. */
static bool
is_wanted(char *const *words, size_t n, const char *suite)
{
    bool wanted = n == 0;

    for (size_t i = 0; i < n; i++)
        wanted = wanted || lore_streq(words[i], suite);
    return wanted;
}

static const char *
unknown_suite(char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct lore_eval_suite *s = lore_eval_suites;
        while (s->name && !lore_streq(s->name, words[i]))
            s++;
        if (!s->name)
            return words[i];
    }
    return NULL;
}

/* Print what the suites have written so far. */
static void
flush(struct lore_eval *e)
{
    if (e->text->len > 0)
        fwrite(e->text->data, 1, e->text->len, stdout);
    fflush(stdout);
    e->text->len = 0;
}

static size_t
print_goals(const struct lore_eval *e)
{
    size_t missed = 0;

    for (size_t i = 0; i < e->n_figures; i++) {
        const struct lore_eval_figure *f = &e->figure[i];
        if (f->sense == LORE_GOAL_NONE)
            continue;
        bool miss = lore_eval_misses(f);
        missed += miss;
        char value[16] = "not measured";
        if (isfinite(f->value))
            snprintf(value, sizeof value, "%.4f", f->value);
        printf("%-8s %-24s %-30s %12s  %s %-7g %s\n", f->suite, f->part, f->measure, value,
            f->sense == LORE_GOAL_AT_LEAST ? "at least" : "at most ", f->goal,
            e->quick ? ""
            : miss   ? "MISSED"
                     : "holds");
    }
    return missed;
}

static enum lore_status
write_json(const struct lore_eval *e, const char *path, struct lore_err *err)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    lore_w_kbool(&w, "quick", e->quick);
    lore_w_key(&w, "figures");
    lore_w_arr(&w);
    for (size_t i = 0; i < e->n_figures; i++) {
        const struct lore_eval_figure *f = &e->figure[i];
        lore_w_obj(&w);
        lore_w_kstr(&w, "suite", f->suite);
        lore_w_kstr(&w, "part", f->part);
        lore_w_kstr(&w, "method", f->method);
        lore_w_kstr(&w, "measure", f->measure);
        lore_w_key(&w, "value");
        if (isfinite(f->value))
            lore_w_f64(&w, f->value);
        else
            lore_w_null(&w);
        if (f->sense != LORE_GOAL_NONE) {
            lore_w_kf64(&w, f->sense == LORE_GOAL_AT_LEAST ? "at_least" : "at_most", f->goal);
            lore_w_kbool(&w, "holds", !lore_eval_misses(f));
        }
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        status = lore_file_write(path, text.data, text.len, 0644, err);
    lore_buf_free(&text);
    return status;
}

/* Without named suites, a suite whose data is missing is skipped with a line, provided that another
 * suite has its data. */
static enum lore_status
run_suites(struct lore_eval *e, char *const *words, size_t n, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    bool some = false;

    for (const struct lore_eval_suite *s = lore_eval_suites; s->name && status == LORE_OK; s++) {
        if (!is_wanted(words, n, s->name))
            continue;
        lore_buf_printf(e->text, "## %s: %s\n\n", s->name, s->help);
        status = s->run(e, err);
        some |= status == LORE_OK;
        if (status == LORE_NOTFOUND && n == 0) {
            lore_buf_printf(e->text, "left out: %s\n", err->msg);
            status = LORE_OK;
        }
        lore_buf_printf(e->text, "\n");
        flush(e);
    }
    return status == LORE_OK && !some ? LORE_NOTFOUND : status;
}

int
main(int argc, char **argv)
{
    struct lore_arena arena = {0};
    struct lore_buf text = {0};
    struct lore_eval e = {.data = getenv("WARPLORE_DATA"), .text = &text, .arena = &arena};
    const char *file = NULL;
    struct lore_err err = {0};
    int c;

    lore_hash_init();
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'd':
            e.data = optarg;
            break;
        case 'l':
            e.labels = optarg;
            break;
        case 'q':
            e.quick = true;
            break;
        case 'v':
            e.details = true;
            break;
        case 'o':
            file = optarg;
            break;
        case 'h':
            return usage(stdout, 0);
        default:
            return usage(stderr, 2);
        }
    }
    char **words = argv + optind;
    size_t n = (size_t)(argc - optind);
    const char *unknown = unknown_suite(words, n);
    if (unknown) {
        fprintf(stderr, "eval: there is no suite %s\n", unknown);
        return usage(stderr, 2);
    }
    if (!e.data) {
        fprintf(stderr, "eval: needs the data: --data DIR, with tuning/ and agent-logs/\n");
        return 2;
    }
    enum lore_status status = run_suites(&e, words, n, &err);
    if (status == LORE_OK && file)
        status = write_json(&e, file, &err);
    flush(&e);
    lore_buf_free(&text);
    if (status != LORE_OK) {
        fprintf(stderr, "eval: %s\n", err.msg);
        return status == LORE_NOTFOUND ? 1 : 2;
    }
    size_t missed = print_goals(&e);
    lore_arena_free(&arena);
    return missed > 0 && !e.quick ? 1 : 0;
}
