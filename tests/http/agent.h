/* Signed requests of the cases (agent.c). */
#ifndef LORE_TESTS_HTTP_AGENT_H
#define LORE_TESTS_HTTP_AGENT_H

#include "tests/http/case.h"

/* Set ${public_key}, ${agent_secret}, ${code} and ${code2}; a case enrolls and saves ${agent}. */
void agent_prepare(const struct service *s, struct vars *vars, struct lore_arena *arena);
/* Append a part of a batch, signed by ${agent}. False without one. */
bool agent_part(
    const struct vars *vars, uint64_t seq, const char *document, size_t n, struct lore_buf *body);
/* The headers of C, and those of a signed request that it does not set itself. */
void agent_headers(const struct vars *vars, const struct test_case *c, struct lore_buf *out);
/* The headers of somebody whom no service knows. BODY may be NULL. */
void agent_stranger(const char *method, const char *path, const char *body, struct lore_buf *out);

#endif
