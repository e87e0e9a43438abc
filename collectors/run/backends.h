/* The table of backends. To add one, add a row in backends.c, a folder with its capture library,
 * and a probe in collectors/host. Life cycle of a backend: probe -> (library loaded by the program:
 * open -> launches* -> end) -> read. docs/collect.md draws it. */
#ifndef LORE_RUN_BACKENDS_H
#define LORE_RUN_BACKENDS_H

#include "collectors/host/host.h"

enum {
    LORE_BACKEND_LIST = 1, /* the variable holds paths separated by colons: ours joins the user's */
    LORE_BACKEND_FATAL = 2, /* the program ends when the library does not open: it is tried first */
    LORE_BACKEND_BY_APP =
        4, /* a counter pass is an execution of the program: no kernel is repeated */
};
struct lore_backend {
    const char *name;     /* "cupti", "fake"; --capture */
    const char *vendor;   /* nvidia, amd, "" */
    const char *library;  /* file name beside `warplore` or in ../lib/warplore */
    const char *variable; /* the environment variable that loads it: CUDA_INJECTION64_PATH */
    const char *ranges;   /* the one that loads it for NVTX; NULL: none */
    unsigned traits;      /* of LORE_BACKEND_… */
    /* Devices of this machine; false with the reason in *why when there are none. */
    bool (*probe)(struct lore_arena *arena, struct lore_host *out, const char **why);
    const char *help;
};
/* Every backend, ended by a NULL name; the first whose probe finds a device is the default. */
extern const struct lore_backend lore_backends[];
const struct lore_backend *lore_backend_find(const char *name);
/* The backend called NAME (NULL: any) whose probe finds a device; *out has the devices. NULL: none,
 * and *why says why, for each backend that was tried on purpose. */
const struct lore_backend *lore_backend_probe(
    const char *name, struct lore_arena *arena, struct lore_host *out, const char **why);
/* Set *path to B's library: beside this program, in ../lib/warplore or in ../lib. LORE_NOTFOUND
 * names the searched folders. */
enum lore_status lore_backend_library(const struct lore_backend *b, struct lore_arena *arena,
    const char **path, struct lore_err *err) LORE_MUST;

/* lore_backend_library, and whether it opens, where that matters: LORE_UNSUPPORTED says why not.
 * Call it while the process has one thread. */
enum lore_status lore_backend_ready(const struct lore_backend *b, struct lore_arena *arena,
    const char **path, struct lore_err *err) LORE_MUST;

#endif
