/* Raw HTTP to a test service: whatever bytes the case wants to send, and the reply taken apart. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/http/service.h"

#define REPLY_MS 30000

static int
connect_to(int port)
{
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

    addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&addr, sizeof addr) != 0) {
        close(fd);
        fd = -1;
    }
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

/* Where the body starts once the head is complete, or 0. */
static size_t
head_end(const struct lore_buf *b)
{
    const char *at = !b->data ? NULL : strstr(b->data, "\r\n\r\n");

    return !at ? 0 : (size_t)(at - b->data) + 4;
}

/* Is the whole reply here? */
static bool
complete(struct reply *r, bool head)
{
    char text[32];

    r->body_at = head_end(&r->bytes);
    if (r->body_at == 0)
        return false;
    if (head || strncmp(r->bytes.data + 9, "304", 3) == 0)
        return true;
    return reply_header(r, "Content-Length", text, sizeof text) &&
           r->bytes.len - r->body_at >= strtoul(text, NULL, 10);
}

/* Wait for EVENT; false when it does not come. */
static bool
ready(int fd, short event)
{
    struct pollfd p = {.fd = fd, .events = event};

    return poll(&p, 1, REPLY_MS) == 1;
}

/* Send and receive at once: a service may answer and close before it has read everything. */
static void
exchange(int fd, const char *bytes, size_t n, int flags, struct reply *out)
{
    char chunk[65536];
    size_t sent = 0;

    while (!complete(out, (flags & SEND_HEAD) != 0)) {
        struct pollfd p = {.fd = fd, .events = (short)(POLLIN | (sent < n ? POLLOUT : 0))};

        if (poll(&p, 1, REPLY_MS) != 1)
            return;
        if (p.revents & POLLIN) {
            ssize_t got = recv(fd, chunk, sizeof chunk, 0);

            if (got <= 0) {
                out->closed = true;
                return;
            }
            lore_buf_add(&out->bytes, chunk, (size_t)got);
        } else if (p.revents & POLLOUT) {
            ssize_t put = send(fd, bytes + sent, n - sent, MSG_NOSIGNAL);

            sent = put < 0 ? n : sent + (size_t)put;
            if (sent == n && (flags & SEND_HANGUP) != 0)
                shutdown(fd, SHUT_WR);
        } else {
            out->closed = true;
            return;
        }
    }
    if (reply_header(out, "Connection", chunk, sizeof chunk) && strcasecmp(chunk, "close") == 0)
        out->closed = ready(fd, POLLIN) && recv(fd, chunk, sizeof chunk, 0) <= 0;
}

void
service_send(const struct service *s, const void *bytes, size_t n, int flags, struct reply *out)
{
    int fd = connect_to(s->port);

    memset(out, 0, sizeof *out);
    out->bytes.max = (size_t)256 << 20;
    if (fd < 0) {
        fprintf(stderr, "connect: %s\n", strerror(errno));
        return;
    }
    exchange(fd, bytes, n, flags, out);
    close(fd);
    if (out->body_at > 0 && out->bytes.len > 12 && strncmp(out->bytes.data, "HTTP/1.1 ", 9) == 0)
        out->status = (int)strtol(out->bytes.data + 9, NULL, 10);
}

void
service_request(const struct service *s, const char *method, const char *path, enum who who,
    const char *headers, const struct lore_buf *body, struct reply *out)
{
    struct lore_buf req = {.max = (size_t)64 << 20};

    lore_buf_printf(&req, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s", method,
        path, s->port, headers);
    if (s->token[who][0] != '\0')
        lore_buf_printf(&req, "Authorization: Bearer %s\r\n", s->token[who]);
    if (body) {
        if (!strcasestr(headers, "content-type:"))
            lore_buf_puts(&req, "Content-Type: application/json\r\n");
        lore_buf_printf(&req, "Content-Length: %zu\r\n", body->len);
    }
    lore_buf_puts(&req, "\r\n");
    if (body)
        lore_buf_add(&req, body->data, body->len);
    service_send(s, req.data, req.len, strcmp(method, "HEAD") == 0 ? SEND_HEAD : 0, out);
    lore_buf_free(&req);
}

const char *
reply_body(const struct reply *r, size_t *n)
{
    *n = r->body_at == 0 ? 0 : r->bytes.len - r->body_at;
    return *n == 0 ? "" : r->bytes.data + r->body_at;
}

bool
reply_header(const struct reply *r, const char *name, char *out, size_t size)
{
    const char *line = r->bytes.data, *end = line + r->body_at;
    size_t n = strlen(name);

    while (r->body_at > 0 && line < end) {
        size_t len = strcspn(line, "\r\n");

        if (len > n && line[n] == ':' && strncasecmp(line, name, n) == 0) {
            line += n + 1;
            line += strspn(line, " ");
            snprintf(out, size, "%.*s", (int)strcspn(line, "\r\n"), line);
            return true;
        }
        line += len + 2;
    }
    return false;
}

void
reply_free(struct reply *r)
{
    lore_buf_free(&r->bytes);
    memset(r, 0, sizeof *r);
}
