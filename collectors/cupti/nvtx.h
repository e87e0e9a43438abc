/* What an injection library needs of NVTX 3, declared here because its headers may be missing. A
 * program has one copy of NVTX's functions per library that uses them; each copy loads the library
 * that NVTX_INJECTION64_PATH names, and passes it a table in which to put its functions. */
#ifndef LORE_CUPTI_NVTX_H
#define LORE_CUPTI_NVTX_H

#include <stdint.h>
#include <wchar.h>

enum { LORE_NVTX_CALLBACKS = 1 };                 /* number of the export table */
enum { LORE_NVTX_CORE = 1, LORE_NVTX_CORE2 = 5 }; /* modules of functions */
enum { LORE_NVTX_ASCII = 1, LORE_NVTX_UNICODE, LORE_NVTX_REGISTERED }; /* types of a message */
enum { /* functions of the modules */
    LORE_NVTX_PUSH_EX = 8,
    LORE_NVTX_PUSH_A = 9,
    LORE_NVTX_PUSH_W = 10,
    LORE_NVTX_POP = 11,
    LORE_NVTX_DOMAIN_PUSH_EX = 4,
    LORE_NVTX_DOMAIN_POP = 5,
    LORE_NVTX_DOMAIN_REGISTER_A = 10,
    LORE_NVTX_DOMAIN_REGISTER_W = 11,
    LORE_NVTX_DOMAIN_CREATE_A = 12,
    LORE_NVTX_DOMAIN_CREATE_W = 13,
};
typedef void (*lore_nvtx_function)(void);
struct lore_nvtx_callbacks {
    size_t bytes;
    /* Nonzero, and an array of *SIZE places for functions, some of which may be NULL. */
    int (*module)(int module, lore_nvtx_function ***out, unsigned *size);
};
typedef const void *(*lore_nvtx_export_table)(uint32_t number);
struct lore_nvtx_event {
    uint16_t version, bytes;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *unicode;
        const void *registered;
    } message;
};

#endif
