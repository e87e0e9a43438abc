# What is built here runs on hosts with glibc 2.28 and newer (RHEL 8, Ubuntu 20.04), whatever this host
# has: it is linked with a C library that knows no later symbol (stubs.sh).
set(STUBS ${CMAKE_BINARY_DIR}/glibc-2.28)
add_custom_command(OUTPUT ${STUBS}/libc.so ${STUBS}/libm.so
  COMMAND ${CMAKE_SOURCE_DIR}/collectors/portable/stubs.sh ${CMAKE_C_COMPILER} ${STUBS}
  DEPENDS ${CMAKE_SOURCE_DIR}/collectors/portable/stubs.sh VERBATIM)
add_custom_target(glibc_stubs DEPENDS ${STUBS}/libc.so ${STUBS}/libm.so)

function(lore_link_old_glibc name)
  add_dependencies(${name} glibc_stubs)
  # by file name: before 2.34 these were libraries of their own, which now are empty
  target_link_options(${name} PRIVATE -L${STUBS} -Wl,--allow-shlib-undefined
    -Wl,--no-as-needed -l:libdl.so.2 -l:libpthread.so.0 -Wl,--as-needed)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${STUBS}/libc.so)
endfunction()

# What a GPU host needs: the command, the capture libraries, the agent's unit. `./dev pack` packs it.
# This build of the command brings the libraries that such hosts do not have, or have by another name.
# lore_static_if_portable(TARGET ARCHIVE [archives that it calls...])
function(lore_static_if_portable target archive)
  find_library(${archive}_ARCHIVE ${archive})
  get_target_property(shared ${target} INTERFACE_LINK_LIBRARIES)
  if(${archive}_ARCHIVE)
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES
      "$<IF:$<BOOL:$<TARGET_PROPERTY:PORTABLE>>,${${archive}_ARCHIVE},${shared}>")
  endif()
  foreach(called ${ARGN})
    find_library(${called}_ARCHIVE ${called})
    if(${archive}_ARCHIVE AND ${called}_ARCHIVE)
      target_link_libraries(${target} INTERFACE
        "$<$<BOOL:$<TARGET_PROPERTY:PORTABLE>>:${${called}_ARCHIVE}>")
    endif()
  endforeach()
endfunction()
lore_static_if_portable(PkgConfig::SODIUM libsodium.a)
lore_static_if_portable(PkgConfig::YAML libyaml.a)
lore_static_if_portable(PkgConfig::YAJL libyajl_s.a)
lore_static_if_portable(PkgConfig::ZSTD libzstd.a)
# libarchive.a names no libraries of its own; it reads encrypted members with libnettle
lore_static_if_portable(PkgConfig::ARCHIVE libarchive.a libnettle.a liblzma.a libbz2.a libz.a)
lore_static_if_portable(PkgConfig::SQLITE libsqlite3.a)

add_executable(warplore-portable EXCLUDE_FROM_ALL collectors/client/main.c collectors/portable/glibc.c)
target_link_libraries(warplore-portable PRIVATE client base_abort)
set_target_properties(warplore-portable PROPERTIES PORTABLE ON)
target_link_options(warplore-portable PRIVATE -Wl,--wrap=main)
lore_link_old_glibc(warplore-portable)
