/* Time: integer microseconds since 1970 UTC inside, RFC 3339 outside. */
#ifndef LORE_BASE_CLOCK_H
#define LORE_BASE_CLOCK_H

#include <stdint.h>

#include "service/base/status.h"

#define LORE_TIME_SIZE 28 /* 2026-11-21T08:43:39.123456Z and the NUL */

int64_t lore_now_us(void);   /* wall clock */
int64_t lore_ticks_us(void); /* monotonic, for durations */
void lore_time_format(int64_t us, char out[LORE_TIME_SIZE]);
/* "2026-11-21T08:43:39.5Z", "+02:00" offsets, or a bare date (midnight UTC). */
enum lore_status lore_time_parse(const char *text, int64_t *us, struct lore_err *err) LORE_MUST;

#endif
