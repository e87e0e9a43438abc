// uses: client
/* What people see: canned answers of the service, rendered. */
#include "tests/unit/cli_fake.h"

#include "collectors/client/screen/print.h"

static const char recommend_body[] =
    "{\"question\":{\"operator\":\"softmax\",\"family\":\"norm\",\"language\":\"cuda\",\"chip\":{"
    "\"name\":\"sm_86\"},"
    "\"bottleneck\":[\"memory\"],\"workload\":null},\"summary\":\"Two experiments on softmax bear "
    "on this.\",\"empty\":false,"
    "\"advice\":[{\"technique\":\"memory.vectorized_access\",\"title\":\"Wide "
    "loads\",\"p_win\":{\"value\":0.7,\"low\":0.4,\"high\":0.9},"
    "\"gain\":{\"value\":1.3,\"low\":1.0,\"high\":1.9},\"tried\":3,\"won\":2,\"neutral\":0,"
    "\"lost\":1,\"inconclusive\":0,"
    "\"not_measured\":0,\"travel\":{\"nearest\":\"same chip\",\"counts\":{\"same "
    "chip\":2}},\"same_operator\":true,"
    "\"same_family\":true,\"contested\":true,\"why\":\"It won twice here.\","
    "\"evidence\":[{\"experiment\":\"01J00000000000000000000001\",\"operator\":\"softmax\","
    "\"language\":\"cuda\",\"chip\":\"sm_86\","
    "\"effect\":\"win\",\"correctness\":\"pass\",\"process\":\"broken\",\"evidence\":\"imported\","
    "\"speedup\":1.34}]},{\"technique\":\"pad_it\",\"title\":\"pad_it\",\"p_win\":{\"value\":0.5},"
    "\"tried\":3,\"won\":2,\"lost\":1,\"same_operator\":true,\"tried_here\":0,"
    "\"travel\":{\"nearest\":\"same ISA\"}}],"
    "\"avoid\":[{\"technique\":\"memory.smem_padding\",\"tried\":1,\"won\":0,\"lost\":1,\"why\":"
    "\"It lost on this chip.\","
    "\"evidence\":[{\"experiment\":\"01J00000000000000000000002\"}]}],"
    "\"untried\":[{\"technique\":\"memory.l2_swizzle\",\"summary\":\"Reorders "
    "blocks.\"}],\"similar\":[],\"insights\":[{\"id\":\"01J00000000000000000000003\","
    "\"kind\":\"anti_strategy\",\"title\":\"Do not pad\",\"body\":\"It never paid.\"}]}";

static const char empty_body[] =
    "{\"question\":{\"operator\":\"frobnicate\",\"family\":null,\"language\":null,\"chip\":null,"
    "\"bottleneck\":[]},"
    "\"summary\":\"The memory holds nothing that bears on "
    "this.\",\"empty\":true,\"advice\":[],\"avoid\":[],\"untried\":[]}";

static const char list_body[] = "{\"rows\":[{\"id\":\"01J00000000000000000000001\",\"title\":\"t\","
                                "\"operator\":\"softmax\",\"language\":\"cuda\",\"chip\":null,"
                                "\"techniques\":[{\"name\":\"memory.a\"},{\"name\":\"sync.b\"}],"
                                "\"labels\":[\"memory\",\"sync\"],\"evidence\":\"imported\","
                                "\"outcome\":{\"effect\":\"win\",\"speedup\":1.7748,"
                                "\"correctness\":\"not_checked\",\"process\":\"broken\"}}],"
                                "\"next\":\"abc\",\"total\":7}";

