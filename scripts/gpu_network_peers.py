#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole networks by torch on an NVIDIA card: a JSON line for each model and type of numbers.

  python3 scripts/gpu_network_peers.py build/models/resnet18.onnx build/models/bert_tiny-b16.onnx > peers.jsonl
  python3 scripts/gpu_network_peers.py build/models/bert_base.onnx --dtype f32,f16 --compile-seconds 300
  python3 scripts/gpu_network_peers.py build/models/resnet18.onnx --device cpu --compile none     are outputs right?

torch gets the nodes of the very same file (scripts/onnx_in_torch.py) in several forms:

  plain            node by node, row-major
  channels_last    the same with activations and weights of images and volumes channels last
  functions        BERT: torch's own layer_norm, gelu, linear and attention in place of the chains of nodes
  compiled         the fastest of these (--compile all: each) by torch.compile, in the first of --modes that works

Each form is captured as a CUDA graph of as many inferences as take a millisecond, at least two, so that the host's part
is left out; the median of 21 replays counts. TF32 is off, and cuDNN searches its kernels (cudnn.benchmark). f16:
weights and all activations are halves. The outputs of each form, on random inputs, are compared with onnxruntime's on
the CPU in f32: "errors" has the largest difference over an output's range. A form that fails, or whose outputs differ
by more than a ten-thousandth (f16: a twentieth), has no seconds, and "reasons" says why.
"""

import argparse
import contextlib
import json
import os
import signal
import statistics
import sys
import time

from gpu_peers import device_and_libraries, seconds_of, strict_torch

REPLAYS = 21
LARGEST_ERROR = {"f32": 1e-4, "f16": 5e-2}  # TF32 gives some thousandths


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL.onnx")
    parser.add_argument("--dtype", default="f32", help="f32, f16, or both with a comma (f32)")
    parser.add_argument("--compile", choices=["none", "fastest", "all"], default="fastest", help="which (fastest)")
    parser.add_argument("--modes", default="max-autotune-no-cudagraphs,default", help="of torch.compile (%(default)s)")
    parser.add_argument("--compile-seconds", type=int, default=120, help="after which a mode is given up (120)")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda", help="cpu: three runs by the clock")
    return parser.parse_args()


@contextlib.contextmanager
def time_limit(seconds):
    """Again every five seconds: what compiles may take the exception for its own and go on."""
    def end(*_):
        raise TimeoutError(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, 5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def random_inputs(model, np):
    """Reals in [-1, 1); a mask whose last quarter is 0; numbers of rows of the table that they are looked up in."""
    constants = {i.name: i.dims for i in model.graph.initializer}
    rows = {node.input[1]: constants[node.input[0]][0] for node in model.graph.node
            if node.op_type == "Gather" and node.input[0] in constants}
    random, made = np.random.default_rng(0), {}
    for tensor in model.graph.input:
        shape = [dim.dim_value for dim in tensor.type.tensor_type.shape.dim]
        if tensor.name in rows:
            made[tensor.name] = random.integers(0, rows[tensor.name], shape)
        elif "mask" in tensor.name:
            made[tensor.name] = np.broadcast_to(np.arange(shape[-1]) < shape[-1] * 3 // 4, shape).astype(np.int64)
        elif tensor.name not in constants:
            made[tensor.name] = random.uniform(-1, 1, shape).astype(np.float32)
    return made


def by_onnxruntime(path, inputs):
    import onnxruntime  # pylint: disable=import-outside-toplevel
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, inputs)


def error_of(outputs, expected):
    """The largest difference over the range of an output."""
    found = [abs(output.detach().float().cpu().numpy() - right).max() / abs(right).max()
             for output, right in zip(outputs, expected, strict=True)]
    return float(max(found))


def brief(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines)[:300]}"


class Network:
    """A model in one type of numbers, and the forms that were tried."""

    def __init__(self, torch, arguments, path, model, dtype):
        import numpy  # pylint: disable=import-outside-toplevel
        self.torch, self.arguments, self.model = torch, arguments, model
        self.dtype, self.type = dtype, {"f32": torch.float32, "f16": torch.float16}[dtype]
        self.seconds, self.errors, self.reasons, self.inputs = {}, {}, {}, {}
        arrays = random_inputs(model, numpy)
        for name, array in arrays.items():
            tensor = torch.from_numpy(array)
            self.inputs[name] = (tensor.to(self.type) if tensor.is_floating_point() else tensor).to(arguments.device)
        try:
            self.expected = by_onnxruntime(path, arrays)
        except Exception as error:  # pylint: disable=broad-except
            self.expected, self.reasons["errors"] = None, brief(error)

    def try_form(self, form, make):
        """`make` gives a function and its arguments; a failure is a reason, and the next form is tried."""
        print(f"gpu_network_peers: {form}, {self.dtype}", file=sys.stderr, flush=True)
        try:
            function, inputs = make()
            if self.expected is not None:
                self.errors[form] = error_of(function(*inputs), self.expected)
                if not self.errors[form] <= LARGEST_ERROR[self.dtype]:
                    raise ArithmeticError(f"its outputs differ by {self.errors[form]:.2g} of their range")
            self.seconds[form] = self.time(lambda: function(*inputs))
            self.reasons.pop(form, None)
            return function, inputs
        except Exception as error:  # pylint: disable=broad-except
            self.seconds[form], self.reasons[form] = None, brief(error)
            return None
        finally:
            if self.arguments.device == "cuda":
                self.torch.cuda.empty_cache()

    def time(self, call):
        if self.arguments.device == "cuda":
            return seconds_of(self.torch, call, REPLAYS)
        samples = []
        for _ in range(3):
            begun = time.perf_counter()
            call()
            samples.append(time.perf_counter() - begun)
        return statistics.median(samples)

    def made(self, uses_functions=False, is_channels_last=False):
        from onnx_in_torch import channels_last, torch_module  # pylint: disable=import-outside-toplevel
        module = torch_module(self.model, self.type, uses_functions).to(self.arguments.device)
        inputs = list(self.inputs.values())
        if is_channels_last:
            for name, tensor in module.named_buffers():
                setattr(module, name, channels_last(tensor))
            inputs = [channels_last(tensor) for tensor in inputs]
        return module, inputs

    def try_compiled(self, form, name, function, inputs):
        for mode in self.arguments.modes.split(","):
            def make(mode=mode):
                self.torch.compiler.reset()
                compiled = self.torch.compile(function, mode=mode)
                with time_limit(self.arguments.compile_seconds):
                    compiled(*inputs)
                return compiled, inputs

            began = time.monotonic()
            if self.try_form(name, make):
                return {"form": form, "mode": mode, "seconds_to_compile": round(time.monotonic() - began, 1)}
            self.reasons[f"{name}, {mode}"] = self.reasons.pop(name)
        self.reasons[name] = "in none of the modes"
        return None

    def try_all(self):
        from onnx_in_torch import has_functions  # pylint: disable=import-outside-toplevel
        made = {"plain": self.try_form("plain", self.made)}
        if has_functions(self.model):
            made["functions"] = self.try_form("functions", lambda: self.made(uses_functions=True))
        else:
            made["channels_last"] = self.try_form("channels_last", lambda: self.made(is_channels_last=True))
        forms = sorted((form for form in made if self.seconds[form]), key=self.seconds.get)
        if self.arguments.compile == "none":
            return {}
        if self.arguments.compile == "fastest":
            return {"compiled": self.try_compiled(form, "compiled", *made[form]) for form in forms[:1]}
        return {name: self.try_compiled(form, name, *made[form]) for form in forms for name in [f"compiled_{form}"]}


def report(torch, arguments, path, dtype):
    import onnx  # pylint: disable=import-outside-toplevel
    if arguments.device == "cuda":
        device, libraries = device_and_libraries(torch)
    else:
        device, libraries = "cpu", f"torch {torch.__version__}"
    name = os.path.basename(path).removesuffix(".onnx")
    row = {"name": name, "dtype": dtype, "device": device, "libraries": libraries}
    try:
        found = Network(torch, arguments, path, onnx.load(path), dtype)
        compiled = found.try_all()
    except Exception as error:  # pylint: disable=broad-except
        return {**row, "seconds": {}, "errors": {}, "reasons": {"model": brief(error)}, "compiled": {}}
    return {**row, "seconds": found.seconds, "errors": found.errors, "reasons": found.reasons, "compiled": compiled}


def main():
    arguments = parse_arguments()
    torch = strict_torch()
    with torch.inference_mode():
        for path in arguments.models:
            for dtype in arguments.dtype.split(","):
                print(json.dumps(report(torch, arguments, path, dtype)), flush=True)


if __name__ == "__main__":
    main()
