/* Reads NVIDIA listings. An instruction line is an address in a comment, a predicate, the opcode
 * with its parts joined by dots, the operands and ';' (cuobjdump adds the encoding). Some operands
 * change the meaning of an instruction and add a word to its form. "named" marks a barrier whose
 * number is not 0, and "outstanding" a wait that leaves copies in flight. "const" marks the
 * half-precision multiply-add by which compilers load a constant, and "scaled" a tensor product
 * that reads block scales. */
#include <ctype.h>
#include <string.h>

#include "collectors/isa/reader.h"

/* The text after the address comment; n 0: not an instruction line. */
static struct lore_isa_line
after_address(struct lore_isa_line l)
{
    struct lore_isa_line none = {l.s, 0};
    size_t i = 2;

    l = lore_isa_trim(l);
    if (!lore_isa_starts(l, "/*"))
        return none;
    while (i < l.n && isxdigit((unsigned char)l.s[i]))
        i++;
    if (i == 2 || i + 2 > l.n || l.s[i] != '*' || l.s[i + 1] != '/')
        return none;
    return lore_isa_trim((struct lore_isa_line){l.s + i + 2, l.n - i - 2});
}

static struct lore_isa_line
without_predicate(struct lore_isa_line l)
{
    size_t i = 0;

    if (l.n > 0 && l.s[0] == '{')
        l = lore_isa_trim((struct lore_isa_line){l.s + 1, l.n - 1});
    if (l.n == 0 || l.s[0] != '@')
        return l;
    while (i < l.n && !isspace((unsigned char)l.s[i]))
        i++;
    return lore_isa_trim((struct lore_isa_line){l.s + i, l.n - i});
}

static size_t
opcode_length(struct lore_isa_line l)
{
    size_t n = 0;

    while (n < l.n && (isupper((unsigned char)l.s[n]) || isdigit((unsigned char)l.s[n]) ||
                          l.s[n] == '.' || l.s[n] == '_'))
        n++;
    return n > 0 && isupper((unsigned char)l.s[0]) ? n : 0;
}

/* Operand number I (from 0) of the text behind the opcode, trimmed; n 0: there is none. */
static struct lore_isa_line
operand(struct lore_isa_line rest, size_t i)
{
    const char *end = memchr(rest.s, ';', rest.n), *comma;

    if (end)
        rest.n = (size_t)(end - rest.s);
    for (;; i--) {
        comma = memchr(rest.s, ',', rest.n);
        if (i == 0)
            break;
        if (!comma)
            return (struct lore_isa_line){rest.s, 0};
        rest.n -= (size_t)(comma + 1 - rest.s);
        rest.s = comma + 1;
    }
    if (comma)
        rest.n = (size_t)(comma - rest.s);
    return lore_isa_trim(rest);
}

static bool
is_zero(struct lore_isa_line l)
{
    return l.n > 0 && (lore_isa_starts(l, "0x0") ? l.n == 3 : l.n == 1 && l.s[0] == '0');
}

/* A matrix product with block scales reads them from tensor memory, named behind the descriptor. */
static bool
scales(struct lore_isa_line rest)
{
    const char *idesc = memmem(rest.s, rest.n, "idesc[", 6);

    return idesc && memmem(idesc, rest.n - (size_t)(idesc - rest.s), "tmem[", 5);
}

/* The word that the operands add to the form; "" for nearly all. */
static const char *
operand_word(struct lore_isa_line op, struct lore_isa_line rest)
{
    struct lore_isa_line first = operand(rest, 0), second = operand(rest, 1);

    if (lore_isa_starts(op, "BAR."))
        return first.n > 0 && !is_zero(first) ? " named" : "";
    if (lore_isa_starts(op, "DEPBAR.LE"))
        return second.n > 0 && !is_zero(second) ? " outstanding" : "";
    if (lore_isa_starts(op, "HFMA2") && second.n == 3 && memcmp(second.s, "-RZ", 3) == 0)
        return " const";
    if (lore_isa_starts(op, "UTC") && scales(rest))
        return " scaled";
    return "";
}

static void
instruction(struct lore_isa_reader *r, struct lore_isa_line l)
{
    char form[128];
    size_t n, extra;
    const char *word;

    if (!r->fn || (l = without_predicate(after_address(l))).n == 0)
        return;
    n = opcode_length(l);
    if (n == 0 || n > 100)
        return;
    if (n == 3 && memcmp(l.s, "NOP", 3) == 0) {
        lore_isa_pad(r, "NOP");
        return;
    }
    word = operand_word((struct lore_isa_line){l.s, n}, (struct lore_isa_line){l.s + n, l.n - n});
    extra = strlen(word);
    memcpy(form, l.s, n);
    memcpy(form + n, word, extra);
    lore_isa_count(r, form, n + extra);
    if (lore_isa_starts(l, "STL") || lore_isa_starts(l, "LDL"))
        r->fn->spill_ops++;
}

void
lore_isa_line_cuobjdump(struct lore_isa_reader *r, struct lore_isa_line l)
{
    static const char code[] = "code for ", function[] = "Function : ", arch[] = "arch = ";
    struct lore_isa_line t = lore_isa_trim(l);

    if (lore_isa_starts(t, code) || lore_isa_starts(t, arch)) {
        size_t skip = lore_isa_starts(t, code) ? sizeof code - 1 : sizeof arch - 1;

        lore_isa_end(r);
        lore_isa_set_isa(r, t.s + skip, t.n - skip);
    } else if (lore_isa_starts(t, function))
        lore_isa_begin(r, t.s + sizeof function - 1, t.n - (sizeof function - 1));
    else
        instruction(r, l);
}

void
lore_isa_line_nvdisasm(struct lore_isa_reader *r, struct lore_isa_line l)
{
    static const char text[] = ".section\t.text.", target[] = ".target";
    struct lore_isa_line t = lore_isa_trim(l);

    if (lore_isa_starts(t, target)) {
        t = lore_isa_trim(
            (struct lore_isa_line){t.s + sizeof target - 1, t.n - (sizeof target - 1)});
        lore_isa_set_isa(r, t.s, t.n);
    } else if (lore_isa_starts(t, text)) {
        size_t skip = sizeof text - 1, n = 0;

        while (skip + n < t.n && t.s[skip + n] != ',')
            n++;
        lore_isa_begin(r, t.s + skip, n);
    } else if (lore_isa_starts(t, ".section"))
        lore_isa_end(r);
    else
        instruction(r, l);
}
