/* Machine code as evidence, read on this host and not by the service: does a disassembly show a
 * claimed technique, and what differs between two disassemblies? With --record the answer
 * becomes a verification of a stored version. Text that cannot be read gives "unavailable",
 * never "verified". */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/isa_definitions.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "collectors/isa/check.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define MAX_LISTING (64u << 20)
#define MAX_CHANGES 20 /* changes shown by `isa diff` without --all */

const struct lore_opt lore_isa_opts[] = {
    LORE_OPT_TECHNIQUES,
    {"definition", 0, NULL, false, "Also search for the patterns of stored definitions"},
    {"base", 0, "FILE", false, "The disassembly of the version before the change"},
    {"function", 0, "SYMBOL", false, "Only functions with this in their name"},
    {"target", 0, "NAME", false, "Only code for this target: sm_90a, gfx942"},
    LORE_OPT_VERSION,
    LORE_OPT_RECORD,
    LORE_OPT_STRICT,
    LORE_OPT_ALL,
    {NULL, 0, NULL, false, NULL},
};

/* Read a file as a listing. *out is NULL, with the reason in *why, when it holds no listing. Prints
 * an error and returns false when the file cannot be read. */
static bool
read_listing(
    struct lore_cli *cli, const char *path, const struct lore_isa_listing **out, const char **why)
{
    struct lore_isa_listing *listing = lore_alloc(cli->arena, sizeof *listing);
    struct lore_buf text = {.max = MAX_LISTING};
    struct lore_err err = {0};
    bool good = lore_ask_read(path, &text, &err) == LORE_OK;

    *out = NULL;
    if (!good) {
        (void)lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    } else if (lore_isa_read(text.data ? text.data : "", text.len, cli->arena, listing, &err) !=
               LORE_OK) {
        *why = lore_format(cli->arena, "%s", err.msg);
    } else {
        *out = listing;
    }
    lore_buf_free(&text);
    return good;
}

static void
print_check(struct lore_cli *cli, const struct lore_isa_check *c, bool before)
{
    static const enum lore_style styles[LORE_ISA_VERDICT_COUNT] = {
        [LORE_ISA_UNAVAILABLE] = LORE_YELLOW,
        [LORE_ISA_VERIFIED] = LORE_GREEN,
        [LORE_ISA_MISSING] = LORE_RED,
        [LORE_ISA_NOT_APPLICABLE] = LORE_DIM,
        [LORE_ISA_INCONCLUSIVE] = LORE_YELLOW};
    const char *verdict = lore_answer_show_word(cli, lore_isa_verdict_name(c->verdict));

    lore_buf_printf(&cli->out, "%s: %s\n", lore_print_clean(cli, c->technique),
        lore_print_styled(cli, styles[c->verdict], verdict));
    lore_print_wrapped(cli, "  ", 2, c->why);
    for (size_t i = 0; i < c->n_found; i++) {
        const struct lore_isa_found *f = &c->found[i];
        if (strcmp(f->kind, "pattern") != 0 && f->count == 0 && f->before == 0)
            continue;
        lore_buf_printf(&cli->out, "  %7zu  %s%s", f->count, lore_print_clean(cli, f->pattern),
            strcmp(f->kind, "pattern") == 0 ? ""
            : strcmp(f->kind, "hint") == 0  ? "  (a hint, no proof)"
                                            : "  (must not occur)");
        if (before)
            lore_buf_printf(&cli->out, "  (before: %zu)", f->before);
        lore_buf_putc(&cli->out, '\n');
    }
    if (c->symbol && *c->symbol)
        lore_print_wrapped(cli, "  in ", 5, c->symbol);
}

