/* key=value lines on standard error, one per event, values escaped and quoted when needed.
 *   lore_log(LORE_INFO, "listen", "addr", addr, NULL);
 * prints: time=2026-… level=info event=listen addr=127.0.0.1:8787 */
#ifndef LORE_BASE_LOG_H
#define LORE_BASE_LOG_H

enum lore_log_level { LORE_DEBUG, LORE_INFO, LORE_WARN, LORE_ERROR };

void lore_log_level(enum lore_log_level least); /* default LORE_INFO */
/* Pairs of (const char *key, const char *value), ended by NULL. A NULL value is skipped. */
void lore_log(enum lore_log_level level, const char *event, ...) __attribute__((sentinel));

#endif
