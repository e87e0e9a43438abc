// uses: derive
/* technique-verdict@3, one row a rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/technique_verdict.h"

#define WIN LORE_X_WIN
#define PASS LORE_C_PASS
#define UNKNOWN LORE_CONTRIB_UNKNOWN
#define YES LORE_CONTRIB_YES
#define NO LORE_CONTRIB_NO

static const struct {
    struct lore_technique_facts facts;
    enum lore_technique_verdict want;
} rows[] = {
    /* proved */
    {{WIN, PASS, 1, UNKNOWN, LORE_SIG_VERIFIED, false, false}, LORE_TV_EFFECTIVE},
    {{WIN, PASS, 3, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_EFFECTIVE},
    {{WIN, PASS, 1, UNKNOWN, LORE_SIG_NOT_APPLICABLE, false, false}, LORE_TV_EFFECTIVE},
    /* a missing signature, whatever the speed */
    {{WIN, PASS, 1, YES, LORE_SIG_MISSING, false, false}, LORE_TV_IMPLEMENTATION_FAILED},
    {{LORE_X_NOT_MEASURED, LORE_C_NONE, 1, UNKNOWN, LORE_SIG_MISSING, false, false},
        LORE_TV_IMPLEMENTATION_FAILED},
    /* fails closed */
    {{WIN, PASS, 1, YES, LORE_SIG_UNAVAILABLE, false, false}, LORE_TV_UNATTRIBUTED},
    {{WIN, PASS, 1, YES, LORE_SIG_INCONCLUSIVE, false, false}, LORE_TV_UNATTRIBUTED},
    {{WIN, PASS, 1, YES, LORE_SIG_NOT_CHECKED, false, false}, LORE_TV_UNATTRIBUTED},
    /* nothing to look for: the ablation, or being alone, is all the proof there can be */
    {{WIN, PASS, 2, YES, LORE_SIG_NOT_CHECKED, true, false}, LORE_TV_EFFECTIVE},
    {{WIN, PASS, 1, UNKNOWN, LORE_SIG_NOT_CHECKED, true, false}, LORE_TV_EFFECTIVE},
    {{WIN, PASS, 2, YES, LORE_SIG_NOT_APPLICABLE, false, false}, LORE_TV_EFFECTIVE},
    {{WIN, PASS, 2, UNKNOWN, LORE_SIG_NOT_CHECKED, true, false}, LORE_TV_UNATTRIBUTED},
    {{WIN, PASS, 2, NO, LORE_SIG_NOT_CHECKED, true, false}, LORE_TV_INEFFECTIVE},
    {{WIN, PASS, 2, YES, LORE_SIG_UNAVAILABLE, true, false}, LORE_TV_UNATTRIBUTED},
    {{WIN, LORE_C_NONE, 1, YES, LORE_SIG_NOT_CHECKED, true, false}, LORE_TV_NOT_MEASURED},
    {{WIN, LORE_C_NOT_CHECKED, 1, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_NOT_MEASURED},
    {{WIN, LORE_C_NONE, 1, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_NOT_MEASURED},
    {{WIN, PASS, 2, UNKNOWN, LORE_SIG_VERIFIED, false, false}, LORE_TV_UNATTRIBUTED},
    /* incorrect */
    {{WIN, LORE_C_FAIL, 1, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_IMPLEMENTATION_FAILED},
    {{WIN, LORE_C_TIMEOUT, 1, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_IMPLEMENTATION_FAILED},
    {{WIN, LORE_C_FAIL, 2, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_UNATTRIBUTED},
    /* nothing to tell by */
    {{LORE_X_NOT_MEASURED, PASS, 1, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_NOT_MEASURED},
    {{LORE_X_INCONCLUSIVE, PASS, 1, UNKNOWN, LORE_SIG_VERIFIED, false, false},
        LORE_TV_NOT_MEASURED},
    /* no gain */
    {{LORE_X_NEUTRAL, PASS, 1, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_INEFFECTIVE},
    {{LORE_X_NEUTRAL, PASS, 2, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_UNATTRIBUTED},
    {{WIN, PASS, 2, NO, LORE_SIG_VERIFIED, false, false}, LORE_TV_INEFFECTIVE},
    {{WIN, PASS, 1, NO, LORE_SIG_UNAVAILABLE, false, false}, LORE_TV_INEFFECTIVE},
    {{LORE_X_LOSS, PASS, 1, UNKNOWN, LORE_SIG_VERIFIED, false, false}, LORE_TV_INEFFECTIVE},
    {{LORE_X_LOSS, LORE_C_NONE, 1, UNKNOWN, LORE_SIG_NOT_CHECKED, false, false},
        LORE_TV_INEFFECTIVE},
    {{LORE_X_LOSS, PASS, 2, YES, LORE_SIG_VERIFIED, false, false}, LORE_TV_UNATTRIBUTED},
    {{LORE_X_LOSS, PASS, 2, NO, LORE_SIG_VERIFIED, false, false}, LORE_TV_INEFFECTIVE},
    {{LORE_X_LOSS, PASS, 0, UNKNOWN, LORE_SIG_VERIFIED, false, false}, LORE_TV_INEFFECTIVE},
};

static void
each_rule_gives_its_verdict_and_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *reason = NULL;
        enum lore_technique_verdict got = lore_technique_judge(&rows[i].facts, &reason);
        if (got != rows[i].want)
            fail_msg("row %zu is %s, not %s", i, lore_technique_verdict_name(got),
                lore_technique_verdict_name(rows[i].want));
        assert_non_null(reason);
        assert_true(reason[0] != '\0');
    }
}

static void
effective_always_has_proof(void **state)
{
    (void)state;
    for (int effect = 0; effect <= LORE_X_COUNT; effect++)
        for (int check = 0; check <= LORE_C_COUNT; check++)
            for (size_t n = 0; n < 4; n++)
                for (int contributed = 0; contributed <= 2; contributed++)
                    for (int isa = 0; isa <= 2 * LORE_SIG_COUNT + 1; isa++) {
                        struct lore_technique_facts f = {(enum lore_effect)effect,
                            (enum lore_check)check, n, (enum lore_contributed)contributed,
                            (enum lore_signature_state)(isa / 2), isa % 2 == 1, false};
                        struct lore_technique_facts claim = f;

                        claim.claimed = true;
                        assert_int_not_equal(lore_technique_judge(&claim, NULL), LORE_TV_EFFECTIVE);
                        if (lore_technique_judge(&f, NULL) != LORE_TV_EFFECTIVE)
                            continue;
                        assert_int_equal(effect, LORE_X_WIN);
                        assert_int_equal(check, LORE_C_PASS);
                        assert_true(f.isa == LORE_SIG_VERIFIED ||
                                    f.isa == LORE_SIG_NOT_APPLICABLE ||
                                    (f.isa == LORE_SIG_NOT_CHECKED && f.no_signature));
                        assert_true(n <= 1 || contributed == LORE_CONTRIB_YES);
                    }
}

static void
the_reason_says_whether_there_was_anything_to_look_for(void **state)
{
    struct lore_technique_facts f = {WIN, PASS, 2, YES, LORE_SIG_NOT_CHECKED, true, false};
    const char *reason = NULL;

    (void)state;
    lore_technique_judge(&f, &reason);
    assert_non_null(strstr(reason, "no signature"));
    f.no_signature = false;
    lore_technique_judge(&f, &reason);
    assert_non_null(strstr(reason, "not searched"));
    f.isa = LORE_SIG_VERIFIED;
    lore_technique_judge(&f, &reason);
    assert_null(strstr(reason, "signature"));
}

static void
names_of_isa_states_round_trip(void **state)
{
    (void)state;
    for (int s = 0; s < LORE_SIG_COUNT; s++)
        assert_int_equal(
            lore_signature_state_find(lore_signature_state_name((enum lore_signature_state)s)), s);
    assert_int_equal(lore_signature_state_find(NULL), LORE_SIG_NOT_CHECKED);
    assert_int_equal(lore_signature_state_find("passed"), LORE_SIG_COUNT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_gives_its_verdict_and_a_reason),
        cmocka_unit_test(effective_always_has_proof),
        cmocka_unit_test(the_reason_says_whether_there_was_anything_to_look_for),
        cmocka_unit_test(names_of_isa_states_round_trip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
