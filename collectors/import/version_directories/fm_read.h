/* The steps of the version-directories importer, in the order in which fm.c calls them. Each reads
 * the case and adds records to in->doc. */
#ifndef LORE_IMPORT_VERSION_DIRECTORIES_FM_READ_H
#define LORE_IMPORT_VERSION_DIRECTORIES_FM_READ_H

#include "collectors/import/version_directories/fm_keep.h"
#include "service/catalogue/catalogue.h"

/* fm_layout.c */
bool lore_fm_is_source(const struct lore_import_file *file);
bool lore_fm_scan(struct lore_fm_case *c); /* false: no versions */
void lore_fm_read_claims(struct lore_fm_case *c);
/* The first version that TEXT (may be NULL) speaks of, as in "v3 NCU shows" with PROFILE_ONLY;
 * -1: none. */
long long lore_fm_quoted(const char *text, bool profile_only);
void lore_fm_lineage(struct lore_fm_case *c);

/* fm_env.c */
/* TEXT names the chip, or its ISA; where it does not agree with what is known, it goes to METHOD.
 */
void lore_fm_set_chip(
    struct lore_fm_case *c, struct lore_kvs *method, const char *key, const char *text);
void lore_fm_read_env(struct lore_fm_case *c);
/* The id of the environment of V (NULL: of the case as a whole), added when it is new; NULL when
 * nothing is known of it. */
const char *lore_fm_add_env(struct lore_fm_case *c, const struct lore_fm_version *v);

/* fm_runs.c, fm_profile.c, fm_bench.c */
void lore_fm_read_check(struct lore_fm_case *c, struct lore_fm_version *v);
void lore_fm_read_profile(struct lore_fm_case *c, struct lore_fm_version *v);
void lore_fm_add_runs(struct lore_fm_case *c, struct lore_fm_version *v);
/* What all the files say in their first table; false for another field. */
bool lore_fm_field(struct lore_fm_case *c, struct lore_run *run, const char *key, const char *text);
/* Label of a profile as a metric: the vendor's name and unit; NULL when it is not known. */
const struct lore_metric_def *lore_fm_metric(const char *label);
void lore_fm_read_bench(struct lore_fm_case *c);

/* fm_report.c, fm_kbs.c, fm_close.c, fm_doubts.c */
void lore_fm_read_report(struct lore_fm_case *c);
/* Tables of the final report by the beginning of their section's title; a version's column and the
 * cell in it. NULL and -1 when there is none. */
const struct lore_md_table *lore_fm_table(const struct lore_fm_case *c, const char *section);
int lore_fm_column(const struct lore_md_table *t, const struct lore_fm_version *v);
const char *lore_fm_cell(const struct lore_md_row *row, int column);
void lore_fm_apply_report(
    struct lore_fm_case *c, const struct lore_fm_version *v, struct lore_experiment *x);
/* What kbs_evidence.md in V's directory says: the decision link (NULL: none), the rest into X. */
const char *lore_fm_kbs_link(struct lore_fm_case *c, const struct lore_fm_version *v);
void lore_fm_apply_kbs(struct lore_fm_case *c, const struct lore_fm_version *v,
    struct lore_experiment *x, struct lore_fm_rest *rest);
/* kbs_evidence.md that belongs to no step: kept with the campaign. */
void lore_fm_orphan_kbs(struct lore_fm_case *c);
void
lore_fm_close_report(struct lore_fm_case *c, struct lore_campaign *campaign, struct lore_kvs *more);
void lore_fm_doubts(struct lore_fm_case *c);

#endif
