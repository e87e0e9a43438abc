/* The common part of the readers. It detects the tool that printed the text and passes each line to
 * that tool's reader. A hash table counts the forms of the current function; they are sorted when
 * it ends. Unknown lines are skipped, because listings carry headers, encodings and notes. A text
 * without any instruction is an error, because a check of nothing must never pass. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/isa/reader.h"
#include "service/base/fnv.h"
#include "service/base/text.h"

enum { TEXT_MAX = 64 << 20, FUNCTIONS_MAX = 65536, FORMS_MAX = 1000000, FORM_MAX = 160 };

static const char *const targets[LORE_ISA_TARGET_COUNT] = {"none", "sass", "amdgcn"};
static const char *const formats[LORE_ISA_FORMAT_COUNT] = {
    "unknown", "cuobjdump", "nvdisasm", "objdump", "assembler"};

const char *
lore_isa_target_name(enum lore_isa_target t)
{
    return (unsigned)t < LORE_ISA_TARGET_COUNT ? targets[t] : NULL;
}

const char *
lore_isa_format_name(enum lore_isa_format f)
{
    return (unsigned)f < LORE_ISA_FORMAT_COUNT ? formats[f] : NULL;
}

struct lore_isa_line
lore_isa_trim(struct lore_isa_line l)
{
    while (l.n > 0 && isspace((unsigned char)l.s[0]))
        l.s++, l.n--;
    while (l.n > 0 && isspace((unsigned char)l.s[l.n - 1]))
        l.n--;
    return l;
}

bool
lore_isa_starts(struct lore_isa_line l, const char *prefix)
{
    size_t n = strlen(prefix);

    return l.n >= n && memcmp(l.s, prefix, n) == 0;
}

bool
lore_isa_number(struct lore_isa_line l, const char *prefix, struct lore_i64 *out)
{
    int64_t v = 0;
    size_t i = strlen(prefix), digits = 0;

    if (!lore_isa_starts(l, prefix))
        return false;
    while (i < l.n && isspace((unsigned char)l.s[i]))
        i++;
    for (; i < l.n && isdigit((unsigned char)l.s[i]) && digits < 15; i++, digits++)
        v = v * 10 + (l.s[i] - '0');
    if (digits == 0)
        return false;
    *out = (struct lore_i64){true, v};
    return true;
}

void
lore_isa_set_isa(struct lore_isa_reader *r, const char *s, size_t n)
{
    size_t k = 0;

    while (k < n && k + 1 < sizeof r->isa && (isalnum((unsigned char)s[k]) || s[k] == '_')) {
        r->isa[k] = s[k];
        k++;
    }
    r->isa[k] = '\0';
}

static void
grow_index(struct lore_isa_reader *r)
{
    r->n_slots = r->n_slots == 0 ? 256 : 2 * r->n_slots;
    r->slots = lore_alloc_array(r->arena, r->n_slots, sizeof *r->slots);
    for (size_t i = 0; i < r->fn->n_forms; i++) {
        const char *form = r->fn->forms[i].form;
        size_t at = lore_fnv_text(LORE_FNV, form) & (r->n_slots - 1);

        while (r->slots[at] != 0)
            at = (at + 1) & (r->n_slots - 1);
        r->slots[at] = (uint32_t)i + 1;
    }
}

void
lore_isa_count_form(struct lore_isa_reader *r, const char *form, size_t n, size_t times)
{
    struct lore_isa_function *f = r->fn;
    size_t at;

    if (!f || n == 0 || times == 0)
        return;
    n = n < FORM_MAX ? n : FORM_MAX;
    if (2 * (f->n_forms + 1) > r->n_slots)
        grow_index(r);
    at = lore_fnv_bytes(LORE_FNV, form, n) & (r->n_slots - 1);
    for (; r->slots[at] != 0; at = (at + 1) & (r->n_slots - 1)) {
        struct lore_isa_form *known = &f->forms[r->slots[at] - 1];

        if (strncmp(known->form, form, n) == 0 && known->form[n] == '\0') {
            known->count += times;
            return;
        }
    }
    if (++r->forms_in_all > FORMS_MAX) {
        r->too_many = true;
        return;
    }
    *LORE_PUSH(r->arena, f->forms, f->n_forms, f->cap_forms) =
        (struct lore_isa_form){lore_strndup(r->arena, form, n), times};
    r->slots[at] = (uint32_t)f->n_forms;
}

void
lore_isa_count(struct lore_isa_reader *r, const char *form, size_t n)
{
    if (!r->fn)
        return;
    r->fn->instructions += 1 + r->padding;
    lore_isa_count_form(r, r->padding_form, strlen(r->padding_form), r->padding);
    r->padding = 0;
    lore_isa_count_form(r, form, n, 1);
}

void
lore_isa_pad(struct lore_isa_reader *r, const char *form)
{
    size_t n = strlen(form);

    if (!r->fn || n >= sizeof r->padding_form)
        return;
    memcpy(r->padding_form, form, n + 1);
    r->padding++;
}

int
lore_isa_by_form(const void *a, const void *b)
{
    return strcmp(((const struct lore_isa_form *)a)->form, ((const struct lore_isa_form *)b)->form);
}

/* Sort the forms of the current function, or drop it when it has no code (a variable, an empty
 * label). */
