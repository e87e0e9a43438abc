/* The code objects that the program loads, kept for their machine code. */
#ifndef LORE_HIP_CODE_OBJECTS_H
#define LORE_HIP_CODE_OBJECTS_H

#include "collectors/hip/rocprofiler.h"

/* Keep O in DIR, as lore_code_keep does. */
void lore_code_objects_keep(const char *dir, const struct lore_rocp_code_object *o);

#endif
