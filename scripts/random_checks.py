# SPDX-License-Identifier: Apache-2.0
"""scripts/random-regions: random regions, graphs and damaged models through `dovetail run`."""

import argparse
import concurrent.futures
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import onnxruntime

import draw_regions
import random_graphs
import random_regions
import random_table

MOST_MEMORY = 2 << 30
ROOM = 8 << 30  # of addresses: what a process may do to this machine


@dataclass
class Outcome:
    kind: str
    reason: str = ""
    what: str = ""


@dataclass
class Done:
    code: int  # None: it did not end in time
    said: str
    most_memory: int


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ran(command, timeout):
    """The program with its memory at the most, those of the workers that it waited for included."""
    with tempfile.TemporaryFile() as said:
        # The child is reaped here and not by subprocess, which would not say what it used.
        process = subprocess.Popen([str(word) for word in command], stdout=said,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   preexec_fn=limits)
        late = threading.Event()

        def stop():
            late.set()
            process.kill()

        timer = threading.Timer(timeout, stop)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    return Done(None if late.is_set() else process.returncode, text, used.ru_maxrss * 1024)


def one_line(said):
    for wanted in ("CHECK failed", "dovetail: "):
        lines = [line for line in said.splitlines() if wanted in line]
        if lines:
            return lines[-1].removeprefix("dovetail: ")
    return (said.splitlines() or [""])[-1]


def judged(done):
    """The outcome where there are no outputs to compare; None: there are."""
    if done.code is None:
        return Outcome("hangs", "not done in time")
    if done.most_memory > MOST_MEMORY:
        return Outcome("too much memory", f"{done.most_memory >> 20} MB: {one_line(done.said)}")
    if done.code < 0 or "CHECK failed" in done.said:
        return Outcome("aborts", f"{one_line(done.said)} (exit code {done.code})")
    if done.code == 1 or done.code == 2 and ("did not run" in done.said or
                                             "elements are wrong" not in done.said):
        return Outcome("refused", one_line(done.said))
    if done.code != 0:
        return Outcome("differs", "from the reference: " + one_line(done.said))
    return None


def load_outputs(folder):
    files = sorted(folder.glob("output_*.npy"), key=lambda f: int(f.stem.split("_")[1]))
    return [np.load(file) for file in files]


def save_inputs(arrays, folder):
    folder.mkdir()
    for k, array in enumerate(arrays):
        np.save(folder / f"input_{k}.npy", array)


class Region:
    """A random region, with what numpy makes of it."""

    def __init__(self, number, options, folder):
        rng = np.random.default_rng([options.seed, 0, number])
        self.region = draw_regions.random_region(rng)
        self.inputs = draw_regions.inputs_of(self.region, rng)
        self.spec = self.what = self.region.text()
        save_inputs([self.inputs[name] for name in self.region.given()], folder / "in")

    def difference(self, outputs):
        return random_regions.disagreement(self.region, self.inputs, outputs)


class Graph:
    """A random graph that onnxruntime computes, with what that is."""

    def __init__(self, number, options, folder):
        rng = np.random.default_rng([options.seed, 1, number])
        self.wanted = None
        while self.wanted is None:  # graphs that it refuses say nothing
            model, inputs = random_graphs.random_model(rng)
            self.spec = folder / "model.onnx"
            onnx.save(model, self.spec)
            self.wanted = outputs_of_onnxruntime(model, inputs, self.spec)
        self.what = " ".join(node.op_type for node in model.graph.node)
        if options.keep:
            onnx.save(model, Path(options.keep) / f"graph_{number}.onnx")
        save_inputs(inputs, folder / "in")

    def difference(self, outputs):
        return graph_difference(self.wanted, outputs)


def outputs_of_onnxruntime(model, inputs, path):
    try:
        quiet = onnxruntime.SessionOptions()
        quiet.log_severity_level = 4
        quiet.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(path), quiet, providers=["CPUExecutionProvider"])
        wanted = session.run(None, dict(zip([i.name for i in model.graph.input], inputs)))
    except Exception:  # pylint: disable=broad-except
        return None
    # The graph has its shapes from onnx's own reference, which now and then is wrong.
    as_stated = all(list(array.shape) == [d.dim_value for d in value.type.tensor_type.shape.dim]
                    for array, value in zip(wanted, model.graph.output))
    return wanted if as_stated else None


def graph_difference(wanted, found):
    if len(wanted) != len(found):
        return f"{len(found)} outputs, expected {len(wanted)}"
    for k, (want, have) in enumerate(zip(wanted, found)):
        if want.shape != have.shape:
            return f"output {k} has shape {list(have.shape)}, expected {list(want.shape)}"
        if want.dtype.kind != "f":
            if not np.array_equal(want.astype(np.int64), have.astype(np.int64)):
                return f"output {k}: {int((want != have).sum())} of {want.size} integers differ"
            continue
        far = np.abs(want.astype(float) - have.astype(float))
        largest = np.abs(want[np.isfinite(want)]).max(initial=1e-30)
        if not (far[np.isfinite(want)] <= 1e-4 * largest).all():
            at = tuple(int(i) for i in np.unravel_index(np.nanargmax(far), far.shape))
            return f"output {k}{list(at)} is {have[at]:.9g}, expected {want[at]:.9g}"
    return None


