/* The embedded page (web/embed.cmake makes the table), ended by a NULL path. */
#ifndef LORE_API_ASSETS_H
#define LORE_API_ASSETS_H

#include <stddef.h>

struct lore_asset {
    const char *path;
    const unsigned char *bytes;
    size_t size;
};
extern const struct lore_asset lore_assets[];

#endif
