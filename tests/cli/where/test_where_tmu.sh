#!/bin/sh
# SPDX-License-Identifier: MIT
# `misprint where vc4-tmu`. The check values of T format are those of Mesa's driver vc4, worked out for a
# 96 x 64 image of 32-bit texels; LT format and raster order follow from the formulas of the guide, p105-107.
set -u
: "${MISPRINT:?path of the misprint command}" "${MISPRINT_SOURCE_DIR:?}"
[ -x "$MISPRINT" ] || exit 77
cd "$MISPRINT_SOURCE_DIR" || exit 2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/support_command.sh
. tests/support/support_command.sh

w() { "$MISPRINT" where vc4-tmu "$@"; }
# Silicon's rows of tiles: profile bcm2835
while read -r texel byte; do
    expect 0 "texel $texel: byte +$byte (" w RGBA8888 96x64 "$texel" --profile bcm2835
    expect 0 "texel $texel: byte +$byte (" w RGBA8888 96x64 "+$byte" --profile bcm2835
    expect 0 "texel $texel: byte +$byte (" w RGBA8888 96x64 "+$((byte + 3))" --profile bcm2835
done <<'EOF'
0,0 0
16,0 3072
0,16 1024
16,16 2048
0,32 22528
95,32 13516
80,48 12288
5,37 22868
EOF
expect 0 'T format, 24576 bytes' w RGBA8888 96x64 0,0
# LT format: 64 * (y / 4 * P + x / 4) + y % 4 * 16 + x % 4 * 4, here with P = 4
expect 0 'LT format, 1024 bytes' w RGBA8888 16x16 5,6
expect 0 'texel 5,6: byte +356 (' w RGBA8888 16x16 5,6 # 64 * (1 * 4 + 1) + 2 * 16 + 1 * 4
expect 0 'texel 5,6: byte +356 (' w RGBA8888 16x16 +0x164
# 8 bits: microtiles of 8 x 8; P = 3: 64 * (1 * 3 + 2) + 1 * 8 + 3
expect 0 'texel 19,9: byte +331 (' w LUMINANCE 24x12 19,9
expect 0 'padding' w LUMINANCE 20x12 +0x164
expect 0 'after the last byte of the image' w LUMINANCE 20x12 +4096
# raster order, a power of two wide
expect 0 'texel 3,2: byte +140 (' w RGBA32R 16x16 3,2
# 4 bits: two texels a byte
expect 0 'texel 1,0: byte +0 (0x0), bits 4 to 7' w A4 16x8 1,0
# the manual's p105 and Mesa differ in the direction of rows of tiles, and in the size from which T is used
expect 0 'profile bcm2835, which differs' w RGBA8888 96x64 5,37
expect 0 't-row-direction=even-forward, which differs' w RGBA8888 96x64 5,37
expect 0 'lt-threshold=subtile, which differs' w RGBA8888 17x17 3,9
expect 0 '"byte": 22868' w RGBA8888 96x64 5,37 --json

# no padding: 16 x 8 texels of 4 bytes; a texel of one bit; the same answer once
expect 0 'LT format, 512 bytes$' w RGBA8888 16x8 0,0
expect 0 ', bit 1$' w BW1 32x32 1,0
expect 0 'byte +22868 (' w rgba8888 96x64 5,37
expect 0 'the answer is that of profile bcm2835' w RGBA8888 96x64 5,37
expect 0 'software for the chip relies on this answer' w RGBA8888 96x64 5,37
expect 2 'formats: RGBA8888 .* LUMINANCE ' w L8 96x64 5,37
expect 2 "did you mean 'RGBA8888'" w RGBA888 96x64 5,37
expect 2 'takes a format, a size' w RGBA8888 96x64
expect 2 "size '96': expected two decimal numbers" w RGBA8888 96 5,37
expect 2 "size '0x5'" w RGBA8888 0x5 5,37
expect 2 'each side is 1 to 2048' w RGBA8888 9999x5 5,37
expect 2 'has x 0 to 95 and y 0 to 63' w RGBA8888 96x64 96,3
expect 2 "byte '+zz': expected a number" w RGBA8888 96x64 +zz
sum_up
