// SPDX-License-Identifier: Apache-2.0
//
// Trace: the sequence of primitives, every decision filled in, that turns an operator into a
// schedule. It is applied, mutated, printed, parsed, hashed, logged and replayed; there is no other
// form of a schedule on disk.
//
//     layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)
//               split(axis=i, factor=16) reorder(i.0, n, h, w, i.1)
//     layout W: split(axis=o, factor=32) split(axis=i, factor=16)
//               reorder(o.0, i.0, kh, kw, i.1, o.1) ; scope texture:weight
//     layout Y: split(axis=o, factor=16) reorder(o.0, n, h, w, o.1)
//     loops: split(loop=o.0, factor=2) ; split(loop=w, factor=7)
//            ; reorder(o.0.0, h, w.0, i.0, kh, kw, i.1, w.1, o.0.1, o.1) ; unroll(w.1)
//            ; vectorize(o.1) ; cache_write(tensor=Y, at=w.0) ; parallel(o.0.0)
//
// (Wrapped here; every tensor and every stage is one line.) A line before them may choose an
// algorithm other than the operator's definition, `algorithm: winograd(tile=2)` or
// `algorithm: winograd_inner_product(of=4)`, which has other tensors and stages
// (primitives/algorithm).
//
// A split names its results: axis (or loop) `a` becomes `a.0` (outer) and `a.1` (inner). fuse(a, b)
// makes `a_b`. Layouts come first: they rebuild the loops (one per physical axis of the output,
// then the reduction axes), and the loop primitives continue from there. `loops STAGE:` are the
// loops of another stage, e.g. the padding pass `X.pad` or a copy `W.cache` that a cache_read
// makes; without it a stage gets its default loops. The lines may be in any order: a consumer's are
// applied before its producers'.
//
// Why names and not positions: a trace must survive hand editing and mutation; names are stable
// under both (Exo's cursors, TVM's random variables play this part), and an error can say which one
// is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"

