// SPDX-License-Identifier: Apache-2.0
#pragma once

// One function for each form of KnownRegion; nothing for a region of another form. For known_region
// only.

#include <optional>

#include "measure/peers/known/known_region.h"

namespace dovetail::known {

// windows.cc
std::optional<Reduction> reduction(const Region& region);
std::optional<Pooling> pooling(const Region& region);
std::optional<Permutation> permutation(const Region& region);
// rows.cc
std::optional<Softmax> softmax(const Region& region);
std::optional<LayerNorm> layer_norm(const Region& region);
// pointwise.cc
std::optional<BatchNorm> batch_norm(const Region& region);
std::optional<Elementwise> elementwise(const Region& region);

}  // namespace dovetail::known
