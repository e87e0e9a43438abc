/* Reads the text of an NVTX or roctx range that says what the kernels inside it compute. */
#ifndef LORE_RUN_RANGE_TEXT_H
#define LORE_RUN_RANGE_TEXT_H

#include "service/wire/wire.h"

#define LORE_RANGE_PREFIX "warplore:"

/* Read TEXT into *out: operator (its catalogue name), dims, dtype and layout; NULL where the text
 * says nothing. Everything lives in ARENA. Two forms are read:
 *
 *   warplore:gemm M=4096,N=4096,K=4096,dtype=bf16       dims as --dims takes them; dtype and layout
 *                                                       are no dims
 *   aten::mm, op_id = 7, sizes = [[64, 32], [32, 16]]   PyTorch's emit_nvtx(record_shapes=True)
 *
 * PyTorch's texts name shapes but no data types, and no options. So only operators whose input
 * shapes say everything are read: a softmax without its axis or a convolution without its stride
 * would be compared with other work.
 *
 * LORE_NOTFOUND: TEXT is another range ("forward"). LORE_INVALID: TEXT starts with
 * LORE_RANGE_PREFIX and cannot be read; *err says where. */
enum lore_status lore_range_text_read(const char *text, struct lore_arena *arena,
    struct lore_workload *out, struct lore_err *err) LORE_MUST;

#endif
