#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The operators of a suite by cuDNN and cuBLAS through torch, in their own type: a JSON line each.

  python3 scripts/gpu_peers.py scripts/suites/nine_b1.txt > peers.jsonl      needs torch with CUDA

Activations are NCHW and channels last, with cuDNN's own search (cudnn.benchmark). TF32 is off but for math=tf32, so that
operators of math=tf32x2 are in strict fp32, and sums of halves (dtype=f16, dtype=bf16) are in fp32. Each is captured as
a CUDA graph of as many calls as take a millisecond, so that the host's part is left out; the median of seven replays
counts.
"""

import argparse
import json
import statistics
import sys

DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
KINDS = {"c1d": 1, "c2d": 2, "dil": 2, "grp": 2, "dep": 2, "c3d": 3, "t2d": 2, "t3d": 3}


def keys_of(spec):
    kind, _, rest = spec.partition(":")
    keys = {key: value for key, _, value in (part.partition("=") for part in rest.split(","))}
    dtype, math = keys.pop("dtype", "f32"), keys.pop("math", "f32")
    unknown = [key for key, value in keys.items() if not value.isdigit()]
    if kind not in KINDS and kind != "gmm" or unknown or dtype not in DTYPES or math not in ("f32", "tf32", "tf32x2") or "+" in spec:
        raise ValueError(f"{spec}: expected an operator of one number a key and one of {', '.join(DTYPES)}, without an epilogue")
    return kind, {key: int(value) for key, value in keys.items()} | {"dtype": dtype, "math": math}


def random_tensor(torch, keys, *sizes):
    return torch.randn(*sizes, device="cuda", dtype=getattr(torch, DTYPES[keys["dtype"]]))


def product(torch, keys):
    b = keys.get("b", 1)
    batch = [b] if b > 1 else []
    x, w = (random_tensor(torch, keys, *batch, keys[r], keys[c]) for r, c in (("m", "k"), ("k", "n")))
    return {"row_major": lambda: torch.matmul(x, w)}


def convolution(torch, kind, keys):
    rank = KINDS[kind]
    depthwise, transposed = kind == "dep", kind.startswith("t")
    groups = keys["c"] if depthwise else keys.get("g", 1)
    inputs, outputs = (keys["c"], keys["c"] * keys.get("m", 1)) if depthwise else (keys["ci"], keys["co"])
    sizes = [keys[axis] for axis in ("depth", "h", "w")[3 - rank:]]
    filters = [inputs, outputs // groups] if transposed else [outputs, inputs // groups]
    x = random_tensor(torch, keys, keys.get("n", 1), inputs, *sizes)
    w = random_tensor(torch, keys, *filters, *[keys["k"]] * rank)
    name = ("conv_transpose" if transposed else "conv") + f"{rank}d"
    function = getattr(torch.nn.functional, name)
    options = {"stride": keys.get("s", 1), "padding": keys.get("p", 0), "dilation": keys.get("d", 1), "groups": groups}
    forms = {"nchw": (x, w)}
    if rank > 1:
        last = torch.channels_last if rank == 2 else torch.channels_last_3d
        forms["channels_last"] = (x.to(memory_format=last), w.to(memory_format=last))
    return {form: (lambda a=a, b=b: function(a, b, **options)) for form, (a, b) in forms.items()}


def strict_torch():
    """torch with cuDNN's own search, set to strict fp32 until `allow_tf32`; ends the program where there is none."""
    try:
        import torch  # pylint: disable=import-outside-toplevel
    except ImportError:
        sys.exit("gpu_peers: this python has no torch")
    allow_tf32(torch, False)
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    torch.backends.cudnn.benchmark = True
    return torch


def allow_tf32(torch, is_allowed):
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = is_allowed


def device_and_libraries(torch):
    if not torch.cuda.is_available():
        sys.exit("gpu_peers: torch finds no CUDA device")
    return torch.cuda.get_device_name(), f"torch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}"


def seconds_of(torch, call, replays=7):
    """Of one call: the median of replays of a CUDA graph of as many calls as take a millisecond, at least two."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()

    def graph_of(calls):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(calls):
                call()
        return graph

    def replayed(graph, calls):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        return 1e-3 * start.elapsed_time(end) / calls

    graph = graph_of(2)
    replayed(graph, 2)
    calls = max(2, min(400, round(1e-3 / replayed(graph, 2))))
    graph = graph_of(calls)
    replayed(graph, calls)
    return statistics.median(replayed(graph, calls) for _ in range(replays))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", help="a file of NAME = SPEC lines")
    arguments = parser.parse_args()
    torch = strict_torch()
    device, libraries = device_and_libraries(torch)
    with open(arguments.suite, encoding="utf-8") as file, torch.inference_mode():
        for line in file:
            name, _, spec = (part.strip() for part in line.partition("="))
            if not spec or line.startswith("#"):
                continue
            kind, keys = keys_of(spec)
            allow_tf32(torch, keys["math"] == "tf32")
            forms = product(torch, keys) if kind == "gmm" else convolution(torch, kind, keys)
            seconds = {form: seconds_of(torch, call) for form, call in forms.items()}
            print(json.dumps({"name": name, "spec": spec, "device": device, "libraries": libraries, "seconds": seconds}),
                  flush=True)


if __name__ == "__main__":
    main()
