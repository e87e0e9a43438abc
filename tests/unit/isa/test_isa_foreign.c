// uses: isa
/* Patterns from imported definitions on a listing: what they find, and what is not run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/isa/imported.h"
#include "service/base/file.h"

static struct lore_arena arena;
static struct lore_isa_listing hopper;

static int
read_listing(void **state)
{
    struct lore_buf text = {0};
    struct lore_err err = {0};
    enum lore_status status;

    (void)state;
    status = lore_file_read(SOURCE_DIR "/tests/fixtures/isa/sm_90a.cuobjdump.txt", &text, &err);
    if (status == LORE_OK)
        status = lore_isa_read(text.data, text.len, &arena, &hopper, &err);
    lore_buf_free(&text);
    return status == LORE_OK ? 0 : -1;
}

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define LIST(...) ((const char *const[]){__VA_ARGS__})
#define SAID(all, min, ...)                                                                        \
    (&(struct lore_isa_imported){"compute.tensor_core", LORE_ISA_SASS, (all), (min),               \
        LIST(__VA_ARGS__), sizeof LIST(__VA_ARGS__) / sizeof(char *)})

static struct lore_isa_check
ask(const struct lore_isa_imported *s)
{
    struct lore_isa_request q = {
        .listing = &hopper, .technique = s->technique, .symbol = "wgmma_pingpong"};
    struct lore_isa_check c;

    lore_isa_check_imported(&q, s, &arena, &c);
    assert_non_null(c.why);
    return c;
}

static void
any_needs_one_pattern_and_all_needs_each(void **state)
{
    (void)state;
    assert_int_equal(ask(SAID(false, 0, "hgmma", "UMMA")).verdict, LORE_ISA_VERIFIED);
    assert_int_equal(ask(SAID(true, 0, "HGMMA", "UMMA")).verdict, LORE_ISA_MISSING);
    assert_int_equal(ask(SAID(true, 0, "HGMMA", "USETMAXREG")).verdict, LORE_ISA_VERIFIED);
    assert_int_equal(ask(SAID(false, 100000, "HGMMA")).verdict, LORE_ISA_MISSING);
    assert_int_equal(ask(SAID(true, 0, "HGMMA", "UMMA")).n_missing, 1);
}

static void
names_and_operands_prove_nothing(void **state)
{
    (void)state;
    assert_int_equal(ask(SAID(false, 0, "wgmma")).verdict, LORE_ISA_MISSING);
    assert_int_equal(ask(SAID(false, 0, "SR_TID")).verdict, LORE_ISA_MISSING);
}

static void
a_definition_without_patterns_is_never_verified(void **state)
{
    struct lore_isa_imported none = {"compute.tensor_core", LORE_ISA_SASS, true, 0, NULL, 0};
    struct lore_isa_imported other = {
        "compute.tensor_core", LORE_ISA_AMDGCN, false, 0, LIST("v_mfma"), 1};

    (void)state;
    assert_int_equal(ask(&none).verdict, LORE_ISA_NOT_APPLICABLE);
    assert_int_equal(ask(&other).verdict, LORE_ISA_NOT_APPLICABLE);
}

static void
without_a_listing_nothing_is_found(void **state)
{
    struct lore_isa_request q = {.why_none = "no cuobjdump here"};
    struct lore_isa_check c;

    (void)state;
    lore_isa_check_imported(&q, SAID(false, 0, "HGMMA"), &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_UNAVAILABLE);
    assert_string_equal(c.why, "no cuobjdump here");
    q = (struct lore_isa_request){.listing = &hopper, .symbol = "no_such_kernel"};
    lore_isa_check_imported(&q, SAID(false, 0, "HGMMA"), &arena, &c);
    assert_int_equal(c.verdict, LORE_ISA_UNAVAILABLE);
}

static void
what_could_take_for_ever_is_not_run(void **state)
{
    char longest[LORE_ISA_IMPORTED_BYTES + 2];
    const char *many[LORE_ISA_IMPORTED_PATTERNS + 1];
    struct lore_isa_imported s = {"compute.tensor_core", LORE_ISA_SASS, false, 0, many, 65};

    (void)state;
    assert_null(lore_isa_pattern_refused("LDG\\.E\\.(128|64)$"));
    assert_null(lore_isa_pattern_refused("a\\{2"));
    assert_non_null(lore_isa_pattern_refused("(a*)\\1"));
    assert_non_null(lore_isa_pattern_refused("(a{1,255}){1,255}"));
    assert_non_null(lore_isa_pattern_refused("(?:HGMMA)"));
    assert_non_null(lore_isa_pattern_refused("LDG\\d"));
    assert_non_null(lore_isa_pattern_refused("LDG("));
    assert_non_null(lore_isa_pattern_refused("LDG\\"));
    assert_non_null(lore_isa_pattern_refused(""));
    memset(longest, 'A', sizeof longest);
    longest[LORE_ISA_IMPORTED_BYTES + 1] = '\0';
    assert_non_null(lore_isa_pattern_refused(longest));
    longest[LORE_ISA_IMPORTED_BYTES] = '\0';
    assert_null(lore_isa_pattern_refused(longest));
    /* one that is refused spoils the signature, however well the others fit */
    assert_int_equal(ask(SAID(false, 0, "HGMMA", "(H)\\1")).verdict, LORE_ISA_INCONCLUSIVE);
    for (size_t i = 0; i < 65; i++)
        many[i] = "HGMMA";
    assert_int_equal(ask(&s).verdict, LORE_ISA_INCONCLUSIVE);
    s.n = 64;
    assert_int_equal(ask(&s).verdict, LORE_ISA_VERIFIED);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_needs_one_pattern_and_all_needs_each),
        cmocka_unit_test(names_and_operands_prove_nothing),
        cmocka_unit_test(a_definition_without_patterns_is_never_verified),
        cmocka_unit_test(without_a_listing_nothing_is_found),
        cmocka_unit_test(what_could_take_for_ever_is_not_run),
    };

    return cmocka_run_group_tests(tests, read_listing, free_arena);
}
