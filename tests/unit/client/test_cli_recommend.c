// uses: client
/* One answer on one screen: whatever the service found, under 40 lines, and what matters most
 * stays. */
#include "tests/unit/cli_fake.h"

#include "collectors/client/screen/print.h"

#define ID(tail) "01J000000000000000000000" tail
#define INTERVAL "{\"value\":0.62,\"low\":0.1,\"high\":0.9}"
#define GAIN "{\"value\":1.62,\"low\":1.1,\"high\":1.9}"
#define CITED(id)                                                                                  \
    "{\"experiment\":\"" ID(                                                                       \
        id) "\",\"operator\":\"conv2d\",\"language\":\"cuda\",\"chip\":\"a100\","                  \
            "\"effect\":\"win\",\"speedup\":1.5,\"evidence\":\"measured\"}"
#define WHY                                                                                        \
    "Won 1181 of 1519 times on conv2d (a100); median 1.72x. Won 2202 of 2775 elsewhere. 8 gave "   \
    "wrong results. One broke a process rule."
#define STEPS                                                                                      \
    "\"steps\":[{\"level\":\"all experiments\",\"weight\":9,\"won\":4,\"p_win\":0.46},"            \
    "{\"level\":\"this operator\",\"weight\":0.7,\"won\":0.7,\"p_win\":0.57},"                     \
    "{\"level\":\"calibration\",\"weight\":0,\"won\":0,\"p_win\":0.62}],"                          \
    "\"if_won\":0.7,\"if_lost\":0.4"
#define ADVICE(name, tried, shapes)                                                                \
    "{\"technique\":\"" name                                                                       \
    "\",\"title\":\"A technique with a name of some length\",\"p_win\":" INTERVAL                  \
    ",\"gain\":" GAIN ",\"tried\":" tried ",\"won\":3,\"lost\":1,\"neutral\":1,"                   \
    "\"inconclusive\":1,\"not_measured\":1,\"workloads\":" shapes                                  \
    ",\"worst\":{\"speedup\":0.5},\"same_operator\":true,\"contested\":true,"                      \
    "\"travel\":{\"nearest\":\"same architecture\"},\"why\":\"" WHY "\"," STEPS                    \
    ",\"evidence\":[" CITED("E1") "," CITED("E2") "]}"
#define PARAMS(x)                                                                                  \
    "{\"block_size_x\":" x ",\"block_size_y\":1,\"tile_size_x\":1,\"tile_size_y\":4,"              \
    "\"read_only\":0,\"use_padding\":0,\"use_shmem\":0,\"use_cmem\":1,\"filter_height\":15,"       \
    "\"filter_width\":15}"
#define VERSION(id, x)                                                                             \
    "{\"version\":\"" ID(id) "\",\"params\":" PARAMS(                                              \
        x) ",\"fraction\":" INTERVAL                                                               \
           ",\"p_fail\":0.2,\"from\":[{\"chip\":\"a6000\",\"fraction\":0.93},{\"chip\":\"a100\","  \
           "\"fraction\":0.65},{\"chip\":\"mi250x\",\"fraction\":0.98}]}"
#define TRAP(name)                                                                                 \
    "{\"technique\":\"" name "\",\"tried\":1,\"lost\":1,\"why\":\"" WHY "\"," STEPS                \
    ",\"evidence\":[" CITED("E3") "]}"
#define MOVE                                                                                       \
    "{\"parameter\":\"block_size_x\",\"from\":64,\"to\":128,\"p_win\":" INTERVAL ",\"gain\":" GAIN \
    ",\"reach\":\"moves of other chips from the same value of this parameter\",\"p_fail\":0.1}"
#define WORSE                                                                                      \
    "{\"parameter\":\"block_size_x\",\"from\":64,\"to\":32,\"p_win\":{\"value\":0.03},"            \
    "\"gain\":{\"value\":0.9,\"low\":0.5,\"high\":1.4},\"reach\":\"same chip\"}"
#define STEP                                                                                       \
    "{\"technique\":\"use_shmem\",\"title\":\"use_shmem\",\"tried\":1,\"why\":\"Lost.\","          \
    "\"evidence\":"                                                                                \
    "[{\"experiment\":\"" ID("E4") "\",\"title\":\"use_shmem: 1 to 0\"}]}"
#define WON_AND_LOST                                                                               \
    "{\"technique\":\"memory.a\",\"title\":\"A\",\"p_win\":" INTERVAL ",\"tried\":3,\"won\":1,"    \
    "\"lost\":2,\"why\":\"Won 1 of 3 times.\",\"evidence\":[{\"experiment\":\"" ID(                \
        "L1") "\",\"effect\":\"loss\",\"operator\":\"conv2d\",\"language\":\"cuda\",\"evidence\":" \
              "\"measured\"}," CITED("E1") "]}"
