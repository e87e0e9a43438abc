/* The server on civetweb ("the library"). All requests go through its callback begin_request, which
 * is set before it accepts connections, so its own file serving, form parsing, upgrades and CORS
 * answers are never reached. The library runs one thread per connection and one request at a time
 * on it.
 *
 * A client may still be sending a body when its request is refused. Closing the socket then would
 * reset the connection and lose the answer, so we first read and discard for up to LINGER_MS. */
#include "service/http/server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/base/xalloc.h"
#include "service/http/answer_pool.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/http/gate.h"
#include "service/http/reaper.h"
#include "service/http/reply.h"
#include "service/http/sockets.h"

#define LINGER_MS 2000
/* How long a stop waits for requests in flight. */
#define DRAIN_MS 10000
/* One write sends head and body together up to this size. */
#define ONE_WRITE (64u << 10)
/* A body is read in steps of this size and its buffer grows with them, so a false Content-Length
 * costs no memory. A step is on the stack. The library gives each thread 100 KiB of stack and uses
 * 16 KiB of it; SQLite needs the rest for deep statements. */
#define BODY_STEP (8u << 10)
/* A thread keeps its body buffer up to this size for the next request. */
#define BODY_KEPT (256u << 10)

struct lore_server {
    struct mg_context *mg;
    struct lore_app *app;
    struct lore_reaper *reaper;
    int request_ms;
    int port;
    atomic_bool draining;
    char address[64];
};

/* One per thread of the library: memory that its requests reuse, and its connection. */
struct worker {
    int slot; /* of the connection in the reaper; -1: none yet */
    struct lore_arena arena;
    struct lore_buf body, head;
};

/* One request and its reply. */
struct exchange {
    struct lore_server *server;
    struct mg_connection *conn;
    struct worker *worker;
    struct lore_pass pass;
    bool body_read; /* completely */
    bool late;      /* the body did not arrive in time */
    bool close;
    int64_t start; /* ticks */
    size_t sent;
};

