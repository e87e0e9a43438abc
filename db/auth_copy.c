/* Tokens, agents and codes as JSON: one table of columns per kind is used to write an object from a
 * row and to bind a row from an object. Bytes are base64. */
#include "db/auth_copy.h"

#include <string.h>

#include "db/auth_db.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

enum { COLUMNS = 8, BYTES = 32 };

struct column {
    const char *name;
    char type; /* t text, o text or nothing, i integer, b 32 bytes */
};
struct kind {
    const char *name;
    struct column columns[COLUMNS]; /* the first is the key */
};
static const struct kind kinds[] = {
    {"token", {{"id", 't'}, {"label", 't'}, {"role", 't'}, {"hash", 'b'}, {"created_us", 'i'},
                  {"expires_us", 'i'}, {"revoked_us", 'i'}}},
    {"agent", {{"id", 't'}, {"label", 't'}, {"public_key", 'b'}, {"enrolled_us", 'i'},
                  {"revoked_us", 'i'}}},
    {"code", {{"hash", 'b'}, {"label", 'o'}, {"created_us", 'i'}, {"expires_us", 'i'},
                 {"used_us", 'i'}, {"agent", 'o'}}},
};
enum { TOKEN, AGENT, CODE, KINDS };
enum { CODE_AGENT = 5 }; /* column of a code: the agent that used it */

/* ---- a row as an object ---- */

static enum lore_status
write_row(struct lore_stmt *q, const struct kind *k, struct lore_arena *a,
    struct lore_credential *out, struct lore_err *err)
{
    LORE_BUF text = {.max = 1 << 16};
    struct lore_jsonw w;
    char key[LORE_HASH_HEX];
    enum lore_status status;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    for (int i = 0; i < COLUMNS && k->columns[i].name; i++) {
        const struct column *c = &k->columns[i];
        char base64[LORE_PUBLIC_KEY_TEXT];
        size_t len;
        const void *bytes;

        if (c->type == 'i') {
            lore_w_ki64(&w, c->name, lore_col_i64(q, i));
        } else if (c->type != 'b') {
            lore_w_kstr_opt(&w, c->name, lore_col_text(q, i, NULL));
        } else {
            bytes = lore_col_blob(q, i, &len, NULL);
            if (len != BYTES)
                return lore_fail(err, LORE_CORRUPT, "%s: %s has %zu bytes", k->name, c->name, len);
            lore_signing_text(bytes, BYTES, base64);
            lore_w_kstr(&w, c->name, base64);
            if (i == 0)
                lore_hex(bytes, BYTES, key);
        }
    }
    lore_w_obj_end(&w);
    if ((status = lore_jsonw_end(&w, err)) != LORE_OK)
        return status;
    *out = (struct lore_credential){.kind = k->name,
        .name = lore_format(
            a, "%s:%s", k->name, k->columns[0].type == 'b' ? key : lore_col_text(q, 0, NULL)),
        .body = lore_strndup(a, text.data, text.len)};
    return LORE_OK;
}

static struct lore_stmt
select_all(struct lore_auth_db *auth, int kind)
{
    if (kind == TOKEN)
        return lore_sql(auth->db, "SELECT id, label, role, hash, created_us, expires_us, revoked_us"
                                  " FROM token ORDER BY created_us, id");
    if (kind == AGENT)
        return lore_sql(auth->db, "SELECT id, label, public_key, enrolled_us, revoked_us FROM agent"
                                  " ORDER BY enrolled_us, id");
    return lore_sql(auth->db, "SELECT hash, label, created_us, expires_us, used_us, agent FROM code"
                              " ORDER BY created_us, hash");
}

enum lore_status
lore_auth_credentials(struct lore_auth_db *auth, struct lore_arena *a, struct lore_credential **out,
    size_t *n, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    size_t cap = 0;
    enum lore_status status = LORE_OK;

    *n = 0;
    *out = NULL;
    for (int i = 0; i < KINDS && status == LORE_OK; i++) {
        LORE_STMT q = select_all(auth, i);

        while (status == LORE_OK && lore_row(&q))
            status = write_row(&q, &kinds[i], a, LORE_PUSH(a, *out, *n, cap), err);
        if (status == LORE_OK)
            status = lore_done(&q, err);
    }
    return status;
}

/* ---- an object as a row ---- */

struct values {
    const char *text[COLUMNS];
    int64_t number[COLUMNS];
    unsigned char bytes[COLUMNS][BYTES];
};

