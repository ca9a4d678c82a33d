// SPDX-License-Identifier: Apache-2.0
//
// Program: the result of lowering: kernels in launch order, each one loop nest, and the buffers
// between them. The interpreter runs it, the verifier checks it, and the emitters turn it into
// OpenCL C or LLVM IR. A nest is scalar code: a vectorized or unrolled loop is still a loop, so one
// meaning serves the interpreter and every emitter.
//
//     buffer X: f32 activation X[n=1, i=64, h=56, w=56] as [i@16:4] … [i@1:16]
//     buffer X.pad: f32 temporary X[n=1, i=64, h=56, w=56] as … [h@1:58] … offset h=-1 w=-1
//     buffer W: …
//     buffer Y: f32 output …
//     kernel pad_X
//       for i.0 in 0..4 parallel
//         for h in 0..58
//           for w in 0..58
//             for i.1 in 0..16 vectorized
//               X.pad[i.0, 0, h, w, i.1] =
//                   (0 <= h - 1 < 56 and 0 <= w - 1 < 56) ? X[i.0, 0, h - 1, w - 1, i.1] : 0
//     kernel c2d
//       for o.0.0 in 0..2 parallel
//         for h in 0..56
//           for w.0 in 0..8
//             registers acc[7, 2, 16]
//             for w.1 in 0..7 unrolled
//               for o.0.1 in 0..2 unrolled
//                 for o.1 in 0..16 vectorized
//                   acc[w.1, o.0.1, o.1] = 0
//             for i.0 in 0..4
//               …    acc[w.1, o.0.1, o.1] +=
//                        X.pad[i.0, 0, h + kh, 7*w.0 + w.1 + kw, i.1] * W[…]
//             …      Y[2*o.0.0 + o.0.1, 0, h, 7*w.0 + w.1, o.1] =
//                        max(acc[w.1, o.0.1, o.1] + bias[…], 0)
//
// Why buffers carry their Layout: the runner, the deployment and the interpreter pack and unpack
// data by it, and no second description of storage can disagree with the code.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/layout/layout.h"
#include "core/ir/operator/operator.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/value/value.h"

