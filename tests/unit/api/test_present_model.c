// uses: api
// The numbers of the model as an answer shows them: those in use, also after they were changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/recommend_write.h"
#include "service/base/json.h"
#include "service/recommend/model.h"

/* What an answer says of number I, and how many there are. */
static double
shown(enum lore_model_index i, size_t *n)
{
    struct lore_arena arena = {0};
    struct lore_buf text = {0};
    struct lore_jsonw w;
    struct lore_json *root = NULL;
    const struct lore_json *node;
    double value = 0;
    enum lore_model_index at = 0;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_kbool(&w, "first", true);
    lore_present_model(&w, "model", NULL);
    lore_w_kbool(&w, "last", true);
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, NULL), LORE_OK);
    assert_int_equal(lore_json_parse(text.data, text.len, NULL, &arena, &root, NULL), LORE_OK);
    assert_non_null(lore_json_get(root, "last"));
    node = lore_json_get(lore_json_get(root, "model"), "numbers")->child;
    for (; node != NULL; node = node->next, at++) {
        const struct lore_json *v = lore_json_get(node, "value");
        assert_non_null(lore_json_get(node, "help"));
        if (at == i)
            value = v->is_int ? (double)v->i : v->f;
    }
    *n = at;
    lore_buf_free(&text);
    lore_arena_free(&arena);
    return value;
}

static void
numbers_that_are_used_from_now_on_are_shown_from_now_on(void **state)
{
    double numbers[LORE_M_COUNT];
    size_t n;

    (void)state;
    lore_model_priors(numbers);
    for (int i = 0; i < 2; i++)
        assert_true(shown(LORE_M_KAPPA, &n) == numbers[LORE_M_KAPPA]);
    assert_int_equal(n, LORE_M_COUNT);
    numbers[LORE_M_KAPPA] *= 1.5;
    lore_model_use(numbers);
    for (int i = 0; i < 2; i++)
        assert_true(shown(LORE_M_KAPPA, &n) == numbers[LORE_M_KAPPA]);
    lore_model_use(NULL);
    lore_model_priors(numbers);
    assert_true(shown(LORE_M_KAPPA, &n) == numbers[LORE_M_KAPPA]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_used_from_now_on_are_shown_from_now_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
