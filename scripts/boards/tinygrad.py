#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tinygrad's emulator of AMD GPUs as a board for amd-buffer (docs/emulators/tinygrad.md).

    misprint check-board amd-buffer --profile gfx942 \\
        --board 'exec:python3 scripts/boards/tinygrad.py CHECKOUT [dwords]'

CHECKOUT is a checkout of github.com/tinygrad/tinygrad, which you fetched. Nothing is built and nothing in it
is changed: its emulator is Python, and translates each instruction with clang when it runs. MISPRINT names
the misprint command, which writes the module with the case, the outcome and the protocol (misprint
new-board).

The board puts a case into the registers of one wave, lets the emulator execute the case's words, and takes
registers, memory and LDS out. With `dwords` it refuses all but loads and stores of dwords, so that `misprint
learn` looks at addresses and range checks.
"""
import ctypes
import importlib
import mmap
import os
import struct
import subprocess
import sys
import tempfile

GENERATION = 5  # gfx942 in the case's field `generation`
OTHERS = "gfx1100 gfx1030 gfx900 gfx803 gfx90a gfx1200"
MEMORY_BYTES, LDS_BYTES, VGPRS_BYTES = 16384, 2048, 8192
M0, EXEC, DESCRIPTOR = 124, 126, 8  # numbers of scalar registers
LANES = 64
DWORDS = {"BUFFER_%s_DWORD%s" % (way, size) for way in ("LOAD", "STORE") for size in ("", "X2", "X3", "X4")}
RESULT_ROWS = ("decision", "address", "address_high")  # four rows an instruction, which only the model has

# The emulator computes host addresses. Around the case's memory lies room for all that a BASE below 4 GiB, an
# SGPR and 32 bits of offset can reach, so that no case reaches the memory of Python.
RESERVED = 13 << 30
MAP_NORESERVE = 0x4000
# The emulator masks the address in LDS with 18 bits and adds to it for each lane.
VGPRS_RESERVED = (256 + 4) * LANES * 4
LDS_RESERVED = (1 << 18) + LANES * 16 + 16


def make_module():
    """Imports the module of a kit for amd-buffer."""
    with tempfile.TemporaryDirectory() as folder:
        kit = os.path.join(folder, "kit")
        misprint = os.environ.get("MISPRINT", "misprint")
        command = [misprint, "new-board", "amd-buffer", "--lang", "python", "-o", kit]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        except FileNotFoundError:
            sys.exit("tinygrad: there is no command %s; MISPRINT=PATH names it" % misprint)
        sys.path.insert(0, kit)
        sys.dont_write_bytecode = True
        return importlib.import_module("misprint_board")


class Emulator:
    def __init__(self, board, checkout, only_dwords):
        sys.path.insert(0, checkout)
        self.board, self.only_dwords = board, only_dwords
        self.emu = importlib.import_module("test.mockgpu.amd.emu")
        self.wave = self.emu.WaveState(LANES, LANES)
        # Register files of the board's own: instructions may name registers beyond the last one.
        self.all_vgprs, self.accs = ((ctypes.c_char * VGPRS_RESERVED)() for _ in range(2))
        self.vgprs = self.bytes_at(ctypes.addressof(self.all_vgprs), VGPRS_BYTES)
        self.sgprs = self.bytes_at(self.wave.sgpr_buf._buf.va_addr, 128 * 4)
        self.reserved = mmap.mmap(-1, RESERVED, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.reserved))
        self.memory = self.bytes_at(self.base, MEMORY_BYTES)
        self.code = (ctypes.c_uint32 * 16)()
        self.lds_all = (ctypes.c_char * LDS_RESERVED)()
        self.lds = self.bytes_at(ctypes.addressof(self.lds_all), LDS_BYTES)
        addresses = (self.wave.sgpr_buf._buf.va_addr, ctypes.addressof(self.all_vgprs), 0,
                     ctypes.addressof(self.lds_all), 0, ctypes.addressof(self.accs))
        self.arguments = [ctypes.c_uint64(a) for a in addresses]

    @staticmethod
    def bytes_at(address, size):
        return memoryview((ctypes.c_char * size).from_address(address)).cast("B")

    def set_wave(self, case):
        low, high = case.descriptor_0, case.descriptor_1
        base = (low | (high & 0xFFFF) << 32)
        if base >> 32:
            raise self.board.Refused("BASE is more than 4 GiB beyond the case's memory")
        base += self.base
        words = [base & 0xFFFFFFFF, (high & 0xFFFF0000) | base >> 32, case.descriptor_2, case.descriptor_3]
        self.sgprs[:] = packed(case.sgpr)
        self.sgprs[4 * DESCRIPTOR:4 * DESCRIPTOR + 16] = struct.pack("<4I", *words)
        exec_high = case.exec_high if case.wave_size == 0 else 0
        self.sgprs[4 * M0:4 * M0 + 4] = struct.pack("<I", case.m0)
        self.sgprs[4 * EXEC:4 * EXEC + 8] = struct.pack("<2I", case.exec_low, exec_high)
        ctypes.memset(self.all_vgprs, 0, VGPRS_RESERVED)
        self.vgprs[:] = packed(case.vgpr)
        for n, words in enumerate(case.code):
            self.code[2 * n], self.code[2 * n + 1] = words[:2]
        self.wave.pc = ctypes.addressof(self.code)
        ctypes.memset(self.accs, 0, VGPRS_RESERVED)
        self.memory[:] = packed(case.memory)
        ctypes.memset(self.lds_all, 0, LDS_RESERVED)
        self.lds[:] = packed(case.lds)

    def runner(self, words):
        """Returns the instruction and the function that executes it."""
        code = struct.pack("<2I", *words[:2])
        try:
            instruction = self.emu.decode_inst(code + bytes(8), "cdna")
        except ValueError:
            raise self.board.Refused("the emulator cannot decode an instruction") from None
        if type(instruction).__name__ != "MUBUF":
            raise self.board.Refused("the emulator has no such buffer instruction")
        if self.only_dwords and (instruction.op.name not in DWORDS or instruction.lds):
            raise self.board.Refused("no load or store of dwords")
        if words[1] >> 16 & 31 != DESCRIPTOR // 4:
            raise self.board.Refused("a V# in other registers than s8 to s11")
        program, runtime = self.emu._get_runner(code + bytes(4), "cdna")
        return instruction, runtime.fxn, program.arg.globals

    def run(self, case, after):
        if case.generation != GENERATION:
            raise self.board.Refused("only gfx942")
        runners = [self.runner(words) for words in case.code]
        self.set_wave(case)
        for _, function, used in runners:
            function(*[self.arguments[n] for n in used])
        after.vgpr = table(self.board, self.vgprs, after.vgpr)
        after.memory = table(self.board, self.memory, after.memory)
        after.lds = table(self.board, self.lds, after.lds)
        if any("STORE" in instruction.op.name for instruction, _, _ in runners):
            self.reserved.madvise(mmap.MADV_DONTNEED)
        for row in range(4 * len(case.code)):
            for name in RESULT_ROWS:
                after.known[name, row] = [0] * LANES
        after.known["status", 0] = [0] * 2


def packed(rows):
    """The bytes of a table of words."""
    if hasattr(rows, "tobytes"):
        return rows.tobytes()
    return b"".join(struct.pack("<%dI" % len(row), *row) for row in rows)


def table(board, data, like):
    """The table of words that bytes hold, in the shape of another."""
    rows, columns = len(like), len(like[0])
    if board.numpy is not None:
        return board.numpy.frombuffer(data, dtype="<u4", count=rows * columns).reshape(rows, columns).copy()
    return [list(struct.unpack_from("<%dI" % columns, data, 4 * columns * row)) for row in range(rows)]


def revision(checkout):
    command = ["git", "-C", checkout, "log", "-1", "--format=%h, %cs"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.stdout.strip() or "revision not known"


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["dwords"]):
        sys.exit("usage: scripts/boards/tinygrad.py CHECKOUT [dwords]")
    checkout = os.path.abspath(sys.argv[1])
    if not os.path.isfile(os.path.join(checkout, "test/mockgpu/amd/emu.py")):
        sys.exit("%s is no checkout of github.com/tinygrad/tinygrad" % checkout)
    os.environ.setdefault("DEV", "CPU")
    board = make_module()
    emulator = Emulator(board, checkout, len(sys.argv) == 3)
    lacks = " ".join("generation=" + name for name in OTHERS.split()) + " alignment"
    if len(sys.argv) == 3:
        lacks += " code>1"
    board.serve(emulator.run, description="tinygrad's emulator of CDNA; no silicon",
                provenance="tinygrad, " + revision(checkout), lacks=lacks)


if __name__ == "__main__":
    main()
