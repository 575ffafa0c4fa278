#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""where_vpm.py MISPRINT: holds `misprint where vc4-vpm --json` against figures 8 and 9 and tables 32 to 37 of
the VideoCore IV guide, and against setups whose effect others measured."""
import json
import subprocess
import sys

MISPRINT = sys.argv[1]
count = 0


def ask(*setups):
    command = [MISPRINT, "where", "vc4-vpm", "--json", *setups]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{command}: {ran.stderr}"
    return {p["profile"]: p["bytes"] for p in json.loads(ran.stdout)["profiles"]}


def expect(what, got, wanted):
    global count
    count += 1
    assert got == wanted, f"{what}: got {got}, expected {wanted}"


def cells(answer, vector=0):
    """{(row, column, byte): element} of one vector"""
    return {(b["row"], b["column"], b["byte"]): b["element"] for b in answer if b["vector"] == vector}


def words(answer, vector=0):
    return sorted({(b["row"], b["column"]) for b in answer if b["vector"] == vector})


def memory(answer):
    """[(row, column)] of the words, in the order of memory, with the offset"""
    return [(b["address"], b["row"], b["column"]) for b in sorted(answer, key=lambda b: b["address"])
            if b["byte"] == 0]


# Figures 8 and 9: mode, and the words that the first vector reaches.
FIGURES = [
    ("h8 y=0 b=2 stride=1", [(0, x) for x in range(8, 12)]),
    ("h16 y=3 h=1 stride=1", [(3, x) for x in range(8, 16)]),
    ("h32 y=63 stride=1", [(63, x) for x in range(16)]),
    ("v8 x=0 b=1 stride=1", [(y, 0) for y in range(4, 8)]),
    ("v16 x=15 h=1 stride=1", [(y, 15) for y in range(8, 16)]),
    ("v32 yblock=1 x=1 stride=1", [(y, 1) for y in range(16, 32)]),
]
for setup, wanted in FIGURES:
    expect(setup, words(ask("wr_setup " + setup)["bcm2835"]), wanted)
# laned: byte B or half H of all words of a row or column
LANED = cells(ask("wr_setup h8-laned y=1 b=1 stride=4")["manual"])
expect("h8 laned", LANED, {(1, x, 1): x for x in range(16)})
LANED = cells(ask("wr_setup v16-laned x=2 h=0 stride=2")["manual"])
expect("v16 laned", LANED, {(y, 2, b): y for y in range(16) for b in (0, 1)})
# figure 8: packed bytes are in order, four elements a word; figure 8a prints element 3 twice, never 4
PACKED = {(0, 8 + i // 4, i % 4): i for i in range(16)}
expect("h8 packed", cells(ask("wr_setup h8 y=0 b=2 stride=4")["bcm2835"]), PACKED)
# hello_fft and Mesa write 1A00: horizontal, 32 bits, the next row each time
MESA = ask("wr_setup 00001a00")
for profile in MESA.values():
    for vector in range(16):
        expect(f"1a00 {vector}", words(profile, vector), [(vector, x) for x in range(16)])
# asurati's demo, run on a Pi 1: 0041020F reads column 15 in four blocks of 16 rows
for vector in range(4):
    expect(f"0041020f {vector}", words(ask("rd_setup 0041020f")["bcm2835"], vector),
           [(16 * vector + y, 15) for y in range(16)])
# VC4C's example: depth 4, units 3. Horizontal 00 01 02 03 10 ..., vertical 00 10 20 30 01 ...
H = [(r, c) for r in range(3) for c in range(4)]
V = [(r, c) for c in range(3) for r in range(4)]
for kind, wanted in (("h", H), ("v", V)):
    got = memory(ask(f"wr_setup store-{kind} units=3 depth=4")["manual"])
    expect(f"store-{kind}", got, [(4 * i, *cell) for i, cell in enumerate(wanted)])
# table 35: STRIDE counts from the end of a row to the start of the next (py-videocore measured 64 -> 128)
got = memory(ask("wr_setup c0000040", "wr_setup store-h units=2 depth=16")["bcm2835"])
expect("store stride", [a for a, row, column in got if column == 0], [0, 128])
# table 37: MPITCHB counts from start to start (py-videocore: 128 for rows of 64 bytes)
got = memory(ask("rd_setup 90000080", "rd_setup load-h nrows=2 vpitch=1")["bcm2835"])
expect("load pitch", got, [(128 * r + 4 * x, r, x) for r in range(2) for x in range(16)])
# QPULib: 80101800 has a free pitch in memory, ROWLEN 1, 16 rows, VPITCH 1, vertical: 16 words into one column
got = memory(ask("rd_setup 90000004", "rd_setup 80101800")["bcm2835"])
expect("load vertical", got, [(4 * r, r, 0) for r in range(16)])
print(f"{count} comparisons")
