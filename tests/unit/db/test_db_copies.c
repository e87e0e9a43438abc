// uses: verdicts
// The same measurement in two places: which runs and experiments are copies of which.
#include "db/experiment_list.h"
#include "db/standing.h"
#include "tests/unit/db_fixture.h"

#define SHAPE "'workload':{'dims':{'M':64},'dtype':'f32'}"
#define SAMPLED "'samples_ns':[200,210,190]"

/* A place: kernel K<N> of PROJECT (may be empty), its version V<N> with VERSION's members. */
static void
place(struct fixture *f, char n, const char *project, const char *version)
{
    take(f, lore_format(&f->arena, "D%c", n),
        lore_format(&f->arena,
            "'kernels':[{'id':'@K%c','operator':'softmax','name':'row','language':'cuda'%s}],"
            "'versions':[{'id':'@V%c','kernel':'@K%c','kind':'candidate','label':'v1'%s}]",
            n, *project ? lore_format(&f->arena, ",'project':'%s'", project) : "", n, n, version));
}

#define SOURCE(file, text) ",'sources':[{'file':'" file "','text':'" text "'}]"

/* Run R<N> of version V<N> on CHIP, with MORE members; EXTRA: further lists of the document. */
static void
measured(struct fixture *f, char n, const char *chip, const char *more, const char *extra)
{
    take(f, lore_format(&f->arena, "E%c", n),
        lore_format(&f->arena, "'runs':[{'id':'@R%c','version':'@V%c','chip':'%s'," SHAPE ",%s}]%s",
            n, n, chip, more, extra));
}

/* All copies, as "R2:R1 …". */
static const char *
copies(struct fixture *f)
{
    LORE_STMT q = lore_sql(f->db, "SELECT record, original FROM drv_copy ORDER BY record");
    const char *text = "";

    while (lore_row(&q))
        text = lore_format(&f->arena, "%s%s%s:%s", text, *text != '\0' ? " " : "",
            lore_col_text(&q, 0, &f->arena) + 24, lore_col_text(&q, 1, &f->arena) + 24);
    ok(f, lore_done(&q, &f->err));
    return text;
}

static void
the_same_source_workload_chip_and_samples_are_known_as_the_same(void **state)
{
    struct fixture *f = *state;

    place(f, '1', "team/a", SOURCE("row.cu", "x"));
    place(f, '2', "team/b", SOURCE("other.cu", "x")); /* the file was renamed */
    place(f, '3', "", SOURCE("row.cu", "x"));
    measured(f, '1', "h200", SAMPLED, "");
    measured(f, '2', "h200", SAMPLED, "");
    measured(f, '3', "h200", SAMPLED, "");
    assert_string_equal(copies(f), "R2:R1 R3:R1");
    assert_int_equal(count(f, "fact_kernel"), 3);
    assert_int_equal(count(f, "run_copies"), 2);
}

static void
whatever_differs_makes_another_measurement(void **state)
{
    static const struct {
        const char *version, *chip, *run;
    } others[] = {{SOURCE("row.cu", "y"), "h200", SAMPLED},
        {SOURCE("row.cu", "x") ",'params':{'tile':2}", "h200", SAMPLED},
        {SOURCE("row.cu", "x"), "mi300x", SAMPLED},
        {SOURCE("row.cu", "x"), "h200", "'samples_ns':[210,200,190]"}, /* another order */
        {SOURCE("row.cu", "x"), "h200", "'samples_ns':[200]"},
        {SOURCE("row.cu", "x"), "h200", "'summary':{'median_ns':200}"}};
    struct fixture *f = *state;

    place(f, '0', "team/a", SOURCE("row.cu", "x"));
    measured(f, '0', "h200", SAMPLED, "");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        place(f, (char)('1' + i), "team/b", others[i].version);
        measured(f, (char)('1' + i), others[i].chip, others[i].run, "");
    }
    assert_string_equal(copies(f), "");
}

