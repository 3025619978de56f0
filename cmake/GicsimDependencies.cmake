# Everything comes from Debian packages (script/packages.txt); nothing is downloaded here.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)

# Debian builds libsystemc as C++17 and its link guard (a version symbol that carries the value of __cplusplus)
# refuses objects compiled as C++20. SC_CPLUSPLUS is SystemC's own override of that value; gicsim uses no SystemC
# type whose layout depends on the language version. SC_INCLUDE_DYNAMIC_PROCESSES is what <systemc> needs for
# sc_spawn in tests.
add_library(gicsim-systemc INTERFACE)
add_library(gicsim::systemc ALIAS gicsim-systemc)
target_compile_definitions(gicsim-systemc INTERFACE SC_CPLUSPLUS=201703L SC_INCLUDE_DYNAMIC_PROCESSES)
target_link_libraries(gicsim-systemc INTERFACE PkgConfig::SYSTEMC)
set_target_properties(PkgConfig::SYSTEMC PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
                      "/usr/include;${SYSTEMC_INCLUDE_DIRS}")

find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
if(GICSIM_BUILD_TESTS)
  find_package(Catch2 2.13 REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
if(GICSIM_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
