# SPDX-License-Identifier: Apache-2.0
"""What every table of results/ says of itself: the commit, the day and the CPU that it was made on."""

import datetime
import subprocess


def commit_and_day():
    """"commit 5ae54a4, 2026-11-27"."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True,
                            check=False).stdout.strip() or "unknown"
    return f"commit {commit}, {datetime.date.today().isoformat()}"


def made_on(dovetail="build/release/dovetail"):
    """"at commit 5ae54a4, 2026-11-27, on AMD EPYC (znver5), LLVM 19.1.7, 2 cores may be used"."""
    doctor = subprocess.run([dovetail, "doctor"], capture_output=True, text=True, check=True).stdout
    said = dict(line.split(None, 1) for line in doctor.splitlines() if len(line.split(None, 1)) == 2)
    return f"at {commit_and_day()}, on {said['cpu']}"
