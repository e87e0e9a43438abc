/* Sets the signal dispositions that this process needs in order to store the program's records. */
#ifndef LORE_RUN_SHIELD_H
#define LORE_RUN_SHIELD_H

/* After this call a closed pipe or a file size limit makes a write fail instead of killing us, and
 * children can be waited for even if our parent ignores SIGCHLD. Further calls change nothing. */
void lore_shield_set(void);
/* Restore the inherited dispositions, in a forked child before exec. Async-signal-safe. */
void lore_shield_restore(void);

#endif
