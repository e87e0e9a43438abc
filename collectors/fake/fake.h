/* Shared by the files of the fake capture library. */
#ifndef LORE_FAKE_FAKE_H
#define LORE_FAKE_FAKE_H

#include "collectors/capture/channel.h"
#include "collectors/fake/script.h"

struct lore_fake {
    struct lore_channel *channel;
    struct lore_fake_script *script;
    char *scratch; /* room for one name */
    size_t scratch_size;
    uint64_t now_ns; /* the fake GPU's clock */
};
/* Name of variant KIND of kernel K, written to f->scratch and valid until the next call. */
const char *lore_fake_name(struct lore_fake *f, const struct lore_fake_kernel *k, uint32_t kind);
/* Write the shape of variant KIND of kernel K to the channel; returns its id. */
uint32_t lore_fake_shape(struct lore_fake *f, const struct lore_fake_kernel *k, uint32_t kind);
/* counters.c: write counter values instead of launches. METRICS: the value of WARPLORE_COUNTERS. */
void lore_fake_count(struct lore_fake *f, const char *metrics);

#endif
