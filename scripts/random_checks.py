# SPDX-License-Identifier: Apache-2.0
"""scripts/random-regions: random regions, graphs and damaged models through `dovetail run`."""

import argparse
import collections
import concurrent.futures
import json
import os
import re
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

MOST_MEMORY = 2 << 30
ROOM = 8 << 30  # of addresses: what a process may do to this machine
OUTCOMES = ["right", "differs", "aborts", "hangs", "too much memory", "refused"]


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
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, preexec_fn=limits)
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


def check_region(number, options, folder):
    rng = np.random.default_rng([options.seed, 0, number])
    region = draw_regions.random_region(rng)
    inputs = draw_regions.inputs_of(region, rng)
    spec = region.text()
    save_inputs([inputs[name] for name in region.given()], folder / "in")
    done = ran([options.dovetail, "run", spec, "--inputs", folder / "in",
                "--outputs", folder / "out"], options.timeout)
    outcome = judged(done)
    if outcome is None:
        difference = random_regions.disagreement(region, inputs, load_outputs(folder / "out"))
        outcome = Outcome("differs" if difference else "right", difference or "")
    if outcome.kind == "right" and options.tune_every and number % options.tune_every == 0:
        outcome = tuned(spec, folder, options) or outcome
    outcome.what = spec
    return outcome


def tuned(spec, folder, options):
    """Random traces, each checked against the reference. Nothing where all of them are right."""
    log = folder / "log.jsonl"
    done = ran([options.dovetail, "tune", spec, "--strategy", "random", "--cost-model", "none",
                "--trials", str(options.traces), "--log", log], 20 * options.timeout)
    for line in log.read_text().splitlines() if log.exists() else []:
        record = json.loads(line)
        status = record.get("status", "ok")
        if "trace" in record and status != "ok":
            return Outcome("differs" if status == "wrong_output" else "refused",
                           f"a random trace: {status}: {record.get('message', '')[:300]}: "
                           f"{record['trace']!r}")
    outcome = judged(done)
    return outcome and Outcome(outcome.kind, "tune: " + outcome.reason)


def check_graph(number, options, folder):
    rng = np.random.default_rng([options.seed, 1, number])
    model, inputs = random_graphs.random_model(rng)
    path = folder / "model.onnx"
    onnx.save(model, path)
    what = " ".join(node.op_type for node in model.graph.node)
    try:
        quiet = onnxruntime.SessionOptions()
        quiet.log_severity_level = 4
        quiet.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(path), quiet, providers=["CPUExecutionProvider"])
        wanted = session.run(None, dict(zip([i.name for i in model.graph.input], inputs)))
    except Exception:  # pylint: disable=broad-except
        return None
    save_inputs(inputs, folder / "in")
    done = ran([options.dovetail, "run", path, "--inputs", folder / "in",
                "--outputs", folder / "out"], options.timeout)
    outcome = judged(done)
    if outcome is None:
        difference = graph_difference(wanted, load_outputs(folder / "out"))
        outcome = Outcome("differs" if difference else "right", difference or "")
    outcome.what = what
    if outcome.kind != "right" and options.keep:
        onnx.save(model, Path(options.keep) / f"graph_{number}.onnx")
    return outcome


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


def check_mutant(number, options, folder):
    rng = np.random.default_rng([options.seed, 2, number])
    data = random_graphs.damaged(rng, random_graphs.random_model(rng)[0])
    path = folder / "model.onnx"
    path.write_bytes(data)
    done = ran([options.dovetail, "run", path, "--outputs", folder / "out"], options.timeout)
    outcome = judged(done) or Outcome("right")
    if outcome.kind == "refused" and done.code == 1 and \
            len([line for line in done.said.splitlines() if line.startswith("dovetail: ")]) == 0:
        outcome = Outcome("aborts", "exit code 1 without a word")
    outcome.what = f"mutant {number}"
    if outcome.kind not in ("right", "refused") and options.keep:
        (Path(options.keep) / f"mutant_{number}.onnx").write_bytes(data)
    return outcome


