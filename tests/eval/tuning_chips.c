/* Which kernel and which chip a tuning file is about: `<kernel>_<chip>.json.gz`, and the device
 * that the tool wrote into it. The device goes first, because people shorten names; what the
 * catalogue knows is looked for as the longest run of words, as the import does. */
#include "tests/eval/tuning_data.h"

#include <string.h>
#include <strings.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/moves/moves_chip_data.h"

enum { WORDS = 16 };
static const char separators[] = " _-./";

struct words {
    const char *at[WORDS];
    size_t len[WORDS], n;
};

static struct words
words_of(const char *text)
{
    struct words w = {.n = 0};

    for (const char *p = text; p != NULL && *p != '\0' && w.n < WORDS;) {
        size_t len = strcspn(p, separators);
        if (len > 0) {
            w.at[w.n] = p;
            w.len[w.n++] = len;
        }
        p += len + (p[len] != '\0');
    }
    return w;
}

/* The longest run of words from FIRST on that is a chip, the last of those; *from .. *from + the
 * number that is returned; 0: none. */
static size_t
find_chip(const struct words *w, size_t first, size_t *from, const struct lore_chip **out)
{
    for (size_t len = w->n > first ? w->n - first : 0; len > 0; len--) {
        for (*from = w->n - len + 1; (*from)-- > first;) {
            char name[128];
            size_t last = *from + len - 1;
            size_t bytes = (size_t)(w->at[last] - w->at[*from]) + w->len[last];
            bool other = last + 1 < w->n && lore_chip_variant(w->at[last + 1], w->len[last + 1]);
            if (bytes >= sizeof name || other)
                continue;
            memcpy(name, w->at[*from], bytes);
            name[bytes] = '\0';
            *out = lore_chip_find(name);
            if (*out)
                return len;
        }
    }
    return 0;
}

static const char *
vendor_of(const char *device)
{
    static const struct {
        const char *word, *vendor;
    } known[] = {{"nvidia", "nvidia"}, {"geforce", "nvidia"}, {"quadro", "nvidia"},
        {"tesla", "nvidia"}, {"titan", "nvidia"}, {"rtx", "nvidia"}, {"gtx", "nvidia"},
        {"jetson", "nvidia"}, {"amd", "amd"}, {"radeon", "amd"}, {"instinct", "amd"},
        {"vega", "amd"}, {"intel", "intel"}};
    struct words w = words_of(device);

    for (size_t i = 0; i < w.n; i++) {
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strlen(known[k].word) == w.len[i] &&
                strncasecmp(known[k].word, w.at[i], w.len[i]) == 0)
                return known[k].vendor;
        if (strncasecmp(w.at[i], "gfx", 3) == 0)
            return "amd";
    }
    return NULL;
}

/* The words of the name but LEN from FROM on. */
static const char *
without(struct lore_arena *arena, const struct words *w, size_t from, size_t len)
{
    const char *out = "";

    for (size_t i = 0; i < w->n; i++)
        if (i < from || i >= from + len)
            out = lore_format(arena, "%s%s%.*s", out, *out ? "_" : "", (int)w->len[i], w->at[i]);
    return out;
}

void
tuning_name(struct lore_arena *arena, const char *stem, const char *device, const char **kernel,
    struct lore_moves_chip *chip)
{
    struct words name = words_of(stem), tool = words_of(device);
    const struct lore_chip *by_name = NULL, *by_device = NULL, *known;
    size_t from = 0, at = 0, len = find_chip(&name, 1, &from, &by_name);
    const char *under = strchr(stem, '_');

    (void)find_chip(&tool, 0, &at, &by_device);
    known = by_device != NULL ? by_device : by_name;
    if (len == 0 && under && under > stem) { /* the rest of the name is the chip's */
        from = 1;
        len = name.n;
        *kernel = lore_strndup(arena, stem, (size_t)(under - stem));
    } else {
        *kernel = without(arena, &name, from, len);
    }
    *chip = (struct lore_moves_chip){.vendor = vendor_of(device)};
    if (known && lore_moves_chip_known(known->name, chip))
        return;
    chip->name = len > 0 && under ? lore_strdup(arena, under + 1)
                                  : lore_strdup(arena, device != NULL ? device : stem);
    if (!chip->vendor)
        chip->vendor = vendor_of(chip->name);
}
