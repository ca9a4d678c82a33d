// SPDX-License-Identifier: Apache-2.0
//
// ExecutionRules: what the common rule for contractions does by the target's execution model, one
// file each: threads.cc and work_groups.cc. The rest of the rule asks this table, never the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/layout/layout.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {

// The loops around a register tile, outermost first.
struct Head {
  std::vector<std::string> loops;
  size_t num_outer = 0;    // outside the top of the reduction and the cache loops
  size_t num_fusable = 0;  // before the first one that comes from a cut tail
  bool has_top = false;    // the top of the reduction is among them
  LoopExtents extents = {};
};

// The loops of a sum over parts: those outside the parts, outermost first, and those inside, which
// are vectors; and the primitives that distribute the former.
struct SharedSum {
  std::vector<std::string> outer, lanes;
  std::vector<LoopPrimitive> sharing = {};
};

// The loops outside, the inner one, and its lanes.
loop::Reorder reorder_around(const std::string& inner, const SharedSum& sum);

struct ExecutionRules {
  // Vectors of output that keep the target busy; 0: always.
  int64_t (*busy_vectors)(const Target& target);
  // An unrolled part of the reduction that may pad it; 0: none does.
  int64_t padded_unroll = 0;
  bool masks_lanes = false;    // loads a vector that leaves the tensor at one end
  bool pads_in_block = false;  // may pad an input outside the cache loops, too
  int64_t padded_bytes = 0;    // most that a padding pass inside other loops makes at a time
  void (*add_cache_tiles)(const std::shared_ptr<const ContractionFacts>& facts,
                          const Target& target, ParameterList& list);
  // Copies of operands, and what else depends on the order of loops.
  void (*add_sharing)(const std::shared_ptr<const ContractionPlan>& plan, const Target& target,
                      ParameterList& list);
  // Memory scopes of inputs; null: global only.
  void (*add_scopes)(const std::shared_ptr<const ContractionFacts>& facts, const Target& target,
                     ParameterList& list) = nullptr;
  bool (*fuses)(const Head& head, const Choices& choices, const Target& target);
  // Distributes the loops, fusing some.
  void (*share)(Head& head, const Choices& choices, const Target& target,
                std::vector<LoopPrimitive>& list);
  // How the loops of a sum over parts, one for each of these axes, are distributed.
  SharedSum (*share_sum)(const std::vector<PhysicalAxis>& axes, const Target& target,
                         std::vector<LoopPrimitive>& splits);
  TileScope copies = TileScope::private_;
};

// Parts of a reduction that groups sum up apart.
inline constexpr int64_t kMostReductionParts = 64;
// Samples that do not cut the reduction in parts, neither for groups nor for work-items.
inline constexpr int kWholePercent = 50;
inline constexpr int64_t kMostWorkItems = 1024;  // in a group

const ExecutionRules& execution_rules(const Target& target);
extern const ExecutionRules kThreadRules, kWorkGroupRules;

// The loops of a stage that adds up the partial sums of rfactor, which are along the loop `parts`:
// vectors along the innermost axis of the output's layout.
std::vector<LoopPrimitive> loops_of_sum(const TensorLayout& layout, const Tensor& output,
                                        const std::string& parts, const Target& target);

// Whether outputs are too few to keep the target busy.
bool is_reduction_worth_sharing(const ContractionFacts& facts, const Target& target);

// Fuses the loop at `at` with the next one.
void fuse_with_next(size_t at, Head& head, std::vector<LoopPrimitive>& list);

// Cache tiles, in register tiles, that divide the axis.
std::vector<int64_t> cache_tiles(const ContractionFacts& facts, const Choices& choices,
                                 const std::string& axis);

}  // namespace dovetail
