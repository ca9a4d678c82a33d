// SPDX-License-Identifier: Apache-2.0
//
// Chain: a region of sums of products of which each reads what the one before makes, and nobody
// else does: an inverted bottleneck, or its first two or last two convolutions.
//
//   E[m,y,x] = relu6(sum X[i,y,x] * U[m,i])                  rows y
//   D[m,h,w] = relu6(sum E[m,2*h+r-1,2*w+s-1] * V[m,r,s])    rows h   reads 2*h + 0 … 2
//   Y[o,h,w] = sum D[m,h,w] * Z[o,m]                         rows h   reads h
//
// Each stage has the structure, and so the parameters, that it has alone. A round of some rows of
// the last stage needs some rows of each earlier one; those may be made in that round, in
// workspace, and what neighbouring rounds share is kept in a ring (docs/decisions/0025).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/structure.h"

namespace dovetail {

struct ChainStage {
  std::string name;
  Structure structure;
  std::string rows = {};               // its axis of which a round makes some
  std::vector<std::string> lead = {};  // row axes whose loops stand outside the rounds: a batch
  // The next stage's row h reads the rows step*h + start … step*h + start + window - 1.
  int64_t step = 1, window = 1;
};

struct Chain {
  std::vector<ChainStage> stages;  // each but the last makes what the next one reads

  const std::string& made(size_t k) const { return stages[k].structure.output(); }
  size_t last() const { return stages.size() - 1; }
};

// There is none where the region is no chain, where a stage makes channels that are no whole
// vectors, or on a device.
std::optional<Chain> derive_chain(const Region& region, const Target& target);

// Where the stages of a point run.
struct ChainPlan {
  std::vector<bool> attached;  // in rounds of the next stage that is a kernel
  int64_t band = 1;            // rows of that kernel's stage in a round
  bool keeps_rows = true;      // rounds follow each other, so that rings may be kept

  size_t host(size_t k) const;   // of an attached stage
  bool is_host(size_t k) const;  // of one at least
  // The first stage of those that one round runs may keep rows that the next round reads again.
  bool rolls(const Chain& chain, size_t k) const;
};

// Rows that stage k makes in a round; of a kernel all of them.
int64_t rows_in_round(const Chain& chain, const ChainPlan& plan, size_t k);
// The stages as their loops see them: those that run in rounds have the extents of one round, which
// reaches as far as the padded tiles of its reader. `choices`: one for each stage.
std::vector<Structure> structures_in_rounds(const Chain& chain, const ChainPlan& plan,
                                            const std::vector<Choices>& choices);

}  // namespace dovetail
