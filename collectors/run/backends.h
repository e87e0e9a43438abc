/* The table of backends. To add one, add a row in backends.c, a folder with its capture library,
 * and a probe in collectors/host. Life cycle of a backend: probe -> (library loaded by the program:
 * open -> launches* -> end) -> read. docs/collect.md draws it. */
#ifndef LORE_RUN_BACKENDS_H
#define LORE_RUN_BACKENDS_H

#include "collectors/host/host.h"

struct lore_backend {
    const char *name;     /* "cupti", "fake"; --capture */
    const char *vendor;   /* nvidia, amd, "" */
    const char *library;  /* file name beside `warplore` or in ../lib/warplore */
    const char *variable; /* the environment variable that loads it: CUDA_INJECTION64_PATH */
    /* Devices of this machine; false with the reason in *why when there are none. */
    bool (*probe)(struct lore_arena *arena, struct lore_host *out, const char **why);
    const char *help;
};
/* Every backend, ended by a NULL name; the first whose probe finds a device is the default. */
extern const struct lore_backend lore_backends[];
const struct lore_backend *lore_backend_find(const char *name);
/* Set *path to B's library: beside this program, in ../lib/warplore or in ../lib. LORE_NOTFOUND
 * names the searched folders. */
enum lore_status lore_backend_library(const struct lore_backend *b, struct lore_arena *arena,
    const char **path, struct lore_err *err) LORE_MUST;

#endif
