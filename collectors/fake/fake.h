/* Between the files of the fake capture library. */
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
/* The name of kind KIND of K, in f->scratch. */
const char *lore_fake_name(struct lore_fake *f, const struct lore_fake_kernel *k, uint32_t kind);
/* The shape of kind KIND of K, written to the channel; its id. */
uint32_t lore_fake_shape(struct lore_fake *f, const struct lore_fake_kernel *k, uint32_t kind);
/* counters.c: what a counter run writes instead of launches. ASKED: WARPLORE_COUNTERS. */
void lore_fake_count(struct lore_fake *f, const char *asked);

#endif
