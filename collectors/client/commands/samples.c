/* Timings as people have them: a comma list ("12.5us,12.7us") or a file with one per line, words
 * separated by commas or space. Every number needs a unit: its own, that of the last number, or a
 * line that holds only the unit. A guessed unit could store times that are wrong by a factor of
 * 1000. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/client/commands/attempt_cmd.h"
#include "service/base/duration.h"
#include "service/base/file.h"
#include "service/base/text.h"

#define SAMPLES_MAX 100000u
#define SAMPLES_FILE_MAX (4u << 20)

struct samples {
    struct lore_arena *arena;
    const char *name;
    double *v;
    double *scale; /* 0: no unit given */
    size_t n, cap, cap_scale;
    double unit; /* of the whole list; 0: none */
    bool of_file;
};

static enum lore_status
take_word(struct samples *s, const char *word, struct lore_err *err)
{
    size_t digits = strspn(word, "0123456789.eE+-");
    /* the exponent's letters do not begin a unit, so "5e3us" works and "5e" fails below */
    const char *unit = word + digits;
    const char *number = lore_strndup(s->arena, word, digits);
    double scale = *unit ? lore_duration_unit(unit) : 0, v = 0;

    if (*unit && scale == 0)
        return lore_fail_at(err, LORE_INVALID, "usage", s->name,
            "--%s: \"%s\" is no time (12.5us; units ns, us, ms, s)%s", s->name, word,
            s->of_file ? "" : " and no file");
    if (digits == 0) {
        s->unit = scale;
        return LORE_OK;
    }
    enum lore_status status = lore_parse_f64(number, s->name, &v, err);
    if (status != LORE_OK)
        return status;
    if (!isfinite(v) || v < 0)
        return lore_fail_at(
            err, LORE_INVALID, "usage", s->name, "--%s: \"%s\" is negative", s->name, word);
    if (s->n == SAMPLES_MAX)
        return lore_fail_at(
            err, LORE_TOOBIG, "usage", s->name, "--%s: more than %u times", s->name, SAMPLES_MAX);
    size_t n = s->n;
    *LORE_PUSH(s->arena, s->v, s->n, s->cap) = v;
    *LORE_PUSH(s->arena, s->scale, n, s->cap_scale) = scale;
    return LORE_OK;
}

static enum lore_status
take_words(struct samples *s, const char *text, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && *text) {
        if (*text == '#') { /* a comment to the end of the line */
            text += strcspn(text, "\n");
            continue;
        }
        size_t n = strcspn(text, ", \t\r\n");
        if (n > 0)
            status = take_word(s, lore_strndup(s->arena, text, n), err);
        text += n;
        text += strspn(text, ", \t\r\n");
    }
    return status;
}

static enum lore_status
finish(struct samples *s, int64_t **out, size_t *n, struct lore_err *err)
{
    double fallback = s->unit;

    if (s->n == 0)
        return lore_fail_at(err, LORE_INVALID, "usage", s->name, "--%s: no times", s->name);
    if (fallback == 0)
        fallback = s->scale[s->n - 1];
    int64_t *ns = lore_alloc_array(s->arena, s->n, sizeof *ns);
    for (size_t i = 0; i < s->n; i++) {
        double scale = s->scale[i] > 0 ? s->scale[i] : fallback;
        if (scale == 0)
            return lore_fail_at(err, LORE_INVALID, "usage", s->name,
                "--%s: time %zu has no unit (ns, us, ms, s)", s->name, i + 1);
        double v = s->v[i] * scale;
        if (v > 9e15)
            return lore_fail_at(err, LORE_INVALID, "usage", s->name,
                "--%s: time %zu is longer than 100 days", s->name, i + 1);
        ns[i] = llround(v);
    }
    *out = ns;
    *n = s->n;
    return LORE_OK;
}

enum lore_status
lore_samples_parse(const char *text, const char *name, struct lore_arena *arena, int64_t **out,
    size_t *n, struct lore_err *err)
{
    struct samples s = {.arena = arena, .name = name};
    struct lore_buf file = {.max = SAMPLES_FILE_MAX};
    enum lore_status status = LORE_OK;
    struct stat sb;

    if (stat(text, &sb) == 0) {
        s.of_file = true;
        status = lore_file_read(text, &file, err);
        if (status == LORE_OK)
            status = lore_buf_status(&file, text, err);
        if (status == LORE_OK)
            text = file.data ? file.data : "";
    }
    if (status == LORE_OK)
        status = take_words(&s, text, err);
    lore_buf_free(&file);
    return status == LORE_OK ? finish(&s, out, n, err) : status;
}
