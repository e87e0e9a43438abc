/* The text of a case, line by line (README.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/file.h"
#include "service/base/text.h"
#include "tests/http/agent.h"
#include "tests/http/case.h"

struct parser {
    struct test_case *c;
    const struct vars *vars;
    const char *fixtures;
    struct lore_arena *arena;
    int line;
    bool in_body; /* between `body` and `end` */
};

void
vars_set(struct vars *vars, struct lore_arena *arena, const char *name, const char *value)
{
    (void)LORE_PUSH(arena, vars->v, vars->n, vars->cap);
    vars->v[vars->n - 1].name = lore_strdup(arena, name);
    vars->v[vars->n - 1].value = lore_strdup(arena, value);
}

const char *
vars_get(const struct vars *vars, const char *name)
{
    for (size_t i = vars->n; i > 0; i--)
        if (strcmp(vars->v[i - 1].name, name) == 0)
            return vars->v[i - 1].value;
    return "";
}

static bool
fault(const struct parser *p, const char *what, const char *detail)
{
    fprintf(stderr, "line %d: %s: %s\n", p->line, what, detail);
    return false;
}

/* TEXT with ${name} replaced; the last value set wins. */
static const char *
expand(const struct parser *p, const char *text)
{
    struct lore_buf out = {0};
    const char *done;

    for (const char *s = text; *s != '\0';) {
        size_t len = s[0] == '$' && s[1] == '{' ? strcspn(s, "}") : 0, i = p->vars->n;

        if (len == 0) {
            lore_buf_putc(&out, *s++);
            continue;
        }
        while (i > 0 && (strlen(p->vars->v[i - 1].name) != len - 2 ||
                            memcmp(p->vars->v[i - 1].name, s + 2, len - 2) != 0))
            i--;
        if (i == 0)
            fprintf(stderr, "line %d: %.*s}: nobody saved that\n", p->line, (int)len, s);
        lore_buf_puts(&out, i == 0 ? "" : p->vars->v[i - 1].value);
        s += len + (s[len] == '}');
    }
    done = lore_strdup(p->arena, !out.data ? "" : out.data);
    lore_buf_free(&out);
    return done;
}

/* \r \n \t \\ and \xHH. */
static void
add_escaped(struct lore_buf *out, const char *s)
{
    for (; *s != '\0'; s++) {
        char hex[3] = {0};

        if (*s != '\\' || s[1] == '\0') {
            lore_buf_putc(out, *s);
            continue;
        }
        s++;
        if (*s == 'x' && s[1] != '\0' && s[2] != '\0') {
            memcpy(hex, s + 1, 2);
            lore_buf_putc(out, (char)strtol(hex, NULL, 16));
            s += 2;
        } else {
            lore_buf_putc(out, *s == 'r' ? '\r' : *s == 'n' ? '\n' : *s == 't' ? '\t' : *s);
        }
    }
}

/* COUNT TEXT: the text so many times; %d in it becomes the number. */
static void
add_repeated(struct lore_buf *out, const char *args)
{
    char *text;
    long count = strtol(args, &text, 10);
    const char *mark;

    text += *text == ' ';
    mark = strstr(text, "%d");
    for (long i = 0; i < count; i++) {
        char number[24];

        if (!mark) {
            add_escaped(out, text);
            continue;
        }
        lore_buf_add(out, text, (size_t)(mark - text));
        snprintf(number, sizeof number, "%ld", i);
        lore_buf_puts(out, number);
        add_escaped(out, mark + 2);
    }
}

static void
add_hex(struct lore_buf *out, const char *hex)
{
    char pair[3] = {0};

    for (; hex[0] != '\0' && hex[1] != '\0'; hex += 2) {
        while (*hex == ' ')
            hex++;
        memcpy(pair, hex, 2);
        lore_buf_putc(out, (char)strtol(pair, NULL, 16));
    }
}

