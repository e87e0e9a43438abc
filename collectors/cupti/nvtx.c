/* The entry point for NVTX: it puts our functions into the places of the ranges' functions. Other
 * functions of NVTX stay without one and cost the program nothing, as all do without
 * WARPLORE_CAPTURE. */
#include "collectors/cupti/nvtx.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/capture_env.h"
#include "collectors/capture/ranges.h"
#include "collectors/capture/store.h"

enum { TEXT = 512 };

/* NVTX looks up this name. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(lore_nvtx_export_table get);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint domains;

/* Texts that say what is computed are plain ASCII; others become "". */
static const char *
narrow(const wchar_t *text, char out[TEXT])
{
    size_t n = 0;

    for (; text && text[n] && n + 1 < TEXT; n++) {
        if (text[n] < ' ' || text[n] > '~')
            return "";
        out[n] = (char)text[n];
    }
    out[n] = '\0';
    return out;
}

static const char *
message_of(const struct lore_nvtx_event *e, char out[TEXT])
{
    if (!e || e->bytes < sizeof *e)
        return "";
    switch (e->message_type) {
    case LORE_NVTX_ASCII:
        return e->message.ascii ? e->message.ascii : "";
    case LORE_NVTX_UNICODE:
        return narrow(e->message.unicode, out);
    case LORE_NVTX_REGISTERED: /* the handle that we gave */
        return e->message.registered ? e->message.registered : "";
    default:
        return "";
    }
}

static int
push_a(const char *text)
{
    return lore_ranges_push(0, text ? text : "");
}

static int
push_w(const wchar_t *text)
{
    char out[TEXT];

    return lore_ranges_push(0, narrow(text, out));
}

static int
push_ex(const struct lore_nvtx_event *e)
{
    char out[TEXT];

    return lore_ranges_push(0, message_of(e, out));
}

static int
pop(void)
{
    return lore_ranges_pop(0);
}

static int
domain_push(void *domain, const struct lore_nvtx_event *e)
{
    char out[TEXT];

    return lore_ranges_push((uintptr_t)domain, message_of(e, out));
}

static int
domain_pop(void *domain)
{
    return lore_ranges_pop((uintptr_t)domain);
}

static const void *
register_a(void *domain, const char *text)
{
    static const char other[] = "";
    const char *kept = NULL;

    (void)domain;
    if (!text || !lore_ranges_of_interest(text) || strlen(text) >= TEXT)
        return other;
    pthread_mutex_lock(&lock);
    kept = lore_store_text(text, strlen(text));
    pthread_mutex_unlock(&lock);
    return kept ? kept : other;
}

static const void *
register_w(void *domain, const wchar_t *text)
{
    char out[TEXT];

    return register_a(domain, narrow(text, out));
}

static void *
create(const void *name)
{
    (void)name;
    return (void *)(uintptr_t)(atomic_fetch_add(&domains, 1) + 1);
}

static const struct {
    int module;
    unsigned id;
    lore_nvtx_function function;
} ours[] = {
    {LORE_NVTX_CORE, LORE_NVTX_PUSH_EX, (lore_nvtx_function)push_ex},
    {LORE_NVTX_CORE, LORE_NVTX_PUSH_A, (lore_nvtx_function)push_a},
    {LORE_NVTX_CORE, LORE_NVTX_PUSH_W, (lore_nvtx_function)push_w},
    {LORE_NVTX_CORE, LORE_NVTX_POP, (lore_nvtx_function)pop},
    {LORE_NVTX_CORE2, LORE_NVTX_DOMAIN_PUSH_EX, (lore_nvtx_function)domain_push},
    {LORE_NVTX_CORE2, LORE_NVTX_DOMAIN_POP, (lore_nvtx_function)domain_pop},
    {LORE_NVTX_CORE2, LORE_NVTX_DOMAIN_REGISTER_A, (lore_nvtx_function)register_a},
    {LORE_NVTX_CORE2, LORE_NVTX_DOMAIN_REGISTER_W, (lore_nvtx_function)register_w},
    {LORE_NVTX_CORE2, LORE_NVTX_DOMAIN_CREATE_A, (lore_nvtx_function)create},
    {LORE_NVTX_CORE2, LORE_NVTX_DOMAIN_CREATE_W, (lore_nvtx_function)create},
};

int
InitializeInjectionNvtx2(lore_nvtx_export_table get)
{
    const struct lore_nvtx_callbacks *callbacks = get ? get(LORE_NVTX_CALLBACKS) : NULL;
    const char *dir = secure_getenv(LORE_ENV_CAPTURE);
    lore_nvtx_function **table;
    unsigned size;

    if (!dir || dir[0] != '/' || !callbacks || callbacks->bytes < sizeof *callbacks)
        return 0; /* NVTX's functions then do nothing */
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (callbacks->module(ours[i].module, &table, &size) && ours[i].id < size &&
            table[ours[i].id])
            *table[ours[i].id] = ours[i].function;
    return 1;
}
