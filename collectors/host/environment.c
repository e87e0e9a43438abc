/* Makes records of a device and its machine: one environment, with an id derived from its content,
 * and the device's own numbers as specs. Machine name and device uuid identify the owner, so they
 * are sent as hashes unless the user allows plain text. Equal hashes still show that two runs came
 * from one machine. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collectors/host/vendor.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { HASH_SHOWN = 16 }; /* 64 bits distinguish machines well enough */

void
lore_host_set(struct lore_arena *arena, struct lore_kvs *list, const char *key, const char *text)
{
    if (text && *text != '\0')
        lore_kvs_set(arena, list, key, lore_kvs_quote(arena, text));
}

void
lore_host_set_i64(struct lore_arena *arena, struct lore_kvs *list, const char *key, int64_t value)
{
    lore_kvs_set(arena, list, key, lore_format(arena, "%lld", (long long)value));
}

void
lore_host_missing(
    struct lore_arena *arena, struct lore_host_device *d, const char *key, const char *why)
{
    *LORE_PUSH(arena, d->missing.v, d->missing.n, d->missing.cap) =
        lore_format(arena, "%s: %s", key, why);
}

const char *
lore_host_chip(struct lore_arena *arena, const char *name)
{
    const struct lore_chip *chip = lore_chip_find(name);

    if (!chip && lore_starts(name, "NVIDIA "))
        chip = lore_chip_find(lore_strdup(arena, name + strlen("NVIDIA ")));
    return chip ? chip->name : NULL;
}

void
lore_host_mig_profile(struct lore_arena *arena, struct lore_host_device *d)
{
    const char *mig = d->name != NULL ? strstr(d->name, " MIG ") : NULL;

    if (!mig)
        return;
    lore_host_set(arena, &d->hard, "mig", "enabled");
    lore_host_set(arena, &d->hard, "mig_profile", mig + strlen(" MIG "));
}

static const char *
plain_or_hash(struct lore_arena *arena, const char *text, bool show)
{
    char hex[LORE_HASH_HEX];

    if (!text || show)
        return text;
    lore_hash_hex(text, strlen(text), hex);
    return lore_format(arena, "blake2b:%.*s", HASH_SHOWN, hex);
}

/* "model name : X" of /proc/cpuinfo. */
static const char *
cpu_model(struct lore_arena *arena)
{
    const char *at, *out = NULL;
    char line[4096];
    FILE *f = fopen("/proc/cpuinfo", "re");

    while (f && !out && fgets(line, sizeof line, f))
        if (lore_starts(line, "model name") && (at = strchr(line, ':'))) {
            at += strspn(at, ": \t");
            out = lore_strndup(arena, at, strcspn(at, "\n"));
        }
    if (f)
        (void)fclose(f);
    return out;
}

static void
put_machine(struct lore_arena *arena, struct lore_kvs *soft, bool show_name)
{
    char host[256] = "";
    struct utsname u;

    if (uname(&u) == 0)
        lore_host_set(arena, soft, "os", lore_format(arena, "%s %s", u.sysname, u.release));
    lore_host_set(arena, soft, "cpu", cpu_model(arena));
    lore_host_set_i64(arena, soft, "cpu_count", sysconf(_SC_NPROCESSORS_ONLN));
    if (gethostname(host, sizeof host - 1) == 0 && *host != '\0')
        lore_host_set(arena, soft, "host", plain_or_hash(arena, host, show_name));
}

void
lore_host_environment(struct lore_arena *arena, const struct lore_host *host,
    const struct lore_host_device *d, bool show_name, struct lore_environment *out)
{
    char hard[33], soft[33];

    memset(out, 0, sizeof *out);
    out->chip = d->chip;
    out->hard = d->hard;
    for (size_t i = 0; i < d->soft.n; i++)
        lore_kvs_set(arena, &out->soft, d->soft.v[i].key, d->soft.v[i].value);
    lore_host_set(arena, &out->soft, "device", d->name);
    lore_host_set(arena, &out->soft, "device_uuid", plain_or_hash(arena, d->uuid, show_name));
    lore_host_set(arena, &out->soft, "isa", d->isa);
    lore_host_set(arena, &out->soft, "driver", host->driver);
    lore_host_set(arena, &out->soft, "cuda", host->cuda);
    lore_host_set(arena, &out->soft, "hip", host->hip);
    lore_host_set(arena, &out->soft, "toolkit", host->toolkit);
    put_machine(arena, &out->soft, show_name);
    for (size_t i = 0; i < d->missing.n; i++)
        lore_host_set(arena, &out->soft, lore_format(arena, "missing_%zu", i + 1), d->missing.v[i]);
    lore_kvs_hash(&out->hard, hard);
    lore_kvs_hash(&out->soft, soft);
    out->id =
        lore_build_id(arena, 0, "environment|%s|%s|%s", d->chip != NULL ? d->chip : "", hard, soft);
}

/* The unit that a device reports a spec in. */
static const char *
unit_of(const char *metric)
{
    if (strcmp(metric, "hbm_bandwidth") == 0)
        return "B/s";
    if (strstr(metric, "bytes") || strcmp(metric, "memory_capacity") == 0)
        return "B";
    if (strcmp(metric, "peak_clock") == 0)
        return "MHz";
    if (strcmp(metric, "warp_size") == 0)
        return "threads";
    return strstr(metric, "bits") ? "bit" : "count";
}

void
lore_host_specs(struct lore_arena *arena, const struct lore_host_device *d,
    const struct lore_environment *env, struct lore_submission *doc)
{
    struct lore_err ignored;

    for (size_t i = 0; d->chip != NULL && i < d->specs.n; i++) {
        const struct lore_kv *kv = &d->specs.v[i];
        double value;

        if (lore_parse_f64(kv->value, kv->key, &value, &ignored) != LORE_OK)
            continue;
        struct lore_spec *s = LORE_PUSH(arena, doc->specs, doc->n_specs, doc->cap_specs);
        s->id = lore_build_id(arena, 0, "spec|%s|%s|%s", env->id, kv->key, kv->value);
        s->chip = d->chip;
        s->metric = kv->key;
        s->value = (struct lore_f64){true, value};
        s->unit = unit_of(kv->key);
        s->evidence_class = "device_reported";
        s->environment = env->id;
    }
}
