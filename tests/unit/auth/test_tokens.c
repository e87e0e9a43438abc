// uses: auth
/* Tokens: shown once, stored as a hash, refused alike whatever is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/store.h"
#include "service/auth/tokens.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "tests/unit/auth_changes.h"
#include "tests/unit/scratch.h"

struct fixture {
    char dir[64];
    struct lore_auth_db *db; /* the command's side: it writes */
    struct lore_tokens *tokens;
    struct lore_arena arena;
    char text[LORE_TOKEN_SIZE], header[LORE_TOKEN_SIZE + 8];
};

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct lore_err err = {0};

    *state = f;
    lore_hash_init();
    if (scratch_make(f->dir) != 0 || lore_tokens_open(f->dir, &f->tokens, &err) != LORE_OK ||
        lore_auth_open(f->dir, true, &f->db, &err) != LORE_OK ||
        lore_token_make(f->db, "reader", "ann", 0, f->text, &err) != LORE_OK) {
        print_message("%s\n", err.msg);
        return -1;
    }
    snprintf(f->header, sizeof f->header, "Bearer %s", f->text);
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_tokens_close(f->tokens);
    lore_auth_close(f->db);
    lore_arena_free(&f->arena);
    scratch_drop(f->dir);
    free(f);
    return 0;
}

static void
expect_refused(struct fixture *f, const char *header, const char *code)
{
    struct lore_identity who = {0};
    struct lore_err err = {0};

    assert_int_equal(
        lore_tokens_check(f->tokens, header, &f->arena, &who, &err), LORE_UNAUTHENTICATED);
    assert_string_equal(err.code, code);
    assert_null(who.id);
}

static void
a_new_token_is_known_at_once_with_its_label_and_role(void **state)
{
    struct fixture *f = *state;
    struct lore_identity who = {0};
    struct lore_err err = {0};

    assert_int_equal(strlen(f->text), LORE_TOKEN_SIZE - 1);
    assert_int_equal(lore_tokens_check(f->tokens, f->header, &f->arena, &who, &err), LORE_OK);
    assert_string_equal(who.label, "ann");
    assert_string_equal(who.role, "reader");
    assert_memory_equal(who.id, f->text + 3, LORE_TOKEN_ID);
}

static void
the_secret_is_not_in_the_file(void **state)
{
    struct fixture *f = *state;
    char path[96];
    static char bytes[1 << 20];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s/auth.db", f->dir);
    file = fopen(path, "rb");
    assert_non_null(file);
    n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n > 0);
    assert_non_null(memmem(bytes, n, f->text + 3, LORE_TOKEN_ID));
    assert_null(memmem(bytes, n, f->text + 4 + LORE_TOKEN_ID, 20));
}

static void
every_flipped_character_makes_it_worthless(void **state)
{
    struct fixture *f = *state;
    char header[sizeof f->header];

    for (size_t i = 7; f->header[i] != '\0'; i++) {
        /* The last character carries two bits that must be zero: any other is malformed. */
        memcpy(header, f->header, sizeof header);
        header[i] = header[i] == 'A' ? 'B' : 'A';
        expect_refused(f, header, "bad_token");
    }
}

static void
a_missing_or_malformed_header_is_refused(void **state)
{
    struct fixture *f = *state;
    char longer[LORE_TOKEN_SIZE + 16];

    expect_refused(f, NULL, "no_token");
    expect_refused(f, "", "bad_token");
    expect_refused(f, "Bearer ", "bad_token");
    expect_refused(f, "Basic dTpw", "bad_token");
    expect_refused(f, f->text, "bad_token");
    snprintf(longer, sizeof longer, "%sA", f->header);
    expect_refused(f, longer, "bad_token");
    snprintf(longer, sizeof longer, "Bearer  %s", f->text);
    expect_refused(f, longer, "bad_token");
}

static void
all_refusals_of_a_token_say_the_same(void **state)
{
    struct fixture *f = *state;
    struct lore_identity who;
    struct lore_err unknown = {0}, wrong = {0};
    char header[sizeof f->header];

    memcpy(header, f->header, sizeof header);
    header[7 + 3] = header[7 + 3] == '0' ? '1' : '0';
    assert_int_equal(
        lore_tokens_check(f->tokens, header, &f->arena, &who, &unknown), LORE_UNAUTHENTICATED);
    memcpy(header, f->header, sizeof header);
    header[40] = header[40] == 'A' ? 'B' : 'A';
    assert_int_equal(
        lore_tokens_check(f->tokens, header, &f->arena, &who, &wrong), LORE_UNAUTHENTICATED);
    assert_string_equal(unknown.msg, wrong.msg);
    assert_string_equal(unknown.hint, wrong.hint);
    assert_string_equal(unknown.path, wrong.path);
}

static void
a_revoked_token_is_refused_within_a_second(void **state)
{
    struct fixture *f = *state;
    struct lore_identity who;
    struct lore_err err = {0};
    char id[LORE_TOKEN_ID + 1];
    int64_t revoked_at;

    assert_int_equal(lore_tokens_check(f->tokens, f->header, &f->arena, &who, &err), LORE_OK);
    snprintf(id, sizeof id, "%.*s", LORE_TOKEN_ID, f->text + 3);
    assert_int_equal(auth_revoke(f->db, LORE_AUTH_TOKEN_REVOKED, id, lore_now_us(), &err), LORE_OK);
    revoked_at = lore_ticks_us();
    while (lore_tokens_check(f->tokens, f->header, &f->arena, &who, &err) == LORE_OK)
        assert_true(lore_ticks_us() - revoked_at < 1000000);
    expect_refused(f, f->header, "bad_token");
}

static void
an_expired_token_is_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_err err = {0};
    char id[LORE_TOKEN_ID + 1];
    struct lore_token_row row = {.id = "00000000000000aa", .label = "old", .role = "reader"};

    assert_int_equal(lore_token_split(f->text, id, row.hash, &err), LORE_OK);
    row.created_us = 1;
    row.expires_us = lore_now_us() - 1;
    assert_int_equal(auth_add(f->db, &row, &err), LORE_OK);
    memcpy(f->header + 7 + 3, row.id, LORE_TOKEN_ID);
    expect_refused(f, f->header, "bad_token");
}

static void
labels_that_would_pass_for_another_actor_are_refused(void **state)
{
    static const char *const bad[] = {"warplored", "Load", "agent:gpu01", "load ",
        "lo\xe2\x80\x8b"
        "ad"};
    struct fixture *f = *state;
    char text[LORE_TOKEN_SIZE];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct lore_err err = {0};

        assert_int_equal(lore_token_make(f->db, "reader", bad[i], 0, text, &err), LORE_INVALID);
        assert_string_equal(err.path, "label");
    }
}

static void
a_label_too_long_to_keep_is_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_err err = {0};
    char label[102], text[LORE_TOKEN_SIZE];

    memset(label, 'x', 101);
    label[101] = '\0';
    assert_int_equal(lore_token_make(f->db, "reader", label, 0, text, &err), LORE_INVALID);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(a_new_token_is_known_at_once_with_its_label_and_role),
        T(the_secret_is_not_in_the_file),
        T(every_flipped_character_makes_it_worthless),
        T(a_missing_or_malformed_header_is_refused),
        T(all_refusals_of_a_token_say_the_same),
        T(a_revoked_token_is_refused_within_a_second),
        T(an_expired_token_is_refused),
        T(labels_that_would_pass_for_another_actor_are_refused),
        T(a_label_too_long_to_keep_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
