/* Binds a filter of a list (list.h) to a statement by the names of its parameters. */
#include "db/list.h"

#include <assert.h>

#include "db/db.h"

#define TEXT(m)                                                                                    \
    {                                                                                              \
        "$" #m, offsetof(struct lore_list_filter, m)                                               \
    }
static const struct {
    const char *name;
    size_t at;
} members[] = {TEXT(op), TEXT(language), TEXT(project), TEXT(name), TEXT(kind), TEXT(kernel),
    TEXT(version), TEXT(workload), TEXT(technique), TEXT(chip), TEXT(error_type), TEXT(path),
    TEXT(metric), TEXT(subject), TEXT(action), TEXT(verdict), TEXT(state)};
static const char *const page_members[] = {"$author", "$since", "$until", "$before", "$limit"};

void
lore_list_bind_page(struct lore_stmt *q, const struct lore_page *page)
{
    const int64_t numbers[] = {
        0, page->since_us, page->until_us, page->before, (int64_t)page->limit};

    for (size_t i = 0; q->rc == SQLITE_OK && i < sizeof numbers / sizeof *numbers; i++) {
        int n = sqlite3_bind_parameter_index(q->s, page_members[i]);

        if (n > 0 && i == 0)
            lore_bind_text(q, n, page->author);
        else if (n > 0)
            lore_bind_i64(q, n, numbers[i]);
    }
}

void
lore_list_bind(struct lore_stmt *q, const struct lore_list_filter *f)
{
    int bound = 0;

    if (q->rc != SQLITE_OK)
        return;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const char *value = *(const char *const *)((const char *)f + members[i].at);
        int n = sqlite3_bind_parameter_index(q->s, members[i].name);

        assert(n > 0 || !value); /* else the list would ignore a member */
        if (n > 0)
            lore_bind_text(q, n, value);
        bound += n > 0;
    }
    for (size_t i = 0; i < sizeof page_members / sizeof *page_members; i++)
        bound += sqlite3_bind_parameter_index(q->s, page_members[i]) > 0;
    lore_list_bind_page(q, &f->page);
    assert(bound == sqlite3_bind_parameter_count(q->s));
    (void)bound;
}
