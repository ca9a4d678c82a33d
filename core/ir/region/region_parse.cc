// SPDX-License-Identifier: Apache-2.0
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"
#include "core/ir/region/region_keys.h"
#include "core/ir/region/region_text.h"
#include "core/ir/region/written_region.h"

namespace dovetail {
namespace {

constexpr size_t kMaxStatements = 64;
constexpr size_t kMaxRegionText = 16384;

Result<Region> parse_written(std::string_view spec) {
  const size_t colon = spec.find(':');
  if (colon == std::string_view::npos)
    return fail("has no extents; expected them behind a colon, such as :n=1,o=64");
  std::string keys(spec.substr(colon + 1));
  std::erase(keys, ' ');
  WrittenRegion written(TRY(parse_region_keys(keys)));
  const std::vector<std::string_view> statements = split(spec.substr(0, colon), ';');
  for (size_t k = 0; k < statements.size(); ++k) {
    if (k == kMaxStatements) return fail("more than {} statements", kMaxStatements);
    TRY(written.add(TRY(parse_statement(statements[k], written.axes(), written.types()))));
  }
  return std::move(written).region();
}

}  // namespace

bool is_written(std::string_view spec) {
  const size_t colon = spec.find(':'), bracket = spec.find('[');
  return bracket != std::string_view::npos && (colon == std::string_view::npos || bracket < colon);
}

Result<Region> parse_region(std::string_view spec) {
  if (spec.size() > kMaxRegionText)
    return fail("spec has {} characters; expected at most {}", spec.size(), kMaxRegionText);
  if (!is_written(spec)) return region_of(TRY(parse_operator(spec)));
  // A written sum of products of two tensors is parsed as an operator.
  std::string compact(spec);
  std::erase(compact, ' ');
  if (looks_written(compact) && compact.find(';') == std::string::npos) {
    if (Result<Operator> op = parse_operator(compact)) return region_of(*op);
  }
  Result<Region> region = parse_written(spec);
  if (region) return region;
  return fail("spec {}: {}", quoted(spec), region.error().message);
}

}  // namespace dovetail
