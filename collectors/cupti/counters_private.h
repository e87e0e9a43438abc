/* Functions shared by the counters*.c files. */
#ifndef LORE_CUPTI_COUNTERS_PRIVATE_H
#define LORE_CUPTI_COUNTERS_PRIVATE_H

#include "collectors/capture/channel.h"
#include "collectors/cupti/counters_types.h"

/* Write a state about RESULT, the error of STEP. */
void lore_counters_refusal(CUptiResult result, const char *step);

/* The profiled context of CTX, prepared at first use; NULL when it is refused. */
struct lore_counters_context *lore_counters_context(CUcontext ctx);
void lore_counters_context_gone(CUcontext ctx);
/* Write every base metric name of CTX's chip. */
void lore_counters_list(CUcontext ctx);

/* Read the parameters of launch function CBID; false when it launches a graph. */
bool lore_counters_params(
    CUpti_CallbackId cbid, const CUpti_CallbackData *data, struct lore_counters_launch *out);
void lore_counters_shape(const struct lore_counters_launch *l, struct lore_cap_shape *out);
/* Whether NAME is derived from the launch. If so lore_counters_launch_value sets *value, or
 * *missing (enum lore_missing). */
bool lore_counters_from_launch(const char *name);
void lore_counters_launch_value(
    const struct lore_counters_launch *l, const char *name, double *value, uint32_t *missing);

/* Run launch L once more, with the arguments of the program's call. */
CUresult lore_counters_repeat(const struct lore_counters_launch *l);

/* Save the memory of CONTEXT; false: it cannot be saved, and a state says why. */
bool lore_counters_memory_save(CUcontext context);
bool lore_counters_memory_restore(void);
/* Free what the three functions around it have allocated. */
void lore_counters_memory_close(void);
/* Prepare cleaning of the L2, unless the settings say no. A state says when it is not cleaned. */
void lore_counters_cache_open(struct lore_counters_context *c);
/* Clean the L2 if that was prepared, and wait for the device; false: the device failed. */
bool lore_counters_cache_clean(const struct lore_counters_context *c);

/* Make all passes of L but the last, and start the profiler for the program's own launch, which is
 * the last; false: the launch is not counted. */
bool lore_counters_open(
    struct lore_counters_context *c, const struct lore_counters_launch *l, uint64_t key);
/* After the launch: read and write the counters of launch ORDINAL of its shape. False: another
 * launch disturbed them, or they could not be read. */
bool lore_counters_close(struct lore_counters_context *c, const struct lore_counters_launch *l,
    uint64_t key, uint32_t ordinal);

/* Application replay: counter images live in a file between executions of the program. Read the
 * image of KEY into IMAGE: the number of passes in it, 0 for none, -1 when there is no file. */
long lore_counters_replay_read(uint64_t key, uint8_t *image, size_t bytes);
bool lore_counters_replay_write(uint64_t key, const uint8_t *image, size_t bytes, size_t passes);

#endif
