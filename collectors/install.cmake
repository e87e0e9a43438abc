# What a GPU host needs: the command, the capture libraries, the agent's unit. `./dev pack`
# packs it together with the few libraries that such hosts do not have.
include(GNUInstallDirs)
set_target_properties(warplore PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/warplore")
install(TARGETS warplore RUNTIME DESTINATION bin COMPONENT collector)
foreach(module warplore_cupti warplore_fake)
  if(TARGET ${module})
    install(TARGETS ${module} LIBRARY DESTINATION lib/warplore COMPONENT collector)
  endif()
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/collectors/upload/warplore-agent.service
  DESTINATION lib/systemd/system COMPONENT collector OPTIONAL)
