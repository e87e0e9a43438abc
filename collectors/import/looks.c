/* Looks at the head of a file alone, so it says what the file seems to be. */
#include "collectors/import/looks.h"

#include <string.h>

#include "service/base/buf.h"
#include "service/base/text.h"

enum { NAMES = 8, NAME_MAX_BYTES = 40 };

/* Append NAME of LEN bytes to the list in OUT. False when there are enough. */
static bool
add_name(struct lore_buf *out, size_t n, const char *name, size_t len)
{
    if (n == NAMES) {
        lore_buf_puts(out, ", …");
        return false;
    }
    if (n > 0)
        lore_buf_puts(out, ", ");
    lore_buf_add(out, name, lore_utf8_prefix(name, len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES));
    return true;
}

/* The position behind the string that begins at P; END when it does not end. */
static const char *
after_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p + 1 : end;
}

/* List the members of the object that begins at P. Returns where it ends; END when the head does
 * not reach that far. */
static const char *
list_members(struct lore_buf *out, const char *p, const char *end)
{
    size_t depth = 0, n = 0;
    bool more = true;

    while (p < end) {
        if (*p == '"') {
            const char *next = after_string(p, end), *colon = next;
            colon += strspn(colon, " \t\r\n");
            if (depth == 1 && *colon == ':' && more)
                more = add_name(out, n++, p + 1, (size_t)(next - p) - 2);
            p = next;
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= (*p == '}' || *p == ']') && depth > 0;
        p++;
        if (depth == 0)
            return p;
    }
    return end;
}

static bool
describe_json(struct lore_buf *out, const struct lore_import_file *f)
{
    const char *p = f->head + strspn(f->head, " \t\r\n"), *end = f->head + f->head_len;
    LORE_BUF names = {.max = 64 << 10};

    if (*p == '[') {
        const char *first = p + 1 + strspn(p + 1, " \t\r\n");
        if (*first == '{')
            (void)list_members(&names, first, end);
        lore_buf_puts(out, "a JSON list");
        if (names.len > 0)
            lore_buf_printf(out, " of objects with members %s", names.data);
        return true;
    }
    if (*p != '{')
        return false;
    const char *behind = list_members(&names, p, end);
    const char *next = behind + strspn(behind, " \t\r");
    bool lines = next < end && *next == '\n' && next[1 + strspn(next + 1, " \t\r\n")] == '{';
    lore_buf_printf(out, "JSON%s with members %s", lines ? " lines" : "",
        names.len > 0 ? names.data : "(none)");
    return true;
}

static size_t
count_of(const char *p, size_t n, char c)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += p[i] == c;
    return count;
}

/* Two lines that a separator cuts into equally many cells. */
static bool
describe_columns(struct lore_buf *out, const struct lore_import_file *f)
{
    static const char separators[] = "\t,;";
    const char *line = f->head;
    size_t len = strcspn(line, "\r\n");
    const char *second = line + len + strspn(line + len, "\r\n");

    for (const char *c = separators; *c; c++) {
        size_t cells = count_of(line, len, *c), n = 0;
        if (cells == 0 || count_of(second, strcspn(second, "\r\n"), *c) != cells)
            continue;
        lore_buf_printf(out, "%s with columns ", *c == '\t' ? "TSV" : "CSV");
        for (const char *p = line; p <= line + len;) {
            const char *end = memchr(p, *c, (size_t)(line + len - p));
            size_t name = (size_t)((end ? end : line + len) - p);
            if (!add_name(out, n++, p, name))
                break;
            p += name + 1;
        }
        return true;
    }
    return false;
}

static const struct {
    const char *magic, *name;
    size_t len;
} formats[] = {
    {"\x7f"
     "ELF",
        "an ELF file: a program or compiled code", 4},
    {"SQLite format 3", "an SQLite database", 16},
    {"%PDF", "a PDF document", 4},
    {"\x89PNG", "a picture", 4},
    {"\x89HDF", "an HDF5 file", 4},
    {"PAR1", "a Parquet file", 4},
    {"NVR", "a report of Nsight Compute, which its own command converts", 3},
};

const char *
lore_looks_like(struct lore_arena *arena, const struct lore_import_file *f)
{
    LORE_BUF out = {.max = 64 << 10};

    if (f->head_len == 0)
        return f->problem ? f->problem : "it is empty";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (f->head_len >= formats[i].len && memcmp(f->head, formats[i].magic, formats[i].len) == 0)
            return formats[i].name;
    if (!f->utf8)
        return "bytes that are no text";
    if (!describe_json(&out, f) && !describe_columns(&out, f))
        return f->head[strspn(f->head, " \t\r\n")] == '#' ? "Markdown or a script" : "text";
    bool lines = lore_starts(out.data, "JSON lines");
    return !lore_import_json(f) && f->problem && !lines
               ? lore_format(arena, "%s; it does not parse: %s", out.data, f->problem)
               : lore_strndup(arena, out.data, out.len);
}
