// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/check.h"
#include "core/ir/layout/pack.h"

namespace dovetail {
namespace {

int64_t elements_of(const std::vector<LogicalDim>& dims) {
  int64_t count = 1;
  for (const LogicalDim& dim : dims) count *= dim.extent;
  return count;
}

// Calls element(position in the joined tensor, position in the part) for each element of a part
// whose dimensions are some of the joined tensor's, `at` further along `axis`.
template <typename Element>
void for_each_element(const Layout& layout, const std::vector<LogicalDim>& dims,
                      const std::string& axis, int64_t at, Element element) {
  std::vector<int64_t> strides(dims.size(), 0);
  int64_t stride = 1, start = 0;
  for (size_t j = layout.logical.size(); j-- > 0; stride *= layout.logical[j].extent) {
    const std::string& name = layout.logical[j].name;
    if (name == axis) start = at * stride;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d].name == name) strides[d] = stride;
    }
  }
  const int64_t count = elements_of(dims);
  for (int64_t k = 0; k < count; ++k) {
    int64_t position = start, rest = k;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d].extent)
      position += rest % dims[d].extent * strides[d];
    element(static_cast<size_t>(position), static_cast<size_t>(k));
  }
}

}  // namespace

std::vector<LogicalDim> host_dims(const Layout& layout) {
  std::vector<LogicalDim> dims = layout.logical;
  for (LogicalDim& dim : dims) {
    for (const Guest& guest : layout.guests) {
      if (guest.axis == dim.name) dim.extent = std::min(dim.extent, guest.at);
    }
  }
  return dims;
}

std::vector<float> join_guests(const Layout& layout, std::span<const float> host,
                               std::span<const std::span<const float>> guests) {
  CHECK(guests.size() == layout.guests.size(), "one span for each guest");
  std::vector<float> joined(static_cast<size_t>(logical_elements(layout)), 0.0F);
  const std::vector<LogicalDim> own = host_dims(layout);
  CHECK(static_cast<int64_t>(host.size()) == elements_of(own), "the host's elements");
  for_each_element(layout, own, "", 0, [&](size_t to, size_t from) { joined[to] = host[from]; });
  for (size_t g = 0; g < guests.size(); ++g) {
    const Guest& guest = layout.guests[g];
    CHECK(static_cast<int64_t>(guests[g].size()) == elements_of(guest.dims), "a guest's elements");
    for_each_element(layout, guest.dims, guest.axis, guest.at,
                     [&](size_t to, size_t from) { joined[to] = guests[g][from]; });
  }
  return joined;
}

std::vector<std::vector<float>> split_guests(const Layout& layout, std::span<const float> joined) {
  std::vector<std::vector<float>> parts;
  const auto take = [&](const std::vector<LogicalDim>& dims, const std::string& axis, int64_t at) {
    std::vector<float> part(static_cast<size_t>(elements_of(dims)));
    for_each_element(layout, dims, axis, at,
                     [&](size_t from, size_t to) { part[to] = joined[from]; });
    parts.push_back(std::move(part));
  };
  take(host_dims(layout), "", 0);
  for (const Guest& guest : layout.guests) take(guest.dims, guest.axis, guest.at);
  return parts;
}

}  // namespace dovetail
