/* What the two files of the fake CUPTI share. */
#ifndef LORE_TESTS_E2E_FAKE_CUPTI_H
#define LORE_TESTS_E2E_FAKE_CUPTI_H

#include <stdbool.h>

#include <cupti.h>

extern CUpti_CallbackFunc fake_callback; /* of the subscriber; NULL: none */
extern void *fake_user;
extern bool fake_all_calls; /* the subscriber hears of every call to the driver */
/* Tell the subscriber of a resource, if it asked for such. */
void fake_resource(CUpti_CallbackId id, void *descriptor);
/* Record a call to the driver; its correlation id. */
uint32_t fake_call(CUpti_CallbackId id);
struct fake_kernel { /* one execution */
    const char *name;
    uint64_t start, end;
    uint32_t grid, block, registers, correlation, graph;
};
void fake_kernel(const struct fake_kernel *k);
/* fake_driver.c: load a module of N bytes; make a kernel; the kernel at P, or NULL; its records. */
struct fake_function {
    uint32_t magic, registers;
    char name[];
};
CUresult fake_module_load(CUmodule *module, const void *image, size_t n);
CUfunction fake_function(const char *name, uint32_t registers);
const struct fake_function *fake_is_function(const void *p);
void fake_ran(const struct fake_function *f, uint32_t grid, uint32_t block, uint32_t correlation,
    uint32_t graph);
/* The number in environment variable NAME. */
long fake_told(const char *name, long otherwise);

#endif
