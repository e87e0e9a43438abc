/* The counter run of the fake GPU. It writes the script's value of each requested metric for each
 * launch. A metric without a line in the script is unsupported, and all are denied when the script
 * refuses counters. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/capture/capture_env.h"
#include "collectors/fake/fake.h"
#include "collectors/fake/model.h"

enum { METRICS_MAX = 1024, PERMISSION_DENIED = 3, COUNTER_UNSUPPORTED = 4 }; /* enum lore_missing */

struct metric_name {
    uint32_t id; /* id of the name in the channel */
    struct lore_fake_text name;
};
struct counting {
    struct lore_fake *fake;
    struct metric_name metrics[METRICS_MAX];
    size_t n;
    uint64_t launches, skip, pass, random, counted;
    bool by_app; /* one pass per program run */
};

static uint64_t
setting(const char *name, uint64_t absent)
{
    const char *v = getenv(name);
    return v && *v ? strtoull(v, NULL, 10) : absent;
}

static void
split(struct counting *c, const char *list)
{
    char name[512];

    for (const char *p = list; *p && c->n < METRICS_MAX;) {
        size_t n = strcspn(p, ",");
        if (n > 0 && n < sizeof name) {
            memcpy(name, p, n);
            name[n] = '\0';
            c->metrics[c->n++] =
                (struct metric_name){lore_channel_name(c->fake->channel, name), {p, n}};
        }
        p += n + (p[n] == ',');
    }
}

static bool
same(struct lore_fake_text a, struct lore_fake_text b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* The script's line for metric NAME. A line that names KERNEL wins over a line for every kernel. */
static const struct lore_fake_counter *
find(const struct lore_fake_script *s, struct lore_fake_text name, const char *kernel)
{
    const struct lore_fake_counter *any = NULL;

    for (size_t i = 0; i < s->n_counters; i++) {
        const struct lore_fake_counter *c = &s->counters[i];
        if (!same(c->name, name))
            continue;
        if (c->kernel.n == 0)
            any = c;
        else if (memmem(kernel, strlen(kernel), c->kernel.p, c->kernel.n))
            return c;
    }
    return any;
}

static void
count_launch(struct counting *c, const char *kernel, uint32_t shape, uint64_t launch)
{
    const struct lore_fake_script *s = c->fake->script;

    for (size_t i = 0; i < c->n; i++) {
        const struct lore_fake_counter *line = find(s, c->metrics[i].name, kernel);
        struct lore_cap_metric m = {
            .shape = shape, .metric = c->metrics[i].id, .launch = (uint32_t)launch};

        if (c->by_app && s->passes > 0 && i % s->passes != c->pass)
            continue;
        if (s->remedy.n > 0)
            m.missing = PERMISSION_DENIED;
        else if (!line)
            m.missing = COUNTER_UNSUPPORTED;
        else
            m.missing = line->missing;
        if (m.missing == 0)
            m.value = line->value * (1 + line->spread * lore_fake_normal(&c->random)) +
                      (c->counted == 0 ? line->first : 0);
        lore_channel_metric(c->fake->channel, &m);
    }
    c->counted++;
}

static void
count_kernel(struct counting *c, const struct lore_fake_kernel *k, const regex_t *wanted)
{
    uint64_t end = c->skip + c->launches;

    for (uint32_t kind = 0; kind == 0 || kind < k->kinds; kind++) {
        const char *name = lore_fake_name(c->fake, k, kind);
        if (wanted && regexec(wanted, name, 0, NULL, 0) != 0)
            continue;
        uint32_t shape = lore_fake_shape(c->fake, k, kind);
        for (uint64_t i = c->skip; i < end && i < k->launches; i++)
            count_launch(c, lore_fake_name(c->fake, k, kind), shape, i);
    }
}

static void
write_outcome(struct counting *c)
{
    const struct lore_fake_script *s = c->fake->script;
    char text[512];

    for (size_t i = 0; i < c->n && s->remedy.n == 0; i++) {
        bool known = false;
        for (size_t k = 0; k < s->n_counters; k++)
            known = known || same(s->counters[k].name, c->metrics[i].name);
        if (known)
            continue;
        memcpy(text, c->metrics[i].name.p, c->metrics[i].name.n); /* split() skips longer ones */
        text[c->metrics[i].name.n] = '\0';
        lore_channel_state(c->fake->channel, LORE_CAP_COUNTER_UNKNOWN, text, 0, 0);
    }
    if (s->remedy.n > 0) {
        size_t n = s->remedy.n < sizeof text - 1 ? s->remedy.n : sizeof text - 1;
        memcpy(text, s->remedy.p, n);
        text[n] = '\0';
        lore_channel_state(c->fake->channel, LORE_CAP_PERMISSION, text, 0, 0);
    } else if (c->by_app && s->passes > 1) {
        lore_channel_state(c->fake->channel, LORE_CAP_COUNTER_PARTIAL, NULL, 1, s->passes);
    } else {
        lore_channel_state(c->fake->channel, LORE_CAP_COUNTER_DONE, NULL, s->passes, 0);
    }
}

void
lore_fake_count(struct lore_fake *f, const char *metrics)
{
    static struct counting c; /* too large for the stack of the watched program */
    const char *replay = getenv(LORE_ENV_REPLAY), *kernels = getenv(LORE_ENV_COUNTERS_KERNELS),
               *cache = getenv(LORE_ENV_COUNTERS_CACHE);
    regex_t wanted;
    bool filter = kernels && *kernels && regcomp(&wanted, kernels, REG_EXTENDED | REG_NOSUB) == 0;

    c.fake = f;
    c.launches = setting(LORE_ENV_COUNTERS_LAUNCHES, LORE_COUNT_LAUNCHES);
    c.skip = setting(LORE_ENV_COUNTERS_SKIP, 0);
    c.random = lore_fake_random_start(f->script->seed, 1u << 20);
    c.by_app = replay && strncmp(replay, "app:", 4) == 0;
    c.pass = c.by_app ? strtoull(replay + 4, NULL, 10) : 0;
    if (cache && strcmp(cache, "none") == 0)
        lore_channel_state(f->channel, LORE_CAP_COUNTER_UNCLEAN, NULL, 0, 0);
    split(&c, metrics);
    for (size_t i = 0; i < f->script->n_kernels; i++)
        count_kernel(&c, &f->script->kernels[i], filter ? &wanted : NULL);
    write_outcome(&c);
    if (filter)
        regfree(&wanted);
}
