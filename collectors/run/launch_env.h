/* The environment of a watched program. */
#ifndef LORE_RUN_LAUNCH_ENV_H
#define LORE_RUN_LAUNCH_ENV_H

#include "collectors/run/launch.h"

/* Ours, with the variable that loads the backend's library and those of capture.h. A preload list
 * the user set stays behind ours; an injection library the user set stays alone, since a process
 * has one: then *other names it. The array lives in ARENA, its other texts in our environment. */
enum lore_status lore_launch_env(const struct lore_launch *l, struct lore_arena *arena,
    char *const **out, const char **other, struct lore_err *err) LORE_MUST;

#endif
