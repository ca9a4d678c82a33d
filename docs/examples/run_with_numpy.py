#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`dovetail run` on numpy's arrays: a spec or a model, with the best traces of a log where there is one.

    python3 docs/examples/run_with_numpy.py                     # computes exp(X) transposed, and compares
    outputs, row = run("resnet18.onnx", [image], "--log", "r18.jsonl")      # from a program of yours
"""
import json
import subprocess
import tempfile

import numpy


def run(spec, inputs, *options):
    """The outputs for these inputs, both in the order of the spec or model; and what `run --json` says of it."""
    with tempfile.TemporaryDirectory() as folder:
        for i, array in enumerate(inputs):
            numpy.save(f"{folder}/input_{i}.npy", array)
        done = subprocess.run(["dovetail", "run", spec, *options, "--inputs", folder, "--outputs", f"{folder}/out", "--json"],
                              stdout=subprocess.PIPE, check=True)  # messages go to stderr
        row = json.loads(done.stdout)["rows"][0]
        return [numpy.load(file) for file in row["outputs"]], row


if __name__ == "__main__":
    x = numpy.random.default_rng(1).uniform(-1, 1, (32, 64)).astype("float32")
    (y,), found = run("Y[i,j] = exp(X[j,i]) : i=64,j=32", [x])
    numpy.testing.assert_allclose(y, numpy.exp(x.T), rtol=1e-6)
    print(f"{1e6 * found['seconds']:.3g} us, relative error {found['max_rel_error']:.1e}")
