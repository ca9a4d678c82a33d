// SPDX-License-Identifier: Apache-2.0
//
// store_at(host, axis): keep a tensor in another one's storage, behind its last element along an
// axis; the two become one buffer.
//
//   W[k=512, n=64]  bias[n=64]    layout bias: store_at(host=W, axis=k)
//   ->  W[k=513, n=64] … holds bias[n=64] at k=512      bias[n] is read as W[512, n]
//
// A convolution's bias goes under its weights in the same way: with axis=i, W[o, 64, 0, 0] is
// bias[o] and the rest of that slab is zero. The weights that a register tile has just used and the
// bias that ends it are then neighbours: one stream, one page, one pointer (ALT §4.1).
//
// The primitives of the host's own line see the longer axis, so a tile of it needs pad:
// `layout W: pad(axis=k, before=0, after=15) split(axis=k, factor=16)`. Where a reduction runs over
// that padding, the other factor is zero, so that the guest's elements add nothing.
// Requires: 1) it is the only primitive of the tensor's line, in scope global; 2) both tensors are
// constants (joining activations would be a pass of every inference); 3) the host is not stored
// elsewhere itself; 4) the host has the axis and every dimension of the guest, with its extent.
// Inverse: none as a primitive.
// Elsewhere: store_at (ALT); the bias row of a packed panel in mobile inference libraries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {

// The tensors stored in each host, by the host's name.
using Guests = std::map<std::string, std::vector<Guest>>;

struct JoinedComputation {
  Computation computation;  // hosts longer, guests gone, their accesses redirected
  Guests guests;
};

// Performs the store_at of every layout line and ignores other lines. Errors start with
// "layout NAME: ".
Result<JoinedComputation> apply_store_at(const std::vector<TensorLayout>& layouts,
                                         const Computation& computation);

// True when the line is a store_at (and, checked by apply_store_at, nothing else).
bool is_store_at(const TensorLayout& line);

}  // namespace dovetail
