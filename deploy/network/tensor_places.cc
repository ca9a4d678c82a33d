// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/tensor_places.h"

#include <algorithm>

#include "core/ir/layout/restate.h"

namespace dovetail {

std::optional<size_t> TensorPlaces::in_form(TensorId tensor, const NormalLayout& form) const {
  const auto found = std::ranges::find(of(tensor), form, &TensorPlace::form);
  if (found == of(tensor).end()) return std::nullopt;
  return found->buffer;
}

bool TensorPlaces::share(TensorId from, TensorId to,
                         const std::optional<std::vector<size_t>>& order) {
  for (const TensorPlace& place : of(from)) {
    const std::optional<NormalLayout> form =
        order ? std::optional(permuted(place.form, shape(from), *order))
              : restated(place.form, shape(from), shape(to));
    if (form) add(to, {place.buffer, *form});
  }
  return !of(to).empty();
}

std::vector<int64_t> TensorPlaces::shape(TensorId tensor) const {
  return graph_.tensors[static_cast<size_t>(tensor)].shape.value_or(std::vector<int64_t>());
}

std::vector<LogicalDim> TensorPlaces::dims(TensorId tensor) const {
  return numbered_dims(shape(tensor));
}

}  // namespace dovetail
