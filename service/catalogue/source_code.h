/* The tokens of a source, and the parts of it that can run; shared by the source_*.c files. */
#ifndef LORE_CATALOGUE_SOURCE_CODE_H
#define LORE_CATALOGUE_SOURCE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

enum lore_code_kind {
    LORE_CODE_WORD, /* in assembly with its dots: "cp.async.cg.shared.global" */
    LORE_CODE_NUMBER,
    LORE_CODE_MARK, /* one operator; a line of Python begins with ";" */
    LORE_CODE_TEXT, /* a string, without its quotes */
};
enum lore_code_family { LORE_CODE_C = 1, LORE_CODE_PYTHON = 2 }; /* C: assembly, too */
struct lore_code_token {
    const char *at;
    uint32_t len;
    uint8_t kind;
    uint16_t indent; /* Python: of its line */
};
struct lore_code_list {
    struct lore_code_token *v;
    size_t n, cap;
};
enum {
    LORE_SYMBOL_SHARED = 1,  /* lies in shared memory, or points there */
    LORE_SYMBOL_GLOBAL = 2,  /* points to global memory */
    LORE_SYMBOL_LOADED = 4,  /* has a value from global memory */
    LORE_SYMBOL_LOCAL = 8,   /* an array of one thread */
    LORE_SYMBOL_XORED = 16,  /* computed with ^ */
    LORE_SYMBOL_BLOCK = 32,  /* computed from the number of the block */
    LORE_SYMBOL_LARGE = 64,  /* SHARED: a tile: two dimensions or unknown size, 128 elements */
    LORE_SYMBOL_CONST = 128, /* value is known */
    LORE_SYMBOL_WIDE = 256,  /* a name of a vector type */
};
struct lore_code_symbol {
    const char *at;
    uint32_t len, flags, n_dims;
    long long value;
    size_t def, n_def;              /* tokens of its last initial value */
    uint32_t part;                  /* in which the flags hold */
    uint32_t filled, read, n_reads; /* LOADED arrays: the loop that filled it, the last one that
                                       read it, and how many others did */
    struct lore_code_symbol *next;
};
struct lore_code_part { /* file scope, a function or a macro */
    const char *name;
    uint32_t len;
    size_t first, n;
    bool kernel, device, fixed, live, macro; /* fixed: needs a mention to be live */
    struct lore_code_part *next;             /* of the same hash */
};
enum { LORE_CODE_BUCKETS = 1024 };
struct lore_code {
    struct lore_arena *arena;
    enum lore_code_family family;
    struct lore_code_list raw, aside, live; /* aside: bodies of macros */
    struct lore_code_part *parts;           /* of raw and aside; then of live */
    size_t n_parts, cap_parts;
    struct lore_code_symbol *symbols[LORE_CODE_BUCKETS];
    uint32_t found; /* bits of lore_code_marks, by source_shape.c */
    bool assembly;  /* a file of it */
    bool complete;  /* kernels call nothing that is not in the source or in the language */
};
/* source_lex.c. Append the tokens of TEXT[0..LEN). ASSEMBLY: as C, but every word has its dots. */
void lore_code_lex_c(struct lore_code *c, const char *text, size_t len);
void lore_code_lex_assembly(struct lore_code *c, const char *text, size_t len);
/* EMBEDDED receives the strings that hold C-like kernels. */
void
lore_code_lex_python(struct lore_code *c, const char *text, size_t len, struct lore_code *embedded);

/* source_live.c. Fill live and its parts from raw and aside. Returns whether there is a kernel. */
bool lore_code_find_live(struct lore_code *c);

/* source_shape.c. Find what takes more than a row of tokens to see: fill symbols and found. */
void lore_code_shape(struct lore_code *c);
extern const char *const lore_code_marks[]; /* by bit; the table calls them "@name" */
extern const size_t lore_code_n_marks;

/* source_lex.c: helpers. IS: the token is the text S. LIKE: it is in the list S of names, separated
 * by blanks, in which '*' stands for any letters. */
bool lore_code_is(const struct lore_code_token *t, const char *s);
bool lore_code_like(const struct lore_code_token *t, const char *s);
bool lore_code_glob(const char *pattern, size_t np, const char *s, size_t n);
struct lore_code_symbol *lore_code_symbol(struct lore_code *c, const struct lore_code_token *t);
struct lore_code_symbol *
lore_code_find_symbol(const struct lore_code *c, const struct lore_code_token *t); /* NULL: none */
/* The value of the N tokens V, when constants and operators make it. */
bool lore_code_value(
    const struct lore_code *c, const struct lore_code_token *v, size_t n, long long *out);
/* The token that closes the bracket at I of V[0..N); N: none. */
size_t lore_code_close(const struct lore_code_token *v, size_t n, size_t i);

/* source_table.c: the table. */
struct lore_code_feature {
    const char *slugs; /* comma-separated */
    unsigned families;
    const char *patterns; /* '|' between them. Words of a pattern follow each other: '*' in a word
                             is any letters, "*" alone a star, '$' any word, "#2" a number or
                             constant of at least 2, ".." at most 48 tokens of the statement, "@x" a
                             mark of source_shape.c */
    const char *with;     /* NULL, or patterns of which one must be somewhere, too */
    const char *lacked;   /* a source that is complete and has none of these lacks the slugs; "=":
                               its own patterns; NULL: never certain */
};
/* What a source makes pointless, though it does not have it. LACKED "=": the pattern takes its
 * place, so that a complete source that does not show it lacks it. */
extern const struct lore_code_feature lore_code_moot[];
extern const size_t lore_code_n_moot;
extern const struct lore_code_feature lore_code_features[];
extern const size_t lore_code_n_features;

#endif