#define QUESTION                                                                                   \
    "{\"question\":{\"operator\":\"conv2d\",\"family\":\"conv\",\"chip\":{\"name\":\"a4000\"},"    \
    "\"bottleneck\":[\"memory\"]},\"advice_id\":\"" ID(                                            \
        "A1") "\",\"summary\":\"" WHY "\","                                                        \
              "\"knowledge\":{\"level\":\"near\",\"why\":\"" WHY "\"},"
#define PLACE                                                                                      \
    "\"place\":{\"workload\":{\"label\":\"x=4096 filter_height=15 filter_width=15\",\"dims\":"     \
    "{\"x\":4096,\"filter_height\":15,\"filter_width\":15}},\"workload_assumed\":true},"
#define TELLING(won, lost)                                                                         \
    "\"telling\":{\"technique\":\"memory.b\",\"if_won\":" won ",\"if_lost\":" lost                 \
    ",\"leads\":false,\"would_lead\":true,\"why\":\"Measure memory.b on a4000. A win would "       \
    "make it the first recommendation, at 70 %; any other result would lower it to 40 % and "      \
    "leave the order.\"},"
#define LISTS                                                                                      \
    "\"advice\":[" ADVICE("memory.a", "1519", "9") "," ADVICE("memory.b", "7", "3") "," ADVICE(    \
        "memory.c", "7", "3") "," ADVICE("memory.d", "7",                                          \
        "3") "],"                                                                                  \
             "\"avoid\":[" TRAP("sync.a") "," TRAP("sync.b") "," TRAP(                             \
                 "sync.c") "],"                                                                    \
                           "\"untried\":[" TRAP("launch.a") "," TRAP("launch.b") "," TRAP(         \
                               "launch.c") "],"                                                    \
                                           "\"transfer\":[{\"note\":\"" WHY "\"}],"                \
                                           "\"insights\":[{\"id\":\"" ID(                          \
                                               "N1") "\",\"kind\":\"anti_strategy\",\"title\":"    \
                                                     "\"" WHY "\"},"                               \
                                                     "{\"id\":\"" ID(                              \
                                                         "N2") "\",\"kind\":\"technique_card\","   \
                                                               "\"title\":\"" WHY "\"}]}"
#define VERSIONS VERSION("V1", "128") "," VERSION("V2", "64") "," VERSION("V3", "256")

static const struct fake_row rows[] = {
    {"/api/v1/recommend?operator=start", 200,
        QUESTION PLACE "\"start\":[" VERSIONS "]," TELLING("0.7", "0.4") LISTS},
    {"/api/v1/recommend?operator=next", 200,
        QUESTION PLACE "\"next\":[" VERSIONS "," VERSIONS "]," TELLING("0.7", "0.4") LISTS},
    {"/api/v1/recommend?operator=moves", 200,
        QUESTION PLACE "\"lineage\":{\"attempts\":4},\"start\":[" VERSIONS "],\"tune\":[" MOVE
                       "," MOVE "," MOVE "," MOVE "]," TELLING("0.61", "0.6") LISTS},
    {"/api/v1/recommend?operator=reading", 200,
        QUESTION "\"start_state\":\"reading\"," TELLING("0.7", "0.4") LISTS},
    {"/api/v1/recommend?operator=behind", 200,
        QUESTION PLACE "\"start_state\":\"behind\",\"start\":[" VERSIONS "]," TELLING("0.7", "0.4")
            LISTS},
    {"/api/v1/recommend?operator=none", 200,
        "{\"question\":{\"operator\":\"none\",\"chip\":{\"name\":\"l40s\"}},"
        "\"summary\":\"No experiment on none.\",\"knowledge\":{\"level\":\"none\",\"why\":\"nobody"
        " measured it\"}," TELLING("0.7", "0.4") LISTS},
    {"/api/v1/recommend?operator=nothing_next", 200,
        QUESTION PLACE "\"next\":[],\"start\":[" VERSIONS "]," TELLING("0.7", "0.4") LISTS},
    {"/api/v1/recommend?operator=here", 200,
        QUESTION "\"place\":{\"chip\":\"a100\"},\"start\":[" VERSION("V1", "128") "]," LISTS},
    {"/api/v1/recommend?operator=parts", 200,
        QUESTION "\"avoid\":[" STEP "," TRAP("sync.a") "],\"advice\":[" WON_AND_LOST "]}"},
    {"/api/v1/recommend?operator=worse", 200, QUESTION PLACE "\"tune\":[" WORSE "]," LISTS},
    {"/api/v1/recommend?operator=little", 200, QUESTION "\"advice\":[],\"avoid\":[]}"},
    {"/api/v1/recommend?operator=unsure", 200,
        QUESTION "\"advice\":[{\"technique\":\"memory.u\",\"p_win\":" INTERVAL
                 ",\"hardly_known\":true},{\"technique\":\"memory.w\",\"p_win\":" INTERVAL
                 ",\"against\":[\"memory\",\"cache\"],\"evidence\":[{\"experiment\":\"" ID(
                     "E5") "\",\"effect\":\"not_measured\",\"correctness\":\"fail\","
                           "\"error_type\":\"compilation\",\"operator\":\"conv2d\","
                           "\"language\":\"cuda\",\"evidence\":\"measured\"}]}]}"},
    {"/api/v1/recommend?operator=chipless", 200,
        "{\"question\":{\"operator\":\"chipless\",\"chip\":null},\"knowledge\":{}," LISTS},
    {NULL, 0, NULL},
};

