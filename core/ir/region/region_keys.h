// SPDX-License-Identifier: Apache-2.0
//
// The keys behind the colon of a written region: extents of axes, shapes and types of tensors,
// which tensors are constant. Of use to the parser of regions only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/value/element_type.h"

namespace dovetail {

struct TensorKey {
  std::optional<std::vector<int64_t>> shape;
  std::optional<ElementType> type;
};

struct RegionKeys {
  Ranges axes;
  std::map<std::string, TensorKey, std::less<>> tensors;
  std::set<std::string, std::less<>> constants;
};

// Names in capitals are tensors, other names are axes.
Result<RegionKeys> parse_region_keys(std::string_view text);

}  // namespace dovetail