static void
stated_times_and_single_samples_must_come_from_the_same_file(void **state)
{
    struct fixture *f = *state;
    const char *stated = "'summary':{'median_ns':200}";
    const char *file = ",'artifacts':[{'name':'bench.json','text':'{}'}]";

    for (char n = '1'; n <= '3'; n++)
        place(f, n, lore_format(&f->arena, "team/%c", n), SOURCE("row.cu", "x"));
    measured(f, '1', "h200", stated, file);
    measured(f, '2', "h200", stated, "");
    measured(f, '3', "h200", stated, file);
    assert_string_equal(copies(f), "R3:R1");
}

static void
without_sources_the_names_of_two_projects_kernels_and_versions_decide(void **state)
{
    struct fixture *f = *state;

    place(f, '1', "team/a", "");
    place(f, '2', "team/b", "");
    place(f, '3', "team/c", ",'tag':'other'");
    place(f, '4', "", "");
    for (char n = '1'; n <= '4'; n++)
        measured(f, n, "h200", SAMPLED, "");
    assert_string_equal(copies(f), "R2:R1");
}

#define EXPERIMENT(n, claim)                                                                       \
    ",'experiments':[{'id':'@X" n "','kernel':'@K" n "','to_version':'@V" n                        \
    "','chip':'h200'," SHAPE ",'techniques':[{'name':'fusion'}],'runs_after':['@R" n               \
    "'],'claim':{'speedup':" claim "}}]"

static int64_t
counted(struct fixture *f, int masked)
{
    struct lore_experiment_filter by = {.disagrees = -1, .masked = masked, .op = "softmax"};
    int64_t total = 0;

    ok(f, lore_count_total(f->db, &by, &total, &f->err));
    return total;
}

static void
put_experiments(struct fixture *f)
{
    place(f, '1', "team/a", SOURCE("row.cu", "x"));
    place(f, '2', "team/b", SOURCE("row.cu", "x"));
    place(f, '3', "team/c", SOURCE("row.cu", "x"));
    measured(f, '1', "h200", SAMPLED, EXPERIMENT("1", "1.2"));
    measured(f, '2', "h200", SAMPLED, EXPERIMENT("2", "1.2"));
    measured(f, '3', "h200", SAMPLED, EXPERIMENT("3", "1.3"));
}

static void
an_experiment_is_a_copy_when_it_states_the_same_and_its_runs_are_copies(void **state)
{
    struct fixture *f = *state;
    const char *why = NULL;

    put_experiments(f);
    assert_string_equal(copies(f), "R2:R1 R3:R1 X2:X1");
    assert_int_equal(counted(f, LORE_NO_COPIES), 2);
    assert_int_equal(counted(f, 0), 2);
    assert_int_equal(counted(f, 1), 0);
    assert_int_equal(counted(f, -1), 3);
    ok(f, lore_db_get_hidden_why(f->db, id(f, "X2"), &why, &f->err));
    assert_string_equal(why, "copy");
}

static void
a_copy_counts_while_its_original_is_retracted(void **state)
{
    struct fixture *f = *state;

    put_experiments(f);
    take(f, "F1", "'curations':[{'id':'@C1','action':'retract','subjects':['@X1'],'reason':'no'}]");
    assert_int_equal(counted(f, 0), 2); /* X2 and X3 */
    assert_int_equal(count(f, "experiment_copies"), 0);
    take(
        f, "F2", "'curations':[{'id':'@C2','action':'retract','subjects':['@C1'],'reason':'yes'}]");
    assert_int_equal(counted(f, 0), 2); /* X1 and X3 */
    assert_int_equal(count(f, "experiment_copies"), 1);
}

