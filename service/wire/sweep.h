/* The configurations of a sweep as arrays, and packed. A sweep is one search of a tuner over the
 * parameters of one kernel on one chip and workload: thousands of configurations with their times,
 * samples and failures. They are stored as one blob of three zstd frames, each after its length in
 * four bytes: parameters, times and failures; samples; other values. So a reader unpacks what it
 * needs. */
#ifndef LORE_WIRE_SWEEP_H
#define LORE_WIRE_SWEEP_H

#include "service/wire/record.h"
#include "service/wire/series.h"

enum { LORE_SWEEP_SERIES = 64 /* most parameters, and most other values */ };

struct lore_sweep_values { /* a parameter, or what else is known of each configuration */
    const char *name, *unit, *technique; /* unit, technique: NULL: none */
    struct lore_series s;
};
struct lore_sweep_why {      /* a reason why configurations failed */
    const char *type, *said; /* type as of a run's error; said: verbatim, NULL: nothing */
    size_t n;                /* configurations */
};
struct lore_sweep_data {
    size_t n;
    struct lore_sweep_values *parameters, *metrics;
    size_t n_parameters, n_metrics;
    double *time_ns; /* n; 0: none */
    uint32_t *why;   /* n: index into whys + 1; 0: it did not fail */
    struct lore_sweep_why *whys;
    size_t n_whys;
    size_t *first;    /* n + 1: samples of configuration i are first[i] .. first[i + 1] */
    int64_t *samples; /* in the order in which they were taken */
    size_t n_samples;
};

/* Read the texts of S. Without times, a time is the median of the samples. LORE_INVALID names the
 * member that is wrong: "parameters[2].values: …". Texts may be borrowed from S. */
enum lore_status lore_sweep_read(const struct lore_configurations *s, struct lore_arena *arena,
    struct lore_sweep_data *out, struct lore_err *err) LORE_MUST;
/* The texts of D, in ARENA. */
void lore_sweep_write(
    const struct lore_sweep_data *d, struct lore_arena *arena, struct lore_configurations *out);

enum lore_status lore_sweep_pack(
    const struct lore_sweep_data *d, struct lore_buf *out, struct lore_err *err) LORE_MUST;
/* What to unpack beside parameters, times and failures. */
enum { LORE_SWEEP_SAMPLES = 1, LORE_SWEEP_METRICS = 2, LORE_SWEEP_ALL = 3 };
/* LORE_CORRUPT when the bytes are no sweep. */
enum lore_status lore_sweep_unpack(const void *p, size_t n, unsigned what, struct lore_arena *arena,
    struct lore_sweep_data *out, struct lore_err *err) LORE_MUST;

/* Count configurations that are faster than FLOOR_NS, the least time that the chip can take, as
 * failed with wrong results. D gets times and reasons of its own, in ARENA. */
void lore_sweep_set_aside(struct lore_sweep_data *d, double floor_ns, struct lore_arena *arena);

/* Configurations by time, the fastest first; *N gets the number of those that have a time and did
 * not fail. */
uint32_t *lore_sweep_order(const struct lore_sweep_data *d, struct lore_arena *arena, size_t *n);
/* The median of the first N of them. */
double lore_sweep_median(const struct lore_sweep_data *d, const uint32_t *order, size_t n);
/* A hash of what was searched and measured: equal for two records of one search, whatever the tool
 * that wrote them and the order of configurations and parameters. OUT has 33 bytes. */
void lore_sweep_print(const struct lore_sweep_data *d, struct lore_arena *arena, char out[33]);
/* "block_size_x=16 read_only=0", by name; what a configuration has no value of is left out. */
const char *lore_sweep_label(const struct lore_sweep_data *d, size_t i, struct lore_arena *arena);

/* What a sweep says of a technique: how much faster the kernel is with it than where each of its
 * parameters has the value that stands for "not used" (0, false or 1), other parameters held fixed;
 * where no value does, the best time over the median of each value's best time. A parameter of more
 * than two values never lost, and one without a technique says nothing. One technique counts once,
 * with the parameter that matters most. */
struct lore_sweep_witness {
    const char *technique, *parameter;
    double speedup; /* of the best with it over the best without */
    double median;  /* of `pairs`; it may be below 1 where speedup is above, and the reverse */
    size_t pairs;   /* groups of configurations that differ in the technique alone; 0: none */
};
size_t lore_sweep_witnesses(
    const struct lore_sweep_data *d, struct lore_arena *arena, struct lore_sweep_witness **out);

/* A size or count whose best value is the largest, or smallest, that was tried, and clearly so:
 * values beyond it may be faster still. */
#define LORE_SWEEP_CLEAR 1.05 /* more than reruns of an unchanged kernel differ */
struct lore_sweep_edge {
    const char *parameter, *value; /* value: a JSON number */
    bool largest;
    bool each;   /* each step up (down) to it was faster */
    double over; /* best time at any other value over that at this one, above 1 */
};
size_t lore_sweep_edges(
    const struct lore_sweep_data *d, struct lore_arena *arena, struct lore_sweep_edge **out);

#endif
