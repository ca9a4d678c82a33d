// SPDX-License-Identifier: Apache-2.0
//
// Region: the unit of scheduling: one or several named computations in topological order.
//
//     region of a convolution        the computation of Y, anchor c2d
//     region of a softmax            computations of M, E, D and Y; no anchor
//
// Tensors that computations of the region produce are inner, unless they are also `outputs`; all
// others cross its border. The anchor is the computation whose layout is worth tuning, named like
// its stage; `loops:` without a name in a trace refers to it.
//
// Why a single operator is a region of one computation and not a type of its own: spaces,
// schedules, references and logs then handle one type, and fusion only adds computations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/operator/operator.h"

namespace dovetail {

struct NamedComputation {
  std::string name;  // its stage's: the operator's kind, or the output tensor
  Computation computation;
  friend bool operator==(const NamedComputation&, const NamedComputation&) = default;
};

struct Region {
  std::vector<NamedComputation> computations;
  std::vector<std::string> outputs;  // tensors, in the order of their computations
  std::string anchor;                // a computation's name; empty: none
  std::optional<Operator> op = {};   // the operator that the region consists of, if it is one
  friend bool operator==(const Region&, const Region&) = default;
};

// The region of one operator; its anchor is the operator itself, named after its kind.
Region region_of(const Operator& op);

// The computation that the anchor names; null: none.
const Computation* anchor_of(const Region& region);

// True if one of the region's computations produces the tensor.
bool is_made(const Region& region, const std::string& tensor);
// True if the region produces the tensor for its own use only.
bool is_inner(const Region& region, const std::string& tensor);

// Every tensor once, in the order in which the computations first name them.
std::vector<Tensor> tensors_of(const Region& region);
// Its inputs and constants, which no computation produces.
std::vector<Tensor> given_tensors(const Region& region);

}  // namespace dovetail
