/* The search of a tuner, one configuration at a time. A reader of a tuner's files says where the
 * search took place, adds the configurations and ends the search:
 *
 *     lore_search_begin(&s, in, "ktt");
 *     size_t at = lore_search_place(&s, &(struct lore_search_place){.kernel = …, .op = …});
 *     for each configuration:
 *         struct lore_search_config c = {.place = at, .time_ms = …};
 *         lore_search_param(&s, &c, "BLOCK", "16");
 *         lore_search_add(&s, &c, &err)
 *     lore_search_end(&s);
 *
 * Each place gives one sweep, packed by columns (service/wire/sweep.h), and its fastest
 * configurations are versions with a run. Of a configuration only its values in the columns stay in
 * memory; a value that stands in a column once more takes four bytes. */
#ifndef LORE_IMPORT_TUNING_SEARCH_H
#define LORE_IMPORT_TUNING_SEARCH_H

#include "collectors/import/index.h"
#include "collectors/import/tuning/search_config.h"

struct lore_search_group;
struct lore_search {
    struct lore_import *in;
    const char *system;    /* names the tool, its records' provenance, and a part of their ids */
    const char *tool;      /* NULL: SYSTEM */
    const char *statistic; /* of the times: mean | median | min; "mean" by default */
    const char *objective; /* NULL */
    const char *strategy;  /* NULL */
    struct lore_search_meaning *meanings; /* of this file's parameters, before those of names.h */
    size_t n_meanings, cap_meanings;
    struct lore_arena scratch;         /* of the configuration that is being read */
    struct lore_search_group **groups; /* private from here on */
    size_t n_groups, cap_groups;
    struct lore_index places, ids;
    size_t n, failed, disagree, failed_with_samples, unchecked;
    bool no_samples; /* in too many configurations the mean of the samples is not the stated time */
};

void lore_search_begin(struct lore_search *s, struct lore_import *in, const char *system);
/* The number of a place; equal places have one. */
size_t lore_search_place(struct lore_search *s, const struct lore_search_place *place);
/* Store TEXT, the header of the file, as a source document of the search. */
void
lore_search_header(struct lore_search *s, const struct lore_search_place *of, const char *text);
/* Fill a configuration. More than LORE_SWEEP_SERIES parameters make lore_search_add refuse it. */
void lore_search_param(
    struct lore_search *s, struct lore_search_config *c, const char *name, const char *json);
struct lore_search_value *lore_search_value(struct lore_search *s, struct lore_search_config *c,
    const char *name, const char *unit, const char *json);
/* A time of the list of times; what cannot be one is named in the report and left out. */
void lore_search_sample(struct lore_search *s, struct lore_search_config *c, double ms);
/* The tool states that C took MS, WRITTEN so in the file as JSON. What cannot be a time, such as 0,
 * is kept as the value "stated_time" and named in the report; C is stored without it. */
void lore_search_timed(
    struct lore_search *s, struct lore_search_config *c, double ms, const char *written);
/* Mark C as failed. CODE is the tool's word for it ("CompilationFailed"), whose kind is told by its
 * parts; the report lists a word that tells none. */
void lore_search_fail(struct lore_search *s, struct lore_search_config *c, const char *code);
/* Add configuration C to the sweep of its kernel, chip and workload. LORE_INVALID: ERR names the
 * value that is wrong, and nothing is added. */
enum lore_status lore_search_add(
    struct lore_search *s, struct lore_search_config *c, struct lore_err *err) LORE_MUST;
/* Drop what was begun of a configuration that is not added. */
void lore_search_drop(struct lore_search *s);
/* Refuse a configuration for the reason in ERR: the current record of ROWS, the items at PATH of a
 * document; or, without rows, what stands at LINE. */
struct lore_rows;
void lore_search_refuse(struct lore_search *s, const struct lore_rows *rows, const char *path,
    const struct lore_err *err);
void lore_search_refuse_line(struct lore_search *s, size_t line, const struct lore_err *err);
/* Append the sweeps, versions and runs to the document, and free what the search holds. */
void lore_search_end(struct lore_search *s);

/* ---- JSON values: search_json.c ---- */

/* NODE as the value of a parameter in OUT, so that 16 and 16.0 are one value; false: it is no
 * scalar. */
bool lore_search_scalar(struct lore_search *s, const struct lore_json *node, const char **out);
/* NODE as a further value of C; a list or object becomes its text. A null is none. */
void lore_search_node(struct lore_search *s, struct lore_search_config *c, const char *name,
    const char *unit, const struct lore_json *node);
/* A member of object NODE that is text; else NULL. */
const char *lore_search_text(const struct lore_json *node, const char *key);
/* Read "2023-12-22 09:54:05.502007+00:00" or "… UTC" into C. A time without a zone is ambiguous and
 * not used. */
void lore_search_time(struct lore_search *s, struct lore_search_config *c, const char *text);
/* Milliseconds of a unit of time ("us", "Microseconds", "miliseconds"); 0: it is not known. */
double lore_search_unit_ms(const char *unit);

#endif
