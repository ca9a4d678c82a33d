// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/primitives_of_form.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "core/ir/layout/restate.h"

namespace dovetail {
namespace {

// Splits a dimension at the steps of its digits, the largest first, and names the digits.
class AxisNames {
 public:
  void split(const NormalLayout& form, int dim, const std::string& name,
             std::vector<LayoutPrimitive>& primitives) {
    std::vector<int64_t> steps;
    for (const NormalDigit& digit : form.digits)
      if (digit.dim == dim) steps.push_back(digit.step);
    std::ranges::sort(steps, std::greater());
    std::string rest = name;
    for (const int64_t step : steps) {
      if (step > 1) {
        primitives.emplace_back(layout::Split{rest, step});
        names_[{dim, step}] = rest + ".0";
        rest += ".1";
      } else {
        names_[{dim, step}] = rest;
      }
    }
  }

  const std::string& of(const NormalDigit& digit) const {
    return names_.at({digit.dim, digit.step});
  }

 private:
  std::map<std::pair<int, int64_t>, std::string> names_;  // by dimension and step
};

}  // namespace

std::optional<std::vector<LayoutPrimitive>> primitives_of(const NormalLayout& form,
                                                          const std::vector<LogicalDim>& dims) {
  if (!is_one_to_one(form, extents_of(dims))) return std::nullopt;
  std::vector<LayoutPrimitive> primitives;
  AxisNames names;
  layout::Reorder order;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    names.split(form, static_cast<int>(dim), dims[dim].name, primitives);
    if (dims[dim].extent == 1) order.axes.push_back(dims[dim].name);
  }
  for (const NormalDigit& digit : form.digits) order.axes.push_back(names.of(digit));
  // Splits leave axes dim by dim, large steps first; dims of extent 1 may be anywhere.
  const bool stays = std::ranges::is_sorted(
      form.digits, {}, [](const NormalDigit& digit) { return std::pair(digit.dim, -digit.step); });
  if (!stays) primitives.emplace_back(std::move(order));
  return primitives;
}

}  // namespace dovetail
