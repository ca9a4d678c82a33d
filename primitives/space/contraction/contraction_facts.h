// SPDX-License-Identifier: Apache-2.0
//
// ContractionFacts: the axes of a computation, classified by its accesses. The common rule for
// contractions looks at nothing else of an operator, so that none has a template of its own.
//
//   Y[n, o, h, w] += X[n, i, h + kh - 1, w + kw - 1] * W[o, i, kh, kw]
//     o       column   output axis that X lacks: the vector axis: coefficient 1 everywhere
//     n h w   rows     output axes of X that W lacks: one value of X multiplies a vector of W
//     i       pure     reduction sharing no index with an output axis: split into unrolled, inner
//                      and outer parts (the longest of several; the others count as windows)
//     kh kw   window   reductions that share one: looped or unrolled
// Where a stride divides an index (transposed convolutions), its axis is first split at the stride,
// and all sizes count iterations of the outer part:
//
//   X[n, i, (h - kh + 1) div 2] where 0 <= (h - kh + 1) mod 2 < 1  *  W[i, o, kh]
//     h = 2*h' + h.1, kh = 2*kh' + ((h.1 + 1) mod 2)       the window's low digit follows the phase
//   X[n, i, h' - kh' + ((h.1 + 1) div 2)]  *  W[i, o, 2*kh' + ((h.1 + 1) mod 2)]
//     h.1     phase    a dense convolution for each of its values; a loop outside all others, or
//                      unrolled in the register tile
//
//   gmm's b, groups and depthwise channels are shared (every tensor has them): an outer loop, or
//   the vector axis, with X and W multiplied lane by lane.
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
#include "primitives/space/contraction/merged_dims.h"

namespace dovetail {

enum class AxisClass : uint8_t { row, column, shared, phase, pure, window };

// The last tile of an axis that its tiles do not divide.
enum class AxisTail : uint8_t {
  padded,
  cut_untiled,  // cut where the axis is stored untiled: rows, or channels not in whole vectors
  cut,          // always cut, because padding would reach the storage of another stage
};

struct ContractionAxis {
  std::string name;
  int64_t extent = 1;
  AxisClass kind = AxisClass::row;
  bool sliding = false;  // an input index adds a window to it
  // Elements of the computation's axis per element of this one: the stride if split there, else 1.
  int64_t phases = 1;
  std::string phase_of;  // output axis, h, whose phase this window's low digit follows
  bool merged = false;   // a row that iterates several dims, which no layout splits
  AxisTail tail = AxisTail::padded;
};

struct ContractionFacts {
  Computation computation;            // its accesses over the axes below
  std::vector<ContractionAxis> axes;  // in the computation's order, extent 1 included
  std::string vector_axis;            // empty: every output axis has extent 1
  int64_t lanes = 1;                  // lanes per vector, at most the target's
  // Neighbouring work-items take neighbouring vectors, so that those of one register tile are a
  // cache tile of vectors apart; on threads the vectors of a tile are neighbours.
  bool strided_vectors = false;
  std::vector<std::string>
      tiled;  // output axes that have a register tile: rows (outermost first), then the vector axis
  std::vector<std::string> outer;    // every output axis with more than one element
  std::string pure;                  // the pure reduction, empty when its extent is 1
  std::vector<std::string> windows;  // window axes with more than one tap
  std::vector<std::string> phased;   // output axes that are cut at a stride
  DimPairs merged = {};              // dims that the computation iterates as one axis

  std::span<const Access> inputs() const { return element_reads(computation); }
  const std::string& output() const { return computation.output.tensor; }
  const Tensor& tensor(const std::string& name) const { return tensor_named(computation, name); }
  const ContractionAxis& axis(const std::string& name) const;
  bool is_output(const std::string& axis) const;  // a row, a column or shared
  bool is_strided(const std::string& axis) const { return strided_vectors && axis == vector_axis; }
  bool tiles_channels(const std::string& axis) const;  // a column, or shared and the vector axis
};

// `vector_axis`: the only output axis that vectors may run over; without it the best one is chosen.
Result<ContractionFacts> derive_facts(const Computation& computation, const Target& target,
                                      const std::optional<std::string>& vector_axis = std::nullopt);

// The same axes with another tail, and with other extents: those of a part that a loop around
// everything else computes.
ContractionFacts with_tails(ContractionFacts facts, const std::vector<std::string>& axes,
                            AxisTail tail);
ContractionFacts in_part(ContractionFacts facts, const std::map<std::string, int64_t>& extents);

// Where a point's loops cut an axis that is tiled, in elements, but for vectors: at the register
// tile and at the cache tile; at neighbouring vectors of work-items where vectors are strided.
std::vector<int64_t> tile_cuts(const ContractionFacts& facts, const std::string& axis, int64_t tile,
                               int64_t cache);

std::string phase_name(const std::string& axis);  // h.1 for h

bool access_has(const Access& access, const std::string& axis);  // in any of its indices

// Output axes of more than one element that are rows, and not the vector axis.
std::vector<std::string> row_axes(const ContractionFacts& facts);

// Whether partial sums may be stored in the output: f16 is too narrow.
bool can_hold_sums(const Computation& computation);

double terms_of(const ContractionFacts& facts);  // multiply-adds per output element

// Bytes of a tensor of the computation, without padding.
int64_t bytes_of(const ContractionFacts& facts, const std::string& tensor);
// Bytes of an element of an input by its position: 0 is X, 1 is W.
int64_t element_bytes(const ContractionFacts& facts, size_t input);
int64_t operand_bytes(const ContractionFacts& facts);  // inputs and output

// Smallest and largest value of an input's index when each output axis runs to its padded extent.
Range index_range(const IndexExpr& index, const ContractionFacts& facts,
                  const std::map<std::string, int64_t>& padded_extents);

}  // namespace dovetail
