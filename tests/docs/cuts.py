# SPDX-License-Identifier: Apache-2.0
"""How commands of the pages are made short enough for a test. This is all that differs from what a page says; run_pages.py
prints each command as it runs it.

- Sample models are the small forms of the same names: every layer is there, with fewer channels and pixels.
- A suite has its first operator, a folder of measured spaces its first two.
- An image has the small form's pixels.
- Budgets are divided and bounded (BUDGETS), and given where a page leaves them to the default (DEFAULTS). Seconds that all
  tasks share become trials (SHARED), so that a busy machine leaves no task without one.
- What only a reader has is left out (LEFT_OUT): arrays of one's own, engines that are installed from the network.
- Names of records and specs are those that the small models and budgets have (NAMES).
"""
import re

# Option: by what its number is divided, and the least that it becomes.
BUDGETS = {
    "--trials": (100, 3),
    "--total-trials": (16, 40),
    "--seconds": (10, 1),
    "--seeds": (5, 2),
    "--points": (2, 200),
}
SHARED = (r"--total-seconds \d+", "--total-trials 40")
MODEL_TRIALS = 2  # of each task of a model, which has some twenty
# Verb: what limits it, and an option that does where none is given.
DEFAULTS = {
    "tune": (("--trials", "--total-trials", "--seconds", "--dry-run", "--resume"), "--trials 3"),
    "pretrain": (("--trials",), "--trials 8"),
    "compare": (("--trials",), "--trials 30"),
}
# Bytes of an image of ResNet-18, and of its small form.
IMAGE = ("head -c 602112", "head -c 12288")
LEFT_OUT = ("--peer", "--inputs")
# A comparison of fewer trials has no score.
COMPARED = (r"(dovetail compare .*--trials) \d+", r"\1 60")
# Pattern, what it becomes: in commands that name a log of ResNet-18.
NAMES = [
    (r"#1\.\d+", "#1.1"),
    (r"c2d:ci=64,co=64,h=56,w=56,k=3,p=1\+bias\+relu", "c2d:ci=16,co=16,h=8,w=8,k=3,p=1+bias+relu"),
]
TUNE_AND_RUN = (r"(tune_and_run \S+) \d+", r"\1 20")  # the example of the library: MODEL TRIALS

# A stand-in for scripts/make-models, which builds what it needs: the build is here, and models are small.
MAKE_MODELS = """#!/bin/sh
set -e
cd "$(dirname "$0")/.."
for name in "$@"; do
  build/release/dovetail-make-models build/models "$name-small"
  mv "build/models/$name-small.onnx" "build/models/$name.onnx"
done
"""


def cut_budget(match):
    option, number = match[1], float(match[2])
    divisor, least = BUDGETS[option]
    return f"{option} {int(min(number, max(least, number / divisor)))}"


def add_default(command):
    """Gives a budget to a command that has none."""
    for verb, (limits, default) in DEFAULTS.items():
        if re.match(rf"(build/release/)?dovetail {verb} ", command) and not any(f" {limit}" in command for limit in limits):
            return re.sub(rf"(dovetail {verb})", rf"\1 {default}", command)
    return command


def cut(command):
    """A command of a page, as it is run."""
    options = "|".join(map(re.escape, BUDGETS))
    command = re.sub(rf"({options}) (\d+)", cut_budget, command)
    for option in LEFT_OUT:
        command = re.sub(rf" {option} [^ ]+", "", command)
    command = command.replace(*IMAGE)
    command = add_default(re.sub(*COMPARED, re.sub(*SHARED, command)))
    if ".onnx" in command:
        command = command.replace(f"--trials {BUDGETS['--trials'][1]} ", f"--trials {MODEL_TRIALS} ")
    if re.search(r"\b(r18|resnet18)\.jsonl", command):
        for pattern, name in NAMES:
            command = re.sub(pattern, name, command)
    return re.sub(*TUNE_AND_RUN, command)


def cut_suite(text):
    """The first operator of a suite."""
    return next(line for line in text.splitlines() if line.strip() and not line.startswith("#")) + "\n"
