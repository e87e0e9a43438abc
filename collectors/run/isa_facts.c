/* Turns an executable, or the code objects that were loaded, into counts and verdicts: the vendor's
 * disassembler prints the machine code, collectors/isa reads it, and the class of an instruction is
 * its opcode without modifiers. A program without device code (an interpreter, a loader of cubins)
 * is no error: the result is "unavailable". */
#include "collectors/run/isa_facts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/wire/build.h"

enum { SECONDS = 60, LISTING_MAX = 64 << 20, CLASSES_MAX = 256 };

static bool
is_object(const char *path)
{
    char magic[4] = "";
    FILE *f = fopen(path, "re");
    bool elf = f && fread(magic, 1, 4, f) == 4 && memcmp(magic, "\177ELF", 4) == 0;

    if (f)
        fclose(f);
    return elf;
}

/* Append what cuobjdump prints of the program. NULL, or the reason for no text; *tool: name of the
 * tool.
 */
static const char *
read_cuda(const struct lore_isa_source *source, struct lore_arena *arena, struct lore_buf *text,
    const char **tool)
{
    struct lore_err err = {0};

    if (!source->object || !is_object(source->object))
        return "the file is no program with device code";
    const char *path = lore_isa_tool_find(arena, "cuobjdump");
    if (!path)
        return "cuobjdump was not found in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin";
    *tool = "cuobjdump";
    char *argv[] = {"cuobjdump", "--dump-sass", lore_strdup(arena, source->object), NULL};
    return lore_isa_tool_run(path, argv, SECONDS, text, &err) == LORE_OK
               ? NULL
               : lore_strdup(arena, err.msg);
}

/* The same of llvm-objdump, for the launched kernels in each code object that was kept. */
static const char *
read_hip(const struct lore_isa_source *source, struct lore_arena *arena, struct lore_buf *text,
    const char **tool)
{
    const char *symbols = "--disassemble-symbols=", *why = "no code object was kept";
    const char *path = lore_isa_tool_find(arena, "llvm-objdump");
    struct lore_err err = {0};
    struct dirent *e;

    if (!path)
        return "llvm-objdump was not found in PATH, $ROCM_PATH/llvm/bin or /opt/rocm/llvm/bin";
    *tool = "llvm-objdump";
    for (size_t i = 0; i < source->symbols.n; i++)
        symbols = lore_format(arena, "%s%s%s", symbols, i > 0 ? "," : "", source->symbols.v[i]);
    DIR *d = source->folder ? opendir(source->folder) : NULL;
    while (d && (e = readdir(d))) {
        if (!lore_streq(strrchr(e->d_name, '.'), ".co"))
            continue;
        char *argv[] = {"llvm-objdump", "-d", lore_strdup(arena, symbols),
            lore_format(arena, "%s/%s", source->folder, e->d_name), NULL};
        if (lore_isa_tool_run(path, argv, SECONDS, text, &err) == LORE_OK)
            why = NULL;
        else if (why)
            why = lore_strdup(arena, err.msg);
    }
    if (d)
        (void)closedir(d);
    return why;
}

static const struct disassembler {
    const char *vendor;
    const char *(*read)(const struct lore_isa_source *source, struct lore_arena *arena,
        struct lore_buf *text, const char **tool);
} disassemblers[] = {{"nvidia", read_cuda}, {"amd", read_hip}};

/* NULL, or why there is no listing. */
static const char *
disassemble(const struct disassembler *d, const struct lore_isa_source *source,
    struct lore_arena *arena, const char **tool, struct lore_isa_listing *out)
{
    struct lore_buf text = {.max = LISTING_MAX};
    struct lore_err err = {0};
    enum lore_status status = LORE_OK;
    const char *why = d->read(source, arena, &text, tool);

    if (!why)
        status = lore_isa_read(text.data ? text.data : "", text.len, arena, out, &err);
    lore_buf_free(&text);
    if (status == LORE_OK)
        return why;
    return status == LORE_UNSUPPORTED || status == LORE_INVALID
               ? "the program contains no device code; its kernels are compiled or loaded at run "
                 "time"
               : lore_strdup(arena, err.msg);
}

void
lore_isa_facts_read(
    const struct lore_isa_source *source, struct lore_arena *arena, struct lore_isa_facts *out)
{
    struct lore_isa_listing *listing = lore_alloc(arena, sizeof *listing);

    memset(out, 0, sizeof *out);
    out->why = "no disassembler is known for this device";
    for (size_t i = 0; i < sizeof disassemblers / sizeof *disassemblers; i++)
        if (lore_streq(disassemblers[i].vendor, source->vendor))
            out->why = disassemble(&disassemblers[i], source, arena, &out->tool, listing);
    out->listing = out->why ? NULL : listing;
}

