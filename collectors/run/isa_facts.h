/* Facts from the machine code of the measured program: instruction counts, spills, and whether
 * it shows the techniques that a version claims. Needs the vendor's disassembler on the host.
 * Without it, or for code made at run time, the answer is "unavailable". */
#ifndef LORE_RUN_ISA_FACTS_H
#define LORE_RUN_ISA_FACTS_H

#include "collectors/isa/check.h"
#include "service/base/jsonw.h"
#include "service/wire/record.h"

struct lore_isa_facts {
    const struct lore_isa_listing *listing; /* NULL: none, and `why` says why */
    const char *why;
    const char *tool; /* "cuobjdump", "llvm-objdump"; NULL: none was found */
};
struct lore_isa_source {       /* where the machine code is */
    const char *vendor;        /* "nvidia", "amd" */
    const char *object;        /* an executable or a .cubin; NULL: none is known */
    const char *folder;        /* of code objects that the capture library kept; NULL: none */
    struct lore_texts symbols; /* the kernels that were launched */
};
/* Disassemble what *SOURCE has. Never fails. At most 60 s for each object and 64 MiB of text. */
void lore_isa_facts_read(
    const struct lore_isa_source *source, struct lore_arena *arena, struct lore_isa_facts *out);
/* Write a run's extra.isa: opcode classes and spills of SYMBOL, or the reason why there are none.
 */
void lore_isa_facts_write(struct lore_jsonw *w, const struct lore_isa_facts *f, const char *symbol,
    const char *isa, struct lore_arena *arena);
struct lore_isa_claim { /* claims that these techniques ("name{…}") are in VERSION's kernel */
    const char *version, *symbol, *isa; /* isa NULL: not known */
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

#endif
