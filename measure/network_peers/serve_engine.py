# SPDX-License-Identifier: Apache-2.0
"""An inference engine in a process of its own: what `dovetail run MODEL --peer` talks to.

    python serve_engine.py onnxruntime|openvino|libtorch

Frames (measure/transport/frame.h) come and go over descriptor 3. Inputs are given by name, then the model is loaded for
their shapes, warmed up and timed run by run: the clock runs around one inference, whose inputs are set before and
whose outputs are fetched as the engine gives them. Settings are those of each engine's own advice for latency, in
fp32: its own word for the precision is part of the answer.
"""

import json
import os
import socket
import struct
import sys
import time
import warnings

import numpy as np

MAGIC = b"DVT1"
TYPES = {"f32": np.float32, "f16": np.float16, "f64": np.float64, "i64": np.int64, "i32": np.int32, "i16": np.int16,
         "i8": np.int8, "u32": np.uint32, "u16": np.uint16, "u8": np.uint8, "bool": np.bool_}


def receive(channel):
    """The next frame's header and payload; None where the other side is gone."""
    head = channel.recv(16, socket.MSG_WAITALL)
    if len(head) < 16:
        return None
    magic, header_bytes, payload_bytes = struct.unpack("<4sIQ", head)
    if magic != MAGIC:
        raise ValueError("what came is no frame")
    header = json.loads(channel.recv(header_bytes, socket.MSG_WAITALL))
    payload = bytearray()
    while len(payload) < payload_bytes:
        payload += channel.recv(min(payload_bytes - len(payload), 1 << 24), socket.MSG_WAITALL)
    return header, bytes(payload)


def send(channel, header, payload=b""):
    text = json.dumps(header).encode()
    channel.sendall(struct.pack("<4sIQ", MAGIC, len(text), len(payload)) + text + payload)


def peak_bytes():
    """The most memory that this process has had."""
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    return 0


class OnnxRuntime:
    def __init__(self):
        import onnxruntime

        self.module = onnxruntime
        self.version = onnxruntime.__version__

    def load(self, model, threads, inputs):
        options = self.module.SessionOptions()
        options.intra_op_num_threads = threads
        options.execution_mode = self.module.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = self.module.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self.session = self.module.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        types = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32,
                 "tensor(bool)": np.bool_, "tensor(double)": np.float64, "tensor(float16)": np.float16,
                 "tensor(int16)": np.int16, "tensor(int8)": np.int8, "tensor(uint32)": np.uint32,
                 "tensor(uint16)": np.uint16, "tensor(uint8)": np.uint8}
        self.feed = {i.name: inputs[i.name].astype(types[i.type]) for i in self.session.get_inputs()}
        kinds = sorted({o.type for o in self.session.get_outputs()})
        # The CPU provider computes float tensors as float; it has no faster mode on x86-64.
        return "float32, outputs " + ", ".join(kinds)

    def run(self):
        return self.session.run(None, self.feed)


class OpenVino:
    def __init__(self):
        import openvino

        self.module = openvino
        self.version = openvino.get_version().split("-")[0]

    def load(self, model, threads, inputs):
        core = self.module.Core()
        read = core.read_model(model)
        names = {i.any_name: i for i in read.inputs}
        read.reshape({port: list(inputs[name].shape) for name, port in names.items()})
        settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1,
                    "INFERENCE_PRECISION_HINT": "f32", "EXECUTION_MODE_HINT": "ACCURACY"}
        self.compiled = core.compile_model(read, "CPU", settings)
        self.request = self.compiled.create_infer_request()
        for name, port in names.items():
            values = np.ascontiguousarray(inputs[name].astype(port.get_element_type().to_dtype()))
            self.request.set_tensor(port, self.module.Tensor(values))
        hint = self.compiled.get_property("INFERENCE_PRECISION_HINT").get_type_name()
        kinds = {str(op.get_rt_info()["runtimePrecision"].astype(str)) for op in
                 self.compiled.get_runtime_model().get_ops() if "runtimePrecision" in op.get_rt_info()}
        return f"{hint}, kernels {', '.join(sorted(kinds))}"

    def run(self):
        self.request.infer()
        return [self.request.get_output_tensor(i).data for i in range(len(self.compiled.outputs))]