/* ---- the histogram ---- */

struct class
{
    const char *name;
    size_t n, count;
};

static int
by_count(const void *a, const void *b)
{
    const struct class *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    int order = strncmp(x->name, y->name, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* Count the opcode classes of F into OUT, at most MOST, the most frequent first. */
static size_t
classes_of(const struct lore_isa_function *f, struct class *out, size_t most)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n_forms; i++) {
        const char *form = f->forms[i].form;
        size_t len = strcspn(form, ". "), k = 0;
        if (form[0] == ';' || len == 0)
            continue;
        while (k < n && (out[k].n != len || strncmp(out[k].name, form, len) != 0))
            k++;
        if (k == most)
            continue;
        if (k == n)
            out[n++] = (struct class){form, len, 0};
        out[k].count += f->forms[i].count;
    }
    qsort(out, n, sizeof *out, by_count);
    return n;
}

static void
write_function(struct lore_jsonw *w, const struct lore_isa_function *f, struct lore_arena *arena)
{
    struct class *v = lore_alloc_array(arena, CLASSES_MAX, sizeof *v);
    size_t n = classes_of(f, v, CLASSES_MAX);

    lore_w_kstr_opt(w, "isa", f->isa);
    lore_w_ki64(w, "instructions", (int64_t)f->instructions);
    lore_w_ki64(w, "spill_instructions", (int64_t)f->spill_ops);
    if (f->maybe_spills)
        lore_w_ki64(w, "maybe_spill_instructions", (int64_t)f->maybe_spills);
    lore_w_key(w, "opcodes");
    lore_w_obj(w);
    for (size_t i = 0; i < n; i++)
        lore_w_ki64(w, lore_strndup(arena, v[i].name, v[i].n), (int64_t)v[i].count);
    lore_w_obj_end(w);
}

void
lore_isa_facts_write(struct lore_jsonw *w, const struct lore_isa_facts *f, const char *symbol,
    const char *isa, struct lore_arena *arena)
{
    struct lore_isa_function fn = {0};
    struct lore_err err = {0};
    bool found =
        f->listing && lore_isa_select(f->listing, symbol, isa, arena, &fn, &err) == LORE_OK;

    lore_w_obj(w);
    lore_w_kstr_opt(w, "tool", f->tool);
    if (found)
        write_function(w, &fn, arena);
    else
        lore_w_kstr(w, "unavailable", f->listing ? err.msg : f->why);
    lore_w_obj_end(w);
}

/* ---- verifications ---- */

static void
fill(const struct lore_isa_check *check, const struct lore_isa_facts *f, struct lore_arena *arena,
    struct lore_verification *v)
{
    v->technique = check->technique;
    v->status = lore_isa_verdict_name(check->verdict);
    v->tool = f->tool ? f->tool : "warplore run";
    v->kernel_symbol = check->symbol && strlen(check->symbol) <= 2000 ? check->symbol : NULL;
    v->note = check->why;
    if (check->version > 0)
        v->signature = lore_format(arena, "%s/%s@%u", check->technique,
            lore_isa_target_name(check->target), check->version);
    for (size_t i = 0; i < check->n_found; i++) {
        const struct lore_isa_found *found = &check->found[i];
        lore_kvs_set(arena, &v->counts, found->pattern, lore_format(arena, "%zu", found->count));
        if (strcmp(found->kind, "pattern") == 0)
            lore_build_text(arena, found->count > 0 ? &v->found : &v->missing, found->pattern);
    }
}

void
lore_isa_facts_verify(const struct lore_isa_facts *f, const struct lore_isa_claim *claim,
    struct lore_arena *arena, struct lore_submission *doc)
{
    for (size_t i = 0; i < claim->techniques->n; i++) {
        const char *text = claim->techniques->v[i];
        struct lore_isa_request q = {.listing = f->listing,
            .technique = lore_strndup(arena, text, strcspn(text, "{")),
            .symbol = claim->symbol,
            .isa = claim->isa,
            .why_none = f->why};
        struct lore_isa_check check;
        struct lore_verification v = {.version = claim->version};
        char counts[33];

        lore_isa_check_technique(&q, arena, &check);
        fill(&check, f, arena, &v);
        lore_kvs_hash(&v.counts, counts);
        v.id = lore_build_id(arena, 0, "verification|%s|%s|%s|%s|%s|%s|%s|%s", v.version,
            v.technique, v.status, v.tool, v.kernel_symbol ? v.kernel_symbol : "",
            v.signature ? v.signature : "", counts, v.note);
        *LORE_PUSH(arena, doc->verifications, doc->n_verifications, doc->cap_verifications) = v;
    }
}
