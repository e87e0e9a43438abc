/* The agent's loop: drain, wait, repeat. Waits use the monotonic clock and end when the wake
 * descriptor is readable, so that a stop takes effect at once. */
#include <errno.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "collectors/upload/agent.h"
#include "service/base/clock.h"

enum { BASE_MS = 1000, CAP_MS = 300000, ALARM_MS = 3600000 };

int64_t
lore_upload_wait_ms(unsigned failures, int64_t wait_s, bool alarm)
{
    int64_t bound = BASE_MS, wait;

    if (alarm)
        return ALARM_MS;
    for (unsigned i = 1; i < failures && bound < CAP_MS; i++)
        bound *= 2;
    if (bound > CAP_MS)
        bound = CAP_MS;
    wait = (int64_t)randombytes_uniform((uint32_t)bound + 1);
    /* respect Retry-After up to one hour, plus the random time, so that agents do not all return at
     * once */
    if (wait_s > 0)
        wait += (wait_s < 3600 ? wait_s : 3600) * 1000;
    return wait;
}

static bool
stopped(const struct lore_upload_options *options)
{
    return options->stop && *options->stop;
}

static void
wait_for(const struct lore_upload_options *options, int wake_fd, int64_t ms)
{
    int64_t end = lore_ticks_us() + ms * 1000, left;
    struct pollfd p = {.fd = wake_fd, .events = POLLIN};

    while (!stopped(options) && (left = (end - lore_ticks_us() + 999) / 1000) > 0) {
        if (poll(&p, 1, left > 60000 ? 60000 : (int)left) > 0)
            return;
    }
}

struct loop {
    char last_line[512];
    unsigned failures;
    void (*say)(const char *line);
};

/* Report LINE unless it repeats the previous one. */
static void
say(struct loop *l, const char *line)
{
    if (strcmp(l->last_line, line) == 0)
        return;
    snprintf(l->last_line, sizeof l->last_line, "%s", line);
    l->say(line);
}

static void
say_result(struct loop *l, const struct lore_upload_result *r)
{
    char line[512];

    if (r->again > 0) {
        snprintf(line, sizeof line,
            "the service lost acknowledged records, as after the restore of an older backup; %llu "
            "are sent again",
            (unsigned long long)r->again);
        say(l, line);
    }
    if (r->stored + r->duplicates + r->refused == 0)
        return;
    snprintf(line, sizeof line, "delivered: %llu stored, %llu already there, %llu refused%s%s",
        (unsigned long long)r->stored, (unsigned long long)r->duplicates,
        (unsigned long long)r->refused, r->refusal[0] ? "; the last one: " : "", r->refusal);
    l->last_line[0] = '\0';
    say(l, line);
}

void
lore_upload_loop(struct lore_outbox *o, const struct lore_upload_options *options, int interval_s,
    int wake_fd, void (*say_line)(const char *line))
{
    struct loop l = {.say = say_line};

    while (!stopped(options)) {
        struct lore_upload_result r;
        struct lore_err err = {0};
        int64_t wait = interval_s * (int64_t)1000;
        enum lore_status status = lore_upload_drain(o, options, &r, &err);

        say_result(&l, &r);
        l.failures = status == LORE_OK ? 0 : l.failures + 1;
        if (status != LORE_OK && !stopped(options)) {
            char line[sizeof err.msg + sizeof err.hint + 8];
            snprintf(line, sizeof line, "%s%s%s%s", err.msg, err.hint[0] ? " (" : "", err.hint,
                err.hint[0] ? ")" : "");
            say(&l, line);
            wait = lore_upload_wait_ms(l.failures, r.wait_s, r.alarm);
        }
        wait_for(options, wake_fd, wait);
    }
}
