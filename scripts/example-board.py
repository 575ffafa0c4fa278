#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An example of a board for unit vc4-vpm, in plain Python.

    misprint fuzz vc4-vpm --board 'exec:python3 scripts/example-board.py' --profile bcm2835 --time 10

It speaks the protocol of harness/PROTOCOL.md and runs cases on a small emulation of the VPM of a Raspberry
Pi's VideoCore IV. The emulation was written from public descriptions: the "VideoCore IV 3D Architecture
Reference Guide", VideoCoreIV-AG100-R p53-60, corrected by the observations of the authors of vc4asm,
py-videocore and VC4C. It shares nothing with Misprint's own model, so each checks the other. Where the
descriptions are silent or disagree, it refuses the case with the reason.

The three parts are the protocol, the case and outcome as bytes, and the VPM. To make a board of your own,
keep the first two and replace the third.
"""
import json
import os
import struct
import sys
import zlib

# ---- the protocol: PROTOCOL.md, "Frames" and "Messages" ----

VERSION = 1
HELLO, RUN, OUTCOME, REFUSED, ERROR, BYE = 1, 2, 3, 4, 5, 6
UNIT = "vc4-vpm"
FORM = "2fa06413e8337370"  # hash of the form of cases and outcomes that this file implements


def read_exactly(count):
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit(0)  # the host is gone
        data += more
    return data


def read_frame():
    head = read_exactly(8)
    kind, length = head[2], struct.unpack("<I", head[4:])[0]
    if head[:2] != b"MP" or length > 1 << 20:
        sys.exit("example-board: what arrives is not the board protocol")
    rest = read_exactly(length + 4)
    if zlib.crc32(head + rest[:-4]) != struct.unpack("<I", rest[-4:])[0]:
        sys.exit("example-board: a frame with a wrong checksum")
    return kind, rest[:-4]


def write_frame(kind, payload):
    frame = b"MP" + bytes([kind, 0]) + struct.pack("<I", len(payload)) + payload
    frame += struct.pack("<I", zlib.crc32(frame))
    while frame:
        frame = frame[os.write(1, frame):]


def greet():
    kind, payload = read_frame()
    if kind != HELLO or struct.unpack("<I", payload[:4])[0] != VERSION:
        write_frame(ERROR, b"this board speaks version 1 of the protocol")
        sys.exit(1)
    about = {
        "software": "example-board.py",
        "units": {UNIT: FORM},
        "description": "example board: an emulation of %s in Python; no silicon" % UNIT,
        "provenance": "",
        "silicon": False,
        "memory-base": 0x40000000,
        "code-base": 0x40010000,
        "in-flight": 16,
    }
    write_frame(HELLO, struct.pack("<I", VERSION) + json.dumps(about).encode())


def answer_run(payload):
    number, nonce, _memory_base, _code_base, name_length = struct.unpack_from("<IQIIB", payload)
    case = payload[21 + name_length:]
    try:
        if payload[21:21 + name_length] != UNIT.encode():
            raise Refused("another unit")
        outcome = run(Case(case))
    except Refused as reason:
        write_frame(REFUSED, struct.pack("<I", number) + str(reason).encode())
        return
    stamp = nonce ^ (zlib.crc32(case) << 32 | zlib.crc32(outcome))
    write_frame(OUTCOME, struct.pack("<IQ", number, stamp) + outcome)


def main():
    greet()
    while True:
        kind, payload = read_frame()
        if kind == BYE:
            return
        if kind == RUN:
            answer_run(payload)


class Refused(Exception):
    """The case is not run, for the reason given."""


class Ended(Exception):
    """The case ended early: (end, reason)."""


# ---- the case and the outcome as bytes: PROTOCOL.md, "Cases" and "Outcomes" ----

DONE, HANG, FAULT = 0, 1, 2
WHY_READ, WHY_MEMORY = 2, 7  # the reasons' numbers
MASK32, MASK64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
VPM_ROWS, MEMORY_ROWS, DATA_ROWS, OPS = 128, 256, 32, 64
FIRST_MEMORY, FIRST_READS, FIRST_STATUS = VPM_ROWS, VPM_ROWS + MEMORY_ROWS, VPM_ROWS + MEMORY_ROWS + OPS


def mix64(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK64
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK64
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK64
    return x ^ x >> 31


class Image(dict):
    """Rows of 16 words by index. A row that was never set comes from the fill rule."""

    def __init__(self, fill, seed):
        super().__init__()
        self.fill, self.seed = fill, seed

    def __missing__(self, row):
        if self.fill == 0:
            words = [0] * 16
        elif self.fill == 1:
            data = bytes((n * 37 + n // 251 + 17) & 0xFF for n in range(64 * row, 64 * row + 64))
            words = list(struct.unpack("<16I", data))
        else:
            words = [mix64(self.seed << 32 | i) >> 32 for i in range(16 * row, 16 * row + 16)]
        self[row] = words
        return words


class Case:
    def __init__(self, data):
        self.data, self.at = data, 0
        self.stale = self.number(4)
        self.vpm = self.image(VPM_ROWS)
        self.memory = self.image(MEMORY_ROWS)
        self.rows = self.image(DATA_ROWS)
        self.ops = [(self.number(4), self.number(4)) for _ in range(self.number(1))]

    def number(self, size):
        value = int.from_bytes(self.data[self.at:self.at + size], "little")
        self.at += size
        return value

    def image(self, rows):
        wide = 1 if rows < 256 else 2
        fill = self.number(1)
        image = Image(fill, self.number(4) if fill == 2 else 0)
        for _ in range(self.number(wide)):
            index = self.number(wide)
            if self.number(1) & 1:
                image[index] = [self.number(4) for _ in range(16)]
            else:
                image[index] = [self.number(4)] * 16
        return image


def encode_outcome(end, reason, rows):
    data = struct.pack("<BBHH", end, 1, reason, len(rows))  # 1: complete, all other rows are unchanged
    for number in sorted(rows):
        data += struct.pack("<HB16I", number, 0, *rows[number])
    return data


# ---- the VPM ----

NOP, WR_SETUP, RD_SETUP, WRITE, READ, ST_ADDR, LD_ADDR, ST_WAIT, LD_WAIT, ST_BUSY, LD_BUSY = range(11)


def bits(word, high, low):
    return word >> low & (1 << high - low + 1) - 1


def block_setup(word):
    """A setup of block access, p57 table 32.

    Returns the function (ADDR, element) -> (row, column, lowest bit), bits per element, ADDR, STRIDE.
    """
    size, laned, horizontal = bits(word, 9, 8), bits(word, 10, 10), bits(word, 11, 11)
    if size == 3:
        raise Refused("SIZE 3 is reserved")
    width = 8 << size
    low = 2 - size  # ADDR bits that choose the byte or half
    per_word = 1 if laned or size == 2 else 32 // width

    def place(address, element):
        part, rest = address & (1 << low) - 1, address >> low
        if per_word == 1:
            along, shift = element, part * width
        else:
            along, shift = part * (16 // per_word) + element // per_word, element % per_word * width
        if horizontal:
            return rest % 64, along, shift
        return rest % 64 // 16 * 16 + along, rest % 16, shift

    return place, width, bits(word, 7, 0), bits(word, 17, 12) or 64


class Machine:
    def __init__(self, case):
        self.case, self.vpm, self.memory = case, case.vpm, case.memory
        self.changed = set()  # numbers of the outcome's rows
        self.reads, self.statuses = [], []
        self.write_block = self.store = self.store_stride = self.load = self.load_pitch = None
        self.queue = []  # read setups with vectors left: [place, width, address, stride, left]

    # block access, p53-58

    def write_setup(self, word):
        kind = bits(word, 31, 30)
        if kind == 0:
            self.write_block = list(block_setup(word))
        elif kind == 2:
            self.store = word
        elif kind == 3:
            self.store_stride = word
        else:
            raise Refused("no document defines write setups with ID 1")

    def read_setup(self, word):
        if bits(word, 31, 31):
            if bits(word, 30, 28) == 1:
                self.load_pitch = bits(word, 12, 0)
            else:
                self.load = word
        elif bits(word, 30, 30):
            raise Refused("no document defines read setups with ID 1")
        else:
            entry = list(block_setup(word)) + [bits(word, 23, 20) or 16]
            if len(self.queue) > 1:
                raise Refused("three read setups at once")
            if not self.queue or self.queue[0][4] == 1:  # otherwise the setup is ignored (vc4asm)
                self.queue.append(entry)

    def change(self):
        if self.queue:
            raise Refused("the VPM changes while read vectors are outstanding")

    def write(self, row, failed):
        if failed:
            raise Refused("a write under a condition leaves undefined elements")
        if not self.write_block:
            raise Refused("a write before any setup")
        self.change()
        place, width, address, stride = self.write_block
        vector = self.case.rows[row % DATA_ROWS]
        mask = (1 << width) - 1
        for element in range(16):
            y, x, shift = place(address, element)
            self.vpm[y][x] = self.vpm[y][x] & ~(mask << shift) | (vector[element] & mask) << shift
            self.changed.add(y)
        self.write_block[2] = address + stride

    def read(self):
        if not self.queue:
            raise Ended(HANG, WHY_READ)  # vc4asm: a read without a vector blocks for ever
        entry = self.queue[0]
        place, width, address, stride, left = entry
        mask = (1 << width) - 1
        vector = []
        for element in range(16):
            y, x, shift = place(address, element)
            vector.append(self.vpm[y][x] >> shift & mask)
        self.reads.append(vector)
        entry[2], entry[4] = address + stride, left - 1
        if left == 1:
            self.queue.pop(0)

    # DMA, p56-60

    def memory_at(self, offset, count):
        if offset + count > 64 * MEMORY_ROWS:
            raise Ended(FAULT, WHY_MEMORY)
        for byte in range(offset, offset + count):
            yield byte // 64, byte // 4 % 16, byte % 4 * 8

    @staticmethod
    def vpm_at(y, x, vertical, first_byte, count):
        """Yields the bytes of one row of a transfer: along row y from word x, or down column x from row y."""
        for byte in range(first_byte, first_byte + count):
            row, column = (y + byte // 4, x) if vertical else (y, x + byte // 4)
            if column > 15 or row > 127 or row // 64 != y // 64:
                raise Refused("what happens past the VPM's edge is not known")
            yield row, column, byte % 4 * 8

    def copy(self, to, to_places, source, from_places, first_changed):
        for (y, x, shift), (from_y, from_x, from_shift) in zip(to_places, from_places):
            byte = source[from_y][from_x] >> from_shift & 0xFF
            to[y][x] = to[y][x] & ~(0xFF << shift) | byte << shift
            self.changed.add(first_changed + y)

    @staticmethod
    def width_of(modew):
        """Returns the bytes per element, and the byte of the first word at which it starts."""
        if modew == 1:
            raise Refused("no document defines MODEW 1 here")
        return (1, modew & 3) if modew >= 4 else (2, 2 * (modew & 1)) if modew >= 2 else (4, 0)

    def start_store(self, offset):
        word = self.store
        if word is None:
            raise Refused("a DMA store before any setup")
        units, depth = bits(word, 29, 23) or 128, bits(word, 22, 16) or 128
        y, x, vertical = bits(word, 13, 7), bits(word, 6, 3), not bits(word, 14, 14)
        width, first = self.width_of(bits(word, 2, 0))
        if bits(word, 15, 15):
            raise Refused("LANED of a DMA store must be 0")
        stride = 0
        if units > 1:
            if self.store_stride is None:
                raise Refused("a DMA store of several rows before any stride setup")
            stride = bits(self.store_stride, 15, 0)  # BLOCKMODE (bit 16) has no effect (QPULib, VC4C)
        length = depth * width
        if (offset | (stride if units > 1 else 0)) % width:
            raise Refused("elements at odd addresses")
        for unit in range(units):
            if vertical and x + unit > 15 or not vertical and (y + unit) // 64 != y // 64:
                raise Refused("what happens past the VPM's edge is not known")
            elif vertical:
                places = self.vpm_at(y, x + unit, vertical, first, length)
            else:
                places = self.vpm_at(y + unit, x, vertical, first, length)
            memory = self.memory_at(offset + unit * (length + stride), length)
            self.copy(self.memory, memory, self.vpm, places, FIRST_MEMORY)

    def start_load(self, offset):
        word = self.load
        if word is None:
            raise Refused("a DMA load before any setup")
        self.change()
        count, rows, step = bits(word, 23, 20) or 16, bits(word, 19, 16) or 16, bits(word, 15, 12) or 16
        vertical, y, x = bits(word, 11, 11), bits(word, 10, 4), bits(word, 3, 0)
        width, first = self.width_of(bits(word, 30, 28))
        if y > 63:
            raise Refused("Y of a DMA load has six bits in the text, seven in the table")
        mpitch = bits(word, 27, 24)
        pitch = 8 << mpitch if mpitch else self.load_pitch
        if rows > 1 and pitch is None:
            raise Refused("a DMA load of several rows before any pitch setup")
        if (offset | (pitch if rows > 1 else 0)) % width:
            raise Refused("elements at odd addresses")
        parts = 4 // width  # steps per row: VPITCH counts {Y, B}, {Y, H} or Y
        if rows > 1 and step % parts and (vertical or x or first):
            raise Refused("steps of less than a row that do not start at the beginning of a row")
        for row in range(rows):
            at = row * step
            if step != 16 and y * parts % 16 + first // width + at > 15:
                raise Refused("whether VPITCH carries is not known")
            down, right = at // parts, at % parts * (16 // parts)
            if y + down > 63:
                raise Refused("what happens past the VPM's edge is not known")
            places = self.vpm_at(y + down, x + right, vertical, first, count * width)
            memory = self.memory_at(offset + row * (pitch or 0), count * width)
            self.copy(self.vpm, places, self.memory, memory, 0)

    # operations

    def do(self, operand, code):
        kind = code & 15
        if kind == WR_SETUP:
            self.write_setup(operand)
        elif kind == RD_SETUP:
            self.read_setup(operand)
        elif kind == WRITE:
            self.write(operand, code >> 16)
        elif kind == READ:
            self.read()
        elif kind == ST_ADDR:
            self.start_store(operand)
        elif kind == LD_ADDR:
            self.start_load(operand)
        elif kind in (ST_WAIT, LD_WAIT, ST_BUSY, LD_BUSY):
            self.statuses.append(self.case.stale)  # VC4C: the same as a read of an address without a register
        elif kind != NOP:
            raise Refused("operation %d is unknown" % kind)

    def outcome(self, end, reason):
        rows = {}
        for number in self.changed:
            rows[number] = self.vpm[number] if number < FIRST_MEMORY else self.memory[number - FIRST_MEMORY]
        for number, vector in enumerate(self.reads):
            rows[FIRST_READS + number] = vector
        for number in range(0, len(self.statuses), 16):
            rows[FIRST_STATUS + number // 16] = (self.statuses[number:number + 16] + [0] * 15)[:16]
        return encode_outcome(end, reason, rows)


def instructions(ops):
    """Yields the operations of each instruction."""
    group = []
    for operand, code in ops:
        if group and not code & 16:
            yield group
            group = []
        group.append((operand, code))
    if group:
        yield group


def run(case):
    machine = Machine(case)
    try:
        for group in instructions(case.ops):
            if len(group) > 1:
                group.sort(key=lambda op: op[1] & 15 != READ)
                if [code & 15 for _, code in group] != [READ, WRITE]:
                    raise Refused("one instruction with several accesses other than one read and one write")
            for operand, code in group:
                machine.do(operand, code)
        return machine.outcome(DONE, 0)
    except Ended as end:
        return machine.outcome(*end.args)


if __name__ == "__main__":
    main()
