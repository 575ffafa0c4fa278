# SPDX-License-Identifier: MIT
# Configures again, because the compiler of ENGINE may have been installed since, and then builds its targets.
#
#   cmake -DENGINE=afl -DSOURCE=DIR -DBUILD=DIR -DNEEDS=WORDS -P look_again.cmake
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BUILD}
                OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE failed)
file(STRINGS ${BUILD}/CMakeCache.txt found REGEX "^MISPRINT_HAS_${ENGINE}:INTERNAL=ON$")
if(failed OR NOT found)
  message("engine ${ENGINE}: not built, because ${NEEDS} is not installed; `scripts/setup test` installs it")
else()
  message("engine ${ENGINE}: ${NEEDS} was installed since the last configuration")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target engine-${ENGINE} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "engine ${ENGINE}: its targets could not be built; the messages are above")
  endif()
endif()
