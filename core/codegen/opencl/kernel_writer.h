// SPDX-License-Identifier: Apache-2.0
#pragma once

// KernelWriter: writes one kernel's body, statement by statement in the order of the nest.
//
//   for w in 0..4 unrolled
//     for o in 0..4 vectorized
//       acc[w, o] += X[8*h + w] * W[4*h + o]
//
//   const float X_0 = X[8*h];                                 each load has a name, so that the
//   const float4 W_0 = *(__global const float4*)(W + 4*h);    next statement that needs it finds it
//   acc_0 = fma((float4)(X_0), W_0, acc_0);
//   const float X_1 = X[8*h + 1];
//   acc_1 = fma((float4)(X_1), W_0, acc_1);
//
// Why loads are named here and CSE is not left to the device's compiler: an unrolled tile has
// hundreds of loads, most of them duplicates; the text stays small and readable, and image reads,
// which compilers do not always merge, are merged. Only loads from memory that the kernel does not
// write are named; guarded ones together with their guard.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/codegen/opencl/lanes.h"
#include "core/codegen/opencl/register_tile.h"
#include "core/codegen/opencl/text.h"
#include "core/codegen/work_groups/geometry.h"
#include "core/ir/layout/image_shape.h"
#include "core/ir/program/program.h"
#include "core/ir/value/walk.h"

namespace dovetail::opencl {

// A buffer as one kernel sees it.
struct BufferView {
  const Buffer* buffer = nullptr;
  std::string name;  // the kernel argument's name
  std::vector<int64_t> extents;
  bool is_read = false, is_written = false;
  bool is_image = false;
  ImageShape image;
};
using BufferViews = std::map<std::string, BufferView, std::less<>>;  // by the buffer's name

// Scalar or vector expression of OpenCL C.
struct Code {
  std::string text;
  int width = 1;
  bool is_operand = true;                  // needs no parentheses in an arithmetic expression
  bool is_name = false;                    // a variable, whose components can be taken for free
  ComputedType type = ComputedType::real;  // float, long or int; a vector is real
};

class KernelWriter {
 public:
  KernelWriter(const Kernel& kernel, const Geometry& geometry, const BufferViews& buffers,
               Identifiers identifiers, bool wide_indices);
  // The body's lines, indented by one level, each ended by \n.
  Result<std::string> write();
  int64_t local_bytes() const { return local_bytes_; }  // local memory declared so far

 private:
  // Position in storage: {offset} in a buffer or a tile, {x, y, layer, component} in an image.
  using Position = std::vector<IndexExpr>;

  // kernel_writer.cc: blocks and loops
  Result<void> write_block(const Block& block);
  Result<void> write_loop(const Loop& loop);
  Result<void> write_serial(const Loop& loop);
  Result<void> write_body(const Loop& loop, const std::string& name);
  std::string gather_text(const Loop& loop, const std::string& name);
  std::string counted_text(const Loop& loop, const std::string& name) const;
  Result<void> write_unrolled(const Loop& loop);
  Result<void> write_vectorized(const Loop& loop);
  Result<void> write_distributed(const Loop& loop, bool is_thread);
  Result<void> write_tile(const ScopedTile& tile, const Block& block);
  void declare_local_tiles(const Block& block);
  bool lanes_are_independent(const Loop& loop);
  void line(std::string_view text);
  Unexpected error(std::string_view what) const;

  // kernel_stores.cc
  Result<void> write_store(const Store& store, const Lanes& lanes);
  void store_tile(const Store& store, const TilePlan& plan, const Lanes& lanes);
  void store_half_tile(const TilePlan& plan, const LaneValues& positions, const Code& value);
  void store_buffer(const Store& store, const BufferView& view, const Lanes& lanes);
  void store_lanes(const BufferView& view, const LaneValues& offsets, const Code& value, int first);
  void store_whole(const Store& store, const std::string& array, ElementType type,
                   const LaneValues& offsets, const Lanes& lanes);
  Result<void> store_image(const Store& store, const BufferView& view, const Lanes& lanes);
  Code updated(const Store& store, const Code& current, const Lanes& lanes);
  Code named_value(Code value);

