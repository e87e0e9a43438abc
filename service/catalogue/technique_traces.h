/* Whether a technique leaves instructions behind that a signature looks for. */
#ifndef LORE_CATALOGUE_TECHNIQUE_TRACES_H
#define LORE_CATALOGUE_TECHNIQUE_TRACES_H

enum { LORE_TRACE_SASS = 1, LORE_TRACE_AMDGCN = 2 };
/* In which machine code a signature for it exists, on chips of VENDOR ("nvidia", "amd"; NULL: any).
 * NAME is any name of the catalogue. 0: none, so that no check could ever find it. */
unsigned lore_technique_traces(const char *name, const char *vendor);

#endif
