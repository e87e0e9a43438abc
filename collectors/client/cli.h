/* The `warplore` command's own types: arguments of a command, requests to the service, output.
 * Commands write to cli->out and cli->err (buffers that main prints), and reach the service only
 * through cli->send, so tests run them against canned answers. */
#ifndef LORE_CLIENT_CLI_H
#define LORE_CLIENT_CLI_H

#include "collectors/client/args.h"
#include "collectors/client/config.h"
#include "service/base/buf.h"
#include "service/base/json.h"

/* Exit codes, documented in docs/cli.md. */
enum lore_exit {
    LORE_EXIT_OK = 0,
    LORE_EXIT_NO = 1,          /* the answer is no: not found, nothing there */
    LORE_EXIT_USAGE = 2,       /* the command line or the input is wrong */
    LORE_EXIT_UNREACHABLE = 3, /* no service at the address */
    LORE_EXIT_REFUSED = 4,     /* the service rejected the token */
    LORE_EXIT_SERVICE = 5,     /* the service failed, or its answer cannot be used */
    /* answers of `check-idea` beside OK, a new idea */
    LORE_EXIT_STOP = 10,      /* it failed here before */
    LORE_EXIT_ELSEWHERE = 11, /* it is known from another kernel, chip, workload or version */
    LORE_EXIT_WON_HERE = 12,  /* it gained here already */
};

struct lore_call {
    const char *method; /* GET, POST */
    const char *url;
    const char *token;   /* NULL: none is sent */
    const char *project; /* that a token of several projects acts in; NULL: its first one */
    const char *body;    /* JSON, or NULL */
    size_t body_len;
};
struct lore_reply {
    long status;
    struct lore_buf body; /* the caller frees it */
    char note[600];       /* how the service understood the request; "": nothing to say */
};
/* Carry out CALL. LORE_IO with the reason when no HTTP answer came. */
typedef enum lore_status (*lore_transport)(
    void *ctx, const struct lore_call *call, struct lore_reply *reply, struct lore_err *err);
enum lore_status lore_transport_send(void *ctx, const struct lore_call *call,
    struct lore_reply *reply, struct lore_err *err) LORE_MUST;

struct lore_cli {
    struct lore_arena *arena;
    struct lore_buf out, err;
    struct lore_client_config config;
    lore_transport send;
    void *send_ctx;
    const char *about; /* the file that the next call is about; error messages begin with it */
    const struct lore_opt *opts;         /* of the command that runs */
    const char *kernel_id, *kernel_name; /* of the session that completed the command line; NULL:
                                            none did. Messages say the name */
    int width;   /* columns of the terminal; 0: none, so nothing is wrapped or cut */
    bool colour; /* standard output is a terminal and NO_COLOR is not set */
    bool json;
    int end_signal; /* `run`: the signal that killed the program; after printing, `warplore` kills
                       itself with it */
};

struct lore_cli_command {
    const char *name;
    /* arguments in the usage line: "PATH…"; "": none; "-- …": a program with its own options;
     * "KERNEL": by default the session's */
    const char *words;
    size_t min_words, max_words;
    const struct lore_opt *opts; /* NULL: only the common ones */
    int (*run)(struct lore_cli *cli, const struct lore_args *args);
    const char *help;  /* one sentence */
    const char *notes; /* examples and details for --help; NULL: none */
};
/* Every command, ended by a NULL name (command_table.c). */
extern const struct lore_cli_command lore_commands[];
/* Run `warplore ARGV[1] …`: find the command, parse, configure, run. Returns the exit code. */
int lore_cli_main(struct lore_cli *cli, int argc, char **argv);

/* Print an error to cli->err and return CODE. */
int lore_cli_error(struct lore_cli *cli, int code, const struct lore_err *err);
int lore_cli_say(struct lore_cli *cli, int code, const char *fmt, ...) LORE_PRINTF(3, 4);

/* --- talking to the service (client.c) --- */
/* A path with a query string, "/api/v1/x?a=b", built in steps: lore_query_add appends an escaped
 * pair; a NULL or empty value is skipped. */
struct lore_query {
    struct lore_buf path;
    bool has_query;
};
void lore_query_start(struct lore_query *q, const char *path);
void lore_query_segment(struct lore_query *q, const char *segment); /* "/" and the escaped text */
void lore_query_add(struct lore_query *q, const char *key, const char *value);
/* Send and parse the answer into *root (NULL when the body is empty). Anything but 2xx is reported
 * and becomes an exit code; a 404 is reported only when QUIET_404 is false. */
int lore_cli_call(
    struct lore_cli *cli, const struct lore_call *call, bool quiet_404, struct lore_json **root);
/* GET the query (and free it). With --json the answer is printed here. Without it the caller,
 * who checks cli->json, prints text. */
int lore_cli_get(struct lore_cli *cli, struct lore_query *q, struct lore_json **root);
/* GET without printing. */
int
lore_cli_fetch(struct lore_cli *cli, struct lore_query *q, bool quiet_404, struct lore_json **root);
int lore_cli_post(
    struct lore_cli *cli, const char *path, const char *body, size_t len, struct lore_json **root);
/* Print an answer as JSON on one line. */
void lore_cli_print_json(struct lore_cli *cli, const struct lore_json *root);

#endif
