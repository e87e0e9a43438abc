// uses: import
/* Any bytes as Markdown: every table has a header, every line is one of the file, no cell is NULL.
 */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/markdown.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
check_row(const struct lore_md_row *row, size_t lines)
{
    double value;

    if (row->n == 0 || row->line == 0 || row->line > lines)
        abort();
    for (size_t i = 0; i < row->n; i++) {
        if (!row->cells[i])
            abort();
        (void)lore_md_number(row->cells[i], &value, NULL, NULL);
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const char *const headers[] = {
        "Tensor|Type|Pass|Max |Δ||Mean |Δ||Mean Rel|Mismatches", NULL};
    struct lore_arena arena = {0};
    struct lore_md md;
    size_t lines = 1;

    if (size > (64u << 10))
        return 0;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    lore_md_parse(&arena, (const char *)data, size, headers, &md);
    for (size_t i = 0; i < md.n_tables; i++) {
        check_row(&md.tables[i].header, lines);
        for (size_t r = 0; r < md.tables[i].n; r++)
            check_row(&md.tables[i].rows[r], lines);
    }
    for (size_t i = 0; i < md.n_lines; i++) {
        if (md.lines[i].line == 0 || md.lines[i].line > lines || !md.lines[i].section)
            abort();
        (void)lore_md_plain(&arena, md.lines[i].text);
    }
    lore_arena_free(&arena);
    return 0;
}
