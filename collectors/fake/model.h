/* Durations of the launches of a fake kernel. */
#ifndef LORE_FAKE_MODEL_H
#define LORE_FAKE_MODEL_H

#include "collectors/fake/script.h"

/* Start a stream of random numbers for (SEED, SEQUENCE); it is the same on every machine. */
uint64_t lore_fake_random_start(uint64_t seed, uint64_t sequence);
double lore_fake_uniform(uint64_t *random); /* [0, 1) */
double lore_fake_normal(uint64_t *random);
/* Nanoseconds of launch I (from 0) of K: base time with log-normal noise, second mode, drift, step
 * and first-launch factor. */
uint64_t lore_fake_duration(const struct lore_fake_kernel *k, uint64_t i, uint64_t *random);

#endif
