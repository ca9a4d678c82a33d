// SPDX-License-Identifier: Apache-2.0
//
// stored_region: a region without an operator of its own whose tensors are stored in given forms,
// written down again over the digits of these forms, so that all of them are row-major.
//
//   Y[c,h,w]max=X[c,2*h+r,2*w+s]:c=64,h=28,w=28,r=2,s=2      X, Y as 0@16:4 1@1:… 2@1:… 0@1:16
//   ->
//   Y[a,h,w,b]max=X[a,2*h+r,2*w+s,b]:a=4,h=28,w=28,b=16,r=2,s=2
//
//   Y[i]=max(X[i],0) of any shape stays what it is; a sum over channels becomes one over both of
//   their digits; a concatenation whose parts end at blocks becomes one of blocks
//
// The new region is a task like any other: it has a space, default trace and records of its own,
// and a layout that a neighbour chose costs it nothing. Why not a border: the loops of such a
// region follow how its tensors are stored; told by a border alone, it would convert them first.
#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/ir/region/region.h"
#include "primitives/propagation/axis_cuts.h"

namespace dovetail {

// Names of tensors stay; their new dimensions are the digits in storage order, after those of
// extent 1. Tensors without a form are row-major, and so are those that the region makes for
// itself. The error says what cannot be indexed by digits.
Result<Region> stored_region(const Region& region, const StoredForms& forms);

// How an output is stored best where an input is stored so: its axes in the order in which the
// input has them, those that the input lacks in front. Nothing where the input has none of them.
//
//   X as 0@16:4 1@1:56 2@1:56 0@1:16, of the pooling above      Y as 0@16:4 1@1:28 2@1:28 0@1:16
std::optional<NormalLayout> followed_form(const Region& region, const std::string& output,
                                          const std::string& input, const NormalLayout& form);
// The other way: how an input would have to be stored for the output to come out so.
std::optional<NormalLayout> leading_form(const Region& region, const std::string& output,
                                         const std::string& input, const NormalLayout& form);

}  // namespace dovetail
