# Compiler settings and switches that hold for the whole project.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(GICSIM_BUILD_TESTS "Build the tests" ON)
option(GICSIM_BUILD_BENCH "Build the benchmarks" ON)
option(GICSIM_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

add_library(gicsim-warnings INTERFACE)
target_compile_options(gicsim-warnings INTERFACE -Wall -Wextra -Wpedantic -Werror)

if(GICSIM_SANITIZE)
  add_compile_options(-O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC reports uninitialised values inside the standard library when it instruments (GCC manual, -fsanitize).
  target_compile_options(gicsim-warnings INTERFACE -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()
