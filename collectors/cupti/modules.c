/* CUPTI hands out a module's cubin inside the callback alone. A module that is loaded lazily is
 * named when it is loaded, or when its profiling begins. */
#include "collectors/cupti/modules.h"

#include <stdlib.h>

#include "collectors/capture/capture_env.h"
#include "collectors/capture/code.h"

static const CUpti_CallbackId callbacks[] = {
    CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_PROFILED};

static const char *
folder(void)
{
    const char *dir = secure_getenv(LORE_ENV_CODE);

    return dir && dir[0] == '/' ? dir : NULL;
}

bool
lore_modules_wanted(void)
{
    return folder() != NULL;
}

CUptiResult
lore_modules_enable(const struct lore_cupti *api, CUpti_SubscriberHandle subscriber)
{
    CUptiResult r = CUPTI_SUCCESS;

    for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks && r == CUPTI_SUCCESS; i++)
        r = api->EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, callbacks[i]);
    return r;
}

void
lore_modules_take(CUpti_CallbackId cbid, const CUpti_ResourceData *resource)
{
    const CUpti_ModuleResourceData *module = resource ? resource->resourceDescriptor : NULL;
    const char *dir = folder();
    struct lore_machine_code code = {0};

    if ((cbid != callbacks[0] && cbid != callbacks[1]) || !module || !module->pCubin || !dir)
        return;
    code.memory = module->pCubin;
    code.bytes = module->cubinSize;
    lore_code_keep(dir, &code);
}
