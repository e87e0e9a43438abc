# The shipped numbers of chips are compiled in: chips.json becomes a string.
set(chips_json ${CMAKE_SOURCE_DIR}/service/ingest/chips.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${chips_json})
file(READ ${chips_json} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/chips_json.c CONTENT "/* Made by service/ingest/embed.cmake. */
#include \"service/ingest/shipped.h\"
static const unsigned char text[] = {${bytes}0};
const char *const lore_shipped_chips = (const char *)text;
" @ONLY)
target_sources(ingest PRIVATE ${CMAKE_BINARY_DIR}/chips_json.c)
