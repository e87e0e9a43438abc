/* The functions of CUPTI that are used, by name without "cupti". */
#ifndef LORE_CUPTI_CUPTI_FUNCTIONS_H
#define LORE_CUPTI_CUPTI_FUNCTIONS_H

/* Without these nothing is watched. */
#define LORE_CUPTI_NEEDED(X)                                                                       \
    X(GetVersion)                                                                                  \
    X(GetResultString)                                                                             \
    X(GetTimestamp)                                                                                \
    X(Subscribe)                                                                                   \
    X(Unsubscribe)                                                                                 \
    X(EnableCallback)                                                                              \
    X(EnableDomain)                                                                                \
    X(ActivityEnable)                                                                              \
    X(ActivityDisable)                                                                             \
    X(ActivityRegisterCallbacks)                                                                   \
    X(ActivityGetNextRecord)                                                                       \
    X(ActivityGetNumDroppedRecords)                                                                \
    X(ActivityFlushAll)                                                                            \
    X(ActivitySetAttribute)
/* For counters, of CUDA 12.6 Update 2 and newer: NULL where the library lacks one. */
#define LORE_CUPTI_COUNTERS(X)                                                                     \
    X(DeviceGetChipName)                                                                           \
    X(ProfilerInitialize)                                                                          \
    X(ProfilerDeviceSupported)                                                                     \
    X(ProfilerGetCounterAvailability)                                                              \
    X(ProfilerHostInitialize)                                                                      \
    X(ProfilerHostDeinitialize)                                                                    \
    X(ProfilerHostGetBaseMetrics)                                                                  \
    X(ProfilerHostEvaluateToGpuValues)                                                             \
    X(ProfilerHostConfigAddMetrics)                                                                \
    X(ProfilerHostGetConfigImageSize)                                                              \
    X(ProfilerHostGetConfigImage)                                                                  \
    X(ProfilerHostGetNumOfPasses)                                                                  \
    X(RangeProfilerEnable)                                                                         \
    X(RangeProfilerDisable)                                                                        \
    X(RangeProfilerSetConfig)                                                                      \
    X(RangeProfilerStart)                                                                          \
    X(RangeProfilerStop)                                                                           \
    X(RangeProfilerPushRange)                                                                      \
    X(RangeProfilerPopRange)                                                                       \
    X(RangeProfilerDecodeData)                                                                     \
    X(RangeProfilerGetCounterDataSize)                                                             \
    X(RangeProfilerCounterDataImageInitialize)                                                     \
    X(RangeProfilerGetCounterDataInfo)

#endif
