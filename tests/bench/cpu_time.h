/* Processor time, so that what else runs on the machine is not measured. Used by the benchmarks. */
#ifndef LORE_TESTS_BENCH_CPU_TIME_H
#define LORE_TESTS_BENCH_CPU_TIME_H

#include <time.h>

/* Of this thread, microseconds. */
static inline double
cpu_time_us(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

#endif
