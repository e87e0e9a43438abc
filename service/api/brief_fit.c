/* Cuts a brief to a number of bytes, and writes it. Lines go by their rank; what went is counted.
 */
#include <string.h>

#include "service/api/brief.h"
#include "service/api/objects.h"
#include "service/base/text.h"

enum { TITLE = 100 /* bytes of a title in a small brief */ };

static const struct {
    const char *name, *title;
} sections[LORE_BRIEF_SECTIONS] = {
    [LORE_BRIEF_STANDING] = {"standing", "Where it stands"},
    [LORE_BRIEF_HEADROOM] = {"headroom", "What is left"},
    [LORE_BRIEF_HAS] = {"has", "What is in it"},
    [LORE_BRIEF_NEXT] = {"next", "Try next"},
    [LORE_BRIEF_DEAD] = {"dead_ends", "Dead ends"},
    [LORE_BRIEF_LESSONS] = {"lessons", "Lessons"},
    [LORE_BRIEF_CHECK] = {"check", "Check"},
};

struct section {
    const char *name, *title;
    const char **lines;
    size_t n;
};
#define ROW struct section
static const struct lore_object_member section[] = {
    {"!section", AT(name), "standing|headroom|has|next|dead_ends|lessons|check"},
    {"!title", AT(title)},
    {"!lines", STRINGS(lines, n), NULL,
        "sentences; what each rests on is in brackets at its end: names and ids of records"},
};
static const struct lore_object lore_brief_section_object = LORE_OBJECT("BriefSection", section);
#undef ROW

struct answer {
    const char *title, *advice_id, *left_out;
    struct section sections[LORE_BRIEF_SECTIONS];
    size_t n;
};
#define ROW struct answer
static const struct lore_object_member brief[] = {
    {"!title", AT(title), NULL, "kernel, chip and workload"},
    {"advice_id", AT(advice_id), "ulid", "to report what came of the advice"},
    {"!sections", ARRAY(sections, n, lore_brief_section_object)},
    {"left_out", AT(left_out), NULL, "what max_bytes left out"},
};
const struct lore_object lore_brief_object = LORE_OBJECT("Brief", brief);
#undef ROW

/* "4 of 20 lines, of lessons and dead ends": what was cut. */
static const char *
left_out(struct lore_req *req, const struct lore_brief *b)
{
    size_t cut[LORE_BRIEF_SECTIONS] = {0}, n = 0;
    const char *text = "";

    for (size_t i = 0; i < b->n; i++)
        if (b->v[i].cut) {
            cut[b->v[i].section]++;
            n++;
        }
    for (size_t s = 0; s < LORE_BRIEF_SECTIONS; s++)
        if (cut[s] > 0)
            text = lore_format(req->arena, "%s%s%s", text, *text ? ", " : "", sections[s].name);
    return n > 0 ? lore_format(req->arena, "%zu of %zu lines: %s", n, b->n, text) : NULL;
}

static enum lore_status
write(
    struct lore_req *req, struct lore_resp *resp, const struct lore_brief *b, struct lore_err *err)
{
    struct answer out = {b->title, b->advice_id, left_out(req, b), {{0}}, 0};

    for (size_t s = 0; s < LORE_BRIEF_SECTIONS; s++) {
        struct section *to = &out.sections[out.n];

        *to = (struct section){sections[s].name, sections[s].title,
            lore_alloc_array(req->arena, b->n + 1, sizeof *to->lines), 0};
        for (size_t i = 0; i < b->n; i++)
            if (b->v[i].section == s && !b->v[i].cut)
                to->lines[to->n++] = b->v[i].text;
        out.n += to->n > 0;
    }
    lore_buf_reset(&resp->body);
    return lore_reply_object(resp, &lore_brief_object, &out, err);
}

/* The line to cut next: the least important of those that are left; NULL: one is left. */
static struct lore_brief_line *
least_important(const struct lore_brief *b)
{
    struct lore_brief_line *least = NULL;
    size_t left = 0;

    for (size_t i = 0; i < b->n; i++) {
        struct lore_brief_line *l = &b->v[i];

        left += !l->cut;
        if (!l->cut && (!least || l->rank >= least->rank))
            least = l;
    }
    return left > 1 ? least : NULL;
}

/* TEXT without its last BYTES or more, with an ellipsis. */
static const char *
shorten(struct lore_arena *arena, const char *text, size_t bytes)
{
    size_t n = strlen(text), keep = n > bytes + 3 ? n - bytes - 3 : 0;

    return lore_format(arena, "%.*s…", (int)lore_utf8_prefix(text, keep), text);
}

enum lore_status
lore_brief_fit(struct lore_req *req, struct lore_resp *resp, struct lore_brief *b, size_t max,
    struct lore_err *err)
{
    struct lore_brief_line *least = NULL;
    enum lore_status status = write(req, resp, b, err);

    while (status == LORE_OK && resp->body.len > max && (least = least_important(b))) {
        least->cut = true;
        status = write(req, resp, b, err);
    }
    if (status == LORE_OK && resp->body.len > max && strlen(b->title) > TITLE) {
        b->title = shorten(req->arena, b->title, strlen(b->title) - TITLE);
        status = write(req, resp, b, err);
    }
    for (size_t i = 0; status == LORE_OK && resp->body.len > max && i < b->n; i++) {
        if (b->v[i].cut)
            continue;
        while (status == LORE_OK && resp->body.len > max && strlen(b->v[i].text) > 3) {
            b->v[i].text = shorten(req->arena, b->v[i].text, resp->body.len - max);
            status = write(req, resp, b, err);
        }
    }
    return status;
}