static bool
add_file(const struct parser *p, struct lore_buf *out, const char *name)
{
    struct lore_err err;
    const char *path = lore_format(p->arena, "%s/%s", p->fixtures, name);

    if (lore_file_read(path, out, &err) != LORE_OK)
        return fault(p, "body-file", err.msg);
    return true;
}

/* OLD => NEW, once, in the body. OLD must be there. */
static bool
swap(const struct parser *p, const char *args)
{
    const char *arrow = strstr(args, " => "), *at;
    struct lore_buf *body = &p->c->body, made = {.max = (size_t)64 << 20};
    char *old;

    if (!arrow)
        return fault(p, "swap", "expected OLD => NEW");
    old = lore_strndup(p->arena, args, (size_t)(arrow - args));
    at = !body->data ? NULL : strstr(body->data, old);
    if (!at)
        return fault(p, "swap: the body does not have", old);
    lore_buf_add(&made, body->data, (size_t)(at - body->data));
    add_escaped(&made, arrow + strlen(" => "));
    lore_buf_puts(&made, at + strlen(old));
    lore_buf_free(body);
    *body = made;
    return true;
}

/* SEQ DOCUMENT: a part of a batch, signed. */
static bool
add_signed(const struct parser *p, struct lore_buf *body, const char *args)
{
    char *text;
    unsigned long long seq = strtoull(args, &text, 10);
    struct lore_buf document = {0};
    bool ok;

    add_escaped(&document, text + (*text == ' '));
    ok = agent_part(p->vars, seq, document.data != NULL ? document.data : "", document.len, body);
    lore_buf_free(&document);
    return ok || fault(p, "part", "the file has no `with-agent` line");
}

static bool
body_word(struct parser *p, const char *word, const char *args)
{
    struct lore_buf *body = &p->c->body;
    long n = strtol(args, NULL, 10);

    p->c->has_body = true;
    body->max = (size_t)64 << 20;
    if (strcmp(word, "body") == 0) {
        p->in_body = true;
    } else if (strcmp(word, "body-text") == 0) {
        add_escaped(body, args);
    } else if (strcmp(word, "body-file") == 0) {
        return add_file(p, body, args);
    } else if (strcmp(word, "body-repeat") == 0) {
        add_repeated(body, args);
    } else if (strcmp(word, "part") == 0) {
        return add_signed(p, body, args);
    } else if (strcmp(word, "body-hex") == 0) {
        add_hex(body, args);
    } else if (strcmp(word, "body-depth") == 0) {
        for (long i = 0; i < 2 * n; i++)
            lore_buf_putc(body, i < n ? '[' : ']');
    } else if (strcmp(word, "body-size") == 0) {
        while ((long)body->len < n)
            lore_buf_putc(body, ' ');
    } else {
        return fault(p, "unknown word", word);
    }
    return true;
}

/* SUBJECT OP VALUE of `json` and `header` lines. */
static bool
add_expect(struct parser *p, enum expect_kind kind, const char *args)
{
    struct expect e = {.kind = kind, .line = p->line, .subject = "", .op = "=", .value = ""};
    size_t n = strcspn(args, " ");

    if (kind == EXPECT_HEADER || kind == EXPECT_JSON) {
        e.subject = lore_strndup(p->arena, args, n);
        args += n + (args[n] == ' ');
        n = strcspn(args, " ");
        e.op = lore_strndup(p->arena, args, n);
        args += n + (args[n] == ' ');
    } else if (kind == EXPECT_BODY) {
        e.op = lore_strndup(p->arena, args, n);
        args += n + (args[n] == ' ');
    }
    e.value = args;
    if (*e.op == '\0')
        return fault(p, "expected an operator after", e.subject);
    *LORE_PUSH(p->arena, p->c->expects, p->c->n_expects, p->c->cap_expects) = e;
    return true;
}