static void
a_rebuild_and_an_old_database_find_the_same_copies(void **state)
{
    struct fixture *f = *state;
    struct lore_rebuilt done;
    const char *before;

    put_experiments(f);
    before = copies(f);
    ok(f, lore_db_exec(f->db, "DELETE FROM drv_copy; DELETE FROM drv_content", &f->err));
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    assert_string_equal(copies(f), before);
    assert_int_equal(counted(f, 0), 2);
    ok(f, lore_db_exec(f->db,
              "DROP TABLE log_journal; DROP TABLE log_journal_tail; DROP TABLE fact_profile;"
              " DROP INDEX fact_hypothesis_operator;"
              " ALTER TABLE fact_hypothesis DROP COLUMN operator;"
              " ALTER TABLE drv_experiment_entry DROP COLUMN dated;"
              " DROP TABLE drv_behind; DROP INDEX fact_experiment_stated;"
              " DROP INDEX fact_experiment_to_version; DROP TABLE drv_version_shown;"
              " ALTER TABLE drv_outcome DROP COLUMN gain; DROP TABLE drv_limit; ALTER TABLE "
              "drv_curated DROP COLUMN beyond;"
              " ALTER TABLE drv_run_entry DROP COLUMN labels_derived;"
              " ALTER TABLE drv_run_entry DROP COLUMN disputes;"
              " ALTER TABLE drv_experiment DROP COLUMN disputes;"
              " DROP TABLE drv_sweep_witness; DROP TABLE drv_sweep; DROP TABLE fact_sweep;"
              "DROP TABLE drv_copy; DROP TABLE drv_content;"
              " UPDATE drv_experiment SET masked = 0; PRAGMA user_version = 17",
              &f->err));
    lore_db_close(f->db);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    assert_string_equal(copies(f), before);
    assert_int_equal(counted(f, 0), 2);
}

/* Experiment X<N>, from version V<A> to V<B> of kernel K1, that states both times. */
static const char *
stating(struct fixture *f, char n, char a, char b, const char *more, const char *times)
{
    return lore_format(&f->arena,
        "{'id':'@X%c','kernel':'@K1','from_version':'@V%c','to_version':'@V%c'," SHAPE
        ",'evidence':'imported','techniques':[{'name':'fusion'}],%s'claim':{%s}}",
        n, a, b, more, times);
}

static void
precise_times_stated_twice_for_one_kernel_and_idea_are_one_measurement(void **state)
{
    static const char precise[] = "'latency_before_ns':145868.8,'latency_after_ns':102451.2";
    static const char rounded[] = "'latency_before_ns':145800,'latency_after_ns':102400";
    struct fixture *f = *state;

    take(f, "D1",
        "'kernels':[{'id':'@K1','operator':'softmax','name':'row','language':'cuda'}],"
        "'versions':[{'id':'@V1','kernel':'@K1','kind':'candidate'},{'id':'@V2','kernel':'@K1','"
        "kind':'candidate'},"
        "{'id':'@V3','kernel':'@K1','kind':'candidate'},{'id':'@V4','kernel':'@K1','kind':'"
        "candidate'}]");
    take(f, "E1",
        lore_format(&f->arena, "'experiments':[%s,%s]", stating(f, '1', '1', '2', "", precise),
            stating(f, '2', '1', '2', "'title':'x',", rounded)));
    take(f, "E2",
        lore_format(&f->arena, "'experiments':[%s,%s,%s,%s]",
            stating(f, '3', '3', '4', "", precise),
            stating(f, '4', '3', '4', "'title':'x',", rounded),
            stating(f, '5', '3', '4', "'title':'another idea',", precise),
            stating(f, '6', '3', '4', "'chip':'h200',", precise)));
    assert_string_equal(copies(f), "X3:X1");
    assert_int_equal(counted(f, 0), 5);
    ok(f, lore_db_exec(f->db, "DELETE FROM drv_copy; DELETE FROM drv_content", &f->err));
    ok(f, lore_verdicts_rebuild(f->db, NOW, &(struct lore_rebuilt){0}, &f->err));
    assert_string_equal(copies(f), "X3:X1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_source_workload_chip_and_samples_are_known_as_the_same),
        TEST(whatever_differs_makes_another_measurement),
        TEST(stated_times_and_single_samples_must_come_from_the_same_file),
        TEST(without_sources_the_names_of_two_projects_kernels_and_versions_decide),
        TEST(an_experiment_is_a_copy_when_it_states_the_same_and_its_runs_are_copies),
        TEST(a_copy_counts_while_its_original_is_retracted),
        TEST(a_rebuild_and_an_old_database_find_the_same_copies),
        TEST(precise_times_stated_twice_for_one_kernel_and_idea_are_one_measurement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
