/* What readers have read of facts that never change, kept for all readers of a pool: an answer
 * cites dozens of experiments, the next one cites many of them again, and finding a title in a
 * large database takes eight pages. Behind a name, its kind and id, stand a few texts.
 *
 * A table of a fixed number of places, two per name; the one used longer ago gives way. Its memory
 * is bounded by that and by the bytes that one name may take. */
#include <pthread.h>
#include <string.h>

#include "internal.h"
#include "xalloc.h"

#define PAIRS (1u << 15)
#define BYTES_MAX 1024 /* of one name: a longer one is read again each time */

struct entry {
    size_t bytes; /* of text */
    char text[];  /* kind and id, then each text after a letter: t, or n where it is NULL */
};
struct lore_seen {
    pthread_mutex_t lock;
    struct entry *place[PAIRS][2]; /* the one used last comes first */
};

struct lore_seen *
lore_seen_new(void)
{
    struct lore_seen *s = lore_xalloc(sizeof *s);

    pthread_mutex_init(&s->lock, NULL);
    return s;
}

void
lore_seen_free(struct lore_seen *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < PAIRS; i++) {
        lore_xfree(s->place[i][0]);
        lore_xfree(s->place[i][1]);
    }
    pthread_mutex_destroy(&s->lock);
    lore_xfree(s);
}

static struct entry **
pair_of(struct lore_seen *s, char kind, const char *id)
{
    uint64_t h = 0xcbf29ce484222325 ^ (unsigned char)kind;

    for (; *id != '\0'; id++)
        h = (h ^ (unsigned char)*id) * 0x100000001b3;
    return s->place[(h ^ h >> 32) % PAIRS];
}

/* Under the lock: the entry, moved to the front of its pair. */
static const struct entry *
find(struct entry **pair, char kind, const char *id)
{
    for (int i = 0; i < 2; i++) {
        struct entry *e = pair[i];
        if (e == NULL || e->text[0] != kind || strcmp(e->text + 1, id) != 0)
            continue;
        pair[i] = pair[0];
        pair[0] = e;
        return e;
    }
    return NULL;
}

bool
lore_seen_get(struct lore_db *db, char kind, const char *id, struct lore_arena *a,
    const char **texts, size_t n)
{
    const struct entry *e;
    const char *at = NULL;

    if (db->seen == NULL)
        return false;
    pthread_mutex_lock(&db->seen->lock);
    e = find(pair_of(db->seen, kind, id), kind, id);
    if (e != NULL)
        at = lore_memdup(a, e->text, e->bytes);
    pthread_mutex_unlock(&db->seen->lock);
    if (at == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        at += strlen(at) + 1;
        texts[i] = *at == 't' ? at + 1 : NULL;
    }
    return true;
}

static char *
add(char *to, char letter, const char *text)
{
    size_t n = text != NULL ? strlen(text) : 0;

    *to++ = letter;
    memcpy(to, text != NULL ? text : "", n + 1);
    return to + n + 1;
}

void
lore_seen_put(struct lore_db *db, char kind, const char *id, const char *const *texts, size_t n)
{
    size_t bytes = strlen(id) + 2;
    struct entry *e, **pair;
    char *to;

    for (size_t i = 0; i < n; i++)
        bytes += 2 + (texts[i] != NULL ? strlen(texts[i]) : 0);
    if (db->seen == NULL || bytes > BYTES_MAX)
        return;
    e = lore_xalloc(sizeof *e + bytes);
    e->bytes = bytes;
    to = add(e->text, kind, id);
    for (size_t i = 0; i < n; i++)
        to = add(to, texts[i] != NULL ? 't' : 'n', texts[i]);
    pthread_mutex_lock(&db->seen->lock);
    pair = pair_of(db->seen, kind, id);
    if (find(pair, kind, id) == NULL) {
        struct entry *last = pair[1];
        pair[1] = pair[0];
        pair[0] = e;
        e = last;
    }
    pthread_mutex_unlock(&db->seen->lock);
    lore_xfree(e);
}