namespace dovetail {

// The memory of a tile, the part of a tensor that one iteration of a loop produces and reads.
//
//   registers   registers, if unrolled loops make its indices constants
//   private     memory of one thread: on a CPU its stack, which stays in the nearest cache
//   local       memory that the work-items of a group share; never on a CPU
//   workspace   memory from the program's plan, one tile for each iteration that may run at the
//               same time: for tiles that exceed a stack
//
// A tensor that outlives a kernel has a MemoryScope instead (core/ir/layout/layout.h), which
// describes its whole storage; no tile has one.
enum class TileScope : uint8_t { registers, private_, local, workspace };
std::string print(TileScope scope);  // registers, private, local, workspace
Result<TileScope> parse_tile_scope(std::string_view text);

// Layout primitives. Their rewrite rules, preconditions and apply() are in
// primitives/layout/, in the header of their family.
namespace layout {
struct Split {
  std::string axis;
  int64_t factor = 0;
  friend bool operator==(const Split&, const Split&) = default;
};
struct Reorder {
  std::vector<std::string> axes;
  friend bool operator==(const Reorder&, const Reorder&) = default;
};
struct Fuse {
  std::string outer, inner;
  friend bool operator==(const Fuse&, const Fuse&) = default;
};
struct Pad {
  std::string axis;
  int64_t before = 0, after = 0;
  friend bool operator==(const Pad&, const Pad&) = default;
};
struct Unfold {
  std::string axis;
  int64_t size = 0, stride = 0;
  friend bool operator==(const Unfold&, const Unfold&) = default;
};
// Stores the line's tensor inside the host's storage, after its last element along `axis`.
struct StoreAt {
  std::string host, axis;
  friend bool operator==(const StoreAt&, const StoreAt&) = default;
};
}  // namespace layout
using LayoutPrimitive = std::variant<layout::Split, layout::Reorder, layout::Fuse, layout::Pad,
                                     layout::Unfold, layout::StoreAt>;

// Loop primitives; their rules are in primitives/loop/, in the header of their family.
enum class ThreadAxis : uint8_t {
  group_0,
  group_1,
  group_2,
  thread_0,
  thread_1,
  thread_2
};  // printed group.0 … thread.2
std::string print(ThreadAxis axis);
Result<ThreadAxis> parse_thread_axis(std::string_view text);
// The treatment of a factor that does not divide a loop's extent: `cut` runs the last iterations in
// a loop nest of their own; `none` is an error.
enum class Tail : uint8_t { none, cut };
std::string print(Tail tail);
namespace loop {
struct Split {
  std::string loop;
  int64_t factor = 0;
  Tail tail = Tail::none;
  friend bool operator==(const Split&, const Split&) = default;
};
struct Reorder {
  std::vector<std::string> loops;
  friend bool operator==(const Reorder&, const Reorder&) = default;
};
struct Fuse {
  std::string outer, inner;
  friend bool operator==(const Fuse&, const Fuse&) = default;
};
struct Vectorize {
  std::string loop;
  friend bool operator==(const Vectorize&, const Vectorize&) = default;
};
struct Unroll {
  std::string loop;
  friend bool operator==(const Unroll&, const Unroll&) = default;
};
struct Parallel {
  std::string loop;
  friend bool operator==(const Parallel&, const Parallel&) = default;
};
struct Bind {
  std::string loop;
  ThreadAxis axis = ThreadAxis::group_0;
  friend bool operator==(const Bind&, const Bind&) = default;
};
// Accumulate the part of `tensor` that the loops inside `at` produce in registers, and store it
// with non-temporal stores if `streaming`.
struct CacheWrite {
  std::string tensor;
  std::string at;
  bool streaming = false;
  friend bool operator==(const CacheWrite&, const CacheWrite&) = default;
};
// Prefetch the first elements of `tensor` that are read `distance` iterations of `at` later, or
// share out those that are read `distance` iterations later of the loop `of` around it.
struct Prefetch {
  std::string tensor;
  std::string at;
  int64_t distance = 0;
  std::string of = {};
  friend bool operator==(const Prefetch&, const Prefetch&) = default;
};
// Copy the part of `tensor` that each iteration of loop `at` reads into a tile.
struct CacheRead {
  std::string tensor;
  std::string at;
  TileScope scope = TileScope::private_;
  int64_t pad = 0;  // padding elements after each row of a local tile
  friend bool operator==(const CacheRead&, const CacheRead&) = default;
};
// Keep copies of `tensor` that iterations use in turn. Two: the next iteration's is filled before
// this one's is used. More: all but one of the next iterations' are on their way meanwhile, or
// fewer where some stay readable for instructions of iterations `behind` that still run.
struct DoubleBuffer {
  std::string tensor;
  int64_t copies = 2;
  int64_t behind = 0;
  friend bool operator==(const DoubleBuffer&, const DoubleBuffer&) = default;
};
// Run this stage inside a loop of its consumer, and keep the part of one iteration in a tile there.
struct ComputeAt {
  std::string stage;
  std::string loop;
  TileScope scope = TileScope::private_;
  friend bool operator==(const ComputeAt&, const ComputeAt&) = default;
};
// Keep, along an axis, the elements of this stage's part that the next iteration reads, too.
struct Roll {
  std::string axis;
  friend bool operator==(const Roll&, const Roll&) = default;
};
// Substitute this stage's value at its reads.
struct Inline {
  friend bool operator==(const Inline&, const Inline&) = default;
};
// Compute one partial reduction per iteration of a reduction loop, in a stage of their own.
struct RFactor {
  std::string loop;
  friend bool operator==(const RFactor&, const RFactor&) = default;
};
// Spell the loop and those inside as one instruction, an intrinsic.
struct Tensorize {
  std::string loop, intrinsic;
  friend bool operator==(const Tensorize&, const Tensorize&) = default;
};
}  // namespace loop
using LoopPrimitive =
    std::variant<loop::Split, loop::Reorder, loop::Fuse, loop::Vectorize, loop::Unroll,
                 loop::Parallel, loop::Bind, loop::CacheWrite, loop::Prefetch, loop::CacheRead,
                 loop::DoubleBuffer, loop::ComputeAt, loop::Inline, loop::RFactor, loop::Roll,
                 loop::Tensorize>;

// Algorithms other than an operator's definition.
namespace algorithm {
// F(tile, 3) along every window axis; primitives/algorithm/winograd.h.
struct Winograd {
  int64_t tile = 0;  // outputs of one tile along an axis
  friend bool operator==(const Winograd&, const Winograd&) = default;
};
// Multiplies two of each `of` elements along the reduction, at distance `apart`, as a pair; the
// constant operand is stored `scale` times as large. With two signs every second pair subtracts the
// terms that the others add. primitives/algorithm/winograd_inner_product.h.
struct WinogradInnerProduct {
  int64_t of = 0;
  int64_t apart = 1;
  int64_t scale = 1;
  int64_t signs = 1;
  friend bool operator==(const WinogradInnerProduct&, const WinogradInnerProduct&) = default;
};
// Multiplies the parts of factors in tf32x2: with 3 products all but that of both remainders;
// primitives/algorithm/split_factors.h.
struct SplitFactors {
  int64_t products = 0;  // 3 or 4
  friend bool operator==(const SplitFactors&, const SplitFactors&) = default;
};
}  // namespace algorithm
// Distance between the first elements of adjacent groups; a group has a pair of each sign.
inline int64_t group_of(const algorithm::WinogradInnerProduct& pairs) {
  return pairs.of * pairs.apart * pairs.signs;
}
using Algorithm =
    std::variant<algorithm::Winograd, algorithm::WinogradInnerProduct, algorithm::SplitFactors>;

struct TensorLayout {
  std::string tensor;
  std::vector<LayoutPrimitive> primitives;
  MemoryScope scope = MemoryScope::global;
  friend bool operator==(const TensorLayout&, const TensorLayout&) = default;
};

struct StageLoops {
  std::string stage;  // empty: the operator itself
  std::vector<LoopPrimitive> primitives;
  friend bool operator==(const StageLoops&, const StageLoops&) = default;
};

struct Trace {
  std::vector<TensorLayout> layouts;
  std::vector<StageLoops> loops;
  std::optional<Algorithm> algorithm = {};  // none: the definition's sums (direct)
  friend bool operator==(const Trace&, const Trace&) = default;
};

std::string algorithm_of(const Trace& trace);  // "direct", or the algorithm's word

// True if sums of small integers are exact, so that one wrong bit is detected; false for Winograd's
// algorithm, whose tables have fractions.
bool is_exact_on_integers(const std::optional<Algorithm>& algorithm);

std::string print(const LayoutPrimitive& primitive);
std::string print(const LoopPrimitive& primitive);
std::string print(const Algorithm& algorithm);
std::string print(const Trace& trace);  // one line per tensor and stage, each ended by \n
Result<Trace> parse_trace(std::string_view text);  // errors name line and column
// Hash of the printed form, stable across machines and versions of the program.
uint64_t hash(const Trace& trace);

}  // namespace dovetail
