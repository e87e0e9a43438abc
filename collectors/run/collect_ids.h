/* Hashes the program and makes kernel and version records, whose ids are derived from their
 * content. For collect*.c alone. */
#ifndef LORE_RUN_COLLECT_IDS_H
#define LORE_RUN_COLLECT_IDS_H

#include "collectors/run/collected.h"
#include "collectors/run/isa_facts.h"
#include "collectors/run/ledger.h"
#include "collectors/run/triton_cache.h"

struct lore_program {    /* the started program and its hashes */
    const char *path;    /* the executable; NULL: not found */
    const char *name;    /* "bench", or the script's name: "train.py" */
    const char *content; /* hash over the executable and files among its arguments */
    const char *cubin;   /* an argument that ends in .cubin; NULL: none */
};
struct lore_collecting { /* a submission in the making */
    struct lore_observations *c;
    struct lore_arena *arena;
    struct lore_submission *doc;
    struct lore_err *err;
    struct lore_program program;
    struct lore_ledger ledger;
    struct lore_isa_facts isa;
    struct lore_triton_found triton;
    const char *measured_at; /* RFC 3339 */
};
/* Fill PROGRAM from ARGV; files above 1 MiB other than the executable are not hashed. */
void
lore_collect_program(struct lore_arena *arena, char *const *argv, struct lore_program *program);
struct lore_version_spec { /* everything that a version record holds */
    const char *kernel;
    enum lore_version_kind kind;
    const char *label, *summary, *licence;
    struct lore_texts files; /* paths; none: `program` */
    const struct lore_program *program;
    const struct lore_kvs *params, *build;
    struct lore_parent parent; /* version NULL: none */
};
/* Add the version record to B's document unless it is there; set *id, and *content to the hash of
 * its content. An unreadable, missing, too large or non-UTF-8 file is an error that names it. */
enum lore_status lore_collect_version(struct lore_collecting *b, const struct lore_version_spec *s,
    const char **id, const char **content) LORE_MUST;
/* Add the kernel that the options name to the document; returns its id. */
const char *lore_collect_kernel(struct lore_collecting *b);
/* Hash the files' contents in order into *content, and put their texts into *sources (may be NULL).
 */
enum lore_status lore_collect_content(struct lore_arena *arena, const struct lore_texts *files,
    struct lore_source **sources, const char **content, struct lore_err *err) LORE_MUST;
enum lore_language lore_collect_language(const struct lore_observations *c);
/* Set KEY of KVS to TEXT as a JSON string, or to an integer. A NULL or empty TEXT sets nothing. */
void lore_collect_text(
    struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text);
void
lore_collect_number(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, uint64_t v);

#endif
