/* Import other systems' files: read, report, send, count. Each file is one document; a file that
 * cannot be read or sent does not stop the next one, and the worst exit code wins. */
#include <string.h>

#include "build.h"
#include "commands.h"
#include "file.h"
#include "import.h"
#include "jsonw.h"
#include "print.h"
#include "text.h"

const struct lore_opt lore_import_opts[] = {
    {"format", 'f', "NAME", false, NULL,
        "kernelflow or experiences (default: seen from the content)"},
    {"dry-run", 'n', NULL, false, NULL, "Read and report, but send nothing"},
    {"verbose", 'v', NULL, false, NULL,
        "List every line of the report, not the first ten of each part"},
    {NULL, 0, NULL, false, NULL, NULL},
};

#define SHOWN 10 /* lines of each list without --verbose */

struct counts {
    long long stored, duplicates;
    bool sent;
    const char *document;
};

/* Experiments, as the receipt counts them; a repeated document stores nothing. */
static void
count(const struct lore_json *receipt, size_t experiments, struct counts *out)
{
    const struct lore_json *records = lore_json_get(receipt, "records");

    out->sent = true;
    out->document = lore_jtext(receipt, "id");
    for (const struct lore_json *r = records ? records->child : NULL; r; r = r->next) {
        if (!lore_streq(lore_jtext(r, "kind"), "experiment"))
            continue;
        if (lore_streq(lore_jtext(r, "status"), "stored"))
            out->stored++;
        else
            out->duplicates++;
    }
    if (out->stored + out->duplicates == 0 &&
        lore_streq(lore_jtext(receipt, "status"), "duplicate"))
        out->duplicates = (long long)experiments;
}

static void
print_lists(struct lore_cli *cli, const struct lore_import *in, bool all)
{
    for (int l = 0; l < LORE_IL_COUNT; l++) {
        const struct lore_texts *t = &in->lists[l];
        if (t->n == 0)
            continue;
        lore_buf_printf(&cli->out, "\n%s (%zu)\n",
            lore_styled(cli, LORE_BOLD, lore_import_list_title((enum lore_import_list)l)), t->n);
        for (size_t i = 0; i < t->n && (all || i < SHOWN || l == LORE_IL_ERRORS); i++)
            lore_print_wrapped(cli, "  ", 4, t->v[i]);
        if (!all && t->n > SHOWN && l != LORE_IL_ERRORS)
            lore_buf_printf(&cli->out, "  … %zu more (--verbose)\n", t->n - SHOWN);
    }
}

static void
print_human(struct lore_cli *cli, const struct lore_import *in, const char *format,
    const struct counts *c, bool all)
{
    lore_buf_printf(&cli->out, "%s (%s)\n", lore_clean(cli, in->file), format);
    lore_buf_printf(
        &cli->out, "%s: ", lore_show_count(cli, (long long)in->records, "record", "records"));
    if (c->sent)
        lore_buf_printf(&cli->out, "%lld stored, %s", c->stored,
            lore_show_count(cli, c->duplicates, "duplicate", "duplicates"));
    else
        lore_buf_printf(&cli->out, "%zu readable, nothing sent", in->records - in->refused);
    if (in->refused > 0)
        lore_buf_printf(&cli->out, ", %zu refused", in->refused);
    lore_buf_putc(&cli->out, '\n');
    print_lists(cli, in, all);
}

static void
print_machine(
    struct lore_cli *cli, const struct lore_import *in, const char *format, const struct counts *c)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "file", in->file);
    lore_w_kstr(&w, "format", format);
    lore_w_kstr_opt(&w, "document", c->document);
    lore_w_ki64(&w, "records", (int64_t)in->records);
    lore_w_kbool(&w, "sent", c->sent);
    if (c->sent) {
        lore_w_ki64(&w, "stored", c->stored);
        lore_w_ki64(&w, "duplicates", c->duplicates);
    }
    lore_w_ki64(&w, "refused", (int64_t)in->refused);
    for (int l = 0; l < LORE_IL_COUNT; l++) {
        lore_w_key(&w, lore_import_list_name((enum lore_import_list)l));
        lore_w_arr(&w);
        for (size_t i = 0; i < in->lists[l].n; i++)
            lore_w_str(&w, in->lists[l].v[i]);
        lore_w_arr_end(&w);
    }
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

static int
send_document(struct lore_cli *cli, const struct lore_import *in, struct counts *out)
{
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_json *receipt = NULL;
    struct lore_err err = {0};
    int code;

    if (lore_build_encode(in->doc, &body, &err) != LORE_OK) {
        lore_buf_free(&body);
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    }
    code = lore_cli_post(cli, "/api/v1/submissions", body.data, body.len, &receipt);
    lore_buf_free(&body);
    if (code == LORE_EXIT_OK)
        count(receipt, in->doc->n_experiments, out);
    return code;
}

static int
import_text(struct lore_cli *cli, const struct lore_args *args,
    const struct lore_importer *importer, const char *path, const struct lore_buf *text)
{
    struct counts counts = {0};
    struct lore_import in;
    struct lore_err err = {0};
    int code = LORE_EXIT_OK;

    if (lore_import_read(importer, path, text->data ? text->data : "", text->len, cli->arena, &in,
            &importer, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (!lore_args_has(args, "dry-run") && in.doc->n_experiments > 0)
        code = send_document(cli, &in, &counts);
    if (code != LORE_EXIT_OK)
        return lore_cli_say(cli, code, "%s: nothing was stored", path);
    counts.sent = !lore_args_has(args, "dry-run");
    if (cli->json)
        print_machine(cli, &in, importer->name, &counts);
    else
        print_human(cli, &in, importer->name, &counts, lore_args_has(args, "verbose"));
    return in.refused > 0 ? LORE_EXIT_USAGE : LORE_EXIT_OK;
}

static int
import_file(struct lore_cli *cli, const struct lore_args *args,
    const struct lore_importer *importer, const char *path)
{
    struct lore_buf text = {.max = LORE_IMPORT_MAX + 1};
    struct lore_err err = {0};
    int code;

    enum lore_status st = lore_file_read(path, &text, &err);
    if (st == LORE_OK)
        st = lore_buf_status(&text, path, &err);
    if (st == LORE_OK)
        code = import_text(cli, args, importer, path, &text);
    else
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    lore_buf_free(&text);
    return code;
}

int
lore_cmd_import(struct lore_cli *cli, const struct lore_args *args)
{
    const char *format = lore_args_get(args, "format");
    const struct lore_importer *importer = format ? lore_importer_find(format) : NULL;
    int worst = LORE_EXIT_OK;

    if (format && !importer)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "--format: \"%s\" is not known (kernelflow, experiences)", format);
    for (size_t i = 0; i < args->words.n; i++) {
        if (i > 0 && !cli->json)
            lore_buf_putc(&cli->out, '\n');
        int code = import_file(cli, args, importer, args->words.v[i]);
        if (code > worst)
            worst = code;
        if (code == LORE_EXIT_UNREACHABLE || code == LORE_EXIT_REFUSED)
            break;
    }
    return worst;
}