static enum lore_status
read_values(const struct kind *k, const char *body, size_t len, struct lore_arena *a,
    struct values *v, struct lore_err *err)
{
    static const struct lore_json_limits limits = {.depth = 2, .string_bytes = 4096, .nodes = 64};
    struct lore_json *root = NULL;
    enum lore_status status = lore_json_parse(body, len, &limits, a, &root, err);

    memset(v, 0, sizeof *v);
    for (int i = 0; i < COLUMNS && k->columns[i].name && status == LORE_OK; i++) {
        const struct column *c = &k->columns[i];

        if (c->type == 'i')
            status = lore_json_i64(root, c->name, &v->number[i], err);
        else
            status = lore_json_text(root, c->name, &v->text[i], err);
        if (status == LORE_OK && c->type == 't' && !v->text[i])
            v->text[i] = "";
        if (status == LORE_OK && c->type == 'b' &&
            (!v->text[i] || !lore_signing_bytes(v->text[i], v->bytes[i], BYTES)))
            status = lore_fail_at(err, LORE_INVALID, "invalid_value", c->name,
                "%s: expected %d bytes as base64", c->name, BYTES);
    }
    return status;
}

static void
bind_values(struct lore_stmt *q, const struct kind *k, const struct values *v)
{
    for (int i = 0; i < COLUMNS && k->columns[i].name; i++)
        if (k->columns[i].type == 'i')
            lore_bind_i64(q, i + 1, v->number[i]);
        else if (k->columns[i].type == 'b')
            lore_bind_blob(q, i + 1, v->bytes[i], BYTES);
        else
            lore_bind_text(q, i + 1, v->text[i]);
}

#define EARLIER(column)                                                                            \
    column " = CASE WHEN " column " = 0 OR (excluded." column " > 0 AND excluded." column          \
           " < " column ") THEN excluded." column " ELSE " column " END"

static struct lore_stmt
upsert(struct lore_auth_db *auth, int kind)
{
    if (kind == TOKEN)
        return lore_sql(auth->db,
            "INSERT INTO token (id, label, role, hash, created_us, expires_us, revoked_us)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7)"
            " ON CONFLICT (id) DO UPDATE SET " EARLIER("revoked_us"));
    if (kind == AGENT)
        return lore_sql(auth->db,
            "INSERT INTO agent (id, label, public_key, enrolled_us, revoked_us)"
            " VALUES ($1, $2, $3, $4, $5)"
            " ON CONFLICT (id) DO UPDATE SET label = excluded.label, " EARLIER("revoked_us"));
    return lore_sql(auth->db,
        "INSERT INTO code (hash, label, created_us, expires_us, used_us, agent)"
        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO UPDATE SET"
        " agent = coalesce(excluded.agent, agent), " EARLIER("used_us"));
}

/* An agent that was enrolled here at the same time as another one elsewhere. */
static enum lore_status
make_room(struct lore_auth_db *auth, const struct values *v, struct lore_err *err)
{
    LORE_STMT same_key = lore_sql(auth->db, "DELETE FROM agent WHERE public_key = $1 AND id <> $2");
    LORE_STMT same_label = lore_sql(auth->db,
        "UPDATE agent SET label = label || '-' || lower(substr(id, -6)) WHERE label = $1"
        " AND id <> $2");
    enum lore_status status;

    lore_bind_blob(&same_key, 1, v->bytes[2], BYTES);
    lore_bind_text(&same_key, 2, v->text[0]);
    if ((status = lore_done(&same_key, err)) != LORE_OK)
        return status;
    lore_bind_text(&same_label, 1, v->text[1]);
    lore_bind_text(&same_label, 2, v->text[0]);
    return lore_done(&same_label, err);
}

static struct lore_stmt
select_one(struct lore_auth_db *auth, int kind)
{
    if (kind == TOKEN)
        return lore_sql(auth->db, "SELECT id, label, role, hash, created_us, expires_us, revoked_us"
                                  " FROM token WHERE id = $1");
    if (kind == AGENT)
        return lore_sql(auth->db, "SELECT id, label, public_key, enrolled_us, revoked_us FROM agent"
                                  " WHERE id = $1");
    return lore_sql(auth->db, "SELECT hash, label, created_us, expires_us, used_us, agent FROM code"
                              " WHERE hash = $1");
}

static enum lore_status
read_again(struct lore_auth_db *auth, int kind, const struct values *v, struct lore_arena *a,
    struct lore_credential *out, struct lore_err *err)
{
    LORE_STMT q = select_one(auth, kind);
    enum lore_status status;

