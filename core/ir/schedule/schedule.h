// SPDX-License-Identifier: Apache-2.0
//
// Schedule: a DAG of stages, every tensor with its layout, every stage with its loop order. It is
// the result of applying a trace, and lowering turns it into a Program.
//
//     schedule of c2d
//     tensor X: f32 activation X[n=1, i=64, …] as …      one line per tensor, with its layout
//     tensor Y: f32 output cropped Y[…] as … [w@1:60] …  stored are the 56 elements of w alone
//     tensor W: … W[k=64, n=64] as [n@1:64] [k@1:64] copied W[…] as [k@1:64] [n@1:64]
//     stage c2d
//       operand X.pad: activation [n=1, i=64, h=56, w=56]
//       axis o in 0..64 = 32*o.0.0 + 16*o.0.1 + o.1      the axis as an expression over the loops
//       axis i in 0..64 sum = 16*i.0 + i.1
//       read X.pad[n, i, h + kh - 1, w + kw - 1]
//       read W[o, i, kh, kw]
//       element read(0) * read(1)
//       reduce sum
//       result max(@, 0)
//       pairs along i of 4 apart 1                       of winograd_inner_product(of=4, apart=1)
//       output Y[n, o, h, w]
//       fused h w = h_w                                  axes that one loop counts
//       loop o.0.0 in 0..2 parallel
//       loop i.0 in 0..4 sum
//       where 0 <= 16*j.0 + j.1 < 1000                   iterations of cut loops that are there
//       stores [2*o.0.0 + o.0.1, 0, h, 7*w.0 + w.1, o.1]
//       registers at w.0                                 `, streaming`: stored past the caches
//       prefetch W at i.0 distance 2
//
// A stage may run inside a loop of its consumer (compute_at), where it computes the part of its
// tensor that one iteration reads; the enclosing loops belong to the consumer and bear its name:
//
//     stage X.pad
//       …
//       axis h in 0..56 = c2d.h + h - 1
//       loop h in 0..3
//       attached to c2d at h private
//       around c2d.h in 0..56 parallel
//       part c2d.h in 0..3                               per physical axis: from where, how long
//       part 0 in 0..58
//       ring axis 0 step 1 ahead 2                       of `roll`; then `around X.pad.round`, too
//
// A stage's loops are variables with extents; each axis of its computation is an expression over
// them (a sum of digits), so that a split or a fuse only rewrites these expressions and never
// searches a loop nest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/operator/computation.h"
#include "core/ir/program/program.h"

