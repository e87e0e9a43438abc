/* The thread pool for answers from memory: one queue, linked through the jobs of the waiting
 * callers. */
#include "service/http/answer_pool.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "service/base/xalloc.h"

struct job {
    struct job *next;
    void (*work)(void *arg);
    void *arg;
    sem_t done;
};

struct lore_answer_pool {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct job *first, **end; /* in order of arrival */
    int waiting;
    bool stopping;
    unsigned n;
    pthread_t thread[];
};

/* With equal weights, eight busy readers would leave the writer a ninth of the processors. Many
 * clients wait for the writer, so it goes first. */
#define ANSWER_NICE 5 /* a third of the weight of nice 0 */

void
lore_answer_priority(void)
{
    (void)setpriority(PRIO_PROCESS, 0, ANSWER_NICE); /* on Linux: of this thread only */
}

/* Wait for the next job. NULL when the pool stops. */
static struct job *
take(struct lore_answer_pool *p)
{
    struct job *j;

    pthread_mutex_lock(&p->lock);
    while (!p->first && !p->stopping)
        pthread_cond_wait(&p->more, &p->lock);
    j = p->first;
    if (j) {
        p->first = j->next;
        p->end = j->next != NULL ? p->end : &p->first;
        p->waiting--;
    }
    pthread_mutex_unlock(&p->lock);
    return j;
}

/* Threads run as SCHED_BATCH so that a wake-up does not preempt a thread that is answering.
 * sem_post lets the caller end the lifetime of its job, so the job is not touched after that. */
static void *
serve(void *arg)
{
    struct job *j;

    lore_answer_priority();
    (void)sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}); /* of this thread only */
    while ((j = take(arg))) {
        j->work(j->arg);
        sem_post(&j->done);
    }
    return NULL;
}

/* The number of processors that this program may use; at least two, so that one thread can work
 * while another waits for the disk. */
static unsigned
processors(void)
{
    cpu_set_t may;
    int n = sched_getaffinity(0, sizeof may, &may) == 0 ? CPU_COUNT(&may) : 0;

    return n > 2 ? (unsigned)n : 2;
}

struct lore_answer_pool *
lore_answer_pool_start(unsigned threads)
{
    unsigned most = threads > 0 ? threads : processors();
    struct lore_answer_pool *p = lore_xalloc(sizeof *p + most * sizeof *p->thread);

    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->more, NULL);
    p->end = &p->first;
    while (p->n < most && pthread_create(&p->thread[p->n], NULL, serve, p) == 0)
        p->n++;
    if (p->n > 0)
        return p;
    lore_answer_pool_stop(p);
    return NULL;
}

void
lore_answer_pool_run(struct lore_answer_pool *p, void (*work)(void *arg), void *arg)
{
    struct job j = {.work = work, .arg = arg};

    if (!p) {
        work(arg);
        return;
    }
    sem_init(&j.done, 0, 0);
    pthread_mutex_lock(&p->lock);
    *p->end = &j;
    p->end = &j.next;
    p->waiting++;
    pthread_mutex_unlock(&p->lock);
    pthread_cond_signal(&p->more);
    while (sem_wait(&j.done) != 0 && errno == EINTR)
        ;
    sem_destroy(&j.done);
}

int
lore_answer_pool_waiting(struct lore_answer_pool *p)
{
    int waiting;

    if (!p)
        return 0;
    pthread_mutex_lock(&p->lock);
    waiting = p->waiting;
    pthread_mutex_unlock(&p->lock);
    return waiting;
}

int
lore_answer_pool_threads(const struct lore_answer_pool *p)
{
    return (int)p->n;
}

void
lore_answer_pool_stop(struct lore_answer_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_mutex_unlock(&p->lock);
    pthread_cond_broadcast(&p->more);
    for (unsigned i = 0; i < p->n; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->more);
    pthread_mutex_destroy(&p->lock);
    lore_xfree(p);
}
