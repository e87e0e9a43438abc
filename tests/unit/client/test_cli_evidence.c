// uses: client
/* Putting evidence in and deciding about it: submit, isa, note, promote, duplicates, merge, review,
 * and what show and record add from them. */
#include <stdio.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/wire/wire.h"
#include "tests/unit/cli_fake.h"

#define E1 "01J000000000000000000000E1"
#define E2 "01J000000000000000000000E2"
#define V1 "01J000000000000000000000V1"
#define SASS SOURCE_DIR "/tests/fixtures/walkthrough/"

#define EXPERIMENT(id, effect, speedup, extra)                                                     \
    "{\"id\":\"" id "\",\"title\":\"t\",\"operator\":\"softmax\",\"family\":\"norm\",\"chip\":"    \
    "\"h200\",\"evidence\":\"measured\",\"techniques\":[{\"name\":\"memory.a\"}]," extra           \
    "\"outcome\":{\"effect\":\"" effect "\",\"speedup\":" speedup ",\"process\":\"clean\"}}"

static const struct fake_row rows[] = {
    {"/api/v1/submissions", 201,
        "{\"id\":\"01J00000000000000000000000\",\"status\":\"stored\",\"stored\":{\"runs\":2,"
        "\"hypotheses\":1},\"duplicates\":{\"kernels\":1},\"records\":[],\"similar\":[{\"id\":"
        "\"01J000000000000000000000N1\",\"kind\":\"conflict\",\"of\":"
        "\"01J000000000000000000000N2\"}]}"},
    {"/api/v1/attempts", 201, "{\"status\":\"stored\",\"version\":{\"id\":\"x\"}}"},
    {"/api/v1/experiments/" E1, 200,
        EXPERIMENT(E1, "win", "1.5",
            "\"lesson\":\"It pays.\",\"judgements\":[{\"metric\":\"duration_ns\",\"verdict\":"
            "\"contradicted\",\"why\":\"it went up\"}],\"claim_verdict\":\"regressed\","
            "\"technique_verdicts\":[{\"technique\":\"memory.a\",\"verdict\":"
            "\"implementation_failed\",\"isa\":\"missing\",\"why\":\"not in the code\"}],"
            "\"attributions\":[{\"technique\":\"memory.a\",\"contributed\":\"no\","
            "\"attribution_ns\":-400}],")},
    {"/api/v1/experiments/" E2, 200, EXPERIMENT(E2, "loss", "0.8", "")},
    {"/api/v1/experiments/01J000000000000000000000E9", 404, "{\"detail\":\"no\"}"},
    {"/api/v1/insights?operator=softmax&technique=memory.a", 200,
        "{\"rows\":[{\"id\":\"01J000000000000000000000N1\",\"title\":\"known\"}]}"},
    {"/api/v1/insights/01J000000000000000000000N1/review", 201, "{\"id\":\"x\"}"},
    {"/api/v1/records/" E1 "/retract", 201, "{\"id\":\"x\"}"},
    {"/api/v1/records/" E1 "/comment", 403, "{\"detail\":\"needs curator\"}"},
    {"/api/v1/curations?subject=" E1, 200,
        "{\"rows\":[{\"action\":\"comment\",\"actor\":\"bob\",\"reason\":\"look at "
        "it\",\"decided_at\":\"2026-01-02T00:00:00Z\"},{\"action\":\"retract\",\"actor\":\"bob\","
        "\"reason\":\"typo\",\"retracted\":true}]}"},
    {"/api/v1/check-idea?text=h&technique=float4%20loads&operator=softmax", 200,
        "{\"answer\":\"stop\",\"why\":\"failed here before: it was slower (0.8x)\",\"rows\":["
        "{\"experiment\":\"" E2 "\"}]}"},
    {"/api/v1/techniques/memory.vectorized_access", 200,
        "{\"definitions\":[{\"slug\":\"wide\",\"provenance\":{\"system\":\"wiki\"},\"signatures\":["
        "{"
        "\"target\":\"sass\",\"patterns\":[\"LDG\\\\.E\\\\.128\",\"STG\\\\.E\\\\.128\"],"
        "\"require\":"
        "\"any\"},{\"target\":\"sass\",\"patterns\":[\"(L)DG.*\\\\1\"]}]},{\"slug\":\"none\","
        "\"signatures\":[{\"target\":\"sass\",\"patterns\":[]}]},{\"slug\":\"words only\"}]}"},
    {"/api/v1/techniques/sync.warp_level_reduction", 404, "{\"detail\":\"nobody named it\"}"},
    {"/api/v1/merges/proposals", 200,
        "{\"rows\":[{\"canonical\":\"" E1 "\",\"conflict\":true,\"members\":[" EXPERIMENT(
            E1, "win", "1.5", "") "," EXPERIMENT(E2, "loss", "0.8", "") "]}]}"},
    {"/api/v1/merges", 201,
        "{\"id\":\"01J000000000000000000000M1\",\"canonical\":\"" E2 "\",\"conflict\":false,"
        "\"members\":[" EXPERIMENT(E2, "loss", "0.8", "") "]}"},
    {"/api/v1/merges/01J000000000000000000000M1/undo", 201, "{\"id\":\"x\"}"},
    {NULL, 0, NULL},
};

