/* Reads the disassembly printed by cuobjdump, nvdisasm, llvm-objdump or an AMDGCN compiler, counts
 * instructions per kernel and compares two versions. check.h uses it to verify claimed techniques.
 * Texts in results live in the arena; the input may be freed afterwards. */
#ifndef LORE_ISA_ISA_H
#define LORE_ISA_ISA_H

#include "service/base/arena.h"
#include "service/base/status.h"
#include "service/wire/record.h"

enum lore_isa_target { LORE_ISA_NONE, LORE_ISA_SASS, LORE_ISA_AMDGCN, LORE_ISA_TARGET_COUNT };
enum lore_isa_format {
    LORE_ISA_UNKNOWN,
    LORE_ISA_CUOBJDUMP, /* cuobjdump --dump-sass, also of fat binaries */
    LORE_ISA_NVDISASM,  /* nvdisasm, with or without -c */
    LORE_ISA_OBJDUMP,   /* llvm-objdump -d, roc-objdump */
    LORE_ISA_ASSEMBLER, /* output of clang -S, or a .amdgcn file of a Triton cache */
    LORE_ISA_FORMAT_COUNT
};

/* FORM is the opcode and the modifiers that change what it does, no registers and no addresses:
 * "LDG.E.128.CONSTANT", "v_add_f32_dpp row_shr row_mask bank_mask". docs/verdicts.md lists the
 * words that the reader adds ("named", "const", "outstanding"). A form that starts with ';' is a
 * directive in a comment and no instruction. */
struct lore_isa_form {
    const char *form;
    size_t count;
};
struct lore_isa_function {
    const char *name, *isa;      /* as printed, "sm_90a", "gfx942"; isa NULL: not stated */
    struct lore_isa_form *forms; /* sorted by form */
    size_t n_forms, cap_forms;
    size_t instructions; /* without the padding behind the end */
    size_t spill_ops;    /* loads and stores of local or scratch memory */
    size_t maybe_spills; /* possible spills: the text does not show whether they are */
    /* from the compiler's metadata; not set when it has none */
    struct lore_i64 vgpr_spills, sgpr_spills, scratch_bytes, vgprs, sgprs;
};
struct lore_isa_listing {
    enum lore_isa_format format;
    enum lore_isa_target target;
    struct lore_isa_function *functions; /* in the order of the text; code only */
    size_t n_functions, cap_functions;
};

const char *lore_isa_target_name(enum lore_isa_target t); /* "sass", "amdgcn" */
const char *lore_isa_format_name(enum lore_isa_format f); /* "cuobjdump", … */

/* Read TEXT (LEN bytes, no NUL needed) into *out. LORE_UNSUPPORTED: not a listing of these formats;
 * LORE_INVALID: one without instructions; LORE_TOOBIG: above 64 MiB, 65536 functions or a million
 * different forms. */
enum lore_status lore_isa_read(const char *text, size_t len, struct lore_arena *arena,
    struct lore_isa_listing *out, struct lore_err *err) LORE_MUST;

/* Add up the counts of the functions named SYMBOL, or else of those whose names contain it; NULL:
 * of all. ISA "sm_90" also matches "sm_90a" and functions without an ISA; NULL: any. LORE_NOTFOUND:
 * none matches. LORE_CONFLICT: the matches are for different ISAs. *out shares only texts with
 * LISTING. */
enum lore_status
lore_isa_select(const struct lore_isa_listing *listing, const char *symbol, const char *isa,
    struct lore_arena *arena, struct lore_isa_function *out, struct lore_err *err) LORE_MUST;

/* The forms whose count differs, the largest change first. */
struct lore_isa_change {
    const char *form;
    size_t before, after;
};
struct lore_isa_change *lore_isa_diff(const struct lore_isa_function *before,
    const struct lore_isa_function *after, struct lore_arena *arena, size_t *n);

/* Does AFTER spill more than BEFORE? Compilers' own counts are compared where both have them, else
 * the instructions. UNKNOWN when either is NULL or empty, or when only the possible spills
 * increased. */
enum lore_isa_spill_verdict { LORE_ISA_GATE_UNKNOWN, LORE_ISA_GATE_PASS, LORE_ISA_GATE_FAIL };
enum lore_isa_spill_verdict lore_isa_spill_gate(const struct lore_isa_function *before,
    const struct lore_isa_function *after, const char **why);

#endif
