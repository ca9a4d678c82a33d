// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/saved_runs.h"

#include <filesystem>

#include "campaign/saved_lines.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/record/gzip.h"
#include "core/record/line/fields.h"

namespace dovetail {

auto fields_of(Of<Evaluation> auto& evaluation) {
  return std::tie(evaluation.seconds, evaluation.cost_seconds);
}

namespace {

auto run_fields(auto& asked, Of<RunToCompare> auto& run) {
  return std::tuple(Field{"asked", asked}, Field{"evaluations", run.evaluations},
                    Field{"rejected", run.rejected}, Field{"search_seconds", run.search_seconds},
                    Field{"model_seconds", run.model_seconds});
}

}  // namespace

Result<SavedRuns> SavedRuns::open(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return fail("cannot make {}: {}", folder, failed.message());
  SavedRuns saved;
  saved.path_ = (std::filesystem::path(folder) / "trajectories.jsonl").string();
  TRY(open_saved_lines(saved.path_, "a run of compare",
                       [&saved](std::string_view line) { return saved.take(line); }));
  return saved;
}

bool SavedRuns::take(std::string_view line) {
  Result<JsonFields> json = JsonFields::parse(line);
  if (!json) return false;
  std::string asked;
  RunToCompare run;
  read_fields(*json, run_fields(asked, run));
  if (json->check()) runs_[asked] = std::move(run);
  return json->check().has_value();
}

const RunToCompare* SavedRuns::find(const std::string& asked) const {
  const auto found = runs_.find(asked);
  return found == runs_.end() ? nullptr : &found->second;
}

Result<void> SavedRuns::add(const std::string& asked, const RunToCompare& run) {
  JsonWriter line;
  write_fields(line, run_fields(asked, run));
  return add_saved_line(path_, std::move(line).finish());
}

Result<void> SavedRuns::finish() {
  TRY(replace_text(path_ + ".gz", TRY(read_file(path_))));
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  return {};
}

}  // namespace dovetail