struct fixture {
    struct fake *fake;
    char folder[64];
};

static int
setup(void **state)
{
    struct fixture *x = test_calloc(1, sizeof *x);

    *state = x;
    x->fake = fake_new(rows);
    (void)snprintf(x->folder, sizeof x->folder, "%s", "/tmp/test_cli_evidence.XXXXXX");
    return mkdtemp(x->folder) ? 0 : -1;
}

static int
teardown(void **state)
{
    struct fixture *x = *state;

    (void)remove(lore_format(&x->fake->arena, "%s/a.json", x->folder));
    (void)rmdir(x->folder);
    fake_free(x->fake);
    test_free(x);
    return 0;
}

static const char *
put(struct fixture *x, const char *text)
{
    const char *path = lore_format(&x->fake->arena, "%s/a.json", x->folder);

    assert_int_equal(lore_file_write(path, text, strlen(text), 0600, NULL), LORE_OK);
    return path;
}

/* Run, expect success, decode what was sent as the service does. */
static struct lore_submission
sent(struct fixture *x, const char *words)
{
    struct lore_submission doc = {0};
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (fake_run(x->fake, words) != 0)
        fail_msg("%s", fake_err(x->fake));
    if (!x->fake->sent ||
        lore_json_parse(x->fake->sent, strlen(x->fake->sent), NULL, &x->fake->arena, &root, &err) !=
            LORE_OK ||
        lore_wire_decode(root, &x->fake->arena, &doc, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return doc;
}

static const struct fake_row only_here[] = {
    {"/api/v1/", 404, "{\"detail\":\"no\"}"},
    {"/api/v1/records/01J000000000000000000000F1", 200,
        "{\"kind\":\"verification\",\"id\":\"01J000000000000000000000F1\",\"actor\":\"ann\","
        "\"standing\":{\"review\":null,\"retracted\":true,\"retraction\":\"another binary\"},"
        "\"record\":{\"technique\":\"memory.a\",\"status\":\"verified\"}}"},
    {"/api/v1/curations?subject=01J000000000000000000000F1", 200, "{\"rows\":[]}"},
    {NULL, 0, NULL},
};

static void
show_finds_what_has_no_address_of_its_own(void **state)
{
    struct fake *fake = fake_new(only_here);

    (void)state;
    assert_int_equal(fake_run(fake, "show|01J000000000000000000000F1"), 0);
    assert_says(fake_out(fake), "verification 01J000000000000000000000F1\n");
    assert_says(fake_out(fake), "memory.a");
    assert_says(fake_out(fake), "another binary");
    assert_int_equal(fake_run(fake, "show|01J000000000000000000000F2"), 1);
    assert_says(fake_err(fake), "nothing has this id");
    fake_free(fake);
}

static void
a_document_is_sent_byte_for_byte_and_its_receipt_counted(void **state)
{
    struct fixture *x = *state;
    const char *text = "{ \"warplore\": 1,\n  \"id\" : \"x\" }\n";
    const char *path = put(x, text);

    assert_int_equal(fake_run(x->fake, lore_format(&x->fake->arena, "submit|%s", path)), 0);
    assert_string_equal(x->fake->sent, text);
    assert_says(fake_out(x->fake), "stored         2 runs, 1 hypothesis\n");
    assert_says(fake_out(x->fake), "already there  1 kernel\n");
    assert_says(fake_out(x->fake), "conflict       insight 01J000000000000000000000N2 contradicts "
                                   "01J000000000000000000000N1\n");
}

static void
the_first_refusal_ends_it_and_names_file_and_hint(void **state)
{
    static const struct fake_row refusing[] = {{"/api/v1/submissions", 400,
                                                   "{\"detail\":\"runs[3].devise: unknown field\","
                                                   "\"hint\":\"did you mean device?\"}"},
        {NULL, 0, NULL}};
    struct fixture *x = *state;
    const char *path = put(x, "{}");

    x->fake->rows = refusing;
    assert_int_equal(
        fake_run(x->fake, lore_format(&x->fake->arena, "submit|%s|%s", path, path)), 2);
    assert_int_equal(x->fake->n_asked, 1);
    assert_says(fake_err(x->fake), lore_format(&x->fake->arena,
                                       "%s: runs[3].devise: unknown field\n  hint: did "
                                       "you mean device?\n  1 file not sent",
                                       path));
    assert_int_equal(fake_run(x->fake, "submit|/nonexistent.json"), 2);
    assert_says(fake_err(x->fake), "/nonexistent.json: No such file");
}

static void
machine_code_is_checked_without_asking_the_service(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "isa|" SASS "v2.sass|-t|float4 loads|--strict"), 0);
    assert_says(fake_out(x->fake), "memory.vectorized_access: verified\n");
    assert_says(fake_out(x->fake), "        8  ^(LDG|");
    assert_int_equal(fake_run(x->fake, "isa|" SASS "v2_without_vector.sass|-t|float4 loads"), 0);
    assert_says(fake_out(x->fake), "memory.vectorized_access: missing\n");
    assert_int_equal(
        fake_run(x->fake, "isa|" SASS "v2_without_vector.sass|-t|float4 loads|--strict"), 1);
    assert_int_equal(x->fake->n_asked, 0);
}

