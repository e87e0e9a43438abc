/* Reads the logs of agents. Their tables differ in the number and order of columns, so a row's
 * fields are told apart by their form: the decision is a known word, the speed a number, the idea
 * the last field. */
#include "tests/eval/agent_logs.h"

#include <glob.h>
#include <string.h>

#include "service/base/buf.h"
#include "service/base/file.h"
#include "service/base/json.h"
#include "service/base/text.h"

enum { FIELDS = 8, FILE_BYTES = 16 << 20 };

static const struct decision {
    const char *word;
    enum agent_end end;
} decisions[] = {
    {"KEEP", AGENT_KEPT},
    {"BEST", AGENT_KEPT},
    {"DISCARD", AGENT_DISCARDED},
    {"COMPILE_FAIL", AGENT_NOT_BUILT},
    {"RUNTIME_FAIL", AGENT_NOT_RUN},
    {"SEGFAULT", AGENT_NOT_RUN},
    {"HANG", AGENT_NOT_RUN},
    {"VERIFY_FAIL", AGENT_NOT_RUN},
    {"FAIL", AGENT_NOT_RUN},
    {"REFERENCE", AGENT_REFERENCE},
};

/* --- words of an outcome --- */

/* A '*' at the end stands for any ending. */
static const char *const outcome_words[] = {"slow", "slower", "slowdown", "slowest", "faster",
    "fastest", "worse", "worst", "better", "best", "beats", "beat", "fail*", "regress*", "hurt*",
    "improv*", "speedup*", "tflop*", "gflops", "gains", "gained", "loss", "losses", "lost", "drop",
    "dropped", "drops", "collapse*", "catastrophic", "kill*", "crash*", "segfault*", "hang*",
    "error*", "bug", "bugs", "broke", "broken", "incorrect", "wrong", "verification", "verified",
    "passed", "exceed*", "overflow*", "insufficient", "unstable", "marginal*", "slight*",
    "significant*", "massive*", "huge", "negligible", "identical", "equivalent", "neutral", "noise",
    "record", "winner", "champion", "success*", "succeed*", "help", "helps", "helped", "benefit*",
    "effect", "difference", "timeout*", "invalid", "incompatib*", "illegal", "attempted", "minimal",
    "plateau*", "discard*", "promising", "disappointing", "confirmed"};
/* "too slow", "no change", "not enough": the first word goes with what follows it. */
static const char *const phrases[] = {"no change", "no gain", "no benefit", "no improvement",
    "no effect", "no difference", "not better", "not enough", "too slow", "too many", "too few",
    "too large", "same as", "new best", "same performance", "does not work", "did not work",
    "not worth"};

static bool
matches(const char *pattern, const char *word, size_t n)
{
    size_t len = strcspn(pattern, "*");

    return (pattern[len] == '*' ? n >= len : n == len) && memcmp(pattern, word, len) == 0;
}

static bool
is_outcome(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof outcome_words / sizeof *outcome_words; i++)
        if (matches(outcome_words[i], word, n))
            return true;
    return false;
}

static size_t
phrase_at(const char *s)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t n = strlen(phrases[i]);
        if (strncmp(s, phrases[i], n) == 0 && !lore_is_word(s[n]))
            return n;
    }
    return 0;
}

/* The length of a result at S: "+3.5%", "317.43 TFLOPS", "1.2x faster", "0.89x". */
static size_t
result_at(const char *s)
{
    static const char *const units[] = {"%", "tflop", "gflop", "us ", "ms ", "x faster", "x slower",
        "x speedup", "x improvement", "x better", "x worse", "x vs", "x over"};
    size_t sign = strspn(s, "+-~"), n = sign + strspn(s + sign, "0123456789.");
    size_t space = strspn(s + n, " ");

    if (n == sign)
        return 0;
    bool decimal = memchr(s + sign, '.', n - sign) != NULL;
    if (decimal && s[n] == 'x' && !lore_is_word(s[n + 1]))
        return n + 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (lore_starts(s + n + space, units[i])) {
            n += space + strlen(units[i]);
            while (lore_is_word(s[n]))
                n++;
            return n;
        }
    return 0;
}

