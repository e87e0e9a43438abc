// uses: client
/* session and try: what the directory remembers, and what the next attempt starts from. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/client/commands/session.h"
#include "service/base/file.h"
#include "tests/unit/cli_fake.h"

#define PLACE                                                                                      \
    "\"status\":\"stored\",\"session\":\"01J00000000000000000000009\",\"kernel\":\"rope_kv\","     \
    "\"kernel_id\":\"01J00000000000000000000008\",\"chip\":\"h100\",\"workload\":\"B=8\","         \
    "\"workload_id\":\"0123456789abcdef0123456789abcdef\""
#define VERSION(n)                                                                                 \
    "{\"id\":\"01J0000000000000000000001" n "\",\"label\":\"v" n "\",\"time_ns\":1000}"
#define RECEIPT(made, parent, champion, effect)                                                    \
    "{" PLACE ",\"version\":" VERSION(made) ",\"champion\":" VERSION(                              \
        champion) ",\"parent\":" VERSION(parent) ",\"outcome\":{\"effect\":\"" effect              \
                                                 "\",\"speedup\":0.9}}"

static const struct fake_row lost[] = {
    {"/api/v1/sessions", 201, "{" PLACE "}"},
    {"/api/v1/attempts", 201, RECEIPT("1", "0", "0", "loss")},
    {"/api/v1/campaigns", 201, "{\"id\":\"x\"}"},
    {NULL, 0, NULL},
};
static const struct fake_row won[] = {
    {"/api/v1/attempts", 201, RECEIPT("2", "1", "0", "win")}, {NULL, 0, NULL}};
/* an attempt that was recorded before the version was kept, sent again */
static const struct fake_row elsewhere[] = {
    {"/api/v1/attempts", 201, RECEIPT("3", "0", "0", "win")}, {NULL, 0, NULL}};
static const struct fake_row best[] = {
    {"/api/v1/attempts", 201, RECEIPT("3", "2", "3", "win")}, {NULL, 0, NULL}};

#define START "session|start|rope_kv|-o|rope|-l|cuda|-c|h100|-d|B=8"

struct fixture {
    struct fake *fake;
    char folder[64], before[512];
};

static int
setup(void **state)
{
    struct fixture *x = test_calloc(1, sizeof *x);

    *state = x;
    x->fake = fake_new(lost);
    (void)snprintf(x->folder, sizeof x->folder, "%s", "/tmp/test_cli_session.XXXXXX");
    return mkdtemp(x->folder) && getcwd(x->before, sizeof x->before) && chdir(x->folder) == 0 ? 0
                                                                                              : -1;
}

static int
teardown(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(chdir(x->folder), 0);
    (void)rmdir("below");
    (void)remove(".warplore/session.json");
    (void)rmdir(".warplore");
    assert_int_equal(chdir(x->before), 0);
    (void)rmdir(x->folder);
    fake_free(x->fake);
    test_free(x);
    return 0;
}

static void
run(struct fixture *x, const char *words)
{
    lore_buf_reset(&x->fake->cli.out);
    if (fake_run(x->fake, words) != 0)
        fail_msg("%s: %s", words, fake_err(x->fake));
}

static const char *
head(struct fixture *x)
{
    struct lore_session s;
    struct lore_err err = {0};

    assert_int_equal(lore_session_read(&x->fake->cli, &s, &err), LORE_OK);
    return s.head;
}

static void
an_attempt_carries_the_session_and_no_parent(void **state)
{
    struct fixture *x = *state;

    run(x, START);
    assert_says(fake_out(x->fake), "session on rope_kv: cuda, h100, B=8\n");
    run(x, "try|float4 loads|--time|81us");
    assert_says(x->fake->sent,
        "{\"session\":\"01J00000000000000000000009\",\"change\":\"float4 loads\","
        "\"time\":\"81us\"}");
    assert_null(head(x));
}

