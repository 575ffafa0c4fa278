#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""where_buffer.py MISPRINT: holds `misprint where amd-buffer --json` against addresses and range checks that
were worked out from the "RDNA3" guide's formulas, or that rocjitsu's tests state were measured on gfx1100.

The formulas, written here from the guide (9.4.2): offset = (OFFEN ? register : 0) + OFFSET, 32 bits;
linear: index * stride + offset; swizzled: (index / is * stride + offset / es * es) * is + index % is * es +
offset % es; address = BASE + SOFFSET + that."""
import json
import subprocess
import sys

MISPRINT = sys.argv[1]
count = 0


def ask(instruction, *options):
    command = [MISPRINT, "where", "amd-buffer", "--json", instruction, *map(str, options)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{command}: {ran.stderr}"
    return {p["profile"]: p for p in json.loads(ran.stdout)["profiles"]}


def expect(what, got, wanted):
    global count
    count += 1
    assert got == wanted, f"{what}: got {got}, expected {wanted}"


def lane_of(answer, lane):
    return next(one for one in answer["lanes"] if one["lane"] == lane)


# Range checks of a 128-bit load without an index, measured on gfx1100: OOB_SELECT, STRIDE, NUM_RECORDS,
# SOFFSET, offset, and which dwords came from memory.
MEASURED = [
    (0, 8, 7, 0, 0, [True, True, False, False]),
    (0, 8, 7, 4, 4, [True, False, False, False]),
    (1, 8, 7, 4, 4, [True] * 4),
    (2, 8, 0, 0, 0, [False] * 4),
    (2, 8, 1, 0, 12, [True] * 4),
    (3, 0, 17, 4, 0, [True, True, True, False]),
]
for oob, stride, records, soffset, offset, wanted in MEASURED:
    answer = ask("buffer_load_b128 v[4:7], v0, s[8:11], s4 offen", "--oob", oob, "--stride", stride,
                 "--records", records, "--set", f"s4={soffset}", "--set", f"v0={offset}")["gfx1100"]
    lane = lane_of(answer, 0)
    expect(f"range {oob}", [d["in_range"] for d in lane["dwords"]], wanted)
    expect(f"returns {oob}", lane.get("returns"),
           None if all(wanted) else [None if good else "00000000" for good in wanted])

# Addresses measured on gfx1100: SWIZZLE, ADD_TID, index or None, lane, OFFSET, SOFFSET, address, and what the
# guide's own text gives (index + lane; swizzled without an index, too).
PLACES = [
    (1, 1, 1, 5, 4, 4, 40, 60),
    (1, 1, None, 5, 4, 4, 56, 56),
    (1, 0, None, 5, 4, 4, 8, 36),
    (3, 0, 1, 5, 4, 4, 24, 24),
    (1, 1, None, 63, 0, 0, 1820, 1820),
    (0, 1, 1, 5, 4, 4, 40, 200),
    (0, 1, None, 5, 4, 4, 168, 168),
]
for swizzle, tid, index, lane, offset, soffset, silicon, guide in PLACES:
    vaddr, idxen = ("off", "") if index is None else ("v0", " idxen")
    options = ["--swizzle", swizzle, "--stride", 32, "--index-stride", 8, "--records", 4096, "--oob", 2,
               "--set", f"s4={soffset}", "--set", f"exec={1 << lane}"]
    options += ["--add-tid"] if tid else []
    options += [] if index is None else ["--set", f"v0={index}"]
    answer = ask(f"buffer_load_b32 v1, {vaddr}, s[8:11], s4{idxen} offset:{offset}", *options)
    name = f"swizzle {swizzle}, ADD_TID {tid}, index {index}"
    expect(f"{name}, silicon", lane_of(answer["gfx1100"], lane)["dwords"][0]["address"], silicon)
    expect(f"{name}, guide", lane_of(answer["manual"], lane)["dwords"][0]["address"], guide)

# Worked addresses: SWIZZLE, INDEX_STRIDE, STRIDE, BASE, SOFFSET, index, offset register, OFFSET, address.
WORKED = [
    (0, 8, 0, 0x10000, 0, None, 0x40, 4, 0x10044),
    (0, 8, 24, 0x10000, 0x100, 7, None, 8, 0x101B0),
    (0, 8, 48, 0x7F0000001000, 0x10, 5, 0xC, 4095, 0x7F000000210B),
    (1, 8, 16, 0x1000, 0, 0, None, 0, 0x1000),
    (1, 8, 16, 0x1000, 0, 1, None, 0, 0x1004),
    (1, 8, 16, 0x1000, 0, 0, None, 4, 0x1020),
    (1, 8, 16, 0x1000, 0, 9, None, 8, 0x10C4),
    (3, 32, 64, 0x100000, 0, 33, None, 20, 0x100A14),
    (3, 16, 48, 0x100000, 0x200, 100, 0x10, 24, 0x101648),
    (1, 8, 32, 0x4000, 0, 3, 0xFFFFFFF8, 12, 0x402C),
    (1, 8, 16, 0x4000, 0, 3, None, 20, 0x40AC),
    (3, 8, 32, 0, 4, 1, None, 4, 0x18),
    (1, 8, 32, 0x6000, 8, 10, 0xC, 0, 0x6170),
]
for swizzle, index_stride, stride, base, soffset, index, register, offset, wanted in WORKED:
    words = [w for w, there in (("idxen", index is not None), ("offen", register is not None)) if there]
    pair = len(words) == 2
    values = [v for v in (index, register) if v is not None]
    options = ["--swizzle", swizzle, "--index-stride", index_stride, "--stride", stride, "--base", hex(base),
               "--records", 0xFFFFFF, "--oob", 2, "--set", f"s4={soffset}"]
    for number, value in enumerate(values):
        options += ["--set", f"v{number}={value:#x}"]
    answer = ask(f"buffer_load_b32 v9, {'v[0:1]' if pair else 'v0'}, s[8:11], s4 {' '.join(words)} "
                 f"offset:{offset}", *options)
    expect(f"worked {wanted:#x}", lane_of(answer["gfx1100"], 0)["dwords"][0]["address"], wanted)

# "RDNA3" guide table 46: index >= NUM_RECORDS is out of range under OOB_SELECT 0 and 1.
for oob in (0, 1):
    for name, profile in ask("buffer_load_b32 v1, v0, s[8:11], 0 idxen", "--oob", oob, "--stride", 8,
                             "--records", 5, "--set", "v0=0..9").items():
        expect(f"index, {name}", [one["dwords"][0]["in_range"] for one in profile["lanes"]],
               [True] * 5 + [False] * 5)
# 9.3 and DST_SEL: where a format load is out of range, a component whose DST_SEL is 1 reads 1
ONE = ask("buffer_load_format_xyzw v[1:4], v0, s[8:11], 0 idxen", "--set", "v0=7", "--descriptor",
          "typed stride=16 num_records=5 format=32_32_32_32_float dst_sel=xyz1")
for name in ("manual", "gfx1100"):
    expect(f"DST_SEL 1, {name}", lane_of(ONE[name], 0)["returns"], ["00000000"] * 3 + ["3f800000"])
# GFX8 and GFX9 have other checks: Vega compares the index under IDXEN ("CDNA3" guide 9.1.5.1)
for name, profile in ask("buffer_load_dword v1, v0, s[8:11], 0 idxen offset:14", "--isa", "gfx900",
                         "--stride", 16, "--records", 8, "--set", "v0=6..9").items():
    expect(f"gfx900, {name}", [one["dwords"][0]["in_range"] for one in profile["lanes"]],
           [True, True, False, False])
# 10.3: MESA's driver relies on OOB_SELECT 0 comparing the first byte; the guide adds the payload
TEN = ask("buffer_load_dword v1, v0, s[8:11], 0 idxen offset:14", "--isa", "gfx1030", "--oob", 0, "--stride",
          16, "--records", 8, "--set", "v0=1")
expect("payload, guide", lane_of(TEN["manual"], 0)["dwords"][0]["in_range"], False)
expect("payload, Mesa", lane_of(TEN["gfx1030"], 0)["dwords"][0]["in_range"], True)
print(f"{count} cases")
