// SPDX-License-Identifier: Apache-2.0
//
// Plan: the loops of a region without a product, derived from its accesses. Nothing is reused
// enough for tiles of two axes, so that the only choices are vectors, rows that hide latencies, and
// which stage is computed inside which.
//
//   M[i] max= S[i,j]; E[i,j] = exp(S[i,j]-M[i]); D[i] = 1/sum(E[i,j]); Y[i,j] = E[i,j]*D[i]
//     stage   axes            vectors along                made inside
//     M       i   j summed    j: each lane has a maximum   Y, at i
//     E       i   j           j                            Y, at i
//     D       i   j summed    j                            Y, at i
//     Y       i   j           j                            -           rows: i, which all have
//
// Axes are runs of dimensions that are always adjacent (axis_runs.h); layouts fuse them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/memory_bound/axis_runs.h"
#include "primitives/space/memory_bound/region_layouts.h"

namespace dovetail::memory_bound {

struct StageAxis {
  std::string loop;                    // c_d
  std::vector<std::string> axes = {};  // the computation's axes, outermost first: c, d
  int64_t extent = 1;
  bool reduction = false;
  int run = AxisRuns::kNone;  // the same in every stage that has it
  AxisPart part = AxisPart::whole;
  bool is_bounded = false;    // bounds of selects mention it
  int64_t cut = 0;            // its bounds and end are at multiples of it; 0: not worth a loop
  bool decides = false;       // a data-dependent index depends on it
  bool is_scattered = false;  // its tensor is read at several places along it, A[i] and A[j/2]

  bool is_broken() const;  // its bounds must be tested for each element
};

// Elements between neighbours along each axis; nullopt where that varies.
using Strides = std::vector<std::optional<int64_t>>;

// How vectors run: along a contiguous axis or, where a copy reads along one axis and writes along
// another, along the one that is read: in tiles that are transposed in registers, or that pass
// through the local memory of a device.
struct VectorChoice {
  std::optional<size_t> axis;    // axis of the stage; nullopt: no vectors
  std::optional<size_t> across;  // the output's innermost axis, in a transposing copy
  friend bool operator==(const VectorChoice&, const VectorChoice&) = default;
};

struct Stage {
  std::string name;
  std::string tensor;     // its output
  std::string copied;     // source tensor, if it is a copy
  bool moves = false;     // computes nothing: a copy, or several copies selected by bounds
  bool is_parted = true;  // loops can be cut where its bounds end
  // Output axes as they are stored, outermost first, then reductions.
  std::vector<StageAxis> axes;
  std::vector<std::string> gathers;  // data-dependent loops
  Strides stored;
  std::vector<Strides> read;
  bool is_real = false;      // its elements are real numbers
  bool is_costly = false;    // computes an exponential or the like for each element
  bool may_vanish = false;   // it can be inlined
  bool moves_alike = true;   // a round of any reader's loops reads one box of it
  bool is_read_once = true;  // each reader reads it at one place: the box has the tensor's extents
  std::string root;          // the stage in whose kernel it may be computed; its own name: none
  std::vector<std::string> readers = {};   // names of stages
  std::vector<VectorChoice> vectors = {};  // best first; the last is no vectors
  int64_t output_bytes = 0;

  bool reduces() const;
  // Whether data-dependent indices change inside a reduction; such a stage keeps its initial loops.
  bool gathers_by_a_reduction() const;
  bool is_inner() const { return root != name; }
  size_t output_axes() const;
};

struct Plan {
  std::vector<TensorLayout> layouts;
  std::vector<Stage> stages;  // in the region's order
  int64_t bytes = 0;          // all tensors that cross the region's border

  const Stage& stage(const std::string& name) const;
  // Positions of the root's output axes that every stage which may be computed inside it shares.
  std::vector<size_t> common_axes(const Stage& root) const;
};

// `blocked`: name of the dimension of the first output that is stored innermost, in blocks of one
// vector, in every tensor that has it; empty: none.
Plan derive_plan(const Region& region, const Target& target, const std::string& blocked = "");

// The dimension that is worth storing in such blocks, or empty: only for a single reduction without
// a vectorizable output axis.
std::string axis_worth_blocking(const Region& region, const Target& target);

// memory_bound_space.h has the order of the loops.
Trace decode(const Plan& plan, const Target& target, const Choices& choices);

}  // namespace dovetail::memory_bound
