// uses: base
/* docs/algorithms.md: every function it names is in the header it names, every test in its file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/arena.h"
#include "service/base/file.h"
#include "service/base/text.h"

static const char *
file_of(struct lore_arena *arena, const char *folder, const char *name)
{
    struct lore_buf text = {0};
    struct lore_err err = {0};
    const char *path = lore_format(arena, SOURCE_DIR "/%s%s", folder, name), *kept;

    if (lore_file_read(path, &text, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    kept = lore_strndup(arena, text.data, text.len);
    lore_buf_free(&text);
    return kept;
}

/* The next `word` from *AT on within its line; NULL: none. */
static const char *
word(struct lore_arena *arena, const char **at)
{
    size_t line = strcspn(*at, "\n");
    const char *from = memchr(*at, '`', line), *to;

    if (!from)
        return NULL;
    to = memchr(from + 1, '`', line - (size_t)(from + 1 - *at));
    if (!to)
        return NULL;
    *at = to + 1;
    return lore_strndup(arena, from + 1, (size_t)(to - from - 1));
}

static void
every_function_and_every_test_of_the_page_exists(void **state)
{
    struct lore_arena arena = {0};
    const char *at = strstr(file_of(&arena, "docs/", "algorithms.md"), "<!-- algorithms -->");
    size_t rows = 0;

    (void)state;
    assert_non_null(at);
    for (at = strstr(at, "\n|---"); at != NULL && (at = strchr(at + 1, '\n'));) {
        const char *cell = at + 1, *function, *header, *file, *test;

        if (*cell != '|')
            break;
        function = word(&arena, &cell);
        header = word(&arena, &cell);
        file = word(&arena, &cell);
        test = word(&arena, &cell);
        if (!test)
            fail_msg("a row lacks function, header, test file and test: %.60s", at + 1);
        if (!strstr(file_of(&arena, "", header), lore_format(&arena, "%s(", function)))
            fail_msg("%s is not in %s", function, header);
        if (!strstr(file_of(&arena, "tests/unit/", file), lore_format(&arena, "\n%s(", test)))
            fail_msg("%s has no test %s", file, test);
        rows++;
    }
    assert_in_range(rows, 15, 100);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_and_every_test_of_the_page_exists),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
