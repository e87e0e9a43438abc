/* Our declarations of rocprofiler-sdk against its real headers: it only has to compile
 * (rocprofiler_abi.py says with which). */
#include <rocprofiler-sdk/agent.h>
#include <rocprofiler-sdk/buffer.h>
#include <rocprofiler-sdk/buffer_tracing.h>
#include <rocprofiler-sdk/callback_tracing.h>
#include <rocprofiler-sdk/context.h>
#include <rocprofiler-sdk/counters.h>
#if HEADERS_MAJOR >= 1
#include <rocprofiler-sdk/dispatch_counting_service.h>
#else
#include <rocprofiler-sdk/dispatch_profile.h>
#endif
#include <rocprofiler-sdk/external_correlation.h>
#include <rocprofiler-sdk/fwd.h>
#include <rocprofiler-sdk/marker.h>
#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#include "collectors/hip/rocprofiler_api.h"

#define HOLDS(...) _Static_assert(__VA_ARGS__, #__VA_ARGS__)
#define SAME_AT(theirs, field, ours, our_field)                                                    \
    HOLDS(offsetof(theirs, field) == offsetof(struct ours, our_field));                            \
    HOLDS(sizeof((theirs *)0)->field == sizeof((struct ours *)0)->our_field)

/* numbers */
HOLDS(ROCPROFILER_BUFFER_CATEGORY_TRACING == LORE_ROCP_CATEGORY_TRACING);
HOLDS(ROCPROFILER_BUFFER_TRACING_MEMORY_COPY == LORE_ROCP_BUFFER_COPY);
HOLDS(ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH == LORE_ROCP_BUFFER_DISPATCH);
HOLDS(ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT == LORE_ROCP_CODE_OBJECT);
HOLDS(ROCPROFILER_CODE_OBJECT_LOAD == LORE_ROCP_CODE_OBJECT_LOAD);
HOLDS(ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER == LORE_ROCP_CODE_OBJECT_KERNEL);
HOLDS(ROCPROFILER_CALLBACK_PHASE_LOAD == LORE_ROCP_PHASE_LOAD);
HOLDS(ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API == LORE_ROCP_MARKER);
HOLDS(ROCPROFILER_MARKER_CORE_API_ID_roctxRangePushA == LORE_ROCP_MARKER_PUSH);
HOLDS(ROCPROFILER_MARKER_CORE_API_ID_roctxRangePop == LORE_ROCP_MARKER_POP);
HOLDS(ROCPROFILER_CALLBACK_PHASE_ENTER == LORE_ROCP_PHASE_ENTER);
HOLDS(ROCPROFILER_BUFFER_POLICY_LOSSLESS == LORE_ROCP_POLICY_LOSSLESS);
HOLDS(ROCPROFILER_AGENT_INFO_VERSION_0 == LORE_ROCP_AGENT_VERSION);
HOLDS(ROCPROFILER_AGENT_TYPE_GPU == LORE_ROCP_AGENT_GPU);
HOLDS(ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_FILE == LORE_ROCP_STORAGE_FILE);
HOLDS(ROCPROFILER_CODE_OBJECT_STORAGE_TYPE_MEMORY == LORE_ROCP_STORAGE_MEMORY);
HOLDS(ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE == LORE_ROCP_COPY_H2D);
HOLDS(ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST == LORE_ROCP_COPY_D2H);
HOLDS(ROCPROFILER_MEMORY_COPY_DEVICE_TO_DEVICE == LORE_ROCP_COPY_D2D);
HOLDS(ROCPROFILER_STATUS_SUCCESS == 0);

/* handles are one number */
HOLDS(sizeof(rocprofiler_context_id_t) == 8 && sizeof(rocprofiler_buffer_id_t) == 8);
HOLDS(sizeof(rocprofiler_agent_id_t) == 8 && sizeof(rocprofiler_counter_id_t) == 8);
HOLDS(sizeof(rocprofiler_user_data_t) == 8 && sizeof(rocprofiler_thread_id_t) == 8);
HOLDS(sizeof(rocprofiler_tracing_operation_t) == sizeof(int32_t));

