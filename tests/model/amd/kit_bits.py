# SPDX-License-Identifier: MIT
"""Compares the instruction fields of BITS.md (argument 1) with the words that llvm-mc (argument 2) makes.

Two texts that differ in one operand or modifier give words that differ in that field's bits only. A
modifier of a field that a generation lacks must be refused. No field of a table may be without texts.
"""
import re
import subprocess
import sys

POWERS = [1 << i for i in range(7)]
MUBUF = "buffer_load_dword v0, off, s[0:3], s0"
MTBUF = "tbuffer_load_format_x v0, off, s[0:3], s0 format:0"
SMEM = "s_buffer_load_dword s0, s[0:3], 0x0"
BY_SGPR = "s_buffer_load_dword s0, s[0:3], s0 offset:0x0"


def swap(base, old, values):
    return base, [base.replace(old, v, 1) for v in values]


def modify(base, *modifiers):
    return base, [f"{base} {m}" for m in modifiers]


def resource(base):
    return swap(base, "s[0:3]", [f"s[{4 * p}:{4 * p + 3}]" for p in POWERS[:5]])


def vector(base):
    """The fields that MUBUF and MTBUF share: a text, and others that differ from it in the field."""
    indexed = base.replace(" off,", " v0,")
    return {
        "OFFSET": modify(base, "offset:4095"),
        "IOFFSET": modify(base, "offset:8388607"),
        "OFFEN": (base, [indexed + " offen"]),
        "IDXEN": (base, [indexed + " idxen"]),
        "TFE": (base, [base.replace(" v0,", " v[0:1],", 1) + " tfe"]),
        "VADDR": swap(indexed + " offen", ", v0", [", v255"]),
        "VDATA": swap(base, " v0", [" v255"]),
        "ACC": swap(base, " v0", [" a0"]),
        "SRSRC": resource(base),
        "RSRC": resource(base),
        "SOFFSET": swap(base, " s0", [f" s{p}" for p in POWERS] + [" 0"]),
        "SCOPE": modify(base, "scope:SCOPE_SYS"),
        "TH_LOW": modify(base, "th:TH_LOAD_NT"),
        "TH": modify(base, "th:TH_LOAD_HT", "th:TH_LOAD_NT_RT"),
        **{name: modify(base, name.lower()) for name in ("SLC", "DLC", "GLC", "SCC", "SC0", "SC1", "NT")},
    }


def operations(base, *names):
    """The base as the operation that has number 0, and other operations, of one to four registers."""
    rest = base.split(" ", 1)[1]
    registers = ("v0", "v[0:1]", "v[0:2]", "v[0:3]")
    return f"{names[0]} {rest}", [f"{n} {rest.replace('v0', r, 1)}" for n in names[1:] for r in registers]


FIELDS = {
    "MUBUF": {
        **vector(MUBUF),
        "LDS": (MUBUF, [MUBUF.replace(" v0,", "", 1) + " lds"]),
        "OP": operations(MUBUF, "buffer_load_format_x", "buffer_load_format_xy", "buffer_load_format_xyz",
                         "buffer_store_format_x", "buffer_load_format_d16_x", "buffer_load_ubyte",
                         "buffer_store_byte", "buffer_atomic_swap", "buffer_atomic_swap_x2"),
    },
    "MTBUF": {
        **vector(MTBUF),
        "FORMAT": swap(MTBUF, "format:0", ["format:127"]),
        "DFMT": swap(MTBUF, "format:0", ["format:15"]),
        "NFMT": swap(MTBUF, "format:0", ["format:112"]),
        "OP": operations(MTBUF, "tbuffer_load_format_x", "tbuffer_load_format_xy", "tbuffer_load_format_xyz",
                         "tbuffer_store_format_x", "tbuffer_load_format_d16_x"),
    },
    "SMEM": {
        "SBASE": resource(SMEM),
        "SDATA": swap(SMEM, " s0", [f" s{p}" for p in POWERS]),
        "GLC": modify(SMEM, "glc"),
        "DLC": modify(SMEM, "dlc"),
        "OP": (SMEM, [SMEM.replace("dword s0", f"dwordx{n} s[0:{n - 1}]") for n in (2, 4, 8, 16)]),
        "OFFSET": swap(SMEM, "0x0", ["0xfffff"]),
        "IOFFSET": swap(SMEM, "0x0", ["0x7fffff"]),
        "SOFFSET": swap(BY_SGPR, ", s0", [f", s{p}" for p in POWERS]),
        "SOFFSET_EN": (SMEM, [BY_SGPR]),
        "IMM": swap(SMEM, "0x0", ["s0"]),
        "SCOPE": modify(SMEM, "scope:SCOPE_SYS"),
        "TH_LOW": modify(SMEM, "th:TH_LOAD_NT"),
        "TH": modify(SMEM, "th:TH_LOAD_HT"),
    },
}
MODIFIERS = {"SLC", "DLC", "GLC", "SCC", "SC0", "SC1", "NT", "TFE", "LDS", "ACC", "SCOPE", "TH_LOW", "TH"}

