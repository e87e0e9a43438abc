/* Parses argv in one pass: "--name value", "--name=value", "-o value", "-ovalue", switches, "--"
 * to end options. The option table alone says what is allowed; this file knows no command. A
 * value may begin with a dash ("--notes -3%"), because an option that needs a value always takes
 * the next word. */
#include "collectors/client/args.h"

#include <string.h>

#include "service/base/text.h"

const struct lore_opt lore_common_opts[] = {
    {"url", 0, "URL", false, "Address of the service (default http://127.0.0.1:8787)"},
    {"token-file", 0, "FILE", false, "Read the token from FILE instead of WARPLORE_TOKEN"},
    {"json", 0, NULL, false, "Print the service's JSON instead of text"},
    {"help", 'h', NULL, false, "Show this help"},
    {NULL, 0, NULL, false, NULL},
};

static bool
same_name(const char *opt, const char *given, size_t len)
{
    if (strlen(opt) != len)
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = given[i] == '_' ? '-' : given[i];
        if (opt[i] != c)
            return false;
    }
    return true;
}

static const struct lore_opt *
find_in(const struct lore_opt *opts, const char *name, size_t len)
{
    for (const struct lore_opt *o = opts; o && o->name; o++) {
        if (same_name(o->name, name, len))
            return o;
    }
    return NULL;
}

static const struct lore_opt *
find(const struct lore_opt *opts, const char *name, size_t len)
{
    const struct lore_opt *o = find_in(opts, name, len);
    return o ? o : find_in(lore_common_opts, name, len);
}

static const struct lore_opt *
find_letter(const struct lore_opt *opts, char letter)
{
    const struct lore_opt *tables[2] = {opts, lore_common_opts};

    for (size_t t = 0; t < 2; t++) {
        for (const struct lore_opt *o = tables[t]; o && o->name; o++) {
            if (o->letter == letter)
                return o;
        }
    }
    return NULL;
}

/* What other tools call our options: the hint for those words is the first of ours that the command
 * has. */
static const struct {
    const char *theirs, *ours;
} words[] = {{"backend", "language"}, {"lang", "language"}, {"optimization", "technique"},
    {"op", "operator"}, {"shape", "dims"}, {"gpu", "chip"}, {"device", "chip"}, {"arch", "chip"},
    {"latency-before", "before"}, {"latency-after", "after"}, {"time-ns", "time"},
    {"runtime", "time"}, {"latency", "time"}, {"duration", "time"}, {"file", "source"},
    {"change", "technique"}, {"outcome", "effect"}, {"status", "error"}, {"status", "effect"},
    {"status", "state"}, {"correct", "checked-against"}, {"correct", "correctness"},
    {"check", "checked-against"}, {"reference", "checked-against"}, {"tag", "label"},
    {"number", "limit"}, {"count", "limit"}, {"parent", "from"}, {"name", "kernel"},
    {"query", "words"}, {"correctness", "checked-against"}, {"verified", "checked-against"},
    {"message", "notes"}, {"note", "notes"}, {"comment", "notes"}, {"description", "notes"},
    {"message", "reason"}, {"text", "body"}, {"failed", "error"}, {"parameters", "params"}};

static const char *
our_word(const struct lore_opt *opts, const char *theirs, size_t len)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (same_name(words[i].theirs, theirs, len) &&
            find(opts, words[i].ours, strlen(words[i].ours)))
            return words[i].ours;
    return NULL;
}

/* The option that GIVEN, which is none, may mean: the one for another tool's word, else the nearest
 * name. */
static const char *
nearest_option(const struct lore_opt *opts, const char *given)
{
    const char *names[128];
    size_t n = 0;
    const struct lore_opt *tables[2] = {opts, lore_common_opts};
    const char *bare = given + strspn(given, "-");
    size_t len = strcspn(bare, "=");
    const char *ours = our_word(opts, bare, len);
    char name[64];

    for (size_t t = 0; t < 2; t++) {
        for (const struct lore_opt *o = tables[t]; o && o->name && n < 128; o++)
            names[n++] = o->name;
    }
    if (len >= sizeof name)
        len = sizeof name - 1;
    memcpy(name, bare, len);
    name[len] = '\0';
    int near = lore_nearest(name, names, n);
    return ours ? ours : near >= 0 ? names[near] : NULL;
}

