/* For tests of what readers of one pool share: two of them, that hear of the fixture's commits. */
#ifndef LORE_TESTS_UNIT_TWO_READERS_H
#define LORE_TESTS_UNIT_TWO_READERS_H

#include "db/files.h"
#include "tests/unit/db_fixture.h"

static struct lore_readers *pool;
static struct lore_db *one, *other;

static inline void
two_readers_open(struct fixture *f)
{
    ok(f, lore_readers_open(f->dir, 2, &pool, &f->err));
    lore_readers_follow(pool, f->db);
    one = lore_readers_take(pool, 0);
    other = lore_readers_take(pool, 0);
}

static inline void
two_readers_close(void)
{
    lore_readers_give(pool, one);
    lore_readers_give(pool, other);
    lore_readers_close(pool);
}

#endif