  // kernel_values.cc
  Code value_code(const Value& value, const Lanes& lanes);
  Code real_code(const Value& value, const Lanes& lanes);   // converted to float if needed
  Code whole_code(const Value& value, const Lanes& lanes);  // a constant as an exact integer
  Code scalar_code(const Value& value, const Lanes& lanes);
  Code integer_code(const Binary& node, const Code& left, const Code& right) const;
  bool is_vectorizable(const Value& value) const;
  ComputedType type_of_load(const Value& value) const;
  Code binary_code(const Binary& node, const Lanes& lanes);
  Code unary_code(const Unary& node, const Lanes& lanes);
  bool is_zero(const Value& value, const Lanes& lanes) const;
  Code select_code(const Select& node, const Lanes& lanes);
  Code branch_code(const Select& node, const Value& branch, const Lanes& lanes);
  Code guarded_code(const Select& node, const std::string& condition, const Lanes& lanes);
  std::optional<Code> guarded_neighbours(const Select& node, const std::string& condition,
                                         const Lanes& lanes);
  bool sampler_covers(const Select& node, const Bound& resolved, const Lanes& lanes);

  // kernel_loads.cc
  Code load_code(const Load& load, const Lanes& lanes);
  Code load_tile(const TilePlan& plan, const LaneValues& positions) const;
  Code load_half_tile(const TilePlan& plan, const LaneValues& positions) const;
  // The aligned vector around a scalar that an unrolled loop reads element by element; the loop
  // reads all of its elements anyway.
  struct Neighbours {
    std::string variable;  // that loop's variable
    int width = 1;         // 1: no such vector
    int component = 0;
    IndexExpr first;
  };
  Neighbours neighbours_of(const Load& load, const Lanes& lanes);
  Code load_buffer(const BufferView& view, const LaneValues& offsets);
  Code load_contiguous(const BufferView& view, const IndexExpr& offset, int width);
  std::string contiguous_text(const BufferView& view, const IndexExpr& offset, int width) const;
  Code load_image(const BufferView& view, const Position& position, const Lanes& lanes);
  std::string texel_name(const BufferView& view, const Position& position, const Lanes& lane);
  // A named constant with the value `text`, or `text` itself where it must not be evaluated before
  // the statement.
  std::string named_load(const BufferView& view, std::string text, int width, bool may_name);
  const std::string* find_name(const std::string& text) const;
  bool depends_on_inputs_only(const Value& value) const;
  const BufferView* first_input(const Value& value) const;

  const Position& position_of(std::string_view target, const std::vector<IndexExpr>& indices);
  Position image_position(const BufferView& view, const std::vector<IndexExpr>& indices) const;
  const TilePlan* find_tile(std::string_view name) const;
  const BufferView& view_of(std::string_view name) const;
  std::string index(const IndexExpr& e) const { return index_text(e, scope_.index_context()); }

  const Kernel& kernel_;
  const Geometry& geometry_;
  const BufferViews& buffers_;
  Identifiers identifiers_;
  const char* index_type_;
  std::string text_;
  int depth_ = 1;
  int64_t num_statements_ = 0;
  LoopScope scope_;
  std::deque<TilePlan> plans_;          // all plans; their addresses are keys below
  std::vector<const TilePlan*> tiles_;  // the plans in scope
  std::map<const ScopedTile*, std::string> local_tiles_;  // array names
  int64_t local_bytes_ = 0;
  std::vector<std::map<std::string, std::string, std::less<>>> names_;  // text -> name, by scope
  std::map<std::pair<const void*, const void*>, Position> positions_;   // by (indices, target)
  bool is_speculative_ = false;  // inside a branch: its loads must not be hoisted
};

// True when a single vector load or store accesses all lanes.
bool is_one_access(const BufferView& view, const LaneValues& offsets);
// Vector components: `v.s2`, `v.s0123`; `v` itself when all are selected.
std::string component_text(std::string_view vector, int vector_width,
                           const std::vector<int>& components);
std::string coordinate_text(const BufferView& view, std::string_view x, std::string_view y,
                            std::string_view layer);
std::string operand(const Code& code);
// Broadcast to a vector of this width: (float4)(x).
std::string splat(const Code& code, int width);

}  // namespace dovetail::opencl
