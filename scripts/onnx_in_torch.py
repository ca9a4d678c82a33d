# SPDX-License-Identifier: Apache-2.0
"""The graph of an ONNX model as a module of torch, node by node.

  module = torch_module(onnx.load("resnet18.onnx"), torch.float32)
  module = torch_module(model, torch.float16, uses_functions=True)     torch's own functions in place of chains

It knows the operators of the sample networks (scripts/make-models), written as torch's exporters write them, and
refuses others. Shapes are those of the model. Scalars are numbers of the program, other constants are buffers of the
module. With `uses_functions`, the chains that exporters write for a dense layer, layer_norm, gelu and attention are the
one function that they came from.
"""

import operator

import numpy as np
import onnx
import torch
from torch.nn import functional

# Chains of nodes: an operator with its operands, a number, or the name of any tensor; the same name is the same tensor.
CENTRED = ("Sub", "x", ("ReduceMean", "x"))
VARIANCE = ("ReduceMean", ("Pow", CENTRED, 2.0))
LAYER_NORM = ("Add", ("Mul", ("Div", CENTRED, ("Sqrt", ("Add", VARIANCE, "epsilon"))), "weight"), "bias")
GELU = ("Mul", ("Mul", "x", ("Add", ("Erf", ("Div", "x", 2.0 ** 0.5)), 1.0)), 0.5)
DENSE = ("Add", "bias", ("MatMul", "x", "weight"))
ATTENTION = ("MatMul", ("Softmax", ("Add", ("Mul", ("MatMul", "query", "keys"), "scale"), "mask")), "value")
COMMUTATIVE = ("Add", "Mul")
OF_LAST_AXIS = {"ReduceMean": {"axes": [-1]}, "Softmax": {"axis": -1}}  # as chains have these


