/* The best version, what it gained, why the work stopped and what is left to try. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "collectors/client/report/quantity.h"
#include "service/base/text.h"
#include "service/stats/sequential.h"
#include "service/stats/wins.h"

/* Find the leaderboard row whose best version is VERSION; it has the ties and the library's
 * time. */
static enum lore_status
fetch_row(const struct lore_story *s, const char *version, const struct lore_json **out,
    struct lore_err *err)
{
    struct lore_arena *a = s->fetch->arena;
    struct lore_fetched rows = {0};

    *out = NULL;
    if (!s->workload_id || !version)
        return LORE_OK;
    const char *path = lore_format(a, "/api/v1/leaderboard?operator=%s&language=%s&workload=%s",
        lore_fetch_escape(a, lore_fetch_text(s->kernel, "operator")),
        lore_fetch_text(s->kernel, "language"), s->workload_id);
    enum lore_status status = lore_fetch_all(s->fetch, path, &rows, err);
    for (size_t i = 0; i < rows.n; i++)
        if (lore_streq(lore_fetch_text(lore_fetch_object(rows.v[i], "best"), "version"), version))
            *out = rows.v[i];
    return status;
}

static const char *
library_of(const struct lore_story *s, const struct lore_json *row)
{
    const struct lore_json *library = lore_fetch_object(row, "vs_library");
    const char *name = lore_fetch_text(library, "base_name");
    double v;

    if (!lore_fetch_number(library, "value", &v))
        return NULL;
    return lore_format(s->fetch->arena, "%s vs %s", lore_sheet_say_factor(s->fetch->arena, v),
        name ? name : "a library");
}

/* The effective techniques of STEP, or all others with their verdicts. */
static const char *
judged_techniques(const struct lore_story *s, const struct lore_story_step *step, bool effective)
{
    struct lore_arena *a = s->fetch->arena;
    const char *all = NULL;

    for (const struct lore_json *v = lore_fetch_first(step->x, "technique_verdicts"); v;
         v = v->next) {
        const char *verdict = lore_fetch_text(v, "verdict"), *one = lore_fetch_text(v, "technique");
        if (lore_streq(verdict, "effective") != effective)
            continue;
        if (!effective)
            one = lore_format(
                a, "%s (%s)", one, verdict ? lore_sheet_say_words(a, verdict) : "not judged");
        all = all ? lore_format(a, "%s + %s", all, one) : one;
    }
    if (all || effective || lore_fetch_first(step->x, "technique_verdicts"))
        return all;
    all = lore_part_techniques(s, step->x);
    return all ? lore_format(a, "%s (not judged)", all) : NULL;
}

/* Techniques of step AT and its ancestors, oldest first: the effective ones, or all others. */
static const char *
techniques_to(const struct lore_story *s, size_t at, bool effective)
{
    const char *all = NULL;

    for (size_t guard = 0; at < s->n && guard <= s->n; guard++) {
        const struct lore_story_step *step = &s->steps[at];
        const char *own = judged_techniques(s, step, effective);
        const char *parent = lore_fetch_text(lore_fetch_first(step->version, "parents"), "version");
        if (own)
            all = all ? lore_format(s->fetch->arena, "%s: %s; %s", step->label, own, all)
                      : lore_format(s->fetch->arena, "%s: %s", step->label, own);
        for (at = 0; at < s->n && !lore_streq(s->steps[at].id, parent); at++)
            ;
    }
    return all;
}

static const char *
gain_of(const struct lore_story *s, const struct lore_story_step *best)
{
    const struct lore_story_step *base = s->baseline < s->n ? &s->steps[s->baseline] : NULL;
    struct lore_arena *a = s->fetch->arena;

    if (!base || best == base || best->not_comparable || best->vs_first <= 0 || base->time_ns <= 0)
        return NULL;
    return lore_format(a, "%s → %s, %s vs %s", lore_sheet_say_us(a, base->time_ns),
        lore_sheet_say_us(a, best->time_ns), lore_sheet_say_factor(a, best->vs_first), base->label);
}

