/* The client's settings, from ~/.config/warplore/config.yaml (url, token, author, project), then
 * WARPLORE_URL and WARPLORE_TOKEN, then --url and --token-file; a later source overrides an earlier
 * one. The token is never printed, and never leaves the machine in clear text. */
#ifndef LORE_CLIENT_CONFIG_H
#define LORE_CLIENT_CONFIG_H

#include <stdbool.h>

#include "service/base/arena.h"

struct lore_client_config {
    const char *url;                   /* without a trailing slash */
    const char *token;                 /* NULL: none */
    const char *author;                /* NULL: none */
    const char *project;               /* of what `run` and `record` store; NULL: none */
    const char *file;                  /* the configuration file's path, existing or not */
    const char *url_from, *token_from; /* "the configuration file", "WARPLORE_URL", … */
    bool file_found, file_readable_by_others;
};

struct lore_args;
/* Fill *out; strings live in ARENA. Unknown keys in the file are errors with the nearest name. */
enum lore_status lore_config_load(const struct lore_args *args, struct lore_arena *arena,
    struct lore_client_config *out, struct lore_err *err) LORE_MUST;
/* Check that a token may be sent to URL. LORE_INVALID for plain http to another machine. */
enum lore_status lore_config_may_send(const char *url, struct lore_err *err) LORE_MUST;

#endif
