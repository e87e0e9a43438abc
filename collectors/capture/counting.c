/* Reads the counter settings from the environment and matches kernels: a POSIX extended expression
 * on the symbol. This library has no demangler; `warplore run` matches readable names itself and
 * hands over the symbols. */
#include "collectors/capture/counting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/capture_env.h"
#include "collectors/capture/store.h"

static uint32_t
number(const char *variable, uint32_t otherwise)
{
    const char *s = getenv(variable);
    char *end;
    unsigned long v;

    if (!s || *s == '\0')
        return otherwise;
    v = strtoul(s, &end, 10);
    return *end == '\0' && v < UINT32_MAX ? (uint32_t)v : otherwise;
}

static void
split(struct lore_counting *out, const char *s)
{
    while (*s != '\0' && out->n_names < LORE_COUNTING_NAMES) {
        size_t n = strcspn(s, ", ");

        if (n > 0 && (out->names[out->n_names] = lore_store_text(s, n)))
            out->n_names++;
        s += n + (s[n] != '\0');
    }
}

bool
lore_counting_read(struct lore_counting *out, struct lore_channel *channel)
{
    const char *kernels = getenv(LORE_ENV_COUNTERS_KERNELS), *replay = getenv(LORE_ENV_REPLAY),
               *cache = getenv(LORE_ENV_COUNTERS_CACHE);
    char text[300];
    int rc;

    split(out, getenv(LORE_ENV_COUNTERS));
    out->list = out->n_names == 1 && strcmp(out->names[0], "list") == 0;
    out->skip = number(LORE_ENV_COUNTERS_SKIP, 0);
    out->launches = number(LORE_ENV_COUNTERS_LAUNCHES, LORE_COUNT_LAUNCHES);
    if (out->launches == 0)
        out->launches = 1;
    out->dir = getenv(LORE_ENV_CAPTURE);
    out->clean = !cache || strcmp(cache, "none") != 0;
    out->all = !kernels || *kernels == '\0';
    if (replay && strncmp(replay, "app:", 4) == 0) {
        out->app_replay = true;
        out->pass = strtoul(replay + 4, NULL, 10);
    }
    if (out->all)
        return true;
    rc = regcomp(&out->match, kernels, REG_EXTENDED | REG_NOSUB);
    if (rc == 0)
        return true;
    (void)snprintf(text, sizeof text,
        LORE_ENV_COUNTERS_KERNELS " is not a regular expression: %.200s", kernels);
    lore_channel_state(channel, LORE_CAP_COUNTER_PARTIAL, text, 0, 0);
    return false;
}

bool
lore_counting_matches(const struct lore_counting *c, const char *symbol)
{
    return c->all || regexec(&c->match, symbol, 0, NULL, 0) == 0;
}
