// SPDX-License-Identifier: Apache-2.0
#include "costmodel/saved_model.h"

#include <fmt/ranges.h>

#include "core/base/fail.h"
#include "core/base/keyed_lines.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::string_view kTitle = "dovetail cost model xgboost";
constexpr size_t kMaxSavedRows = 20000;  // bounds training to seconds, once per campaign

Result<void> check_names(std::string_view line) {
  const std::vector<std::string_view> names = split(line, ' ');
  const std::span<const std::string> own = feature_names();
  for (size_t i = 0; i < std::max(names.size(), own.size()); ++i) {
    const std::string_view found = i < names.size() ? names[i] : "nothing";
    const std::string_view expected = i < own.size() ? std::string_view(own[i]) : "nothing";
    if (found == expected) continue;
    return fail(
        "saved cost model: feature {} is {}, this program has {}; train it "
        "again with --save-model",
        i + 1, found.substr(0, 60), expected);
  }
  return {};
}

}  // namespace

Result<SavedModel> train_saved_model(const TrainingRows& rows, uint64_t seed,
                                     const SavedModel* prior) {
  if (rows.labels.empty()) return fail("nothing was learnt that could be saved: no candidate ran");
  constexpr int kRounds = 150;
  return SavedModel{
      .trees =
          TRY(BoostedTrees::train(thinned(rows, kMaxSavedRows), {.rounds = kRounds, .seed = seed},
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
  KeyedLines lines(text, "saved cost model");
  TRY(lines.take(kTitle.substr(0, kTitle.rfind(' '))));
  const int64_t version = TRY(lines.take_count("features"));
  if (version != kFeatureVersion) {
    return fail(
        "saved cost model: features have version {}, this program's {}; train "
        "it again with --save-model",
        version, kFeatureVersion);
  }
  TRY(check_names(TRY(lines.take("names"))));
  const int64_t rows = TRY(lines.take_count("rows"));
  const int64_t bytes = TRY(lines.take_count("trees"));
  const std::string_view trees = lines.rest();
  if (static_cast<size_t>(bytes) != trees.size())
    return fail("saved cost model: {} bytes of trees, expected {}", trees.size(), bytes);
  return SavedModel{.trees = TRY(BoostedTrees::from_bytes(trees)), .rows = rows};
}

}  // namespace dovetail
