/* Reads AMD listings: the output of llvm-objdump and the assembler text of compilers. A form is the
 * opcode with its modifiers ("row_shr", "lds", "nt", "offen"), without their numbers. A wait that
 * leaves operations in flight adds a word: "s_waitcnt vmcnt outstanding". Every scratch_* access
 * counts as a spill. On gfx908 and gfx90a spills are buffer accesses through the stack's
 * descriptor. The assembler text marks these with a comment ("Folded Spill"); a disassembly does
 * not, so there a buffer access without an offset register ("off") counts as a possible spill. The
 * compiler's own counts, in the metadata after the code, are recorded too. */
#include <ctype.h>
#include <string.h>

#include "collectors/isa/reader.h"

struct form {
    char text[128];
    size_t n;
};

static void
add_word(struct form *f, const char *s, size_t n)
{
    if (f->n + n + 2 > sizeof f->text)
        return;
    if (f->n > 0)
        f->text[f->n++] = ' ';
    memcpy(f->text + f->n, s, n);
    f->n += n;
}

/* Does the word name a modifier? Registers, numbers and labels do not. */
static bool
is_modifier(const char *s, size_t n)
{
    static const char *const words[] = {"off", "offen", "idxen", "lds", "glc", "slc", "dlc", "nt",
        "sc0", "sc1", "row_shr", "row_shl", "row_ror", "row_bcast", "row_newbcast", "row_share",
        "row_xmask", "row_mirror", "row_half_mirror", "quad_perm", "wave_shr", "wave_shl",
        "wave_ror", "wave_rol", "row_mask", "bank_mask", "bound_ctrl", "gds", "tfe", "clamp"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
            return true;
    return false;
}

/* Read "vmcnt(3) lgkmcnt(0)": add each counter's name, followed by "outstanding" when the counter
 * may stay above 0. */
static void
add_waits(struct form *f, struct lore_isa_line rest)
{
    for (size_t i = 0; i < rest.n;) {
        size_t n = 0;

        while (i + n < rest.n && (isalnum((unsigned char)rest.s[i + n]) || rest.s[i + n] == '_'))
            n++;
        if (n > 0 && i + n + 1 < rest.n && rest.s[i + n] == '(') {
            add_word(f, rest.s + i, n);
            if (rest.s[i + n + 1] != '0')
                add_word(f, "outstanding", 11);
        }
        i += n + 1;
    }
}

static void
add_modifiers(struct form *f, struct lore_isa_line rest)
{
    for (size_t i = 0; i < rest.n;) {
        size_t n = 0;

        while (i + n < rest.n && (isalnum((unsigned char)rest.s[i + n]) || rest.s[i + n] == '_'))
            n++;
        if (n > 0 && is_modifier(rest.s + i, n))
            add_word(f, rest.s + i, n);
        i += n;
        while (i < rest.n && !isspace((unsigned char)rest.s[i]) && rest.s[i] != ',')
            i++; /* ":15", "[0:3]" */
        while (i < rest.n && (isspace((unsigned char)rest.s[i]) || rest.s[i] == ','))
            i++;
    }
}

static void
note_spill(struct lore_isa_function *fn, struct lore_isa_line op, const struct form *f,
    struct lore_isa_line comment)
{
    bool buffer = lore_isa_starts(op, "buffer_load_") || lore_isa_starts(op, "buffer_store_");

    if (lore_isa_starts(op, "scratch_load_") || lore_isa_starts(op, "scratch_store_") ||
        memmem(comment.s, comment.n, "Folded Spill", 12) ||
        memmem(comment.s, comment.n, "Folded Reload", 13))
        fn->spill_ops++;
    else if (buffer && memmem(f->text, f->n, " off", 4) && !memmem(f->text, f->n, " offen", 6) &&
             !memmem(f->text, f->n, " lds", 4))
        fn->maybe_spills++;
}

/* L is an instruction without its comment. */
static void
instruction(struct lore_isa_reader *r, struct lore_isa_line l, struct lore_isa_line comment)
{
    struct form f = {.n = 0};
    struct lore_isa_line rest;
    size_t n = 0;

    l = lore_isa_trim(l);
    while (n < l.n &&
           (islower((unsigned char)l.s[n]) || isdigit((unsigned char)l.s[n]) || l.s[n] == '_'))
        n++;
    if (!r->fn || n < 3 || n > 60 || !islower((unsigned char)l.s[0]) ||
        (n < l.n && !isspace((unsigned char)l.s[n])) || !memchr(l.s, '_', n))
        return;
    if (n == 5 && memcmp(l.s, "s_nop", 5) == 0) {
        lore_isa_pad(r, "s_nop");
        return;
    }
    if (n == 10 && memcmp(l.s, "s_code_end", 10) == 0)
        return;
    add_word(&f, l.s, n);
    rest = (struct lore_isa_line){l.s + n, l.n - n};
    if (lore_isa_starts(l, "s_waitcnt"))
        add_waits(&f, rest);
    else
        add_modifiers(&f, rest);
    lore_isa_count(r, f.text, f.n);
    note_spill(r->fn, (struct lore_isa_line){l.s, n}, &f, comment);
}

/* Split L at the first MARK and put the rest into *comment. */
static struct lore_isa_line
split_at(struct lore_isa_line l, const char *mark, struct lore_isa_line *comment)
{
    const char *at = memmem(l.s, l.n, mark, strlen(mark));

    *comment = (struct lore_isa_line){l.s + l.n, 0};
    if (!at)
        return l;
    *comment = (struct lore_isa_line){at, l.n - (size_t)(at - l.s)};
    return (struct lore_isa_line){l.s, (size_t)(at - l.s)};
}

/* "0000000000000400 <lds_sum>:" */
static bool
objdump_symbol(struct lore_isa_line l, struct lore_isa_line *name)
{
    size_t i = 0;

    while (i < l.n && isxdigit((unsigned char)l.s[i]))
        i++;
    if (i < 8 || i + 5 > l.n || l.s[i] != ' ' || l.s[i + 1] != '<' || l.s[l.n - 1] != ':' ||
        l.s[l.n - 2] != '>')
        return false;
    *name = (struct lore_isa_line){l.s + i + 2, l.n - i - 4};
    return name->n > 0;
}

void
lore_isa_line_objdump(struct lore_isa_reader *r, struct lore_isa_line l)
{
    struct lore_isa_line name, comment, t = lore_isa_trim(l);

    if (lore_isa_starts(t, "Disassembly of section"))
        lore_isa_end(r);
    else if (objdump_symbol(t, &name))
        lore_isa_begin(r, name.s, name.n);
    else if (l.n > 0 && isspace((unsigned char)l.s[0])) {
        t = split_at(l, "//", &comment);
        instruction(r, t, comment);
    }
}

static struct lore_isa_function *
function_named(struct lore_isa_reader *r, struct lore_isa_line name)
{
    for (size_t i = r->out->n_functions; i-- > 0;) {
        const char *have = r->out->functions[i].name;

        if (strlen(have) == name.n && memcmp(have, name.s, name.n) == 0)
            return &r->out->functions[i];
    }
    return NULL;
}

/* Read one line of the YAML metadata. Members of a kernel are indented by 4, those of its arguments
 * by more. */
static void
metadata(struct lore_isa_reader *r, struct lore_isa_line l, struct lore_isa_line t)
{
    static const char name[] = ".name:";
    size_t deep = (size_t)(t.s - l.s);
    struct lore_isa_function *k;

    if (lore_isa_starts(t, "- ") && deep == 2)
        r->meta = NULL;
    if (deep == 4 && lore_isa_starts(t, name)) {
        struct lore_isa_line v = {t.s + sizeof name - 1, t.n - (sizeof name - 1)};

        v = lore_isa_trim(v);
        if (v.n > 1 && v.s[0] == '\'')
            v = (struct lore_isa_line){v.s + 1, v.n - 2};
        r->meta = function_named(r, v);
    }
    if (deep != 4 || !(k = r->meta))
        return;
    (void)(lore_isa_number(t, ".vgpr_spill_count:", &k->vgpr_spills) ||
           lore_isa_number(t, ".sgpr_spill_count:", &k->sgpr_spills) ||
           lore_isa_number(t, ".private_segment_fixed_size:", &k->scratch_bytes) ||
           lore_isa_number(t, ".vgpr_count:", &k->vgprs) ||
           lore_isa_number(t, ".sgpr_count:", &k->sgprs));
}

/* "\t.type\tNAME,@function" */
static bool
declares_function(struct lore_isa_reader *r, struct lore_isa_line t)
{
    static const char type[] = ".type", function[] = ",@function";
    struct lore_isa_line v;

    if (!lore_isa_starts(t, type) || t.n < sizeof type + sizeof function ||
        memcmp(t.s + t.n - (sizeof function - 1), function, sizeof function - 1) != 0)
        return false;
    v = lore_isa_trim((struct lore_isa_line){
        t.s + sizeof type - 1, t.n - (sizeof type - 1) - (sizeof function - 1)});
    if (v.n >= sizeof r->pending)
        return true;
    memcpy(r->pending, v.s, v.n);
    r->pending[v.n] = '\0';
    return true;
}

/* "NAME:" of the symbol just declared. */
static bool
starts_function(struct lore_isa_reader *r, struct lore_isa_line l)
{
    size_t n = strlen(r->pending);

    if (n == 0 || l.n <= n || memcmp(l.s, r->pending, n) != 0 || l.s[n] != ':')
        return false;
    lore_isa_begin(r, r->pending, n);
    r->pending[0] = '\0';
    return true;
}

/* Count comments that are scheduler directives. */
static void
directive(struct lore_isa_reader *r, struct lore_isa_line t)
{
    static const char *const words[] = {"sched_group_barrier", "sched_barrier", "iglp_opt"};
    struct lore_isa_line v = lore_isa_trim((struct lore_isa_line){t.s + 1, t.n - 1});

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lore_isa_starts(v, words[i])) {
            char form[32] = ";";

            memcpy(form + 1, words[i], strlen(words[i]));
            lore_isa_count_form(r, form, 1 + strlen(words[i]), 1);
            return;
        }
}

void
lore_isa_line_assembler(struct lore_isa_reader *r, struct lore_isa_line l)
{
    static const char target[] = ".amdgcn_target";
    struct lore_isa_line comment, t = lore_isa_trim(l);
    const char *gfx;

    if (lore_isa_starts(t, target) && (gfx = memmem(t.s, t.n, "gfx", 3)))
        lore_isa_set_isa(r, gfx, t.n - (size_t)(gfx - t.s));
    else if (declares_function(r, t) || starts_function(r, l))
        return;
    else if (lore_isa_starts(t, ".Lfunc_end") || lore_isa_starts(t, ".section"))
        lore_isa_end(r);
    else if (t.n > 1 && t.s[0] == ';')
        directive(r, t);
    else if (r->fn && l.n > 0 && isspace((unsigned char)l.s[0]) && t.n > 0 && t.s[0] != '.') {
        t = split_at(l, ";", &comment);
        instruction(r, t, comment);
    } else if (!r->fn)
        metadata(r, l, t);
}