def run_and_compare(case, folder, options, *more):
    done = ran([options.dovetail, "run", case.spec, "--inputs", folder / "in",
                "--outputs", folder / "out", *more], options.timeout)
    outcome = judged(done)
    if outcome is None:
        difference = case.difference(load_outputs(folder / "out"))
        outcome = Outcome("differs" if difference else "right", difference or "")
    return outcome


def check_run(make, *more):
    def check(number, options, folder):
        case = make(number, options, folder)
        outcome = run_and_compare(case, folder, options, *more)
        outcome.what = case.what
        return outcome
    return check


def check_random_traces(make):
    """Traces of random points: each as tune checks it, and the fastest of them as it computes."""
    def check(number, options, folder):
        case = make(number, options, folder)
        outcome = tuned(case.spec, folder, options)
        if outcome is None:
            outcome = run_and_compare(case, folder, options, "--log", folder / "log.jsonl")
        outcome.what = case.what
        return outcome
    return check


def tuned(spec, folder, options):
    """Nothing where all traces are right."""
    log = folder / "log.jsonl"
    done = ran([options.dovetail, "tune", spec, "--strategy", "random", "--cost-model", "none",
                "--trials", options.traces, "--log", log], 20 * options.timeout)
    for line in log.read_text().splitlines() if log.exists() else []:
        record = json.loads(line)
        status = record.get("status", "ok")
        if "trace" in record and status != "ok":
            return Outcome("differs" if status == "wrong_output" else "refused",
                           f"a random trace: {status}: {record.get('message', '')[:300]}: "
                           f"{record['trace']!r}")
    outcome = judged(done)
    return outcome and Outcome(outcome.kind, "tune: " + outcome.reason)


def check_mutant(number, options, folder):
    rng = np.random.default_rng([options.seed, 2, number])
    data = random_graphs.damaged(rng, random_graphs.random_model(rng)[0])
    path = folder / "model.onnx"
    path.write_bytes(data)
    if options.keep:
        (Path(options.keep) / f"damaged_{number}.onnx").write_bytes(data)
    done = ran([options.dovetail, "run", path, "--outputs", folder / "out"], options.timeout)
    outcome = judged(done) or Outcome("right")
    if outcome.kind == "refused" and not any(line.startswith("dovetail: ")
                                             for line in done.said.splitlines()):
        outcome = Outcome("aborts", f"exit code {done.code} without a word")
    return outcome


def sets(options):
    """Title, check and numbers of each."""
    regions, graphs, mutants = (range(options.first, options.first + count) for count in
                                (options.regions, options.graphs, options.mutants))

    def some(numbers, every):
        return [n for n in numbers if every and n % every == 0]

    named = [("regions", check_run(Region), regions),
             ("regions, random traces", check_random_traces(Region),
              some(regions, options.traces_every)),
             ("regions on OpenCL", check_run(Region, "--target", "opencl"),
              some(regions, options.opencl_every)),
             ("graphs", check_run(Graph), graphs),
             ("graphs, random traces", check_random_traces(Graph),
              some(graphs, options.traces_every)),
             ("graphs on OpenCL", check_run(Graph, "--target", "opencl"),
              some(graphs, options.opencl_every)),
             ("damaged models", check_mutant, mutants)]
    part, parts = options.part
    return [(title, check, list(numbers)[part - 1::parts]) for title, check, numbers in named]


def run_all(title, check, numbers, journal, options):
    def one(number):
        with tempfile.TemporaryDirectory() as scratch:
            outcome = check(number, options, Path(scratch))
        journal.add(title, number, outcome)
        if outcome.kind != "right" and (outcome.kind != "refused" or options.verbose):
            print(f"{title} {number} {outcome.kind}: {outcome.reason[:600]}\n  {outcome.what}",
                  flush=True)

    numbers = [n for n in numbers if not journal.has(title, n)]
    if not numbers:
        return
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, numbers))
    print(f"{title}: {len(numbers)} in {time.monotonic() - started:.0f} s", file=sys.stderr)


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
    parser.add_argument("--opencl-every", type=int, default=5,
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
        journals = [random_table.Journal(file) for file in options.tabulate]
    else:
        journals = [random_table.Journal(options.journal, options.seed)]
        for title, check, numbers in sets(options):
            run_all(title, check, numbers, journals[0], options)
    text = random_table.table(journals)
    if options.output:
        Path(options.output).write_text(text)
    else:
        print(text)
    return 0 if all(journal.is_right() for journal in journals) else 1


if __name__ == "__main__":
    sys.exit(main())