/* records */
SAME_AT(rocprofiler_record_header_t, category, lore_rocp_header, category);
SAME_AT(rocprofiler_record_header_t, kind, lore_rocp_header, kind);
SAME_AT(rocprofiler_record_header_t, payload, lore_rocp_header, payload);
#define INFO rocprofiler_kernel_dispatch_info_t
HOLDS(sizeof(INFO) == sizeof(struct lore_rocp_dispatch_info));
SAME_AT(INFO, agent_id, lore_rocp_dispatch_info, agent);
SAME_AT(INFO, queue_id, lore_rocp_dispatch_info, queue);
SAME_AT(INFO, kernel_id, lore_rocp_dispatch_info, kernel);
SAME_AT(INFO, dispatch_id, lore_rocp_dispatch_info, dispatch);
SAME_AT(INFO, private_segment_size, lore_rocp_dispatch_info, private_bytes);
SAME_AT(INFO, group_segment_size, lore_rocp_dispatch_info, group_bytes);
SAME_AT(INFO, workgroup_size, lore_rocp_dispatch_info, workgroup);
SAME_AT(INFO, grid_size, lore_rocp_dispatch_info, grid);
#define DISPATCH rocprofiler_buffer_tracing_kernel_dispatch_record_t
SAME_AT(DISPATCH, size, lore_rocp_dispatch, size);
SAME_AT(DISPATCH, start_timestamp, lore_rocp_dispatch, start_ns);
SAME_AT(DISPATCH, end_timestamp, lore_rocp_dispatch, end_ns);
SAME_AT(DISPATCH, dispatch_info, lore_rocp_dispatch, info);
SAME_AT(DISPATCH, thread_id, lore_rocp_dispatch, thread);
HOLDS(offsetof(DISPATCH, correlation_id.external) ==
      offsetof(struct lore_rocp_dispatch, correlation) + sizeof(uint64_t));
#define COPY rocprofiler_buffer_tracing_memory_copy_record_t
SAME_AT(COPY, operation, lore_rocp_copy, operation);
SAME_AT(COPY, start_timestamp, lore_rocp_copy, start_ns);
SAME_AT(COPY, end_timestamp, lore_rocp_copy, end_ns);
SAME_AT(COPY, bytes, lore_rocp_copy, bytes);
HOLDS(sizeof(COPY) >= sizeof(struct lore_rocp_copy));

/* the callback record: the layout is one of the two */
#define CALL rocprofiler_callback_tracing_record_t
#define AT(layout, field) offsetof(struct lore_rocp_callback, layout.field)
#define LIES_IN(layout)                                                                            \
    (offsetof(CALL, kind) == AT(layout, kind) &&                                                   \
        offsetof(CALL, operation) == AT(layout, operation) &&                                      \
        offsetof(CALL, phase) == AT(layout, phase) &&                                              \
        offsetof(CALL, payload) == AT(layout, payload))
HOLDS(LIES_IN(before_1_0) || LIES_IN(since_1_0.event));
HOLDS(LIES_IN(since_1_0.event) == (HEADERS_MAJOR >= 1));
SAME_AT(CALL, thread_id, lore_rocp_callback, thread);
#define MARKER rocprofiler_callback_tracing_marker_api_data_t
HOLDS(offsetof(MARKER, args.roctxRangePushA.message) == offsetof(struct lore_rocp_marker, message));
#define KERNEL rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t
SAME_AT(KERNEL, kernel_id, lore_rocp_kernel, kernel);
SAME_AT(KERNEL, code_object_id, lore_rocp_kernel, code_object);
SAME_AT(KERNEL, kernel_name, lore_rocp_kernel, name);
SAME_AT(KERNEL, group_segment_size, lore_rocp_kernel, group_bytes);
SAME_AT(KERNEL, private_segment_size, lore_rocp_kernel, private_bytes);
SAME_AT(KERNEL, sgpr_count, lore_rocp_kernel, sgprs);
SAME_AT(KERNEL, arch_vgpr_count, lore_rocp_kernel, vgprs);
SAME_AT(KERNEL, accum_vgpr_count, lore_rocp_kernel, agprs);
#define OBJECT rocprofiler_callback_tracing_code_object_load_data_t
SAME_AT(OBJECT, code_object_id, lore_rocp_code_object, id);
SAME_AT(OBJECT, uri, lore_rocp_code_object, uri);
SAME_AT(OBJECT, storage_type, lore_rocp_code_object, storage);
SAME_AT(OBJECT, storage_file, lore_rocp_code_object, file);
SAME_AT(OBJECT, memory_base, lore_rocp_code_object, memory);
SAME_AT(OBJECT, memory_size, lore_rocp_code_object, memory_bytes);

