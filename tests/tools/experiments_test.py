#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each committed table of strategies has the file that says how it was made, and the program takes it.

    experiments_test.py DOVETAIL
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def column(path, name):
    with open(path, encoding="utf-8", newline="") as file:
        return list(dict.fromkeys(row[name] for row in csv.DictReader(file)))


def spaces_of(experiment):
    """Names of its measured spaces, or of its workloads."""
    if "simulate" in experiment:
        return sorted(name for name in os.listdir(experiment["simulate"])
                      if os.path.exists(os.path.join(experiment["simulate"], name, "space.json.gz")))
    names = []
    for workload in experiment["workloads"]:
        with open(workload.removeprefix("@"), encoding="utf-8") as suite:
            names += [line.split("=")[0].strip() for line in suite if "=" in line and not line.startswith("#")]
    return sorted(names)


def check(dovetail, folder):
    path = os.path.join(folder, "experiment.json")
    with open(path, encoding="utf-8") as file:
        experiment = json.load(file)
    runs = os.path.join(folder, "runs.csv")
    names = [strategy.split("=exec:")[0] for strategy in experiment["strategies"]]
    assert names == column(runs, "strategy"), (path, names)
    assert [str(seed) for seed in range(experiment["seeds"])] == column(runs, "seed"), path
    assert spaces_of(experiment) == sorted(column(runs, "space")), path
    # Every option and strategy is understood before the program notices that there is nothing to do.
    with tempfile.TemporaryDirectory() as empty:
        run = subprocess.run([dovetail, "compare", "--experiment", path, "--simulate", empty, "-o", empty],
                             capture_output=True, text=True, check=False)
    expected = "no space.json.gz" if "simulate" in experiment else "--simulate has its workloads"
    assert run.returncode == 1 and expected in run.stderr, (path, run.stderr)


def main():
    dovetail = os.path.abspath(sys.argv[1])
    os.chdir(ROOT)
    folders = [os.path.join("results/strategies", name) for name in sorted(os.listdir("results/strategies"))]
    folders = [folder for folder in folders if os.path.isdir(folder)]
    assert folders
    for folder in folders:
        check(dovetail, folder)


if __name__ == "__main__":
    main()
