// uses: eval
/* What is stripped from an idea that states its outcome. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/eval/outcome_words.h"

static void
test_the_outcome_is_stripped_and_the_change_stays(void **state)
{
    static const struct {
        const char *said, *asked;
    } cases[] = {
        {"unroll 4x - slower, 317.4 TFLOPS", "unroll 4x - , "},
        {"BK=64: no improvement (+1.5%)", "BK=64:  ()"},
        {"num_stages 3 with 8 warps", "num_stages 3 with 8 warps"},
        {"bestow slowest-path", "bestow -path"},
        {"Failed: 1.2x faster than v3", ":   than v3"},
        {"tile 128x64", "tile 128x64"},
        {"", ""},
    };

    struct lore_arena arena = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(outcome_strip(&arena, cases[i].said), cases[i].asked);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_outcome_is_stripped_and_the_change_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
