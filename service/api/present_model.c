/* The constants of the model in an answer: 5 KB of JSON that change only after training, so the
 * text is cached. */
#include <pthread.h>
#include <string.h>

#include "service/api/objects.h"
#include "service/api/recommend_write.h"
#include "service/recommend/model.h"
#include "service/recommend/recommend.h"

static struct {
    pthread_mutex_t lock;
    double numbers[LORE_M_COUNT]; /* the values in TEXT */
    struct lore_buf text;         /* an array; empty: not written yet */
} written = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct number {
    struct lore_model_number known;
    double now;
};
#define ROW struct number
static const struct lore_object_member number[] = {
    {"!name", AT(known.name)},
    {"!value", AT(now)},
    {"!prior", AT(known.value), NULL, "before anything was learned"},
    {"!help", AT(known.help)},
};
static const struct lore_object lore_model_number_object = LORE_OBJECT("ModelNumber", number);
#undef ROW

static enum lore_status
write_numbers(const double *numbers, struct lore_buf *out)
{
    size_t n;
    const struct lore_model_number *known = lore_recommend_model(&n);
    struct number rows[LORE_M_COUNT];
    struct lore_jsonw w;
    struct lore_err ignored;

    for (size_t i = 0; i < n; i++)
        rows[i] = (struct number){known[i], numbers[i]};
    lore_jsonw_begin(&w, out, false);
    lore_object_write_list(&w, &lore_model_number_object, rows, n);
    return lore_jsonw_end(&w, &ignored);
}

struct model {
    const char *name, *numbers;
};
#define ROW struct model
static const struct lore_object_member model[] = {
    {"!name", AT(name)},
    {"!numbers", RAW_LIST(numbers, lore_model_number_object)},
};
const struct lore_object lore_model_object = LORE_OBJECT("Model", model);
#undef ROW

void
lore_present_model(struct lore_jsonw *w, const char *key, const void *row)
{
    double now[LORE_M_COUNT];
    struct model m = {.name = "hierarchical-shrinkage@1"};

    (void)row;
    for (int i = 0; i < LORE_M_COUNT; i++)
        now[i] = lore_model((enum lore_model_index)i);
    pthread_mutex_lock(&written.lock);
    if (written.text.len == 0 || memcmp(now, written.numbers, sizeof now) != 0) {
        lore_buf_reset(&written.text);
        memcpy(written.numbers, now, sizeof now);
        if (write_numbers(now, &written.text) != LORE_OK)
            lore_buf_reset(&written.text);
    }
    m.numbers = written.text.data;
    lore_w_key(w, key);
    lore_object_write(w, &lore_model_object, &m);
    pthread_mutex_unlock(&written.lock);
}