static bool
add_save(struct parser *p, const char *args)
{
    size_t n = strcspn(args, " "), m = strcspn(args + n + (args[n] == ' '), " ");
    struct save s = {.name = lore_strndup(p->arena, args, n)};

    args += n + (args[n] == ' ');
    s.from = lore_strndup(p->arena, args, m);
    s.path = args + m + (args[m] == ' ');
    if (strcmp(s.from, "json") != 0 && strcmp(s.from, "header") != 0)
        return fault(p, "save NAME json|header PATH, not", s.from);
    *LORE_PUSH(p->arena, p->c->saves, p->c->n_saves, p->c->cap_saves) = s;
    return true;
}

static bool
expect_word(struct parser *p, const char *word, const char *args)
{
    static const struct {
        const char *word;
        enum expect_kind kind;
    } words[] = {{"status", EXPECT_STATUS}, {"header", EXPECT_HEADER}, {"json", EXPECT_JSON},
        {"answer", EXPECT_BODY}, {"closed", EXPECT_CLOSED}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i].word) == 0)
            return add_expect(p, words[i].kind, args);
    }
    return body_word(p, word, args);
}

static bool
request_word(struct parser *p, const char *word, const char *args)
{
    struct test_case *c = p->c;

    if (strcmp(word, "case") == 0) {
        c->name = args;
    } else if (strcmp(word, "as") == 0 && strcmp(args, "agent") == 0) {
        c->who = WHO_NONE;
        c->is_signed = true;
    } else if (strcmp(word, "batch") == 0) {
        c->batch = args;
    } else if (strcmp(word, "as") == 0) {
        c->who = who_find(args);
        if (c->who == WHO_COUNT)
            return fault(p, "nobody is called", args);
    } else if (strcmp(word, "GET") == 0 || strcmp(word, "POST") == 0 || strcmp(word, "PUT") == 0 ||
               strcmp(word, "DELETE") == 0 || strcmp(word, "HEAD") == 0) {
        c->method = word;
        c->target = args;
    } else if (strcmp(word, ">") == 0) {
        add_escaped(&c->headers, args);
        lore_buf_puts(&c->headers, "\r\n");
    } else if (strcmp(word, "raw") == 0) {
        add_escaped(&c->raw, args);
    } else if (strcmp(word, "raw-repeat") == 0) {
        add_repeated(&c->raw, args);
    } else if (strcmp(word, "hangup") == 0) {
        c->hangup = true;
    } else if (strcmp(word, "swap") == 0) {
        return swap(p, args);
    } else if (strcmp(word, "save") == 0) {
        return add_save(p, args);
    } else {
        return expect_word(p, word, args);
    }
    return true;
}

static bool
parse_line(struct parser *p, const char *text)
{
    const char *line;
    size_t n;

    if (p->in_body) {
        p->in_body = strcmp(text, "end") != 0;
        if (p->in_body) {
            lore_buf_puts(&p->c->body, expand(p, text));
            lore_buf_putc(&p->c->body, '\n');
        }
        return true;
    }
    text += strspn(text, " ");
    if (*text == '\0' || *text == '#')
        return true;
    line = expand(p, text);
    n = strcspn(line, " ");
    return request_word(p, lore_strndup(p->arena, line, n), line + n + (line[n] == ' ' ? 1 : 0));
}

bool
case_parse(char *text, int line, const struct vars *vars, const char *fixtures,
    struct lore_arena *arena, struct test_case *out)
{
    struct parser p = {.c = out, .vars = vars, .fixtures = fixtures, .arena = arena, .line = line};

    memset(out, 0, sizeof *out);
    out->line = line;
    out->who = WHO_READER;
    for (char *s = text, *next; s != NULL && *s != '\0'; s = next, p.line++) {
        next = strchr(s, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (!parse_line(&p, s))
            return false;
    }
    if (!out->name || (!out->method && out->raw.len == 0))
        return fault(&p, "a case needs a name and a request", out->name ? out->name : "");
    return out->n_expects > 0 || fault(&p, "nothing is expected", out->name);
}

void
case_free(struct test_case *c)
{
    lore_buf_free(&c->headers);
    lore_buf_free(&c->body);
    lore_buf_free(&c->raw);
}
