// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/record_name.h"

#include <fmt/core.h>

#include <optional>

#include "core/base/text.h"

namespace dovetail {
namespace {

std::optional<int64_t> positive_integer(std::string_view text) {
  const std::optional<int64_t> number = read_number<int64_t>(text);
  return number && *number >= 1 ? number : std::nullopt;
}

}  // namespace

std::string print(const RecordName& name) {
  std::string text = fmt::format("{}#{}.{}", name.log, name.campaign, name.trial);
  if (!name.task.empty()) text += "@" + name.task;
  return text;
}

Result<RecordName> parse_record_name(std::string_view text) {
  const auto wrong = [text] {
    return fail(
        fmt::format("\"{}\" is not the name of a record; expected LOG#CAMPAIGN.TRIAL, as in "
                    "tune.jsonl#1.17",
                    text));
  };
  const size_t hash = text.rfind('#');
  if (hash == std::string_view::npos || hash == 0) return wrong();
  RecordName name;
  name.log = text.substr(0, hash);
  std::string_view numbers = text.substr(hash + 1);
  if (const size_t at = numbers.find('@'); at != std::string_view::npos) {
    name.task = numbers.substr(at + 1);
    if (name.task.empty()) return wrong();
    numbers = numbers.substr(0, at);
  }
  const size_t dot = numbers.find('.');
  if (dot == std::string_view::npos) return wrong();
  const auto campaign = positive_integer(numbers.substr(0, dot));
  const auto trial = positive_integer(numbers.substr(dot + 1));
  if (!campaign || !trial) return wrong();
  name.campaign = *campaign;
  name.trial = *trial;
  return name;
}

}  // namespace dovetail
