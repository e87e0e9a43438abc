/* Requests that commands share, beyond one GET: arguments read from the command line (ids,
 * reasons, a kernel's name) and the JSON bodies of curation requests. Errors are printed to
 * cli->err. */
#ifndef LORE_CLIENT_ASK_ASK_H
#define LORE_CLIENT_ASK_ASK_H

#include "collectors/client/cli.h"
#include "service/wire/record.h"

/* False, after printing an error, when the text is not a ULID. */
bool lore_ask_id(struct lore_cli *cli, const char *text);
/* The value of --reason; NULL after printing that it is required. */
const char *lore_ask_reason(struct lore_cli *cli, const struct lore_args *args);

/* Add the options named, as far as they were given, as query parameters of the same name
 * ("any-shape" is any_shape there). A switch is sent as "true". NULL ends the names. */
void lore_ask_params(struct lore_cli *cli, const struct lore_args *args, const char *const *names,
    struct lore_query *q);
/* The parameter of the service for an option: "any_shape" for "any-shape". */
const char *lore_ask_param(struct lore_arena *arena, const char *option);

/* One member of a request body: its value is `json` unchanged, else `text` as a string. A member
 * with neither is left out. */
struct lore_member {
    const char *key, *text, *json;
};
/* Find the id of what the service knows as NAME under PREFIX ("/api/v1/kernels"); prints an error.
 */
int lore_ask_named(struct lore_cli *cli, const char *prefix, const char *name, const char **id);
/* PREFIX/NAME/VERB, with NAME escaped: the service takes names wherever it takes ids. */
const char *
lore_ask_path(struct lore_cli *cli, const char *prefix, const char *name, const char *verb);
/* POST the members. The answer is not printed. */
int lore_ask_post(struct lore_cli *cli, const char *path, const struct lore_member *members,
    size_t n, struct lore_json **root);
/* POST {reason} to PREFIX/ID/VERB, where ID is word AT of the command line. Then print the answer
 * with --json, else "DONE ID". */
int lore_ask_decide(struct lore_cli *cli, const struct lore_args *args, size_t at,
    const char *prefix, const char *verb, const char *done);

/* GET PREFIX/SEGMENT[/SUFFIX]; prints with --json. SUFFIX may be NULL. */
int lore_ask_get(struct lore_cli *cli, const char *prefix, const char *segment, const char *suffix,
    struct lore_json **root);
/* GET Q for an optional part of an answer: true with *root, or false without an error message. */
bool lore_ask_quietly(struct lore_cli *cli, struct lore_query *q, struct lore_json **root);
/* Print what storing TEXT, a submission, would store; with --json the document itself. */
void lore_ask_preview(struct lore_cli *cli, const char *text, size_t len);
/* The same of a document that was read: its records in words. */
void lore_ask_print_records(struct lore_cli *cli, const struct lore_json *submission);
/* POST DOC as a submission; DRY: preview it instead (*receipt NULL). */
int lore_ask_submit(
    struct lore_cli *cli, const struct lore_submission *doc, bool dry, struct lore_json **receipt);
/* Read PATH ("-": standard input) into OUT. Fails when the text exceeds OUT's ceiling. */
enum lore_status
lore_ask_read(const char *path, struct lore_buf *out, struct lore_err *err) LORE_MUST;

#endif