/* The dispatcher calls this after all checks that need no body. */
static enum lore_status
read_body(struct lore_req *req, struct lore_err *err)
{
    struct exchange *x = req->exchange;
    struct lore_buf *b = &x->worker->body;
    char chunk[BODY_STEP];

    if (x->pass.expects_continue)
        mg_write(x->conn, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    lore_buf_reset(b);
    b->max = req->body_len + 1;
    while (b->len < req->body_len) {
        size_t want = req->body_len - b->len < sizeof chunk ? req->body_len - b->len : sizeof chunk;
        int n = mg_read(x->conn, chunk, want);
        if (n <= 0)
            break;
        lore_buf_add(b, chunk, (size_t)n);
    }
    x->late = b->len < req->body_len &&
              lore_ticks_us() - x->start >= (int64_t)x->server->request_ms * 1000;
    if (b->len < req->body_len)
        return lore_fail_at(err, LORE_INVALID, "short_body", "",
            "the body ended after %zu of %zu bytes", b->len, req->body_len);
    x->body_read = true;
    req->body = b->data != NULL ? b->data : "";
    return LORE_OK;
}

/* Read and discard the rest of a refused client's body, for up to LINGER_MS. */
static void
linger(struct exchange *x, size_t left)
{
    char chunk[BODY_STEP];

    lore_reaper_rearm(x->server->reaper, x->worker->slot, LINGER_MS, LORE_PHASE_LINGERING);
    while (left > 0) {
        int n = mg_read(x->conn, chunk, left < sizeof chunk ? left : sizeof chunk);
        if (n <= 0)
            return;
        left -= (size_t)n;
    }
}

static void
send_reply(struct exchange *x, const struct lore_req *req, const struct lore_resp *resp)
{
    struct lore_buf *out = &x->worker->head;
    bool bodiless = req->method == LORE_HEAD || resp->status == 304;
    int n;

    lore_buf_reset(out);
    lore_reply_head(resp, req->request_id, x->close || x->pass.wants_close, out);
    if (!bodiless && resp->body.len <= ONE_WRITE)
        lore_buf_add(out, resp->body.data != NULL ? resp->body.data : "", resp->body.len);
    lore_reaper_rearm(
        x->server->reaper, x->worker->slot, x->server->request_ms, LORE_PHASE_WRITING);
    n = mg_write(x->conn, out->data, out->len);
    if (n > 0)
        x->sent += (size_t)n;
    if (!bodiless && resp->body.len > ONE_WRITE) {
        n = mg_write(x->conn, resp->body.data, resp->body.len);
        if (n > 0)
            x->sent += (size_t)n;
    }
}

static void
log_request(const struct exchange *x, const struct mg_request_info *ri, const struct lore_req *req,
    const struct lore_resp *resp, int64_t dur_us)
{
    char status[12], bytes[24], dur[24];

    snprintf(status, sizeof status, "%d", resp->status);
    snprintf(bytes, sizeof bytes, "%zu", x->sent);
    snprintf(dur, sizeof dur, "%lld", (long long)dur_us);
    lore_log(LORE_INFO, "request", "id", req->request_id, "method", ri->request_method, "path",
        req->path[0] != '\0' ? req->path : ri->request_uri, "status", status, "bytes", bytes,
        "dur_us", dur, "actor", req->actor, "peer", req->client.address, "via", req->client.via,
        NULL);
}

/* Did the library parse every header line, and strictly? At a line that starts with a space, a
 * colon or a byte beyond ASCII it stops without an error. A Content-Length after that line would be
 * missed, and the body be taken for the next request. The library also drops spaces before the
 * colon, and accepts a lone LF as the end of a line. Its buffer shows all this, because it
 * overwrites colons and line ends with NULs: two NULs follow each value, and the CR of the empty
 * line follows the last. */
static bool
is_whole_head(const struct mg_request_info *ri)
{
    const char *end = NULL;

    for (int i = 0; i < ri->num_headers; i++) {
        const struct mg_header *h = &ri->http_headers[i];
        const char *gap = h->name + strlen(h->name) + 1;
        if (gap < h->value && memchr(gap, '\0', (size_t)(h->value - gap)))
            return false;
        end = h->value + strlen(h->value) + 1;
        if (*end != '\0')
            return false;
    }
    return end && end[1] == '\r' && end[2] == '\0';
}

/* Pass the library's request through the gate. 0, or the HTTP code of the refusal. */
static int
pass_gate(struct exchange *x, const struct mg_request_info *ri, struct lore_req *req,
    struct lore_err *err)
{
    struct lore_header headers[LORE_MAX_HEADERS];
    struct lore_head head = {.method = ri->request_method,
        .target = ri->request_uri,
        .query = ri->query_string,
        .headers = headers,
        .hosts = x->server->app->hosts};
    int http;

    for (int i = 0; i < ri->num_headers && i < LORE_MAX_HEADERS; i++)
        headers[head.n_headers++] =
            (struct lore_header){ri->http_headers[i].name, ri->http_headers[i].value};
    http = lore_gate(&head, req, &x->pass, err);
    req->client =
        lore_client_of(ri->remote_addr, req->forwarded, &x->server->app->proxies, req->arena);
    if (http != 0 || is_whole_head(ri))
        return http;
    (void)lore_fail_at(
        err, LORE_INVALID, "bad_header", "", "a header line does not have the form name: value");
    return 400;
}

/* Fill RESP: by a refusal of the gate, or by the dispatcher. */
static void
answer(struct exchange *x, const struct mg_request_info *ri, struct lore_req *req,
    struct lore_resp *resp)
{
    struct lore_err err = {0};
    int http = pass_gate(x, ri, req, &err);

    if (http != 0) {
        atomic_fetch_add(&x->server->app->counters->gate_refused, 1);
        x->close = true;
        lore_problem_as(http, &err, req->request_id, resp);
        return;
    }
    if (atomic_load(&x->server->draining)) {
        x->close = true;
        lore_fail_at(&err, LORE_BUSY, "stopping", "", "the service is stopping");
        lore_problem(&err, req->request_id, resp);
        resp->retry_after_s = 1;
        return;
    }
    lore_dispatch(x->server->app, req, resp);
    if (x->late) {
        lore_fail_at(&err, LORE_INVALID, "body_late", "", "the body took too long to arrive");
        lore_problem_as(408, &err, req->request_id, resp);
    }
}

static int
on_open(const struct mg_connection *conn, void **data)
{
    struct lore_server *s = mg_get_user_data(mg_get_context(conn));
    struct worker *w = mg_get_thread_pointer(conn);

    w->slot = -1; /* known with the first request, which has the address of the peer */
    lore_reaper_take_thread(s->reaper);
    *data = s;
    return 0;
}

static void
on_close(const struct mg_connection *conn)
{
    struct lore_server *s = mg_get_user_connection_data(conn);
    struct worker *w = mg_get_thread_pointer(conn);

    lore_reaper_disarm(s->reaper, w->slot);
    lore_reaper_free_thread(s->reaper);
}

static int
on_request(struct mg_connection *conn)
{
    const struct mg_request_info *ri = mg_get_request_info(conn);
    struct lore_server *s = mg_get_user_data(mg_get_context(conn));
    struct worker *w = mg_get_thread_pointer(conn);
    struct exchange x = {.server = s, .conn = conn, .worker = w, .start = lore_ticks_us()};
    char id[LORE_ULID_SIZE];
    struct lore_req req = {.request_id = id, .read_body = read_body, .exchange = &x};
    struct lore_resp resp = {0};
    int64_t dur;

    lore_ulid_new(id);
    atomic_fetch_add(&s->app->counters->in_flight, 1);
    if (w->slot < 0)
        w->slot = lore_reaper_arm(s->reaper, ri->remote_addr, ri->remote_port, s->request_ms);
    else
        lore_reaper_rearm(s->reaper, w->slot, s->request_ms, LORE_PHASE_READING);
    req.arena = &w->arena;
    /* A connection that is kept alive holds its thread for keep_alive_ms. When threads run short, a
     * connection closes with its answer, so that no client waits for the thread of an idle one. */
    x.close = lore_reaper_is_crowded(s->reaper);
    answer(&x, ri, &req, &resp);
    if (req.body_len > 0 && !x.body_read)
        x.close = true;
    if (x.close)
        mg_disable_connection_keep_alive(conn);
    send_reply(&x, &req, &resp);
    /* A client that sent Expect: 100-continue sends no body after a refusal. */
    if (req.body_len > 0 && !x.body_read && !x.pass.expects_continue)
        linger(&x, req.body_len);
    lore_reaper_rearm(s->reaper, w->slot, 0, LORE_PHASE_IDLE);
    dur = lore_ticks_us() - x.start;
    lore_counters_add(s->app->counters, resp.status, dur, x.body_read ? req.body_len : 0, x.sent);
    log_request(&x, ri, &req, &resp, dur);
    atomic_fetch_sub(&s->app->counters->in_flight, 1);
    lore_buf_free(&resp.body);
    lore_arena_reset(&w->arena);
    if (w->body.cap > BODY_KEPT)
        lore_buf_free(&w->body);
    return resp.status;
}

/* The library refused a request whose head it cannot parse. */
static int
on_error(struct mg_connection *conn, int status, const char *message)
{
    struct lore_server *s = mg_get_user_data(mg_get_context(conn));
    struct lore_err err = {0};
    struct lore_resp resp = {0};
    struct lore_buf out = {0};
    char id[LORE_ULID_SIZE], text[12];

    lore_ulid_new(id);
    lore_fail_at(&err, LORE_INVALID, "bad_request", "", "%.200s", message);
    lore_problem_as(status == 413 ? 431 : status, &err, id, &resp);
    lore_reply_head(&resp, id, true, &out);
    lore_buf_add(&out, resp.body.data, resp.body.len);
    mg_disable_connection_keep_alive(conn);
    mg_write(conn, out.data, out.len);
    atomic_fetch_add(&s->app->counters->gate_refused, 1);
    lore_counters_add(s->app->counters, resp.status, 0, 0, out.len);
    snprintf(text, sizeof text, "%d", resp.status);
    lore_log(LORE_INFO, "refused", "id", id, "status", text, "why", message, NULL);
    lore_buf_free(&out);
    lore_buf_free(&resp.body);
    return 0;
}

static int
on_log(const struct mg_connection *conn, const char *message)
{
    (void)conn;
    lore_log(LORE_WARN, "http", "message", message, NULL);
    return 1;
}

static void *
on_thread(const struct mg_context *ctx, int type)
{
    (void)ctx;
    if (type != 1)
        return NULL;
    lore_answer_priority();
    return lore_xalloc(sizeof(struct worker));
}

static void
on_thread_end(const struct mg_context *ctx, int type, void *pointer)
{
    struct worker *w = pointer;

    (void)ctx;
    if (type != 1 || !w)
        return;
    lore_arena_free(&w->arena);
    lore_buf_free(&w->body);
    lore_buf_free(&w->head);
    lore_xfree(w);
}

static void
on_cut(void *ctx, enum lore_phase phase)
{
    struct lore_server *s = ctx;

    if (atomic_load(&s->draining))
        return;
    atomic_fetch_add(&s->app->counters->cut, 1);
    lore_log(LORE_WARN, "cut", "why",
        phase == LORE_PHASE_READING || phase == LORE_PHASE_WRITING
            ? "a body or a reply took too long"
            : "threads run short, or the client keeps sending a refused body",
        NULL);
}

/* "127.0.0.1:8787": the library knows IPv4 only. */
enum lore_status
lore_server_check_listen(const char *listen, int allow_remote, struct lore_err *err)
{
    char host[64] = "";
    const char *colon = strrchr(listen, ':');
    struct in_addr addr;
    long long port = 0;

    if (colon && (size_t)(colon - listen) < sizeof host)
        memcpy(host, listen, (size_t)(colon - listen));
    if (!colon || inet_pton(AF_INET, host, &addr) != 1 ||
        lore_parse_i64(colon + 1, "listen", &port, NULL) != LORE_OK || port < 0 || port > 65535) {
        lore_fail_at(err, LORE_INVALID, "bad_listen", "listen",
            "listen: %.100s is not ADDRESS:PORT", listen);
        lore_err_hint(err, "for example 127.0.0.1:8787");
        return LORE_INVALID;
    }
    if ((ntohl(addr.s_addr) >> 24) != 127 && !allow_remote) {
        lore_fail_at(err, LORE_INVALID, "remote_listen", "listen",
            "listen: %.100s is reachable from other machines, without encryption", listen);
        lore_err_hint(err, "put nginx in front and listen on 127.0.0.1, or say --allow-remote");
        return LORE_INVALID;
    }
    return LORE_OK;
}

static void
learn_address(struct lore_server *s, const char *listen)
{
    struct mg_server_port port[2];
    const char *colon = strrchr(listen, ':');

    memset(port, 0, sizeof port);
    if (mg_get_server_ports(s->mg, 2, port) > 0)
        s->port = port[0].port;
    snprintf(s->address, sizeof s->address, "%.*s:%d", (int)(colon - listen), listen, s->port);
}

static enum lore_status
start_library(struct lore_server *s, const char *listen, int threads, struct lore_err *err)
{
    struct mg_callbacks cb = {.begin_request = on_request,
        .http_error = on_error,
        .init_connection = on_open,
        .connection_close = on_close,
        .log_message = on_log,
        .init_thread = on_thread,
        .exit_thread = on_thread_end};
    int idle_ms = s->app->limits.keep_alive_ms > 0 ? s->app->limits.keep_alive_ms : 500;
    char n_threads[12], request_ms[12], keep_ms[12];
    const char *options[] = {"listening_ports", listen, "num_threads", n_threads,
        "request_timeout_ms", request_ms, "enable_keep_alive", "yes", "keep_alive_timeout_ms",
        keep_ms, "tcp_nodelay", "1", "max_request_size", "16384", "decode_url", "no",
        "decode_query_string", "no", "access_control_allow_origin", "",
        "access_control_allow_methods", "", "access_control_allow_headers", "",
        "enable_directory_listing", "no", "enable_auth_domain_check", "no", "connection_queue",
        "128", "listen_backlog", "512", NULL};

    snprintf(n_threads, sizeof n_threads, "%d", threads);
    snprintf(request_ms, sizeof request_ms, "%d", s->request_ms);
    snprintf(keep_ms, sizeof keep_ms, "%d", idle_ms);
    mg_init_library(0);
    errno = 0;
    s->mg = mg_start(&cb, s, options);
    if (!s->mg)
        return lore_fail_at(err, errno == EADDRINUSE ? LORE_BUSY : LORE_IO, "listen", "listen",
            "listen: cannot bind %.100s: %s", listen,
            errno != 0 ? strerror(errno) : "the log says why");
    learn_address(s, listen);
    lore_reaper_set_port(s->reaper, s->port);
    return LORE_OK;
}

static enum lore_status
start_threads(struct lore_server *s, int threads, struct lore_err *err)
{
    struct lore_app *app = s->app;

    s->reaper = lore_reaper_start(threads, on_cut, s);
    app->pool = lore_answer_pool_start(0);
    if (!s->reaper || !app->pool)
        return lore_fail(err, LORE_IO, "cannot start a thread");
    return lore_readers_open_beside(
        app->readers, lore_answer_pool_threads(app->pool), &app->pool_readers, err);
}

static void
stop_threads(struct lore_server *s)
{
    lore_answer_pool_stop(s->app->pool);
    s->app->pool = NULL;
    lore_readers_close(s->app->pool_readers);
    s->app->pool_readers = NULL;
    lore_reaper_stop(s->reaper);
    lore_xfree(s);
}

enum lore_status
lore_server_start(struct lore_app *app, const char *listen, int threads, int allow_remote,
    struct lore_server **out, struct lore_err *err)
{
    struct lore_server *s;
    enum lore_status status;

    if ((status = lore_routes_check(app->routes, err)) != LORE_OK)
        return status;
    if ((status = lore_server_check_listen(listen, allow_remote, err)) != LORE_OK)
        return status;
    s = lore_xalloc(sizeof *s);
    s->app = app;
    s->request_ms = app->limits.request_ms > 0 ? app->limits.request_ms : 10000;
    if ((status = start_threads(s, threads, err)) == LORE_OK)
        status = start_library(s, listen, threads, err);
    if (status != LORE_OK) {
        stop_threads(s);
        return status;
    }
    *out = s;
    return LORE_OK;
}

const char *
lore_server_address(const struct lore_server *server)
{
    return server->address;
}

void
lore_server_stop(struct lore_server *server)
{
    struct timespec pause = {0, 5 * 1000000};
    int64_t deadline = lore_ticks_us() + (int64_t)DRAIN_MS * 1000;

    if (!server)
        return;
    /* The library drops unsent bytes when it stops, so requests in flight finish first. It would
     * also wait two seconds for its listener and for idle connections, so we shut those down. */
    atomic_store(&server->draining, true);
    lore_sockets_stop_listening(server->port);
    while (atomic_load(&server->app->counters->in_flight) > 0 && lore_ticks_us() < deadline)
        nanosleep(&pause, NULL);
    lore_reaper_cut_idle(server->reaper);
    mg_stop(server->mg);
    mg_exit_library();
    stop_threads(server);
}
