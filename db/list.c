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
    TEXT(metric), TEXT(subject), TEXT(action), TEXT(author), TEXT(verdict), TEXT(state)};

void
lore_list_bind(struct lore_stmt *q, const struct lore_list_filter *f)
{
    int bound = 2, before, limit;

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
    before = sqlite3_bind_parameter_index(q->s, "$before");
    limit = sqlite3_bind_parameter_index(q->s, "$limit");
    lore_bind_i64(q, before, f->page.before);
    lore_bind_i64(q, limit, (int64_t)f->page.limit);
    assert(bound == sqlite3_bind_parameter_count(q->s));
    (void)bound;
}
