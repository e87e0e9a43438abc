// uses: run
/* What a record keeps of the program's words: enough to repeat a run, nothing that opens a door or
 * says where somebody keeps things. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/run/command_filter.h"

static struct lore_arena arena;

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define KEPT(expected, ...) expect(expected, (char *[]){__VA_ARGS__, NULL})

static void
expect(const char *expected, char *const *argv)
{
    struct lore_buf out = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_command_write(&w, argv, &arena);
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, NULL), LORE_OK);
    lore_buf_putc(&out, '\0');
    assert_string_equal(out.data, expected);
    lore_buf_free(&out);
}

static void
plain_words_are_kept_as_they_are(void **state)
{
    (void)state;
    KEPT("{\"command\":[\"bench\",\"v3\",\"--n\",\"4096\",\"--max-tokens=128\",\"src/"
         "k.cu\",\"-O3\"]}",
        "./bench", "v3", "--n", "4096", "--max-tokens=128", "src/k.cu", "-O3");
    expect("{}", (char *[]){NULL});
    expect("{}", NULL);
}

static void
folders_of_this_machine_are_left_out(void **state)
{
    (void)state;
    KEPT("{\"command\":[\"bench\",\"k.cu\",\"--in=x.bin\",\"-Iinclude\",\"y\",\"up.txt\"]}",
        "/home/ann/secret-project/bench", "/home/ann/k.cu", "--in=/data/ann/x.bin",
        "-I/home/ann/include", "~/y", "../../ann/up.txt");
    KEPT("{\"command\":[\"bench\",\"…\"],\"command_hidden\":1}", "bench", "/home/ann:/home/bob");
}

static void
secrets_are_left_out_by_name_and_by_form(void **state)
{
    (void)state;
    KEPT("{\"command\":[\"b\",\"--hf-token\",\"…\",\"--api_key=…\",\"PASSWORD=…\",\"-q\"],"
         "\"command_hidden\":3}",
        "b", "--hf-token", "abc", "--api_key=x", "PASSWORD=hunter2", "-q");
    KEPT("{\"command\":[\"b\",\"…\",\"…\"],\"command_hidden\":2}", "b",
        "ghp_0123456789abcdefghij0123456789abcdefghij", "https://ann:pw@example.org/x");
    KEPT("{\"command\":[\"b\",\"--token\",\"--n\",\"3\"]}", "b", "--token", "--n", "3");
}

static void
what_is_no_word_is_left_out(void **state)
{
    char longer[300];

    (void)state;
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    KEPT("{\"command\":[\"sh\",\"-c\",\"…\",\"…\",\"…\",\"\"],\"command_hidden\":3}", "sh", "-c",
        "cd /home/ann && ./x", longer, "\xff\xfe", "");
}

static void
a_list_of_a_thousand_words_is_cut(void **state)
{
    char *argv[1001];
    struct lore_buf out = {0};
    struct lore_jsonw w;

    (void)state;
    for (int i = 0; i < 1000; i++)
        argv[i] = "x";
    argv[1000] = NULL;
    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_command_write(&w, argv, &arena);
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, NULL), LORE_OK);
    lore_buf_putc(&out, '\0');
    assert_non_null(strstr(out.data, "\"command_hidden\":936"));
    assert_true(out.len < 400);
    lore_buf_free(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_words_are_kept_as_they_are),
        cmocka_unit_test(folders_of_this_machine_are_left_out),
        cmocka_unit_test(secrets_are_left_out_by_name_and_by_form),
        cmocka_unit_test(what_is_no_word_is_left_out),
        cmocka_unit_test(a_list_of_a_thousand_words_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, teardown);
}
