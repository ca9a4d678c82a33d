// SPDX-License-Identifier: Apache-2.0
//
// Inner weights: Winograd's weights transformed inside the product, part by part in workspace,
// instead of once at build time.
//
//   compute_at.W.wino=apart      kernel W.wino, once: 216 numbers for 27 in F(4,3) of three axes,
//                                which are kept, and come from memory at each inference
//   compute_at.W.wino=workspace  kernel Y.wino
//   register_tile.o=16             for o.0 in 0..16           columns of a part
//   cache_tile.o=1                   for i.0 in 0..16         and what it has of the reduction
//   inner_part.i=16                    W.wino of 16 x 16      in workspace, which stays in L2
//                                      for ad, ah, aw in 0..6
//                                        Y.wino[ad, ah, aw, …] += …
//
// A part is a cache tile of columns by the inner part of the reduction, so that it has no size
// parameters of its own; by default it has the whole reduction where the sums of all rows would
// leave the cache. It is stored as its transform writes it: planes outside the columns. W is read
// contiguously, prefetched `prefetch` iterations ahead.
//
// Why: it trades time for memory. 256 to 256 channels of 4x14x14 keep 7 MB instead of 57 and take
// 3.4 ms instead of 2.7 (a Zen 5, weights from memory); 128 channels of 8x28x28 keep 2 MB instead
// of 14 and take 5.0 instead of 4.7. F(2,3), with 64 numbers for 27, gains too little: 512 channels
// of 2x7x7 take 4.9 ms so, 3.1 apart, and 4.1 by the direct sum.
#pragma once

#include <memory>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/winograd/winograd_plan.h"

namespace dovetail {

// Whether an alternative with inner weights is worth offering: the transform makes many numbers per
// weight, and together they exceed L2.
bool may_have_inner_weights(const WinogradPlan& plan, const Target& target);
bool has_inner_weights(const WinogradPlan& plan, const Choices& choices);

// Adds compute_at of the weights; must follow the parameters that split loops.
void add_inner_weights(const std::shared_ptr<const WinogradPlan>& plan, const Target& target,
                       ParameterList& list);
// With inner weights, fixes the parameters of their storage, reduction_outside and fuse to off.
void keep_inner_weights_row_major(const WinogradPlan& plan, std::vector<Parameter>& parameters);

// Where weights stream from memory, transformed or not, lets each element serve as many rows as
// there are accumulators, and prefetches it. Must follow the default rule's other choices.
void choose_for_streamed_weights(const WinogradPlan& plan, const Target& target, Choices& choices);

// Sets the layout lines of W and W.wino, and appends the loops of the transform to its compute_at.
void transform_inside(const WinogradPlan& plan, const Choices& choices, Trace& trace);

}  // namespace dovetail
