/* agent.json holds the public facts, and agent.key only the secret key, with mode 0600. The key is
 * on disk before enrolment. Otherwise a crash could leave the service with an agent whose key is
 * lost. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/upload/agent.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

static const char *
state_path(struct lore_arena *arena, const char *state, const char *name)
{
    return lore_format(arena, "%s/%s", state, name);
}

/* Anyone who can write these files controls where records are sent and which receipts remove them
 * from the spool. */
static enum lore_status
must_be_ours(const char *path, mode_t forbidden, struct lore_err *err)
{
    struct stat sb;
    enum lore_status status = LORE_OK;

    if (stat(path, &sb) != 0)
        return lore_fail(err, LORE_IO, "%s: its owner and mode cannot be read", path);
    if (sb.st_uid != geteuid()) {
        status = lore_fail(err, LORE_FORBIDDEN, "%s: belongs to another user", path);
        lore_err_hint(err, "run as its user, or set WARPLORE_STATE to a folder of your own");
    } else if ((sb.st_mode & forbidden) != 0) {
        status = lore_fail(err, LORE_FORBIDDEN, "%s: other users can %s it", path,
            forbidden == 077 ? "read" : "write");
        lore_err_hint(err, "chmod 600 %s", path);
    }
    return status;
}

static enum lore_status
read_secret(const char *path, unsigned char out[LORE_SECRET_KEY], struct lore_err *err)
{
    struct lore_buf text = {.max = 256};
    enum lore_status status = lore_file_read(path, &text, err);

    if (status == LORE_NOTFOUND) /* agent.json without its key is damage, not "not enrolled" */
        return lore_fail(err, LORE_CORRUPT, "%s: missing, although agent.json is there", path);
    if (status != LORE_OK)
        return status;
    if (text.len > 0 && text.data[text.len - 1] == '\n')
        text.data[--text.len] = '\0';
    if (!lore_signing_bytes(text.data, out, LORE_SECRET_KEY))
        status = lore_fail(err, LORE_CORRUPT, "%s: not a secret key of 64 bytes in base64", path);
    else
        status = must_be_ours(path, 077, err);
    if (text.data)
        sodium_memzero(text.data, text.len);
    lore_buf_free(&text);
    return status;
}

static enum lore_status
parse_identity(const char *path, const struct lore_json *root, struct lore_upload_identity *out,
    struct lore_err *err)
{
    const char *id = NULL, *service_key = NULL;
    enum lore_status status = lore_json_text(root, "id", &id, err);

    if (status == LORE_OK)
        status = lore_json_text(root, "label", &out->label, err);
    if (status == LORE_OK)
        status = lore_json_text(root, "url", &out->url, err);
    if (status == LORE_OK)
        status = lore_json_text(root, "service_key", &service_key, err);
    if (status != LORE_OK)
        return status;
    if (!id || !lore_ulid_valid(id))
        return lore_fail_at(err, LORE_CORRUPT, "bad_identity", "id", "%s: id: not a ULID", path);
    if (!out->url || !service_key ||
        !lore_signing_bytes(service_key, out->service_key, LORE_PUBLIC_KEY))
        return lore_fail_at(err, LORE_CORRUPT, "bad_identity", "service_key",
            "%s: url and service_key are needed", path);
    memcpy(out->id, id, LORE_ULID_SIZE);
    if (!out->label)
        out->label = "";
    return LORE_OK;
}

enum lore_status
lore_identity_load(const char *state, struct lore_arena *arena, struct lore_upload_identity *out,
    struct lore_err *err)
{
    const char *path = state_path(arena, state, "agent.json");
    struct lore_buf text = {.max = 64u << 10};
    struct lore_upload_identity who = {0};
    struct lore_json *root = NULL;
    enum lore_status status = lore_file_read(path, &text, err);

