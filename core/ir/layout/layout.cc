// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/layout.h"

#include <algorithm>
#include <utility>

namespace dovetail {

int64_t PhysicalAxis::extent() const {
  int64_t product = 1;
  for (const Digit& digit : digits) product *= digit.extent;
  return product;
}

Layout identity_layout(std::vector<LogicalDim> dims) {
  Layout layout;
  layout.offsets.assign(dims.size(), 0);
  for (size_t j = 0; j < dims.size(); ++j)
    layout.axes.push_back({dims[j].name, {Digit{static_cast<int>(j), 1, dims[j].extent}}});
  layout.logical = std::move(dims);
  return layout;
}

std::vector<int64_t> physical_extents(const Layout& layout) {
  std::vector<int64_t> extents;
  for (const PhysicalAxis& axis : layout.axes) extents.push_back(axis.extent());
  return extents;
}

int64_t storage_elements(const Layout& layout) { return num_elements(physical_extents(layout)); }

std::vector<int64_t> extents_of(const std::vector<LogicalDim>& dims) {
  std::vector<int64_t> extents;
  for (const LogicalDim& dim : dims) extents.push_back(dim.extent);
  return extents;
}

int64_t num_elements(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

int64_t logical_elements(const Layout& layout) { return num_elements(extents_of(layout.logical)); }

std::vector<DigitPlace> digits_of_dim(const Layout& layout, int dim) {
  std::vector<DigitPlace> places;
  for (size_t a = 0; a < layout.axes.size(); ++a) {
    for (size_t p = 0; p < layout.axes[a].digits.size(); ++p) {
      const Digit& digit = layout.axes[a].digits[p];
      if (digit.dim == dim) places.push_back({static_cast<int>(a), static_cast<int>(p), digit});
    }
  }
  // Digits of extent 1 may share a step with a larger digit; they go first, so that steps nest.
  std::stable_sort(places.begin(), places.end(), [](const DigitPlace& a, const DigitPlace& b) {
    return std::pair(a.digit.step, -a.digit.extent) > std::pair(b.digit.step, -b.digit.extent);
  });
  return places;
}

Range stored_range(const Layout& layout, int dim) {
  Range range{layout.offsets[dim], layout.offsets[dim]};
  for (const DigitPlace& place : digits_of_dim(layout, dim))
    range.max += place.digit.step * (place.digit.extent - 1);
  return range;
}

bool is_one_to_one(const Layout& layout) {
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    if (layout.offsets[j] != 0) return false;
    int64_t covered = 1;
    const std::vector<DigitPlace> places = digits_of_dim(layout, static_cast<int>(j));
    for (auto it = places.rbegin(); it != places.rend(); ++it) {
      if (it->digit.extent == 1) continue;
      if (it->digit.step != covered) return false;
      covered *= it->digit.extent;
    }
    if (covered != layout.logical[j].extent) return false;
  }
  return true;
}

bool has_overlap(const std::vector<DigitPlace>& places) {
  int64_t span = 1;  // range of the sum of the finer digits
  for (auto it = places.rbegin(); it != places.rend(); ++it) {
    if (it->digit.extent == 1) continue;
    if (it->digit.step < span) return true;
    span += it->digit.step * (it->digit.extent - 1);
  }
  return false;
}

bool has_overlap(const Layout& layout) {
  for (size_t j = 0; j < layout.logical.size(); ++j)
    if (has_overlap(digits_of_dim(layout, static_cast<int>(j)))) return true;
  return false;
}

int find_axis(const Layout& layout, std::string_view name) {
  for (size_t a = 0; a < layout.axes.size(); ++a)
    if (layout.axes[a].name == name) return static_cast<int>(a);
  return -1;
}

}  // namespace dovetail
