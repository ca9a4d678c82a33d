// SPDX-License-Identifier: Apache-2.0
//
// ExecutionRules: what the space of a memory-bound region does by the target's execution model, one
// file each: threads.cc and work_groups.cc. Everything else asks this table, never the model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/memory_bound/plan.h"
#include "primitives/space/parameter_list.h"

namespace dovetail::memory_bound {

struct OuterLoop {
  std::string name;
  int64_t extent = 1;
  bool is_bounded = false, decides = false;
};

struct ExecutionRules {
  // Loops may end in a tail, and be cut where bounds end; else sizes divide extents.
  bool cuts_tails = false;
  bool sums_in_lanes = false;            // vectors may run along a reduction
  bool transposes_in_registers = false;  // else in local memory (staged_copy.h)
  bool blocks_dims = false;              // may store a dimension in blocks of a vector
  bool shares_rows = false;              // work-items may make parts of a row (shared_rows.h)
  bool writes_out_parts = false;     // may unroll parts of a reduction that is too long as a whole
  bool places_gathers_last = false;  // data-dependent loops go inside all loops of a head
  int64_t private_bytes = 0;         // for one stage inside another one's loops
  ComputePlace made = kApart;        // an inner stage, by default
  int64_t costly_vectors = 1;        // side by side, by default, where each is costly
  int64_t transposed_rows = 0;       // by default
  // How threads or work-items share a kernel, and how it stores its output.
  void (*add_sharing)(const std::shared_ptr<const Plan>& plan, const Target& target,
                      ParameterList& list);
  // Splits the innermost loops, at most so many, into one iteration per work-item, if they have not
  // fewer. Returns how many loops at the end of `head` run over work-items.
  size_t (*cut_items)(int64_t wanted, size_t most_loops, std::vector<OuterLoop>& head,
                      std::vector<LoopPrimitive>& list);
  // Distributes the loops. Returns the loop around the stage's tile, which is `around` unless
  // `is_plain`: nothing else of the stage is inside.
  std::string (*share)(const std::vector<OuterLoop>& head, size_t item_loops, bool is_plain,
                       const std::string& around, std::vector<LoopPrimitive>& list);
};

const ExecutionRules& rules_of(const Target& target);
extern const ExecutionRules kThreadRules, kWorkGroupRules;

}  // namespace dovetail::memory_bound
