#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An adapter of docs/examples with its library: it learns, repeats itself by seed, and serves the program.

    adapters_test.py DOVETAIL BUILD_FOLDER optuna_tpe optuna

The library comes from build/adapters, which scripts/compare-strategies --adapters makes. Where it is not there, Optuna
is installed under BUILD_FOLDER, which takes seconds; of the others, and without a network, the test is skipped (77).
"""

import csv
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REQUIREMENTS = os.path.join(ROOT, "docs/examples/adapters.txt")
NAMES = [f"size.{k}" for k in range(6)]
VALUES = list(range(8))


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def has(python, library):
    return os.path.exists(python) and subprocess.run([python, "-c", f"import {library}"], stderr=subprocess.DEVNULL,
                                                     check=False).returncode == 0


def python_with(library, build_folder):
    installed = os.path.join(ROOT, "build/adapters/bin/python")
    if has(installed, library):
        return installed
    if library != "optuna":
        skip(f"no {library} in build/adapters, which scripts/compare-strategies --adapters makes")
    folder = os.path.join(build_folder, "tests/optuna")
    python = os.path.join(folder, "bin/python")
    if not has(python, library):
        with open(REQUIREMENTS, encoding="utf-8") as file:
            version = next(line.strip() for line in file if line.startswith(library + "=="))
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        if subprocess.run([python, "-m", "pip", "install", "--quiet", version], check=False).returncode != 0:
            skip(f"{version} cannot be installed here")
    return python


class SmallSearch:
    """The other side of the protocol: six sizes of eight values, whose best is 5 of each; rounds are two deep."""

    def __init__(self, command, seed):
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.default = dict.fromkeys(NAMES, 0)
        self.seen = {tuple(self.default.values())}
        parameters = [{"name": name, "meaning": "", "values": VALUES, "depends_on": [], "only_with": [],
                       "off_percent": 0} for name in NAMES]
        self.send({"type": "space", "version": 1, "task": "", "target": "", "seed": seed, "parameters": parameters,
                   "default": self.default})
        assert self.answer()["type"] == "ready"

    def send(self, message):
        self.program.stdin.write(json.dumps(message) + "\n")
        self.program.stdin.flush()

    def point_of(self, given):
        if isinstance(given, list):
            return {name: round(place * (len(VALUES) - 1)) for name, place in zip(NAMES, given, strict=True)}
        assert set(given) <= set(NAMES) and set(given.values()) <= set(VALUES), given
        return {**self.default, **given}

    def answer(self):
        while True:
            message = json.loads(self.program.stdout.readline())
            if message["type"] != "domains":
                return message
            self.send({"type": "domains", "point": self.point_of(message["point"]),
                       "domains": dict.fromkeys(NAMES, VALUES)})

    def propose(self, count):
        """Results of so many new points; those of others say that they were rejected."""
        results = []
        while sum(result["status"] == "ok" for result in results) < count:
            self.send({"type": "ask", "count": count - sum(result["status"] == "ok" for result in results)})
            points = self.answer()["points"]
            assert points, "it has nothing more"
            for point in map(self.point_of, points):
                key = tuple(point.values())
                seconds = 1 + sum((value - 5) ** 2 for value in key)
                results.append({"point": point, "status": "rejected"} if key in self.seen else
                               {"point": point, "status": "ok", "seconds": seconds})
                self.seen.add(key)
        return results

    def rounds(self, number):
        """The seconds of each round."""
        told = [{"point": self.default, "status": "ok", "seconds": 151}]
        waiting, seconds = [], []
        for _ in range(number):
            results = self.propose(16)
            seconds.append([result["seconds"] for result in results if result["status"] == "ok"])
            self.send({"type": "tell", "observations": told})
            told, waiting = waiting, results
        self.program.stdin.close()
        assert self.program.wait(timeout=60) == 0
        return seconds


def check_learning(command):
    seconds = SmallSearch(command, 1).rounds(12)
    assert seconds == SmallSearch(command, 1).rounds(12), "one seed gave two searches"
    assert seconds != SmallSearch(command, 2).rounds(12), "two seeds gave one search"
    first, last = (statistics.mean(sum(rounds, [])) for rounds in (seconds[:2], seconds[-4:]))
    print(f"mean of the first two rounds {first:.1f}, of the last four {last:.1f}")
    assert last < 0.7 * first, "it does not learn"


def check_program(dovetail, command):
    """On a measured space, in the simulated comparison: all trials, the same ones each time."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(ROOT, "results/spaces/second/gmm"), os.path.join(folder, "gmm"))
        runs = []
        for out in ("a", "b"):
            subprocess.run([dovetail, "compare", "--simulate", folder, "--strategies",
                            f"random@none,adapter=exec:{shlex.join(command)}@none", "--seeds", "2", "--trials", "60",
                            "-o", os.path.join(folder, out)], check=True)
            with open(os.path.join(folder, out, "runs.csv"), encoding="utf-8", newline="") as file:
                runs.append([[row[field] for field in ("strategy", "seed", "score", "best_seconds", "trials")]
                             for row in csv.DictReader(file)])
        assert runs[0] == runs[1], runs
        assert [row[-1] for row in runs[0]] == ["60"] * 4, runs[0]


def main():
    dovetail, build_folder, adapter, library = sys.argv[1:]
    command = [python_with(library, build_folder), os.path.join(ROOT, f"docs/examples/{adapter}.py")]
    check_learning(command)
    check_program(dovetail, command)


if __name__ == "__main__":
    main()