/* The stop reason of campaign C: its record's, else that of the decision that closed it. */
static const char *
stop_of(const struct lore_story *s, const struct lore_json *c)
{
    const char *stop = lore_fetch_text(c, "stop_reason");

    for (size_t i = 0; i < s->closings.n && !stop; i++) {
        const struct lore_json *d = s->closings.v[i], *m = lore_fetch_first(d, "subjects");
        while (m && !lore_streq(m->str, lore_fetch_text(c, "id")))
            m = m->next;
        if (m && !lore_fetch_bool(d, "retracted"))
            stop = lore_fetch_text(lore_fetch_object(d, "values"), "stop_reason");
    }
    return stop;
}

static void
put_stop(const struct lore_story *s, struct lore_sheet *t)
{
    struct lore_arena *a = s->fetch->arena;
    const char *all = NULL, *why = "no campaign was recorded";

    for (size_t i = s->campaigns.n; i > 0; i--) {
        const struct lore_json *c = s->campaigns.v[i - 1],
                               *standing = lore_fetch_object(c, "standing");
        const char *stop = stop_of(s, c), *said = lore_fetch_text(standing, "close_reason");
        const char *one = stop ? lore_sheet_say_words(a, stop) : said;
        if (!one) {
            why = lore_streq(lore_fetch_text(standing, "state"), "closed")
                      ? "closed without a reason"
                      : lore_format(a, "campaign %s is open", lore_fetch_text(c, "label"));
            continue;
        }
        if (stop && said && !lore_streq(stop, said))
            one = lore_format(a, "%s: %s", one, said);
        one = lore_format(a, "%s: %s", lore_fetch_text(c, "label"), one);
        all = all ? lore_format(a, "%s; %s", all, one) : one;
    }
    lore_sheet_pair(t, "Stopping reason", all, why);
}

static void
put_directions(const struct lore_story *s, struct lore_sheet *t)
{
    const char *all = NULL,
               *why = s->directions.n ? "every direction is closed" : "no direction was recorded";

    for (size_t i = s->directions.n; i > 0; i--) {
        const struct lore_json *d = s->directions.v[i - 1];
        if (lore_streq(lore_fetch_text(lore_fetch_object(d, "standing"), "state"), "closed"))
            continue;
        const char *one = lore_fetch_text(d, "text"), *because = lore_fetch_text(d, "rationale");
        if (one && because)
            one = lore_format(s->fetch->arena, "%s (%s)", one, because);
        all = all ? lore_format(s->fetch->arena, "%s; %s", all, one) : one;
    }
    lore_sheet_pair(t, "Remaining optimization opportunities", all, why);
}

static void
put_campaigns(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {
        "Campaign", "Goal", "Experiments", "Expected", "State", "Alarm"};
    struct lore_arena *a = s->fetch->arena;
    struct lore_sheet t;
    double n;

    if (s->campaigns.n == 0)
        return;
    lore_buf_putc(out, '\n');
    lore_sheet_begin(&t, out, a, titles, 6);
    for (size_t i = s->campaigns.n; i > 0; i--) {
        const struct lore_json *c = s->campaigns.v[i - 1],
                               *standing = lore_fetch_object(c, "standing");
        lore_sheet_cell(&t, lore_fetch_text(c, "label"), NULL);
        lore_sheet_cell(&t, lore_fetch_text(c, "goal"), NULL);
        lore_sheet_cell(&t,
            lore_fetch_number(standing, "arrived", &n) ? lore_sheet_say_number(a, n) : NULL,
            "not counted");
        lore_sheet_cell(&t,
            lore_fetch_number(standing, "expected_records", &n) ? lore_sheet_say_number(a, n)
                                                                : NULL,
            "no number was stated");
        lore_sheet_cell(&t, lore_fetch_text(standing, "state"), NULL);
        lore_sheet_cell(
            &t, lore_fetch_bool(standing, "alarm") ? "fewer arrived than expected" : "no", NULL);
    }
    lore_sheet_end(&t, NULL);
}

