# SPDX-License-Identifier: MIT
# find_package(misprint) gives two targets: misprint::model, the library of models, and misprint::board, the
# header <misprint/board_plugin.h> of boards in shared libraries.
include(${CMAKE_CURRENT_LIST_DIR}/misprint-targets.cmake)