def attributes_of(node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def refuse(node, why):
    raise ValueError(f"{node.op_type} {node.name}: {why}")


def window_of(node, attributes):
    """Stride, padding and dilation of a window that is padded alike on both sides."""
    rank = len(attributes["kernel_shape"])
    pads = attributes.get("pads", [0] * 2 * rank)
    if attributes.get("auto_pad", b"NOTSET") != b"NOTSET" or pads[:rank] != pads[rank:] or attributes.get("ceil_mode"):
        refuse(node, "expected as much padding before as behind")
    return {"stride": attributes.get("strides", [1] * rank), "padding": pads[:rank],
            "dilation": attributes.get("dilations", [1] * rank)}


class Converter:
    def __init__(self, model, dtype, uses_functions):
        self.onnx, self.dtype, self.uses_functions = model.graph, dtype, uses_functions
        self.root, self.graph, self.values = torch.nn.Module(), torch.fx.Graph(), {}
        self.arrays = {i.name: onnx.numpy_helper.to_array(i) for i in self.onnx.initializer}
        self.producers = {node.output[0]: node for node in self.onnx.node}

    def module(self):
        for tensor in self.onnx.input:
            if tensor.name not in self.arrays:
                self.values[tensor.name] = self.graph.placeholder(tensor.name)
        for node in self.onnx.node:
            if len(node.output) != 1:
                refuse(node, "expected one output")
            made = self.function(node) if self.uses_functions else None
            self.values[node.output[0]] = made or self.converted(node)
        self.graph.output(tuple(self.values[output.name] for output in self.onnx.output))
        self.graph.eliminate_dead_code()
        return torch.fx.GraphModule(self.root, self.graph).eval()

    # Operands.

    def scalar(self, name):
        """A constant of one element as a number that the type holds; else nothing."""
        array = self.arrays.get(name)
        if array is None or array.size != 1:
            return None
        if array.dtype.kind != "f":
            return int(array.reshape(()))
        limits = torch.finfo(self.dtype)
        return min(max(float(array.reshape(())), limits.min), limits.max)

    def buffer(self, name, array):
        tensor = torch.from_numpy(np.array(array))
        target = f"constant_{len(list(self.root.buffers()))}"
        self.root.register_buffer(target, tensor.to(self.dtype) if tensor.is_floating_point() else tensor)
        self.values[name] = self.graph.get_attr(target)
        return self.values[name]

    def tensor(self, name):
        return self.values[name] if name in self.values else self.buffer(name, self.arrays[name])

    def operand(self, name):
        scalar = self.scalar(name)
        return self.tensor(name) if scalar is None else scalar

    def call(self, function, *arguments, **options):
        return self.graph.call_function(function, arguments, options)

    # Chains.

    def bindings(self, name, pattern, found):
        """The tensors of a chain that ends in one; nothing where it is another chain."""
        if isinstance(pattern, float):
            scalar = self.scalar(name)
            return found if scalar is not None and abs(scalar - pattern) <= 1e-3 * abs(pattern) else None
        if isinstance(pattern, str):
            return {**found, pattern: name} if found.get(pattern, name) == name else None
        node = self.producers.get(name)
        if node is None or node.op_type != pattern[0] or len(node.input) != len(pattern) - 1:
            return None
        if OF_LAST_AXIS.get(node.op_type, attributes := attributes_of(node)) != attributes:
            return None
        orders = [list(node.input)] + ([list(node.input)[::-1]] if node.op_type in COMMUTATIVE else [])
        for order in orders:
            bound = found
            for operand, part in zip(order, pattern[1:]):
                bound = None if bound is None else self.bindings(operand, part, bound)
            if bound is not None:
                return bound
        return None

    def function(self, node):
        """The function of torch that a chain ends in at this node; nothing where no chain ends."""
        chains = ((LAYER_NORM, self.layer_norm), (GELU, self.gelu), (DENSE, self.dense), (ATTENTION, self.attention))
        for pattern, make in chains:
            found = self.bindings(node.output[0], pattern, {})
            made = make(**found) if found else None
            if made is not None:
                return made
        return None

    def layer_norm(self, x, weight, bias, epsilon):
        if weight not in self.arrays or self.arrays[weight].ndim != 1:
            return None
        return self.call(functional.layer_norm, self.tensor(x), list(self.arrays[weight].shape), self.tensor(weight),
                         self.tensor(bias), self.scalar(epsilon))

    def gelu(self, x):
        return self.call(functional.gelu, self.tensor(x))

    def dense(self, x, weight, bias):
        if weight not in self.arrays or bias not in self.arrays or self.arrays[weight].ndim != 2:
            return None
        turned = self.values.get(weight + ".T")
        if turned is None:
            turned = self.buffer(weight + ".T", np.ascontiguousarray(self.arrays[weight].T))
        return self.call(functional.linear, self.tensor(x), turned, self.tensor(bias))

    def attention(self, query, keys, scale, mask, value):
        rows = self.call(torch.transpose, self.tensor(keys), -2, -1)  # keys come as columns
        return self.call(functional.scaled_dot_product_attention, self.tensor(query), rows, self.tensor(value),
                         attn_mask=self.tensor(mask), scale=self.scalar(scale))

    # Nodes.

    def converted(self, node):
        make = getattr(self, "make_" + node.op_type, None)
        if make is None and node.op_type not in self.SIMPLE:
            refuse(node, "no such operator is known here")
        if make is None:
            return self.call(self.SIMPLE[node.op_type], *map(self.operand, node.input))
        return make(node, attributes_of(node))

    SIMPLE = {"Relu": functional.relu, "Add": operator.add, "Sub": operator.sub, "Mul": operator.mul,
              "Div": operator.truediv, "Pow": operator.pow, "Sqrt": torch.sqrt, "Erf": torch.erf, "Tanh": torch.tanh,
              "MatMul": torch.matmul}

    def make_Conv(self, node, attributes):
        function = getattr(functional, f"conv{len(attributes['kernel_shape'])}d")
        return self.call(function, *map(self.tensor, node.input), groups=attributes.get("group", 1),
                         **window_of(node, attributes))

    def make_MaxPool(self, node, attributes):
        function = getattr(functional, f"max_pool{len(attributes['kernel_shape'])}d")
        return self.call(function, self.tensor(node.input[0]), attributes["kernel_shape"],
                         **window_of(node, attributes))

    def make_GlobalAveragePool(self, node, _):
        rank = next(self.arrays[n.input[1]].ndim - 2 for n in self.onnx.node if n.op_type == "Conv")
        return self.call(getattr(functional, f"adaptive_avg_pool{rank}d"), self.tensor(node.input[0]), 1)

    def make_Clip(self, node, _):
        return self.call(functional.hardtanh, self.tensor(node.input[0]), *map(self.scalar, node.input[1:3]))

    def make_Flatten(self, node, attributes):
        if attributes.get("axis", 1) != 1:
            refuse(node, "expected axis 1")
        return self.call(torch.flatten, self.tensor(node.input[0]), 1)

    def make_Gemm(self, node, attributes):
        if attributes != {"transB": 1}:
            refuse(node, "expected a turned second matrix and no factors")
        return self.call(functional.linear, *map(self.tensor, node.input))

    def make_Softmax(self, node, attributes):
        return self.call(functional.softmax, self.tensor(node.input[0]), dim=attributes["axis"])

    def make_ReduceMean(self, node, attributes):
        return self.call(torch.mean, self.tensor(node.input[0]), dim=attributes["axes"],
                         keepdim=bool(attributes.get("keepdims", 1)))

    def make_Gather(self, node, attributes):
        axis, place = attributes.get("axis", 0), self.scalar(node.input[1])
        if place is not None and self.arrays[node.input[1]].ndim == 0:
            return self.call(torch.select, self.tensor(node.input[0]), axis, place)
        if axis != 0 or node.input[0] not in self.arrays:
            refuse(node, "expected rows of a table, or one element of an axis")
        return self.call(functional.embedding, self.tensor(node.input[1]), self.tensor(node.input[0]))

    def make_Unsqueeze(self, node, _):
        value = self.tensor(node.input[0])
        for axis in sorted(self.arrays[node.input[1]].tolist()):
            value = self.call(torch.unsqueeze, value, axis)
        return value

    def make_Cast(self, node, attributes):
        if attributes["to"] != onnx.TensorProto.FLOAT:
            refuse(node, "expected a cast to f32")
        return self.graph.call_method("to", (self.tensor(node.input[0]), self.dtype))

    def make_Reshape(self, node, _):
        shape = self.arrays[node.input[1]].tolist()
        if 0 in shape:
            refuse(node, "expected a shape without zeros")
        return self.call(torch.reshape, self.tensor(node.input[0]), shape)

    def make_Transpose(self, node, attributes):
        return self.call(torch.permute, self.tensor(node.input[0]), attributes["perm"])


def torch_module(model, dtype, uses_functions=False):
    """On the host, in row-major layouts; takes the model's inputs in order, and gives a tuple of its outputs."""
    return Converter(model, dtype, uses_functions).module()


def has_functions(model):
    """Whether `uses_functions` makes a difference: images' networks have no such chains."""
    return any(node.op_type == "Softmax" for node in model.graph.node)


def channels_last(tensor):
    """Weights and activations of images and of volumes; others as they are."""
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    return tensor.to(memory_format=formats[tensor.ndim]) if tensor.ndim in formats else tensor
