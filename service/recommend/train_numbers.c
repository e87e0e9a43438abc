/* The numbers of the evidence model as text: {"travel.same_isa": 0.9, …}, by the names that answers
 * show. */
#include <string.h>

#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/recommend/train.h"

const char *
lore_train_numbers_text(const double *numbers, struct lore_arena *arena)
{
    struct lore_buf text = {0};
    struct lore_jsonw w;
    struct lore_err ignored;
    size_t n;
    const struct lore_model_number *known = lore_recommend_model(&n);

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < n; i++)
        lore_w_kf64(&w, known[i].name, numbers[i]);
    lore_w_obj_end(&w);
    const char *out =
        lore_jsonw_end(&w, &ignored) == LORE_OK ? lore_strndup(arena, text.data, text.len) : "{}";
    lore_buf_free(&text);
    return out;
}

enum lore_status
lore_train_numbers_parse(const char *json, double *out, struct lore_err *err)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    const struct lore_json_limits limits = {.depth = 2};
    size_t n;
    const struct lore_model_number *known = lore_recommend_model(&n);
    enum lore_status status = lore_json_parse(json, strlen(json), &limits, &arena, &root, err);

    lore_model_priors(out);
    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        const struct lore_json *v = lore_json_get(root, known[i].name);
        if (!v)
            continue;
        if (v->type != LORE_J_NUMBER || v->f != lore_model_clamp((enum lore_model_index)i, v->f))
            status = lore_fail_at(err, LORE_INVALID, "out_of_range", known[i].name,
                "%s: out of the range of this number", known[i].name);
        else
            out[i] = v->f;
    }
    lore_arena_free(&arena);
    return status;
}