    if (status == LORE_NOTFOUND) {
        status = lore_fail_at(
            err, LORE_NOTFOUND, "not_enrolled", "", "%s: this host is not enrolled", state);
        lore_err_hint(err, "warplore agent enroll --url URL --code CODE");
    }
    if (status == LORE_OK)
        status = must_be_ours(path, 022, err);
    if (status == LORE_OK &&
        lore_json_parse(text.data ? text.data : "", text.len, NULL, arena, &root, NULL) != LORE_OK)
        status = lore_fail_at(err, LORE_CORRUPT, "bad_identity", "", "%s: not JSON", path);
    lore_buf_free(&text);
    if (status == LORE_OK)
        status = parse_identity(path, root, &who, err);
    if (status == LORE_OK)
        status = read_secret(state_path(arena, state, "agent.key"), who.secret_key, err);
    if (status != LORE_OK)
        return status;
    crypto_sign_ed25519_sk_to_pk(who.public_key, who.secret_key);
    *out = who;
    return LORE_OK;
}

/* Rename agent.json to agent-ID.json, and the key and the receipts likewise. */
static enum lore_status
put_aside(const char *state, const char *id, struct lore_arena *arena, struct lore_err *err)
{
    static const char *const names[][2] = {
        {"receipts", "jsonl"}, {"agent", "key"}, {"agent", "json"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *from = lore_format(arena, "%s/%s.%s", state, names[i][0], names[i][1]);
        const char *to = lore_format(arena, "%s/%s-%s.%s", state, names[i][0], id, names[i][1]);
        if (access(from, F_OK) == 0 && rename(from, to) != 0)
            return lore_fail(err, LORE_IO, "%s: cannot be renamed to %s", from, to);
    }
    return LORE_OK;
}

static enum lore_status
make_key(const char *state, struct lore_upload_identity *who, struct lore_arena *arena,
    struct lore_err *err)
{
    char text[LORE_SIGNATURE_TEXT + 1];

    _Static_assert(LORE_SECRET_KEY == LORE_SIGNATURE, "both are 64 bytes");
    lore_signing_keys(who->public_key, who->secret_key);
    lore_signing_text(who->secret_key, LORE_SECRET_KEY, text);
    text[LORE_SIGNATURE_TEXT - 1] = '\n';
    enum lore_status status = lore_file_write(
        state_path(arena, state, "agent-new.key"), text, LORE_SIGNATURE_TEXT, 0600, err);
    sodium_memzero(text, sizeof text);
    return status;
}

static enum lore_status
refused(long status, const struct lore_json *root, struct lore_err *err)
{
    const char *detail = NULL, *hint = NULL;
    enum lore_status st = status == 401 || status == 403 ? LORE_FORBIDDEN
                          : status == 409                ? LORE_CONFLICT
                          : status >= 500                ? LORE_BUSY
                                                         : LORE_INVALID;

    if (lore_json_text(root, "detail", &detail, NULL) != LORE_OK || !detail)
        detail = "no reason given";
    if (lore_json_text(root, "hint", &hint, NULL) != LORE_OK)
        hint = NULL;
    st = lore_fail(err, st, "the service does not enroll this host: %s (HTTP %ld)", detail, status);
    if (hint)
        lore_err_hint(err, "%s", hint);
    return st;
}

/* Check the fields that lore_identity_load needs, so that a proxy's page cannot replace the present
 * identity. */
static enum lore_status
check_answer(const struct lore_json *root, struct lore_err *err)
{
    const char *id = NULL, *service_key = NULL;
    unsigned char key[LORE_PUBLIC_KEY];

    if (root && root->type == LORE_J_OBJECT && lore_json_text(root, "id", &id, NULL) == LORE_OK &&
        lore_json_text(root, "service_key", &service_key, NULL) == LORE_OK && id &&
        lore_ulid_valid(id) && lore_signing_bytes(service_key, key, sizeof key))
        return LORE_OK;
    enum lore_status status = lore_fail_at(err, LORE_CORRUPT, "no_answer", "",
        "the enrolment reply is not from a Warplore service: it has no id and service_key");
    lore_err_hint(err, "if the code is used up, ask for another");
    return status;
}

static enum lore_status
ask_service(const struct lore_enrol *how, struct lore_arena *arena,
    struct lore_upload_identity *who, struct lore_json **root, struct lore_err *err)
{
    static const char *const headers[] = {
        "Accept: application/json", "Content-Type: application/json"};
    char key[LORE_PUBLIC_KEY_TEXT];
    struct lore_http_reply reply = {.body = {.max = 64u << 10}};
    struct lore_buf body = {0};
    struct lore_jsonw w;

    lore_signing_text(who->public_key, LORE_PUBLIC_KEY, key);
    lore_jsonw_begin(&w, &body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "code", how->code);
    lore_w_kstr(&w, "public_key", key);
    lore_w_kstr(&w, "label", how->label);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    struct lore_http_call call = {.method = "POST",
        .url = lore_format(arena, "%s/api/v1/agents", how->url),
        .headers = headers,
        .n_headers = 2,
        .body = body.data,
        .n = body.len};
    if (status == LORE_OK)
        status = (how->send ? how->send : lore_http_send)(how->send_ctx, &call, &reply, err);
    if (status == LORE_OK && reply.body.len > 0 &&
        lore_json_parse(reply.body.data, reply.body.len, NULL, arena, root, NULL) != LORE_OK)
        *root = NULL;
    if (status == LORE_OK && (reply.status < 200 || reply.status > 299))
        status = refused(reply.status, *root, err);
    else if (status == LORE_OK)
        status = check_answer(*root, err);
    lore_buf_free(&body);
    lore_buf_free(&reply.body);
    return status;
}

static enum lore_status
store_answer(const char *state, const struct lore_enrol *how, const struct lore_json *root,
    struct lore_arena *arena, struct lore_err *err)
{
    const char *const names[] = {"id", "label", "service_key"};
    struct lore_buf text = {0};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &text, true);
    lore_w_obj(&w);
    lore_w_kstr(&w, "url", how->url);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = NULL;
        if (lore_json_text(root, names[i], &value, NULL) == LORE_OK)
            lore_w_kstr_opt(&w, names[i], value);
    }
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK && rename(state_path(arena, state, "agent-new.key"),
                                 state_path(arena, state, "agent.key")) != 0)
        status = lore_fail(err, LORE_IO, "%s/agent.key: cannot be written", state);
    if (status == LORE_OK)
        status =
            lore_file_write(state_path(arena, state, "agent.json"), text.data, text.len, 0600, err);
    lore_buf_free(&text);
    return status;
}

