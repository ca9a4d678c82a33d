// SPDX-License-Identifier: Apache-2.0
#include "core/record/runner.h"

#include <array>
#include <utility>

#include "core/base/fail.h"

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

}  // namespace dovetail
