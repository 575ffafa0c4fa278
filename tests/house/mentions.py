#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says which files comments and pages name that are not in the tree: mentions.py, run from the root.

A name with a folder counts if it begins with a folder of the root. It is looked up from the root and from the
folder of the file that names it. A name without a folder must be that of some file of the tree. Capital words
stand for any name (`corpus/UNIT/CLAUSE.case`). Prints a line for each name without a file, then how many
names it saw.
"""
import os
import re
import subprocess
import sys

ENDINGS = r"\.(?:c|h|md|sh|py|txt|case)"
NAME = re.compile(r"(?<![\w./${}<>~*@-])((?:[\w.-]+/)*[\w.-]*\w" + ENDINGS + r")(?![\w/(*-]|\.\w)")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

# Files of others, and files that a user has, which comments and pages name without a folder.
FOREIGN = set("""
    amdgpu_ctx.c amdgpu_drm.h amdgpu_job.c drm_sched_main.c gfx_v10_0.c gfx_v11_0.c gfx_v8_0.c gmc_v8_0.c
    nvd.h sched_main.c soc15d.h vc4_drm.h vc4_validate.c vid.h
    ac_gpu_info.c sid.h vc4_program.c vc4_qpu_emit.c vc4_uniforms.c
    amdgpu.h shader_test_util.c
    consts.py power_enums.py power_svp64_rm.py svstate.py
    gpu_fft_base.c mailbox.c opcode_pack_test.h opcode_test.h unpack_test.h
    config.txt log.txt refuse.py
""".split())  # of Linux; of Mesa; of libdrm; of openpower-isa; of gpu_fft and VC4C; a user's


def stands_for_any(name):
    """Is a part of this name a capital word? Pages have such names themselves."""
    return not name.endswith(".md") and any(re.fullmatch("[A-Z]+", part) for part in re.split("[/_.-]", name))


def files():
    """The tree's files: those that git knows or would add; without git, all but what builds leave."""
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
    """The text without what is neither comment nor page; lines keep their numbers."""
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
    bases = {os.path.basename(path) for path in tree}
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
                known = name in tree or beside in tree or ("/" not in name and name in bases | FOREIGN)
                if not known and not stands_for_any(name):
                    missing += 1
                    print(f"{path}:{number}: names {name}, which is no file of the tree")
    print(f"{seen} names of files in comments and pages, {missing} of no file")
    return 1 if missing or not seen else 0


sys.exit(main())