static const char *
ask(struct fake *f, const char *command)
{
    lore_buf_reset(&f->cli.out);
    assert_int_equal(fake_run(f, command), 0);
    return lore_strdup(&f->arena, fake_out(f));
}

static void
assert_silent(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("says \"%s\":\n%s", words, text);
}

static void
an_answer_stays_under_forty_lines_however_much_there_is(void **state)
{
    static const char *const commands[] = {"recommend|-o|start", "recommend|-o|next|--next",
        "recommend|-o|moves|--version|" ID("V1"), "recommend|-o|none",
        "recommend|-o|start|--explain", "recommend|-o|next|--next|--explain",
        "recommend|-o|moves|--explain"};

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *out = ask(*state, commands[i]);
        if (lines_of(out) >= 40)
            fail_msg("%s: %zu lines\n%s", commands[i], lines_of(out), out);
        assert_says(out, "Avoid\n  - sync.a: ");
        assert_says(out, " 1. memory.a");
    }
}

static void
what_was_left_out_is_a_number_away(void **state)
{
    const char *out = ask(*state, "recommend|-o|start");

    assert_says(out, "More: -n 10; everything: --json --explain\n");
    assert_silent(out, "launch.a");
    out = ask(*state, "recommend|-o|start|-n|10");
    assert_silent(out, "More: ");
    assert_says(out, "launch.c");
    assert_says(out, " 4. memory.d");
    assert_true(lines_of(out) > 60);
}

static void
versions_that_are_not_read_yet_are_said_to_be_missing(void **state)
{
    const char *out = ask(*state, "recommend|-o|reading");

    assert_says(out, "Start from\n  The service has just started and has not read all versions");
    assert_true(lines_of(out) < 40);
    assert_silent(ask(*state, "recommend|-o|start"), "just started");
    out = ask(*state, "recommend|-o|behind");
    assert_says(out, "A record was retracted or came back, and the versions do not show it yet: ");
    assert_silent(out, "just started");
}

static void
configurations_say_what_differs(void **state)
{
    const char *out = ask(*state, "recommend|-o|start");

    assert_says(out, " 1. block_size_x=128 block_size_y=1 tile_size_x=1");
    assert_says(out, " 2. the first, with block_size_x=64: expect 0.62 of the best");
    assert_silent(out, "filter_width=15:"); /* the problem's, not the version's */
}

static void
the_most_telling_experiment_is_named_when_it_would_change_something(void **state)
{
    assert_says(ask(*state, "recommend|-o|start"),
        "Most useful test\n  Measure memory.b on a4000. A win would make it the first");
    assert_silent(ask(*state, "recommend|-o|moves"), "Most useful test");
}

static void
explain_says_what_each_level_made_of_the_odds(void **state)
{
    static const char steps[] =
        "odds: all experiments 46 % (weight 9) -> this operator 57 % (weight "
        "0.7) -> calibration 62 %;";

    assert_silent(ask(*state, "recommend|-o|start"), "odds: ");
    assert_says(ask(*state, "recommend|-o|start|--explain"), steps);
}

static void
steps_of_a_search_are_called_that(void **state)
{
    const char *out = ask(*state, "recommend|-o|start");
    const char *said = strstr(out, "Nearly all trials are steps of tuning searches, on 9 shapes");

    assert_non_null(said);
    assert_null(strstr(said + 1, "Nearly all")); /* seven trials on three shapes are not */
}

static void
where_nothing_is_known_little_is_said_and_what_to_measure_comes_first(void **state)
{
    const char *out = ask(*state, "recommend|-o|none");
    const char *first = strstr(out, "Measure first\n  Record the unchanged kernel");
    const char *advice = strstr(out, "Worth trying");

    assert_non_null(first);
    assert_non_null(advice);
    assert_true(first < advice);
    assert_says(out, " 2. memory.b");
    assert_silent(out, " 3. memory.c");
}

