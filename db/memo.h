/* Values that readers compute from the database, shared by the readers of a pool until a commit
 * changes what they were computed from (memo.c). They are read only, and structures with pointers
 * are fine: nothing is copied. Thread-safe. */
#ifndef LORE_DB_MEMO_H
#define LORE_DB_MEMO_H

#include "service/base/arena.h"

struct lore_db;
/* What invalidates a value, beside a decision that invalidates all (cache.h). */
enum lore_memo_of {         /* kinds of cache.h */
    LORE_MEMO_CHIP = 'G',   /* a spec of the chip */
    LORE_MEMO_KERNEL = 'K', /* an experiment, verdict, sweep or ablation of the kernel */
    LORE_MEMO_FACT = 'F',   /* nothing else: a record and the decisions about it */
};
/* Make a value in ARENA, from CTX and DB. When it depends on more than its subject, set *own, and
 * no other request will get it. */
typedef enum lore_status lore_memo_fn(struct lore_db *db, const void *ctx, struct lore_arena *arena,
    const void **out, bool *own, struct lore_err *err);
struct lore_memo_key {
    enum lore_memo_of of;
    const char *subject; /* name of the chip, id of the kernel or record */
    const char *name;    /* of the value, and so of its type */
    lore_memo_fn *make;
    const void *ctx;
};

/* Get the value of KEY, made when none is stored that is still right. It can be read until DB is
 * given back to its pool. For a database that belongs to no pool it lives in OTHERWISE. */
enum lore_status lore_memo_get(struct lore_db *db, const struct lore_memo_key *key,
    struct lore_arena *otherwise, const void **out, struct lore_err *err) LORE_MUST;

/* For the files of this folder. */
struct lore_memos;
struct lore_memos *lore_memos_new(void);
void lore_memos_free(struct lore_memos *m); /* no connection may use them any more */
void lore_memo_release(struct lore_db *db); /* end the use of what DB got */

#endif
