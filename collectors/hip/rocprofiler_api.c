/* One row per function, so that a missing one can be named. */
#include "collectors/hip/rocprofiler_api.h"

#include <dlfcn.h>

static const struct {
    size_t offset; /* in struct lore_rocp */
    const char *name;
} functions[] = {
#define FUNCTION(name)                                                                             \
    {                                                                                              \
        offsetof(struct lore_rocp, name), "rocprofiler_" #name                                     \
    }
    FUNCTION(get_timestamp),
    FUNCTION(get_status_string),
    FUNCTION(query_available_agents),
    FUNCTION(create_context),
    FUNCTION(start_context),
    FUNCTION(stop_context),
    FUNCTION(create_buffer),
    FUNCTION(flush_buffer),
    FUNCTION(configure_buffer_tracing_service),
    FUNCTION(configure_callback_tracing_service),
};

/* The library that has the code at CALLER; NULL, which is RTLD_DEFAULT: look in all of them. */
static void *
library_of(const void *caller)
{
    Dl_info found;

    if (dladdr(caller, &found) == 0 || !found.dli_fname)
        return NULL;
    return dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

const char *
lore_rocp_open(struct lore_rocp *out, const void *caller)
{
    void *library = library_of(caller);

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void **slot = (void **)(void *)((char *)out + functions[i].offset);
        *slot = dlsym(library, functions[i].name);
        if (!*slot)
            return functions[i].name;
    }
    return NULL;
}

static bool
is_of(const struct lore_rocp_event *e, uint32_t kind)
{
    return e->kind == kind && e->operation != 0 && e->phase != 0 && e->phase < 4 && e->payload;
}

bool
lore_rocp_event(const struct lore_rocp_callback *c, uint32_t kind, struct lore_rocp_event *out)
{
    /* The newer layout first: an older event read as a newer one has its phase where the kind
     * should be, and no phase is as large as a kind that we ask for. The other way round is not as
     * safe, because an ancestor may be any number. */
    if (is_of(&c->since_1_0.event, kind))
        *out = c->since_1_0.event;
    else if (is_of(&c->before_1_0, kind))
        *out = c->before_1_0;
    else
        return false;
    return true;
}
