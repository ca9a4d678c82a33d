# SPDX-License-Identifier: Apache-2.0
"""scripts/random-regions: random regions, graphs and damaged models through `dovetail run`."""

import argparse
import concurrent.futures
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import draw
import regions
import table
from runs import check_random_traces, check_run, save_inputs


class Region:
    """A random region, with what numpy makes of it."""

    def __init__(self, number, options, folder):
        rng = np.random.default_rng([options.seed, 0, number])
        self.region = draw.random_region(rng)
        self.inputs = draw.inputs_of(self.region, rng)
        self.spec = self.what = self.region.text()
        save_inputs([self.inputs[name] for name in self.region.given()], folder / "in")

    def difference(self, outputs):
        return regions.disagreement(self.region, self.inputs, outputs)


def sets(options):
    """Title, check and numbers of each."""
    named = on_all_ways("regions", Region, options.regions, options)
    if options.graphs or options.mutants:
        import models  # pylint: disable=import-outside-toplevel  # it needs more than numpy
        named += on_all_ways("graphs", models.Graph, options.graphs, options)
        named.append(("damaged models", models.check_mutant, numbers(options, options.mutants)))
    part, parts = options.part
    return [(title, check, some[part - 1::parts]) for title, check, some in named]


def numbers(options, count, every=1):
    return [n for n in range(options.first, options.first + count) if every and n % every == 0]


def on_all_ways(title, make, count, options):
    return [(title, check_run(make), numbers(options, count)),
            (f"{title}, random traces", check_random_traces(make),
             numbers(options, count, options.traces_every)),
            (f"{title} on OpenCL", check_run(make, "--target", "opencl"),
             numbers(options, count, options.opencl_every))]


def run_all(title, check, wanted, journal, options):
    def one(number):
        with tempfile.TemporaryDirectory() as scratch:
            outcome = check(number, options, Path(scratch))
        journal.add(title, number, outcome)
        if outcome.kind != "right" and (outcome.kind != "refused" or options.verbose):
            print(f"{title} {number} {outcome.kind}: {outcome.reason[:600]}\n  {outcome.what}",
                  flush=True)

    missing = [n for n in wanted if not journal.has(title, n)]
    if not missing:
        return
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, missing))
    print(f"{title}: {len(missing)} in {time.monotonic() - started:.0f} s", file=sys.stderr)


def part_of(text):
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise argparse.ArgumentTypeError(f"{text}: expected K/N with 1 <= K <= N")
    return part, parts


def options_given():
    parser = argparse.ArgumentParser(prog="random-regions")
    parser.add_argument("--dovetail", default="build/release/dovetail")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--regions", type=int, default=2000)
    parser.add_argument("--graphs", type=int, default=500)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--traces-every", type=int, default=20,
                        help="each so manieth region and graph with random traces, too; 0: none")
    parser.add_argument("--traces", type=int, default=5, help="of each task of these")
    parser.add_argument("--opencl-every", type=int, default=20,
                        help="each so manieth region and graph on OpenCL, too; 0: none")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--part", type=part_of, default=(1, 1), help="K/N: each Nth case")
    parser.add_argument("--journal", help="file that outcomes are added to; cases in it are done")
    parser.add_argument("--tabulate", nargs="+", help="journals: only their table, nothing is run")
    parser.add_argument("--keep", help="folder for all models that are drawn")
    parser.add_argument("--verbose", action="store_true", help="what is refused, too")
    parser.add_argument("-o", "--output", help="the table, instead of stdout")
    options = parser.parse_args()
    options.dovetail = str(Path(options.dovetail).resolve())
    if not options.tabulate and not Path(options.dovetail).exists():
        parser.error(f"no {options.dovetail}: build first (README.md)")
    return options


def main():
    options = options_given()
    if options.keep:
        Path(options.keep).mkdir(exist_ok=True)
    if options.tabulate:
        journals = [table.Journal(file) for file in options.tabulate]
    else:
        journals = [table.Journal(options.journal, options.seed)]
        for title, check, wanted in sets(options):
            run_all(title, check, wanted, journals[0], options)
    text = table.table(journals)
    if options.output:
        Path(options.output).write_text(text)
    else:
        print(text)
    return 0 if all(journal.is_right() for journal in journals) else 1


if __name__ == "__main__":
    sys.exit(main())
