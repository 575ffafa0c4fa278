# SPDX-License-Identifier: MIT
# How all is compiled and the targets are linked for the engine in MISPRINT_ENGINE: the target
# misprint-engine to link with.
#
# Where the environment has LIB_FUZZING_ENGINE, as OSS-Fuzz and ClusterFuzz set it, that is linked, and
# CFLAGS say how to compile.
add_library(misprint-engine INTERFACE)
if(DEFINED ENV{LIB_FUZZING_ENGINE})
  enable_language(CXX) # engines may be C++
  target_link_options(misprint-engine INTERFACE $ENV{LIB_FUZZING_ENGINE})
  set(MISPRINT_LINKER_LANGUAGE CXX)
elseif(MISPRINT_ENGINE STREQUAL libfuzzer)
  # Edges, and no more of what -fsanitize=fuzzer would add: tracing each comparison takes a third of the
  # time, and only mutation of bytes has a use for it. So only the readers of text get that
  # (CMakeLists.txt).
  add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
  set(MISPRINT_TRACE_COMPARISONS -fsanitize-coverage=trace-cmp)
  # Of the units, functions instead of edges: what leads there are the ledger's counters, and edges take
  # half of the time (amd-buffer 79 k cases/s with them, 149 k without; vc4-qpu 38 k, 56 k).
  set(MISPRINT_COARSE -fsanitize-coverage=func)
  set(MISPRINT_NOT_INSTRUMENTED -fno-sanitize-coverage=edge,func,inline-8bit-counters,pc-table)
  target_link_options(misprint-engine INTERFACE -fsanitize=fuzzer)
elseif(MISPRINT_ENGINE STREQUAL afl) # afl-clang-fast is told by its environment
  set(MISPRINT_NOT_INSTRUMENTED_LAUNCHER env AFL_NOOPT=1)
  # clang's own instrumentation in place of AFL++'s, which knows no functions, only edges: of the units,
  # functions, for the same reasons.
  set(CMAKE_C_COMPILER_LAUNCHER env AFL_LLVM_INSTRUMENT=LLVM-NATIVE)
  set(MISPRINT_COARSE -fsanitize-coverage=func)
else()
  message(FATAL_ERROR "MISPRINT_ENGINE is '${MISPRINT_ENGINE}'; there are: libfuzzer, afl")
endif()
