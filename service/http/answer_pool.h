/* Threads for answers that are computed from memory: as many as there are processors, so that each
 * that works has one to itself, and first come, first served. A connection's thread waits for its
 * answer; more of them at work at once would only take turns at the processors, and one that holds
 * something others wait for might be kept waiting itself. */
#ifndef LORE_HTTP_ANSWER_POOL_H
#define LORE_HTTP_ANSWER_POOL_H

struct lore_answer_pool;
struct lore_answer_pool *
lore_answer_pool_start(unsigned threads); /* 0: by processors; NULL: no thread could be */
/* WORK(ARG) on one of its threads; returns when it is done. POOL NULL: on this thread. Not to be
 * called by WORK. What takes long, or waits for others, keeps everybody up who comes later. */
void lore_answer_pool_run(struct lore_answer_pool *pool, void (*work)(void *arg), void *arg);
/* How many wait for a thread now: a gauge. POOL may be NULL. */
int lore_answer_pool_waiting(struct lore_answer_pool *pool);
int lore_answer_pool_threads(const struct lore_answer_pool *pool);
void
lore_answer_pool_stop(struct lore_answer_pool *pool); /* nobody may come any more; NULL is fine */
/* This thread answers: from now on it has a third of the writer's weight. */
void lore_behind_writer(void);

#endif
