# The maps of known formats are compiled in: every .yaml of this folder becomes a string.
file(GLOB map_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/collectors/import/maps/*.yaml)
list(SORT map_files)
set(maps_rows "")
set(maps_texts "")
set(i 0)
foreach(file ${map_files})
  get_filename_component(name ${file} NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND maps_texts "static const unsigned char text_${i}[] = {${bytes}0};\n")
  string(APPEND maps_rows "    {\"${name}\", (const char *)text_${i}, sizeof text_${i} - 1},\n")
  math(EXPR i "${i} + 1")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/import_maps.c CONTENT "/* Made by collectors/import/maps/embed.cmake. */
#include \"collectors/import/maps/map.h\"
${maps_texts}const struct lore_map_text lore_maps_builtin[] = {
${maps_rows}    {0, 0, 0},
};
" @ONLY)
target_sources(import PRIVATE ${CMAKE_BINARY_DIR}/import_maps.c)
