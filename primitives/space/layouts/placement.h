// SPDX-License-Identifier: Apache-2.0
//
// Where copies run: the padding pass of the first input inside its consumer's loops (compute_at),
// and copies of operand tiles (cache_read). All are off by default, and each is off in 90 of 100
// samples.
//
//   pad_at.X       root    a kernel of its own
//                  block   inside the loops around the cache loops
//                  tile    inside all loops around the register tile
//   cache_read.X   none, block, tile                       (CPU: memory of the thread)
//   cache_read.W   none, block
//   cache_read.T   none, top: inside the loop over the reduction's top, if it has one
//                                           (OpenCL: local memory, filled by the work-group)
//   row_pad.X      elements after each row of such a tile, against conflicts of banks
//   double_buffer  two such tiles of each input that is copied: a round loads the next one's
//
// Only places that the primitives accept are offered, judged by a bound: what one round reads, with
// windows and the reduction whole, is at most 64 KiB (4 KiB in a work-item; in a work-group all
// copies together fit the local memory). The reduction's block is considered only for weights and
// on devices: elsewhere it would tie all parameters of an input together and make spaces
// uncountable. Where the pass is moved, the input is padded wherever a window leaves it; otherwise
// there would be no pass.
#pragma once

#include <memory>

#include "core/ir/target.h"
#include "primitives/space/contraction/contraction_facts.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {

enum CopyPlace : int64_t {
  kNowhere = 0,  // padding pass: root
  kInBlock = 1,
  kInTile = 2,
  kInTop = 3,
};

// Must follow register and cache tiles, and precede the first input's storage.
void add_padding_place(const std::shared_ptr<const ContractionFacts>& facts, const Target& target,
                       ParameterList& list);
// Both must follow pad_at, inner_part, reduction_parts and reduction_outside. `limit`: bytes of all
// copies in local memory.
void add_copies_of_threads(const std::shared_ptr<const ContractionFacts>& facts,
                           ParameterList& list);
void add_copies_of_groups(const std::shared_ptr<const ContractionFacts>& facts,
                          const Target& target, ParameterList& list);

// Copies in local memory.
inline constexpr int64_t kPadElements = 4;  // row_pad.X, where rows are padded
class LocalCopies {
 public:
  explicit LocalCopies(const ContractionFacts& facts);  // which must outlive it
  // True if tiles of an input, by its position, are boxes that can be copied.
  bool may_copy(size_t input) const;
  // Upper bound of the bytes of all copies that the choices make.
  int64_t bytes(const Choices& choices) const;
  // True where a round can load copies of so many rounds ahead: there are as many, and a
  // work-item's part of the next one's fits its registers, through which a single one goes.
  bool may_load_ahead(const Choices& choices, int64_t rounds) const;

 private:
  struct Input;
  const ContractionFacts* facts_;
  std::shared_ptr<const std::vector<Input>> inputs_;
};

// The parameter that moves the first input's padding pass.
ParameterId padding_place(const ContractionFacts& facts);

}  // namespace dovetail
