/* `warplore import --suggest FILE`: proposes a map for a file that no importer reads. What is
 * printed is the map, and around it, as comments, what each column became, three records as they
 * would be stored, and what the file does not say. On a terminal these are asked. A complete map is
 * saved with the client's settings, where the next import finds it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/client/commands/import_map.h"
#include "collectors/client/screen/print.h"
#include "collectors/import/maps/suggest.h"
#include "collectors/import/maps/value.h"
#include "collectors/import/tree.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

enum { PREVIEW = 3, PREVIEW_SWEEP = 200 };

/* ---- questions ---- */

/* The answer TEXT as the map has it; NULL: it is none. */
static const char *
checked(struct lore_cli *cli, const struct lore_suggest_question *q, const char *text)
{
    const struct lore_chip *chip = strcmp(q->field, "chip") == 0 ? lore_chip_find(text) : NULL;

    if (*text == '\0')
        return NULL;
    if (strcmp(q->field, "chip") == 0)
        return chip ? chip->name : NULL;
    if (strcmp(q->field, "unit") == 0)
        return lore_map_unit_ns(text) > 0 ? text : NULL;
    if (strcmp(q->field, "language") == 0)
        return lore_language_find(text) != LORE_LANG_NONE ? text : NULL;
    return lore_operator_name(cli->arena, text);
}

static void
ask(struct lore_cli *cli, struct lore_suggest_question *q)
{
    char line[256];

    for (int tries = 0; tries < 3 && !q->answer; tries++) {
        fprintf(stderr, "%s (empty: leave it open) ", q->ask);
        if (!fgets(line, sizeof line, stdin))
            return;
        line[strcspn(line, "\r\n")] = '\0';
        if (!*line)
            return;
        q->answer = checked(cli, q, lore_strdup(cli->arena, line));
        if (!q->answer)
            fprintf(stderr, "\"%s\" is not known%s%s\n", line,
                strcmp(q->field, "chip") == 0 ? "; did you mean " : "",
                strcmp(q->field, "chip") == 0 ? lore_chip_hint(cli->arena, line) : "");
    }
}

/* ---- the preview ---- */

static void
say_number(struct lore_cli *cli, const char *name, struct lore_f64 ns)
{
    if (ns.set)
        lore_buf_printf(&cli->out, ", %s %.6g us", name, ns.v / 1e3);
}

static const char *
label_of(const struct lore_submission *doc, const char *id)
{
    for (size_t i = 0; i < doc->n_versions; i++)
        if (lore_streq(doc->versions[i].id, id))
            return doc->versions[i].label;
    return "?";
}

static void
say_run(struct lore_cli *cli, const struct lore_submission *doc, const struct lore_run *r)
{
    const struct lore_kernel *k = &doc->kernels[0];

    for (size_t i = 0; i < doc->n_kernels; i++)
        for (size_t v = 0; v < doc->n_versions; v++)
            if (lore_streq(doc->versions[v].id, r->version) &&
                lore_streq(doc->versions[v].kernel, doc->kernels[i].id))
                k = &doc->kernels[i];
    lore_buf_printf(&cli->out, "#   run: %s, kernel %s [%s], version %s, on %s, %s", k->op, k->name,
        lore_language_name(k->language), lore_print_clean(cli, label_of(doc, r->version)),
        r->chip ? r->chip : "no chip",
        r->workload.set ? lore_workload_label(cli->arena, &r->workload) : "no shape");
    say_number(cli, "mean", r->summary.mean_ns);
    say_number(cli, "median", r->summary.median_ns);
    say_number(cli, "min", r->summary.min_ns);
    if (r->n_samples > 0)
        lore_buf_printf(&cli->out, ", %zu samples", r->n_samples);
    if (r->correctness.set)
        lore_buf_printf(&cli->out, ", check %s", lore_check_name(r->correctness.status));
    if (r->error.set)
        lore_buf_printf(&cli->out, ", failed: %s", r->error.type);
    for (size_t i = 0; i < r->metrics.n && i < 6; i++)
        lore_buf_printf(&cli->out, ", %s %.6g%s%s", lore_print_clean(cli, r->metrics.v[i].name),
            r->metrics.v[i].value, r->metrics.v[i].unit ? " " : "",
            r->metrics.v[i].unit ? lore_print_clean(cli, r->metrics.v[i].unit) : "");
    if (r->extra)
        lore_buf_printf(&cli->out, ", extra %.200s", lore_print_clean(cli, r->extra));
    lore_buf_putc(&cli->out, '\n');
}

