/* A device described by a script, for tests without a GPU. The fake capture library reads the same
 * script (docs/collect.md); this file reads only its `device` and `clocks` lines:
 *     device name="NVIDIA H200" units=132 cc=9.0 clock_mhz=1980 power_cap_w=700 driver=580.159.04
 *     clocks sm_mhz=1980,1950,1710 throttle=none,none,sw_power_cap */
#include <stdlib.h>
#include <string.h>

#include "collectors/host/vendor.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

enum { SCRIPT_MAX = 1 << 20 };

const char *
lore_fake_script(struct lore_arena *arena)
{
    const char *given = getenv("WARPLORE_FAKE"), *text = given;
    struct lore_buf file = {.max = SCRIPT_MAX};
    struct lore_err ignored;

    if (!given || *given == '\0')
        return NULL;
    if (!strchr(given, '\n') && lore_file_read(given, &file, &ignored) == LORE_OK)
        text = lore_strndup(arena, file.data != NULL ? file.data : "", file.len);
    lore_buf_free(&file);
    return text;
}

/* Find the next line of SCRIPT that begins with WORD, from *AT on (NULL: the start). Returns the
 * text after WORD and moves *AT behind the line; NULL: no such line. */
static const char *
next_line(const char *script, const char *word, const char **at)
{
    size_t n = strlen(word);

    for (const char *p = *at != NULL ? *at : script; *p != '\0';) {
        const char *line = p + strspn(p, " \t"), *end = line + strcspn(line, "\n");
        p = *end != '\0' ? end + 1 : end;
        if (strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t')) {
            *at = p;
            return line + n;
        }
    }
    return NULL;
}

/* The value of KEY=… in LINE (up to its end), quotes taken off; NULL when it is not there. */
static const char *
value_of(struct lore_arena *arena, const char *line, const char *key)
{
    size_t n = strlen(key), len = strcspn(line, "\n");
    const char *end = line + len;

    for (const char *p = line; p < end;) {
        p += strspn(p, " \t");
        const char *value = NULL, *from = p;
        if (strncmp(p, key, n) == 0 && p[n] == '=')
            value = p + n + 1;
        while (p < end && *p != ' ' && *p != '\t') {
            const char *close = *p == '"' ? memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
            p = close != NULL ? close + 1 : p + 1;
        }
        if (value && *value == '"' && p - value >= 2)
            return lore_strndup(arena, value + 1, (size_t)(p - value - 2));
        if (value)
            return lore_strndup(arena, value, (size_t)(p - value));
        if (p == from)
            break;
    }
    return NULL;
}

static void
number(struct lore_arena *arena, struct lore_kvs *list, const char *key, const char *text)
{
    struct lore_err ignored;
    long long v;

    if (text && lore_parse_i64(text, key, &v, &ignored) == LORE_OK)
        lore_host_set_i64(arena, list, key, v);
}

bool
lore_host_fake(struct lore_arena *arena, struct lore_host *out, const char **why)
{
    const char *script = lore_fake_script(arena), *line, *at = NULL, *cc;

    *why = "no fake device: WARPLORE_FAKE neither holds nor names a script with a device line";
    while (script && (line = next_line(script, "device", &at))) {
        struct lore_host_device *d =
            LORE_PUSH(arena, out->devices, out->n_devices, out->cap_devices);
        d->ordinal = (uint32_t)(out->n_devices - 1);
        d->vendor = "fake";
        d->name = value_of(arena, line, "name");
        d->uuid = value_of(arena, line, "uuid");
        d->chip = d->name != NULL ? lore_host_chip(arena, d->name) : NULL;
        if ((cc = value_of(arena, line, "cc")))
            d->isa = lore_format(arena, "sm_%.*s%s", (int)strcspn(cc, "."), cc,
                strchr(cc, '.') != NULL ? strchr(cc, '.') + 1 : "");
        number(arena, &d->hard, "power_cap_w", value_of(arena, line, "power_cap_w"));
        number(arena, &d->soft, "sm_clock_max_mhz", value_of(arena, line, "clock_mhz"));
        number(arena, &d->soft, "mem_clock_max_mhz", value_of(arena, line, "mem_clock_mhz"));
        number(arena, &d->specs, "compute_units", value_of(arena, line, "units"));
        if (!out->driver)
            out->driver = value_of(arena, line, "driver");
    }
    return out->n_devices > 0;
}

/* The I-th entry of a comma-separated list, its last one when there are fewer. */
static const char *
entry(struct lore_arena *arena, const char *list, size_t i)
{
    while (i-- > 0 && strchr(list, ','))
        list = strchr(list, ',') + 1;
    return lore_strndup(arena, list, strcspn(list, ","));
}

bool
lore_fake_clocks(
    struct lore_arena *arena, const char *script, size_t i, struct lore_watch_sample *out)
{
    const char *at = NULL, *line = script != NULL ? next_line(script, "clocks", &at) : NULL;
    const char *mhz = line != NULL ? value_of(arena, line, "sm_mhz") : NULL;
    const char *throttle = line != NULL ? value_of(arena, line, "throttle") : NULL;

    if (!mhz)
        return false;
    out->sm_mhz = (int32_t)strtol(entry(arena, mhz, i), NULL, 10);
    out->throttle = throttle != NULL ? lore_watch_bits(entry(arena, throttle, i)) : 0;
    return true;
}
