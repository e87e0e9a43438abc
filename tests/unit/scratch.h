/* A directory of its own for a test: made at set-up, removed with all in it at tear-down. */
#ifndef LORE_TESTS_UNIT_SCRATCH_H
#define LORE_TESTS_UNIT_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int
scratch_remove(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

/* DIR is filled with the name. */
static inline int
scratch_make(char dir[64])
{
    const char *tmp = getenv("TMPDIR");

    snprintf(dir, 64, "%.40s/warplore-XXXXXX", tmp != NULL ? tmp : "/tmp");
    return mkdtemp(dir) ? 0 : -1;
}

static inline void
scratch_drop(const char *dir)
{
    nftw(dir, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
