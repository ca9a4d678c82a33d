// SPDX-License-Identifier: Apache-2.0
//
// stored_region: rewrites a region that is no operator, with tensors stored in given forms, over
// the digits of these forms, so that all tensors are row-major.
//
//   Y[c,h,w]max=X[c,2*h+r,2*w+s]:c=64,h=28,w=28,r=2,s=2      X, Y as 0@16:4 1@1:… 2@1:… 0@1:16
//   ->
//   Y[a,h,w,b]max=X[a,2*h+r,2*w+s,b]:a=4,h=28,w=28,b=16,r=2,s=2
//
//   Y[i]=max(X[i],0) of any shape stays what it is; a sum over channels becomes one over both of
//   their digits; a concatenation whose parts end at blocks becomes one of blocks
//
// The new region is a task like any other: it has a space, default trace and records of its own,
// and uses a layout that a neighbour chose without a conversion. Why not a border: the loops of
// such a region follow the storage of its tensors; with a border alone it would convert them first.
#pragma once

#include <optional>

#include "core/base/result.h"
#include "core/ir/region/region.h"
#include "primitives/propagation/axis_cuts.h"

namespace dovetail {

// Tensors keep their names; their new dimensions are the digits in storage order, after dimensions
// of extent 1. Tensors without a form, such as inner ones, are row-major. The error names the index
// that digits cannot express.
Result<Region> stored_region(const Region& region, const StoredForms& forms);

// The best form of an output for a form of an input: its axes in the order in which the input has
// them, axes that the input lacks outermost. nullopt where the input has none of them.
//
//   X as 0@16:4 1@1:56 2@1:56 0@1:16, of the pooling above      Y as 0@16:4 1@1:28 2@1:28 0@1:16
std::optional<NormalLayout> followed_form(const Region& region, const std::string& output,
                                          const std::string& input, const NormalLayout& form);
// The inverse: the form of an input for which the output gets this form.
std::optional<NormalLayout> leading_form(const Region& region, const std::string& output,
                                         const std::string& input, const NormalLayout& form);

}  // namespace dovetail
