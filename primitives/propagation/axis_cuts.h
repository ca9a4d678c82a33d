// SPDX-License-Identifier: Apache-2.0
//
// AxisCuts: where the axes of a region's computations must be cut, so that tensors can be stored in
// given forms.
//
//   Y[c,h,w] max= X[c,2*h+r,2*w+s]     X stored as 0@16:4 1@1:56 2@1:56 0@1:16
//       dimension 0 of X is cut at 16, so axis c is, so dimension 0 of Y is
//
// A cut of a dimension is also one of the axis that indexes it, and a cut of an axis is also one of
// the output dimension that it indexes, and so on through the region's inner tensors.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/normal_form.h"
#include "core/ir/region/region.h"

namespace dovetail {

// Layouts of tensors, by name, each in terms of the tensor's own dimensions.
using StoredForms = std::map<std::string, NormalLayout, std::less<>>;

class AxisCuts {
 public:
  // Precondition: forms are one-to-one. The error names the dimension that cannot be cut, and why.
  static Result<AxisCuts> derive(const Region& region, const StoredForms& forms);

  // The steps of the digits, the coarsest first; just {1} where nothing is cut.
  std::vector<int64_t> of_axis(size_t computation, const std::string& axis) const;
  std::vector<int64_t> of_dim(const std::string& tensor, size_t dim) const;

 private:
  using Cuts = std::set<int64_t>;

  void take_forms(const StoredForms& forms);
  bool spread_once(const Region& region);
  bool spread(size_t computation, const Computation& c, const Access& access, bool is_output);
  Result<void> check(const Region& region) const;

  std::map<std::pair<size_t, std::string>, Cuts> axes_;
  std::map<std::pair<std::string, size_t>, Cuts> dims_;
};

}  // namespace dovetail
