// SPDX-License-Identifier: Apache-2.0
#include "core/record/runner.h"

#include <array>
#include <utility>

#include "core/base/fail.h"
#include "core/ir/region/border.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

constexpr std::array<std::pair<Purpose, std::string_view>, 4> kPurposes = {{
    {Purpose::trial, "trial"},
    {Purpose::remeasure, "remeasure"},
    {Purpose::confirm, "confirm"},
    {Purpose::retime, "retime"},
}};

}  // namespace

std::string_view print(Purpose purpose) { return kPurposes[static_cast<size_t>(purpose)].second; }

Result<Purpose> parse_purpose(std::string_view text) {
  for (const auto& [purpose, name] : kPurposes)
    if (name == text) return purpose;
  return fail("unknown purpose {}, expected trial, remeasure, confirm or retime", text);
}

Result<KeyedTask> parse_word(std::string_view text, std::type_identity<KeyedTask>) {
  const BarredText parts = split_at_bar(text);
  TaskSpec spec(TRY(parse_region(parts.spec)));
  if (parts.border) spec.border = TRY(parse_border(*parts.border, spec.region));
  return KeyedTask(std::move(spec));
}

}  // namespace dovetail