static void
a_session_is_found_from_directories_below(void **state)
{
    struct fixture *x = *state;

    run(x, START);
    assert_int_equal(mkdir("below", 0700), 0);
    assert_int_equal(chdir("below"), 0);
    run(x, "try|float4 loads|--time|81us");
    assert_says(x->fake->sent, "01J00000000000000000000009");
    assert_int_equal(chdir(".."), 0);
}

static void
starting_twice_is_one_session_and_another_kernel_is_refused(void **state)
{
    struct fixture *x = *state;

    run(x, START);
    const char *first = x->fake->sent;
    run(x, START);
    assert_string_equal(x->fake->sent, first);
    assert_int_equal(fake_run(x->fake, "session|start|softmax"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "a session on rope_kv is open here");
    assert_says(fake_err(x->fake), "warplore session end");
}

static void
a_kept_loss_is_the_next_parent_until_its_line_wins(void **state)
{
    struct fixture *x = *state;

    run(x, START);
    run(x, "try|detour|--time|90us|--keep");
    assert_string_equal(head(x), "v1");
    assert_says(fake_out(x->fake), "the next attempt starts from v1");
    run(x, "try|lost again|--time|95us");
    assert_says(x->fake->sent, "\"head\":\"v1\"");
    assert_string_equal(head(x), "v1");
    x->fake->rows = elsewhere;
    run(x, "try|from v0|--time|85us");
    assert_string_equal(head(x), "v1");
    x->fake->rows = won; /* faster than v1, and not the champion */
    run(x, "try|better|--time|85us");
    assert_string_equal(head(x), "v2");
    x->fake->rows = best;
    run(x, "try|best|--time|60us");
    assert_null(head(x));
}

static void
an_ended_session_takes_no_attempt_and_ends_once(void **state)
{
    struct fixture *x = *state;

    run(x, START);
    run(x, "session|end");
    assert_says(fake_out(x->fake), "ended the session on rope_kv");
    size_t asked = x->fake->n_asked;
    run(x, "session|end");
    assert_says(fake_out(x->fake), "has ended");
    assert_int_equal(x->fake->n_asked, asked);
    assert_int_equal(fake_run(x->fake, "try|late|--time|1us"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "no session is open here");
    run(x, START); /* a new one */
    assert_null(head(x));
}

/* The answers to command lines that people know from other tools, and to misspelt ones. */
static void
a_refused_command_line_says_how_to_write_it(void **state)
{
    static const struct {
        const char *words, *said;
    } cases[] = {{"session|start|--kernel|X", "the kernel needs no option: warplore session start"},
        {"try|x|--runtime|210us", "did you mean --time?"},
        {"try|x|--correct|pass", "did you mean --checked-against?"},
        {"try|x|--status|failed", "did you mean --error?"},
        {"try|x|--tag|foo", "did you mean --label?"},
        {"try|x|--params|block|128", "hint: --params block=128\n"},
        {"try|--params|block|128|x", "hint: --params block=128\n"},
        {"try|x|--time|77.0|us", "hint: --time 77.0us\n"},
        {"try|x|--time|77us|y", "\"y\" is one word too many"},
        {"list|--status|failed", "did you mean --effect?"},
        {"history|--sort|time", "hint: warplore help history\n"}, {"hist", "did you mean history?"},
        {"champion", "warplore frontier KERNEL"}, {"best", "warplore latest KERNEL"}};
    struct fixture *x = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_buf_reset(&x->fake->cli.err);
        assert_int_equal(fake_run(x->fake, cases[i].words), LORE_EXIT_USAGE);
        if (!strstr(fake_err(x->fake), cases[i].said))
            fail_msg("%s: %s", cases[i].words, fake_err(x->fake));
    }
    assert_null(strstr(fake_err(x->fake), "hint:"));
}

#define K "01J00000000000000000000008"
#define HERE "?workload=0123456789abcdef0123456789abcdef&chip=h100"

/* What is asked by command lines that leave out what the session says, or say it themselves. */
static void
commands_take_from_the_session_what_they_leave_out(void **state)
{
    static const struct {
        const char *words, *asked;
    } cases[] = {{"history", "/api/v1/kernels/" K "/history" HERE},
        {"show|v8", "/api/v1/records/" K "%3Av8"},
        {"compare|v1|champion", "/api/v1/versions/" K "%3Av1/compare/" K "%3Achampion?workload="},
        {"diagnose|last", "/api/v1/runs/" K "%3Alast"},
        {"check-idea|wider", "/api/v1/check-idea?text=wider&kernel=" K
                             "&chip=h100&workload=0123456789abcdef0123456789abcdef"},
        {"check-idea|wider|--from|v3",
            "/api/v1/check-idea?text=wider&kernel=" K "&chip=h100"
            "&workload=0123456789abcdef0123456789abcdef&from=" K "%3Av3"},
        {"check-idea|wider|-o|gemm", "/api/v1/check-idea?text=wider&operator=gemm"},
        {"recommend", "/api/v1/recommend?operator=rope&language=cuda&chip=h100&dims=B%3D8"},
        {"recommend|-c|h200", "/api/v1/recommend?operator=rope&language=cuda&chip=h200&dims="},
        {"recommend|-o|gemm", "/api/v1/recommend?operator=gemm"},
        {"brief", "/api/v1/brief?kernel=" K "&session="},
        {"brief|--max-bytes|900|softmax", "/api/v1/brief?kernel=softmax&max_bytes=900"},
        {"failures", "/api/v1/failures?kernel=" K}, {"failures|--all", "/api/v1/failures"},
        {"history|softmax", "/api/v1/kernels/softmax/history"},
        {"show|softmax", "/api/v1/records/softmax"}};
    struct fixture *x = *state;

    run(x, START);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        x->fake->n_asked = 0;
        (void)fake_run(x->fake, cases[i].words);
        if (!lore_starts(x->fake->asked[0], cases[i].asked) ||
            (strstr(cases[i].words, "--all") && strstr(x->fake->asked[0], K)) ||
            (!strstr(cases[i].asked, "h100") && strstr(x->fake->asked[0], "h100") &&
                !strstr(cases[i].words, "compare") && !strstr(cases[i].asked, "session=")))
            fail_msg("%s: %s", cases[i].words, x->fake->asked[0]);
    }
}