# Bits that no text changes: high bits of operations that do not exist, the sign of offsets that must not be
# negative, and the lowest bit of SBASE, because a V# begins at a multiple of four registers.
UNREACHED = {
    "MUBUF OP": {"gfx1100": {25}, "gfx1200": {21}},
    "MTBUF OP": {"gfx1200": {18, 19, 20, 21}},
    "MUBUF IOFFSET": {"gfx1200": {95}},
    "MTBUF IOFFSET": {"gfx1200": {95}},
    "SMEM IOFFSET": {"gfx1200": {55}},
    "SMEM SBASE": {"": {0}},
    "SMEM OP": {"gfx1200": {16, 17, 18}, "": {21, 22, 23, 24, 25}},
    "SMEM OFFSET": {"gfx803": set(), "": {52}},
}
# What LLVM's texts cannot set at all. It gives FORMAT of MUBUF the value 1 on gfx1200.
NUMBERS = {}  # {operation: {generation: number}}, from the tables
NO_TEXT = {"SMEM NV", "MTBUF TFE", "MUBUF FORMAT", "MUBUF RSRC_LOW", "MUBUF RSRC_HIGH", "MTBUF RSRC_LOW",
           "MTBUF RSRC_HIGH"}
ENCODINGS = {"MUBUF": (0x38, {"gfx1200": 0x31}), "MTBUF": (0x3A, {"gfx1200": 0x31}),
             "SMEM": (0x3D, dict.fromkeys(("gfx900", "gfx803", "gfx90a", "gfx942"), 0x30))}


def read_tables(path):
    """{kind: {field: {generation: set of bits}}}. OPM is the highest bit of OP."""
    tables, kind, heads = {}, None, []
    for line in open(path, encoding="utf-8"):
        cells = [c.strip(" `") for c in line.split("|")[1:-1]]
        if line.startswith("## "):
            kind = line.split()[1]
        elif cells and cells[0] == "field":
            heads = cells[1:-1]
        elif cells and cells[0] == "operation":
            heads = cells[1:]
        elif kind in FIELDS and cells and cells[0].islower():
            for name in cells[0].replace("`", "").split(", "):
                NUMBERS.setdefault(name, {}).update({h: int(c) for h, c in zip(heads, cells[1:]) if c})
        elif kind in FIELDS and cells and not cells[0].startswith("-"):
            field = tables.setdefault(kind, {}).setdefault(cells[0].replace("OPM", "OP"), {})
            for head, cell in zip(heads, cells[1:]):
                ends = [int(n) for n in cell.split(":") if n]
                field[head] = field.get(head, set()) | (set(range(ends[-1], ends[0] + 1)) if ends else set())
    return tables


def wrong_numbers(kind, cpu, bits, words):
    """Returns the texts whose operation has another number in the table, and how many were compared."""
    places, wrongs, count = sorted(bits), [], 0
    for text in FIELDS[kind]["OP"][1]:
        if text in words and cpu in NUMBERS.get(text.split()[0], {}):
            number = sum((words[text] >> b & 1) << i for i, b in enumerate(places))
            wrongs += [text] if number != NUMBERS[text.split()[0]][cpu] else []
            count += 1
    return wrongs, count


def assemble(llvm_mc, cpu, texts):
    """{text: word}, without the texts that LLVM refuses."""
    lines = "".join(f"L{i}:\n{t}\n" for i, t in enumerate(texts))
    run = subprocess.run([llvm_mc, "-triple=amdgcn", f"-mcpu={cpu}", "-show-encoding"], input=lines,
                         capture_output=True, text=True, check=False)
    words, at = {}, None
    for line in run.stdout.splitlines():
        label, made = re.match(r"L(\d+):", line), re.search(r"encoding: \[(.*)\]", line)
        if label:
            at = texts[int(label[1])]
        elif made:
            words[at] = int.from_bytes(bytes(int(b, 16) for b in made[1].split(",")), "little")
    return words


def wrong(kind, name, cpu, bits, words):
    """Returns what is wrong with a field of a generation; None: nothing."""
    base, others = FIELDS[kind][name]
    made = [words[t] for t in others if t in words]
    if not bits:
        return f"llvm-mc takes {others}" if made and name in MODIFIERS else None
    if base not in words or not made:
        return f"llvm-mc refuses {base}, or all of {others}"
    changed = {i for word in made for i in range(96) if (word ^ words[base]) >> i & 1}
    unreached = UNREACHED.get(f"{kind} {name}", {})
    expected = bits - unreached.get(cpu, unreached.get("", set()))
    return None if changed == expected else f"llvm-mc changes bits {sorted(changed)}, not {sorted(expected)}"


def main():
    tables, checked, failures = read_tables(sys.argv[1]), 0, 0
    texts = list(dict.fromkeys(t for kind in FIELDS.values() for base, others in kind.values()
                               for t in (base, *others)))
    for cpu in tables["MUBUF"]["OP"]:
        words = assemble(sys.argv[2], cpu, texts)
        for kind, base in (("MUBUF", MUBUF), ("MTBUF", MTBUF), ("SMEM", SMEM)):
            wrongs, count = wrong_numbers(kind, cpu, tables[kind]["OP"][cpu], words)
            failures += bool(wrongs) or not count
            checked += count
            if wrongs or not count:
                print(f"{cpu} {kind}: the operation of {wrongs} has another number")
            for name, places in tables[kind].items():
                if f"{kind} {name}" in NO_TEXT:
                    continue
                if name == "ENCODING":
                    usual, others = ENCODINGS[kind]
                    value = words[base] >> 26 & 63
                    good = value == others.get(cpu, usual) and places[cpu] == set(range(26, 32))
                    why = None if good else f"llvm-mc makes {words[base]:x}"
                else:
                    why = wrong(kind, name, cpu, places[cpu], words)
                checked += 1
                failures += why is not None
                if why:
                    print(f"{cpu} {kind} {name}: {why}")
    print(f"{checked} fields and numbers compared, {failures} differ")
    return failures > 0 or checked < 300


sys.exit(main())
