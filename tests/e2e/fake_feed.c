/* The double's feed: a text file of what a real machine gave, one fact a line, without blanks in
 * names:
 * - kernel NAME vgprs agprs sgprs group_bytes private_bytes
 * - launch NAME ns: the next launch of the kernel
 * - counter NAME: the chip has it
 * - value COUNTER KERNEL LAUNCH VALUE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/e2e/fake_hip.h"

enum { WORDS = 7, WORD = 256, MOST = 16384 };

static struct line {
    char words[WORDS][WORD];
} * lines;
static size_t n_lines;

static void
read_once(void)
{
    const char *path = getenv("FAKE_FEED");
    FILE *f = !lines && path ? fopen(path, "re") : NULL;
    char text[WORDS * WORD], *rest;

    if (!f)
        return;
    lines = calloc(MOST, sizeof *lines);
    while (lines && n_lines < MOST && fgets(text, sizeof text, f)) {
        int n = 0;
        for (char *w = strtok_r(text, " \n", &rest); w && n < WORDS;
             w = strtok_r(NULL, " \n", &rest))
            snprintf(lines[n_lines].words[n++], WORD, "%s", w);
        n_lines += n > 0;
    }
    fclose(f);
}

/* The I-th line that starts with A and, unless it is NULL, B; NULL: none. */
static const struct line *
find(const char *a, const char *b, uint64_t i)
{
    read_once();
    for (size_t k = 0; k < n_lines; k++)
        if (strcmp(lines[k].words[0], a) == 0 && (!b || strcmp(lines[k].words[1], b) == 0) &&
            i-- == 0)
            return &lines[k];
    return NULL;
}

static uint32_t
number(const struct line *l, int word)
{
    return (uint32_t)strtoul(l->words[word], NULL, 10);
}

void
fake_feed_kernel(struct fake_kernel *k)
{
    const struct line *l = find("kernel", k->name, 0);

    if (!l)
        return;
    k->vgprs = number(l, 2);
    k->agprs = number(l, 3);
    k->sgprs = number(l, 4);
    k->group_bytes = number(l, 5);
    k->private_bytes = number(l, 6);
}

uint64_t
fake_feed_duration(const char *kernel, uint64_t launch, uint64_t otherwise)
{
    const struct line *l = find("launch", kernel, launch);

    return l ? strtoull(l->words[2], NULL, 10) : otherwise;
}

const char *
fake_feed_counter(size_t i)
{
    const struct line *l = find("counter", NULL, i);

    return l ? l->words[1] : NULL;
}

double
fake_feed_value(size_t i, const char *kernel, uint64_t launch)
{
    const char *counter = fake_feed_counter(i);
    const struct line *l;

    for (uint64_t k = 0; counter && (l = find("value", counter, k)); k++)
        if (strcmp(l->words[2], kernel) == 0 && strtoull(l->words[3], NULL, 10) == launch)
            return strtod(l->words[4], NULL);
    return 0;
}