static void
definitions_are_run_beside_the_built_in_signature(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "isa|" SASS "v2.sass|-t|float4 loads|--definition"), 0);
    assert_says(fake_out(x->fake), "memory.vectorized_access: verified\n");
    assert_says(
        fake_out(x->fake), "by definition wiki: wide, memory.vectorized_access: verified\n");
    assert_says(fake_out(x->fake), "memory.vectorized_access: inconclusive\n");
    assert_says(fake_out(x->fake), "back-reference");
    assert_says(
        fake_out(x->fake), "by definition none, memory.vectorized_access: not applicable\n");
    assert_null(strstr(fake_out(x->fake), "words only"));
    assert_int_equal(
        fake_run(x->fake, "isa|" SASS "v2_without_vector.sass|-t|float4 loads|--definition|--json"),
        0);
    assert_says(fake_out(x->fake), "\"definition\":\"wiki: wide\",\"verdict\":\"missing\"");
    assert_int_equal(
        fake_run(x->fake, "isa|" SASS "v2.sass|-t|sync.warp_level_reduction|--definition"), 0);
    assert_says(fake_out(x->fake), "no stored definition has patterns");
}

static void
a_file_that_is_no_listing_is_unavailable_and_never_verified(void **state)
{
    struct fixture *x = *state;
    const char *path = put(x, "LDG.E.128 but no disassembly\n");

    assert_int_equal(
        fake_run(x->fake, lore_format(&x->fake->arena, "isa|%s|-t|float4 loads", path)), 0);
    assert_says(fake_out(x->fake), "memory.vectorized_access: unavailable\n");
    assert_int_equal(fake_run(x->fake, lore_format(&x->fake->arena,
                                           "isa|%s|-t|float4 loads|--strict|--json", path)),
        1);
    assert_says(fake_out(x->fake), "\"verdict\":\"unavailable\"");
    assert_int_equal(fake_run(x->fake, "isa|" SASS "v2.sass|-t|magic"), 2);
    assert_says(fake_err(x->fake), "\"magic\" is not in the catalogue");
    assert_int_equal(fake_run(x->fake, "isa|" SASS "v2.sass|-t|float4 loads|--record"), 2);
    assert_says(fake_err(x->fake), "--record: needs --version ID");
}

