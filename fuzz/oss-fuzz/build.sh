#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# Builds the fuzz targets the way OSS-Fuzz and ClusterFuzz want them: $OUT/TARGET, TARGET_seed_corpus.zip,
# TARGET.dict, TARGET.options. They set CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SRC, WORK and OUT,
# and run this in the project's source.
source_dir=${MISPRINT_SOURCE_DIR:-$PWD} # which OSS-Fuzz makes the source: WORKDIR of the Dockerfile

# The seeds are made by a program that is neither instrumented nor sanitized.
env -u CFLAGS -u CXXFLAGS -u LIB_FUZZING_ENGINE cmake -S "$source_dir" -B "$WORK/native" -G Ninja \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release -DMISPRINT_WERROR=OFF
env -u CFLAGS -u CXXFLAGS -u LIB_FUZZING_ENGINE cmake --build "$WORK/native" --target make_seeds

# The runner has no libraries of ours: what can be is linked statically.
cmake -S "$source_dir" -B "$WORK/targets" -G Ninja -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_BUILD_TYPE=None -DMISPRINT_ENGINE=libfuzzer -DMISPRINT_WERROR=OFF -DMISPRINT_STATIC=ON \
    -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$OUT"
cmake --build "$WORK/targets"

while read -r target; do
    "$WORK/native/fuzz/targets/make_seeds" "$target" "$WORK/seeds" "$source_dir/corpus"
    (cd "$WORK/seeds/$target" && cmake -E tar cf "$OUT/${target}_seed_corpus.zip" --format=zip .)
    cp "$WORK/seeds/$target.options" "$OUT/"
    [ ! -f "$WORK/seeds/$target.dict" ] || cp "$WORK/seeds/$target.dict" "$OUT/"
done <"$WORK/targets/targets.txt"
