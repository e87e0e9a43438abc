/* The code objects that the program loads, kept in the run's folder for their machine code. */
#ifndef LORE_HIP_CODE_OBJECTS_H
#define LORE_HIP_CODE_OBJECTS_H

#include "collectors/hip/rocprofiler.h"

/* Keep O as a file PID-N.co in DIR, once: every GPU loads it anew. Objects beyond 64 MiB in all are
 * not kept, nor is one that cannot be written. Thread-safe. */
void lore_code_objects_keep(const char *dir, const struct lore_rocp_code_object *o);

#endif