static void
a_recorded_check_becomes_a_verification_with_its_patterns(void **state)
{
    struct fixture *x = *state;
    struct lore_submission doc = sent(x, "isa|" SASS "v2.sass|-t|float4 loads|-t|warp_shuffle|"
                                         "--base|" SASS "v0.sass|--version|" V1 "|--record");

    assert_int_equal(doc.n_verifications, 2);
    assert_string_equal(doc.verifications[0].version, V1);
    assert_string_equal(doc.verifications[0].technique, "memory.vectorized_access");
    assert_string_equal(doc.verifications[0].status, "verified");
    assert_string_equal(doc.verifications[0].signature, "memory.vectorized_access/sass@1");
    assert_string_equal(doc.verifications[0].kernel_symbol, "softmax_v2");
    assert_int_equal(doc.verifications[0].found.n, 1);
    assert_string_equal(doc.verifications[0].counts.v[0].value, "8");
    assert_string_equal(doc.verifications[1].technique, "compute.warp_shuffle");
    assert_says(fake_out(x->fake), "recorded as 2 verifications of version " V1);
}

static void
two_listings_differ_by_their_instructions_and_spills(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "isa|diff|" SASS "v0.sass|" SASS "v2.sass|--strict"), 0);
    assert_says(fake_out(x->fake), "526 -> 338 instructions\nspill gate: pass: ");
    assert_says(fake_out(x->fake), "    39      0     -39  LDG.E.CONSTANT\n");
    assert_says(fake_out(x->fake), "20 of 57 (--all)");
    assert_int_equal(fake_run(x->fake, "isa|diff|" SASS "v0.sass|" SASS "v0.sass|--json"), 0);
    assert_says(fake_out(x->fake), "\"changes\":[]");
    assert_int_equal(fake_run(x->fake, "isa|diff|" SASS "v0.sass"), 2);
    assert_int_equal(fake_run(x->fake, "isa|diff|" SASS "v0.sass|" SOURCE_DIR
                                       "/tests/fixtures/isa/gfx942.objdump.txt"),
        2);
    assert_says(fake_err(x->fake), "their instructions do not compare");
}

static void
a_note_is_an_insight_with_its_scope(void **state)
{
    struct fixture *x = *state;
    struct lore_submission doc = sent(x, "note|--title|Short rows|--body|One warp per row.|"
                                         "--operator|softmax|--language|hip|--bottleneck|sync");

    assert_int_equal(doc.n_insights, 1);
    assert_string_equal(doc.insights[0].kind, "note");
    assert_string_equal(doc.insights[0].body, "One warp per row.");
    assert_string_equal(doc.insights[0].op, "softmax");
    assert_int_equal(doc.insights[0].language, LORE_LANG_HIP);
    assert_int_equal(doc.insights[0].labels.n, 1);
    assert_int_equal(fake_run(x->fake, "note|--title|Short rows"), 2);
    assert_says(fake_err(x->fake), "--body: required");
}

