/* Whether a signature can detect a technique in machine code. */
#ifndef LORE_CATALOGUE_TECHNIQUE_TRACES_H
#define LORE_CATALOGUE_TECHNIQUE_TRACES_H

enum { LORE_TRACE_SASS = 1, LORE_TRACE_AMDGCN = 2 };
/* Bits of the kinds of machine code that have a signature for NAME (any name of the catalogue), on
 * chips of VENDOR ("nvidia", "amd"; NULL: any). 0: none, so no check can detect it. */
unsigned lore_technique_traces(const char *name, const char *vendor);

#endif
