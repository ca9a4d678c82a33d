// SPDX-License-Identifier: Apache-2.0
//
// Streams: what the accesses of a region without a product say about its loops: nothing in it is
// read often enough for tiles of two axes, so vectors, rows that hide latencies, and what is made
// inside what are all there is to choose.
//
//   M[i] max= S[i,j]; E[i,j] = exp(S[i,j]-M[i]); D[i] = 1/sum(E[i,j]); Y[i,j] = E[i,j]*D[i]
//     stage   axes            vectors along                made inside
//     M       i   j summed    j: each lane has a maximum   Y, at i
//     E       i   j           j                            Y, at i
//     D       i   j summed    j                            Y, at i
//     Y       i   j           j                            -           rows: i, which all have
//
// Axes are runs of dimensions that always lie together (axis_runs.h); layouts fuse them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/streams/axis_runs.h"
#include "primitives/space/streams/stream_layouts.h"

namespace dovetail {

struct StreamAxis {
  std::string loop;                    // c_d
  std::vector<std::string> axes = {};  // of the computation, outermost first: c, d
  int64_t extent = 1;
  bool reduction = false;
  int run = AxisRuns::kNone;  // the same in every stage that has it
  AxisPart part = AxisPart::whole;
  bool is_bounded = false;    // bounds that choose between values speak of it
  int64_t cut = 0;            // they and the axis end at multiples of it; 0: none is worth a loop
  bool decides = false;       // an index that data choose depends on it
  bool is_scattered = false;  // its tensor is read at several places along it, A[i] and A[j/2]

  bool is_broken() const;  // there is no telling where its bounds hold but element by element
};

// Neighbours along an axis are so many elements apart; nothing where that is not one number.
using StreamStrides = std::vector<std::optional<int64_t>>;

// How vectors run: along an axis that is stored side by side, or along the axis by which elements
// that are only moved are read while they are written along another: in tiles that are transposed
// in registers, or pass through the local memory of a device.
struct VectorChoice {
  std::optional<size_t> axis;    // of the stage; nothing: no vectors
  std::optional<size_t> across;  // the output's innermost axis, where it is another one
  friend bool operator==(const VectorChoice&, const VectorChoice&) = default;
};

struct StreamStage {
  std::string name;
  std::string tensor;     // that it makes
  std::string copied;     // the tensor whose elements it moves, of a copy
  bool moves = false;     // its elements are those of its inputs: a copy, or several by bounds
  bool is_parted = true;  // loops can be cut where its bounds end
  // Output axes as they are stored, outermost first, then reductions.
  std::vector<StreamAxis> axes;
  std::vector<std::string> chosen;  // loops that data choose
  StreamStrides stored;
  std::vector<StreamStrides> read;
  bool is_real = false;      // its elements are real numbers
  bool is_costly = false;    // an exponential or the like for each element
  bool may_vanish = false;   // it could stand where it is read
  bool moves_alike = true;   // wherever it is read: a round of a reader's loops reads one box of it
  bool is_read_once = true;  // at one place by each reader: that box has the extents of the tensor
  std::string root;          // the stage in whose kernel it may be made; its own name: none
  std::vector<std::string> readers = {};   // stages
  std::vector<VectorChoice> vectors = {};  // the best first, no vectors at all the last
  int64_t output_bytes = 0;

  bool reduces() const;
  // What data choose changes inside the sum then, where the loops that a stage has at first have
  // it.
  bool is_chosen_by_a_reduction() const;
  bool is_inner() const { return root != name; }
  size_t output_axes() const;
};

struct Streams {
  std::vector<TensorLayout> layouts;
  std::vector<StreamStage> stages;  // in the region's order
  int64_t bytes = 0;                // of all tensors that cross the region's border

  const StreamStage& stage(const std::string& name) const;
  // Output axes of the root that everything which may be made inside it has, too: positions.
  std::vector<size_t> common_axes(const StreamStage& root) const;
};

// `blocked`: the dimension of the first output, by name, of which blocks of a vector lie innermost
// in every tensor that has it; empty: none.
Streams derive_streams(const Region& region, const Target& target, const std::string& blocked = "");

// The dimension that is worth storing in such blocks, if there is one: of one reduction whose
// vectors fit no output axis as it is.
std::string axis_worth_blocking(const Region& region, const Target& target);

}  // namespace dovetail
