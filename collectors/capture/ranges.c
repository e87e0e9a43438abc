#include "collectors/capture/ranges.h"

#include <string.h>

enum { DEEPEST = 128 };

static _Thread_local struct {
    uint32_t ids[DEEPEST]; /* what holds in each open range */
    bool asked[DEEPEST];   /* whether a text of Warplore's says it */
    size_t depth;          /* open ranges; those beyond DEEPEST have no entry */
} open;

static bool
is_asked(const char *text)
{
    static const char prefix[] = "warplore:";

    return strncmp(text, prefix, sizeof prefix - 1) == 0;
}

size_t
lore_ranges_text(const char *text, char out[LORE_RANGE_MAX])
{
    static const char key[] = ", sizes = [";
    const char *sizes, *end;
    size_t name, n;

    out[0] = '\0';
    if (is_asked(text)) {
        n = strnlen(text, LORE_RANGE_MAX);
        if (n == LORE_RANGE_MAX)
            return 0;
        memcpy(out, text, n + 1);
        return n;
    }
    sizes = strncmp(text, "aten::", 6) == 0 ? strstr(text, key) : NULL;
    if (!sizes)
        return 0;
    name = strcspn(text, ",");
    end = strstr(sizes, "]]");
    n = end ? (size_t)(end + 2 - sizes) : 0;
    if (n == 0 || name + n >= LORE_RANGE_MAX)
        return 0;
    memcpy(out, text, name);
    memcpy(out + name, sizes, n);
    out[name + n] = '\0';
    return name + n;
}

void
lore_ranges_push(struct lore_channel *c, const char *text)
{
    char name[LORE_RANGE_MAX];
    size_t at = open.depth++;
    bool inside = at > 0 && at <= DEEPEST;

    if (at >= DEEPEST)
        return;
    open.ids[at] = inside ? open.ids[at - 1] : 0;
    open.asked[at] = inside && open.asked[at - 1];
    if (!text || (open.asked[at] && !is_asked(text)) || lore_ranges_text(text, name) == 0)
        return;
    open.ids[at] = lore_channel_name(c, name);
    open.asked[at] = is_asked(text);
}

void
lore_ranges_pop(void)
{
    if (open.depth > 0)
        open.depth--;
}

uint32_t
lore_ranges_current(void)
{
    size_t n = open.depth < DEEPEST ? open.depth : DEEPEST;

    return n > 0 ? open.ids[n - 1] : 0;
}
