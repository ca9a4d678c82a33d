# SPDX-License-Identifier: Apache-2.0
"""Random regions, and inputs for them: scripts/random-regions."""

import numpy as np

from regions import INTEGERS, KINDS, REALS, Index, Node, Region, Statement

MOST_POINTS = 60_000  # of a statement
MOST_TENSORS = 40  # with which an index is still chosen by data, which are read by further indices


class Draw:
    """Draws a region."""

    def __init__(self, rng):
        self.rng = rng
        names = "abcdef"[:rng.integers(2, 6)]
        self.extents = {n: int(rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 32, 33]))
                        for n in names}
        self.shapes, self.types, self.stated, self.made = {}, {}, set(), {}
        self.reads = {}  # of each given tensor: ranges of each index
        self.choosing = []
        self.scope = []  # axes that may be used
        self.number = 0

    def one_in(self, n):
        return self.rng.integers(n) == 0

    def pick(self, items):
        return items[int(self.rng.integers(len(items)))]

    def region(self):
        statements = []
        for k in range(int(self.pick([1, 1, 2, 2, 3, 4]))):
            statements.append(self.statement(f"Y{k}"))
        for name, reach in self.reads.items():
            self.finish_shape(name, reach)
        constants = [n for n in self.shapes if self.one_in(5)]
        return Region(self.extents, statements, self.shapes, self.types, self.stated,
                      sorted(constants), self.choosing)

    def finish_shape(self, name, reach):
        """Mostly as far as it is read, now and then less or more: then the spec says so."""
        shape = [max(1, high + 1) for _, high in reach]
        if self.one_in(3):
            shape = [max(1, int(n + self.rng.integers(-3, 2))) for n in shape]
            self.stated.add(name)
        self.shapes[name] = shape

    def statement(self, name):
        axes = sorted(self.rng.choice(list(self.extents), int(self.rng.integers(
            0 if self.one_in(20) else 1, min(4, len(self.extents) + 1))), replace=False))
        axes = [str(a) for a in axes]
        self.rng.shuffle(axes)
        others = [a for a in self.extents if a not in axes]
        reducer = self.pick(["sum", "sum", "max", "min", "prod"]) if others and \
            not self.one_in(3) else None
        reduced = []
        if reducer:
            count = int(self.rng.integers(1, min(3, len(others)) + 1))
            reduced = [str(a) for a in self.rng.choice(others, count, replace=False)]
        while np.prod([self.extents[a] for a in axes + reduced], dtype=float) > MOST_POINTS:
            longest = max(axes + reduced, key=self.extents.get)
            if longest in axes:
                axes.remove(longest)
            else:
                reduced.remove(longest)
        if reducer and not reduced:
            reducer = None
        # A dead axis is in no operand; of those that are reduced one at least is used.
        live = [a for a in axes if not self.one_in(6)]
        self.scope = live + reduced
        integer = self.one_in(8)
        element = self.value("integer" if integer else "real", 3)
        for axis in reduced:
            if axis not in element.axes():
                element = Node("*", "real", [self.as_real(element), self.factor(axis)])
        if element.kind == "integer" and reducer:
            element = Node("real", "real", [element]) if self.one_in(2) else element
        if reducer == "prod":
            element = Node("+", "real", [Node("number", "real", number=1.0), Node("*", "real", [
                Node("number", "real", number=0.25), Node("tanh", "real",
                                                          [self.as_real(element)])])])
        self.scope = live
        result = None
        if reducer and self.one_in(2):
            result = self.around(self.as_real(Node("reduced", element.kind)))
        elif not reducer and element.kind == "real":
            element = self.around(element)
        kind = element.kind if result is None else "real"
        if reducer is None and self.one_in(12):
            element, kind = Node("integer", "integer", [Node("floor", "real", [Node(
                "*", "real", [self.read("real", plain=True), Node("number", "real", number=8.0)])])]), \
                "integer"
        self.types[name] = {"integer": "i64", "real": self.pick(["f32"] * 12 + ["f64"])}[kind]
        self.made[name] = axes
        return Statement(name, axes, element, reducer, result)

    def factor(self, axis):
        """A read of a new tensor along the axis, so that it is used."""
        return self.read("real", must=axis)

    def as_real(self, node):
        return node if node.kind == "real" else Node("real", "real", [node])

    def around(self, node):
        """What bounds a value, so that a later statement may read it."""
        value = Node("tanh", "real", [Node("*", "real", [node, Node("number", "real",
                                                                    number=0.125)])])
        if self.one_in(2):
            value = Node(self.pick("+-"), "real", [value, self.value("real", 1)])
        return value

    def value(self, kind, depth):
        if kind == "integer":
            return self.integer(depth)
        if depth == 0 or self.one_in(5):
            return self.leaf()
        left = self.value("real", depth - 1)
        choice = int(self.rng.integers(16))
        number = Node("number", "real", number=float(self.pick([0.5, 0.25, 2.0, -1.5, 3.0, 0.125])))
        if choice < 5:
            return Node(self.pick("++-**"), "real", [left, self.value("real", depth - 1)])
        if choice < 7:
            return Node(self.pick(["min", "max"]), "real", [left, self.value("real", depth - 1)])
        if choice < 9:
            return Node(self.pick("+*-"), "real", [left, number])
        positive = Node("+", "real", [Node("abs", "real", [left]), Node("number", "real",
                                                                        number=0.5)])
        if choice == 9:
            return Node(self.pick(["log", "sqrt", "rsqrt"]), "real", [positive])
        if choice == 10:
            return Node("/", "real", [self.value("real", depth - 1), positive])
        if choice == 11:
            return Node("pow", "real", [positive, Node("tanh", "real", [left])])
        if choice == 12:
            return Node("select", "real", [left, self.value("real", depth - 1)],
                        bounds=self.bounds())
        if choice == 13:
            truth = Node(self.pick(["<", "<=", "=="]), "boolean",
                         [self.integer(1), Node("number", "integer", number=int(
                             self.rng.integers(-3, 4)))])
            return Node("choose", "real", [truth, left, self.value("real", depth - 1)])
        if choice == 14:
            return Node("clip", "real", [left, Node("number", "real", number=-0.75),
                                         Node("number", "real", number=1.5)])
        return Node(self.pick(["tanh", "erf", "sin", "cos", "atan", "abs", "relu", "sigmoid",
                               "silu", "gelu", "relu6"]), "real", [left])

    def leaf(self):
        choice = int(self.rng.integers(12))
        if choice == 0:
            return Node("real", "real", [self.integer(1)])
        if choice == 1 and self.scope:
            return Node("*", "real", [Node("real", "real", [Node("index", "integer", indices=[
                Index([(1, self.pick(self.scope))])])]), Node("number", "real", number=0.25)])
        return self.read("real")

    def integer(self, depth):
        if depth == 0 or self.one_in(3):
            if self.one_in(8) and self.scope:
                return Node("index", "integer", indices=[Index([(int(self.rng.integers(
                    1, 3)), self.pick(self.scope))], int(self.rng.integers(-2, 3)))])
            return self.read("integer")
        left = self.integer(depth - 1)
        choice = int(self.rng.integers(7))
        number = Node("number", "integer", number=int(self.rng.integers(-4, 6)))
        if choice < 2:
            return Node(self.pick("+-*"), "integer", [left, number])
        if choice < 4:
            return Node(self.pick(["+", "-", "min", "max"]), "integer",
                        [left, self.integer(depth - 1)])
        if choice == 4:
            return Node("abs", "integer", [left])
        if choice == 5 and self.scope:
            return Node("select", "integer", [left, self.integer(depth - 1)], bounds=self.bounds())
        return Node("quotient", "integer", [left, Node("number", "integer", number=int(
            self.pick([2, 3, -2, 5])))])

    def bounds(self):
        if not self.scope:
            return Index(), "<", 1
        axis = self.pick(self.scope)
        extent = self.extents[axis]
        index = Index([(1, axis)])
        if self.one_in(3):
            index = Index([(1, axis)], divisor=int(self.pick([2, 3])), is_mod=True)
            return index, self.pick(["<", "=="]), 1
        return index, self.pick(["<", "<=", "=="]), int(self.rng.integers(0, extent + 1))

    def read(self, kind, must=None, plain=False):
        """Of a tensor that is made, or a new one, or one that was read before."""
        kinds = {"real": ["f32"] * 9 + ["f16", "f64"], "integer": list(INTEGERS)}[kind]
        old = [n for n in self.made if KINDS[self.types[n]] == kind]
        if old and not must and not plain and not self.one_in(3):
            name = self.pick(old)
            return Node("read", kind, tensor=name, outside=self.outside(kind),
                        indices=[self.index_within(self.extents[a]) for a in self.made[name]])
        self.number += 1
        name = f"{'ABCDEFGHJK'[self.number % 10]}{self.number}"
        dims = int(self.pick([0, 1, 1, 2, 2, 3])) if self.scope else 0
        indices = [self.index() for _ in range(dims)]
        if must:
            indices.append(Index([(1, must)]))
        if not indices:
            indices = [Index(constant=int(self.rng.integers(0, 2)))]
        node = Node("read", kind, tensor=name, indices=indices,
                    outside=None if plain else self.outside(kind))
        self.types[name] = self.pick(kinds)
        self.reads[name] = [self.reach(i) for i in indices]
        if any(i.divisor for i in indices):
            self.stated.add(name)
        return node

    def outside(self, kind):
        if not self.one_in(8):
            return None
        return float(self.pick([0, 1, -1, 7] if kind == "integer" else [0, 1, -2, 0.5]))

    def reach(self, index):
        if index.chosen is not None:
            return index.low + index.constant, index.high + index.constant
        low = index.constant + sum(min(0, c * (self.extents[a] - 1)) for c, a in index.terms)
        high = index.constant + sum(max(0, c * (self.extents[a] - 1)) for c, a in index.terms)
        if index.divisor:
            return (0, index.divisor - 1) if index.is_mod else (low // index.divisor,
                                                                high // index.divisor)
        return low, high

    def index(self):
        choice = int(self.rng.integers(12))
        axis = self.pick(self.scope)
        if choice < 6:
            return Index([(1, axis)])
        if choice < 8 and len(self.scope) > 1:
            other = self.pick([a for a in self.scope if a != axis])
            return Index([(int(self.pick([1, 1, 2])), axis), (1, other)],
                         int(self.rng.integers(-2, 2)))
        if choice == 8:
            return Index([(int(self.pick([1, 2, 3])), axis)], int(self.rng.integers(-2, 3)))
        if choice == 9:
            return Index([(1, axis)], int(self.rng.integers(0, 3)), int(self.pick([2, 3, 4])),
                         self.one_in(2))
        if choice >= 10 and self.number < MOST_TENSORS:
            return self.chosen(int(self.pick([1, 3, 8, 16, 40])))
        return Index([(1, axis)])

    def chosen(self, extent):
        low = int(self.rng.integers(0, 2))
        depth = 0 if self.one_in(2) else 1
        node = self.integer(depth)
        self.note_choosing(node)
        return Index(chosen=node, low=low, high=low + extent - 1)

    def note_choosing(self, node):
        if node.op == "read":
            self.choosing.append(node)
        for arg in node.args:
            self.note_choosing(arg)

    def index_within(self, extent):
        """Into a dimension of a tensor that is made: near its ends, or by data."""
        fitting = [a for a in self.scope if self.extents[a] == extent]
        if fitting and not self.one_in(4):
            return Index([(1, self.pick(fitting))], int(self.pick([0, 0, 0, -1, 1])))
        if self.one_in(2) or not self.scope:
            return self.chosen(extent) if self.scope else Index(constant=0)
        return Index([(1, self.pick(self.scope))], int(self.rng.integers(-1, 2)))


def random_region(rng):
    while True:
        try:
            region = Draw(rng).region()
        except RecursionError:  # indices that data choose, of tensors at indices that data choose, …
            continue
        if len(region.text()) < 3000 and region.outputs():
            return region


def inputs_of(region, rng):
    arrays = {}
    for name in region.given():
        shape, kind = region.shapes[name], region.types[name]
        if KINDS[kind] == "integer":
            low, high = (0, 12) if kind.startswith("u") else (-9, 12)
            arrays[name] = rng.integers(low, high, shape).astype(INTEGERS[kind])
        else:
            arrays[name] = rng.uniform(-1, 1, shape).astype(np.float32).astype(REALS[kind])
            if kind == "f64":
                arrays[name] = arrays[name].astype(np.float32).astype(np.float64)
    return arrays
