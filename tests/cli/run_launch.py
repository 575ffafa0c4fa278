# SPDX-License-Identifier: MIT
"""Runs launches that Mesa compiled (compiler-programs/v3d in MISPRINT_TEST_DATA) with `misprint run`, from
files of words as a user would write them, and compares the memory with what the CPU renderer computed."""
import json
import struct
import subprocess
import sys

MISPRINT, DATA, FOLDER = sys.argv[1:4]
NAMES = ("add64", "bounds_check", "crc32_bitwise", "hash_pcg", "histogram_shared", "ids_13x17", "int_mul32",
         "loop_nested_break", "pressure_66_spill_loop", "shared_transpose", "switch_case", "ssbo_vec4")


def mix(x):
    x ^= x >> 16
    x = x * 0x7FEB352D & 0xFFFFFFFF
    x ^= x >> 15
    x = x * 0x846CA68B & 0xFFFFFFFF
    return x ^ x >> 16


def float_bits(v):
    return struct.unpack("<I", struct.pack("<f", v))[0]


PATTERN = {0: lambda j: mix(j + 1), 1: lambda j: float_bits(((mix(j + 77777) % 1024) - 512) / 64),
           2: lambda j: 0, 3: lambda j: mix(j + 55555) & 63}


def programs(generation):
    p = None
    for line in open(f"{DATA}/v{generation}.txt"):
        word = line.split()
        if line.startswith("program "):
            p = {"name": word[1], "compute": "stage=compute" in line, "csd": None, "code": [],
                 "buffers": {}}
            code = False
        elif line.startswith("csd "):
            p["csd"] = word[1:]
        elif line.startswith("uniform ") and " ssbo[" in line and "binding=" in word[-1]:
            p["buffers"][int(word[-1].split("=")[1])] = int(word[2], 16)
        elif line.startswith("code"):
            code = True
        elif line.startswith("end"):
            code = False
            yield p
        elif p and code and word and not line.startswith("#"):
            p["code"].append(word[0])


def memory_of(name, generation):
    memory, buffers = {}, {}
    for line in open(f"{DATA}/memory/{name}.v{generation}.txt"):
        word = line.split()
        if line.startswith("row "):
            at = int(word[1], 16)
            memory.update((at + 4 * n, int(w, 16)) for n, w in enumerate(word[2:10]))
        elif line.startswith("pattern "):
            at, count, buffer = int(word[1], 16), int(word[2][6:]), int(word[3][7:])
            buffers[buffer] = at
            memory.update((at + 4 * j, PATTERN[buffer](j)) for j in range(count))
    return memory, buffers


def write_images(memory):
    """One file of hexadecimal words for each run of addresses; returns what --memory takes."""
    images, last, f = [], None, None
    for at in sorted(memory):
        if at - 4 != last:
            images.append(f"{FOLDER}/image{len(images)}@{at:x}")
            f = open(images[-1].split("@")[0], "w")
        f.write(f"{memory[at]:08x}\n")
        last = at
    return ",".join(images)


def run(p, generation):
    memory, buffers = memory_of(p["name"], generation)
    buffers = {**p["buffers"], **buffers}
    with open(f"{FOLDER}/program.hex", "w") as f:
        f.write("\n".join(p["code"]) + "\n")
    command = [MISPRINT, "run", "--unit", "v3d-qpu", "--isa", f"v3d{generation}", f"{FOLDER}/program.hex",
               "--launch", ",".join(p["csd"]), "--memory", write_images(memory), "--json"]
    result = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)[0]
    for row in result["rows"]:
        for n, w in enumerate(row["value"]):
            memory[row["row"] * 64 + 4 * n] = int(w, 16)
    wrong = result["end"] != "done"
    for line in open(f"{DATA}/expect/{p['name']}.txt"):
        buffer, index, value = line.split()
        wrong += memory.get(buffers.get(int(buffer), -1 << 40) + 4 * int(index), 0) != int(value, 16)
    return wrong


ran = failed = 0
for generation in (42, 71):
    for p in programs(generation):
        if p["compute"] and p["csd"] and p["name"] in NAMES:
            wrong = run(p, generation)
            ran += 1
            failed += wrong != 0
            if wrong:
                print(f"v3d{generation} {p['name']}: {wrong} words differ")
print(f"{ran} launches from files, {failed} differ")
sys.exit(failed != 0 or ran == 0)