def family(reason):
    """A reason without what is of one case alone, so that like ones are counted together."""
    reason = re.sub(r"^.*?\.onnx: ", "", reason)
    reason = re.sub(r"^[A-Z]\w*\[.*?: (?=[a-z][a-z])", "", reason)
    reason = re.sub(r"'loops.*|: '.*|\".*?\"|\(Y\[.*?\)", "…", reason)
    reason = re.sub(r"-?\d+(\.\d+)?(e[-+]\d+)?", "N", reason)
    return reason.replace("|", "/")[:110]


def run_all(title, check, count, options):
    def one(number):
        with tempfile.TemporaryDirectory() as scratch:
            outcome = check(number, options, Path(scratch))
        if outcome and outcome.kind != "right" and \
                (outcome.kind != "refused" or options.verbose):
            print(f"{title} {number} {outcome.kind}: {outcome.reason[:600]}\n  {outcome.what}",
                  flush=True)
        return outcome

    started = time.monotonic()
    numbers = range(options.first, options.first + count)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        outcomes = [o for o in pool.map(one, numbers) if o]
    print(f"{title}: {len(outcomes)} in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return outcomes


def table(sets):
    lines = ["| | in all | " + " | ".join(OUTCOMES) + " |", "|---|" + "---|" * (len(OUTCOMES) + 1)]
    for title, outcomes in sets.items():
        counts = collections.Counter(o.kind for o in outcomes)
        lines.append(f"| {title} | {len(outcomes)} | " +
                     " | ".join(str(counts[kind]) for kind in OUTCOMES) + " |")
    for title, outcomes in sets.items():
        reasons = collections.Counter((o.kind, family(o.reason)) for o in outcomes
                                      if o.kind != "right")
        if not reasons:
            continue
        lines += ["", f"## {title}", "", "| number | | reason |", "|---|---|---|"]
        most = reasons.most_common(40)
        lines += [f"| {n} | {kind} | {reason} |" for (kind, reason), n in most]
        rest = sum(reasons.values()) - sum(n for _, n in most)
        if rest:
            lines.append(f"| {rest} | | others, of {len(reasons) - len(most)} kinds |")
    return "\n".join(lines) + "\n"


def options_given():
    parser = argparse.ArgumentParser(prog="random-regions")
    parser.add_argument("--dovetail", default="build/release/dovetail")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--regions", type=int, default=2000)
    parser.add_argument("--graphs", type=int, default=500)
    parser.add_argument("--mutants", type=int, default=2000)
    parser.add_argument("--tune-every", type=int, default=20, help="0: no region is tuned")
    parser.add_argument("--traces", type=int, default=5, help="of a region that is tuned")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of one run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="folder for models that are not right")
    parser.add_argument("--verbose", action="store_true", help="what is refused, too")
    parser.add_argument("-o", "--output", help="the table, instead of stdout")
    options = parser.parse_args()
    options.dovetail = str(Path(options.dovetail).resolve())
    return options


def main():
    options = options_given()
    if options.keep:
        Path(options.keep).mkdir(exist_ok=True)
    sets = {}
    for title, check, count in (("regions", check_region, options.regions),
                                ("graphs", check_graph, options.graphs),
                                ("damaged models", check_mutant, options.mutants)):
        if count:
            sets[title] = run_all(title, check, count, options)
    text = ("# Random regions, graphs and damaged models\n\n"
            "Made by `scripts/random-regions" +
            "".join(f" {a}" for a in sys.argv[1:] if a != "--verbose") + "`: " + ABOUT + table(sets))
    if options.output:
        Path(options.output).write_text(text)
    else:
        print(text)
    return 1 if any(o.kind not in ("right", "refused") for s in sets.values() for o in s) else 0


ABOUT = """regions in the grammar of
`docs/workloads.md` with default traces, and a share of them with random ones, beside numpy in double precision (integers
exactly, real numbers to within what rounding does to numpy's own single precision); ONNX graphs beside onnxruntime, to
within 1e-4 of the range of each output; and copies of such graphs with other bytes or other fields, which have to be
computed or refused in a line, in time and in 2 GB.

"""

if __name__ == "__main__":
    sys.exit(main())
