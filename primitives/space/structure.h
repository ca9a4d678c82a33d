// SPDX-License-Identifier: Apache-2.0
//
// Structure: what the accesses of a computation say about its axes; the only thing that spaces,
// decoding and the default rule look at, so that no operator has a template of its own.
//
//   Y[n, o, h, w] += X[n, i, h + kh - 1, w + kw - 1] * W[o, i, kh, kw]
//     o       column   output axis that X does not have: the vector axis: coefficient 1 everywhere
//     n h w   rows     output axes of X that W does not have: one value of X meets a vector of W
//     i       pure     reduction sharing no index with an output axis: unrolled, inner, outer (the
//                      longest of several; the others count as windows)
//     kh kw   window   reductions that do: looped or unrolled
// Where a stride divides an index (transposed convolutions), its axis is cut at the stride first,
// and everything else counts in what lies above that cut:
//
//   X[n, i, (h - kh + 1) div 2] where 0 <= (h - kh + 1) mod 2 < 1  *  W[i, o, kh]
//     h = 2*h' + h.1, kh = 2*kh' + ((h.1 + 1) mod 2)       the window's low digit follows the phase
//   X[n, i, h' - kh' + ((h.1 + 1) div 2)]  *  W[i, o, 2*kh' + ((h.1 + 1) mod 2)]
//     h.1     phase    a dense convolution for each of its values; a loop outside all others, or
//                      unrolled in the register tile
//
//   gmm's b, groups and depthwise channels are shared (every tensor has them): an outer loop, or
//   the vector axis, X meeting W lane by lane.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/merged_dims.h"

namespace dovetail {

enum class AxisClass : uint8_t { row, column, shared, phase, pure, window };

struct StructureAxis {
  std::string name;
  int64_t extent = 1;
  AxisClass kind = AxisClass::row;
  bool sliding = false;  // an input index adds a window to it
  // Elements of the computation's axis per element of this one: the stride, where it is cut there.
  int64_t phases = 1;
  std::string phase_of;  // of a window whose low digit follows a phase: the output axis, h
  bool merged = false;   // a row that several dims run as (Structure::merged)
  // Stored whole, its last tile is cut short: a row, or channels that are no whole vectors.
  bool ends = false;
};

struct Structure {
  Computation computation;          // its accesses over the axes below
  std::string stage = {};           // that computes it; empty: no other stage may run inside
  std::vector<StructureAxis> axes;  // in the computation's order, extent 1 included
  std::string vector_axis;          // empty: every output axis has extent 1
  int64_t lanes = 1;                // of its vectors; at most the target's
  int64_t max_vectors = 4;          // side by side in the register tile
  std::vector<std::string>
      tiled;  // output axes that have a register tile: rows (outermost first), then the vector axis
  std::vector<std::string> outer;           // every output axis with more than one element
  std::vector<std::string> outermost = {};  // those of them whose loops stay outside all others
  // Row axes whose outer loops may be those of a later stage (winograd/bands.h).
  std::vector<std::string> bands = {};
  bool weights_inside = false;  // transformed in rounds of the product (winograd/inner_weights.h)
  std::string pure;             // the pure reduction, empty when its extent is 1
  std::vector<std::string> windows;  // window axes with more than one tap
  std::vector<std::string> phased;   // output axes that are cut at a stride
  int64_t max_accumulators = 12;     // vectors of the register tile
  // The sum is made by pairs along the pure reduction, whose unrolled part steps along it so far.
  std::optional<algorithm::Pairs> pairs = {};
  bool splits_reduction = false;  // outputs are too few for the target's threads
  // Threads share none of its loops: it runs inside another stage, or others run inside it.
  bool serial = false;
  // Row axes whose last tile is cut short, where the storage of another stage is not to be padded.
  std::vector<std::string> ragged = {};
  // Dims that the computation has as one: rows of theirs, ragged, that no layout cuts.
  DimPairs merged = {};
  // False: the output's elements are narrower than a sum must be (f16), so no sum may wait in it.
  bool sums_fit_output = true;

  std::span<const Access> inputs() const { return element_reads(computation); }
  const std::string& output() const { return computation.output.tensor; }
  const Tensor& tensor(const std::string& name) const { return tensor_named(computation, name); }
  const StructureAxis& axis(const std::string& name) const;
  StructureAxis& axis(const std::string& name);
  bool is_output(const std::string& axis) const;       // a row, a column or shared
  bool tiles_channels(const std::string& axis) const;  // a column, or shared and the vector axis
};

// `vector_axis`: the only output axis that vectors may run over, where that is fixed; without it
// the best one is taken.
Result<Structure> derive_structure(const Computation& computation, const Target& target,
                                   const std::optional<std::string>& vector_axis = std::nullopt);

std::string phase_name(const std::string& axis);  // h.1 of h

bool access_has(const Access& access, const std::string& axis);  // in any of its indices

// Output axes of more than one element that are rows, and not the vector axis.
std::vector<std::string> row_axes(const Structure& structure);

double terms_of(const Structure& structure);  // multiply-adds of an element of the output

// A tensor of the computation takes so many bytes in f32, without any padding.
int64_t bytes_of(const Structure& structure, const std::string& tensor);
int64_t operand_bytes(const Structure& structure);  // of what it reads and makes

// Smallest and largest value of an input's index when each output axis runs to its padded extent.
Range index_range(const IndexExpr& index, const Structure& structure,
                  const std::map<std::string, int64_t>& padded_extents);

}  // namespace dovetail