char *
agent_strip(struct lore_arena *arena, const char *text)
{
    char *low = lore_strdup(arena, text), *out = lore_strdup(arena, text);
    size_t len = 0;

    for (char *c = low; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    for (size_t i = 0; text[i] != '\0';) {
        bool starts = i == 0 || !lore_is_word(low[i - 1]);
        size_t cut = starts ? phrase_at(low + i) : 0, word = 0;

        if (cut == 0 && starts)
            cut = result_at(low + i);
        while (cut == 0 && lore_is_word(low[i + word]))
            word++;
        if (word > 0 && starts && is_outcome(low + i, word))
            cut = word;
        word += word == 0 && cut == 0;
        if (cut == 0)
            memcpy(out + len, text + i, word);
        len += cut == 0 ? word : 0;
        i += cut > 0 ? cut : word;
    }
    out[len] = '\0';
    return out;
}

/* --- files --- */

static const struct decision *
decision_of(const char *s)
{
    for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
        if (lore_streq(decisions[i].word, s))
            return &decisions[i];
    return NULL;
}

/* Split LINE at its tabs, in place. */
static size_t
split(char *line, char *field[FIELDS])
{
    size_t n = 0;

    for (char *s = line; s && n < FIELDS; n++) {
        field[n] = s;
        s = strchr(s, '\t');
        if (s)
            *s++ = '\0';
    }
    return n;
}

/* False: the header, or no attempt. */
static bool
read_row(char *line, struct agent_attempt *out)
{
    char *field[FIELDS];
    size_t n = split(line, field), first = 0;
    const struct decision *d = NULL;

    if (n < 5 || lore_streq(field[0], "iter") || lore_streq(field[0], "round"))
        return false;
    if (n == 7) /* the round's number before the rest */
        first = 1;
    *out = (struct agent_attempt){
        .iter = field[first], .kernel = field[first + 1], .bottleneck = "", .idea = field[n - 1]};
    for (size_t i = first + 2; i + 1 < n; i++) {
        double number;
        if (!d && (d = decision_of(field[i])))
            continue;
        if (lore_parse_f64(field[i], "tflops", &number, NULL) == LORE_OK)
            out->tflops = number;
        else if (!lore_streq(field[i], "-"))
            out->bottleneck = field[i];
    }
    out->end = d ? d->end : AGENT_DISCARDED;
    if (out->end == AGENT_KEPT && strstr(out->kernel, "cublas"))
        out->end = AGENT_REFERENCE;
    if (out->end == AGENT_DISCARDED && !(out->tflops > 0))
        out->end = AGENT_NOT_RUN;
    return true;
}

struct idea { /* of idea-log.jsonl */
    const char *text;
    bool taken;
};

static enum lore_status
read_ideas(
    const char *path, struct lore_arena *arena, struct idea **out, size_t *n, struct lore_err *err)
{
    LORE_BUF text = {.max = FILE_BYTES};
    enum lore_status status = lore_file_read(path, &text, err);
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    if (status == LORE_NOTFOUND)
        return LORE_OK;
    for (char *s = text.data; status == LORE_OK && s && s < text.data + text.len;) {
        size_t len = strcspn(s, "\n");
        struct lore_json *node;
        const char *idea = NULL;
        if (len > 0)
            status = lore_json_parse(s, len, NULL, arena, &node, err);
        if (status == LORE_OK && len > 0)
            status = lore_json_text(node, "idea", &idea, err);
        if (status == LORE_OK && idea)
            *LORE_PUSH(arena, *out, *n, cap) = (struct idea){idea, false};
        s += len + 1;
    }
    return status;
}

/* The first idea not yet taken that begins with what is left of the row's text. */
static const char *
whole_idea(const char *row, struct idea *v, size_t n)
{
    size_t len = strlen(row);

    while (len > 0 && row[len - 1] == ' ')
        len--;
    for (size_t i = 0; i < n; i++)
        if (!v[i].taken && strncmp(v[i].text, row, len) == 0) {
            v[i].taken = true;
            return v[i].text;
        }
    return row;
}

static enum lore_status
read_log(const char *folder, const char *path, struct lore_arena *arena, struct agent_log *out,
    struct lore_err *err)
{
    LORE_BUF text = {.max = FILE_BYTES};
    enum lore_status status = lore_file_read(path, &text, err);
    const char *name = path + strlen(folder) + strspn(path + strlen(folder), "/");
    struct idea *ideas = NULL;
    size_t n_ideas = 0, cap = 0, line = 0;

    out->name = lore_strndup(arena, name, strlen(name) - strlen("/results.tsv"));
    out->language = lore_strndup(arena, name, strcspn(name, "/"));
    const char *task = strstr(out->name, "/logs/");
    out->task = task ? lore_strndup(arena, task + 6, strcspn(task + 6, "/")) : out->name;
    if (status == LORE_OK)
        status = read_ideas(lore_format(arena, "%s/%s/idea-log.jsonl", folder, out->name), arena,
            &ideas, &n_ideas, err);
    for (size_t at = 0; status == LORE_OK && at < text.len;) {
        size_t len = strcspn(text.data + at, "\n");
        struct agent_attempt a;
        line++;
        if (read_row(lore_strndup(arena, text.data + at, len), &a)) {
            a.line = line;
            a.idea = whole_idea(a.idea, ideas, n_ideas);
            a.asked = agent_strip(arena, a.idea);
            *LORE_PUSH(arena, out->v, out->n, cap) = a;
        }
        at += len + 1;
    }
    return status;
}

enum lore_status
agent_logs_read(const char *folder, struct lore_arena *arena, struct agent_log **out, size_t *n,
    struct lore_err *err)
{
    glob_t g;
    enum lore_status status = LORE_OK;
    struct agent_log *v = NULL;

    if (glob(lore_format(arena, "%s/*/logs/*/*/results.tsv", folder), 0, NULL, &g) != 0)
        return lore_fail(err, LORE_NOTFOUND, "%s: no results.tsv of an agent", folder);
    v = lore_alloc_array(arena, g.gl_pathc, sizeof *v);
    for (size_t i = 0; status == LORE_OK && i < g.gl_pathc; i++)
        status = read_log(folder, g.gl_pathv[i], arena, &v[i], err);
    if (status == LORE_OK) {
        *out = v;
        *n = g.gl_pathc;
    }
    globfree(&g);
    return status;
}
