/* The machine code of the modules that the program loads: of libraries, and of what Triton, NVRTC
 * and PyTorch compile while the program runs. */
#ifndef LORE_CUPTI_MODULES_H
#define LORE_CUPTI_MODULES_H

#include "collectors/cupti/cupti_api.h"

/* Whether LORE_ENV_CODE asks for it. */
bool lore_modules_wanted(void);
/* Have SUBSCRIBER, whose callback passes resource callbacks to lore_modules_take, hear of loaded
 * modules. */
CUptiResult lore_modules_enable(const struct lore_cupti *api, CUpti_SubscriberHandle subscriber);
/* A callback about resources: keeps the cubin if a module was loaded. */
void lore_modules_take(CUpti_CallbackId cbid, const CUpti_ResourceData *resource);

#endif
