#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of a page in order, in a scratch folder, as a reader would, with smaller budgets (cuts.py).

    run_pages.py BUILD_FOLDER PAGE…    all pages where none is named; prints each command, and fails where one does not end
                                       as the page says, or prints something else than the page shows

What is listed in not_run.txt is left out. Blocks with a name become files, Python runs, C compiles.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import cuts
import listed
import pages
import scratch

LIMIT_SECONDS = 300
MISSING = 77  # of ctest: skipped
ENDED_BY_HEAD = 141  # what a pipe ends with when the last program of it has read enough


def shape(line):
    """A line of an output without what differs from run to run: numbers, ids, which cache; up to its first remark."""
    line = re.sub(r"network:(l3|memory)", "network:…", re.split(r"[;(]", line)[0] if line[0] not in ";(" else line)
    line = re.sub(r"\bbuild [0-9a-f]{8}\b", "build …", line)
    return " ".join(re.sub(r"\d[\d.]*(e[-+]?\d+)?", "#", line).split())


def mistakes_of_output(block, printed):
    """Lines that the page shows and the command did not print; "…" stands for any."""
    found = [shape(line) for line in printed.splitlines() if line.strip()]
    for line in block.lines:
        if line.strip() and line.strip() != "…" and shape(line) not in found:
            yield f"{block.place}: the command does not print: {line}"


class Page:
    """The run of a page in an empty folder."""

    def __init__(self, page, text, folder, build, entries):
        self.page, self.text, self.folder = page, text, pathlib.Path(folder)
        self.environment = scratch.prepare(self.folder, build)
        self.missing = missing_of(text, build)
        self.entries = entries
        self.python = ""
        self.exports, self.printed, self.mistakes, self.ran, self.left_out = [], "", [], 0, 0

    def shell(self, text):
        return subprocess.run(["bash", "-c", "\n".join(["set -o pipefail", *self.exports, text])], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=LIMIT_SECONDS, check=False)

    def leave_out(self, command, reason):
        self.left_out += 1
        print(f"{command.place}: not run ({reason}): {command.text}")

    def run_command(self, command):
        entry = self.entries.entry(self.page, command.text)
        lacking = next((reason for word, reason in self.missing.items() if word in command.text), None)
        if entry or lacking:
            self.leave_out(command, entry.reason if entry else lacking)
            return
        if re.match(r"(export|source) ", command.text):
            self.exports.append(command.text)
        text = cuts.cut(command.text)
        print(f"{command.place}: {text}", flush=True)
        begun = time.monotonic()
        done = self.shell(text)
        self.printed, self.ran = done.stdout, self.ran + 1
        print(f"    exit code {done.returncode}, {time.monotonic() - begun:.1f} s", flush=True)
        ended = 0 if done.returncode == ENDED_BY_HEAD else done.returncode
        if ended != command.exit_code:
            self.mistakes.append(f"{command.place}: exit code {done.returncode}, expected {command.exit_code}: {text}\n"
                                 + done.stdout[-3000:])

    def compile_c(self, block):
        """A whole C file, with the headers of the packages that the page made."""
        includes = [f"-I{path}" for path in self.folder.glob("*/include")]
        done = subprocess.run(["cc", "-std=c11", "-Wall", "-fsyntax-only", *includes, "-xc", "-"], input=block.text,
                              capture_output=True, text=True, check=False)
        self.ran += 1
        if done.returncode:
            self.mistakes.append(f"{block.place}: {done.stderr}")

    def run_python(self, block):
        """Behind the page's earlier ones, as in one session."""
        self.python += block.text + "\n"
        done = subprocess.run(["/usr/bin/python3", "-"], cwd=self.folder, input=self.python, capture_output=True, text=True,
                              check=False)
        self.ran += 1
        if "No module named 'numpy'" in done.stderr:
            print(f"{block.place}: not run (needs numpy)")
        elif done.returncode:
            self.mistakes.append(f"{block.place}: {done.stderr}")

    def run(self):
        for block in pages.blocks_of(self.page, self.text):
            if block.language == "sh":
                for command in pages.commands_of(block):
                    self.run_command(command)
            elif block.language == "output":
                self.mistakes += mistakes_of_output(block, self.printed)
            elif block.language == "c" and "#include" in block.text:
                self.compile_c(block)
            elif block.language == "python":
                self.run_python(block)
            elif block.argument and block.language in ("graph", "suite", "jsonl"):
                (self.folder / block.argument).write_text(block.text, encoding="utf-8")
        return self.mistakes


def missing_of(text, build):
    """What this build or machine lacks for a page: a word of the commands that need it, and why they are left out."""
    found = {}
    if "opencl" in text:
        asked = [f"{build}/dovetail", "show", "gmm:m=8,n=8,k=8", "--target", "opencl", "--what", "trace"]
        if subprocess.run(asked, capture_output=True, check=False).returncode:
            found["opencl"] = "there is no OpenCL device"
    if subprocess.run(["python3", "-c", "import numpy"], capture_output=True, check=False).returncode:
        found["run_with_numpy"] = "needs numpy"
    if not (pathlib.Path(build) / "libdovetail-agent.so").exists():
        found["pretrain"] = found["ppo"] = "this build has no LibTorch"
    return found


def main(arguments):
    build, names = str(pathlib.Path(arguments[0]).resolve()), arguments[1:] or pages.pages()
    mistakes, ran, entries = [], 0, listed.listed()
    for name in names:
        with tempfile.TemporaryDirectory(prefix="dovetail-docs-") as folder:
            page = Page(name, pages.read(name), folder, build, entries)
            mistakes += page.run()
            ran += page.ran
            print(f"{name}: {page.ran} run, {page.left_out} not run", flush=True)
    for mistake in mistakes:
        print(mistake)
    print(f"{len(mistakes)} mistakes")
    return 1 if mistakes else 0 if ran else MISSING


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
