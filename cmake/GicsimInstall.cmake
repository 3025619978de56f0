# What an embedding SystemC model gets: one library, its headers (C++17), a CMake package and a pkg-config file. And the
# program with its data.
add_library(gicsim-component-package STATIC
            $<TARGET_OBJECTS:gicsim-arch> $<TARGET_OBJECTS:gicsim-timeline> $<TARGET_OBJECTS:gicsim-fabric>
            $<TARGET_OBJECTS:gicsim-gic> $<TARGET_OBJECTS:gicsim-component>)
set_target_properties(gicsim-component-package PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME gicsim)

include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gicsim")
configure_package_config_file(cmake/gicsim-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/gicsim-config.cmake"
                              INSTALL_DESTINATION "${package_folder}"
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/gicsim-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
configure_file(cmake/gicsim.pc.in "${CMAKE_CURRENT_BINARY_DIR}/gicsim.pc" @ONLY)

install(TARGETS gicsim-component-package ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT embed)
foreach(header component/gic.h gic/security_extension.h arch/pe_state.h arch/security.h arch/system_register_encoding.h)
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "include/gicsim/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gicsim/${folder}" COMPONENT embed)
endforeach()
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/gicsim-config.cmake" "${CMAKE_CURRENT_BINARY_DIR}/gicsim-config-version.cmake"
        DESTINATION "${package_folder}" COMPONENT embed)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/gicsim.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT embed)

if(TARGET gicsim)
  install(TARGETS gicsim RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  install(DIRECTORY configs/ DESTINATION "${CMAKE_INSTALL_DATADIR}/gicsim" COMPONENT program)
endif()
