# What a GPU host needs: the command, the capture libraries, the agent's unit. `./dev pack` packs it
# together with the few libraries that such hosts do not have, which only this build of the command
# looks for beside itself: the ordinary one has no search path of its own.
add_executable(warplore-portable EXCLUDE_FROM_ALL collectors/client/main.c)
target_link_libraries(warplore-portable PRIVATE client base_abort)
set_target_properties(warplore-portable PROPERTIES BUILD_RPATH "$ORIGIN/../lib/warplore")
