/* Time as integer microseconds since 1970 UTC, and RFC 3339 text in and out. The calendar is
 * computed here (proleptic Gregorian, years 0000 to 9999) instead of by gmtime and timegm: no
 * locale, no time zone database, no shared state. A leap second (:60) reads as the first
 * microseconds of the next minute. */
#include "service/base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define US_PER_S 1000000LL
#define S_PER_DAY 86400LL

/* 0000-01-01 and the last microsecond of 9999, so that every time has four year digits. */
static const int64_t first_us = -62167219200LL * US_PER_S;
static const int64_t last_us = 253402300800LL * US_PER_S - 1;

static int64_t
read_clock(clockid_t id)
{
    struct timespec ts;

    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * US_PER_S + ts.tv_nsec / 1000;
}

int64_t
lore_now_us(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t
lore_ticks_us(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* Days since 1970-01-01, and back: the year starts in March, so that the leap day is its last. */
static int64_t
days_from_civil(int64_t y, int64_t m, int64_t d)
{
    int64_t era, yoe, doy;

    y -= m <= 2;
    era = (y >= 0 ? y : y - 399) / 400;
    yoe = y - era * 400;
    doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void
civil_from_days(int64_t days, int *y, int *m, int *d)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t mp = (5 * doy + 2) / 153;

    *d = (int)(doy - (153 * mp + 2) / 5 + 1);
    *m = (int)(mp < 10 ? mp + 3 : mp - 9);
    *y = (int)(yoe + era * 400 + (*m <= 2));
}

void
lore_time_format(int64_t us, char out[LORE_TIME_SIZE])
{
    int64_t days, rest;
    int y, m, d;
    unsigned s;

    us = us < first_us ? first_us : us > last_us ? last_us : us;
    days = us / (S_PER_DAY * US_PER_S);
    rest = us % (S_PER_DAY * US_PER_S);
    if (rest < 0) {
        rest += S_PER_DAY * US_PER_S;
        days--;
    }
    civil_from_days(days, &y, &m, &d);
    s = (unsigned)(rest / US_PER_S);
    /* the remainders are no-ops that let the compiler see the text fits */
    snprintf(out, LORE_TIME_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ", (unsigned)y % 10000u,
        (unsigned)m % 100u, (unsigned)d % 100u, s / 3600 % 100u, s / 60 % 60, s % 60,
        (unsigned)(rest % US_PER_S) % 1000000u);
}

/* N digits at *s, or -1; moves *s past them. */
static int
digits(const char **s, int n)
{
    int value = 0;

    for (; n > 0; n--, (*s)++) {
        if (**s < '0' || **s > '9')
            return -1;
        value = value * 10 + (**s - '0');
    }
    return value;
}

static bool
eat(const char **s, char c)
{
    if (**s != c)
        return false;
    (*s)++;
    return true;
}

static bool
read_date(const char **s, int64_t *days)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int y = digits(s, 4), m, d, last;

    if (y < 0 || !eat(s, '-') || (m = digits(s, 2)) < 1 || m > 12)
        return false;
    last = lengths[m - 1] + (m == 2 && y % 4 == 0 && (y % 100 != 0 || y % 400 == 0));
    if (!eat(s, '-') || (d = digits(s, 2)) < 1 || d > last)
        return false;
    *days = days_from_civil(y, m, d);
    return true;
}

/* hh:mm:ss[.fraction]; digits past the microsecond are cut off. */
static bool
read_clock_time(const char **s, int64_t *us)
{
    int h = digits(s, 2), m, sec, scale;

    if (h < 0 || h > 23 || !eat(s, ':') || (m = digits(s, 2)) < 0 || m > 59)
        return false;
    if (!eat(s, ':') || (sec = digits(s, 2)) < 0 || sec > 60)
        return false;
    *us = (h * 3600LL + m * 60LL + sec) * US_PER_S;
    if (!eat(s, '.'))
        return true;
    if (**s < '0' || **s > '9')
        return false;
    for (scale = 100000; **s >= '0' && **s <= '9'; (*s)++, scale /= 10)
        *us += (int64_t)(**s - '0') * scale;
    return true;
}

static bool
read_offset(const char **s, int64_t *us)
{
    int sign, h, m;

    *us = 0;
    if (eat(s, 'Z') || eat(s, 'z'))
        return true;
    if (**s != '+' && **s != '-')
        return false;
    sign = *(*s)++ == '-' ? -1 : 1;
    h = digits(s, 2);
    if (h < 0 || h > 23 || !eat(s, ':') || (m = digits(s, 2)) < 0 || m > 59)
        return false;
    *us = sign * (h * 3600LL + m * 60LL) * US_PER_S;
    return true;
}

enum lore_status
lore_time_parse(const char *text, int64_t *us, struct lore_err *err)
{
    const char *s = text != NULL ? text : "";
    int64_t days = 0, time = 0, offset = 0, at;
    bool ok = read_date(&s, &days);

    if (ok && *s != '\0') {
        ok = eat(&s, 'T') || eat(&s, 't') || eat(&s, ' ');
        ok = ok && read_clock_time(&s, &time) && read_offset(&s, &offset);
    }
    at = days * S_PER_DAY * US_PER_S + time - offset;
    if (!ok || *s != '\0' || at < first_us || at > last_us) {
        (void)lore_fail_at(err, LORE_INVALID, "invalid_time", "", "\"%.60s\": not a time",
            text != NULL ? text : "");
        lore_err_hint(err, "RFC 3339 with a zone: 2026-11-21T08:43:39Z, or a date: 2026-11-21");
        return LORE_INVALID;
    }
    *us = at;
    return LORE_OK;
}
