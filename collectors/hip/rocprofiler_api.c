/* One row per function, so that a missing one can be named. */
#include "collectors/hip/rocprofiler_api.h"

#include <dlfcn.h>
#include <string.h>

struct function {
    size_t offset;            /* in struct lore_rocp */
    const char *name, *older; /* older: its name before 1.0; NULL: the same */
};
#define FUNCTION(name)                                                                             \
    {                                                                                              \
        offsetof(struct lore_rocp, name), "rocprofiler_" #name, NULL                               \
    }
#define RENAMED(name, older)                                                                       \
    {                                                                                              \
        offsetof(struct lore_rocp, name), "rocprofiler_" #name, "rocprofiler_" older               \
    }
static const struct function functions[] = {
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
static const struct function counter_functions[] = {
    FUNCTION(iterate_agent_supported_counters),
    FUNCTION(query_counter_info),
    FUNCTION(query_record_counter_id),
    RENAMED(create_counter_config, "create_profile_config"),
    RENAMED(destroy_counter_config, "destroy_profile_config"),
    RENAMED(configure_callback_dispatch_counting_service,
        "configure_callback_dispatch_profile_counting_service"),
};
static const struct function range_functions[] = {
    FUNCTION(push_external_correlation_id),
    FUNCTION(pop_external_correlation_id),
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

static const char *
find_all(struct lore_rocp *out, const void *caller, const struct function *f, size_t n)
{
    void *library = library_of(caller);

    for (size_t i = 0; i < n; i++) {
        void **slot = (void **)(void *)((char *)out + f[i].offset);
        *slot = dlsym(library, f[i].name);
        if (!*slot && f[i].older)
            *slot = dlsym(library, f[i].older);
        if (!*slot)
            return f[i].name;
    }
    return NULL;
}

const char *
lore_rocp_open(struct lore_rocp *out, const void *caller)
{
    return find_all(out, caller, functions, sizeof functions / sizeof *functions);
}

const char *
lore_rocp_open_counters(struct lore_rocp *out, const void *caller)
{
    return find_all(
        out, caller, counter_functions, sizeof counter_functions / sizeof *counter_functions);
}

const char *
lore_rocp_open_ranges(struct lore_rocp *out, const void *caller)
{
    return find_all(out, caller, range_functions, sizeof range_functions / sizeof *range_functions);
}

size_t
lore_rocp_stride(const struct lore_rocp_value *values, size_t n, uint64_t dispatch)
{
    static const size_t strides[] = {
        sizeof(struct lore_rocp_value), offsetof(struct lore_rocp_value, agent)};
    const char *second = (const char *)values + offsetof(struct lore_rocp_value, dispatch);
    uint64_t found;

    for (size_t i = 0; n > 1 && i < sizeof strides / sizeof *strides; i++) {
        memcpy(&found, second + strides[i], sizeof found);
        if (found == dispatch) /* every record of the array names its dispatch */
            return strides[i];
    }
    return n > 1 ? 0 : strides[0];
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
