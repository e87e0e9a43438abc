// uses: verdicts
// docs/schema.md is made from the comments of the migrations: stale when it says anything else.
// LORE_BLESS=1 writes it. Also: every table is STRICT and every column has a comment.
#include <ctype.h>
#include <glob.h>

#include "tests/unit/db_fixture.h"

static const char head[] =
    "# Schema\n\n"
    "Made from the comments in `migrations/` (`LORE_BLESS=1 build/test_db_schema`); do not "
    "edit.\n\n"
    "`cat_*` are catalogues, `fact_*` are facts and only ever grow, `drv_*` is derived from them "
    "and\n"
    "can be rebuilt, `log_*` is what the service noted of its own work and forgets after a while.\n"
    "Times are microseconds since 1970 UTC. SQLite lives in `db/` only.\n";

/* Where a line is: between tables, or inside the parentheses of one. */
struct walk {
    struct lore_buf out;
    char comment[2000]; /* of the lines above a CREATE */
    bool inside, fts;
};

static void
trim(char *s)
{
    size_t n = strlen(s);

    while (n > 0 && isspace((unsigned char)s[n - 1]))
        s[--n] = '\0';
}

static bool
starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* A cell of a table: `|` ends cells. */
static void
cell(struct lore_buf *out, const char *s)
{
    for (; *s != '\0'; s++) {
        if (*s == '|')
            lore_buf_putc(out, '\\');
        lore_buf_putc(out, *s);
    }
}

/* `    name TYPE constraints, -- comment` */
static void
column(struct walk *w, char *line)
{
    char *comment = strstr(line, "-- "), *name, *rest;

    if (comment) {
        *comment = '\0';
        comment += 3;
    }
    trim(line);
    if (line[strlen(line) - 1] == ',')
        line[strlen(line) - 1] = '\0';
    while (*line == ' ')
        line++;
    if (starts(line, "PRIMARY KEY") || starts(line, "UNIQUE")) {
        lore_buf_printf(&w->out, "| | | `%s` |\n", line);
        return;
    }
    if (starts(line, "tokenize"))
        return;
    name = line;
    rest = strchr(line, ' ');
    if (!comment)
        fail_msg("column %s has no comment", name);
    lore_buf_printf(
        &w->out, "| `%.*s` | ", rest != NULL ? (int)(rest - name) : (int)strlen(name), name);
    cell(&w->out, rest != NULL ? rest + 1 : "");
    lore_buf_puts(&w->out, " | ");
    cell(&w->out, comment);
    lore_buf_puts(&w->out, " |\n");
}

static void
table(struct walk *w, const char *line)
{
    const char *name = strstr(line, "TABLE ") + 6;

    if (w->comment[0] == '\0')
        fail_msg("%s has no comment", name);
    w->inside = true;
    w->fts = strstr(line, "VIRTUAL") != NULL;
    lore_buf_printf(&w->out, "\n## %.*s\n\n%s\n\n| column | type | meaning |\n|---|---|---|\n",
        (int)strcspn(name, " "), name, w->comment);
}

/* `ALTER TABLE name ADD COLUMN column TYPE; -- comment`: a table of its own with the new column. */
static void
added_column(struct walk *w, char *line)
{
    char *name = line + strlen("ALTER TABLE "), *add = strstr(line, " ADD COLUMN "), *end;

    if (w->comment[0] == '\0')
        fail_msg("a column was added without a comment above it: %s", line);
    *add = '\0';
    end = strstr(add + 1, "; -- ");
    if (!end)
        fail_msg("the column added to %s has no comment", name);
    *end = ',';
    lore_buf_printf(&w->out, "\n## %s, also\n\n%s\n\n| column | type | meaning |\n|---|---|---|\n",
        name, w->comment);
    column(w, add + strlen(" ADD COLUMN "));
}

static void
line_of(struct walk *w, char *line)
{
    trim(line);
    if (w->inside && line[0] == ')') {
        if (!w->fts && !strstr(line, "STRICT"))
            fail_msg("a table is not STRICT: %s", w->comment);
        w->inside = false;
    } else if (w->inside) {
        column(w, line);
    } else if (starts(line, "-- ")) {
        size_t n = strlen(w->comment);

        snprintf(w->comment + n, sizeof w->comment - n, "%s%s", n > 0 ? "\n" : "", line + 3);
        return;
    } else if (starts(line, "CREATE TABLE") || starts(line, "CREATE VIRTUAL TABLE")) {
        table(w, line);
    } else if (starts(line, "ALTER TABLE") && strstr(line, " ADD COLUMN ")) {
        added_column(w, line);
    } else if (starts(line, "CREATE INDEX") || starts(line, "CREATE UNIQUE INDEX")) {
        const char *on = strstr(line, " ON ");

        assert_non_null(on);
        lore_buf_printf(&w->out, "\n%s: `%.*s`\n",
            strstr(line, "UNIQUE") ? "Unique index" : "Index", (int)strcspn(on + 4, ";"), on + 4);
    } else if (starts(line, "DROP INDEX ")) {
        const char *name = line + strlen("DROP INDEX ");

        lore_buf_printf(&w->out, "\nNo more: the index `%.*s`\n", (int)strcspn(name, ";"), name);
    } else if (starts(line, "INSERT INTO ") || starts(line, "DELETE FROM ")) {
        lore_buf_printf(&w->out, "\n%s\n", w->comment);
    } else if (line[0] != '\0') {
        fail_msg("this test does not know how to document: %s", line);
    }
    w->comment[0] = '\0';
}

static void
migration(struct walk *w, const char *path)
{
    struct lore_buf text = {0};
    struct lore_err err;
    char *save = NULL;

    assert_int_equal(lore_file_read(path, &text, &err), LORE_OK);
    lore_buf_printf(&w->out, "\n<!-- %s -->\n", strrchr(path, '/') + 1);
    w->comment[0] = '\0';
    for (char *at = text.data, *end; at != NULL; at = save) {
        end = strchr(at, '\n');
        save = end != NULL ? end + 1 : NULL;
        if (end != NULL)
            *end = '\0';
        line_of(w, at);
    }
    lore_buf_free(&text);
}

static void
the_schema_page_is_fresh(void **state)
{
    const char *page = SOURCE_DIR "/docs/schema.md";
    struct walk w = {0};
    struct lore_buf have = {0};
    struct lore_err err = {0};
    glob_t files;

    (void)state;
    lore_buf_puts(&w.out, head);
    assert_int_equal(glob(SOURCE_DIR "/migrations/[0-9]*.sql", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        migration(&w, files.gl_pathv[i]);
    globfree(&files);
    if (getenv("LORE_BLESS"))
        assert_int_equal(lore_file_write(page, w.out.data, w.out.len, 0644, &err), LORE_OK);
    if (lore_file_read(page, &have, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    if (have.len != w.out.len || memcmp(have.data, w.out.data, have.len) != 0)
        fail_msg("docs/schema.md is stale: run LORE_BLESS=1 test_db_schema");
    lore_buf_free(&have);
    lore_buf_free(&w.out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_page_is_fresh),
    };

    return cmocka_run_group_tests_name("db schema", tests, NULL, NULL);
}
