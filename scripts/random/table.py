# SPDX-License-Identifier: Apache-2.0
"""What came out of scripts/random-regions: a journal of all cases, and the table of it."""

import collections
import json
import re
import sys
import threading
from pathlib import Path

OUTCOMES = ["right", "differs", "aborts", "hangs", "too much memory", "refused"]
RIGHT = ("right", "refused")

ABOUT = """# Random regions, graphs and damaged models

Made by `scripts/random-regions`, seed {seed}: regions in the grammar of `docs/workloads.md` beside numpy in double
precision (integers exactly, real numbers to within what rounding does to numpy's own single precision); ONNX graphs
beside onnxruntime, to within 1e-4 of the range of each output; and copies of such graphs with other bytes or other
fields, which have to be computed or refused in a line, in time and in 2 GB. Default traces on this CPU, some of the
regions and graphs also with random traces, and with default traces on OpenCL. numpy and onnxruntime compute
all regions and graphs that are counted.

"""


class Journal:
    """Outcomes, as lines of a file where there is one: a run that is broken off goes on from there."""

    def __init__(self, file=None, seed=None):
        self.file = Path(file) if file else None
        self.outcomes = {}  # (title, number): kind, reason, what
        self.seed = seed
        self.lock = threading.Lock()
        if self.file and self.file.exists():
            self.read()
        elif self.file:
            self.append({"seed": seed})

    def read(self):
        head, *lines = map(json.loads, self.file.read_text().splitlines())
        if self.seed not in (None, head["seed"]):
            sys.exit(f"random-regions: {self.file} is of seed {head['seed']}, expected {self.seed}")
        self.seed = head["seed"]
        for line in lines:
            self.outcomes[line["set"], line["number"]] = line["kind"], line["reason"], line["what"]

    def append(self, line):
        with self.file.open("a") as out:
            out.write(json.dumps(line) + "\n")

    def has(self, title, number):
        return (title, number) in self.outcomes

    def add(self, title, number, outcome):
        with self.lock:
            self.outcomes[title, number] = outcome.kind, outcome.reason, outcome.what
            if self.file:
                self.append({"set": title, "number": number, "kind": outcome.kind,
                             "reason": outcome.reason[:1000], "what": outcome.what})

    def is_right(self):
        return all(kind in RIGHT for kind, _, _ in self.outcomes.values())


def family(reason):
    """A reason without what is of one case alone, so that like ones are counted together."""
    reason = re.sub(r"^.*?\.onnx: ", "", reason)
    reason = re.sub(r"^[A-Z]\w*\[.*?: (?=[a-z][a-z])", "", reason)
    reason = re.sub(r"'loops.*|: '.*|\".*?\"|\(Y\[.*?\)", "…", reason)
    reason = re.sub(r"-?\d+(\.\d+)?(e[-+]\d+)?", "N", reason)
    return cell(reason)


def cell(text):
    return re.sub(r"\s+", " ", text).replace("|", "/")[:150]


def table(journals):
    outcomes = {}
    for journal in journals:
        outcomes.update(journal.outcomes)
    seeds = sorted({journal.seed for journal in journals})
    titles = list(dict.fromkeys(title for title, _ in outcomes))
    lines = ["| | in all | " + " | ".join(OUTCOMES) + " |", "|---|" + "---|" * (len(OUTCOMES) + 1)]
    for title in titles:
        kinds = collections.Counter(o[0] for (t, _), o in outcomes.items() if t == title)
        lines.append(f"| {title} | {sum(kinds.values())} | " +
                     " | ".join(str(kinds[kind]) for kind in OUTCOMES) + " |")
    for title in titles:
        found = {n: o for (t, n), o in sorted(outcomes.items()) if t == title and o[0] != "right"}
        if found:
            lines += ["", f"## {title}", ""]
            lines += families(found) if title == "damaged models" else one_by_one(found)
    return ABOUT.format(seed=", ".join(map(str, seeds))) + "\n".join(lines) + "\n"


def one_by_one(found):
    lines = ["| number | | reason | case |", "|---|---|---|---|"]
    return lines + [f"| {n} | {kind} | {cell(reason)} | {cell(what)} |"
                    for n, (kind, reason, what) in found.items()]


def families(found):
    reasons = collections.Counter((kind, family(reason)) for kind, reason, _ in found.values())
    most = reasons.most_common(40)
    lines = ["| cases | | reason |", "|---|---|---|"]
    lines += [f"| {n} | {kind} | {reason} |" for (kind, reason), n in most]
    rest = sum(reasons.values()) - sum(n for _, n in most)
    if rest:
        lines.append(f"| {rest} | | others, of {len(reasons) - len(most)} kinds |")
    return lines
