# SPDX-License-Identifier: Apache-2.0
"""Compiles the parts of c_driver_text.cc that all packages share to LLVM IR, as scripts/make-ir-driver says."""
import hashlib
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path("deploy/package/driver")
PARTS = ("Types", "Cpu", "Hash", "Weights", "Checks", "Launches")
NUMBERS = ("inputs", "tensors", "variants", "workspaces", "weights_files", "arenas", "bases", "most_buffers")

HEAD = """#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef enum pkgname_status {
  PKGNAME_OK = 0, PKGNAME_NULL = -1, PKGNAME_ALIGNED = -2, PKGNAME_WEIGHTS = -3,
  PKGNAME_CHECKSUM = -4, PKGNAME_CPU = -5, PKGNAME_OVERLAP = -6
} pkgname_status;
typedef void (*pkgname_task)(void* const* tables, int64_t first, int64_t last);
typedef void (*pkgname_parallel_for)(void* context, pkgname_task task, void* const* tables, int64_t extent);
enum { PKGNAME_VECTOR = 64, PKGNAME_HEADER_BYTES = 64 };
"""
TABLES = """
extern const pkgname_arena pkgname_arenas[];
extern const size_t pkgname_tensor_bytes[];
extern const unsigned char pkgname_headers[][PKGNAME_HEADER_BYTES];
extern const pkgname_code pkgname_codes[];
"""


def part_of(text: str, part: str) -> str:
    found = re.search(r'kDriver%s =\s*R"\((.*?)\)";' % part, text, re.S)
    if not found:
        sys.exit(f"make-ir-driver: c_driver_text.cc has no kDriver{part}")
    return found[1].replace("@name@", "pkgname").replace("@NAME@", "PKGNAME")


def source() -> str:
    text = (FOLDER / "c_driver_text.cc").read_text()
    parts = {part: part_of(text, part) for part in PARTS}
    code = HEAD + parts["Types"] + TABLES
    for number in NUMBERS:
        code += f"extern const int pkgname_count_{number};\n#define PKGNAME_{number.upper()} pkgname_count_{number}\n"
    code += "#define PKGNAME_NOWHERE PKGNAME_BASES\n"
    code += "".join(parts[part] for part in PARTS[1:])
    return code + (FOLDER / "ir_driver_entries.c").read_text()


def generic(ir: str) -> str:
    """Without what belongs to one machine: layouts, attributes, metadata."""
    kept = []
    for line in ir.splitlines():
        if line.startswith(("target ", "source_filename", "attributes ", "!", "; ModuleID", "; Function Attrs")):
            continue
        if " = external " in line:  # tables, which come with each package
            continue
        line = re.sub(r",? ?![a-z.A-Z]+ ![0-9]+", "", line)
        line = re.sub(r" #[0-9]+", "", line)
        linkage = "" if "@pkgname_status_text(" in line else "internal "  # the one function that programs call
        line = re.sub(r"^define (dso_local |internal |hidden )*", f"define {linkage}", line)
        line = re.sub(r"\b(dso_local|local_unnamed_addr|noundef|nocapture|readonly|writeonly|nonnull) ", "", line)
        line = re.sub(r" *; preds = .*", "", re.sub(r"range\([^)]*\) ", "", line)).replace(" unnamed_addr {", " {")
        kept.append(line.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


def main() -> None:
    code = source()
    digest = hashlib.sha256(code.encode()).hexdigest()
    target = FOLDER / "ir_driver.ll"
    if sys.argv[1:] == ["--source"]:
        print(code, end="")
        return
    if sys.argv[1:] == ["--check"]:
        if digest not in target.read_text():
            sys.exit(f"make-ir-driver: {target} is of other C than what is there now: run scripts/make-ir-driver")
        return
    flags = ["-std=c99", "-O1", "-fno-strict-aliasing", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize",
             "-fno-inline", "-fno-builtin", "-fno-jump-tables", "-fdiscard-value-names",
             "-mllvm", "-disable-loop-idiom-all"]
    ir = subprocess.run(["clang-19", *flags, "--target=x86_64-linux-gnu", "-x", "c", "-S", "-emit-llvm", "-o", "-", "-"],
                        input=code, text=True, check=True, stdout=subprocess.PIPE).stdout
    target.write_text("; SPDX-License-Identifier: Apache-2.0\n"
                      "; The part of a package's driver that is the same in all, for the name `pkgname`. Written by\n"
                      "; scripts/make-ir-driver with clang 19, from C with this SHA-256:\n"
                      f";   {digest}\n\n{generic(ir)}")


main()
