# SPDX-License-Identifier: Apache-2.0
"""Regions in the grammar of docs/workloads.md, and what numpy makes of them.

A region is made as a tree, printed as a spec, and computed from the tree, twice: in double precision,
which is what is expected, and in single precision, which says how far rounding may carry it.
"""

import re
from dataclasses import dataclass, field

import numpy as np

INTEGERS = {"i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "u8": np.uint8,
            "u16": np.uint16, "u32": np.uint32}
REALS = {"f32": np.float32, "f16": np.float16, "f64": np.float64}
KINDS = {**{name: "integer" for name in INTEGERS}, **{name: "real" for name in REALS},
         "bool": "boolean"}
ASSIGNED = {"sum": "+=", "max": "max=", "min": "min=", "prod": "*="}
NEUTRAL = {"sum": 0.0, "max": -np.inf, "min": np.inf, "prod": 1.0}


@dataclass
class Index:
    """constant + sum of coefficient * axis, divided or not; or an index that data choose."""
    terms: list = field(default_factory=list)  # (coefficient, axis)
    constant: int = 0
    divisor: int = 0
    is_mod: bool = False
    chosen: "Node" = None  # clamp(chosen, low, high)
    low: int = 0
    high: int = 0

    def text(self):
        if self.chosen is not None:
            inner = f"clamp({self.chosen.text()},{self.low},{self.high})"
            return inner + (f"+{self.constant}" if self.constant else "")
        parts = [axis if c == 1 else f"{c}*{axis}" for c, axis in self.terms]
        text = "+".join(parts) if parts else str(self.constant)
        if parts and self.constant:
            text += f"{self.constant:+d}"
        if self.divisor:
            text = f"({text}){'%' if self.is_mod else '/'}{self.divisor}"
        return text

    def axes(self):
        found = {axis for _, axis in self.terms}
        return found | (self.chosen.axes() if self.chosen is not None else set())

    def value(self, run):
        if self.chosen is not None:
            named = run.of(self.chosen)
            run.unknown = run.unknown | np.isnan(named)
            at = np.nan_to_num(named, posinf=2.0**62, neginf=-2.0**62)
            return np.clip(at, self.low, self.high).astype(np.int64) + self.constant
        total = np.int64(self.constant)
        for c, axis in self.terms:
            total = total + c * run.grid[axis]
        if self.divisor:
            return total % self.divisor if self.is_mod else total // self.divisor
        return total


@dataclass
class Node:
    """A value; `kind` is real, integer or boolean."""
    op: str
    kind: str
    args: list = field(default_factory=list)
    number: float = 0
    tensor: str = ""
    indices: list = field(default_factory=list)
    outside: float = None  # stated
    bounds: tuple = ()  # index, comparison, number

    def text(self):
        a = [arg.text() for arg in self.args]
        if self.op == "number":
            return repr(self.number) if self.kind == "real" else str(int(self.number))
        if self.op == "index":
            return self.indices[0].text() if len(self.indices[0].terms) == 1 and \
                not self.indices[0].constant and not self.indices[0].divisor else \
                f"({self.indices[0].text()})"
        if self.op == "read":
            read = f"{self.tensor}[{','.join(i.text() for i in self.indices)}]"
            return read if self.outside is None else f"outside({read},{self.outside:g})"
        if self.op in "+-*/":
            return f"({a[0]}{self.op}{a[1]})"
        if self.op in ("<", "<=", "=="):
            return f"({a[0]}{self.op}{a[1]})"
        if self.op == "select":
            index, comparison, number = self.bounds
            return f"select({index.text()}{comparison}{number},{a[0]},{a[1]})"
        if self.op == "choose":
            return f"select({a[0]},{a[1]},{a[2]})"
        return f"{self.op}({','.join(a)})"

    def axes(self):
        found = set()
        for arg in self.args:
            found |= arg.axes()
        for index in self.indices:
            found |= index.axes()
        if self.bounds:
            found |= self.bounds[0].axes()
        return found


@dataclass
class Statement:
    tensor: str
    axes: list
    element: Node
    reducer: str = None
    result: Node = None  # over an op "reduced"

    def text(self):
        made = f"{self.tensor}[{','.join(self.axes)}]"
        if self.reducer is None:
            return f"{made} = {self.element.text()}"
        if self.result is None:
            return f"{made} {ASSIGNED[self.reducer]} {self.element.text()}"
        return f"{made} = " + self.result.text().replace(
            "reduced()", f"{self.reducer}({self.element.text()})")

    def reduced(self):
        return sorted(self.element.axes() - set(self.axes)) if self.reducer else []


