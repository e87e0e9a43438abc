/* The symbol table names the functions. The section .nv.info is a list of attributes, of which one
 * gives a function's registers: its format and kind, its length, then symbol and number. */
#include "collectors/isa/cubin.h"

#include <elf.h>
#include <string.h>

enum { MACHINE = 190, INFO_SIZED = 4, INFO_REGISTERS = 0x2f };

struct file {
    const unsigned char *p;
    size_t n;
};
struct section {
    const unsigned char *p;
    size_t n;
    uint32_t link;
};

/* The N bytes at OFFSET; NULL: the file is shorter. */
static const unsigned char *
bytes_at(const struct file *f, uint64_t offset, uint64_t n)
{
    return offset <= f->n && n <= f->n - offset ? f->p + offset : NULL;
}

/* The NUL-terminated text at AT of TABLE; NULL: there is none. */
static const char *
text_at(const struct section *table, uint32_t at)
{
    if (at >= table->n || !memchr(table->p + at, 0, table->n - at))
        return NULL;
    return (const char *)table->p + at;
}

static bool
section_at(const struct file *f, const Elf64_Ehdr *h, size_t i, struct section *out, uint32_t *type,
    uint32_t *name)
{
    Elf64_Shdr s;
    const unsigned char *p =
        i < h->e_shnum ? bytes_at(f, h->e_shoff + i * sizeof s, sizeof s) : NULL;

    if (!p)
        return false;
    memcpy(&s, p, sizeof s);
    *type = s.sh_type;
    *name = s.sh_name;
    out->link = s.sh_link;
    out->n = s.sh_type == SHT_NOBITS ? 0 : s.sh_size;
    out->p = bytes_at(f, s.sh_offset, out->n);
    return out->p != NULL;
}

static enum lore_status
damaged(struct lore_err *err)
{
    return lore_fail(err, LORE_INVALID, "a damaged cubin");
}

static enum lore_status
take_symbols(const struct section *symbols, const struct section *names, struct lore_arena *arena,
    struct lore_cubin *out, struct lore_err *err)
{
    size_t cap = 0;

    for (size_t i = 0; i < symbols->n / sizeof(Elf64_Sym); i++) {
        Elf64_Sym s;

        memcpy(&s, symbols->p + i * sizeof s, sizeof s);
        if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || s.st_shndx == SHN_UNDEF)
            continue;
        const char *name = text_at(names, s.st_name);
        if (!name)
            return damaged(err);
        if (out->n_kernels == LORE_CUBIN_KERNELS)
            return lore_fail(
                err, LORE_TOOBIG, "a cubin with more than %d functions", LORE_CUBIN_KERNELS);
        *LORE_PUSH(arena, out->kernels, out->n_kernels, cap) =
            (struct lore_cubin_kernel){.symbol = lore_strdup(arena, name), .index = (uint32_t)i};
    }
    return LORE_OK;
}

static void
set_registers(struct lore_cubin *out, uint32_t symbol, uint32_t registers)
{
    size_t low = 0, high = out->n_kernels; /* kernels are in symbol order */

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (out->kernels[mid].index < symbol)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < out->n_kernels && out->kernels[low].index == symbol)
        out->kernels[low].registers = registers;
}

static void
take_info(const struct section *info, struct lore_cubin *out)
{
    size_t at = 0;

    while (info->n - at >= 4) {
        const unsigned char *p = info->p + at;
        size_t n = p[0] == INFO_SIZED ? (size_t)p[2] | (size_t)p[3] << 8 : 0;
        uint32_t v[2];

        at += 4;
        if (n > info->n - at)
            return;
        if (p[0] == INFO_SIZED && p[1] == INFO_REGISTERS && n >= sizeof v) {
            memcpy(v, info->p + at, sizeof v);
            set_registers(out, v[0], v[1]);
        }
        at += n;
    }
}

enum lore_status
lore_cubin_read(
    const void *p, size_t n, struct lore_arena *arena, struct lore_cubin *out, struct lore_err *err)
{
    const struct file f = {p, n};
    struct section names, s, strings;
    uint32_t type, name, ignored;
    Elf64_Ehdr h;
    enum lore_status status = LORE_OK;

    memset(out, 0, sizeof *out);
    if (n < sizeof h || memcmp(p, ELFMAG, SELFMAG) != 0)
        return lore_fail(err, LORE_INVALID, "not a cubin");
    memcpy(&h, p, sizeof h);
    if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != MACHINE)
        return lore_fail(err, LORE_INVALID, "not a cubin");
    if (h.e_shoff > n || !section_at(&f, &h, h.e_shstrndx, &names, &type, &ignored))
        return damaged(err);
    for (size_t i = 0; i < h.e_shnum && status == LORE_OK; i++) {
        if (!section_at(&f, &h, i, &s, &type, &name))
            return damaged(err);
        if (type != SHT_SYMTAB || out->kernels)
            continue;
        status = section_at(&f, &h, s.link, &strings, &type, &ignored)
                     ? take_symbols(&s, &strings, arena, out, err)
                     : damaged(err);
    }
    for (size_t i = 0; i < h.e_shnum && status == LORE_OK; i++) {
        const char *its = section_at(&f, &h, i, &s, &type, &name) ? text_at(&names, name) : NULL;
        if (!its || strcmp(its, ".nv.info") != 0)
            continue;
        take_info(&s, out);
        break; /* a file has one */
    }
    return status;
}

const struct lore_cubin_kernel *
lore_cubin_kernel(const struct lore_cubin *c, const char *symbol)
{
    for (size_t i = 0; i < c->n_kernels; i++)
        if (strcmp(c->kernels[i].symbol, symbol) == 0)
            return &c->kernels[i];
    return NULL;
}