static void
a_promoted_insight_has_the_shared_scope_and_links_back(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "promote|" E1 "|" E2 "|--title|Pays sometimes"), 0);
    assert_null(x->fake->sent);
    assert_says(fake_out(x->fake), "kind            note\n");
    assert_says(fake_out(x->fake), "operator        softmax\n");
    assert_says(fake_out(x->fake), "2 experiments: 1 won, 1 lost.\n");
    assert_says(fake_out(x->fake), "- win 1.50x: t, on h200 (measured). Lesson: It pays. [" E1 "]");
    assert_says(fake_out(x->fake), "their outcomes differ");
    assert_says(fake_out(x->fake),
        "existing insights on this subject:\n  01J000000000000000000000N1  known");
    assert_says(fake_out(x->fake), "not stored: add --record");

    struct lore_submission doc =
        sent(x, "promote|" E1 "|--title|It pays|--body|Do it.|--chip|mi300x|--record");
    const struct lore_insight *i = &doc.insights[0];
    assert_string_equal(i->kind, "technique_card");
    assert_string_equal(i->body, "Do it.");
    assert_string_equal(i->technique, "memory.a");
    assert_string_equal(i->chip, "mi300x");
    assert_string_equal(i->confidence, "experimental");
    assert_int_equal(i->experiments.n, 1);
    assert_string_equal(i->experiments.v[0], E1);
    assert_int_equal(fake_run(x->fake, "promote|01J000000000000000000000E9|--title|x"), 2);
}

#define RECORD                                                                                     \
    "record|-o|softmax|-l|cuda|-c|h200|-t|float4 loads|--before|2ms|--time|1ms|--hypothesis|h"

static void
record_warns_of_a_failure_and_never_fails_for_want_of_the_warning(void **state)
{
    static const struct fake_row without[] = {
        {"/api/v1/attempts", 201, "{\"status\":\"stored\",\"version\":{\"id\":\"x\"}}"},
        {"/api/v1/check-idea", 500, "{\"detail\":\"broken\"}"}, {NULL, 0, NULL}};
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, RECORD), 0);
    assert_string_equal(x->fake->asked[0],
        "/api/v1/check-idea?text=h&technique=float4%20loads&operator=softmax&chip=h200");
    assert_says(fake_err(x->fake), "warplore: recorded; failed here before: it was "
                                   "slower (0.8x) (" E2 ")");
    x->fake->cli.err.len = 0;
    x->fake->n_asked = 0;
    assert_int_equal(fake_run(x->fake, RECORD "|--no-check"), 0);
    assert_int_equal(x->fake->n_asked, 1);
    x->fake->rows = without;
    assert_int_equal(fake_run(x->fake, RECORD), 0);
    assert_int_equal(x->fake->cli.err.len, 0);
}

static void
merging_needs_a_reason_but_looking_does_not(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "merge"), 0);
    assert_says(fake_out(x->fake), "1. conflict\n  * " E1 "  win 1.50x: t [softmax]\n    " E2);
    assert_says(fake_out(x->fake), "their outcomes differ: check them first");
    assert_int_equal(fake_run(x->fake, "merge|" E1 "|" E2), 2);
    assert_says(fake_err(x->fake), "--reason: required");
    assert_int_equal(fake_run(x->fake, "merge|" E1 "|" E2 "|--dry-run"), 0);
    assert_says(x->fake->sent, "\"dry_run\":true");
    assert_int_equal(fake_run(x->fake, "merge|" E1 "|" E2 "|--canonical|" E2 "|--reason|twice"), 0);
    assert_string_equal(x->fake->sent,
        "{\"members\":[\"" E1 "\",\"" E2 "\"],\"canonical\":\"" E2 "\",\"reason\":\"twice\"}");
    assert_says(fake_out(x->fake), "undo: warplore unmerge 01J000000000000000000000M1");
    assert_int_equal(fake_run(x->fake, "unmerge|01J000000000000000000000M1|--reason|different"), 0);
    assert_int_equal(fake_run(x->fake, "merge|" E1), 2);
}

