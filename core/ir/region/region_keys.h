// SPDX-License-Identifier: Apache-2.0
//
// RegionKeys: the keys after the colon of a written region.
//
//     …:n=1,c=64,X=1x64x112x112,I=32xi64,C=bool,const=W.B
//       axes n and c; the shape of X, shape and type of I, the type of C; W and B are constants
//
// Names in capitals are tensors, others are axes, so that keys are parsed without the statements.
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

// `text`: without spaces; empty if there is no axis and no tensor needs a key.
Result<RegionKeys> parse_region_keys(std::string_view text);

}  // namespace dovetail