static const struct fake_row rows[] = {
    {"/api/v1/recommend", 200, recommend_body},
    {"/api/v1/recommend?operator=frobnicate", 200, empty_body},
    {"/api/v1/experiments", 200, list_body},
    {"/api/v1/kernels", 200, "{\"rows\":[],\"next\":null}"},
    {"/api/v1/runs?chip=H800", 200,
        "{\"rows\":[{\"id\":\"01J00000000000000000000004\",\"chip\":\"h800-pcie\"},"
        "{\"id\":\"01J00000000000000000000005\",\"chip\":\"h800-pcie\"}],\"next\":null}"},
    {"/api/v1/runs?chip=h100-sxm", 200, "{\"rows\":[],\"next\":null}"},
    {"/api/v1/search", 200,
        "{\"rows\":[{\"kind\":\"experiment\",\"id\":\"01J00000000000000000000001\",\"title\":"
        "\"evil \\u001b[2J\\u202e\",\"snippet\":\"a \\u0002hit\\u0003 "
        "b\",\"rank\":1}],\"next\":null}"},
    {"/api/v1/chips", 403,
        "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"chips: needs a "
        "reader\",\"hint\":\"ask for a token\"}"},
    {"/api/v1/stats", 500, "{\"detail\":\"the disk is \\u001b[2Jfull\"}"},
    {"/api/v1/leaderboard", 200, "not json"},
    {"/api/v1/experiments/01J00000000000000000000009", 404, "{\"detail\":\"no\"}"},
    {"/api/v1/runs/01J00000000000000000000009", 200,
        "{\"id\":\"01J00000000000000000000009\",\"operator\":\"gemm\",\"stats\":{\"n\":3,\"median_"
        "ns\":17000.5}}"},
    {NULL, 0, NULL},
};

static void
advice_reads_like_a_colleague_and_fits_a_screen(void **state)
{
    struct fake *f = *state;

    assert_int_equal(
        fake_run(f,
            "recommend|--operator|softmax|--language|cuda|--chip|sm_86|--bottleneck|memory-bound"),
        0);
    assert_string_equal(f->asked[0],
        "/api/v1/recommend?operator=softmax&language=cuda&chip=sm_86&bottleneck=memory-bound"
        "&explain=true");
    assert_says(fake_out(f), "softmax (norm) in cuda on sm_86, memory-bound");
    assert_says(fake_out(f), "Two experiments on softmax bear on this.");
    assert_says(fake_out(f), "1. memory.vectorized_access  Wide loads");
    assert_says(fake_out(f), "wins 70 % (40-90 %), expect 1.30x (1.00-1.90x); this operator, same "
                             "chip; mixed results\n    It won twice here.\n");
    assert_says(
        fake_out(f), "01J00000000000000000000001  win 1.34x, rule broken: softmax on sm_86 [cuda]");
    assert_says(fake_out(f), "2. pad_it\n    wins 50 %; tried 3 times: 2 won, 1 lost; this "
                             "operator on other chips, other operators on the\n    same ISA");
    assert_says(fake_out(f), "  01J00000000000000000000003  trap: Do not pad");
    assert_says(
        fake_out(f), "memory.smem_padding: It lost on this chip. See 01J00000000000000000000002");
    assert_says(fake_out(f), "memory.l2_swizzle: Reorders blocks.");
    assert_true(lines_of(fake_out(f)) < 40);
}

static void
no_line_is_wider_than_the_terminal(void **state)
{
    struct fake *f = *state;

    f->cli.width = 80;
    assert_int_equal(fake_run(f, "recommend|-o|softmax"), 0);
    for (const char *p = fake_out(f); *p;) {
        size_t n = strcspn(p, "\n");
        assert_true(lore_print_width(lore_strndup(&f->arena, p, n)) <= 80);
        p += n + (p[n] == '\n');
    }
}

static void
an_empty_memory_says_so_and_is_no_failure(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "recommend|--operator|frobnicate"), 0);
    assert_string_equal(fake_out(f), "frobnicate\nThe memory holds nothing that bears on this.\n");
}

static void
a_list_is_a_table_and_says_how_to_go_on(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|--operator|softmax|--effect|win"), 0);
    assert_string_equal(f->asked[0], "/api/v1/experiments?operator=softmax&effect=win");
    assert_says(fake_out(f), "01J00000000000000000000001  softmax   cuda      memory+sync  "
                             "win 1.77x, rule broken  imported  t\n");
    assert_says(fake_out(f), "1 of 7\nmore: --cursor abc\n");
}

