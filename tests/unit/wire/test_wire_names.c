// uses: wire
/* Dims in their many spellings, flat lists of pairs, and the identity of workloads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/hash.h"
#include "service/wire/wire.h"

static struct lore_arena arena;
static struct lore_err err;

static int
start(void **state)
{
    (void)state;
    lore_hash_init();
    return 0;
}

static int
stop(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* "M=1 N=2" of what TEXT parses to. */
static const char *
dims(const char *text)
{
    struct lore_workload w = {0};

    if (lore_dims_parse(text, &arena, &w.dims, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return lore_workload_label(&arena, &w);
}

static void
dims_are_read_in_every_spelling(void **state)
{
    static const char *const same[] = {"M=1024,N=2", "M=1024, N=2", "M=1024 N=2",
        "{'M': 1024, 'N': 2}", "{\"M\":1024,\"N\":2}", "--M=1024 --N=2", "--M 1024 --N 2",
        "M:1024;N:2", " M = 1024 , N = 2 "};

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_string_equal(dims(same[i]), "M=1024 N=2");
    assert_string_equal(dims(""), "");
    assert_string_equal(dims("{}"), "");
    assert_string_equal(dims("shape=(1, 2),dtype=f32"), "shape=(1, 2) dtype=f32");
    assert_string_equal(dims("mode='a b'"), "mode=a b");
}

static void
a_whole_number_stays_a_number_and_the_rest_is_text(void **state)
{
    struct lore_kvs kvs;

    (void)state;
    assert_int_equal(
        lore_dims_parse("a=1,b=-2,c=1.5,d=007,e='3',f=x", &arena, &kvs, &err), LORE_OK);
    assert_string_equal(lore_kvs_get(&kvs, "a"), "1");
    assert_string_equal(lore_kvs_get(&kvs, "b"), "-2");
    assert_string_equal(lore_kvs_get(&kvs, "c"), "\"1.5\"");
    assert_string_equal(lore_kvs_get(&kvs, "d"), "\"007\"");
    assert_string_equal(lore_kvs_get(&kvs, "e"), "\"3\"");
    assert_string_equal(lore_kvs_get(&kvs, "f"), "\"x\"");
    assert_null(lore_kvs_get(&kvs, "g"));
}

static void
dims_without_names_are_refused(void **state)
{
    static const struct {
        const char *text, *code;
    } cases[] = {{"4096x4096", "invalid_dims"}, {"1024,1024", "invalid_dims"},
        {"M", "invalid_dims"}, {"M=", "invalid_dims"}, {"=1", "invalid_dims"},
        {"M='a", "invalid_dims"}, {"'M=1", "invalid_dims"}, {"M=1,M=2", "duplicate_key"},
        {"M=\xff", "invalid_utf8"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_kvs kvs = {.n = 99};

        assert_int_equal(lore_dims_parse(cases[i].text, &arena, &kvs, &err), LORE_INVALID);
        assert_int_equal(kvs.n, 99);
        assert_string_equal(err.code, cases[i].code);
        assert_string_equal(err.path, "dims");
    }
}

static const char *
identity(const char *op, const char *shape, const char *dtype, const char *layout)
{
    struct lore_workload w = {.dtype = dtype, .layout = layout};

    assert_int_equal(lore_dims_parse(shape, &arena, &w.dims, &err), LORE_OK);
    return lore_workload_text(&arena, op, &w);
}

static void
a_workload_has_one_identity_however_it_is_spelled(void **state)
{
    char a[33], b[33];

    (void)state;
    assert_string_equal(identity("gemm", "M=4096,N=4096,K=4096", "f32", "row"),
        "gemm|K=4096,M=4096,N=4096|f32|row");
    assert_string_equal(identity("MatMul", "{'K':4096,'N':4096,'M':'4096'}", "float32", "Row"),
        "gemm|K=4096,M=4096,N=4096|f32|row");
    assert_string_equal(identity("my op", "", NULL, NULL), "my_op|||");
    assert_string_equal(identity(NULL, "s='a,b|c'", NULL, NULL), "|s=a%2cb%7cc||");
    lore_workload_id("gemm|K=1||", a);
    lore_workload_id("gemm|K=2||", b);
    assert_int_equal(strlen(a), 32);
    assert_string_not_equal(a, b);
}

static void
a_hash_of_pairs_ignores_order_and_number_spelling(void **state)
{
    struct lore_kvs a = {0}, b = {0}, c = {0}, d = {0};
    char ha[33], hb[33], hc[33], hd[33];

    (void)state;
    lore_kvs_set(&arena, &a, "x", "1000.0");
    lore_kvs_set(&arena, &a, "y", "\"SPX\"");
    lore_kvs_set(&arena, &b, "y", "\"SPX\"");
    lore_kvs_set(&arena, &b, "x", "1e3");
    lore_kvs_set(&arena, &c, "x", "1000.5");
    lore_kvs_set(&arena, &c, "y", "\"SPX\"");
    lore_kvs_hash(&a, ha);
    lore_kvs_hash(&b, hb);
    lore_kvs_hash(&c, hc);
    lore_kvs_hash(&d, hd);
    assert_string_equal(ha, hb);
    assert_string_not_equal(ha, hc);
    assert_int_equal(strlen(hd), 32);
}

static void
a_whole_number_is_one_value_however_it_is_written(void **state)
{
    static const char *const same[][2] = {{"1000000000000000", "1e15"},
        {"9007199254740992", "9007199254740992.0"}, {"0", "-0"}, {"0", "-0.0"}, {"-2", "-2e0"}};

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct lore_kvs a = {0}, b = {0};
        char ha[33], hb[33];

        lore_kvs_set(&arena, &a, "N", same[i][0]);
        lore_kvs_set(&arena, &b, "N", same[i][1]);
        lore_kvs_hash(&a, ha);
        lore_kvs_hash(&b, hb);
        assert_string_equal(ha, hb);
    }
}

static void
setting_a_pair_twice_keeps_the_last_value(void **state)
{
    struct lore_kvs kvs = {0};

    (void)state;
    lore_kvs_set(&arena, &kvs, "x", "1");
    lore_kvs_set(&arena, &kvs, "x", "2");
    assert_int_equal(kvs.n, 1);
    assert_string_equal(lore_kvs_get(&kvs, "x"), "2");
}

static void
quoted_text_reads_back(void **state)
{
    static const char *const texts[] = {
        "", "plain", "a \"b\" \\ c", "tab\tnewline\n", "ü €", "\x01"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(lore_kvs_plain(&arena, lore_kvs_quote(&arena, texts[i])), texts[i]);
    assert_string_equal(lore_kvs_plain(&arena, "12.5"), "12.5");
    assert_string_equal(lore_kvs_plain(&arena, "\"\\u00fc \\ud83d\\ude00 \\/\\n\""), "ü 😀 /\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dims_are_read_in_every_spelling),
        cmocka_unit_test(a_whole_number_stays_a_number_and_the_rest_is_text),
        cmocka_unit_test(dims_without_names_are_refused),
        cmocka_unit_test(a_workload_has_one_identity_however_it_is_spelled),
        cmocka_unit_test(a_hash_of_pairs_ignores_order_and_number_spelling),
        cmocka_unit_test(a_whole_number_is_one_value_however_it_is_written),
        cmocka_unit_test(setting_a_pair_twice_keeps_the_last_value),
        cmocka_unit_test(quoted_text_reads_back),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
