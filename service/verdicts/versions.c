/* What is derived for each version (verdicts.h): the techniques that it shows. */
#include "db/limit.h"
#include "db/shown.h"
#include "service/derive/shown.h"
#include "service/verdicts/verdicts.h"

bool
lore_verdicts_version(
    const struct lore_version *v, struct lore_arena *arena, struct lore_version_shown *out)
{
    return lore_shown_of(v, arena, out);
}

static enum lore_status
show(void *ctx, int64_t version, const struct lore_version *v, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_version_shown shown;

    return lore_shown_of(v, &a, &shown) ? lore_shown_put(ctx, version, &shown, err) : LORE_OK;
}

/* Derived with the runs, before experiments are judged. */
static enum lore_status
runs_and_versions(const struct lore_put_ctx *c, bool *changed, struct lore_err *err)
{
    enum lore_status status = lore_shown_all(c->db, show, c->db, err);

    return status == LORE_OK ? lore_verdicts_runs(c, changed, err) : status;
}

enum lore_status
lore_verdicts_rebuild(
    struct lore_db *db, int64_t now_us, struct lore_rebuilt *out, struct lore_err *err)
{
    return lore_rebuild(db, runs_and_versions, lore_verdicts_judge, now_us, out, err);
}

enum lore_status
lore_verdicts_are_old(struct lore_db *db, bool *out, struct lore_err *err)
{
    enum lore_status status = lore_db_lacks_limits(db, out, err);

    return status == LORE_OK && !*out ? lore_shown_is_old(db, LORE_SHOWN_RULES, out, err) : status;
}
