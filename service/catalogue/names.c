/* The name index: open addressing over FNV-1a of the letters and digits of a name. See names.h.
 * Adding the same name for the same row twice is fine (a title often repeats an alias); for another
 * row it sets `clash` and the first row keeps the name. */
#include <string.h>

#include "service/base/fnv.h"
#include "service/catalogue/names.h"

/* The byte that counts for comparison, or 0 for a separator. Letters come first: most bytes are. */
static unsigned char
fold(unsigned char c)
{
    unsigned lower = c | 0x20u;

    if (lower - 'a' < 26)
        return (unsigned char)lower;
    if ((c >= '0' && c <= '9') || c == '+' || c >= 0x80)
        return c;
    return 0;
}

static bool
folded_equal(const char *a, size_t na, const char *b, size_t nb)
{
    size_t i = 0, j = 0;

    if (na == nb && memcmp(a, b, na) == 0) /* the common case: spelled as the catalogue spells it */
        return true;
    for (;;) {
        while (i < na && fold((unsigned char)a[i]) == 0)
            i++;
        while (j < nb && fold((unsigned char)b[j]) == 0)
            j++;
        if (i == na || j == nb)
            return i == na && j == nb;
        if (fold((unsigned char)a[i++]) != fold((unsigned char)b[j++]))
            return false;
    }
}

static uint64_t
folded_hash(const char *s, size_t n)
{
    uint64_t h = LORE_FNV;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = fold((unsigned char)s[i]);

        if (c != 0)
            h = lore_fnv_byte(h, c);
    }
    return h;
}

bool
lore_names_equal(const char *a, const char *b)
{
    return folded_equal(a, strlen(a), b, strlen(b));
}

void
lore_names_add(struct lore_names *t, const char *name, size_t len, size_t row)
{
    uint64_t hash = folded_hash(name, len);
    size_t i = hash & (t->n_slots - 1);

    if (2 * (t->used + 1) > t->n_slots) {
        t->full = true;
        return;
    }
    for (; t->slots[i].name != NULL; i = (i + 1) & (t->n_slots - 1)) {
        if (t->slots[i].hash != hash || !folded_equal(t->slots[i].name, t->slots[i].len, name, len))
            continue;
        if (t->slots[i].row != row)
            t->clash = true;
        return;
    }
    t->slots[i] = (struct lore_name_slot){hash, name, (uint32_t)len, (uint32_t)row};
    t->used++;
}

void
lore_names_add_list(struct lore_names *t, const char *list, size_t row)
{
    while (list && *list != '\0') {
        size_t len = strcspn(list, ",");

        lore_names_add(t, list, len, row);
        list += len + (list[len] == ',');
    }
}

int
lore_names_find(const struct lore_names *t, const char *name, size_t len)
{
    uint64_t hash = folded_hash(name, len);

    for (size_t i = hash & (t->n_slots - 1); t->slots[i].name != NULL;
         i = (i + 1) & (t->n_slots - 1))
        if (t->slots[i].hash == hash && folded_equal(t->slots[i].name, t->slots[i].len, name, len))
            return (int)t->slots[i].row;
    return -1;
}
