#include "collectors/upload/curl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct lore_curl library;
static bool found;

static bool
take(void *h)
{
#define TAKE(name)                                                                                 \
    *(void **)&library.name = dlsym(h, "curl_" #name);                                             \
    if (!library.name)                                                                             \
        return false;
    LORE_CURL_FUNCTIONS(TAKE)
#undef TAKE
    return library.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static void
open_once(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
        void *h = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

        found = h && take(h);
    }
}

const struct lore_curl *
lore_curl(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, open_once);
    return found ? &library : NULL;
}
