# SPDX-License-Identifier: Apache-2.0
"""One case through `dovetail run` or `dovetail tune`: what came of it, in time and in memory."""

import json
import os
import resource
import subprocess
import tempfile
import threading
from dataclasses import dataclass

import numpy as np

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
                           f"a random trace: {status}: {record.get('reason', '')[:300]}: "
                           f"{record['trace']!r}")
    outcome = judged(done)
    return outcome and Outcome(outcome.kind, "tune: " + outcome.reason)