    if (kind == CODE)
        lore_bind_blob(&q, 1, v->bytes[0], BYTES);
    else
        lore_bind_text(&q, 1, v->text[0]);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "%s: gone after it was stored", kinds[kind].name);
    status = write_row(&q, &kinds[kind], a, out, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_auth_merge(struct lore_auth_db *auth, const struct lore_credential *in, struct lore_arena *a,
    struct lore_credential *out, struct lore_err *err)
{
    struct values v;
    enum lore_status status;
    int k = 0;

    while (k < KINDS && strcmp(kinds[k].name, in->kind) != 0)
        k++;
    if (k == KINDS)
        return lore_fail(err, LORE_INVALID, "%.40s: no kind of credential", in->kind);
    if ((status = read_values(&kinds[k], in->body, strlen(in->body), a, &v, err)) != LORE_OK)
        return status;
    LORE_LOCKED(&auth->mutex);
    if (k == AGENT && (status = make_room(auth, &v, err)) != LORE_OK)
        return status;
    LORE_STMT q = upsert(auth, k);
    bind_values(&q, &kinds[k], &v);
    if ((status = lore_done(&q, err)) != LORE_OK)
        return status;
    return read_again(auth, k, &v, a, out, err);
}

enum lore_status
lore_auth_other_user(struct lore_auth_db *auth, const struct lore_credential *in,
    struct lore_arena *a, const char **agent, struct lore_err *err)
{
    struct values v;
    enum lore_status status = LORE_OK;

    *agent = NULL;
    if (strcmp(in->kind, kinds[CODE].name) != 0)
        return LORE_OK;
    status = read_values(&kinds[CODE], in->body, strlen(in->body), a, &v, err);
    if (status != LORE_OK || !v.text[CODE_AGENT])
        return status;
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(auth->db, "SELECT agent FROM code WHERE hash = $1 AND agent <> $2");
    lore_bind_blob(&q, 1, v.bytes[0], BYTES);
    lore_bind_text(&q, 2, v.text[CODE_AGENT]);
    if (lore_row(&q))
        *agent = lore_col_text(&q, 0, a);
    return lore_done(&q, err);
}

static enum lore_status
adopt(struct lore_auth_db *auth, struct lore_stmt *agent, int64_t now_us, struct lore_err *err)
{
    LORE_STMT q = lore_sql(auth->db,
        "INSERT INTO agent (id, label, public_key, enrolled_us, revoked_us) SELECT $1,"
        " $2 || CASE WHEN EXISTS (SELECT 1 FROM agent a WHERE a.label = $2)"
        " THEN '-' || lower(substr($1, -6)) ELSE '' END, $3, $4, $5"
        " WHERE NOT EXISTS (SELECT 1 FROM agent a WHERE a.id = $1)");
    size_t len;
    const void *key = lore_col_blob(agent, 2, &len, NULL);

    lore_bind_text(&q, 1, lore_col_text(agent, 0, NULL));
    lore_bind_text(&q, 2, lore_col_text(agent, 1, NULL));
    lore_bind_blob(&q, 3, key, len);
    lore_bind_i64(&q, 4, lore_col_i64(agent, 3));
    lore_bind_i64(&q, 5, lore_col_null(agent, 4) ? now_us : lore_col_i64(agent, 4));
    return lore_done(&q, err);
}

enum lore_status
lore_auth_adopt_agents(
    struct lore_auth_db *auth, struct lore_db *db, int64_t now_us, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(db, "SELECT f.id, f.label, f.public_key, f.enrolled_us, r.revoked_us"
                               " FROM fact_agent f LEFT JOIN fact_agent_revoked r ON r.agent = f.id"
                               " ORDER BY f.seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q))
        status = adopt(auth, &q, now_us, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_credential_agent(const char *body, size_t len, struct lore_arena *a,
    struct lore_agent_row *out, struct lore_err *err)
{
    struct values v;
    enum lore_status status = read_values(&kinds[AGENT], body, len, a, &v, err);

    if (status != LORE_OK)
        return status;
    *out = (struct lore_agent_row){
        .id = v.text[0], .label = v.text[1], .enrolled_us = v.number[3], .revoked_us = v.number[4]};
    memcpy(out->key, v.bytes[2], sizeof out->key);
    return LORE_OK;
}

enum lore_status
lore_auth_version(struct lore_auth_db *auth, int64_t *out, struct lore_err *err)
{
    LORE_LOCKED(&auth->mutex);
    LORE_STMT q = lore_sql(auth->db, "PRAGMA data_version");

    *out = lore_row(&q) ? lore_col_i64(&q, 0) : 0;
    return lore_done(&q, err);
}