enum lore_status
lore_identity_enrol(const char *state, const struct lore_enrol *how, struct lore_arena *arena,
    struct lore_upload_identity *out, struct lore_err *err)
{
    struct lore_upload_identity old = {0}, who = {0};
    struct lore_json *root = NULL;
    enum lore_status status = lore_http_may_send(how->url, err);

    if (status == LORE_OK)
        status = lore_mkdirs(state, 0700, err);
    if (status != LORE_OK)
        return status;
    enum lore_status before = lore_identity_load(state, arena, &old, err);
    if (before == LORE_OK && !how->again)
        status = lore_fail(err, LORE_CONFLICT, "this host is enrolled as %s (%s) at %s", old.label,
            old.id, old.url);
    else if (before != LORE_NOTFOUND && !how->again)
        status = before;
    if (status != LORE_OK)
        lore_err_hint(err, "--again enrolls it anew and keeps the old key and receipts aside");
    if (status == LORE_OK)
        status = make_key(state, &who, arena, err);
    if (status == LORE_OK) {
        status = ask_service(how, arena, &who, &root, err);
        if (status != LORE_OK)
            (void)unlink(state_path(arena, state, "agent-new.key"));
    }
    /* rename only after success: a refused code must change nothing on this host */
    if (status == LORE_OK && before != LORE_NOTFOUND)
        status = put_aside(state, old.id[0] ? old.id : "damaged", arena, err);
    if (status == LORE_OK)
        status = store_answer(state, how, root, arena, err);
    sodium_memzero(&who, sizeof who);
    sodium_memzero(&old, sizeof old);
    return status == LORE_OK ? lore_identity_load(state, arena, out, err) : status;
}
