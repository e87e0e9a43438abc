/* MIOpen's find databases as problems and timings: what miopen_read.c reads, for miopen.c to make
 * records of, and for the evaluation of advice on shapes that were never measured. */
#ifndef LORE_IMPORT_TUNING_MIOPEN_H
#define LORE_IMPORT_TUNING_MIOPEN_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum { LORE_MO_TIMINGS = 256 }; /* of one problem */

struct lore_mo_timing {
    const char *solver;    /* "ConvBinWinogradRxSf3x2" */
    const char *algorithm; /* "miopenConvolutionFwdAlgoWinograd"; NULL: not said */
    const char *rest;      /* what follows it, as written; NULL: nothing */
    double ms;
    int64_t workspace_bytes;
};
struct lore_mo_problem {
    const char *key;   /* as written, before '=' */
    const char *op;    /* conv2d | conv3d */
    const char *shape; /* the forward convolution's dims as text: same for all three directions */
    struct lore_kvs dims; /* of the forward convolution; direction */
    const char *dtype;    /* "f16" as the catalogue spells it, else as written in lower case */
    const char *layout;   /* "NCHW"; "NHWC,NCHW,NHWC" where the tensors differ */
    struct lore_mo_timing *timings; /* fastest first; same times in the order of the file */
    size_t n;
};
/* One line of LEN bytes without its end. Everything lives in ARENA; *out is written on LORE_OK
 * alone. LORE_INVALID says what is wrong with it. */
enum lore_status lore_miopen_line(struct lore_arena *arena, const char *text, size_t len,
    struct lore_mo_problem *out, struct lore_err *err) LORE_MUST;
/* Whether a solver goes by way of a matrix multiplication: the base that alternatives are compared
 * with. */
bool lore_miopen_is_gemm(const struct lore_mo_timing *t);
/* The fastest such solver of P; NULL: none is listed. */
const struct lore_mo_timing *lore_miopen_base(const struct lore_mo_problem *p);
/* The technique "use SOLVER", as a name in ARENA, without the word for the direction, which the
 * problem gives: "miopen.convdirectnaiveconv" of ConvDirectNaiveConvFwd and ConvDirectNaiveConvBwd.
 */
const char *lore_miopen_technique(struct lore_arena *arena, const char *solver);
/* The catalogue's chip of a file "gfx942130.HIP.fdb.txt": the ISA, then the compute units (in
 * hexadecimal, or after '_' in decimal). The ISA's own row where no product has as many units;
 * NULL: the name does not say. UNITS (may be NULL) is set when there are any. */
const char *lore_miopen_chip(struct lore_arena *arena, const char *file, int *units);

#endif
