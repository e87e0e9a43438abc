/* Import other systems' files: read every path, send the documents as soon as they are complete,
 * report. A failure does not stop the next path or document, except when the service is unreachable
 * or rejects the token. The highest exit code wins. */
#include <malloc.h>
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/import_map.h"
#include "collectors/client/commands/import_ncu.h"
#include "collectors/client/commands/import_send.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "collectors/import/import.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

const struct lore_opt lore_import_opts[] = {
    {"format", 0, "NAME", false,
        "The format, when the content does not show it; an unknown name lists all formats"},
    {"map", 0, "FILE", false,
        "What the columns mean: a map in YAML, or the name of a built-in one"},
    {"suggest", 0, NULL, false, "Propose a map for a file that no importer reads"},
    LORE_OPT_LICENCE,
    LORE_OPT_PROJECT,
    {"commit", 0, "SHA", false, "Commit of the files, for records that name none"},
    {"no-redistribution", 0, NULL, false, "Never export the imported records"},
    LORE_OPT_CHIP,
    {"ncu", 0, "PATH", false, "Nsight Compute's command, which prints .ncu-rep reports"},
    {"expect", 0, "N", false, "Expected number of entries; any other number gives exit code 2"},
    LORE_OPT_DRY_RUN,
    LORE_OPT_VERBOSE,
    {NULL, 0, NULL, false, NULL},
};

/* Ceiling of the memory for the report. */
#define MEMORY ((size_t)1 << 30)

static int
read_paths(struct lore_cli *cli, struct lore_intake *k, const struct lore_args *args,
    struct lore_import_sending *sending, struct lore_converted *done)
{
    int worst = LORE_EXIT_OK;

    for (size_t i = 0; i < args->words.n && k->stopped.status == LORE_OK; i++) {
        struct lore_err err = {0};
        sending->path = i;
        const char *path =
            lore_import_convert(cli, args->words.v[i], lore_args_get(args, "ncu"), done);
        if (!path)
            worst = LORE_EXIT_USAGE;
        else if (lore_intake_path(k, path, &err) != LORE_OK && k->stopped.status == LORE_OK)
            worst = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    }
    for (size_t i = 0; i < k->n_formats; i++) {
        if (k->formats[i]->in.refused > 0)
            worst = LORE_EXIT_USAGE;
    }
    return worst;
}

/* All names, on lines of their own: an error text would cut them. */
static int
unknown_format(struct lore_cli *cli, const char *format)
{
    const char **names = NULL, *all = "";
    size_t n = 0, cap = 0;

    for (const struct lore_importer *i = lore_importers; i->name; i++) {
        *LORE_PUSH(cli->arena, names, n, cap) = i->name;
        all = lore_format(cli->arena, "%s%s%s", all, *all ? ", " : "", i->name);
    }
    int near = lore_nearest(format, names, (int)n);
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "--format: \"%s\" is not known%s%s%s", format,
        near < 0 ? "" : "; did you mean ", near < 0 ? "" : names[near], near < 0 ? "" : "?");
    lore_buf_printf(&cli->err, "  hint: formats: %s\n", all);
    return LORE_EXIT_USAGE;
}

/* Compare the number of entries with --expect. */
static int
check_expected(struct lore_cli *cli, const struct lore_intake *k, long long expected)
{
    long long found = 0;

    for (size_t i = 0; i < k->n_formats; i++)
        found += (long long)k->formats[i]->in.records;
    if (found == expected)
        return LORE_EXIT_OK;
    return lore_cli_say(
        cli, LORE_EXIT_USAGE, "%lld entries were expected, %lld found", expected, found);
}

/* Only 7 to 64 hex digits: a branch or a tag may name other files tomorrow. */
static bool
is_commit(const char *text)
{
    size_t n = strspn(text, "0123456789abcdefABCDEF");

    return text[n] == '\0' && n >= 7 && n <= 64;
}

static int
set_chip(struct lore_cli *cli, struct lore_intake *k, const struct lore_args *args)
{
    const char *chip = lore_args_get(args, "chip");
    const struct lore_chip *c = chip ? lore_chip_find(chip) : NULL;

    if (chip && !c)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--chip: \"%s\" is not in the catalogue (%s)",
            chip, lore_chip_hint(cli->arena, chip));
    k->chip = c ? c->name : NULL;
    return LORE_EXIT_OK;
}

int
lore_cmd_import(struct lore_cli *cli, const struct lore_args *args)
{
    const char *format = lore_args_get(args, "format"), *expect = lore_args_get(args, "expect");
    bool dry = lore_args_has(args, "dry-run");
    struct lore_arena arena = {.limit = MEMORY};
    struct lore_intake k;
    const char *commit = lore_args_get(args, "commit");
    struct lore_err err = {0};
    long long expected = 0;

    if (commit && !is_commit(commit))
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "--commit: \"%s\" is no commit (7 to 64 hex digits: git rev-parse HEAD)", commit);
    if (format && !lore_importer_find(format))
        return unknown_format(cli, format);
    if (expect && lore_parse_i64(expect, "--expect", &expected, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    /* large blocks go back to the system when they are freed, so that a long import stays small */
    (void)mallopt(M_MMAP_THRESHOLD, 256 << 10);
    lore_intake_begin(&k, &arena);
    k.forced = format ? lore_importer_find(format) : NULL;
    if (set_chip(cli, &k, args) != LORE_EXIT_OK ||
        lore_import_set_map(cli, &k, args) != LORE_EXIT_OK) {
        lore_arena_free(&arena);
        return LORE_EXIT_USAGE;
    }
    if (lore_args_has(args, "suggest")) {
        int code = lore_import_suggest(cli, args, k.chip);
        lore_arena_free(&arena);
        return code;
    }
    k.licence = lore_args_get(args, "licence");
    k.project = lore_args_get(args, "project");
    k.commit = commit;
    k.redistribution = lore_args_has(args, "no-redistribution") ? "forbidden" : NULL;
    struct lore_import_sending sending;
    lore_import_send_begin(&sending, cli, &k, args, dry);
    struct lore_converted converted = {0};
    int worst = read_paths(cli, &k, args, &sending, &converted);
    lore_import_send_end(&sending, &k);
    if (expect && check_expected(cli, &k, expected) != LORE_EXIT_OK)
        worst = LORE_EXIT_USAGE;
    if (sending.worst > worst)
        worst = sending.worst;
    for (size_t i = 0; i < k.n_formats; i++)
        lore_import_arrived(
            cli, k.formats[i], dry, &sending.sent[k.formats[i]->importer - lore_importers].missing);
    if (cli->json)
        lore_import_print_json(cli, &k, sending.sent, dry);
    else
        lore_import_print(cli, &k, sending.sent, dry, lore_args_has(args, "verbose"));
    lore_import_converted_free(&converted);
    lore_arena_free(&arena);
    return worst;
}
