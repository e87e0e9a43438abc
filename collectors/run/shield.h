/* What this process inherited must not end it before the program's records are on disk. */
#ifndef LORE_RUN_SHIELD_H
#define LORE_RUN_SHIELD_H

/* From here on a closed pipe and a file size limit are errors of a write, and children can be
 * waited for whatever our parent did with SIGCHLD. Once per process; further calls change nothing.
 */
void lore_shield_on(void);
/* In a forked child, before exec: all of it as we inherited it. Async-signal-safe. */
void lore_shield_off(void);

#endif