namespace dovetail {

// prepared: computed from constants by a kernel that prepares constants (a transformed weight).
enum class BufferRole : uint8_t { activation, constant, output, temporary, prepared };
std::string_view print(BufferRole role);
Result<BufferRole> parse_word(std::string_view text, std::type_identity<BufferRole>);

// Bytes; kernels rely on every buffer beginning at a multiple of it.
inline constexpr int64_t kBufferAlignment = 64;

struct Buffer {
  std::string name;    // unique in the program
  std::string tensor;  // the tensor whose elements it holds: X for both X and X.pad
  ElementType dtype = ElementType::f32;
  BufferRole role = BufferRole::temporary;
  Layout layout;  // logical dims, storage and memory scope
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

enum class LoopKind : uint8_t { serial, parallel, vectorized, unrolled, bound };

struct Statement;
using Block = std::vector<Statement>;

inline constexpr int64_t kMaxPrefetchedLines = 64;
// Prefetches, at the start of each iteration, the cache lines from an element on:
// `for i.0 in 0..4 prefetch W[o.0, i.0 + 1, 0, 0] lines 8`. It is only a hint, so the element may
// be outside its buffer. `lines 8 far` prefetches into the second cache and not the first one, for
// data that is needed much later.
struct Prefetch {
  std::string buffer;
  std::vector<IndexExpr> indices;
  int64_t lines = 1;  // cache lines of 64 bytes; at most kMaxPrefetchedLines
  bool far = false;
  friend bool operator==(const Prefetch&, const Prefetch&) = default;
};

// `for VAR in 0..EXTENT KIND`, e.g. `for h in 0..56 bind group.0`
//
// A clipped loop runs only the iterations where its bounds hold. They are contiguous, possibly
// none, because each bound has the variable outside any div and mod, and need no test each:
//
//     for kh in 0..3 where 0 <= h + kh - 1 < 56      kh from max(0, 1 - h) to min(3, 57 - h)
//
// A gather loop runs one data-dependent iteration, clamped to the loop's range:
//
//     for j in 0..1000 at I[n]                       j = min(max(I[n], 0), 999)
//
// Why a loop and not a statement of its own: range analysis covers all iterations that a loop may
// take, and so the one that it does take.
struct Loop {
  std::string variable;  // unique along every path from the root; may repeat in sibling nests
  int64_t extent = 0;
  LoopKind kind = LoopKind::serial;
  ThreadAxis thread = ThreadAxis::group_0;  // kind bound only
  Block body;
  std::vector<Bound> bounds = {};  // kind serial only; over this variable and the loops around it
  std::vector<Prefetch> prefetches = {};
  std::optional<Value> at = {};  // gather loops only, which are serial
  // The instruction that this loop and those inside are (core/ir/intrinsic), printed
  // `tensorize NAME`; empty: none.
  std::string intrinsic = {};
};
// `registers acc[7, 2, 16]`, `private X.pad[6, 18, 16]`, `local W.cache[4, 64] i64`: visible in the
// rest of the enclosing block; undefined until stored to. The default element type is f32. A tile
// in workspace is not a ScopedTile but a buffer of the program with role temporary.
struct ScopedTile {
  std::string name;
  std::vector<int64_t> extents;
  TileScope scope = TileScope::registers;
  ElementType type = ElementType::f32;
  friend bool operator==(const ScopedTile&, const ScopedTile&) = default;
};
// `barrier`: the work-items of a group wait until all of them are here; after it all of them see
// the stores to local tiles before it.
//
// `barrier leaving 2`: of the stores that are marked async, only those before the last two barriers
// are seen; the others may still be on their way. Stores since a barrier are one batch, those since
// this one's predecessor the first that it leaves:
//
//   W.cache[0, …] = W[0, …] async
//   barrier leaving 1
//   W.cache[1, …] = W[1, …] async
//   barrier leaving 1                     W.cache[0, …] can be read, W.cache[1, …] not yet
//
// `barrier products 1`: of the instructions that run on by themselves (is_asynchronous, core/ir/
// intrinsic), only those before the last barrier have read their operands; those since may still:
//
//   acc[…] += X.cache[0, …] * …           tensorize wgmma.m64n64k16_f16
//   barrier products 1
//   acc[…] += X.cache[1, …] * …           X.cache[0, …] cannot be stored to yet
//   barrier products 1
//   X.cache[0, …] = X[2, …]
inline constexpr int64_t kMostBatchesLeft = 8;
struct Barrier {
  int64_t leaving = 0;   // batches of asynchronous stores
  int64_t products = 0;  // batches of asynchronous instructions
  friend bool operator==(const Barrier&, const Barrier&) = default;
};
// `target[indices] = value` or, with a reducer, `+= value`, `max= value`, `min= value`, `*= value`.
// The target is a buffer or a tile. A non-temporal store, `= value streaming`, bypasses the caches,
// for a buffer that is not read soon. An asynchronous one, `= value async`, copies to a local tile
// while the work-item goes on; barriers say when it is done. A device that has no such copies does
// them at once.
struct Store {
  std::string target;
  std::vector<IndexExpr> indices;
  Value value;
  Reducer reducer = Reducer::none;
  bool streaming = false;
  bool async = false;
  friend bool operator==(const Store&, const Store&) = default;
};
// An accumulating store combines its value with the stored one.
inline bool accumulates(const Store& store) { return store.reducer != Reducer::none; }

struct Statement {
  std::variant<Loop, ScopedTile, Store, Barrier> node;
};
bool operator==(const Loop&, const Loop&);
bool operator==(const Statement&, const Statement&);

// `kernel NAME`, or `kernel NAME prepares`: run when constants are prepared, at build time, and
// never timed. It reads only constants and prepared buffers, stores only to prepared buffers, and
// precedes the other kernels.
struct Kernel {
  std::string name;
  Block body;
  bool prepares = false;
  friend bool operator==(const Kernel&, const Kernel&) = default;
};

struct Program {
  std::vector<Buffer> buffers;  // in the order of the kernels' buffer table: void* const* buffers
  std::vector<Kernel> kernels;  // in launch order; a later one sees all that an earlier one stored
  friend bool operator==(const Program&, const Program&) = default;
};

const Buffer& buffer_named(const Program& program, std::string_view name);  // CHECKs that it exists
const Buffer* find_buffer(const Program& program, std::string_view name);
int64_t buffer_bytes(const Buffer& buffer);
int64_t workspace_bytes(const Program& program);  // all temporaries
bool is_input(BufferRole role);                   // given by the caller: activation, constant
int64_t preparing_kernels(
    const Program& program);  // number of kernels that prepare constants (the first)
// Lower bounds for the `impossible` guard, without kernels that prepare constants. executed_fmas:
// multiply-adds, padding included, where the bounds around and inside their product hold, one for
// each value that the product takes (varying_loops.h). touched_bytes: bytes of the distinct
// elements of buffers that are accessed.
double executed_fmas(const Program& program);
int64_t touched_bytes(const Program& program);
// Extent of a kernel's outermost parallel loop, of which each call runs the part (first, last);
// 1 when there is none, and one call runs all.
int64_t parallel_extent(const Kernel& kernel);

// A note per loop or statement line (cost, footprint), appended after `  # `; empty: none.
using Notes = std::function<std::string(const Statement&)>;
std::string print(const Program& program, const Notes& notes = {});
// Parses the output of print; `# …` to the end of a line is a comment.
Result<Program> parse_program(std::string_view text);

// Succeeds when
// - names are well-formed, declared and unique; loop variables and tiles shadow nothing;
// - every index stays inside its buffer or tile for all iterations where the bounds around it hold
//   (proved by ranges, never by enumeration: lowering keeps every divisibility chain);
// - no tile of a kernel is in workspace, where only buffers are;
// - vectorized loops are innermost and every index is linear in them;
// - a tensorized loop and those inside compute what their intrinsic does, on operands of its types
//   and strides;
// - a gather loop is serial, not clipped, and its integer is available before it;
// - clipped loops are serial and hold no barrier, and their bounds move with them by a constant
//   step;
// - parallel loops are outermost and alone; axes bound around a statement are distinct, and an axis
//   has one extent in a kernel; iterations that run at the same time store to distinct elements;
// - streaming stores are plain ones to buffers, asynchronous ones plain ones to local tiles;
//   prefetches name a buffer and loops around them;
// - inputs are not stored to; outputs, temporaries, prepared buffers and tiles are stored to before
//   they are read, except that the `otherwise` of a select may read an earlier iteration's store;
// - a barrier separates a store to a local tile from the reads after it, and these reads from the
//   next store; one that leaves no asynchronous store on its way where these read what it stores;
// - kernels that prepare constants come first, access constants and prepared buffers only, and no
// other
//   kernel stores to a prepared buffer.
// The message names the first violation.
Result<void> verify(const Program& program);

}  // namespace dovetail
