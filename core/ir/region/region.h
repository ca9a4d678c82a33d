// SPDX-License-Identifier: Apache-2.0
//
// Region: what is scheduled together: one or several named computations, in an order in which each
// one stands after those that it reads.
//
//     region of a convolution        the computation of Y, anchor c2d
//     region of a softmax            computations of M, E, D and Y; no anchor
//
// Tensors that a computation of the region makes and another one reads are inner, unless they are
// asked for as well (`outputs`); all others cross its border. The anchor is the computation whose
// layout is worth tuning, named as its stage is: `loops:` in a trace speaks of it.
//
// Why a single operator is the region of one and no type of its own: spaces, schedules, references
// and logs then know one thing, and fusion is a matter of what is in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/operator/operator.h"

namespace dovetail {

struct NamedComputation {
  std::string name;  // of its stage: the operator's kind, or the tensor that it makes
  Computation computation;
  friend bool operator==(const NamedComputation&, const NamedComputation&) = default;
};

struct Region {
  std::vector<NamedComputation> computations;
  std::vector<std::string> outputs;  // tensors, in the order of what makes them
  std::string anchor;                // a computation's name; empty: none
  std::optional<Operator> op = {};   // the kind that spells it, if one does
  friend bool operator==(const Region&, const Region&) = default;
};

// The region of one operator; its anchor is the operator itself, called after its kind.
Region region_of(const Operator& op);

// Made by one of its computations.
bool is_made(const Region& region, const std::string& tensor);
// Made by the region for itself.
bool is_inner(const Region& region, const std::string& tensor);

// Every tensor once, in the order in which the computations first name them.
std::vector<Tensor> tensors_of(const Region& region);
// Its inputs and constants, which no computation makes.
std::vector<Tensor> given_tensors(const Region& region);

}  // namespace dovetail