static void
a_narrow_terminal_cuts_the_flexible_columns(void **state)
{
    struct fake *f = *state;

    f->cli.width = 80;
    assert_int_equal(fake_run(f, "list"), 0);
    assert_says(fake_out(f), "…");
    assert_says(fake_out(f), "01J00000000000000000000001");
}

static void
an_empty_list_is_an_answer(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|kernels"), LORE_EXIT_OK);
    assert_string_equal(fake_out(f), "no kernels\n");
}

static void
a_list_says_which_variants_of_a_chip_it_has(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|runs|-c|H800"), LORE_EXIT_OK);
    assert_says(fake_out(f), "\nH800 covers its variants: h800-pcie\n");
    assert_int_equal(fake_run(f, "list|runs|-c|h100-sxm"), LORE_EXIT_OK);
    assert_says(
        fake_out(f), "no runs\nwhat does not say which h100 it ran on is listed by -c h100\n");
}

static void
a_list_is_sorted_by_the_titles_of_its_columns(void **state)
{
    struct fake *f = *state;

    (void)fake_run(f, "list|experiments|--sort|-outcome");
    assert_says(f->asked[f->n_asked - 1], "sort=-outcome.speedup");
    (void)fake_run(f, "list|runs|--sort|time|--since|7d|-a|kim");
    assert_says(f->asked[f->n_asked - 1], "sort=time_ns");
    assert_says(f->asked[f->n_asked - 1], "since=7d");
    assert_says(f->asked[f->n_asked - 1], "author=kim");
    (void)fake_run(f, "list|runs|--sort|measured_at");
    assert_says(f->asked[f->n_asked - 1], "sort=measured_at");
}

static void
a_filter_that_a_list_does_not_know_is_refused_here(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|kernels|--bottleneck|memory"), LORE_EXIT_USAGE);
    assert_says(fake_err(f), "--bottleneck: not a filter of kernels");
    assert_says(fake_err(f), "it takes --operator, --language, --project, --author, --since");
    assert_int_equal(fake_run(f, "list|techniques|--limit|5"), LORE_EXIT_USAGE);
    assert_says(fake_err(f), "it takes no filters");
    assert_int_equal(fake_run(f, "list|kernls"), LORE_EXIT_USAGE);
    assert_says(fake_err(f), "did you mean kernels?");
    assert_int_equal(f->n_asked, 0);
}

static void
stored_text_cannot_drive_the_terminal(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "search|a|b&c"), 0);
    assert_string_equal(f->asked[0], "/api/v1/search?words=a%20b%26c&limit=20");
    assert_null(strchr(fake_out(f), '\033'));
    assert_null(strstr(fake_out(f), "\xe2\x80\xae")); /* reads from right to left */
    assert_says(fake_out(f), "evil ?[2J");
    assert_says(fake_out(f), "a hit b");
}

static void
json_is_what_the_service_said(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|--json"), 0);
    assert_string_equal(fake_out(f), lore_format(&f->arena, "%s\n", list_body));
}

static void
each_kind_of_failure_has_its_exit_code(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "list|chips"), LORE_EXIT_REFUSED);
    assert_says(fake_err(f), "warplore: chips: needs a reader\n  hint: ask for a token");
    assert_int_equal(fake_run(f, "stats"), LORE_EXIT_SERVICE);
    assert_says(fake_err(f), "the disk is ?[2Jfull");
    assert_int_equal(fake_run(f, "leaderboard"), LORE_EXIT_SERVICE);
    assert_says(fake_err(f), "not JSON");
    assert_int_equal(fake_run(f, "list|insights"), LORE_EXIT_UNREACHABLE);
    assert_says(fake_err(f), "connection refused");
    assert_int_equal(fake_run(f, "lists"), LORE_EXIT_USAGE);
    assert_int_equal(fake_run(f, "show|nonsense"), LORE_EXIT_UNREACHABLE);
}

