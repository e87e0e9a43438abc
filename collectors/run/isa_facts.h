/* Facts from the machine code of the measured program: instruction counts, spills, and whether
 * it shows the techniques that a version claims. Needs the vendor's disassembler on the host.
 * Without it, or for code that was not kept, the answer is "unavailable". */
#ifndef LORE_RUN_ISA_FACTS_H
#define LORE_RUN_ISA_FACTS_H

#include "collectors/isa/check.h"
#include "collectors/isa/cubin.h"
#include "service/base/jsonw.h"
#include "service/wire/record.h"

#define LORE_ISA_NO_CODE                                                                           \
    "the program contains no device code; its kernels are compiled or loaded at run time, and "    \
    "--isa or --metrics keeps them"

struct lore_isa_object { /* a program, or a module that it loaded */
    const struct lore_isa_listing *listing;
    const char *tool;        /* "cuobjdump", "nvdisasm", "llvm-objdump" */
    struct lore_cubin cubin; /* of a module of CUDA; else without kernels */
};
struct lore_isa_facts {
    struct lore_isa_object *objects;
    size_t n_objects, cap_objects;
    const char *why; /* why a kernel that none of them has is missing; NULL: nothing is known */
};
struct lore_isa_source {       /* where the machine code is */
    const char *vendor;        /* "nvidia", "amd" */
    const char *object;        /* an executable or a .cubin; NULL: none is known */
    const char *folder;        /* of code objects that the capture library kept; NULL: none */
    struct lore_texts files;   /* further objects: of a compiler's cache */
    bool asked;                /* the library was to keep them */
    struct lore_texts symbols; /* the kernels that were launched */
};
/* Disassemble what *SOURCE has. Never fails. At most 60 s for each object, 180 s and 64 MiB of text
 * in all. */
void lore_isa_facts_read(
    const struct lore_isa_source *source, struct lore_arena *arena, struct lore_isa_facts *out);

struct lore_isa_kernel {      /* as it was launched */
    const char *symbol, *isa; /* isa NULL: not known */
    uint32_t registers;       /* of a thread; 0: not known */
};
/* Whether a launch with LAUNCHED registers a thread can be of a kernel with COMPILED ones: the
 * driver rounds up. 0: not known. */
bool lore_isa_registers_fit(uint32_t compiled, uint32_t launched);
/* The object with the machine code of Q, which goes to *out. Of several modules with a kernel of
 * that name, it is the one with as many registers. NULL: there is none, and *why says why. */
const struct lore_isa_object *
lore_isa_facts_find(const struct lore_isa_facts *f, const struct lore_isa_kernel *q,
    struct lore_arena *arena, struct lore_isa_function *out, const char **why);
/* Write a run's extra.isa: opcode classes and spills of Q, or the reason why there are none. */
void lore_isa_facts_write(struct lore_jsonw *w, const struct lore_isa_facts *f,
    const struct lore_isa_kernel *q, struct lore_arena *arena);
struct lore_isa_claim { /* claims that these techniques ("name{…}") are in VERSION's kernel */
    const char *version;
    struct lore_isa_kernel kernel;
    const struct lore_texts *techniques;
};
/* Add one verification per technique to DOC. Its id is derived from its content, so that measuring
 * the same code again adds nothing. */
void lore_isa_facts_verify(const struct lore_isa_facts *f, const struct lore_isa_claim *claim,
    struct lore_arena *arena, struct lore_submission *doc);

/* Run PATH with ARGV (no shell, standard input and error are /dev/null) and append its output to
 * OUT, up to its ceiling. LORE_IO gives the reason: not started, status, signal, time limit, too
 * much output. */
enum lore_status lore_isa_tool_run(const char *path, char *const *argv, int seconds,
    struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* NAME in PATH, or where CUDA and ROCm have their tools; NULL: nowhere. */
const char *lore_isa_tool_find(struct lore_arena *arena, const char *name);
/* The same, with the toolkits' folders before PATH: a distribution's LLVM is often older than the
 * chip. */
const char *lore_isa_tool_of_toolkit(struct lore_arena *arena, const char *name);

#endif
