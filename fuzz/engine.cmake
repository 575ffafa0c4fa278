# SPDX-License-Identifier: MIT
# How all is compiled and the targets are linked for the engine in MISPRINT_ENGINE: the target misprint-engine to link with.
#
# Where the environment has LIB_FUZZING_ENGINE, as OSS-Fuzz and ClusterFuzz set it, that is linked, and CFLAGS say how to compile.
add_library(misprint-engine INTERFACE)
if(DEFINED ENV{LIB_FUZZING_ENGINE})
  enable_language(CXX) # engines may be C++
  target_link_options(misprint-engine INTERFACE $ENV{LIB_FUZZING_ENGINE})
elseif(MISPRINT_ENGINE STREQUAL libfuzzer)
  add_compile_options(-fsanitize=fuzzer-no-link)
  target_link_options(misprint-engine INTERFACE -fsanitize=fuzzer)
elseif(NOT MISPRINT_ENGINE STREQUAL afl) # afl-clang-fast needs no flags
  message(FATAL_ERROR "MISPRINT_ENGINE is '${MISPRINT_ENGINE}'; there are: libfuzzer, afl")
endif()