class Run:
    """One statement over the grid of its axes, in one precision."""

    def __init__(self, region, statement, tensors, real):
        self.region, self.statement, self.tensors, self.real = region, statement, tensors, real
        axes = statement.axes + statement.reduced()
        self.shape = [region.extents[a] for a in axes]
        self.grid = {axis: np.arange(region.extents[axis]).reshape(
            [-1 if k == place else 1 for k in range(len(axes))]) for place, axis in enumerate(axes)}
        self.total = None
        self.in_element = True
        self.unknown = np.False_  # where an index is chosen by what is unknown

    def made(self):
        s = self.statement
        value = np.broadcast_to(self.of(s.element), self.shape)
        if s.reducer is None:
            return value
        last = tuple(range(len(s.axes), len(self.shape)))
        value = value.astype(self.real if s.element.kind == "real" else np.float64)
        with np.errstate(all="ignore"):
            value = {"sum": np.add, "prod": np.multiply, "max": np.maximum,
                     "min": np.minimum}[s.reducer].reduce(value, axis=last)
        if s.element.kind == "integer":
            # An accumulator holds the largest integer at most; a sum with it wraps.
            value = np.clip(value, -2.0**63, 2.0**63) if s.reducer in ("max", "min") else \
                np.where(np.abs(value) < 2.0**53, value, np.nan)
        if s.result is None:
            return value
        self.total = value.reshape(value.shape + (1,) * len(last))
        self.in_element = False
        return np.broadcast_to(self.of(s.result), self.total.shape).reshape(value.shape)

    def of(self, node):
        with np.errstate(all="ignore"):
            return getattr(self, "of_" + {"+": "add", "-": "sub", "*": "mul", "/": "div",
                                          "<": "less", "<=": "less_equal",
                                          "==": "equal"}.get(node.op, node.op), self.function)(node)

    def of_number(self, node):
        return self.real(node.number) if node.kind == "real" else np.float64(node.number)

    def of_reduced(self, _):
        return self.total

    def of_index(self, node):
        return node.indices[0].value(self).astype(np.float64)

    def of_read(self, node):
        array = self.tensors[node.tensor]
        before, self.unknown = self.unknown, np.False_
        at = [index.value(self) for index in node.indices]
        unknown, self.unknown = self.unknown, before
        inside = np.True_
        for index, extent in zip(at, array.shape):
            inside = inside & (0 <= index) & (index < extent)
        found = array[tuple(np.clip(index, 0, extent - 1) for index, extent in zip(at, array.shape))]
        kind = self.real if node.kind == "real" else np.float64
        value = np.where(inside, np.asarray(found).astype(kind), kind(self.beyond(node)))
        return np.where(unknown, kind(np.nan), value)

    def beyond(self, node):
        if node.outside is not None:
            return node.outside
        extremum = self.statement.reducer in ("max", "min") and self.in_element and \
            not self.region.is_choosing(node)
        return NEUTRAL[self.statement.reducer] if extremum else 0.0

    def of_select(self, node):
        index, comparison, number = node.bounds
        at = index.value(self)
        holds = {"<": at < number, "<=": at <= number, "==": at == number}[comparison]
        return np.where(holds, self.of(node.args[0]), self.of(node.args[1]))

    def of_choose(self, node):
        truth = self.of(node.args[0])
        chosen = np.where(truth == 1, self.of(node.args[1]), self.of(node.args[2]))
        return np.where(np.isnan(truth), np.nan, chosen).astype(chosen.dtype)

    def compared(self, holds, a, b):
        """A truth, unknown where an operand is."""
        return np.where(np.isnan(a) | np.isnan(b), np.nan, holds(a, b))

    def of_quotient(self, node):
        a, b = self.of(node.args[0]), self.of(node.args[1])
        return np.where(b == 0, 0.0, np.trunc(a / np.where(b == 0, 1.0, b)))

    def function(self, node):
        a = [self.of(arg) for arg in node.args]
        return {
            "+": lambda: a[0] + a[1], "-": lambda: a[0] - a[1], "*": lambda: a[0] * a[1],
            "/": lambda: a[0].astype(self.real) / a[1].astype(self.real),
            "<": lambda: self.compared(np.less, a[0], a[1]),
            "<=": lambda: self.compared(np.less_equal, a[0], a[1]),
            "==": lambda: self.compared(np.equal, a[0], a[1]),
            "min": lambda: np.minimum(a[0], a[1]), "max": lambda: np.maximum(a[0], a[1]),
            "real": lambda: np.asarray(a[0]).astype(self.real),
            "integer": lambda: np.trunc(np.asarray(a[0]).astype(np.float64)),
            "boolean": lambda: np.asarray(a[0]) != 0,
            "exp": lambda: np.exp(a[0]), "tanh": lambda: np.tanh(a[0]),
            "erf": lambda: erf(a[0]), "log": lambda: np.log(a[0]), "sqrt": lambda: np.sqrt(a[0]),
            "rsqrt": lambda: 1 / np.sqrt(a[0]), "sin": lambda: np.sin(a[0]),
            "cos": lambda: np.cos(a[0]), "atan": lambda: np.arctan(a[0]),
            "abs": lambda: np.abs(a[0]), "floor": lambda: np.floor(a[0]),
            "relu": lambda: np.maximum(a[0], 0), "sigmoid": lambda: 1 / (1 + np.exp(-a[0])),
            "silu": lambda: a[0] / (1 + np.exp(-a[0])),
            "relu6": lambda: np.clip(a[0], 0, 6),
            "gelu": lambda: a[0] * (0.5 + 0.5 * erf(a[0] / self.real(np.sqrt(2)))),
            "clip": lambda: np.minimum(np.maximum(a[0], a[1]), a[2]),
            "pow": lambda: np.power(a[0], a[1]),
        }[node.op]()


