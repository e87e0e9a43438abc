// uses: cli
/* One answer on one screen: whatever the service found, under 40 lines, and what matters most
 * stays. */
#include "cli_fake.h"

#include "print.h"

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
    ",\"leads\":false,\"would_lead\":true,\"why\":\"Measure memory.b on a4000: a win would put "   \
    "it first (70 % likely then), anything else leaves the order as it is (40 %).\"},"
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
        QUESTION PLACE "\"lineage\":{\"attempts\":4},\"start\":[" VERSIONS "],\"moves\":[" MOVE
                       "," MOVE "," MOVE "," MOVE "]," TELLING("0.61", "0.6") LISTS},
    {"/api/v1/recommend?operator=reading", 200,
        QUESTION "\"start_state\":\"reading\"," TELLING("0.7", "0.4") LISTS},
    {"/api/v1/recommend?operator=none", 200,
        "{\"question\":{\"operator\":\"none\",\"chip\":{\"name\":\"l40s\"}},"
        "\"summary\":\"No experiment on none.\",\"knowledge\":{\"level\":\"none\",\"why\":\"nobody"
        " measured it\"}," TELLING("0.7", "0.4") LISTS},
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
    if (strstr(text, words) != NULL)
        fail_msg("says \"%s\":\n%s", words, text);
}

static void
an_answer_stays_under_forty_lines_however_much_there_is(void **state)
{
    static const char *const commands[] = {"recommend|-k|start", "recommend|-k|next|--next",
        "recommend|-k|moves|--version|" ID("V1"), "recommend|-k|none",
        "recommend|-k|start|--explain", "recommend|-k|next|--next|--explain",
        "recommend|-k|moves|--explain"};

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *out = ask(*state, commands[i]);
        if (lines_of(out) >= 40)
            fail_msg("%s: %zu lines\n%s", commands[i], lines_of(out), out);
        assert_says(out, "Leave alone\n  - sync.a: ");
        assert_says(out, " 1. memory.a");
    }
}

static void
what_was_left_out_is_a_number_away(void **state)
{
    const char *out = ask(*state, "recommend|-k|start");

    assert_says(out, "More: -n 10; everything, with all parameters: --json\n");
    assert_silent(out, "launch.a");
    out = ask(*state, "recommend|-k|start|-n|10");
    assert_silent(out, "More: ");
    assert_says(out, "launch.c");
    assert_says(out, " 4. memory.d");
    assert_true(lines_of(out) > 60);
}

static void
versions_that_are_not_read_yet_are_said_to_be_missing(void **state)
{
    const char *out = ask(*state, "recommend|-k|reading");

    assert_says(out, "Start from\n  The service has just started and has not read all versions");
    assert_true(lines_of(out) < 40);
    assert_silent(ask(*state, "recommend|-k|start"), "just started");
}

static void
configurations_say_what_differs(void **state)
{
    const char *out = ask(*state, "recommend|-k|start");

    assert_says(out, " 1. block_size_x=128 block_size_y=1 tile_size_x=1");
    assert_says(out, " 2. the first, with block_size_x=64: expect 0.62 of the best");
    assert_silent(out, "filter_width=15:"); /* the problem's, not the version's */
}

static void
the_most_telling_experiment_is_named_when_it_would_change_something(void **state)
{
    assert_says(ask(*state, "recommend|-k|start"),
        "What would tell most\n  Measure memory.b on a4000: a win would put it first");
    assert_silent(ask(*state, "recommend|-k|moves"), "What would tell most");
}

static void
explain_says_what_each_level_made_of_the_odds(void **state)
{
    static const char steps[] =
        "odds: all experiments 46 % (weight 9) -> this operator 57 % (weight "
        "0.7) -> calibration 62 %;";

    assert_silent(ask(*state, "recommend|-k|start"), "odds: ");
    assert_says(ask(*state, "recommend|-k|start|--explain"), steps);
}

static void
steps_of_a_search_are_called_that(void **state)
{
    const char *out = ask(*state, "recommend|-k|start");
    const char *said = strstr(out, "Nearly all are steps of searches, on 9 shapes");

    assert_non_null(said);
    assert_null(strstr(said + 1, "Nearly all")); /* seven trials on three shapes are not */
}

static void
where_nothing_is_known_little_is_said_and_what_to_measure_comes_first(void **state)
{
    const char *out = ask(*state, "recommend|-k|none");
    const char *first = strstr(out, "Measure first\n  Record the kernel as it is");
    const char *advice = strstr(out, "Worth trying");

    assert_non_null(first);
    assert_non_null(advice);
    assert_true(first < advice);
    assert_says(out, " 2. memory.b");
    assert_silent(out, " 3. memory.c");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_answer_stays_under_forty_lines_however_much_there_is),
        TEST(what_was_left_out_is_a_number_away),
        TEST(versions_that_are_not_read_yet_are_said_to_be_missing),
        TEST(configurations_say_what_differs),
        TEST(the_most_telling_experiment_is_named_when_it_would_change_something),
        TEST(explain_says_what_each_level_made_of_the_odds),
        TEST(steps_of_a_search_are_called_that),
        TEST(where_nothing_is_known_little_is_said_and_what_to_measure_comes_first),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