def with_own_constants(model):
    """Exporters store equal constants once and name the others by Identity, which onnx2torch does not follow."""
    import onnx

    graph = model.graph
    constants = {constant.name: constant for constant in graph.initializer}
    kept = []
    for node in graph.node:
        if node.op_type == "Identity" and node.input[0] in constants:
            constants[node.output[0]] = onnx.TensorProto()
            constants[node.output[0]].CopyFrom(constants[node.input[0]])
            constants[node.output[0]].name = node.output[0]
            graph.initializer.append(constants[node.output[0]])
        else:
            kept.append(node)
    del graph.node[:]
    graph.node.extend(kept)
    return model


class LibTorch:
    """TorchScript of what onnx2torch makes of the model: as it is, frozen, or optimised for inference, whichever is
    fastest here. Neither of them changes the precision."""

    def __init__(self):
        import onnx
        import onnx2torch
        import torch

        warnings.filterwarnings("ignore")
        self.torch, self.onnx, self.onnx2torch = torch, onnx, onnx2torch
        self.version = torch.__version__.split("+")[0]

    def load(self, model, threads, inputs):
        torch = self.torch
        torch.set_num_threads(threads)
        read = self.onnx.load(model)
        constants = {constant.name for constant in read.graph.initializer}
        self.feed = []
        for port in read.graph.input:
            if port.name not in constants:
                kind = self.onnx.helper.tensor_dtype_to_np_dtype(port.type.tensor_type.elem_type)
                self.feed.append(torch.from_numpy(inputs[port.name].astype(kind)))
        module = self.onnx2torch.convert(with_own_constants(read)).eval()
        with torch.no_grad():
            # Each is traced anew: the last one changes what it is given.
            frozen, changed = [torch.jit.freeze(torch.jit.trace(module, tuple(self.feed))) for _ in range(2)]
            forms = {"eager": module, "frozen": frozen, "optimised": torch.jit.optimize_for_inference(changed)}
        seconds = {}
        for name, self.module in forms.items():
            seconds[name] = min(sample(self, 3, 5, 1))
        form = min(seconds, key=seconds.get)
        self.module = forms[form]
        return f"float32 ({torch.get_float32_matmul_precision()}), {form}"

    def run(self):
        with self.torch.inference_mode():
            outputs = self.module(*self.feed)
        return outputs if isinstance(outputs, (tuple, list)) else [outputs]


def sample(engine, warm_up, runs, seconds):
    for _ in range(warm_up):
        engine.run()
    samples = []
    while len(samples) < runs and sum(samples) < seconds:
        start = time.perf_counter()
        engine.run()
        samples.append(time.perf_counter() - start)
    return samples


def serve(channel, engine, import_bytes):
    inputs, outputs = {}, []
    while (frame := receive(channel)) is not None:
        header, payload = frame
        kind = header["type"]
        if kind == "input":
            shape = [int(extent) for extent in header["shape"].split(",") if extent]
            inputs[header["name"]] = np.frombuffer(payload, TYPES[header["dtype"]]).reshape(shape)
            send(channel, {"type": "taken"})
        elif kind == "load":
            precision = engine.load(header["model"], header["threads"], inputs)
            outputs = engine.run()
            send(channel, {"type": "loaded", "version": engine.version, "precision": precision,
                           "outputs": len(outputs), "import_bytes": import_bytes})
        elif kind == "output":
            values = np.ascontiguousarray(outputs[header["number"]])
            names = [name for name, kind in TYPES.items() if values.dtype == kind]
            values = values if names else values.astype(np.float32)
            send(channel, {"type": "values", "dtype": names[0] if names else "f32"}, values.tobytes())
        elif kind == "sample":
            samples = sample(engine, header["warm_up"], header["runs"], header["seconds"])
            send(channel, {"type": "sampled", "seconds": samples, "peak_bytes": peak_bytes()})
        else:
            raise ValueError(f"unknown request {kind}")


def main():
    channel = socket.socket(fileno=3)
    engine = {"onnxruntime": OnnxRuntime, "openvino": OpenVino, "libtorch": LibTorch}[sys.argv[1]]()
    serve(channel, engine, peak_bytes())


if __name__ == "__main__":
    try:
        main()
    except Exception as error:  # its last line is what the user reads
        print(str(error).replace("\n", " ")[:400], file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)
