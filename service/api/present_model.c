/* The numbers of the model in an answer: 5 KB that are the same in each until a training changes a
 * number, so they are written once and copied. */
#include <pthread.h>
#include <string.h>

#include "service/api/present_explain.h"
#include "service/recommend/model.h"

static struct {
    pthread_mutex_t lock;
    double numbers[LORE_M_COUNT]; /* that TEXT says */
    struct lore_buf text;         /* an array; empty: not written yet */
} written = {.lock = PTHREAD_MUTEX_INITIALIZER};

static enum lore_status
write_numbers(const double *numbers, struct lore_buf *out)
{
    size_t n;
    const struct lore_model_number *known = lore_recommend_model(&n);
    struct lore_jsonw w;
    struct lore_err ignored;

    lore_jsonw_begin(&w, out, false);
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "name", known[i].name);
        lore_w_kf64(&w, "value", numbers[i]);
        lore_w_kf64(&w, "prior", known[i].value);
        lore_w_kstr(&w, "help", known[i].help);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    return lore_jsonw_end(&w, &ignored);
}

void
lore_present_model(struct lore_jsonw *w)
{
    double now[LORE_M_COUNT];

    for (int i = 0; i < LORE_M_COUNT; i++)
        now[i] = lore_model((enum lore_model_index)i);
    lore_w_key(w, "model");
    lore_w_obj(w);
    lore_w_kstr(w, "name", "hierarchical-shrinkage@1");
    lore_w_key(w, "numbers");
    pthread_mutex_lock(&written.lock);
    if (written.text.len == 0 || memcmp(now, written.numbers, sizeof now) != 0) {
        lore_buf_reset(&written.text);
        memcpy(written.numbers, now, sizeof now);
        if (write_numbers(now, &written.text) != LORE_OK)
            lore_buf_reset(&written.text);
    }
    lore_w_raw(w, written.text.data);
    pthread_mutex_unlock(&written.lock);
    lore_w_obj_end(w);
}