/* DEFINITION: the name of the definition with the patterns; NULL: the built-in signature. */
static void
write_check(struct lore_jsonw *w, const struct lore_isa_check *c, const char *definition)
{
    lore_w_obj(w);
    lore_w_kstr(w, "technique", c->technique);
    lore_w_kstr_opt(w, "definition", definition);
    lore_w_kstr(w, "verdict", lore_isa_verdict_name(c->verdict));
    lore_w_kstr(w, "why", c->why);
    lore_w_kstr_opt(w, "symbol", c->symbol);
    lore_w_kstr_opt(w, "isa", c->isa);
    if (c->version > 0) {
        lore_w_kstr(w, "target", lore_isa_target_name(c->target));
        lore_w_ki64(w, "signature_version", c->version);
    }
    lore_w_key(w, "found");
    lore_w_arr(w);
    for (size_t i = 0; i < c->n_found; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "pattern", c->found[i].pattern);
        lore_w_kstr(w, "kind", c->found[i].kind);
        lore_w_ki64(w, "count", (int64_t)c->found[i].count);
        lore_w_ki64(w, "before", (int64_t)c->found[i].before);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

/* Fill the record of a check: patterns found and missing, with their counts. */
static void
fill_verification(struct lore_cli *cli, const struct lore_isa_check *c, const char *version,
    const struct lore_isa_listing *listing, struct lore_verification *v)
{
    v->id = lore_build_new_id(cli->arena);
    v->version = version;
    v->technique = c->technique;
    v->status = lore_isa_verdict_name(c->verdict);
    v->tool =
        listing ? lore_format(cli->arena, "warplore isa, %s", lore_isa_format_name(listing->format))
                : "warplore isa";
    v->kernel_symbol = c->symbol && strlen(c->symbol) < 200 ? c->symbol : NULL;
    v->note = c->why;
    if (c->version > 0)
        v->signature = lore_format(
            cli->arena, "%s/%s@%u", c->technique, lore_isa_target_name(c->target), c->version);
    for (size_t i = 0; i < c->n_found; i++) {
        const struct lore_isa_found *f = &c->found[i];
        struct lore_texts *list = f->count > 0 ? &v->found : &v->missing;
        struct lore_kv *kv = LORE_PUSH(cli->arena, v->counts.v, v->counts.n, v->counts.cap);
        kv->key = f->pattern;
        kv->value = lore_format(cli->arena, "%zu", f->count);
        if (strcmp(f->kind, "pattern") == 0)
            lore_build_text(cli->arena, list, f->pattern);
    }
}

static int
record(struct lore_cli *cli, const struct lore_isa_check *checks, size_t n, const char *version,
    const struct lore_isa_listing *listing)
{
    struct lore_submission doc = {.format = LORE_WIRE_VERSION, .id = lore_build_new_id(cli->arena)};
    struct lore_json *receipt = NULL;

    doc.author.name = cli->config.author;
    doc.verifications = lore_alloc_array(cli->arena, n, sizeof *doc.verifications);
    doc.n_verifications = n;
    memset(doc.verifications, 0, n * sizeof *doc.verifications);
    for (size_t i = 0; i < n; i++)
        fill_verification(cli, &checks[i], version, listing, &doc.verifications[i]);
    int code = lore_ask_submit(cli, &doc, false, &receipt);
    if (code == LORE_EXIT_OK && !cli->json)
        lore_buf_printf(&cli->out, "recorded as %s of version %s\n",
            lore_answer_show_count(cli, (long long)n, "verification", "verifications"), version);
    return code;
}

static void
write_checks(struct lore_cli *cli, const struct lore_isa_check *checks, size_t n,
    const struct lore_definition_checks *defs)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++)
        write_check(&w, &checks[i], NULL);
    for (size_t i = 0; i < defs->n; i++)
        write_check(&w, &defs->v[i].check, defs->v[i].name);
    lore_w_arr_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

/* Check the listing with the stored definitions of Q's technique. */
static int
check_definitions(
    struct lore_cli *cli, const struct lore_isa_request *q, struct lore_definition_checks *defs)
{
    size_t first = defs->n;
    int code = lore_command_definitions_check(cli, q, defs);

    if (code != LORE_EXIT_OK || cli->json)
        return code;
    if (defs->n == first)
        lore_buf_puts(&cli->out, "  no stored definition has patterns\n");
    for (size_t i = first; i < defs->n; i++) {
        lore_buf_printf(&cli->out, "by definition %s, ", lore_print_clean(cli, defs->v[i].name));
        print_check(cli, &defs->v[i].check, q->before != NULL);
    }
    return code;
}

static int
check(struct lore_cli *cli, const struct lore_args *args, const char *version)
{
    struct lore_isa_request q = {
        .symbol = lore_args_get(args, "function"), .isa = lore_args_get(args, "target")};
    struct lore_isa_check *checks = NULL;
    struct lore_definition_checks defs = {0};
    size_t n = 0, cap = 0, at = 0, verified = 0;
    const char *before = lore_args_get(args, "base"), *why = NULL;

    if (!read_listing(cli, args->words.v[0], &q.listing, &q.why_none) ||
        (before && !read_listing(cli, before, &q.before, &why)))
        return LORE_EXIT_USAGE;
    if (before && !q.before)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--before: %s", why);
    while ((q.technique = lore_args_next(args, "technique", &at))) {
        if (!lore_technique_find(q.technique))
            return lore_cli_say(cli, LORE_EXIT_USAGE,
                "--technique: \"%s\" is not in the catalogue (warplore list techniques)",
                q.technique);
        struct lore_isa_check *c = LORE_PUSH(cli->arena, checks, n, cap);
        lore_isa_check_technique(&q, cli->arena, c);
        verified += c->verdict == LORE_ISA_VERIFIED;
        if (!cli->json)
            print_check(cli, c, q.before != NULL);
        int asked =
            lore_args_has(args, "definition") ? check_definitions(cli, &q, &defs) : LORE_EXIT_OK;
        if (asked != LORE_EXIT_OK)
            return asked;
    }
    if (cli->json)
        write_checks(cli, checks, n, &defs);
    int code = version ? record(cli, checks, n, version, q.listing) : LORE_EXIT_OK;
    if (code == LORE_EXIT_OK && lore_args_has(args, "strict") && verified < n)
        return LORE_EXIT_NO;
    return code;
}

