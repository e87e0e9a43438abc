/* The state of one listing while it is read; private to this folder. */
#ifndef LORE_ISA_READER_H
#define LORE_ISA_READER_H

#include <stdbool.h>

#include "collectors/isa/isa.h"

struct lore_isa_line {
    const char *s;
    size_t n;
};

/* `slots` is an open-addressing hash table of the current function's forms; it holds index + 1. */
struct lore_isa_reader {
    struct lore_arena *arena;
    struct lore_isa_listing *out;
    struct lore_isa_function *fn; /* NULL: between functions */
    uint32_t *slots;
    size_t n_slots;
    size_t padding;                 /* no-ops not yet followed by an instruction */
    char padding_form[16];          /* what they are: "NOP", "s_nop" */
    char isa[32];                   /* of the following functions; "": not stated */
    char pending[512];              /* assembler: the symbol last declared a function */
    struct lore_isa_function *meta; /* assembler: the kernel that metadata lines describe */
    size_t forms_in_all;
    bool too_many;
};

/* Read one line of each format (sass.c, amdgcn.c). */
void lore_isa_line_cuobjdump(struct lore_isa_reader *r, struct lore_isa_line l);
void lore_isa_line_nvdisasm(struct lore_isa_reader *r, struct lore_isa_line l);
void lore_isa_line_objdump(struct lore_isa_reader *r, struct lore_isa_line l);
void lore_isa_line_assembler(struct lore_isa_reader *r, struct lore_isa_line l);

/* End the current function and start NAME. */
void lore_isa_begin(struct lore_isa_reader *r, const char *name, size_t n);
void lore_isa_end(struct lore_isa_reader *r);
/* Count one instruction of the current function; ignored between functions. */
void lore_isa_count(struct lore_isa_reader *r, const char *form, size_t n);
/* Count a form that is not an instruction (";sched_group_barrier"), TIMES times. */
void lore_isa_count_form(struct lore_isa_reader *r, const char *form, size_t n, size_t times);
/* A no-op, counted only when an instruction follows it. */
void lore_isa_pad(struct lore_isa_reader *r, const char *form);

/* Helpers on lines. */
struct lore_isa_line lore_isa_trim(struct lore_isa_line l);
bool lore_isa_starts(struct lore_isa_line l, const char *prefix);
/* The number after PREFIX and blanks ("; ScratchSize: 216"); false when there is none. */
bool lore_isa_number(struct lore_isa_line l, const char *prefix, struct lore_i64 *out);
void lore_isa_set_isa(struct lore_isa_reader *r, const char *s, size_t n);
/* For qsort of struct lore_isa_form. */
int lore_isa_by_form(const void *a, const void *b);

#endif