static void
show_tries_the_nouns_until_one_knows_the_id(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "show|01J00000000000000000000009"), 0);
    assert_int_equal(f->n_asked, 3); /* the last one asks for remarks on it */
    assert_says(f->asked[2], "/api/v1/curations?subject=01J00000000000000000000009");
    assert_says(fake_out(f), "run 01J00000000000000000000009");
    assert_says(fake_out(f), "n=3 median_ns=17000.5");
}

static void
export_is_markdown_with_tables_and_lessons(void **state)
{
    static const struct fake_row one[] = {
        {"/api/v1/experiments", 200,
            "{\"rows\":[{\"id\":\"01J00000000000000000000001\",\"operator\":\"softmax\","
            "\"language\":\"cuda\",\"happened_at\":\"2026-02-03T00:00:00Z\","
            "\"techniques\":[{\"name\":\"memory.a\"}],\"labels\":[\"memory\"],\"notes\":\"a | "
            "b\",\"outcome\":{\"effect\":\"win\",\"speedup\":1.5}}],\"next\":null}"},
        {NULL, 0, NULL}};
    struct fake *f = *state;

    f->rows = one;
    assert_int_equal(fake_run(f, "export|--markdown"), 0);
    assert_says(fake_out(f), "1 experiments: 1 won");
    assert_says(fake_out(f), "## softmax [cuda] (1 ✓ / 0 ✗)");
    assert_says(fake_out(f), "| 01J00000000000000000000001 | 2026-02-03 | — | — | memory | 1.50x | "
                             "memory.a | win 1.50x | a \\| b |");
    assert_says(
        fake_out(f), "- **softmax [cuda]**: 1.50x by memory.a (01J00000000000000000000001)");
}

static void
help_lists_every_command_and_its_options(void **state)
{
    struct fake *f = *state;

    assert_int_equal(fake_run(f, "help"), 0);
    for (const struct lore_cli_command *c = lore_commands; c->name; c++)
        assert_says(fake_out(f), c->name);
    assert_int_equal(fake_run(f, "record|--help"), 0);
    assert_says(fake_out(f), "--before TIME");
    assert_int_equal(f->n_asked, 0);
}

static void
numbers_read_as_engineers_write_them(void **state)
{
    struct fake *f = *state;

    assert_string_equal(lore_answer_show_ns(&f->cli, 432384), "432.4 us");
    assert_string_equal(lore_answer_show_ns(&f->cli, 1.5e6), "1.5 ms");
    assert_string_equal(lore_answer_show_ns(&f->cli, 12), "12 ns");
    assert_string_equal(lore_answer_show_factor(&f->cli, 1.7748), "1.77x");
    assert_string_equal(lore_answer_show_factor(&f->cli, 0.996), "0.996x");
    assert_string_equal(lore_answer_show_factor(&f->cli, 36.04), "36.0x");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(advice_reads_like_a_colleague_and_fits_a_screen),
        TEST(no_line_is_wider_than_the_terminal),
        TEST(an_empty_memory_says_so_and_is_no_failure),
        TEST(a_list_is_a_table_and_says_how_to_go_on),
        TEST(a_narrow_terminal_cuts_the_flexible_columns),
        TEST(an_empty_list_is_an_answer),
        TEST(a_list_says_which_variants_of_a_chip_it_has),
        TEST(a_list_is_sorted_by_the_titles_of_its_columns),
        TEST(a_filter_that_a_list_does_not_know_is_refused_here),
        TEST(stored_text_cannot_drive_the_terminal),
        TEST(json_is_what_the_service_said),
        TEST(each_kind_of_failure_has_its_exit_code),
        TEST(show_tries_the_nouns_until_one_knows_the_id),
        TEST(export_is_markdown_with_tables_and_lessons),
        TEST(help_lists_every_command_and_its_options),
        TEST(numbers_read_as_engineers_write_them),
    };
    return cmocka_run_group_tests(tests, clean_environment, NULL);
}
