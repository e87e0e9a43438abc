/* The report of an import, per format: stored and known records of each kind, then lists of
 * conversions, doubts, extra fields and refusals. Files without an importer follow. A repeated line
 * is printed once, with its count. */
#include "collectors/client/commands/import_report.h"

#include "collectors/client/screen/print.h"

#define SHOWN 10 /* lines of each list without --verbose */
#define FILES 20 /* lines of the list of files */

static void
print_list(struct lore_cli *cli, const struct lore_import *in, int l, bool all)
{
    const struct lore_texts *t = &in->lists[l];

    if (t->n == 0)
        return;
    lore_buf_printf(&cli->out, "\n%s (%zu)\n",
        lore_print_styled(cli, LORE_BOLD, lore_import_list_title((enum lore_import_list)l)), t->n);
    for (size_t i = 0; i < t->n && (all || i < SHOWN || l == LORE_IL_ERRORS); i++) {
        size_t times = in->counts[l][i];
        lore_print_wrapped(cli, "  ", 4,
            times > 1 ? lore_format(cli->arena, "%s (%zu)", t->v[i], times) : t->v[i]);
    }
    if (!all && t->n > SHOWN && l != LORE_IL_ERRORS)
        lore_buf_printf(&cli->out, "  … %zu more (--verbose)\n", t->n - SHOWN);
}

static void
print_kinds(struct lore_cli *cli, const struct lore_intake_format *f,
    const struct lore_import_sent *sent, bool dry)
{
    for (int k = 0; k < LORE_K_COUNT; k++) {
        size_t n = f->records[k];
        const char *name = lore_answer_show_word(
            cli, n == 1 ? lore_kind_name((enum lore_kind)k) : lore_kind_plural((enum lore_kind)k));
        if (n == 0 && f->repeated[k] == 0)
            continue;
        lore_buf_printf(&cli->out, "  %zu %s", n, name);
        if (!dry)
            lore_buf_printf(&cli->out, ": %lld stored, %s", sent->stored[k],
                lore_answer_show_count(cli, sent->duplicates[k], "duplicate", "duplicates"));
        if (f->repeated[k] > 0 && k != LORE_K_KERNEL)
            lore_buf_printf(&cli->out, "; %zu repeated in other files", f->repeated[k]);
        lore_buf_putc(&cli->out, '\n');
    }
}

static void
print_format(struct lore_cli *cli, const struct lore_intake_format *f,
    const struct lore_import_sent *sent, bool dry, bool all)
{
    const struct lore_import *in = &f->in;

    lore_buf_printf(&cli->out, "%s: %s, %s", lore_print_styled(cli, LORE_BOLD, f->importer->name),
        lore_answer_show_count(cli, (long long)f->files, "file", "files"),
        lore_answer_show_count(cli, (long long)in->records, "entry", "entries"));
    if (in->refused > 0)
        lore_buf_printf(&cli->out, ", %zu refused", in->refused);
    if (dry)
        lore_buf_printf(&cli->out, ", nothing sent");
    else
        lore_buf_printf(&cli->out, ", %s",
            lore_answer_show_count(cli, (long long)sent->documents.n, "document", "documents"));
    if (sent->failed > 0)
        lore_buf_printf(&cli->out, ", %zu refused by the service", sent->failed);
    lore_buf_putc(&cli->out, '\n');
    print_kinds(cli, f, sent, dry);
    for (size_t i = 0; i < sent->missing.n && (all || i < SHOWN); i++)
        lore_print_wrapped(cli, "  ", 4, lore_print_styled(cli, LORE_RED, sent->missing.v[i]));
    if (!all && sent->missing.n > SHOWN)
        lore_buf_printf(&cli->out, "  … %zu more (--verbose)\n", sent->missing.n - SHOWN);
    for (int l = 0; l < LORE_IL_COUNT; l++)
        print_list(cli, in, l, all);
}

static void
print_unit(struct lore_cli *cli, struct lore_table *t, const char *path, const char *format,
    const struct lore_intake_unit *u)
{
    lore_table_cell(cli, t, path);
    lore_table_cell(cli, t, format);
    lore_table_cell(cli, t, lore_format(cli->arena, "%zu", u->records));
    lore_table_cell(cli, t, u->refused > 0 ? lore_format(cli->arena, "%zu", u->refused) : NULL);
}

/* One line for each file or folder, and one for those that are too many. */
static void
print_units(struct lore_cli *cli, const struct lore_intake *k)
{
    static const struct lore_print_column columns[] = {{"file", false, true, false},
        {"format", false, false, true}, {"entries", true, false, false},
        {"refused", true, false, false}};
    size_t shown = k->n_units > FILES ? FILES - 1 : k->n_units;
    struct lore_table t = LORE_TABLE(columns);
    struct lore_intake_unit rest = {.path = NULL};

    for (size_t i = 0; i < shown; i++)
        print_unit(cli, &t, k->units[i].path, k->units[i].importer->name, &k->units[i]);
    for (size_t i = shown; i < k->n_units; i++) {
        rest.records += k->units[i].records;
        rest.refused += k->units[i].refused;
    }
    if (shown < k->n_units)
        print_unit(cli, &t, lore_format(cli->arena, "… %zu more", k->n_units - shown), NULL, &rest);
    lore_table_print(cli, &t);
    lore_buf_putc(&cli->out, '\n');
}