/* --- two listings --- */

static bool
select_function(struct lore_cli *cli, const struct lore_args *args, const char *path,
    enum lore_isa_target *target, struct lore_isa_function *out)
{
    const struct lore_isa_listing *listing = NULL;
    const char *why = NULL;
    struct lore_err err = {0};

    if (!read_listing(cli, path, &listing, &why))
        return false;
    if (!listing) {
        (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: %s", path, why);
        return false;
    }
    *target = listing->target;
    if (lore_isa_select(listing, lore_args_get(args, "function"), lore_args_get(args, "target"),
            cli->arena, out, &err) == LORE_OK)
        return true;
    lore_args_err_in(&err, path);
    (void)lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    return false;
}

static void
write_diff(struct lore_cli *cli, const struct lore_isa_function fn[2],
    const struct lore_isa_change *changes, size_t n, const char *gate, const char *why)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "before", (int64_t)fn[0].instructions);
    lore_w_ki64(&w, "after", (int64_t)fn[1].instructions);
    lore_w_kstr(&w, "spill_gate", gate);
    lore_w_kstr_opt(&w, "why", why);
    lore_w_key(&w, "changes");
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "form", changes[i].form);
        lore_w_ki64(&w, "before", (int64_t)changes[i].before);
        lore_w_ki64(&w, "after", (int64_t)changes[i].after);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

static void
print_changes(struct lore_cli *cli, const struct lore_isa_change *changes, size_t n, size_t most)
{
    static const struct lore_print_column columns[] = {{"before", true, false, false},
        {"after", true, false, false}, {"change", true, false, false},
        {"instruction", false, true, false}};
    struct lore_table t = LORE_TABLE(columns);

    for (size_t i = 0; i < n && i < most; i++) {
        lore_table_cell(cli, &t, lore_format(cli->arena, "%zu", changes[i].before));
        lore_table_cell(cli, &t, lore_format(cli->arena, "%zu", changes[i].after));
        lore_table_cell(cli, &t,
            lore_format(
                cli->arena, "%+lld", (long long)changes[i].after - (long long)changes[i].before));
        lore_table_cell(cli, &t, changes[i].form);
    }
    if (n > 0)
        lore_table_print(cli, &t);
    else
        lore_buf_puts(&cli->out, "no instruction's count changed\n");
    if (n > most)
        lore_buf_printf(&cli->out, "%zu of %zu (--all)\n", most, n);
}

static int
diff(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const gates[] = {"unknown", "pass", "fail"};
    enum lore_isa_target target[2] = {LORE_ISA_NONE, LORE_ISA_NONE};
    struct lore_isa_function fn[2] = {{0}};
    const char *why = NULL;
    size_t n = 0;

    for (size_t i = 0; i < 2; i++) {
        if (!select_function(cli, args, args->words.v[1 + i], &target[i], &fn[i]))
            return LORE_EXIT_USAGE;
    }
    if (target[0] != target[1])
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "isa diff: %s is %s and %s is %s; their instructions do not compare", args->words.v[1],
            lore_isa_target_name(target[0]), args->words.v[2], lore_isa_target_name(target[1]));
    struct lore_isa_change *changes = lore_isa_diff(&fn[0], &fn[1], cli->arena, &n);
    enum lore_isa_spill_verdict gate = lore_isa_spill_gate(&fn[0], &fn[1], &why);
    if (cli->json) {
        write_diff(cli, fn, changes, n, gates[gate], why);
    } else {
        lore_buf_printf(&cli->out, "%zu -> %zu instructions\nspill gate: %s%s%s\n\n",
            fn[0].instructions, fn[1].instructions, gates[gate], why ? ": " : "", why ? why : "");
        print_changes(cli, changes, n, lore_args_has(args, "all") ? n : MAX_CHANGES);
    }
    return lore_args_has(args, "strict") && gate != LORE_ISA_GATE_PASS ? LORE_EXIT_NO
                                                                       : LORE_EXIT_OK;
}

int
lore_cmd_isa(struct lore_cli *cli, const struct lore_args *args)
{
    const char *version = lore_args_get(args, "version");

    if (strcmp(args->words.v[0], "diff") == 0) {
        if (args->words.n != 3)
            return lore_cli_say(cli, LORE_EXIT_USAGE, "isa diff: give two disassemblies");
        return diff(cli, args);
    }
    if (args->words.n != 1)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "isa: one disassembly, or `isa diff BEFORE AFTER`");
    if (!lore_args_has(args, "technique"))
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "--technique: required (warplore list techniques names them)");
    if (lore_args_has(args, "record") && !version)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--record: needs --version ID");
    return check(cli, args, lore_args_has(args, "record") ? version : NULL);
}
