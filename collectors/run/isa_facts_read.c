/* Disassembles the code objects that the capture library kept, and the program itself when they do
 * not hold every launched kernel. A program without device code (an interpreter) is no error. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/code.h"
#include "collectors/run/isa_facts.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { SECONDS = 60, ALL_SECONDS = 180, LISTING_MAX = 64 << 20 };

static bool
has_magic(const void *p, size_t n)
{
    return n >= 4 && memcmp(p, "\177ELF", 4) == 0;
}

static bool
is_object(const char *path)
{
    char magic[4] = "";
    FILE *f = fopen(path, "re");
    bool elf = f && has_magic(magic, fread(magic, 1, 4, f));

    if (f)
        fclose(f);
    return elf;
}

/* State of one reading. */
struct reading {
    const struct lore_isa_source *source;
    struct lore_arena *arena;
    struct lore_isa_facts *out;
    int64_t deadline;
    size_t text_left;
};

/* Run the tool at PATH with ARGV into *LISTING. NULL, or why there is none. */
static const char *
list(struct reading *r, const char *path, char *const *argv, struct lore_isa_listing *listing)
{
    struct lore_buf text = {.max = r->text_left};
    struct lore_err err = {0};
    const char *why = NULL;

    enum lore_status status = lore_isa_tool_run(path, argv, SECONDS, &text, &err);
    if (status != LORE_OK)
        why = lore_strdup(r->arena, err.msg);
    else
        status = lore_isa_read(text.data ? text.data : "", text.len, r->arena, listing, &err);
    if (!why && (status == LORE_UNSUPPORTED || status == LORE_INVALID))
        why = LORE_ISA_NO_CODE;
    else if (!why && status != LORE_OK)
        why = lore_strdup(r->arena, err.msg);
    r->text_left -= why ? 0 : text.len;
    lore_buf_free(&text);
    return why;
}

/* Run the tool at PATH with ARGV and add what it prints as an object. NULL, or why there is none.
 */
static const char *
add_object(struct reading *r, const char *path, char *const *argv)
{
    struct lore_isa_listing *listing = lore_alloc(r->arena, sizeof *listing);
    struct lore_isa_facts *out = r->out;
    const char *why = list(r, path, argv, listing);

    if (!why)
        *LORE_PUSH(r->arena, out->objects, out->n_objects, out->cap_objects) =
            (struct lore_isa_object){.listing = listing, .tool = argv[0]};
    return why;
}

/* The kept objects, in a fixed order. */
static struct lore_texts
kept_objects(const struct lore_isa_source *source, struct lore_arena *arena)
{
    DIR *d = source->folder ? opendir(source->folder) : NULL;
    struct lore_texts all = {0};
    struct dirent *e;

    while (d && (e = readdir(d)))
        if (lore_streq(strrchr(e->d_name, '.'), LORE_CODE_END))
            lore_build_text(arena, &all, lore_format(arena, "%s/%s", source->folder, e->d_name));
    if (d)
        (void)closedir(d);
    for (size_t i = 0; i < source->files.n; i++)
        lore_build_text(arena, &all, source->files.v[i]);
    if (all.n > 1)
        qsort(all.v, all.n, sizeof *all.v, lore_by_text);
    return all;
}

/* What cuobjdump prints of the program. */
static const char *
read_program(struct reading *r)
{
    const char *object = r->source->object;

    if (!object || !is_object(object))
        return "the file is no program with device code";
    const char *path = lore_isa_tool_find(r->arena, "cuobjdump");
    if (!path)
        return "cuobjdump was not found in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin";
    char *argv[] = {"cuobjdump", "--dump-sass", lore_strdup(r->arena, object), NULL};
    return add_object(r, path, argv);
}

/* Whether LISTING has all kernels of CUBIN that were launched. */
static bool
has_launched(
    struct reading *r, const struct lore_isa_listing *listing, const struct lore_cubin *cubin)
{
    struct lore_isa_function ignored;

    for (size_t i = 0; i < r->source->symbols.n; i++) {
        const char *symbol = r->source->symbols.v[i];
        if (lore_cubin_kernel(cubin, symbol) &&
            lore_isa_select(listing, symbol, NULL, r->arena, &ignored, NULL) != LORE_OK)
            return false;
    }
    return true;
}

/* The indexes of the launched kernels in the cubin at PATH: "12,30"; "" when it has none. */
static const char *
launched_in(struct reading *r, const char *path, struct lore_cubin *cubin)
{
    LORE_BUF bytes = {.max = LORE_CODE_MAX};
    const char *indexes = "";

    if (lore_file_read(path, &bytes, NULL) != LORE_OK ||
        lore_cubin_read(bytes.data, bytes.len, r->arena, cubin, NULL) != LORE_OK)
        return "";
    for (size_t i = 0; i < r->source->symbols.n; i++) {
        const struct lore_cubin_kernel *k = lore_cubin_kernel(cubin, r->source->symbols.v[i]);
        if (k)
            indexes = lore_format(r->arena, "%s%s%u", indexes, *indexes ? "," : "", k->index);
    }
    return indexes;
}

/* How a module is asked for, in this order. A tool of another release than the module's compiler
 * may number functions in another way: it ends well and prints none of them, or others. */