/* A second unknown option joins the message of the first. */
static enum lore_status
unknown_option(
    const struct lore_opt *opts, const char *given, struct lore_arena *arena, struct lore_err *err)
{
    const char *dashes = *given == '-' ? "--" : ""; /* a file's keys have no dashes */
    const char *near = nearest_option(opts, given);
    const char *name = lore_strndup(arena, given, strcspn(given, "="));
    struct lore_err first = *err;
    bool more = lore_streq(first.code, LORE_ARGS_UNKNOWN);
    int listed = more ? (int)strcspn(first.msg, ":") : 0;

    (void)lore_fail_at(err, LORE_INVALID, LORE_ARGS_UNKNOWN, more ? first.path : name,
        "%.*s%s%s: unknown option%s", listed, first.msg, more ? ", " : "", name, more ? "s" : "");
    const char *instead = more ? lore_format(arena, " for %s", name) : "";
    if (near && more && *first.hint)
        lore_err_hint(
            err, "%.*s, %s%s%s?", (int)strcspn(first.hint, "?"), first.hint, dashes, near, instead);
    else if (near)
        lore_err_hint(err, "did you mean %s%s%s?", dashes, near, instead);
    else
        lore_err_hint(err, "%s", first.hint);
    return LORE_INVALID;
}

/* Words of our tables and of other tools that stand for a value. */
static const char *
our_value(const struct lore_opt *opt, const char *text)
{
    static const struct {
        const char *option, *theirs, *ours;
    } values[] = {{"effect", "no gain", "neutral"}, {"effect", "no-gain", "neutral"},
        {"effect", "no_gain", "neutral"}};

    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (lore_streq(values[i].option, opt->name) && lore_streqi(values[i].theirs, text))
            return values[i].ours;
    return text;
}

static enum lore_status
store(const struct lore_opt *opt, const char *text, struct lore_arena *arena,
    struct lore_args *args, struct lore_err *err)
{
    if (!opt->repeat && opt->arg && lore_args_has(args, opt->name))
        return lore_fail_at(
            err, LORE_INVALID, "usage", opt->name, "--%s: given more than once", opt->name);
    if (lore_streq(opt->name, "operator") && text && strchr(text, ','))
        return lore_fail_at(
            err, LORE_INVALID, "usage", opt->name, "--%s: \"%s\": give one", opt->name, text);
    struct lore_opt_value *v = LORE_PUSH(arena, args->values, args->n_values, args->cap_values);
    v->opt = opt;
    v->text = our_value(opt, text);
    return LORE_OK;
}

/* The words of a command line and the one being read. */
struct cursor {
    char **v;
    int n, i;
};

/* Parse the option at the cursor. The cursor ends on the last word that belongs to the option. */
static enum lore_status
parse_option(const struct lore_opt *opts, struct cursor *at, struct lore_arena *arena,
    struct lore_args *out, struct lore_err *err)
{
    const char *word = at->v[at->i];
    const char *value = NULL;
    const struct lore_opt *opt;

    if (word[1] == '-') {
        size_t len = strcspn(word + 2, "=");
        opt = find(opts, word + 2, len);
        if (word[2 + len] == '=')
            value = word + 2 + len + 1;
    } else {
        opt = find_letter(opts, word[1]);
        if (word[2] != '\0')
            value = word[2] == '=' ? word + 3 : word + 2;
    }
    if (!opt)
        return unknown_option(opts, word, arena, err);
    if (!opt->arg && value)
        return lore_fail_at(
            err, LORE_INVALID, "usage", opt->name, "--%s: takes no value", opt->name);
    if (opt->arg && !value) {
        if (at->i + 1 >= at->n)
            return lore_fail_at(
                err, LORE_INVALID, "usage", opt->name, "--%s: needs %s", opt->name, opt->arg);
        value = at->v[++at->i];
    }
    return store(opt, value, arena, out, err);
}