void
lore_isa_end(struct lore_isa_reader *r)
{
    if (r->fn && r->fn->instructions == 0)
        r->out->n_functions--;
    else if (r->fn)
        qsort(r->fn->forms, r->fn->n_forms, sizeof *r->fn->forms, lore_isa_by_form);
    r->fn = NULL;
    r->padding = 0;
    /* leave a large table to the arena: clearing it for each of many small functions is slow */
    if (r->n_slots > 256)
        r->n_slots = 0;
    else if (r->n_slots > 0)
        memset(r->slots, 0, r->n_slots * sizeof *r->slots);
}

void
lore_isa_begin(struct lore_isa_reader *r, const char *name, size_t n)
{
    struct lore_isa_listing *out = r->out;

    lore_isa_end(r);
    r->meta = NULL; /* the array may move */
    if (out->n_functions >= FUNCTIONS_MAX) {
        r->too_many = true;
        return;
    }
    r->fn = LORE_PUSH(r->arena, out->functions, out->n_functions, out->cap_functions);
    *r->fn = (struct lore_isa_function){0};
    r->fn->name = lore_strndup(r->arena, name, n);
    r->fn->isa = r->isa[0] != '\0' ? lore_strdup(r->arena, r->isa) : NULL;
}

/* Read the next line before END, without its newline; false when none is left. A NUL byte does not
 * end the text. */
static bool
next_line(const char **at, const char *end, struct lore_isa_line *l)
{
    const char *nl;

    if (*at >= end)
        return false;
    nl = memchr(*at, '\n', (size_t)(end - *at));
    nl = nl != NULL ? nl : end;
    *l = (struct lore_isa_line){*at, (size_t)(nl - *at)};
    *at = nl + 1;
    return true;
}

static bool
contains(struct lore_isa_line l, const char *word)
{
    return memmem(l.s, l.n, word, strlen(word));
}

/* The tool that prints such a line; UNKNOWN when the line is not specific to one. */
static enum lore_isa_format
format_of(struct lore_isa_line l)
{
    struct lore_isa_line t = lore_isa_trim(l);

    if (lore_isa_starts(t, "Function : "))
        return LORE_ISA_CUOBJDUMP;
    if (lore_isa_starts(t, ".section\t.text.") ||
        lore_isa_starts(t, "//--------------------- .text"))
        return LORE_ISA_NVDISASM;
    if (contains(t, "file format elf64-amdgpu") || contains(t, "file format ELF64-amdgpu"))
        return LORE_ISA_OBJDUMP;
    if (lore_isa_starts(t, ".amdgcn_target") || lore_isa_starts(t, ".amdhsa_kernel"))
        return LORE_ISA_ASSEMBLER;
    return LORE_ISA_UNKNOWN;
}

static enum lore_isa_format
detect(const char *text, size_t len)
{
    const char *at = text;
    struct lore_isa_line l;
    enum lore_isa_format f = LORE_ISA_UNKNOWN;

    while (f == LORE_ISA_UNKNOWN && next_line(&at, text + len, &l))
        f = format_of(l);
    return f;
}

static void
read_lines(struct lore_isa_reader *r, const char *text, size_t len)
{
    static void (*const readers[LORE_ISA_FORMAT_COUNT])(
        struct lore_isa_reader *, struct lore_isa_line) = {NULL, lore_isa_line_cuobjdump,
        lore_isa_line_nvdisasm, lore_isa_line_objdump, lore_isa_line_assembler};
    const char *at = text;
    struct lore_isa_line l;

    while (!r->too_many && next_line(&at, text + len, &l))
        readers[r->out->format](r, l);
    lore_isa_end(r);
}

enum lore_status
lore_isa_read(const char *text, size_t len, struct lore_arena *arena, struct lore_isa_listing *out,
    struct lore_err *err)
{
    struct lore_isa_listing listing = {0};
    struct lore_isa_reader r = {.arena = arena, .out = &listing};

    if (len > TEXT_MAX)
        return lore_fail(err, LORE_TOOBIG, "disassembly: above %d MiB", TEXT_MAX >> 20);
    listing.format = detect(text, len);
    if (listing.format == LORE_ISA_UNKNOWN) {
        lore_fail(err, LORE_UNSUPPORTED, "disassembly: neither SASS nor AMDGCN text");
        if (err)
            lore_err_hint(err,
                "give the output of cuobjdump --dump-sass, nvdisasm, llvm-objdump -d "
                "or the compiler's assembler text");
        return LORE_UNSUPPORTED;
    }
    listing.target = listing.format <= LORE_ISA_NVDISASM ? LORE_ISA_SASS : LORE_ISA_AMDGCN;
    read_lines(&r, text, len);
    if (r.too_many)
        return lore_fail(err, LORE_TOOBIG,
            "disassembly: above %d functions or %d forms of instructions", FUNCTIONS_MAX,
            FORMS_MAX);
    if (listing.n_functions == 0)
        return lore_fail(err, LORE_INVALID, "disassembly: %s text without instructions",
            formats[listing.format]);
    *out = listing;
    return LORE_OK;
}
