# SPDX-License-Identifier: MIT
# Puts a hole back into a proof: cmake -D HOLE=FILE -D SOURCE_DIR=DIR -D TO=FILE -P make_hole.cmake
# Writes the source file that the .hole file names, with each of its blocks applied. Fails unless the source
# contains a block's old text exactly once: the .hole file has to follow the source.
#
# A .hole file has a line "# SENTENCE" that says what is wrong, a line "file: PATH", and blocks of lines:
#   <<<<
#   old text
#   ====
#   new text
#   >>>>

file(READ "${HOLE}" hole)
if(NOT hole MATCHES "^# [^\n]+\nfile: ([^\n]+)\n(.*)$")
  message(FATAL_ERROR "${HOLE}: must begin with '# SENTENCE' and 'file: PATH'")
endif()
set(path "${CMAKE_MATCH_1}")
set(rest "${CMAKE_MATCH_2}")
file(READ "${SOURCE_DIR}/${path}" source)

# cut(TEXT MARK BEFORE BEHIND): splits TEXT at the first MARK
macro(cut text mark before behind)
  string(FIND "${${text}}" "${mark}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${HOLE}: a block has no '${mark}'")
  endif()
  string(LENGTH "${mark}" length)
  math(EXPR beyond "${at} + ${length}")
  string(SUBSTRING "${${text}}" 0 ${at} ${before})
  string(SUBSTRING "${${text}}" ${beyond} -1 ${behind})
endmacro()

set(blocks 0)
while(NOT rest STREQUAL "")
  cut(rest "<<<<\n" none rest)
  cut(rest "====\n" old rest)
  cut(rest ">>>>\n" new rest)
  string(LENGTH "${old}" length)
  string(FIND "${source}" "${old}" first)
  string(FIND "${source}" "${old}" last REVERSE)
  if(length EQUAL 0 OR first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "${HOLE}: ${path} does not contain this exactly once:\n${old}")
  endif()
  math(EXPR beyond "${first} + ${length}")
  string(SUBSTRING "${source}" 0 ${first} before)
  string(SUBSTRING "${source}" ${beyond} -1 behind)
  string(CONCAT source "${before}" "${new}" "${behind}")
  math(EXPR blocks "${blocks} + 1")
endwhile()
if(blocks EQUAL 0)
  message(FATAL_ERROR "${HOLE}: has no block")
endif()
file(WRITE "${TO}" "${source}")
