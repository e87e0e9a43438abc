# Capture libraries: loaded into other people's programs, so without sanitizers, with everything
# hidden but what they export on purpose, and linked to nothing but the C library: a vendor's
# library is opened when the program has already loaded it, or by name. Its glibc may be old, and some
# profilers end the program when their tool library does not open (collectors/portable).

# lore_module(NAME FOLDER [include directories...]): libNAME.so of FOLDER and the channel
function(lore_module name folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c)
  if(NOT sources)
    return()
  endif()
  file(GLOB channel CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/collectors/capture/*.c)
  add_library(${name} MODULE ${sources} ${channel})
  target_include_directories(${name} SYSTEM PRIVATE ${ARGN})
  target_compile_options(${name} PRIVATE -fvisibility=hidden -fno-sanitize=all -Wframe-larger-than=8192)
  target_link_options(${name} PRIVATE -fno-sanitize=all -Wl,-z,defs -Wl,-z,nodelete)
  lore_link_old_glibc(${name})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

lore_module(warplore_fake collectors/fake)
lore_module(warplore_hip collectors/hip)

find_path(CUPTI_INCLUDE cupti.h HINTS ENV CUDA_HOME
  PATHS /usr/local/cuda /usr/local/cuda/extras/CUPTI /usr/lib/cuda PATH_SUFFIXES include)
find_path(CUDA_INCLUDE cuda.h HINTS ENV CUDA_HOME PATHS /usr/local/cuda /usr/lib/cuda PATH_SUFFIXES include)
if(CUPTI_INCLUDE AND CUDA_INCLUDE)
  # cupti_profiler_host.h includes C++'s <string> and uses nothing of it: an empty one serves C
  file(WRITE ${CMAKE_BINARY_DIR}/cxx-stub/string "")
  lore_module(warplore_cupti collectors/cupti ${CMAKE_BINARY_DIR}/cxx-stub ${CUPTI_INCLUDE} ${CUDA_INCLUDE})
else()
  message(STATUS "left out: libwarplore_cupti.so (cupti.h was not found; set CUDA_HOME)")
endif()
