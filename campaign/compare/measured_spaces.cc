// SPDX-License-Identifier: Apache-2.0
#include "campaign/compare/measured_spaces.h"

#include <algorithm>

#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/base/parallel.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

Result<std::unique_ptr<SimulatedSpace>> read_space(const fs::path& file,
                                                   const SpaceDefaults& defaults) {
  MeasuredSpace measured = TRY(read_measured_space(file.string()));
  if (measured.most_points == 0) measured.most_points = defaults.points;
  Result<std::unique_ptr<SimulatedSpace>> space =
      measured.device.empty()
          ? simulated_space(std::move(measured), TRY(resolve_target(defaults.target)))
          : simulated_space(std::move(measured));
  if (!space) return fail("{}: {}", file.string(), space.error().message);
  return space;
}

}  // namespace

Result<std::vector<fs::path>> find_spaces(const std::string& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return std::vector{fs::path(path)};
  const auto file_in = [](const fs::path& folder) { return folder / "space.json.gz"; };
  if (fs::exists(file_in(path), error)) return std::vector{file_in(path)};
  std::vector<fs::path> found;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    if (std::error_code absent; fs::exists(file_in(*at), absent)) found.push_back(file_in(*at));
  if (error) return fail("cannot read the measured spaces in {}: {}", path, error.message());
  if (found.empty()) {
    return fail("no space.json.gz in {} or in its sub-folders; dovetail bruteforce makes them",
                path);
  }
  std::ranges::sort(found);
  return found;
}

std::string name_of_space(const fs::path& file) {
  std::string name = file.filename().string();
  if (name == "space.json.gz")
    return fs::absolute(file).lexically_normal().parent_path().filename().string();
  return name.substr(0, name.find(".json"));
}

Result<std::optional<SimulatedSpaces>> read_spaces(const std::vector<fs::path>& files,
                                                   const SpaceDefaults& defaults,
                                                   const Listener& listener) {
  if (files.size() > 1) listener.note(fmt::format("reading {} measured spaces", files.size()));
  SimulatedSpaces spaces(files.size());
  TRY(try_each_in_parallel(files.size(), [&](size_t k) -> Result<void> {
    if (listener.interrupted()) return {};
    spaces[k] = TRY(read_space(files[k], defaults));
    return {};
  }));
  if (listener.interrupted()) return std::optional<SimulatedSpaces>();
  return std::optional(std::move(spaces));
}

}  // namespace dovetail
