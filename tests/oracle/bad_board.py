# SPDX-License-Identifier: MIT
"""A board that misbehaves in the way its argument names, for tests/oracle/test_board.c and
tests/cli/test_cli.sh.

Its good outcomes are empty ones. It speaks version 2 of the protocol if the host does; BAD_BOARD_VERSION=1
keeps it at version 1.
"""
import json
import os
import struct
import sys
import time
import zlib

mode = sys.argv[1]
HELLO, RUN, OUTCOME, REFUSED, ERROR, BYE, STATE, CASES, OUTCOMES = range(1, 10)


def read(count):
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


def get():
    head = read(8)
    payload = read(struct.unpack("<I", head[4:])[0])
    read(4)
    return head[2], payload


def frame(kind, payload):
    data = b"MP" + bytes([kind, 0]) + struct.pack("<I", len(payload)) + payload
    return data + struct.pack("<I", zlib.crc32(data))


def put(data):
    while data:
        data = data[os.write(1, data):]


if mode == "silent":
    time.sleep(60)
if mode == "garbage":
    put(b"Traceback: this is a shell prompt\n")
    time.sleep(60)
if mode == "exit":
    sys.exit(7)
starts = 0
if mode in ("patient", "reboots", "lingers"):  # these behaviours count their starts
    with open(sys.argv[2], "a+", encoding="ascii") as note:
        print("started", file=note)
    with open(sys.argv[2], encoding="ascii") as note:
        starts = len(note.readlines())
if mode == "reboots" and 1 < starts < 2 + int(sys.argv[3]):
    sys.exit(255)
if mode == "lingers" and starts == 1:  # after the kill, a child in another group holds the connection
    gone, alive = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.close(alive)
        os.read(gone, 1)
        time.sleep(0.3)
        with open(sys.argv[2] + ".gone", "w", encoding="ascii"):
            os._exit(0)
alone = starts == 1 or os.path.exists(sys.argv[2] + ".gone") if mode == "lingers" else True
if mode == "grandchild":
    os.system("sleep 60 &")
kind, payload = get()
host = json.loads(payload[4:])
board = {"software": "bad", "units": host["units"], "description": "a bad board: " + mode, "in-flight": 4}
version = min(host.get("newest", 1), int(os.environ.get("BAD_BOARD_VERSION", "2")))
if mode == "version":
    version = 3
if mode == "form":
    board["units"] = {name: "0123456789abcdef" for name in host["units"]}
if mode == "unit":
    board["units"] = {"other": "0123456789abcdef"}
if mode == "hello-flight":
    board["in-flight"] = "16"
if mode == "hello-no-flight":
    board["in-flight"] = 0
if mode == "hello-answer":
    board["answer-seconds"] = 0
if mode in ("patient", "late-says"):
    board["answer-seconds"] = 60
if mode == "hello-silicon":
    board["silicon"] = "yes"
if mode == "hello-text":
    board["description"] = 3
if mode == "hello-base":
    board["code-base"] = 0x40010002
if mode == "error":
    put(frame(ERROR, "no V3D here: load the driver".encode()))
if mode == "hello-checksum":
    put(frame(HELLO, b"x")[:-1] + b"!")
put(frame(HELLO, struct.pack("<I", version) + json.dumps(board).encode()))
held = []
count = 0


def cases():
    """Yields number, nonce and bytes of each case until the host says BYE."""
    while True:
        what, rest = get()
        if what == BYE:
            return
        while version == 2 and rest:
            number, secret, size = struct.unpack_from("<IQI", rest)
            yield number, secret, rest[16:16 + size]
            rest = rest[16 + size:]
        if version == 1:
            number, secret, _, _, name = struct.unpack_from("<IQIIB", rest)
            yield number, secret, rest[21 + name:]


def answered(number, done, result):
    """Returns the frame of one outcome."""
    if version == 1:
        return frame(OUTCOME, struct.pack("<IQ", number, done) + result)
    return frame(OUTCOMES, struct.pack("<IQI", number, done, len(result)) + result)


for case_id, nonce, case in cases():
    outcome = struct.pack("<BBHH", 0, 1, 0, 0)
    stamp = nonce ^ (zlib.crc32(case) << 32 | zlib.crc32(outcome))
    count += 1
    answer = answered(case_id, stamp, outcome)
    if mode == "stamp" and count % 2:
        answer = answered(case_id, stamp ^ 1, outcome)
    if mode == "echo":
        answer = answered(case_id, nonce, outcome)
    if mode == "id":
        answer = answered(case_id + 1000, stamp, outcome)
    if mode == "outcome":
        outcome = b"\x09" + outcome[1:]
        stamp = nonce ^ (zlib.crc32(case) << 32 | zlib.crc32(outcome))
        answer = answered(case_id, stamp, outcome)
    if mode == "other-version":
        version = 3 - version
        answer = answered(case_id, stamp, outcome)
    if mode == "empty":
        answer = frame(OUTCOMES, b"")
    if mode == "short-item":
        answer = frame(OUTCOMES, answer[8:-4] + b"12345")
    if mode == "long-item":
        answer = frame(OUTCOMES, struct.pack("<IQI", case_id, stamp, 1 << 31) + outcome)
    if mode == "twice":
        answer = frame(OUTCOMES, 2 * answer[8:-4])
    if mode == "flood":
        answer += b"MP\x07\0\0\0\x10\0" + bytes(1 << 20)
    if mode == "refuse" or (mode == "refuses-first" and count <= int(sys.argv[2])):
        answer = frame(REFUSED, struct.pack("<I", case_id) + "memory of others".encode())
    if mode == "dies":
        sys.exit(3)
    if mode == "killed":
        os.kill(os.getpid(), 9)
    if mode == "patient" and count == 1:
        time.sleep(11)
    if mode == "reboots" and starts == 1 and count == 6:
        sys.exit(1)
    if mode == "lingers" and starts == 1:
        time.sleep(60)
    if not alone:
        answer = frame(REFUSED, struct.pack("<I", case_id) + "another one is still there".encode())
    if mode == "error-later":
        put(frame(ERROR, "the firmware answers no more (Connection timed out): reboot the board".encode()))
    if mode in ("late", "late-says"):
        time.sleep(60)
    if mode == "notes":  # writes its process id when it gets a case, then hangs
        with open(sys.argv[2] + ".part", "w", encoding="ascii") as note:
            note.write(str(os.getpid()))
        os.rename(sys.argv[2] + ".part", sys.argv[2])
        time.sleep(60)
    while mode == "talks":
        put(frame(STATE, b"getting warmer"))
        time.sleep(0.1)
    if mode == "midway":
        answer = b"MP\x03\x00"
    if mode == "hangs-at" and count > int(sys.argv[2]):
        time.sleep(60)
    if mode == "hangs-on" and case == bytes.fromhex(sys.argv[2]):
        time.sleep(60)
    if mode == "dies-on" and case == bytes.fromhex(sys.argv[2]):
        os.abort()
    if mode == "shuffle":
        held.append(answer)
        if len(held) < 4:
            continue
        answer = b"".join(reversed(held))
        held = []
    put(answer)
if mode == "stays":
    time.sleep(60)
