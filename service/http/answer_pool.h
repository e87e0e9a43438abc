/* A thread pool for answers that are computed from the in-memory indexes. It has one thread per
 * processor and works first come, first served. A connection's thread waits until its answer is
 * there. More threads at once would only share the processors, and a thread that holds a lock could
 * lose its processor while others wait for that lock. */
#ifndef LORE_HTTP_ANSWER_POOL_H
#define LORE_HTTP_ANSWER_POOL_H

struct lore_answer_pool;
struct lore_answer_pool *
lore_answer_pool_start(unsigned threads); /* 0: one per processor. NULL: no thread could start */
/* Run WORK(ARG) on a thread of the pool; returns when it is done. With POOL NULL it runs on the
 * calling thread. WORK must not call this function. Slow or waiting WORK delays all jobs behind it.
 */
void lore_answer_pool_run(struct lore_answer_pool *pool, void (*work)(void *arg), void *arg);
/* The number of jobs that wait for a thread now, for /metrics. POOL may be NULL. */
int lore_answer_pool_waiting(struct lore_answer_pool *pool);
int lore_answer_pool_threads(const struct lore_answer_pool *pool);
void
lore_answer_pool_stop(struct lore_answer_pool *pool); /* after the last run; POOL may be NULL */
/* Give the calling thread a third of the writer's scheduling weight. For threads that answer. */
void lore_answer_priority(void);

#endif