static void
say_records(struct lore_cli *cli, const struct lore_submission *doc)
{
    for (size_t i = 0; i < doc->n_runs && i < PREVIEW; i++)
        say_run(cli, doc, &doc->runs[i]);
    for (size_t i = 0; i < doc->n_experiments && i < PREVIEW; i++) {
        const struct lore_experiment *x = &doc->experiments[i];
        lore_buf_printf(&cli->out, "#   experiment: %s -> %s, \"%.120s\"%s%s",
            lore_print_clean(cli, label_of(doc, x->from_version)),
            lore_print_clean(cli, label_of(doc, x->to_version)),
            x->title ? lore_print_clean(cli, x->title) : "", x->decision ? ", " : "",
            x->decision ? x->decision : "");
        if (x->claim.speedup.set)
            lore_buf_printf(&cli->out, ", stated %.4gx", x->claim.speedup.v);
        lore_buf_putc(&cli->out, '\n');
    }
    for (size_t i = 0; i < doc->n_sweeps && i < PREVIEW; i++)
        lore_buf_printf(&cli->out, "#   sweep of %lld configurations on %s, %s\n",
            (long long)doc->sweeps[i].configurations.count.v,
            doc->sweeps[i].chip ? doc->sweeps[i].chip : "no chip",
            doc->sweeps[i].workload.set ? lore_workload_label(cli->arena, &doc->sweeps[i].workload)
                                        : "no shape");
}

static enum lore_status
preview(struct lore_cli *cli, const struct lore_suggestion *s, struct lore_import *in,
    struct lore_err *err)
{
    LORE_BUF yaml = {.max = 1 << 20};
    struct lore_import again = *in;
    struct lore_submission doc = {0};
    struct lore_map *map = NULL;

    lore_suggest_write(s, true, &yaml);
    enum lore_status status =
        lore_map_read(yaml.data, yaml.len, "the proposed map", in->arena, &map, err);
    if (status != LORE_OK)
        return status;
    map->most = s->kind == LORE_MK_SWEEP ? PREVIEW_SWEEP : PREVIEW;
    again.doc = &doc;
    status = lore_map_import(&again, map, err);
    if (status == LORE_OK) {
        bool none = doc.n_runs + doc.n_experiments + doc.n_sweeps == 0;
        lore_buf_puts(&cli->out, none ? "# No record yet: no row has a time that can be read; what "
                                        "is open below is missing.\n"
                                      : "# The first records, as they would be stored:\n");
        say_records(cli, &doc);
    }
    lore_map_free(map);
    return status;
}

/* ---- the map ---- */

const char *
lore_import_maps_folder(struct lore_cli *cli)
{
    const char *file = cli->config.file, *slash = file ? strrchr(file, '/') : NULL;

    return slash ? lore_format(cli->arena, "%.*s/maps", (int)(slash - file), file) : NULL;
}

static int
save(struct lore_cli *cli, const struct lore_suggestion *s, const struct lore_buf *yaml)
{
    const char *folder = lore_import_maps_folder(cli);
    struct lore_err err = {0};

    if (!folder)
        return LORE_EXIT_OK;
    const char *path = lore_format(cli->arena, "%s/%s.yaml", folder, s->name);
    if (lore_mkdirs(folder, 0755, &err) != LORE_OK ||
        lore_file_write(path, yaml->data, yaml->len, 0644, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    lore_buf_printf(&cli->err,
        "saved as %s: `warplore import` reads files with these columns by it. Look at the map, and "
        "change or delete it there.\n",
        path);
    return LORE_EXIT_OK;
}

static int
finish(struct lore_cli *cli, const struct lore_suggestion *s)
{
    LORE_BUF yaml = {.max = 1 << 20};
    size_t open = 0;

    for (size_t i = 0; i < s->n_questions; i++) {
        if (s->questions[i].answer)
            continue;
        if (open++ == 0)
            lore_buf_puts(&cli->out, "# The file does not say; fill in what is \"?\" below:\n");
        lore_buf_printf(&cli->out, "#   %s: %s\n", s->questions[i].field, s->questions[i].ask);
    }
    lore_suggest_write(s, false, &yaml);
    lore_buf_add(&cli->out, yaml.data, yaml.len);
    if (open == 0)
        return save(cli, s, &yaml);
    lore_buf_printf(&cli->err,
        "%zu open: save the output, fill in the \"?\", then `warplore import --map FILE …`. On a "
        "terminal this command asks.\n",
        open);
    return LORE_EXIT_NO;
}

static int
suggest(struct lore_cli *cli, struct lore_import *in)
{
    struct lore_suggestion s;
    struct lore_err err = {0};

    if (lore_map_suggest(in, &s, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    for (size_t i = 0; i < s.n_questions && isatty(STDIN_FILENO) && isatty(STDERR_FILENO); i++)
        ask(cli, &s.questions[i]);
    lore_suggest_explain(&s, &cli->out);
    if (preview(cli, &s, in, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return finish(cli, &s);
}

int
lore_import_suggest(struct lore_cli *cli, const struct lore_args *args, const char *chip)
{
    struct lore_import_tree tree = {0};
    struct lore_submission doc = {0};
    struct lore_err err = {0};
    LORE_SCRATCH arena = {0};

    if (args->words.n != 1)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--suggest: expected one file");
    if (lore_tree_load(args->words.v[0], &arena, &tree, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (tree.n != 1)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "%s: --suggest reads one file, not a folder", args->words.v[0]);
    struct lore_import in = {
        .arena = &arena, .tree = &tree, .unit = tree.files[0].path, .chip = chip, .doc = &doc};
    lore_import_open(&in, &tree.files[0]);
    return suggest(cli, &in);
}
