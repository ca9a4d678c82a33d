// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/region_keys.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"
#include "core/ir/operator/operator.h"

namespace dovetail {
namespace {

bool is_key(std::string_view text) {
  const auto starts = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && starts(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return starts(c) || (c >= '0' && c <= '9'); });
}

Result<int64_t> extent_of(std::string_view key, std::string_view text) {
  const std::optional<int64_t> value = read_number<int64_t>(text);
  if (value && *value >= 1 && *value <= kMaxSpecNumber) return *value;
  return fail("key {} has \"{}\"; expected a whole number from 1 to {}", key, text, kMaxSpecNumber);
}

// 1x64x56x56, 32xi64, bool
Result<TensorKey> tensor_key(std::string_view key, std::string_view text) {
  TensorKey result;
  std::vector<std::string_view> parts = split(text, 'x');
  if (const auto type = element_type_named(parts.back())) {
    if (!is_stored(*type))
      return fail("key {} has type {}; expected {}", key, parts.back(), kStoredTypes);
    result.type = *type;
    parts.pop_back();
  }
  if (parts.empty()) return result;
  result.shape.emplace();
  for (const std::string_view part : parts) result.shape->push_back(TRY(extent_of(key, part)));
  return result;
}

}  // namespace

Result<RegionKeys> parse_region_keys(std::string_view text) {
  RegionKeys keys;
  if (text.empty()) return keys;  // a scalar computed from scalars has no axes
  std::set<std::string, std::less<>> seen;
  for (const std::string_view item : split(text, ',')) {
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos || !is_key(item.substr(0, equals)))
      return fail("found \"{}\"; expected AXIS=extent, TENSOR=shape or const=TENSOR", item);
    const std::string name(item.substr(0, equals));
    const std::string_view value = item.substr(equals + 1);
    if (!seen.insert(name).second) return fail("key {} is given twice; expected it once", name);
    if (name == "const")
      for (const std::string_view tensor : split(value, '.')) keys.constants.emplace(tensor);
    else if (read_number<int64_t>(value) && name.front() >= 'a')
      keys.axes[name] = {0, TRY(extent_of(name, value)) - 1};
    else
      keys.tensors[name] = TRY(tensor_key(name, value));
  }
  return keys;
}

}  // namespace dovetail
