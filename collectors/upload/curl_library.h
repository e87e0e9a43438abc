/* libcurl as a table of functions found at run time: a host may have any version of it from 7.61 on
 * (RHEL 8), by either of two names, or none, and then everything else of the command works. */
#ifndef LORE_UPLOAD_CURL_LIBRARY_H
#define LORE_UPLOAD_CURL_LIBRARY_H

#include <curl/curl.h>

#define LORE_CURL_FUNCTIONS(X)                                                                     \
    X(global_init)                                                                                 \
    X(easy_init)                                                                                   \
    X(easy_cleanup)                                                                                \
    X(easy_reset)                                                                                  \
    X(easy_setopt)                                                                                 \
    X(easy_getinfo)                                                                                \
    X(easy_perform)                                                                                \
    X(easy_strerror)                                                                               \
    X(slist_append)                                                                                \
    X(slist_free_all)                                                                              \
    X(getdate)

struct lore_curl { /* curl->easy_init() is curl_easy_init() */
#define LORE_CURL_FIELD(name) __typeof__(curl_##name) *name;
    LORE_CURL_FUNCTIONS(LORE_CURL_FIELD)
#undef LORE_CURL_FIELD
};
/* The library, opened and initialized by the first call; NULL: the host has none. Thread-safe. */
const struct lore_curl *lore_curl(void);

#endif
