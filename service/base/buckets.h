/* Rates per key: each key has a bucket that holds PER_MINUTE tokens, full at first, and fills up
 * within a minute. The table has a fixed size. When it is full, the key that used least is
 * forgotten. Thread-safe. */
#ifndef LORE_BASE_BUCKETS_H
#define LORE_BASE_BUCKETS_H

#include <stdint.h>

struct lore_buckets;
/* PER_MINUTE 0: no limit. */
struct lore_buckets *lore_buckets_new(int64_t per_minute);
void lore_buckets_free(struct lore_buckets *b);
/* Take one token of KEY. 0: taken; else nothing was taken, and the microseconds until there is one.
 */
int64_t lore_buckets_take(struct lore_buckets *b, const char *key);
/* Put a token back that was taken. */
void lore_buckets_give(struct lore_buckets *b, const char *key);
/* The same at a given time on the clock of lore_ticks_us. */
int64_t lore_buckets_take_at(struct lore_buckets *b, const char *key, int64_t now_us);

#endif