static void
decisions_say_what_was_done_and_a_refusal_has_its_code(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "retract|" E1 "|--reason|wrong clock"), 0);
    assert_says(fake_out(x->fake), "retracted " E1);
    assert_int_equal(fake_run(x->fake, "comment|" E1 "|--reason|x"), 4);
    /* no answer: the command sends the same decision again */
    assert_int_equal(fake_run(x->fake, "comment|" E2 "|--reason|x"), LORE_EXIT_UNREACHABLE);
    assert_says(fake_err(x->fake), "the same command again is safe");
    const char *first = x->fake->sent;
    assert_int_equal(fake_run(x->fake, "comment|" E2 "|--reason|x"), LORE_EXIT_UNREACHABLE);
    assert_string_equal(x->fake->sent, first);
    assert_int_equal(fake_run(x->fake, "comment|" E2 "|--reason|y"), LORE_EXIT_UNREACHABLE);
    assert_string_not_equal(x->fake->sent, first);
    assert_int_equal(fake_run(x->fake, "review|01J000000000000000000000N1|--reason|x"), 2);
    assert_says(fake_err(x->fake), "--state: required");
    assert_int_equal(
        fake_run(x->fake, "review|01J000000000000000000000N1|--state|reviewed|--reason|x"), 0);
    assert_string_equal(x->fake->sent, "{\"state\":\"reviewed\",\"reason\":\"x\"}");
}

static void
show_tells_verdicts_on_claim_and_technique_and_remarks(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "show|" E1), 0);
    assert_says(fake_out(x->fake), "claim           regressed\n");
    assert_says(fake_out(x->fake), "expected        contradicted: it went up\n");
    assert_says(fake_out(x->fake),
        "memory.a: implementation failed; machine code missing (not in the code)");
    assert_says(fake_out(x->fake), "memory.a: no, 400 ns faster without it");
    assert_says(fake_out(x->fake), "comment         2026-01-02 by bob: look at it\n");
    assert_says(fake_out(x->fake), "retracted       undone by bob: typo\n");
}

static void
commands_answer_to_the_names_that_other_tools_use(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "board|--help"), 0);
    assert_says(fake_out(x->fake), "usage: warplore leaderboard");
    assert_int_equal(fake_run(x->fake, "add|float4 loads"), 2);
    assert_says(fake_err(x->fake), "warplore try 'float4 loads' --time 81us");
    assert_int_equal(fake_run(x->fake, "status"), 2);
    assert_says(fake_err(x->fake), "warplore session status");
    assert_int_equal(fake_run(x->fake, "delete|v2"), 2);
    assert_says(fake_err(x->fake), "Withdraw it: warplore retract");
    assert_int_equal(fake_run(x->fake, "read|" E2), 0);
    assert_says(fake_out(x->fake), "experiment " E2);
    assert_int_equal(fake_run(x->fake, "sync|--help"), 0);
    assert_says(fake_out(x->fake), "usage: warplore export");
    assert_int_equal(fake_run(x->fake, "update|v1"), 2);
    assert_says(fake_err(x->fake), "a stored record does not change");
}

#define CASE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_document_is_sent_byte_for_byte_and_its_receipt_counted),
        CASE(the_first_refusal_ends_it_and_names_file_and_hint),
        CASE(machine_code_is_checked_without_asking_the_service),
        CASE(definitions_are_run_beside_the_built_in_signature),
        CASE(a_file_that_is_no_listing_is_unavailable_and_never_verified),
        CASE(a_recorded_check_becomes_a_verification_with_its_patterns),
        CASE(two_listings_differ_by_their_instructions_and_spills),
        CASE(a_note_is_an_insight_with_its_scope),
        CASE(a_promoted_insight_has_the_shared_scope_and_links_back),
        CASE(record_warns_of_a_failure_and_never_fails_for_want_of_the_warning),
        CASE(merging_needs_a_reason_but_looking_does_not),
        CASE(decisions_say_what_was_done_and_a_refusal_has_its_code),
        CASE(show_tells_verdicts_on_claim_and_technique_and_remarks),
        CASE(show_finds_what_has_no_address_of_its_own),
        CASE(commands_answer_to_the_names_that_other_tools_use),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
