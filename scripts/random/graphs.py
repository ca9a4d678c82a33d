# SPDX-License-Identifier: Apache-2.0
"""Random small ONNX graphs, which onnxruntime computes, and damaged copies of them."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

OPSET = 17
MOST_ELEMENTS = 8_000
UNARY = ["Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Erf", "Sin", "Cos", "Atan", "Floor", "LeakyRelu", "Elu",
         "HardSwish", "HardSigmoid", "Softplus", "Softsign", "Clip", "Identity", "Selu", "Celu",
         "Sign", "Ceil", "ThresholdedRelu", "Mish"]
REDUCTIONS = ["ReduceMean", "ReduceMax", "ReduceMin", "ReduceSum", "ReduceProd", "ReduceL2",
              "ReduceL1", "ReduceSumSquare", "ReduceLogSumExp"]


class Graph:
    """Nodes one after another; each is computed as it is added, so that its shape is known."""

    def __init__(self, rng):
        self.rng = rng
        self.nodes, self.inputs, self.constants, self.values = [], [], [], {}
        self.number = 0

    def pick(self, items):
        return items[int(self.rng.integers(len(items)))]

    def one_in(self, n):
        return self.rng.integers(n) == 0

    def name(self):
        self.number += 1
        return f"t{self.number}"

    def given(self, shape, dtype=np.float32):
        name = self.name()
        array = self.rng.uniform(-1, 1, shape).astype(np.float32) if dtype == np.float32 else \
            self.rng.integers(-5, 9, shape).astype(dtype)
        self.inputs.append(name)
        self.values[name] = array
        return name

    def constant(self, array):
        name = self.name()
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        self.values[name] = np.asarray(array)
        return name

    def weights(self, *shape):
        array = self.rng.uniform(-1, 1, shape).astype(np.float32)
        return self.constant(array / np.float32(max(1, np.sqrt(np.prod(shape[1:])))))

    def add(self, op, inputs, outputs=1, **attributes):
        """The names of its outputs; None where it cannot be computed, or is too large."""
        names = [self.name() for _ in range(outputs)]
        node = helper.make_node(op, inputs, names, **attributes)
        given = [n for n in dict.fromkeys(inputs) if n]
        graph = helper.make_graph([node], "one", [value_info(n, self.values[n]) for n in given],
                                  [helper.make_empty_tensor_value_info(n) for n in names])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET + 1)
                                                        if op == "Mish" else
                                                        helper.make_opsetid("", OPSET)])
        try:
            with np.errstate(all="ignore"):
                made = ReferenceEvaluator(model).run(None, {n: self.values[n] for n in given})
        except Exception:  # pylint: disable=broad-except
            return None
        if any(not isinstance(m, np.ndarray) and not np.isscalar(m) for m in made):
            return None
        made = [np.asarray(m) for m in made]
        if any(m.size > MOST_ELEMENTS or m.size == 0 or
               m.dtype == np.float32 and not (np.abs(m) < 1e4).all() for m in made):
            return None
        self.nodes.append(node)
        self.values.update(zip(names, made))
        return names

    def real(self):
        return [n for n, v in self.values.items() if v.dtype == np.float32 and
                n not in [c.name for c in self.constants]]


def value_info(name, array):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype),
                                         array.shape)


def grow(graph):
    """One more node over what is there."""
    x = graph.pick(graph.real()[-6:])
    shape = graph.values[x].shape
    rank = len(shape)
    choice = int(graph.rng.integers(22))
    axis = int(graph.rng.integers(rank)) if rank else 0
    if choice < 5:
        return unary(graph, x)
    if choice < 8:
        return binary(graph, x)
    if choice < 10 and rank >= 3:
        return convolution(graph, x)
    if choice == 10 and rank >= 3:
        return pooling(graph, x)
    if choice == 11 and rank >= 2:
        return product(graph, x)
    if choice == 12 and rank:
        return normalization(graph, x, axis)
    if choice == 13 and rank:
        return reduction(graph, x, axis)
    if choice in (14, 15) and rank:
        return movement(graph, x, axis)
    if choice == 16 and rank:
        return concatenation(graph, x, axis)
    if choice == 17 and rank:
        extent = shape[axis]
        at = graph.rng.integers(-extent, extent, int(graph.rng.integers(1, 5)))
        indices = graph.constant(at.astype(np.int64)) if graph.one_in(2) else None
        if indices is None:
            indices = graph.given([3], np.int64)
            graph.values[indices] = graph.rng.integers(0, extent, 3)
        return graph.add("Gather", [x, indices], axis=axis)
    if choice == 18 and rank:
        return selection(graph, x)
    if choice == 19 and rank:
        return integers(graph, x, axis)
    if choice == 20 and rank:
        pads = graph.rng.integers(0, 3, 2 * rank).astype(np.int64)
        mode = graph.pick(["constant", "constant", "edge", "reflect"])
        return graph.add("Pad", [x, graph.constant(pads)], mode=mode)
    if choice == 21 and rank == 4:
        scales = np.array([1, 1, graph.pick([1, 2, 3]), graph.pick([1, 2])], np.float32)
        mode = graph.pick(["nearest", "linear"])
        extra = {"nearest_mode": "floor"} if mode == "nearest" else {}
        return graph.add("Resize", [x, "", graph.constant(scales)], mode=mode,
                         coordinate_transformation_mode=graph.pick(["asymmetric", "half_pixel"]),
                         **extra)
    return unary(graph, x)


def unary(graph, x):
    op = graph.pick(UNARY)
    if op == "Mish":
        soft = graph.add("Softplus", [x])
        tanh = soft and graph.add("Tanh", soft)
        return tanh and graph.add("Mul", [x, tanh[0]])
    inputs = [x]
    if op == "Clip":
        inputs += [graph.constant(np.float32(-0.5)), graph.constant(np.float32(0.75))]
    if op in ("Floor", "Ceil", "Sign"):
        scaled = graph.add("Add", [x, graph.constant(np.float32(0.37))])
        return scaled and graph.add(op, scaled)
    return graph.add(op, inputs)


def broadcast(graph, shape):
    other = [1 if graph.one_in(3) else n for n in shape]
    return other[int(graph.rng.integers(0, len(other) + 1)):] if graph.one_in(2) else other


def binary(graph, x):
    same = [n for n in graph.real() if n != x and
            compatible(graph.values[n].shape, graph.values[x].shape)]
    shape = broadcast(graph, graph.values[x].shape)
    y = graph.pick(same) if same and graph.one_in(2) else \
        graph.given(shape) if graph.one_in(2) else \
        graph.constant(graph.rng.uniform(-1, 1, shape).astype(np.float32))
    op = graph.pick(["Add", "Sub", "Mul", "Add", "Mul", "Max", "Min", "Div", "Pow"])
    if op in ("Div", "Pow"):
        magnitude = graph.add("Abs", [y if op == "Div" else x])
        positive = magnitude and graph.add("Add", [magnitude[0],
                                                   graph.constant(np.float32(0.5))])
        if not positive:
            return None
        x, y = (x, positive[0]) if op == "Div" else (positive[0], y)
    elif graph.one_in(3):
        x, y = y, x
    return graph.add(op, [x, y])


def compatible(a, b):
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b)))


def convolution(graph, x):
    shape = graph.values[x].shape
    spatial = len(shape) - 2
    channels = shape[1]
    groups = graph.pick([g for g in range(1, channels + 1) if channels % g == 0])
    attributes = {"group": groups, "strides": [graph.pick([1, 1, 2]) for _ in range(spatial)],
                  "dilations": [graph.pick([1, 1, 2]) for _ in range(spatial)],
                  "pads": [int(p) for p in graph.rng.integers(0, 2, 2 * spatial)]}
    kernel = [int(graph.pick([1, 2, 3])) for _ in range(spatial)]
    made = groups * int(graph.rng.integers(1, 5))
    if spatial > 2:
        return None
    if graph.one_in(4):
        attributes["dilations"] = [1] * spatial
        inputs = [x, graph.weights(channels, made // groups, *kernel)]
        return graph.add("ConvTranspose", inputs, **attributes)
    inputs = [x, graph.weights(made, channels // groups, *kernel)]
    if graph.one_in(2):
        inputs.append(graph.weights(made))
    return graph.add("Conv", inputs, **attributes)


def pooling(graph, x):
    spatial = graph.values[x].ndim - 2
    if graph.one_in(4):
        return graph.add("GlobalAveragePool", [x])
    kernel = [int(graph.pick([2, 3])) for _ in range(spatial)]
    attributes = {"kernel_shape": kernel, "strides": [graph.pick([1, 2]) for _ in kernel],
                  "pads": [int(p) for p in graph.rng.integers(0, 2, 2 * spatial)]}
    op = graph.pick(["MaxPool", "AveragePool"])
    if op == "AveragePool":
        attributes["count_include_pad"] = int(graph.one_in(2))
    return graph.add(op, [x], **attributes)


def product(graph, x):
    shape = graph.values[x].shape
    columns = int(graph.rng.integers(1, 20))
    if len(shape) == 2 and graph.one_in(2):
        transposed = int(graph.one_in(2))
        b = graph.weights(columns, shape[1]) if transposed else graph.weights(shape[1], columns)
        return graph.add("Gemm", [x, b, graph.weights(columns)], transB=transposed, alpha=0.5)
    batch = list(shape[:-2]) if graph.one_in(2) else []
    b = graph.weights(*batch, shape[-1], columns) if graph.one_in(2) else \
        graph.given([*batch, shape[-1], columns])
    return graph.add("MatMul", [x, b])


def normalization(graph, x, axis):
    shape = graph.values[x].shape
    op = graph.pick(["Softmax", "LogSoftmax", "LayerNormalization", "BatchNormalization",
                     "InstanceNormalization", "LpNormalization"])
    if op in ("Softmax", "LogSoftmax"):
        return graph.add(op, [x], axis=axis)
    if op == "LpNormalization":
        return graph.add(op, [x], axis=axis, p=2)
    if op == "LayerNormalization":
        normal = shape[axis:]
        return graph.add(op, [x, graph.constant(np.ones(normal, np.float32)),
                              graph.weights(*normal)], axis=axis)
    if len(shape) < 3:
        return None
    scale, bias = graph.weights(shape[1]), graph.weights(shape[1])
    if op == "InstanceNormalization":
        return graph.add(op, [x, scale, bias])
    variance = graph.constant(graph.rng.uniform(0.5, 1.5, shape[1]).astype(np.float32))
    return graph.add(op, [x, scale, bias, graph.weights(shape[1]), variance])


def reduction(graph, x, axis):
    op = graph.pick(REDUCTIONS)
    keepdims = int(graph.one_in(2))
    if op == "ReduceSum":
        return graph.add(op, [x, graph.constant(np.array([axis], np.int64))], keepdims=keepdims)
    return graph.add(op, [x], axes=[axis], keepdims=keepdims)


def movement(graph, x, axis):
    shape = graph.values[x].shape
    op = graph.pick(["Transpose", "Reshape", "Flatten", "Unsqueeze", "Slice", "Split", "Expand",
                     "Tile", "DepthToSpace", "Squeeze"])
    if op == "Transpose":
        return graph.add(op, [x], perm=[int(p) for p in graph.rng.permutation(len(shape))])
    if op == "Reshape":
        if graph.one_in(2):
            return graph.add(op, [x, graph.constant(np.array([-1, shape[-1]], np.int64))])
        return graph.add(op, [x, graph.constant(np.array([0] * axis + [-1], np.int64))])
    if op == "Flatten":
        return graph.add(op, [x], axis=axis)
    if op in ("Unsqueeze", "Squeeze"):
        return graph.add(op, [x, graph.constant(np.array([axis], np.int64))])
    if op == "Slice":
        extent = shape[axis]
        first = int(graph.rng.integers(extent))
        last = int(graph.rng.integers(first + 1, extent + 1))
        bounds = [np.array([v], np.int64) for v in (first, last, axis, int(graph.pick([1, 1, 2])))]
        if graph.one_in(5):
            bounds = [np.array([v], np.int64) for v in (-1, -extent - 1, axis, -1)]
        return graph.add(op, [x] + [graph.constant(b) for b in bounds])
    if op == "Split" and shape[axis] > 1:
        first = int(graph.rng.integers(1, shape[axis]))
        parts = np.array([first, shape[axis] - first], np.int64)
        return graph.add(op, [x, graph.constant(parts)], outputs=2, axis=axis)
    if op == "Expand":
        return graph.add(op, [x, graph.constant(np.array([2, *shape], np.int64))])
    if op == "Tile":
        return graph.add(op, [x, graph.constant(graph.rng.integers(1, 3, len(shape)))])
    return graph.add("DepthToSpace", [x], blocksize=2)


def concatenation(graph, x, axis):
    shape = graph.values[x].shape
    others = [n for n in graph.real() if graph.values[n].ndim == len(shape) and all(
        m == n or d == axis for d, (m, n) in enumerate(zip(graph.values[n].shape, shape)))]
    parts = [x] + [graph.pick(others) for _ in range(int(graph.rng.integers(1, 3)))]
    return graph.add("Concat", parts, axis=axis)


def selection(graph, x):
    y = graph.given(broadcast(graph, graph.values[x].shape))
    first = graph.pick(graph.inputs)
    if graph.values[first].dtype != np.float32 or not compatible(graph.values[first].shape,
                                                                graph.values[x].shape):
        first = y
    truth = graph.add(graph.pick(["Less", "Greater", "LessOrEqual"]),
                      [first, graph.constant(np.float32(0.1))])
    if truth and graph.one_in(3):
        truth = graph.add("Not", truth)
    return truth and graph.add("Where", [truth[0], x, y])


def integers(graph, x, axis):
    shape = graph.values[x].shape
    n = graph.given(broadcast(graph, shape), graph.pick([np.int64, np.int32]))
    whole = graph.add(graph.pick(["Add", "Mul", "Sub", "Max", "Min"]),
                      [n, graph.constant(np.asarray(3, graph.values[n].dtype))])
    if whole and graph.one_in(3) and graph.values[n].ndim:
        whole = graph.add(graph.pick(["ReduceMax", "ReduceMin"]), whole,
                          axes=[graph.values[n].ndim - 1], keepdims=1)
    real = whole and graph.add("Cast", whole, to=TensorProto.FLOAT)
    if real and graph.one_in(4):
        graph.add(graph.pick(["ArgMax", "ArgMin"]), [x], axis=axis)
    return real and graph.add("Mul", [x, real[0]])


def random_model(rng):
    """The model, and its inputs in its order."""
    graph = Graph(rng)
    rank = int(graph.pick([1, 2, 3, 4, 4]))
    graph.given([int(graph.pick([1, 2, 3, 4, 5, 6, 8, 9, 16])) for _ in range(rank)])
    count = int(rng.integers(2, 11))
    while len(graph.nodes) < count:
        grow(graph)
    used = {n for node in graph.nodes for n in node.input}
    outputs = [n for node in graph.nodes for n in node.output if n not in used]
    inputs = [n for n in graph.inputs if n in used]
    constants = [c for c in graph.constants if c.name in used]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "random", [value_info(n, graph.values[n]) for n in inputs],
                          [value_info(n, graph.values[n]) for n in outputs], constants),
        opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    return model, [graph.values[n] for n in inputs]


def damaged(rng, model):
    """The bytes of a copy in which some bytes, or some fields of the message, are others."""
    if rng.integers(4) == 0:  # mostly no model any more
        return damaged_bytes(rng, bytearray(model.SerializeToString()))
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for _ in range(int(rng.integers(1, 4))):
        damage_field(rng, copy)
    return copy.SerializeToString()


def damaged_bytes(rng, data):
    for _ in range(int(rng.integers(1, 6))):
        if not data:
            break
        at = int(rng.integers(len(data)))
        length = int(rng.integers(1, 9))
        how = int(rng.integers(5))
        if how == 0:
            data[at] = int(rng.integers(256))
        elif how == 1:
            data[at] ^= 1 << int(rng.integers(8))
        elif how == 2:
            del data[at:at + length]
        elif how == 3:
            data[at:at] = bytes(rng.integers(0, 256, length, dtype=np.uint8))
        else:
            data[at:at] = data[at:at + 8 * length]
    return bytes(data)


ODD = [0, 1, -1, 2, 3, 7, -2, 64, 1 << 16, 1 << 31, (1 << 31) - 1, -(1 << 31), 1 << 40, (1 << 62),
       -(1 << 63), (1 << 63) - 1]
WORDS = ["", "t1", "t2", "t3", "Conv", "Add", "Concat", "Loop", "If", "NonZero", "\x1b[2J", "a" * 300,
         "../x", "Reshape", "Gather", "MatMul", "Softmax", "Expand", "Resize", "LSTM", "Range",
         "ConstantOfShape", "Einsum", "auto_pad", "SAME_UPPER", "axis", "nan"]


def fields_of(message, found):
    """Every set field, with the message that has it."""
    for descriptor, value in message.ListFields():
        found.append((message, descriptor))
        if descriptor.type == descriptor.TYPE_MESSAGE:
            for inner in value if repeated(descriptor) else [value]:
                fields_of(inner, found)
    return found


def repeated(descriptor):
    return getattr(descriptor, "is_repeated", None) if hasattr(descriptor, "is_repeated") else \
        descriptor.label == descriptor.LABEL_REPEATED


def damage_field(rng, model):
    found = fields_of(model, [])
    message, descriptor = found[int(rng.integers(len(found)))]
    name = descriptor.name
    if rng.integers(8) == 0:
        message.ClearField(name)
        return
    if not repeated(descriptor):
        if descriptor.type != descriptor.TYPE_MESSAGE:
            setattr(message, name, other(rng, descriptor, getattr(message, name)))
        return
    values = getattr(message, name)
    at = int(rng.integers(len(values)))
    how = int(rng.integers(3))
    if descriptor.type == descriptor.TYPE_MESSAGE:
        if how == 0:
            del values[at]
        elif how == 1:
            values.add().CopyFrom(values[int(rng.integers(len(values)))])
        else:
            values[at].CopyFrom(values[int(rng.integers(len(values)))])
    elif how == 0:
        del values[at]
    elif how == 1:
        values.append(other(rng, descriptor, values[at]))
    else:
        values[at] = other(rng, descriptor, values[at])


def other(rng, descriptor, value):
    """Another value of the field's type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        narrow = descriptor.cpp_type in (descriptor.CPPTYPE_INT32, descriptor.CPPTYPE_ENUM)
        if descriptor.cpp_type == descriptor.CPPTYPE_ENUM:
            numbers = [v.number for v in descriptor.enum_type.values]
            return numbers[int(rng.integers(len(numbers)))]
        odd = [n for n in ODD if not narrow or -(1 << 31) <= n < 1 << 31]
        if descriptor.cpp_type in (descriptor.CPPTYPE_UINT32, descriptor.CPPTYPE_UINT64):
            odd = [n for n in odd if 0 <= n < 1 << 31]
        return odd[int(rng.integers(len(odd)))]
    if isinstance(value, float):
        return float(rng.choice([0, -1, 1e30, -1e30, np.inf, np.nan, 1e-40]))
    if isinstance(value, bytes):
        return damaged_bytes(rng, bytearray(value))
    return WORDS[int(rng.integers(len(WORDS)))]
