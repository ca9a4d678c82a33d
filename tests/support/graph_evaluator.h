// SPDX-License-Identifier: Apache-2.0
#pragma once

// The reference for imported models: runs a small graph on the host, in double, straight from the
// definitions. Complex operators go to a runner, so that generated kernels can take their place.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/operator/operator.h"

namespace dovetail::testing {

using Floats = std::vector<float>;
using Operands = std::map<Operand, Floats>;  // row-major, in their logical shapes
using OperatorRunner = std::function<Result<Floats>(const Operator&, const Operands&)>;

// The direct definition: plain loops over outputs and taps.
Result<Floats> run_directly(const Operator& op, const Operands& operands);

// Values of graph.outputs for values of graph.inputs. Besides complex operators it knows Add, Sub,
// Mul and Div with broadcasting, Relu, Sigmoid, Tanh, Neg, and what only reshapes.
Result<std::vector<Floats>> evaluate(const Graph& graph, const std::vector<Floats>& inputs,
                                     const OperatorRunner& runner = run_directly);

}  // namespace dovetail::testing
