/* The machine code that a program loads, kept in the run's folder for disassembly. An object is
 * copied while it is being loaded, because the program may free it afterwards. */
#ifndef LORE_CAPTURE_CODE_H
#define LORE_CAPTURE_CODE_H

#include "collectors/capture/channel.h"

#define LORE_CODE_END ".co" /* how the names of kept objects end */
enum { LORE_CODE_MAX = 64 << 20 /* bytes that one process keeps */ };

struct lore_machine_code { /* BYTES at MEMORY; when that is NULL, at OFFSET of the open FILE */
    const void *memory;
    int file;
    uint64_t offset, bytes;
};
/* Keep O in DIR as HASH.co, once for all processes that share DIR. What is beyond LORE_CODE_MAX or
 * cannot be written is counted. Thread-safe. In a forked child it does nothing. */
void lore_code_keep(const char *dir, const struct lore_machine_code *o);
/* Write a state about what was not kept, if anything, before the channel's end. */
void lore_code_report(struct lore_channel *c);

#endif