static void
without_a_session_a_kernel_is_asked_for(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "history"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "history: which kernel? no session is open here");
    assert_int_equal(fake_run(x->fake, "compare|v1|v2"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "v1: of which kernel? KERNEL:v1, or start a session");
    assert_int_equal(fake_run(x->fake, "compare|tile_128|v2:x"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "tile_128: neither a version");
    assert_int_equal(x->fake->n_asked, 0);
}

static void
a_message_says_the_kernels_name(void **state)
{
    static const struct fake_row missing[] = {
        {"/api/v1/kernels", 404, "{\"detail\":\"" K ":v9: no such version\"}"}, {NULL, 0, NULL}};
    struct fixture *x = *state;

    run(x, START);
    x->fake->rows = missing;
    assert_int_equal(fake_run(x->fake, "history"), LORE_EXIT_NO);
    assert_says(fake_err(x->fake), "warplore: rope_kv:v9: no such version\n");
}

static void
a_damaged_file_is_named(void **state)
{
    struct fixture *x = *state;

    run(x, START);
    assert_int_equal(lore_file_write(".warplore/session.json", "{", 1, 0600, NULL), LORE_OK);
    assert_int_equal(fake_run(x->fake, "try|x|--time|1us"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), ".warplore/session.json: ");
}

#define CASE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_attempt_carries_the_session_and_no_parent),
        CASE(a_session_is_found_from_directories_below),
        CASE(starting_twice_is_one_session_and_another_kernel_is_refused),
        CASE(a_kept_loss_is_the_next_parent_until_its_line_wins),
        CASE(an_ended_session_takes_no_attempt_and_ends_once),
        CASE(a_refused_command_line_says_how_to_write_it),
        CASE(commands_take_from_the_session_what_they_leave_out),
        CASE(without_a_session_a_kernel_is_asked_for),
        CASE(a_message_says_the_kernels_name),
        CASE(a_damaged_file_is_named),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
