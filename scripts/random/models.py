# SPDX-License-Identifier: Apache-2.0
"""Cases that are ONNX models: random graphs beside onnxruntime, and damaged ones."""

from pathlib import Path

import numpy as np
import onnx
import onnxruntime

import graphs
from runs import Outcome, judged, ran, save_inputs


class Graph:
    """A random graph that onnxruntime computes, with what that is."""

    def __init__(self, number, options, folder):
        rng = np.random.default_rng([options.seed, 1, number])
        self.wanted = None
        while self.wanted is None:  # graphs that it refuses say nothing
            model, inputs = graphs.random_model(rng)
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


def check_mutant(number, options, folder):
    rng = np.random.default_rng([options.seed, 2, number])
    data = graphs.damaged(rng, graphs.random_model(rng)[0])
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
