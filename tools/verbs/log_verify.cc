// SPDX-License-Identifier: Apache-2.0
// The verb `log verify`.
#include <fmt/format.h>

#include "core/record/line/json_fields.h"
#include "core/record/statistics/log_stats.h"
#include "tools/verbs/log_verbs.h"

namespace dovetail {
namespace {

std::string json_of(const LogCheck& check) {
  std::vector<std::string> bad_lines;
  for (const LogWarning& warning : check.bad_lines) {
    JsonWriter line;
    line.integer("line", warning.line);
    line.text("reason", warning.text);
    bad_lines.push_back(std::move(line).finish());
  }
  JsonWriter writer;
  writer.text("log", check.path);
  writer.boolean("sound", check.sound());
  writer.integer("lines", check.num_lines);
  writer.integer("campaigns", check.num_campaigns);
  writer.integer("distilled_campaigns", check.num_distilled);
  writer.integer("trials", check.num_trials);
  writer.integer("other_records", check.num_other_records);
  writer.integer("rounds", check.num_rounds);
  writer.integer("unknown_lines", check.num_unknown);
  writer.boolean("torn", check.torn);
  writer.raws("bad_lines", bad_lines);
  writer.texts("gaps", check.gaps);
  return std::move(writer).finish();
}

std::string text_of(const LogCheck& check) {
  std::string text;
  for (const LogWarning& warning : check.bad_lines) text += print(warning, check.path) + "\n";
  for (const std::string& gap : check.gaps) text += fmt::format("{}: {}\n", check.path, gap);
  if (check.num_unknown > 0) {
    text += fmt::format("{}: {} lines of kinds that this version does not know; kept, not read\n",
                        check.path, check.num_unknown);
  }
  if (check.torn) text += fmt::format("{}: unfinished last line; no damage\n", check.path);
  const std::string distilled =
      check.num_distilled > 0 ? fmt::format(" ({} distilled)", check.num_distilled) : "";
  text += fmt::format(
      "{}: {}; {} lines, {} campaigns{}, {} trials, {} other records, {} bad lines\n", check.path,
      check.sound() ? "sound" : "damaged", check.num_lines, check.num_campaigns, distilled,
      check.num_trials, check.num_other_records, check.bad_lines.size());
  return text;
}

}  // namespace

int run_log_verify(const LogVerbOptions& options, std::ostream& out, std::ostream& err) {
  std::vector<std::string> items;
  bool all_sound = true;
  for (const std::string& path : options.logs) {
    const auto check = check_log(path);
    if (!check) return refuse(check.error(), err);
    all_sound = all_sound && check->sound();
    items.push_back(options.json ? json_of(*check) : text_of(*check));
  }
  if (options.json) {
    JsonWriter writer;
    writer.boolean("sound", all_sound);
    writer.raws("logs", items);
    out << std::move(writer).finish() << "\n";
  } else {
    out << fmt::format("{}", fmt::join(items, ""));
  }
  return static_cast<int>(all_sound ? ExitCode::done : ExitCode::bad_input);
}

}  // namespace dovetail
