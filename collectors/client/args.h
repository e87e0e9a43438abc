/* Command lines from one option table per command: parsing, help text and "did you mean" come from
 * the same rows. Values stay text; commands convert them. Everything lives in the arena given. */
#ifndef LORE_CLIENT_ARGS_H
#define LORE_CLIENT_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

struct lore_opt {
    const char *name; /* "samples-before": given as --samples-before, or samples_before in a file */
    char letter;      /* 'o' for -o; 0: none */
    const char *arg;  /* name of the value in help: "MS"; NULL: a switch */
    bool repeat;      /* may be given more than once */
    const char *help; /* one sentence */
};

struct lore_opt_value {
    const struct lore_opt *opt;
    const char *text; /* NULL for a switch */
};
struct lore_args {
    struct lore_opt_value *values;
    size_t n_values, cap_values;
    struct {
        const char **v;
        size_t n, cap;
    } words; /* arguments that are not options, in order */
};

/* Options that every command takes (--url, --token-file, --json, --help), ended by a NULL name. */
extern const struct lore_opt lore_common_opts[];

/* The code of an error about unknown options: all of a line, with their nearest names as the hint.
 * Other errors have the code "usage". */
#define LORE_ARGS_UNKNOWN "unknown_option"
/* Parse ARGV (without the command's name) against OPTS (ended by a NULL name; may be NULL) and the
 * common options. */
enum lore_status lore_args_parse(const struct lore_opt *opts, int argc, char **argv,
    struct lore_arena *arena, struct lore_args *out, struct lore_err *err) LORE_MUST;
/* As lore_args_parse, for a command line that ends with another program's: options end at "--"
 * or at the first word. Everything after that goes to out->words unchanged, dashes included. */
enum lore_status lore_args_parse_program(const struct lore_opt *opts, int argc, char **argv,
    struct lore_arena *arena, struct lore_args *out, struct lore_err *err) LORE_MUST;
/* The number of words at the start of ARGV that are common options and their values. */
int lore_args_common(int argc, char **argv);
/* Add the value of an option that was read from a file. NAME may use '_' for '-'. */
enum lore_status lore_args_add(const struct lore_opt *opts, const char *name, const char *text,
    struct lore_arena *arena, struct lore_args *args, struct lore_err *err) LORE_MUST;
/* Put WHERE (a file, an option) in front of a message that does not name it. */
void lore_args_err_in(struct lore_err *err, const char *where);
/* The value of an option: the last one given, or NULL. */
const char *lore_args_get(const struct lore_args *args, const char *name);
bool lore_args_has(const struct lore_args *args, const char *name);
/* The values of a repeatable option, in order: start with *AT = 0; NULL after the last. */
const char *lore_args_next(const struct lore_args *args, const char *name, size_t *at);

#endif
