#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists the file names in comments and pages that no file of the tree has. Run it from the root.

A name with a folder is checked if it begins with a folder of the root. It is looked up from the root and
from the folder of the file that contains it. A name without a folder must be that of any file of the tree.
Words in capitals stand for any name (`corpus/UNIT/CLAUSE.case`). Prints each name without a file, then how
many names it checked.
"""
import os
import re
import subprocess
import sys

ENDINGS = r"\.(?:c|h|md|sh|py|txt|case)"
NAME = re.compile(r"(?<![\w./${}<>~*@-])((?:[\w.-]+/)*[\w.-]*\w" + ENDINGS + r")(?![\w/(*-]|\.\w)")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

# Files of other projects and of users that comments and pages name.
FOREIGN = set("""
    amdgpu_ctx.c amdgpu_drm.h amdgpu_job.c drm_sched_main.c gfx_v10_0.c gfx_v11_0.c gfx_v8_0.c gmc_v8_0.c
    nvd.h sched_main.c soc15d.h vc4_drm.h vc4_validate.c vid.h
    ac_gpu_info.c sid.h vc4_program.c vc4_qpu_emit.c vc4_uniforms.c
    amdgpu.h shader_test_util.c
    consts.py power_enums.py power_svp64_rm.py svstate.py
    gpu_fft_base.c mailbox.c opcode_pack_test.h opcode_test.h unpack_test.h
    docs/env_variables.md
    config.txt log.txt matrix.md refuse.py
    flags.c varying.c
""".split())  # of Linux; Mesa; libdrm; openpower-isa; gpu_fft and VC4C; AFL++; users; points, not files


def stands_for_any(name):
    """Whether a part of the name is in capitals. Pages (README.md) have such names themselves."""
    return not name.endswith(".md") and any(re.fullmatch("[A-Z]+", part) for part in re.split("[/_.-]", name))


def files():
    """The files that git knows or would add; without git, all files outside build."""
    try:
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
        return [name for name in names if name and os.path.isfile(name)]
    except (OSError, subprocess.CalledProcessError):
        found = []
        for folder, folders, names in os.walk("."):
            folders[:] = [f for f in folders if f not in (".git", "build")]
            found += [os.path.relpath(os.path.join(folder, name)) for name in names]
        return found


def said(path, text):
    """The text of comments and pages alone; lines keep their numbers."""
    if path.endswith(".md"):
        return text
    if path.endswith((".c", ".h", ".inc")):
        kept, at = [], 0
        for m in COMMENT.finditer(text):
            kept.append(re.sub(r"[^\n]", " ", text[at:m.start()]))
            kept.append(m.group() if m.group()[0] == "/" else re.sub(r"[^\n]", " ", m.group()))
            at = m.end()
        return "".join(kept) + re.sub(r"[^\n]", " ", text[at:])
    return "\n".join(line if re.match(r"\s*#(?!!)", line) else "" for line in text.split("\n"))


def main():
    tree = set(files())
    tops = {path.split("/")[0] for path in tree if "/" in path}
    bases = {os.path.basename(path).removesuffix(".in") for path in tree}  # NAME.in makes NAME
    seen = missing = 0
    for path in sorted(tree):
        if os.path.splitext(path)[1] not in ("", ".c", ".h", ".inc", ".md", ".sh", ".py", ".cmake", ".txt"):
            continue
        try:
            text = open(path, encoding="utf-8").read()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(said(path, text).split("\n"), 1):
            for name in NAME.findall(line):
                beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
                if "/" in name and name.split("/")[0] not in tops:
                    continue
                seen += 1
                known = {name, beside} & tree or name in FOREIGN or ("/" not in name and name in bases)
                if not known and not stands_for_any(name):
                    missing += 1
                    print(f"{path}:{number}: names {name}, which is not a file of the tree")
    print(f"{seen} file names in comments and pages, {missing} without a file")
    return 1 if missing or not seen else 0


sys.exit(main())