/* How many attempts that count won, and how many wins remain at a false discovery rate of 5 %. */
static const char *
wins_of(const struct lore_story *s)
{
    struct lore_arena *a = s->fetch->arena;
    struct lore_wins_attempt *v = lore_alloc_array(a, s->experiments.n, sizeof *v);
    struct lore_wins wins;
    size_t n = 0;

    for (size_t i = 0; i < s->experiments.n; i++) {
        const struct lore_json *o = lore_fetch_object(s->experiments.v[i], "outcome");
        const char *effect = lore_report_effect(o);
        struct lore_wins_attempt one = {.won = lore_streq(effect, "win")};
        if (!effect || lore_streq(effect, "not_measured") ||
            lore_fetch_bool(s->experiments.v[i], "masked"))
            continue;
        (void)lore_fetch_number(o, "speedup", &one.ratio);
        (void)lore_fetch_number(o, "low", &one.low);
        (void)lore_fetch_number(o, "high", &one.high);
        v[n++] = one;
    }
    lore_wins(v, n, 1 - LORE_SEQUENTIAL_ALPHA, a, &wins);
    if (n == 0)
        return NULL;
    if (wins.tested == 0)
        return lore_format(a, "%zu of %zu; no win has an interval", wins.won, n);
    return lore_format(a, "%zu of %zu; %zu stay wins at a false discovery rate of 5 %%%s", wins.won,
        n, wins.stay,
        wins.tested < n ? lore_format(a, " (%zu have no interval)", n - wins.tested) : "");
}

enum lore_status
lore_part_conclusion(const struct lore_story *s, struct lore_buf *out, struct lore_err *err)
{
    static const char *const titles[] = {"Field", "Value"};
    const struct lore_story_step *best = s->champion < s->n ? &s->steps[s->champion] : NULL;
    const struct lore_json *row = NULL;
    const char *summary = best ? lore_fetch_text(best->version, "summary") : NULL;
    const char *tied, *none = "no correct version was timed on this workload";
    struct lore_sheet t;
    enum lore_status status = fetch_row(s, best ? best->id : NULL, &row, err);

    if (status != LORE_OK)
        return status;
    tied = lore_fetch_list(s->fetch->arena, lore_json_get(row, "tied"), "label", ", ");
    lore_buf_puts(out, "\n## Best Version Conclusion\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 2);
    lore_sheet_pair(&t, "Best version",
        best ? lore_format(s->fetch->arena, "%s%s%s", best->shown, summary ? ": " : "",
                   summary ? summary : "")
             : NULL,
        none);
    lore_sheet_pair(&t, "Gain", best ? gain_of(s, best) : NULL,
        !best            ? none
        : best->baseline ? "the baseline is the best version"
                         : lore_story_no_time(s, best));
    lore_sheet_pair(&t, "Tied with",
        tied  ? tied
        : row ? "no other version"
              : NULL,
        best ? "the board has another best for this chip and workload" : none);
    lore_sheet_pair(&t, "Experiments that won", wins_of(s), "none was measured");
    lore_sheet_pair(&t, "Key gains", best ? techniques_to(s, s->champion, true) : NULL,
        best ? "no technique of this version was proven effective" : none);
    lore_sheet_pair(&t, "Other techniques of the best version (unproven or ineffective)",
        best ? techniques_to(s, s->champion, false) : NULL, best ? "no technique named" : none);
    lore_sheet_pair(
        &t, "Against a library", library_of(s, row), "no library was timed on this workload");
    put_stop(s, &t);
    put_directions(s, &t);
    lore_sheet_end(&t, "Not known");
    put_campaigns(s, out);
    return LORE_OK;
}
