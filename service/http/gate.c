/* The checks of the gate (gate.h), in the order in which a proxy makes them: headers, host, length,
 * target. Each has its own error code, so that a test knows which check refused. */
#include "service/http/gate.h"

#include <string.h>
#include <strings.h>

#include "service/base/text.h"

struct found {
    int hosts, lengths, encodings, authorizations;
    bool twice; /* a Warplore-* or Content-Encoding header was given twice */
    const char *host, *length, *expect;
};

static int
refuse(struct lore_err *err, int http, const char *code, const char *msg)
{
    (void)lore_fail_at(err, LORE_INVALID, code, "", "%s", msg);
    return http;
}

/* Is S a token by RFC 9110, as header names are? */
static bool
is_token(const char *s)
{
    static const char punct[] = "!#$%&'*+-.^_`|~";

    if (*s == '\0')
        return false;
    for (; *s != '\0'; s++)
        if (!(*s >= '0' && *s <= '9') && !(*s >= 'a' && *s <= 'z') && !(*s >= 'A' && *s <= 'Z') &&
            !strchr(punct, *s))
            return false;
    return true;
}

static bool
is_clean_value(const char *s)
{
    for (; *s != '\0'; s++)
        if (((unsigned char)*s < 0x20 && *s != '\t') || *s == 0x7f)
            return false;
    return true;
}

/* Is WORD one of the comma-separated words of LIST? */
static bool
has_word(const char *list, const char *word)
{
    size_t n = strlen(word);

    while (*list != '\0') {
        size_t len;
        list += strspn(list, " \t,");
        len = strcspn(list, " \t,");
        if (len == n && strncasecmp(list, word, n) == 0)
            return true;
        list += len;
    }
    return false;
}

/* The member of REQ that takes the value of header NAME; NULL: none does. */
static const char **
member_for(struct lore_req *req, const char *name)
{
    struct lore_sign_headers *s = &req->signed_by;
    const struct {
        const char *name, **value;
    } known[] = {{"Content-Encoding", &req->content_encoding}, {"Warplore-After", &req->after},
        {"Warplore-Agent", &s->agent}, {"Warplore-Batch", &s->batch},
        {"Warplore-Created", &s->created}, {"Warplore-Digest", &s->digest},
        {"Warplore-Project", &req->wanted_project}, {"Warplore-Signature", &s->signature}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (lore_streqi(name, known[i].name))
            return known[i].value;
    return NULL;
}

static void
take_header(
    const struct lore_header *h, struct found *f, struct lore_req *req, struct lore_pass *out)
{
    if (lore_streqi(h->name, "Host")) {
        f->hosts++;
        f->host = h->value;
    } else if (lore_streqi(h->name, "Content-Length")) {
        f->lengths++;
        f->length = h->value;
    } else if (lore_streqi(h->name, "Transfer-Encoding")) {
        f->encodings++;
    } else if (lore_streqi(h->name, "Authorization")) {
        f->authorizations++;
        req->authorization = h->value;
    } else if (lore_streqi(h->name, "Content-Type")) {
        req->content_type = h->value;
    } else if (lore_streqi(h->name, "If-None-Match")) {
        req->if_none_match = h->value;
    } else if (lore_streqi(h->name, "Accept")) {
        req->accept = h->value;
    } else if (lore_streqi(h->name, "X-Forwarded-For")) {
        req->forwarded = req->forwarded != NULL
                             ? lore_format(req->arena, "%s,%s", req->forwarded, h->value)
                             : h->value;
    } else if (lore_streqi(h->name, "Expect")) {
        f->expect = h->value;
    } else if (lore_streqi(h->name, "Connection") && has_word(h->value, "close")) {
        out->wants_close = true;
    } else {
        const char **value = member_for(req, h->name);

        if (value && *value)
            f->twice = true;
        else if (value != NULL)
            *value = h->value;
    }
}

static int
check_headers(const struct lore_head *head, struct found *f, struct lore_req *req,
    struct lore_pass *out, struct lore_err *err)
{
    if (head->n_headers >= LORE_MAX_HEADERS)
        return refuse(
            err, 431, "too_many_headers", "the request has 60 or more headers; send fewer");
    for (size_t i = 0; i < head->n_headers; i++) {
        const struct lore_header *h = &head->headers[i];
        if (!is_token(h->name) || !is_clean_value(h->value))
            return refuse(
                err, 400, "bad_header", "a header line does not have the form name: value");
        take_header(h, f, req, out);
    }
    if (f->authorizations > 1)
        return refuse(err, 400, "bad_header", "Authorization: given twice; send it once");
    if (f->twice)
        return refuse(err, 400, "bad_header",
            "Content-Encoding or a Warplore-* header: given twice; send each once");
    return 0;
}

/* Is HOST a numeric address? Those are always accepted: DNS rebinding needs a name. */
static bool
is_address(const char *host, size_t n)
{
    if (n > 2 && host[0] == '[')
        return host[n - 1] == ']' && strspn(host + 1, "0123456789abcdefABCDEF:.") == n - 2;
    return n >= 7 && strspn(host, "0123456789.") >= n;
}

static bool
host_accepted(const char *host, size_t n, const char *const *hosts)
{
    if (is_address(host, n) || (n == 9 && strncasecmp(host, "localhost", 9) == 0))
        return true;
    for (; hosts != NULL && *hosts; hosts++)
        if (strlen(*hosts) == n && strncasecmp(*hosts, host, n) == 0)
            return true;
    return false;
}

static int
check_host(const struct found *f, const char *const *hosts, struct lore_err *err)
{
    const char *port;
    size_t n;

    if (f->hosts != 1)
        return refuse(err, 400, "bad_host", "exactly one Host header is needed");
    n = f->host[0] == '[' ? strcspn(f->host, "]") + 1 : strcspn(f->host, ":");
    if (n > strlen(f->host))
        return refuse(err, 400, "bad_host", "Host: no closing bracket");
    port = f->host + n;
    if (*port != '\0' &&
        (*port != ':' || strlen(port) > 6 || strspn(port + 1, "0123456789") != strlen(port + 1)))
        return refuse(err, 400, "bad_host", "Host: not a name and a port");
    if (!host_accepted(f->host, n, hosts)) {
        (void)refuse(err, 400, "bad_host", "Host: this service does not answer to that name");
        lore_err_hint(err, "list it under `hosts` in the configuration");
        return 400;
    }
    return 0;
}

static int
check_length(const struct found *f, struct lore_req *req, struct lore_err *err)
{
    size_t n;

    if (f->encodings > 0)
        return refuse(err, 501, "no_transfer_encoding",
            "Transfer-Encoding: not supported, send Content-Length");
    if (f->lengths > 1)
        return refuse(err, 400, "bad_length", "Content-Length: given twice");
    if (f->lengths == 0) {
        if (req->method == LORE_POST || req->method == LORE_PUT)
            return refuse(err, 411, "length_required", "Content-Length: needed");
        return 0;
    }
    n = strspn(f->length, "0123456789");
    if (n < 1 || n > 10 || f->length[n] != '\0')
        return refuse(err, 400, "bad_length", "Content-Length: not a number of at most 10 digits");
    req->body_len = 0;
    for (size_t i = 0; i < n; i++)
        req->body_len = req->body_len * 10 + (size_t)(f->length[i] - '0');
    return 0;
}

static int
hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The path, percent-decoded once. NULL when a proxy could read it as another path: an encoded
 * slash, backslash, control character or NUL, `..`, `//`, or raw bytes that need encoding. */
static const char *
decode_path(const char *s, struct lore_arena *arena)
{
    char *out = lore_alloc(arena, strlen(s) + 1);
    size_t n = 0;

    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x21 || c > 0x7e || c == '\\')
            return NULL;
        if (c == '%') {
            int hi = hex_digit(s[1]), lo = hi < 0 ? -1 : hex_digit(s[2]);
            if (lo < 0)
                return NULL;
            c = (unsigned char)(hi * 16 + lo);
            if (c < 0x20 || c == 0x7f || c == '/' || c == '\\' || c == '%')
                return NULL;
            s += 2;
        }
        out[n++] = (char)c;
    }
    if (strstr(out, "..") || strstr(out, "//") || !lore_utf8_valid(out, n))
        return NULL;
    return out;
}