namespace dovetail {

struct StageLoop {
  std::string name;
  int64_t extent = 1;
  LoopKind kind = LoopKind::serial;
  ThreadAxis thread = ThreadAxis::group_0;
  bool reduction = false;
  // Position of the computation's gather index that the loop counts; -1: none. Such a loop runs
  // only the iteration `at`, which lowering fills in.
  int gathers = -1;
  std::optional<Value> at = {};
  // The instruction that this loop and those inside are (core/ir/intrinsic); empty: none.
  std::string intrinsic = {};
  // The stage's bounds whose innermost loop is this one; lowering fills them in.
  std::vector<Bound> bounds = {};
  friend bool operator==(const StageLoop&, const StageLoop&) = default;
};

// Each iteration of `loop` prefetches the first elements of `tensor` that the iteration `distance`
// later reads; or, if `of` names a loop around it, a share of the elements that the iteration
// `distance` later of that loop reads.
struct StagePrefetch {
  std::string tensor, loop;
  int64_t distance = 1;
  std::string of = {};
  friend bool operator==(const StagePrefetch&, const StagePrefetch&) = default;
};

// A cache_read: a copy of the part of `tensor` that one iteration of loop `at` reads.
struct CachedRead {
  std::string tensor;
  std::string at;
  TileScope scope = TileScope::private_;
  int64_t copies = 1;  // that rounds use in turn
  int64_t pad = 0;
  int64_t behind = 0;  // copies of earlier rounds, whose instructions may still run
  friend bool operator==(const CachedRead&, const CachedRead&) = default;
};

// A tile that is a circular buffer along one axis of the part, and so keeps the elements that the
// next iteration reads, too: element `p` of iteration t's part is at (step*t + p) mod extent. The
// stage counts iterations of its own by the last of its loops `around`, each of which computes the
// last `step` elements of a part; `ahead` of them precede the consumer's first iteration.
struct Ring {
  size_t axis = 0;
  int64_t step = 1;  // elements by which the part moves per iteration
  int64_t ahead = 1;
  friend bool operator==(const Ring&, const Ring&) = default;
};

// Axes of a stage's computation that a layout or a loop fuses into one mixed-radix number:
// whole = (axes[0]*extent[1] + axes[1])*extent[2] + ….
struct FusedAxes {
  std::vector<std::string> axes;
  IndexExpr whole;  // over the loops
  friend bool operator==(const FusedAxes&, const FusedAxes&) = default;
};

// The place of a stage inside its consumer. The stage's loops run over the part that it computes.
struct Attachment {
  std::string stage, loop;  // loop "root": outside all of that stage's loops
  TileScope scope = TileScope::private_;
  int64_t copies = 1;  // in turn: tiles of the next iterations are filled before this one's use
  std::vector<StageLoop> around;  // named STAGE.LOOP
  // The part's start, over `around`, and its extent, for each physical axis of the stage's output.
  std::vector<IndexExpr> starts;
  std::vector<int64_t> extents;
  // Not 0: the tile has one axis of this many elements, the part's in their order and padding that
  // lets work-items share them evenly. 0: the tile has the part's axes.
  int64_t flat_elements = 0;
  int64_t row_pad = 0;  // padding elements after each row of a local tile
  int64_t behind = 0;   // copies of earlier rounds, whose instructions may still run
  std::optional<Ring> ring = {};
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

// The stage's sum multiplies two of each `of` elements along `axis`, at distance `apart`, as a
// pair, and its result subtracts the terms that this adds
// (primitives/algorithm/winograd_inner_product.h). With two signs, pairs of either sign alternate.
// The element reads the two tensors that it multiplies.
struct PairedSum {
  std::string axis;
  int64_t of = 4;
  int64_t apart = 1;
  int64_t signs = 1;
  friend bool operator==(const PairedSum&, const PairedSum&) = default;
};

// The purpose of a stage:
//   computation   a computation of the region
//   copy          a padding pass or a staged copy
//   transform     multiplies by tables of coefficients
//   partial       the first half of a reduction that rfactor split
enum class StageRole : uint8_t { computation, copy, transform, partial };

struct Stage {
  // The operator's kind for a region of one operator; else the output tensor: X.pad for a padding
  // pass.
  std::string name;
  StageRole role = StageRole::computation;
  Computation computation;       // its tensor names refer to Schedule::tensors
  std::vector<StageLoop> loops;  // outermost first
  // Bounds over the loops, for splits by a factor that does not divide the extent; an iteration in
  // which one fails is skipped.
  std::vector<Bound> bounds = {};
  // The value of each axis of the computation, over loop names.
  std::map<std::string, IndexExpr, std::less<>> axis_values;
  // Kept because the fused number cannot be recovered from the axes' values, its quotients and
  // remainders, once its loop is split at another place.
  std::vector<FusedAxes> fused = {};
  // Physical index of the element stored, one expression over loop names per physical axis of the
  // output: initially just the loops themselves, because they are rebuilt over these axes.
  std::vector<IndexExpr> output_indices;
  // Results of the loops inside this one are accumulated in registers; "root": of all loops.
  std::optional<std::string> cache_write_at;
  bool streaming_stores = false;  // non-temporal stores of the output
  std::vector<StagePrefetch> prefetches;
  std::vector<CachedRead> cached_reads = {};  // until the stages of the copies exist
  std::optional<Attachment> attachment = {};  // none: a kernel of its own
  bool prepares = false;  // run at build time: computes a constant from constants
  std::optional<PairedSum> pairs = {};
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct ScheduledTensor {
  std::string name;    // X, X.pad, W, Y, bias
  std::string tensor;  // logical tensor it holds
  ElementType type = ElementType::f32;
  BufferRole role = BufferRole::activation;
  Layout layout;
  // The value that the producer stores around the tensor's elements, if a consumer reads it.
  std::optional<double> outside = {};
  // Its buffer has no padding: what the producer's loops compute beyond the elements is not stored.
  bool crops = false;
  // The layout of cache_read's copies, where it is not the tensor's.
  std::optional<Layout> copied_as = {};
  friend bool operator==(const ScheduledTensor&, const ScheduledTensor&) = default;
};

struct Schedule {
  std::vector<ScheduledTensor> tensors;
  std::vector<Stage> stages;  // in execution order
  std::string anchor;         // the stage that `loops:` without a name refers to
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// Includes the loops around an attached stage.
inline Ranges loop_ranges(const Stage& stage) {
  Ranges ranges;
  for (const StageLoop& loop : stage.loops) ranges[loop.name] = {0, loop.extent - 1};
  if (!stage.attachment) return ranges;
  for (const StageLoop& loop : stage.attachment->around) ranges[loop.name] = {0, loop.extent - 1};
  return ranges;
}

}  // namespace dovetail