static void
nothing_to_measure_next_is_said(void **state)
{
    const char *out = ask(*state, "recommend|-o|nothing_next|--next");

    assert_says(out, "Measure next\n  Nothing to propose: every known version");
    assert_says(out, "Start from");
    assert_silent(ask(*state, "recommend|-o|next|--next"), "Nothing to propose");
}

static void
a_result_from_this_chip_says_that_its_workload_is_another(void **state)
{
    const char *out = ask(*state, "recommend|-o|here");

    assert_says(out, "a6000 0.93, another workload (a100) 0.65, mi250x 0.98");
    assert_silent(ask(*state, "recommend|-o|start"), "another workload");
}

static void
a_win_is_cited_before_what_lost(void **state)
{
    const char *out = ask(*state, "recommend|-o|parts");
    const char *won = strstr(out, ID("E1") "  win 1.50x"), *lost = strstr(out, ID("L1") "  loss");

    assert_non_null(won);
    assert_non_null(lost);
    assert_true(won < lost);
}

static void
a_name_outside_the_catalogue_says_what_was_done(void **state)
{
    const char *out = ask(*state, "recommend|-o|parts");

    assert_says(out, "use_shmem: Lost. See " ID("E4") " (use_shmem: 1 to 0)");
    assert_says(out, "See " ID("E3") "\n"); /* sync.a is one of the catalogue */
}

static void
changes_that_gain_nothing_are_called_that(void **state)
{
    static const char none[] = "(none is expected to gain)";

    assert_says(ask(*state, "recommend|-o|worse|--version|" ID("V1")), none);
    assert_silent(ask(*state, "recommend|-o|moves|--version|" ID("V1")), none);
}

static void
why_no_change_of_a_version_is_listed_is_said(void **state)
{
    assert_says(ask(*state, "recommend|-o|chipless|--version|" ID("V1")),
        "Change a value\n  The effect of a parameter depends on the chip: name it with "
        "--chip.");
    assert_says(ask(*state, "recommend|-o|here|--version|" ID("V1")),
        "Change a value\n  No known version differs from it in exactly one");
    assert_silent(ask(*state, "recommend|-o|here"), "Change a value");
}

static void
too_little_evidence_for_what_was_asked_is_said(void **state)
{
    assert_says(ask(*state, "recommend|-o|little|--min-effective-n|30"),
        "Worth trying\n  No technique that won has evidence worth 30 experiments.");
    assert_silent(ask(*state, "recommend|-o|little"), "Worth trying");
}

static void
a_word_too_many_is_named(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "matrix|softmax"), LORE_EXIT_USAGE);
    assert_says(
        fake_err(f), "matrix: \"softmax\" is one word too many (usage: warplore matrix [options])");
}

static void
the_problem_has_a_type_and_a_layout(void **state)
{
    static const struct fake_row typed[] = {
        {"/api/v1/recommend?operator=t&dims=M%3D1&dtype=bf16&layout=tn", 200, QUESTION "\"a\":1}"},
        {NULL, 0, NULL}};
    struct fake *f = *state;

    f->rows = typed;
    ask(f, "recommend|-o|t|-d|M=1|--dtype|bf16|--layout|tn");
    f->rows = rows;
}

static void
what_is_hardly_known_and_what_did_not_compile_is_said_in_words(void **state)
{
    const char *text = ask(*state, "recommend|-o|unsure");

    assert_non_null(strstr(text, "(hardly known)"));
    assert_non_null(strstr(text, "meant for memory or cache"));
    assert_non_null(strstr(text, "did not compile: conv2d"));
    assert_silent(text, "incorrect");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_hardly_known_and_what_did_not_compile_is_said_in_words),
        TEST(an_answer_stays_under_forty_lines_however_much_there_is),
        TEST(what_was_left_out_is_a_number_away),
        TEST(versions_that_are_not_read_yet_are_said_to_be_missing),
        TEST(configurations_say_what_differs),
        TEST(the_most_telling_experiment_is_named_when_it_would_change_something),
        TEST(explain_says_what_each_level_made_of_the_odds),
        TEST(steps_of_a_search_are_called_that),
        TEST(where_nothing_is_known_little_is_said_and_what_to_measure_comes_first),
        TEST(nothing_to_measure_next_is_said),
        TEST(a_result_from_this_chip_says_that_its_workload_is_another),
        TEST(a_win_is_cited_before_what_lost),
        TEST(a_name_outside_the_catalogue_says_what_was_done),
        TEST(changes_that_gain_nothing_are_called_that),
        TEST(why_no_change_of_a_version_is_listed_is_said),
        TEST(too_little_evidence_for_what_was_asked_is_said),
        TEST(a_word_too_many_is_named),
        TEST(the_problem_has_a_type_and_a_layout),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