void
lore_import_print(struct lore_cli *cli, const struct lore_intake *k,
    const struct lore_import_sent *sent, bool dry, bool all)
{
    const struct lore_texts *skipped = &k->skipped;

    if (k->n_units > 1 && (all || cli->width > 0))
        print_units(cli, k);
    for (size_t i = 0; i < k->n_formats; i++) {
        if (i > 0)
            lore_buf_putc(&cli->out, '\n');
        print_format(cli, k->formats[i], &sent[k->formats[i]->importer - lore_importers], dry, all);
    }
    if (skipped->n == 0)
        return;
    lore_buf_printf(
        &cli->out, "\n%s (%zu)\n", lore_print_styled(cli, LORE_BOLD, "Not imported"), skipped->n);
    for (size_t i = 0; i < skipped->n && (all || i < SHOWN); i++)
        lore_print_wrapped(cli, "  ", 4, skipped->v[i]);
    if (!all && skipped->n > SHOWN)
        lore_buf_printf(&cli->out, "  … %zu more (--verbose)\n", skipped->n - SHOWN);
}

/* ---- for programs ---- */

static void
write_lists(struct lore_jsonw *w, const struct lore_import *in)
{
    for (int l = 0; l < LORE_IL_COUNT; l++) {
        lore_w_key(w, lore_import_list_name((enum lore_import_list)l));
        lore_w_arr(w);
        for (size_t i = 0; i < in->lists[l].n; i++) {
            lore_w_obj(w);
            lore_w_kstr(w, "text", in->lists[l].v[i]);
            lore_w_ki64(w, "count", (int64_t)in->counts[l][i]);
            lore_w_obj_end(w);
        }
        lore_w_arr_end(w);
    }
}

static void
write_kinds(struct lore_jsonw *w, const struct lore_intake_format *f,
    const struct lore_import_sent *sent, bool dry)
{
    lore_w_key(w, "records");
    lore_w_obj(w);
    for (int k = 0; k < LORE_K_COUNT; k++) {
        if (f->records[k] == 0 && f->repeated[k] == 0)
            continue;
        lore_w_key(w, lore_kind_plural((enum lore_kind)k));
        lore_w_obj(w);
        lore_w_ki64(w, "read", (int64_t)f->records[k]);
        lore_w_ki64(w, "repeated", (int64_t)f->repeated[k]);
        if (!dry) {
            lore_w_ki64(w, "stored", sent->stored[k]);
            lore_w_ki64(w, "duplicates", sent->duplicates[k]);
        }
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
}

static void
write_texts(struct lore_jsonw *w, const char *key, const struct lore_texts *t)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < t->n; i++)
        lore_w_str(w, t->v[i]);
    lore_w_arr_end(w);
}

static void
write_units(struct lore_jsonw *w, const struct lore_intake *k)
{
    lore_w_key(w, "units");
    lore_w_arr(w);
    for (size_t i = 0; i < k->n_units; i++) {
        const struct lore_intake_unit *u = &k->units[i];
        lore_w_obj(w);
        lore_w_kstr(w, "path", u->path);
        lore_w_kstr(w, "format", u->importer->name);
        lore_w_ki64(w, "entries", (int64_t)u->records);
        lore_w_ki64(w, "refused", (int64_t)u->refused);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
write_refusals(struct lore_jsonw *w, const struct lore_import_sent *s)
{
    lore_w_key(w, "refusals");
    lore_w_arr(w);
    for (size_t i = 0; i < s->failed; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "document", s->refusals[i].document);
        lore_w_key(w, "problem");
        if (s->refusals[i].problem)
            lore_w_raw(w, s->refusals[i].problem);
        else
            lore_w_null(w);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

void
lore_import_print_json(struct lore_cli *cli, const struct lore_intake *k,
    const struct lore_import_sent *sent, bool dry)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_obj(&w);
    lore_w_kbool(&w, "sent", !dry);
    lore_w_key(&w, "formats");
    lore_w_arr(&w);
    for (size_t i = 0; i < k->n_formats; i++) {
        const struct lore_intake_format *f = k->formats[i];
        const struct lore_import_sent *s = &sent[f->importer - lore_importers];
        lore_w_obj(&w);
        lore_w_kstr(&w, "format", f->importer->name);
        lore_w_ki64(&w, "files", (int64_t)f->files);
        lore_w_ki64(&w, "entries", (int64_t)f->in.records);
        lore_w_ki64(&w, "refused", (int64_t)f->in.refused);
        write_kinds(&w, f, s, dry);
        write_texts(&w, "documents", &s->documents);
        write_refusals(&w, s);
        write_texts(&w, "missing", &s->missing);
        write_lists(&w, &f->in);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    write_units(&w, k);
    write_texts(&w, "skipped", &k->skipped);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}
