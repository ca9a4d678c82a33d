// SPDX-License-Identifier: Apache-2.0
//
// Schedule: a DAG of stages, every tensor with its layout, every stage with its loop order: what
// applying a trace gives, and what lowering turns into a Program.
//
//     schedule of c2d
//     tensor X: f32 activation X[n=1, i=64, …] as …      one line per tensor, with its layout
//     stage c2d
//       operand X.pad: activation [n=1, i=64, h=56, w=56]
//       axis o in 0..64 = 32*o.0.0 + 16*o.0.1 + o.1      the axis as an expression over the loops
//       axis i in 0..64 sum = 16*i.0 + i.1
//       read X.pad[n, i, h + kh - 1, w + kw - 1]
//       read W[o, i, kh, kw]
//       element read(0) * read(1)
//       reduce sum
//       result max(@, 0)
//       pairs along i of 4 apart 1                       of pairs(of=4, apart=1)
//       output Y[n, o, h, w]
//       fused h w = h_w                                  axes that one loop counts
//       loop o.0.0 in 0..2 parallel
//       loop i.0 in 0..4 sum
//       where 0 <= 16*j.0 + j.1 < 1000                   iterations of cut loops that are there
//       stores [2*o.0.0 + o.0.1, 0, h, 7*w.0 + w.1, o.1]
//       registers at w.0                                 `, streaming`: stored past the caches
//       prefetch W at i.0 distance 2
//
// A stage may run inside a loop of the stage that reads it, and makes there the part of its tensor
// that one round reads; the loops around it belong to that stage and are named after it:
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
// them (a sum of digits), so a split or a fuse only rewrites these expressions and nothing has to
// be searched for in a nest.
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
  // `chosen` says which of the computation's chosen indices the loop counts, by position; -1: none.
  // Its one iteration is then `at`, which lowering fills in.
  int chosen = -1;
  std::optional<Value> at = {};
  // Those of the stage's bounds of which this is the innermost loop; lowering fills them in.
  std::vector<Bound> bounds = {};
  friend bool operator==(const StageLoop&, const StageLoop&) = default;
};

// In each iteration of `loop` the stage asks the caches for what the iteration `distance` later
// reads first of `tensor`; or, where `of` names a loop around it, for its part of what that loop's
// iteration `distance` later reads.
struct StagePrefetch {
  std::string tensor, loop;
  int64_t distance = 1;
  std::string of = {};
  friend bool operator==(const StagePrefetch&, const StagePrefetch&) = default;
};

// cache_read asks for a copy of the part of `tensor` that a round of loop `at` reads.
struct CachedRead {
  std::string tensor;
  std::string at;
  TileScope scope = TileScope::private_;
  bool doubled = false;
  int64_t pad = 0;
  friend bool operator==(const CachedRead&, const CachedRead&) = default;
};

// A tile that keeps, along one axis of the part, what the next round reads, too: the element at
// `p` of the part of round t is at (step*t + p) mod extent. The stage counts its own rounds, in the
// last of its loops `around`, and makes in each of them the last `step` elements of a part; `ahead`
// of them come before the reader's first one.
struct Ring {
  size_t axis = 0;
  int64_t step = 1;  // by which the part moves from one round to the next
  int64_t ahead = 1;
  friend bool operator==(const Ring&, const Ring&) = default;
};

// Axes of a stage's computation that one mixed-radix number counts, because a layout or a loop
// fuses them: whole = (axes[0]*extent[1] + axes[1])*extent[2] + ….
struct FusedAxes {
  std::vector<std::string> axes;
  IndexExpr whole;  // over the loops
  friend bool operator==(const FusedAxes&, const FusedAxes&) = default;
};

// Where a stage runs inside the one that reads it. Its loops run over the part that it makes.
struct Attachment {
  std::string stage, loop;  // "root" for loop: outside all of that stage's
  TileScope scope = TileScope::private_;
  bool doubled = false;  // two tiles in turn: the next round's is made before this one's is used
  std::vector<StageLoop> around;  // named STAGE.LOOP
  // Each physical axis of the stage's output has the start of the part, over `around`, and its
  // extent.
  std::vector<IndexExpr> starts;
  std::vector<int64_t> extents;
  // A flat tile has one axis of so many elements: the part's in their order and some more (so that
  // work-items share them evenly). 0: the tile has the part's axes.
  int64_t flat_elements = 0;
  int64_t row_pad = 0;  // elements behind each row of a local tile
  std::optional<Ring> ring = {};
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

// The stage's sum takes two of each `of` elements along `axis`, `apart` from each other, as a pair,
// and its result subtracts what that adds (primitives/algorithm/pairs.h). With two signs pairs of
// either sign take turns. The element reads the two tensors that it multiplies.
struct PairedSum {
  std::string axis;
  int64_t of = 4;
  int64_t apart = 1;
  int64_t signs = 1;
  friend bool operator==(const PairedSum&, const PairedSum&) = default;
};

// A stage is there for one of these:
//   computation   what the region says
//   copy          a padding pass or a staged copy
//   transform     multiplies by tables of coefficients
//   partial       the first half of a reduction that rfactor split
enum class StageRole : uint8_t { computation, copy, transform, partial };

struct Stage {
  // The operator's kind for an operator that has one; else the tensor that it makes: X.pad for a
  // padding pass.
  std::string name;
  StageRole role = StageRole::computation;
  Computation computation;       // of this stage; tensor names refer to Schedule::tensors
  std::vector<StageLoop> loops;  // outermost first
  // Iterations in which one of these, over the loops, fails are left out: the ends of loops that
  // were cut where the factor does not divide them.
  std::vector<Bound> bounds = {};
  // Each axis of the computation has its value over loop names.
  std::map<std::string, IndexExpr, std::less<>> axis_values;
  // Why it is kept: from the axes' values, quotients and remainders, the number itself is not found
  // again once its loop is cut at another place.
  std::vector<FusedAxes> fused = {};
  // Physical index of the element stored, one expression over loop names per physical axis of the
  // output: at first just the loops themselves, because they are rebuilt over these axes.
  std::vector<IndexExpr> output_indices;
  // Registers hold what the loops inside this one produce; "root": outside all loops.
  std::optional<std::string> cache_write_at;
  bool streaming_stores = false;  // of the output, past the caches
  std::vector<StagePrefetch> prefetches;
  std::vector<CachedRead> cached_reads = {};  // until the stages of the copies are made
  std::optional<Attachment> attachment = {};  // none: a kernel of its own
  bool once = false;  // run at build time: what it makes of constants is a constant
  std::optional<PairedSum> pairs = {};
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct ScheduledTensor {
  std::string name;    // X, X.pad, W, Y, bias
  std::string tensor;  // logical tensor it holds
  ElementType type = ElementType::f32;
  BufferRole role = BufferRole::activation;
  Layout layout;
  // Its maker stores this value around the tensor's elements, where somebody reads there.
  std::optional<double> outside = {};
  friend bool operator==(const ScheduledTensor&, const ScheduledTensor&) = default;
};

struct Schedule {
  std::vector<ScheduledTensor> tensors;
  std::vector<Stage> stages;  // in execution order
  std::string anchor;         // the stage that `loops:` without a name speaks of
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// The loops around it count, too.
inline Ranges loop_ranges(const Stage& stage) {
  Ranges ranges;
  for (const StageLoop& loop : stage.loops) ranges[loop.name] = {0, loop.extent - 1};
  if (!stage.attachment) return ranges;
  for (const StageLoop& loop : stage.attachment->around) ranges[loop.name] = {0, loop.extent - 1};
  return ranges;
}

}  // namespace dovetail
