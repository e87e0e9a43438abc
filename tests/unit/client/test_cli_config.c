// uses: client
/* Where the service is, who we are, and when a token may travel. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/file.h"
#include "tests/unit/cli_fake.h"

static const struct fake_row rows[] = {
    {"/healthz", 200,
        "{\"status\":\"reads_only\",\"version\":\"" WARPLORE_VERSION
        "\",\"schema\":1,\"storage\":\"damaged\",\"last_backup_at\":\"2020-01-02T03:04:05Z\"}"},
    {"/readyz", 200, "{\"status\":\"ready\",\"lag_ms\":500,\"unsynced\":17}"},
    {"/api/v1/me", 200, "{\"actor\":\"ada\",\"role\":\"curator\"}"},
    {"/api/v1/stats", 200,
        "{\"totals\":{\"alarms\":1},\"alarms\":[{\"campaign\":\"C1\",\"label\":\"run_1\","
        "\"arrived\":2,\"expected_records\":3,\"why\":\"quiet\"}]}"},
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
    (void)snprintf(x->folder, sizeof x->folder, "%s", "/tmp/test_cli_config.XXXXXX");
    if (!mkdtemp(x->folder))
        return -1;
    (void)clean_environment(state);
    setenv("XDG_CONFIG_HOME", x->folder, 1);
    return mkdir(lore_format(&x->fake->arena, "%s/warplore", x->folder), 0700);
}

static int
teardown(void **state)
{
    static const char *const names[] = {"warplore/config.yaml", "warplore", "token", "status.json"};
    struct fixture *x = *state;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(lore_format(&x->fake->arena, "%s/%s", x->folder, names[i]));
    (void)rmdir(x->folder);
    fake_free(x->fake);
    test_free(x);
    return 0;
}

static const char *
put(struct fixture *x, const char *name, const char *text, int mode)
{
    const char *path = lore_format(&x->fake->arena, "%s/%s", x->folder, name);

    assert_int_equal(lore_file_write(path, text, strlen(text), mode, NULL), LORE_OK);
    return path;
}

static void
later_sources_win(void **state)
{
    struct fixture *x = *state;
    struct fake *f = x->fake;
    const char *file = put(x, "token", "wl_file\n", 0600);

    assert_int_equal(fake_run(f, "stats"), 0);
    assert_string_equal(f->cli.config.url, "http://127.0.0.1:8787");
    assert_null(f->token);
    (void)put(x, "warplore/config.yaml", "url: https://a.example/\ntoken: wl_config\nauthor: ada\n",
        0600);
    assert_int_equal(fake_run(f, "stats"), 0);
    assert_string_equal(f->cli.config.url, "https://a.example");
    assert_string_equal(f->token, "wl_config");
    assert_string_equal(f->cli.config.author, "ada");
    setenv("WARPLORE_URL", "https://b.example", 1);
    setenv("WARPLORE_TOKEN", "wl_env", 1);
    assert_int_equal(fake_run(f, "stats"), 0);
    assert_string_equal(f->cli.config.url, "https://b.example");
    assert_string_equal(f->token, "wl_env");
    assert_int_equal(
        fake_run(f, lore_format(&f->arena, "stats|--url|https://c.example|--token-file|%s", file)),
        0);
    assert_string_equal(f->cli.config.url, "https://c.example");
    assert_string_equal(f->token, "wl_file");
}

static void
an_unknown_setting_is_named_with_the_nearest(void **state)
{
    struct fixture *x = *state;

    (void)put(x, "warplore/config.yaml", "tokn: wl_secret\n", 0600);
    assert_int_equal(fake_run(x->fake, "stats"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake),
        "warplore/config.yaml: tokn: unknown setting\n  hint: did you mean token?");
    assert_null(strstr(fake_err(x->fake), "wl_secret"));
}

static void
a_token_never_travels_in_clear(void **state)
{
    static const struct {
        const char *url;
        bool may;
    } cases[] = {{"http://127.0.0.1:8787", true}, {"http://127.8.9.1", true},
        {"http://localhost:1", true}, {"http://[::1]:8787", true}, {"https://db.example", true},
        {"http://db.example:8787", false}, {"http://127.0.0.1.evil.example", false},
        {"http://127.0.0.1@evil.example", false}, {"http://localhost.evil.example", false},
        {"http://10.0.0.1", false}, {"http://[::2]", false}, {"http://127.0.0.300", false},
        {"HTTP://db.example", false}, {"Http://db.example", false}, {"db.example:8787", false},
        {" http://db.example", false}, {"", false}};
    struct fixture *x = *state;

    setenv("WARPLORE_TOKEN", "wl_secret", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_err err = {0};
        if ((lore_config_may_send(cases[i].url, &err) == LORE_OK) != cases[i].may)
            fail_msg("%s", cases[i].url);
    }
    assert_int_equal(fake_run(x->fake, "stats|--url|http://db.example:8787"), LORE_EXIT_USAGE);
    assert_says(
        fake_err(x->fake), "db.example: a token is not sent to another machine over plain http");
    assert_int_equal(x->fake->n_asked, 0);
}

static void
doctor_says_what_is_set_and_never_the_token(void **state)
{
    struct fixture *x = *state;

    (void)put(x, "warplore/config.yaml", "token: wl_secret\n", 0644);
    assert_int_equal(fake_run(x->fake, "doctor"), 0);
    assert_says(fake_out(x->fake), "others can read");
    assert_says(fake_out(x->fake), "warplored " WARPLORE_VERSION ", schema 1");
    assert_says(fake_out(x->fake), "curator, as ada");
    assert_says(
        fake_out(x->fake), "2 of 3 experiments arrived: run_1 (nothing came for 24 hours), C1");
    assert_null(strstr(fake_out(x->fake), "wl_secret"));
    assert_says(fake_out(x->fake), "the service only reads; restore a backup");
    assert_says(fake_out(x->fake), "2020-01-02T03:04:05Z");
    assert_says(
        fake_out(x->fake), "its disk may be 500 ms behind; now 17 entries are not on it yet");
    lore_buf_reset(&x->fake->cli.out);
    assert_int_equal(fake_run(x->fake, "doctor|--json"), 0);
    assert_says(fake_out(x->fake), "{\"checks\":[{\"check\":\"client\",\"ok\":true,");
    assert_says(fake_out(x->fake), "{\"check\":\"token\",\"ok\":false,");
    assert_says(fake_out(x->fake), "}]}\n");
    x->fake->rows = NULL;
    assert_int_equal(fake_run(x->fake, "doctor"), LORE_EXIT_UNREACHABLE);
}

static void
doctor_says_what_is_wrong_with_a_gpu_host(void **state)
{
    struct fixture *x = *state;
    const char *note = "{\"at\":\"2026-11-21T10:00:00Z\",\"ok\":false,\"error\":\"no route\"}";

    setenv("WARPLORE_FAKE", "device name=\"NVIDIA H200\" units=132 cc=9.0 driver=580.1\n", 1);
    setenv("WARPLORE_STATE", x->folder, 1);
    (void)fake_run(x->fake, "doctor"); /* whether a capture library lies beside this test is open */
    assert_says(fake_out(x->fake), "ok  gpu           NVIDIA H200 (h200), driver 580.1\n");
    assert_says(fake_out(x->fake), "capture       ");
    assert_says(fake_out(x->fake), "ok  spool         nothing was collected in ");
    assert_says(fake_out(x->fake), "no  agent         not enrolled and no token");
    lore_buf_reset(&x->fake->cli.out);
    (void)put(x, "status.json", note, 0600);
    assert_int_equal(fake_run(x->fake, "doctor"), LORE_EXIT_NO);
    assert_says(
        fake_out(x->fake), "no  delivery      the last delivery, 2026-11-21T10:00:00Z: no route");
    unsetenv("WARPLORE_FAKE");
    unsetenv("WARPLORE_STATE");
}

static void
an_address_without_a_scheme_is_refused(void **state)
{
    struct fixture *x = *state;

    assert_int_equal(fake_run(x->fake, "stats|--url|db.example:8787"), LORE_EXIT_USAGE);
    assert_says(fake_err(x->fake), "must begin with http:// or https://");
    assert_says(fake_err(x->fake), "did you mean http://db.example:8787?");
}

#define CASE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(later_sources_win),
        CASE(an_unknown_setting_is_named_with_the_nearest),
        CASE(a_token_never_travels_in_clear),
        CASE(doctor_says_what_is_set_and_never_the_token),
        CASE(doctor_says_what_is_wrong_with_a_gpu_host),
        CASE(an_address_without_a_scheme_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
