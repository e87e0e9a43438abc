/* Lookup of techniques by any of their names. "shared-memory-tiling{tile-size=16}" is the technique
 * before the brace; a title or alias resolves to the slug; anything else becomes a slug of its own,
 * so nothing that somebody tried is lost. The rows are in technique_table.c. */
#include <string.h>
#include <strings.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"
#include "service/catalogue/technique_table.h"
#include "service/catalogue/words.h"

static struct lore_name_slot slots[2048];
static struct lore_names names = {.slots = slots, .n_slots = 2048};
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The slug is indexed with and without its axis: "vectorized_access". */
static void
fill(void)
{
    for (size_t i = 0; i < lore_n_techniques; i++) {
        const struct lore_technique *t = &lore_technique_table[i];
        const char *dot = strchr(t->slug, '.');

        lore_names_add(&names, t->slug, strlen(t->slug), i);
        lore_names_add(&names, t->title, strlen(t->title), i);
        if (dot)
            lore_names_add(&names, dot + 1, strlen(dot + 1), i);
        lore_names_add_list(&names, t->aliases, i);
    }
}

const struct lore_names *
lore_technique_names(void)
{
    pthread_once(&once, fill);
    return &names;
}

const struct lore_technique *
lore_techniques(size_t *n)
{
    *n = lore_n_techniques;
    return lore_technique_table;
}

const struct lore_technique *
lore_technique_find(const char *name)
{
    int row;

    if (!name)
        return NULL;
    row = lore_names_find(lore_technique_names(), name, strlen(name));
    if (row < 0)
        row = lore_names_find(&names, name, strcspn(name, "{"));
    return row < 0 ? NULL : &lore_technique_table[row];
}

const char *
lore_technique_slug(struct lore_arena *arena, const char *name)
{
    const struct lore_technique *known = lore_technique_find(name);
    size_t bare = strcspn(name, "{");

    if (known)
        return known->slug;
    const char *own = bare > 0 ? lore_strndup(arena, name, bare) : name;
    const char *slug = lore_words_name(own);
    if (slug)
        return slug;
    own = lore_operator_slug(arena, own);
    slug = lore_words_name(own); /* the slug may be a known name */
    return slug ? slug : own;
}

bool
lore_technique_is_placeholder(const char *slug)
{
    static const char *const words[] = {"todo", "tbd", "placeholder", "none", "unknown", "na",
        "n_a", "xxx", "technique", "optimization", "optimisation", "strategy", "tag", "untitled",
        "misc", "other"};
    const char *digits;

    if (!slug || slug[0] == '\0')
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(slug, words[i]) == 0)
            return true;
    if (strncasecmp(slug, "fill_me", 7) == 0 || strncasecmp(slug, "unlabeled", 9) == 0 ||
        strncasecmp(slug, "unlabelled", 10) == 0)
        return true;
    digits = strncasecmp(slug, "strategy_", 9) == 0 ? slug + 9 : NULL;
    if (digits)
        digits += *digits == 'v' || *digits == 'V';
    return digits && *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}