static const char *const ways[][3] = {
    {"nvdisasm", "-c", "-fun"}, {"nvdisasm", "-c", NULL}, {"cuobjdump", "--dump-sass", NULL}};

/* Add the launched kernels of the cubin at MODULE. NULL, or why there are none. */
static const char *
add_module(
    struct reading *r, const char *module, const char *indexes, const struct lore_cubin *cubin)
{
    struct lore_isa_facts *out = r->out;
    const char *why = NULL;

    for (size_t i = 0; i < sizeof ways / sizeof *ways && lore_ticks_us() <= r->deadline; i++) {
        const char *const *way = ways[i], *path = lore_isa_tool_find(r->arena, way[0]), *one;
        struct lore_isa_listing *listing = lore_alloc(r->arena, sizeof *listing);
        char *argv[6] = {lore_strdup(r->arena, way[0]), lore_strdup(r->arena, way[1])};
        size_t n = 2;

        if (!path)
            continue;
        if (way[2]) {
            argv[n++] = lore_strdup(r->arena, way[2]);
            argv[n++] = lore_strdup(r->arena, indexes);
        }
        argv[n] = lore_strdup(r->arena, module);
        one = list(r, path, argv, listing);
        if (!one && has_launched(r, listing, cubin)) {
            *LORE_PUSH(r->arena, out->objects, out->n_objects, out->cap_objects) =
                (struct lore_isa_object){.listing = listing, .tool = way[0], .cubin = *cubin};
            return NULL;
        }
        why = why ? why : one && !lore_streq(one, LORE_ISA_NO_CODE) ? one : NULL;
    }
    return why ? why
               : "the disassemblers print no code of a module that has it: they are of another "
                 "CUDA release than its compiler; Triton's own, in triton/backends/nvidia/bin, may "
                 "be put first in PATH";
}

/* The launched kernels in each kept cubin. */
static const char *
read_modules(struct reading *r, const struct lore_texts *kept)
{
    const char *why = NULL;

    if (!lore_isa_tool_find(r->arena, "nvdisasm"))
        return lore_format(r->arena,
            "nvdisasm was not found in PATH, $CUDA_HOME/bin or /usr/local/cuda/bin; the program "
            "loaded %zu modules",
            kept->n);
    for (size_t i = 0; i < kept->n; i++) {
        struct lore_cubin cubin = {0};
        const char *indexes = launched_in(r, kept->v[i], &cubin), *one;
        if (!*indexes)
            continue;
        if (lore_ticks_us() > r->deadline)
            return lore_format(r->arena,
                "only %zu objects were disassembled: that took longer than %d s", i, ALL_SECONDS);
        one = add_module(r, kept->v[i], indexes, &cubin);
        why = why ? why : one;
    }
    return why ? why : "none of the loaded modules contains it";
}

static void
read_cuda(struct reading *r)
{
    const struct lore_texts kept = kept_objects(r->source, r->arena);
    const char *why = kept.n > 0 ? read_modules(r, &kept) : NULL, *program = NULL;

    if (r->out->n_objects < r->source->symbols.n || kept.n == 0)
        program = read_program(r);
    if (!why && r->source->asked && lore_streq(program, LORE_ISA_NO_CODE))
        why = "the program contains no device code, and no module was seen being loaded";
    r->out->why = why ? why : program;
}

/* The same of llvm-objdump. */
static void
read_hip(struct reading *r)
{
    const char *symbols = "--disassemble-symbols=", *why = "no code object was kept", *one;
    const char *path = lore_isa_tool_of_toolkit(r->arena, "llvm-objdump");
    const struct lore_texts kept = kept_objects(r->source, r->arena);

    r->out->why = "llvm-objdump was not found in $ROCM_PATH/llvm/bin, /opt/rocm/llvm/bin or PATH";
    if (!path)
        return;
    for (size_t i = 0; i < r->source->symbols.n; i++)
        symbols =
            lore_format(r->arena, "%s%s%s", symbols, i > 0 ? "," : "", r->source->symbols.v[i]);
    for (size_t i = 0; i < kept.n && lore_ticks_us() <= r->deadline; i++) {
        char *argv[] = {"llvm-objdump", "-d", lore_strdup(r->arena, symbols),
            lore_strdup(r->arena, kept.v[i]), NULL};
        if ((one = add_object(r, path, argv)))
            why = lore_format(r->arena,
                "%s; %s may be older than the chip: gfx942 needs ROCm's, in $ROCM_PATH/llvm/bin or "
                "/opt/rocm/llvm/bin, or LLVM 17",
                one, path);
    }
    r->out->why = why;
}

static const struct disassembler {
    const char *vendor;
    void (*read)(struct reading *r);
} disassemblers[] = {{"nvidia", read_cuda}, {"amd", read_hip}};

void
lore_isa_facts_read(
    const struct lore_isa_source *source, struct lore_arena *arena, struct lore_isa_facts *out)
{
    struct reading r = {.source = source,
        .arena = arena,
        .out = out,
        .deadline = lore_ticks_us() + (int64_t)ALL_SECONDS * 1000000,
        .text_left = LISTING_MAX};

    memset(out, 0, sizeof *out);
    out->why = "no disassembler is known for this device";
    for (size_t i = 0; i < sizeof disassemblers / sizeof *disassemblers; i++)
        if (lore_streq(disassemblers[i].vendor, source->vendor))
            disassemblers[i].read(&r);
}
