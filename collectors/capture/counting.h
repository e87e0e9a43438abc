/* The settings of a counter run, from the environment, for every vendor's library. */
#ifndef LORE_CAPTURE_COUNTING_H
#define LORE_CAPTURE_COUNTING_H

#include <regex.h>

#include "collectors/capture/channel.h"

enum { LORE_COUNTING_NAMES = 1024 };

struct lore_counting { /* the environment, read once */
    const char *names[LORE_COUNTING_NAMES];
    size_t n_names;
    bool list;     /* WARPLORE_COUNTERS=list */
    bool all;      /* no regex: every kernel */
    regex_t match; /* valid unless all */
    uint32_t skip, launches;
    bool app_replay;
    bool clean;      /* WARPLORE_COUNTERS_CACHE is not "none": clean the L2 before each pass */
    size_t pass;     /* of application replay */
    const char *dir; /* the run's directory */
};
/* Fill *out from the environment, in which LORE_ENV_COUNTERS is set; false: a setting is invalid,
 * and a state in C says so. */
bool lore_counting_read(struct lore_counting *out, struct lore_channel *c);
/* Whether SYMBOL is to be counted. */
bool lore_counting_matches(const struct lore_counting *c, const char *symbol);

#endif