def erf(x):
    """Of Abramowitz and Stegun's series and continued fraction, to double precision."""
    x = np.asarray(x)
    wide = x.astype(np.float64)
    near = np.clip(wide, -3, 3)
    term = near.copy()
    total = near.copy()
    for n in range(1, 60):
        term = term * -near * near / n
        total = total + term / (2 * n + 1)
    far = np.maximum(np.abs(wide), 3)
    fraction = np.zeros_like(far)
    for k in range(60, 0, -1):
        fraction = k / 2 / (far + fraction)
    tail = np.where(np.isinf(far), 0, np.exp(-far * far) / (far + fraction) / np.sqrt(np.pi))
    value = np.where(np.abs(wide) <= 3, total * 2 / np.sqrt(np.pi), np.sign(wide) * (1 - tail))
    return np.where(np.isnan(wide), np.nan, value).astype(x.dtype)


@dataclass
class Region:
    extents: dict
    statements: list
    shapes: dict   # of given tensors
    types: dict    # of all tensors
    stated: set    # whose shape the spec gives
    constants: list
    choosing: list  # reads that stand in an index

    def is_choosing(self, node):
        return any(node is read for read in self.choosing)

    def text(self):
        keys = [f"{axis}={extent}" for axis, extent in sorted(self.extents.items())
                if any(axis in s.axes or axis in s.element.axes() for s in self.statements)]
        made = {s.tensor for s in self.statements}
        named = set(re.findall(r"([A-Z]\w*)\[", " ".join(s.text() for s in self.statements)))
        for name in sorted(named):
            shape = "x".join(map(str, self.shapes.get(name, ()))) if name in self.stated else ""
            default = KINDS[self.types[name]] != "integer" if name not in made else \
                self.types[name] in ("f32", "i64", "bool")
            kind = "" if self.types[name] == "f32" or (name in made and default) else \
                self.types[name]
            if shape and kind:
                keys.append(f"{name}={shape}x{kind}")
            elif shape or kind:
                keys.append(f"{name}={shape or kind}")
        constants = [name for name in self.constants if name in named]
        if constants:
            keys.append("const=" + ".".join(constants))
        return " ; ".join(s.text() for s in self.statements) + " : " + ",".join(keys)

    def given(self):
        """Given tensors in the order in which the spec's text names them."""
        made = {s.tensor for s in self.statements}
        names = re.findall(r"([A-Z]\w*)\[", self.text())
        return [n for n in dict.fromkeys(names) if n not in made]

    def outputs(self):
        text = self.text().split(" : ")[0]
        return [s.tensor for s in self.statements
                if len(re.findall(rf"\b{s.tensor}\[", text)) == 1]

    def compute(self, inputs, real):
        tensors = dict(inputs)
        made = {}
        for s in self.statements:
            value = Run(self, s, tensors, real).made()
            kind = self.types[s.tensor]
            if KINDS[kind] == "integer":
                made[s.tensor] = value.astype(np.float64)
                # Integers wrap, which doubles do not.
                tensors[s.tensor] = np.where(np.abs(value) < 2.0**53, value, np.nan)
            elif kind == "f16":
                tensors[s.tensor] = value.astype(np.float16 if real is np.float32 else real)
            else:
                tensors[s.tensor] = value.astype(bool if kind == "bool" else real)
        return [made.get(name, tensors[name]) for name in self.outputs()]


def disagreement(region, inputs, outputs):
    """Nothing where outputs are numpy's, else what differs."""
    expected = region.compute(inputs, np.float64)
    narrow = region.compute(inputs, np.float32)
    for k, (want, single, found) in enumerate(zip(expected, narrow, outputs)):
        if list(found.shape) != list(want.shape):
            return f"output {k} has shape {list(found.shape)}, expected {list(want.shape)}"
        want, single, found = (np.asarray(x).astype(np.float64) for x in (want, single, found))
        known = ~np.isnan(want) & ~np.isnan(single)
        finite = known & np.isfinite(want) & np.isfinite(single)
        if not np.array_equal(want[known & ~finite & np.isinf(want) & np.isinf(single)],
                              found[known & ~finite & np.isinf(want) & np.isinf(single)]):
            return f"output {k}: other infinities"
        if not finite.any():
            continue
        largest = np.abs(want[finite]).max()
        rounding = np.abs(want[finite] - single[finite]).max()
        bound = 2e-5 * largest + 30 * rounding + 1e-30
        if region.types[region.outputs()[k]] == "f16":
            bound += 1e-3 * largest
        if KINDS[region.types[region.outputs()[k]]] == "integer":
            bound = 0
        with np.errstate(invalid="ignore"):
            off = ~(np.abs(found - want) <= bound) & finite
        if off.any():
            at = tuple(int(i) for i in np.argwhere(off)[0])
            return (f"output {k}{list(at)} is {found[at]:.9g}, expected {want[at]:.9g}; "
                    f"{int(off.sum())} of {off.size} differ")
    return None
