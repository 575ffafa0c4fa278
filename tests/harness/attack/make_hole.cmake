# SPDX-License-Identifier: MIT
# Puts a hole back into a proof: cmake -D HOLE=FILE -D SOURCE_DIR=DIR -D TO=FILE -P make_hole.cmake
# writes the source file that the .hole file names, with each of its blocks applied. Fails if a block's old text
# does not stand there exactly once: then the source has changed, and the hole has to be written anew.
#
# A .hole file: a line "# what is wrong then", a line "file: PATH", then blocks of whole lines:
#   <<<<
#   old text
#   ====
#   new text
#   >>>>

file(READ "${HOLE}" hole)
if(NOT hole MATCHES "^# [^\n]+\nfile: ([^\n]+)\n(.*)$")
  message(FATAL_ERROR "${HOLE}: does not begin with '# SENTENCE' and 'file: PATH'")
endif()
set(path "${CMAKE_MATCH_1}")
set(rest "${CMAKE_MATCH_2}")
file(READ "${SOURCE_DIR}/${path}" source)

# cut(TEXT MARK BEFORE BEHIND): what stands before and behind the first MARK
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
    message(FATAL_ERROR "${HOLE}: this does not stand exactly once in ${path}:\n${old}")
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
