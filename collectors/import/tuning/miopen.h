/* Problems and timings of MIOpen's find databases. miopen_read.c parses them; miopen.c makes
 * records from them. tests/eval uses them to evaluate recommendations for unmeasured shapes. */
#ifndef LORE_IMPORT_TUNING_MIOPEN_H
#define LORE_IMPORT_TUNING_MIOPEN_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum { LORE_MIOPEN_TIMINGS = 256 };   /* most timings of one problem */
#define LORE_MIOPEN_UNUSED "<unused>" /* instead of the key of the kernel cache; it is none */

struct lore_miopen_timing {
    const char *solver;    /* "ConvBinWinogradRxSf3x2" */
    const char *algorithm; /* "miopenConvolutionFwdAlgoWinograd"; NULL: not said */
    const char *rest;      /* library and key of the kernel cache; NULL: none */
    double ms;
    int64_t workspace_bytes;
};
struct lore_miopen_problem {
    const char *key; /* text before '=', as written */
    const char *op;  /* conv2d | conv3d */
    /* layout and dims of the forward convolution as text; the same for all three directions */
    const char *shape;
    struct lore_kvs dims; /* dims of the forward convolution, and the direction */
    const char *dtype;    /* catalogue name such as "f16", else the written name in lower case */
    const char *layout;   /* "NCHW"; "NHWC,NCHW,NHWC" where the tensors differ */
    struct lore_miopen_timing *timings; /* fastest first; equal times in file order */
    size_t n;
    struct lore_texts faults; /* what is wrong with each timing that could not be read */
};
/* Parse the key of a problem, which OUT borrows: everything but the timings. */
enum lore_status lore_miopen_key(struct lore_arena *arena, const char *key,
    struct lore_miopen_problem *out, struct lore_err *err) LORE_MUST;
/* Parse one line of LEN bytes without its line break. Everything lives in ARENA; *out is written on
 * LORE_OK alone. A timing that cannot be read is a fault of the problem; on LORE_INVALID the line
 * has none that can, or its key is wrong. */
enum lore_status lore_miopen_line(struct lore_arena *arena, const char *text, size_t len,
    struct lore_miopen_problem *out, struct lore_err *err) LORE_MUST;
/* Whether the solver uses a matrix multiplication. Such solvers are the base of experiments. */
bool lore_miopen_is_gemm(const struct lore_miopen_timing *t);
/* The timing of the fastest matrix-multiplication solver of P; NULL: none is listed. */
const struct lore_miopen_timing *lore_miopen_base(const struct lore_miopen_problem *p);
/* The technique of using SOLVER, in ARENA. Words for the direction are removed because the problem
 * states it: ConvDirectNaiveConvFwd and ConvDirectNaiveConvBwd give
 * "miopen.convdirectnaiveconv". */
const char *lore_miopen_technique(struct lore_arena *arena, const char *solver);
/* The chip for a file name such as "gfx942130.HIP.fdb.txt": the ISA, then the number of compute
 * units in hexadecimal, or in decimal after '_'. When no product has that number, the chip is the
 * ISA itself. NULL: the name has no known ISA. *UNITS (may be NULL) gets the number, 0 when there
 * is none. */
const char *lore_miopen_chip(struct lore_arena *arena, const char *file, int *units);

#endif
