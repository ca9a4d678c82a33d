// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/frontend/onnx_import.h"

namespace dovetail {

Result<std::pair<std::string, std::vector<int64_t>>> parse_shape_option(std::string_view text) {
  const auto wrong = [&] {
    return fail("--shape {}: expected NAME=1,3,224,224 with extents from 1 to {}", text,
                kMaxSpecNumber);
  };
  const size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) return wrong();
  std::string extents(text.substr(equals + 1));
  std::ranges::replace(extents, 'x', ',');
  std::vector<int64_t> shape;
  for (const std::string_view word : split(extents, ',')) {
    const auto extent = read_number<int64_t>(word);
    if (!extent || *extent < 1 || *extent > kMaxSpecNumber) return wrong();
    shape.push_back(*extent);
  }
  return std::pair(std::string(text.substr(0, equals)), std::move(shape));
}

Result<std::pair<std::string, std::string>> parse_constant_option(std::string_view text) {
  const size_t equals = text.rfind('=');
  const bool has_both = equals != std::string_view::npos && equals > 0;
  const auto number = has_both ? read_number<double>(text.substr(equals + 1)) : std::nullopt;
  if (!number || !std::isfinite(*number))
    return fail("--constant {}: expected NAME=VALUE with a finite number", text);
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

}  // namespace dovetail
