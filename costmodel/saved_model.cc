// SPDX-License-Identifier: Apache-2.0
#include "costmodel/saved_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::string_view kTitle = "dovetail cost model xgboost";
constexpr size_t kMaxRows = 20000;  // seconds of training, once a campaign

// Takes the line `key value` off the text.
Result<std::string_view> take_line(std::string_view& text, std::string_view key) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  if (end == std::string_view::npos || !line.starts_with(key) || line.size() <= key.size() ||
      line[key.size()] != ' ') {
    return fail(fmt::format("no saved cost model: expected a line '{} …', found '{}'", key,
                            line.substr(0, 40)));
  }
  text.remove_prefix(end + 1);
  return line.substr(key.size() + 1);
}

Result<int64_t> take_count(std::string_view& text, std::string_view key) {
  const std::string_view word = TRY(take_line(text, key));
  const auto count = read_number<int64_t>(word);
  if (!count || *count < 0)
    return fail(
        fmt::format("saved cost model: {} is '{}', expected a count", key, word.substr(0, 40)));
  return *count;
}

Result<void> check_names(std::string_view line) {
  const std::vector<std::string_view> names = split(line, ' ');
  const std::span<const std::string> own = feature_names();
  for (size_t i = 0; i < std::max(names.size(), own.size()); ++i) {
    const std::string_view found = i < names.size() ? names[i] : "nothing";
    const std::string_view expected = i < own.size() ? std::string_view(own[i]) : "nothing";
    if (found == expected) continue;
    return fail(
        fmt::format("saved cost model: feature {} is {}, this program has {}; train it "
                    "again with --save-model",
                    i + 1, found.substr(0, 60), expected));
  }
  return {};
}

}  // namespace

Result<SavedModel> train_saved_model(const TrainingRows& rows, uint64_t seed,
                                     const SavedModel* prior) {
  if (rows.labels.empty()) return fail("nothing was learnt that could be saved: no candidate ran");
  constexpr int kRounds = 150;
  return SavedModel{
      .trees = TRY(BoostedTrees::train(thinned(rows, kMaxRows), {.rounds = kRounds, .seed = seed},
                                       prior == nullptr ? nullptr : &prior->trees)),
      .rows = static_cast<int64_t>(rows.labels.size()) + (prior == nullptr ? 0 : prior->rows)};
}

std::string print(const SavedModel& model) {
  const std::string trees = model.trees.bytes();
  return fmt::format("{}\nfeatures {}\nnames {}\nrows {}\ntrees {}\n", kTitle, kFeatureVersion,
                     fmt::join(feature_names(), " "), model.rows, trees.size()) +
         trees;
}

Result<SavedModel> parse_saved_model(std::string_view text) {
  TRY(take_line(text, kTitle.substr(0, kTitle.rfind(' '))));
  const int64_t version = TRY(take_count(text, "features"));
  if (version != kFeatureVersion) {
    return fail(
        fmt::format("saved cost model: features have version {}, this program's {}; train "
                    "it again with --save-model",
                    version, kFeatureVersion));
  }
  TRY(check_names(TRY(take_line(text, "names"))));
  const int64_t rows = TRY(take_count(text, "rows"));
  const int64_t bytes = TRY(take_count(text, "trees"));
  if (static_cast<size_t>(bytes) != text.size()) {
    return fail(
        fmt::format("saved cost model: {} bytes of trees, expected {}", text.size(), bytes));
  }
  return SavedModel{.trees = TRY(BoostedTrees::from_bytes(text)), .rows = rows};
}

}  // namespace dovetail
