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

Result<std::vector<fs::path>> find_spaces(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path file = at->path() / "space.json.gz";
    if (std::error_code absent; fs::exists(file, absent)) found.push_back(file);
  }
  if (error) return fail("cannot read folder {}: {}", folder, error.message());
  if (found.empty()) {
    return fail(
        "no space.json.gz in the sub-folders of {}; dovetail bruteforce makes "
        "them",
        folder);
  }
  std::ranges::sort(found);
  return found;
}

Result<SimulatedSpaces> read_spaces(const std::vector<fs::path>& files,
                                    const SpaceDefaults& defaults) {
  SimulatedSpaces spaces(files.size());
  TRY(try_each_in_parallel(files.size(), [&](size_t k) -> Result<void> {
    spaces[k] = TRY(read_space(files[k], defaults));
    return {};
  }));
  return spaces;
}

}  // namespace dovetail
