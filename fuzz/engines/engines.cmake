# SPDX-License-Identifier: MIT
# The target `engines`: builds this source once more for each fuzzing engine that is installed, with that
# engine's compiler, into MISPRINT_ENGINES_DIR/ENGINE. Not part of `all`: it takes as long as everything
# else together.
include(ExternalProject)
find_program(MISPRINT_CLANG NAMES clang clang-14 clang-16 clang-19)
find_program(MISPRINT_AFL_CC NAMES afl-clang-fast)
mark_as_advanced(MISPRINT_CLANG MISPRINT_AFL_CC)
set(MISPRINT_ENGINES_FLAGS "" CACHE STRING
    "Flags in place of those of the build type; scripts/test sets -O0, which compiles in a third of the time")
set(engines_type -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_C_FLAGS_DEBUG=${CMAKE_C_FLAGS_DEBUG})
if(MISPRINT_ENGINES_FLAGS)
  set(engines_type -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=${MISPRINT_ENGINES_FLAGS})
endif()

add_custom_target(engines)
function(misprint_engine engine compiler needs)
  if(NOT compiler)
    set(MISPRINT_HAS_${engine} OFF CACHE INTERNAL "")
    message(STATUS "engine ${engine}: ${needs} is not installed")
    add_custom_target(engine-${engine} VERBATIM
      COMMAND ${CMAKE_COMMAND} -DENGINE=${engine} -DSOURCE=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR}
              -DNEEDS=${needs} -P ${PROJECT_SOURCE_DIR}/fuzz/engines/look_again.cmake)
  else()
    set(MISPRINT_HAS_${engine} ON CACHE INTERNAL "")
    ExternalProject_Add(engine-${engine}
      SOURCE_DIR ${PROJECT_SOURCE_DIR}
      PREFIX ${PROJECT_BINARY_DIR}/engines/${engine}
      BINARY_DIR ${PROJECT_BINARY_DIR}/engines/${engine}
      CMAKE_ARGS -DCMAKE_C_COMPILER=${compiler} ${engines_type} -DMISPRINT_ENGINE=${engine}
                 -DMISPRINT_SANITIZE=${MISPRINT_SANITIZE} -DMISPRINT_WERROR=${MISPRINT_WERROR}
                 -DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${MISPRINT_ENGINES_DIR}/${engine}
                 -DCMAKE_LIBRARY_OUTPUT_DIRECTORY=${MISPRINT_ENGINES_DIR}/${engine}
      INSTALL_COMMAND "" BUILD_ALWAYS ON EXCLUDE_FROM_ALL ON USES_TERMINAL_BUILD ON)
  endif()
  add_dependencies(engines engine-${engine})
endfunction()

set(clang "")
if(MISPRINT_CLANG) # with libFuzzer? Debian has that in a package of its own
  set(probe ${PROJECT_BINARY_DIR}/engines/probe)
  file(WRITE ${probe}.c "int LLVMFuzzerTestOneInput(const char *c, unsigned long n) { return !c && n; }\n")
  execute_process(COMMAND ${MISPRINT_CLANG} -fsanitize=fuzzer ${probe}.c -o ${probe}
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    set(clang ${MISPRINT_CLANG})
  endif()
endif()
misprint_engine(libfuzzer "${clang}" "clang with libFuzzer (clang, libclang-rt-14-dev)")
misprint_engine(afl "${MISPRINT_AFL_CC}" "afl-clang-fast (afl++)")

# AFL++'s mutator library: loaded into afl-fuzz, so it is neither instrumented nor sanitized. A build under
# sanitizers compiles the model once more for it.
add_library(misprint-mutator MODULE EXCLUDE_FROM_ALL
            targets/afl/mutator.c generate/mutator.c generate/generate.c)
if(MISPRINT_SANITIZE)
  target_sources(misprint-mutator PRIVATE ${MODEL_SOURCES})
else()
  target_link_libraries(misprint-mutator PRIVATE misprint-model)
endif()
target_include_directories(misprint-mutator PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(misprint-mutator PRIVATE -fno-sanitize=all -fvisibility=default)
target_link_options(misprint-mutator PRIVATE -fno-sanitize=all -Wl,--exclude-libs,ALL)
target_link_libraries(misprint-mutator PRIVATE m)
set_target_properties(misprint-mutator PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${MISPRINT_ENGINES_DIR}/afl)
add_dependencies(engines misprint-mutator)
