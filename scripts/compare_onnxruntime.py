# SPDX-License-Identifier: Apache-2.0
"""scripts/compare-onnxruntime: `dovetail run` beside onnxruntime; see there."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnx
import onnxruntime
from made_on import made_on

DOVETAIL = "build/release/dovetail"
EXPORTED = Path("build/models/exported")
WRITTEN = Path("build/models")
MOST = 1e-4  # of an output's range
COLUMNS = ["network", "form", "exporter", "opset", "nodes in the file", "regions", "of them views",
           "target", "largest error / range", "off the reference", "command (s)"]
RANDOM = {"tensor(float)": lambda rng, shape: rng.uniform(-1, 1, shape).astype(numpy.float32),
          "tensor(int64)": lambda rng, shape: rng.integers(0, 2, shape)}


def named(path):
    """Network, form and exporter, by the names of scripts/export-models and scripts/make-models."""
    found = re.fullmatch(r"(\w+)-(full|small)-(\w+)-\d+", path.stem)
    if found:
        return found.groups()
    small = path.stem.endswith("-small")
    return path.stem.removesuffix("-small"), "small" if small else "full", ""


def inputs_of(session, path):
    network, form, _ = named(path)
    beside = path.parent / f"{network}-{form}"
    rng = numpy.random.default_rng(18)
    arrays = []
    for i, given in enumerate(session.get_inputs()):
        file = beside / f"input_{i}.npy"
        if file.exists():
            arrays.append(numpy.load(file))
        elif given.type in RANDOM:
            arrays.append(RANDOM[given.type](rng, given.shape))
        else:
            sys.exit(f"compare-onnxruntime: {path}: input {given.name} is {given.type}; "
                     f"expected one of {' '.join(RANDOM)}")
    return arrays


def run_dovetail(path, target, arrays, folder):
    """The row of --json and the outputs, or the reason there is none."""
    (folder / "in").mkdir()
    for i, array in enumerate(arrays):
        numpy.save(folder / "in" / f"input_{i}.npy", array)
    done = subprocess.run([DOVETAIL, "run", path, "--target", target, "--json",
                           "--inputs", folder / "in", "--outputs", folder / "out"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1]
    row = json.loads(done.stdout)["rows"][0]
    return row, [numpy.load(file) for file in row["outputs"]]


def distance(ours, theirs):
    """The largest difference over the output's range."""
    if ours.shape != theirs.shape:
        return float("inf")
    ours, theirs = ours.astype(numpy.float64), theirs.astype(numpy.float64)
    span = theirs.max() - theirs.min()
    return float(numpy.abs(ours - theirs).max() / (span if span > 0 else 1))


def compare(path, target):
    model = onnx.load(path, load_external_data=False)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    arrays = inputs_of(session, path)
    given = dict(zip((one.name for one in session.get_inputs()), arrays))
    theirs = session.run(None, given)
    row = dict(zip(COLUMNS, named(path))) | {
        "opset": next(one.version for one in model.opset_import if one.domain in ("", "ai.onnx")),
        "nodes in the file": len(model.graph.node), "target": target}
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        ran, outputs = run_dovetail(path, target, arrays, Path(folder))
        row["command (s)"] = f"{time.perf_counter() - began:.1f}"
    if ran is None:
        return row | {"largest error / range": f"none: {outputs}"}, False
    error = max(distance(*pair) for pair in zip(outputs, theirs, strict=True))
    return row | {"regions": ran["nodes"] - ran["fused"], "of them views": ran["views"],
                  "largest error / range": f"{error:.1e}",
                  "off the reference": f"{ran['max_rel_error']:.1e}"}, error <= MOST


def table(rows):
    lines = ["# Networks as their exporters write them, beside onnxruntime", "",
             f"Made by `scripts/compare-onnxruntime` {made_on(DOVETAIL)}: onnxruntime {onnxruntime.__version__}, and torch "
             "as `scripts/exporters.txt` has them, default traces.", "",
             "- Every region is a call of ours, but for views, which only change a shape.",
             "- The largest error is that of all outputs against onnxruntime's, over the output's "
             "range: at most 1e-4 was asked.",
             "- Off the reference: the largest difference of one node from a computation in double "
             "precision on the same inputs.",
             "- A command reads the model, compiles each distinct region, runs the network and "
             "checks each node; other work ran beside it, so",
             "  that its seconds say no more than that one can wait for it.",
             "- Without an exporter: written by `scripts/make-models`.", "",
             "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in rows:
        lines.append("| " + " | ".join(str(row.get(name, "")) for name in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="compare-onnxruntime", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("results/onnx/networks.md"))
    parser.add_argument("--target", action="append",
                        help="default: cpu, and opencl for small networks")
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL.onnx")
    options = parser.parse_args()
    models = options.models or sorted(EXPORTED.glob("*.onnx")) + sorted(WRITTEN.glob("*.onnx"))
    if not models:
        sys.exit(f"compare-onnxruntime: no models in {EXPORTED}; run scripts/export-models first")
    rows, all_near = [], True
    for path in models:
        small = named(path)[1] == "small"
        for target in options.target or (["cpu", "opencl"] if small else ["cpu"]):
            row, near = compare(path, target)
            print(f"{path.name} on {target}: {row['largest error / range']}", flush=True)
            rows.append(row)
            all_near = all_near and near
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(table(rows))
    print(f"compare-onnxruntime: {len(rows)} runs, table in {options.output}")
    sys.exit(0 if all_near else 1)


if __name__ == "__main__":
    main()
