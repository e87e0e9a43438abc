/* How long a launch of a fake kernel takes. */
#ifndef LORE_FAKE_MODEL_H
#define LORE_FAKE_MODEL_H

#include "collectors/fake/script.h"

/* A stream of random numbers for (SEED, LANE): the same everywhere. */
uint64_t lore_fake_random_start(uint64_t seed, uint64_t lane);
double lore_fake_uniform(uint64_t *random); /* [0, 1) */
double lore_fake_normal(uint64_t *random);
/* Launch I (from 0) of K: base, log-normal noise, drift, second mode, step, first launch. */
uint64_t lore_fake_duration(const struct lore_fake_kernel *k, uint64_t i, uint64_t *random);

#endif
