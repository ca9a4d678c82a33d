// SPDX-License-Identifier: Apache-2.0
//
// Chain: a region of sums of products, each of which is the only consumer of the one before: an
// inverted bottleneck, or its first two or last two convolutions.
//
//   E[m,y,x] = relu6(sum X[i,y,x] * U[m,i])                  rows y
//   D[m,h,w] = relu6(sum E[m,2*h+r-1,2*w+s-1] * V[m,r,s])    rows h   reads 2*h + 0 … 2
//   Y[o,h,w] = sum D[m,h,w] * Z[o,m]                         rows h   reads h
//
// Each stage has the plan, and so the parameters, that it has alone. A round of rows of the
// last stage reads some rows of each earlier one; these may be computed in that round, in
// workspace, and rows that neighbouring rounds share are kept in a ring (docs/decisions/0025).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/contraction/contraction_plan.h"

namespace dovetail {

struct ChainStage {
  std::string name;
  ContractionPlan plan;
  std::string rows = {};               // axis that is split into rounds
  std::vector<std::string> lead = {};  // row axes with loops outside the rounds: a batch
  // The next stage's row h reads the rows step*h + start … step*h + start + window - 1.
  int64_t step = 1, window = 1;
};

struct Chain {
  std::vector<ChainStage> stages;  // each one reads the output of the one before

  const ContractionFacts& facts(size_t k) const { return stages[k].plan.facts; }
  const std::string& made(size_t k) const { return facts(k).output(); }
  size_t last() const { return stages.size() - 1; }
};

// nullopt where the region is no chain, where channels between stages are not whole vectors, or
// where the target runs no threads.
std::optional<Chain> derive_chain(const Region& region, const Target& target);

// Where the stages of a point run.
struct ChainPlan {
  std::vector<bool> attached;  // runs in rounds of its host, the next stage that is not attached
  int64_t band = 1;            // rows of the host in a round
  bool keeps_rows = true;      // rounds run in sequence, so that rings are possible

  size_t host(size_t k) const;   // host of an attached stage
  bool is_host(size_t k) const;  // whether a stage is attached to k
  // Whether stage k keeps rows for the next round in a ring: only the first stage of a round may.
  bool rolls(const Chain& chain, size_t k) const;
};

// Rows that stage k computes in a round; all of them for a separate kernel.
int64_t rows_in_round(const Chain& chain, const ChainPlan& plan, size_t k);
// The stages to decode: attached ones have the extents of one round, which covers the padded tiles
// of the consumer. `choices`: one for each stage.
std::vector<ContractionPlan> plans_in_rounds(const Chain& chain, const ChainPlan& plan,
                                             const std::vector<Choices>& choices);

// Decodes each stage alone; attached stages run inside the loop over rounds of their host.
//
//   loops Y: split(loop=h, factor=4) … reorder(h.0, …) …
//   loops D: compute_at(stage=Y, loop=h.0, scope=workspace) ; …
//   loops E: compute_at(stage=Y, loop=h.0, scope=workspace) ; roll(y) ; …
Trace decode(const Chain& chain, const ChainPlan& plan, const Target& target,
             const std::vector<Choices>& choices);

// Whether rounds of the kernel run in sequence, in one thread or in one part per thread, so that
// shared rows need not be computed again.
bool rounds_follow(const Chain& chain, const ChainPlan& plan, size_t host, const Target& target);

}  // namespace dovetail
