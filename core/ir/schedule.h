// SPDX-License-Identifier: Apache-2.0
//
// Schedule: a DAG of stages, every tensor with its layout, every stage with its loop order: what
// applying a trace gives, and what lowering turns into a Program.
//
//     stage X.pad: X -> X.pad (copy)      loops i.0 h w i.1
//     stage c2d:   X.pad, W -> Y          loops o.0.0 h w.0 | i.0 kh kw i.1 | w.1 o.0.1 o.1
//                                         registers at w.0
//
// A stage's loops are variables with extents; each axis of its computation is an expression over
// them (a sum of digits), so a split or a fuse only rewrites these expressions and nothing has to
// be searched for in a nest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/computation.h"
#include "core/ir/program.h"

namespace dovetail {

struct StageLoop {
  std::string name;
  int64_t extent = 1;
  LoopKind kind = LoopKind::serial;
  ThreadAxis thread = ThreadAxis::group_0;
  bool reduction = false;
  friend bool operator==(const StageLoop&, const StageLoop&) = default;
};

struct Stage {
  std::string name;         // the operator's kind for the operator itself, X.pad for a padding pass
  Computation computation;  // of this stage; tensor names refer to Schedule::tensors
  std::vector<StageLoop> loops;  // outermost first
  // computation axis -> expression over loop names
  std::map<std::string, IndexExpr, std::less<>> axis_values;
  // Physical index of the element stored, one expression over loop names per physical axis of the
  // output: at first just the loops themselves, because they are rebuilt over these axes.
  std::vector<IndexExpr> output_indices;
  // Registers hold what the loops inside this one produce; "root": outside all loops.
  std::optional<std::string> cache_write_at;
  friend bool operator==(const Stage&, const Stage&) = default;
};

struct ScheduledTensor {
  std::string name;    // X, X.pad, W, Y, bias
  std::string tensor;  // logical tensor it holds
  BufferRole role = BufferRole::activation;
  Layout layout;
  friend bool operator==(const ScheduledTensor&, const ScheduledTensor&) = default;
};

struct Schedule {
  std::vector<ScheduledTensor> tensors;
  std::vector<Stage> stages;  // in execution order; the operator itself is the last one
  DataType dtype = DataType::f32;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

Ranges loop_ranges(const Stage& stage);
std::string print(const Schedule& schedule);  // as above, with layouts; parse_schedule reads it
Result<Schedule> parse_schedule(std::string_view text);

}  // namespace dovetail