enum lore_status
lore_args_parse(const struct lore_opt *opts, int argc, char **argv, struct lore_arena *arena,
    struct lore_args *out, struct lore_err *err)
{
    struct cursor at = {.v = argv, .n = argc};
    bool only_words = false;

    memset(out, 0, sizeof *out);
    *err = (struct lore_err){0};
    for (; at.i < argc; at.i++) {
        const char *word = argv[at.i];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
            continue;
        }
        if (only_words || word[0] != '-' || word[1] == '\0') {
            *LORE_PUSH(arena, out->words.v, out->words.n, out->words.cap) = word;
            continue;
        }
        struct lore_err unknown = *err;
        if (parse_option(opts, &at, arena, out, err) == LORE_OK ||
            lore_streq(err->code, LORE_ARGS_UNKNOWN))
            continue;
        if (unknown.code)
            *err = unknown;
        return LORE_INVALID;
    }
    return err->code ? LORE_INVALID : LORE_OK;
}

enum lore_status
lore_args_parse_program(const struct lore_opt *opts, int argc, char **argv,
    struct lore_arena *arena, struct lore_args *out, struct lore_err *err)
{
    struct cursor at = {.v = argv, .n = argc};

    memset(out, 0, sizeof *out);
    *err = (struct lore_err){0};
    for (; at.i < argc && argv[at.i][0] == '-' && argv[at.i][1] != '\0'; at.i++) {
        if (strcmp(argv[at.i], "--") == 0) {
            at.i++;
            break;
        }
        enum lore_status status = parse_option(opts, &at, arena, out, err);
        if (status != LORE_OK)
            return status;
    }
    for (; at.i < argc; at.i++)
        *LORE_PUSH(arena, out->words.v, out->words.n, out->words.cap) = argv[at.i];
    return LORE_OK;
}

int
lore_args_common(int argc, char **argv)
{
    int n = 0;

    while (n < argc && argv[n][0] == '-' && argv[n][1] == '-') {
        size_t len = strcspn(argv[n] + 2, "=");
        const struct lore_opt *opt = find_in(lore_common_opts, argv[n] + 2, len);
        if (!opt)
            break;
        n += opt->arg && argv[n][2 + len] != '=' ? 2 : 1;
    }
    return n < argc ? n : argc;
}

enum lore_status
lore_args_add(const struct lore_opt *opts, const char *name, const char *text,
    struct lore_arena *arena, struct lore_args *args, struct lore_err *err)
{
    const struct lore_opt *opt = find_in(opts, name, strlen(name));
    if (!opt)
        return unknown_option(opts, name, arena, err);
    return store(opt, text, arena, args, err);
}

void
lore_args_err_in(struct lore_err *err, const char *where)
{
    struct lore_err old;

    if (!err)
        return;
    old = *err;
    (void)lore_fail_at(err, old.status, old.code, old.path, "%s: %s", where, old.msg);
    lore_err_hint(err, "%s", old.hint);
}

const char *
lore_args_get(const struct lore_args *args, const char *name)
{
    const char *found = NULL;

    for (size_t i = 0; i < args->n_values; i++) {
        if (strcmp(args->values[i].opt->name, name) == 0)
            found = args->values[i].text;
    }
    return found;
}

bool
lore_args_has(const struct lore_args *args, const char *name)
{
    for (size_t i = 0; i < args->n_values; i++) {
        if (strcmp(args->values[i].opt->name, name) == 0)
            return true;
    }
    return false;
}

const char *
lore_args_next(const struct lore_args *args, const char *name, size_t *at)
{
    while (*at < args->n_values) {
        const struct lore_opt_value *v = &args->values[(*at)++];
        if (strcmp(v->opt->name, name) == 0)
            return v->text;
    }
    return NULL;
}
