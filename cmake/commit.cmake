# SPDX-License-Identifier: MIT
# Writes OUT, a C file that says from which commit this source was built. Runs in each build; the file only
# changes with its content. Without git it takes what `git archive` wrote into ARCHIVE, if anything.
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(commit "")
file(REAL_PATH ${SOURCE} source)
if(top STREQUAL source) # the repository is this project's, not that of a folder above
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=12
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
else()
  file(READ ${SOURCE}/cmake/commit.txt archived)
  string(REGEX MATCH "^[0-9a-f]+" commit "${archived}")
  string(SUBSTRING "${commit}" 0 12 commit)
endif()
set(text "#include \"cli/cli.h\"\n\nconst char misprint_commit[] = \"${commit}\";\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