static enum lore_method
method_of(const char *name)
{
    static const struct {
        const char *name;
        enum lore_method m;
    } known[] = {{"GET", LORE_GET}, {"POST", LORE_POST}, {"PUT", LORE_PUT}, {"DELETE", LORE_DELETE},
        {"HEAD", LORE_HEAD}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].m;
    return LORE_OTHER_METHOD;
}

static int
check_target(const struct lore_head *head, struct lore_req *req, struct lore_err *err)
{
    if (head->target[0] != '/')
        return refuse(err, 400, "bad_path", "the path must start with /");
    req->path = decode_path(head->target, req->arena);
    if (!req->path) {
        req->path = "";
        return refuse(err, 400, "bad_path",
            "the path has `..`, `//`, an encoded slash or control character, or unencoded bytes");
    }
    for (const char *q = head->query; q != NULL && *q != '\0'; q++)
        if ((unsigned char)*q < 0x21 || (unsigned char)*q > 0x7e)
            return refuse(err, 400, "bad_query", "the query has bytes that need percent-encoding");
    req->query = head->query;
    return 0;
}

int
lore_gate(
    const struct lore_head *head, struct lore_req *req, struct lore_pass *out, struct lore_err *err)
{
    struct found f = {0};
    int http;

    req->method = method_of(head->method);
    req->path = "";
    if ((http = check_headers(head, &f, req, out, err)) != 0)
        return http;
    if ((http = check_host(&f, head->hosts, err)) != 0)
        return http;
    if ((http = check_length(&f, req, err)) != 0)
        return http;
    if ((http = check_target(head, req, err)) != 0)
        return http;
    if (f.expect && !lore_streqi(f.expect, "100-continue"))
        return refuse(err, 400, "bad_header", "Expect: only 100-continue is understood");
    out->expects_continue = f.expect != NULL;
    return 0;
}
