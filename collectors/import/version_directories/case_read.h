/* The steps of the version-directories importer, grouped by file; version_directories.c calls them.
 * Some extend the case, some add records to in->doc. */
#ifndef LORE_IMPORT_VERSION_DIRECTORIES_CASE_READ_H
#define LORE_IMPORT_VERSION_DIRECTORIES_CASE_READ_H

#include "collectors/import/version_directories/case_keep.h"
#include "service/catalogue/catalogue.h"

/* case_layout.c */
bool lore_case_is_source(const struct lore_import_file *file);
bool lore_case_scan(struct lore_case *c); /* false: no versions */
void lore_case_read_hypotheses(struct lore_case *c);
/* The number of the first version in TEXT (may be NULL). PROFILE_ONLY: the first version whose
 * profile TEXT quotes, "v3 NCU shows". -1: none. */
long long lore_case_quoted_version(const char *text, bool profile_only);
void lore_case_lineage(struct lore_case *c);

/* case_env.c */
/* Set the chip of the case from TEXT, the name of a product or ISA. When TEXT is unknown or
 * contradicts the chip, it is stored in METHOD under KEY. */
void
lore_case_set_chip(struct lore_case *c, struct lore_kvs *method, const char *key, const char *text);
void lore_case_read_env(struct lore_case *c);
/* The id of the environment of V (NULL: of the whole case), added when it is new. NULL: the
 * environment has no field. */
const char *lore_case_add_env(struct lore_case *c, const struct lore_case_version *v);

/* case_runs.c, case_profile.c, case_bench.c */
void lore_case_read_check(struct lore_case *c, struct lore_case_version *v);
void lore_case_read_profile(struct lore_case *c, struct lore_case_version *v);
void lore_case_add_runs(struct lore_case *c, struct lore_case_version *v);
/* Read a field that the first tables of all reports may have ("GPU", "Dims") into RUN; false: KEY
 * is another field. */
bool lore_case_field(struct lore_case *c, struct lore_run *run, const char *key, const char *text);
/* The metric for a label of a profile, with the vendor's name and unit; NULL: unknown. */
const struct lore_metric_def *lore_case_metric(const char *label);
void lore_case_read_bench(struct lore_case *c);

/* case_report.c, case_kbs.c, case_close.c, case_doubts.c */
void lore_case_read_report(struct lore_case *c);
/* lore_case_table finds a table of the final report by the start of its section title (NULL:
 * none). lore_case_column finds the column of a version (-1: none), lore_case_cell a cell (NULL:
 * none). */
const struct lore_md_table *lore_case_table(const struct lore_case *c, const char *section);
int lore_case_column(const struct lore_md_table *t, const struct lore_case_version *v);
const char *lore_case_cell(const struct lore_md_row *row, int column);
void lore_case_apply_report(
    struct lore_case *c, const struct lore_case_version *v, struct lore_experiment *x);
/* Read kbs_evidence.md of V: lore_case_kbs_link returns the decision link (NULL: none),
 * lore_case_apply_kbs adds the other parts to X and REST. */
const char *lore_case_kbs_link(struct lore_case *c, const struct lore_case_version *v);
void lore_case_apply_kbs(struct lore_case *c, const struct lore_case_version *v,
    struct lore_experiment *x, struct lore_case_unmapped_list *rest);
/* Add each kbs_evidence.md that belongs to no step to the extra of the campaign. */
void lore_case_orphan_kbs(struct lore_case *c);
void
lore_case_close_report(struct lore_case *c, struct lore_campaign *campaign, struct lore_kvs *more);
void lore_case_doubts(struct lore_case *c);

#endif