/* agents */
#define AGENT rocprofiler_agent_v0_t
HOLDS(sizeof(AGENT) >= sizeof(struct lore_rocp_agent));
SAME_AT(AGENT, size, lore_rocp_agent, size);
SAME_AT(AGENT, id, lore_rocp_agent, id);
SAME_AT(AGENT, type, lore_rocp_agent, type);
SAME_AT(AGENT, max_waves_per_simd, lore_rocp_agent, waves_per_simd);
SAME_AT(AGENT, lds_size_in_kb, lore_rocp_agent, lds_kib);
SAME_AT(AGENT, simd_per_cu, lore_rocp_agent, simds_per_unit);
SAME_AT(AGENT, wave_front_size, lore_rocp_agent, wave_threads);
SAME_AT(AGENT, num_xcc, lore_rocp_agent, dies);
SAME_AT(AGENT, cu_count, lore_rocp_agent, units);
SAME_AT(AGENT, gfx_target_version, lore_rocp_agent, gfx_version);
SAME_AT(AGENT, device_id, lore_rocp_agent, device_id);
SAME_AT(AGENT, location_id, lore_rocp_agent, location);
SAME_AT(AGENT, domain, lore_rocp_agent, domain);
SAME_AT(AGENT, gpu_id, lore_rocp_agent, gpu_id);
SAME_AT(AGENT, name, lore_rocp_agent, name);
SAME_AT(AGENT, product_name, lore_rocp_agent, product_name);
SAME_AT(AGENT, node_id, lore_rocp_agent, node);

/* counters */
HOLDS(ROCPROFILER_COUNTER_INFO_VERSION_0 == LORE_ROCP_COUNTER_VERSION);
#define COUNTER rocprofiler_counter_info_v0_t
HOLDS(sizeof(COUNTER) == sizeof(struct lore_rocp_counter));
SAME_AT(COUNTER, id, lore_rocp_counter, id);
SAME_AT(COUNTER, name, lore_rocp_counter, name);
#if HEADERS_MAJOR >= 1
#define COUNTED rocprofiler_dispatch_counting_service_data_t
#define VALUE rocprofiler_counter_record_t
HOLDS(sizeof(VALUE) == sizeof(struct lore_rocp_value));
#else
#define COUNTED rocprofiler_profile_counting_dispatch_data_t
#define VALUE rocprofiler_record_counter_t
HOLDS(sizeof(VALUE) == offsetof(struct lore_rocp_value, agent));
#endif
HOLDS(sizeof(COUNTED) == sizeof(struct lore_rocp_counted));
SAME_AT(COUNTED, start_timestamp, lore_rocp_counted, start_ns);
SAME_AT(COUNTED, dispatch_info, lore_rocp_counted, info);
SAME_AT(VALUE, id, lore_rocp_value, instance);
SAME_AT(VALUE, counter_value, lore_rocp_value, value);
SAME_AT(VALUE, dispatch_id, lore_rocp_value, dispatch);

/* what the sdk calls and what we return */
#define TOOL rocprofiler_tool_configure_result_t
HOLDS(sizeof(TOOL) == sizeof(struct lore_rocp_tool));
SAME_AT(TOOL, initialize, lore_rocp_tool, init);
SAME_AT(TOOL, finalize, lore_rocp_tool, fini);
SAME_AT(TOOL, tool_data, lore_rocp_tool, data);
