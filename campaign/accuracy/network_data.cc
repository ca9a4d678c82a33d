// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/network_data.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "campaign/accuracy/graph_inputs.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

bool has_inputs(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "input_0.npy", ignored);
}

}  // namespace

Result<std::vector<std::vector<NDArray>>> input_sets(const Graph& graph,
                                                     const InputSources& sources) {
  std::vector<std::string> folders = sources.folders;
  if (folders.empty()) folders.emplace_back();  // no path: random inputs
  std::vector<std::vector<NDArray>> sets;
  for (const std::string& folder : folders)
    sets.push_back(TRY(graph_inputs(graph, folder, sources.seed, sources.constants)));
  return sets;
}

Result<std::vector<NetworkData>> network_data(const Partition& parts,
                                              std::vector<std::vector<NDArray>> inputs,
                                              AccuracyRule& rule, const Listener& listener) {
  const VisitNode visit = [&](size_t, const Region& region, const NamedArrays& given,
                              const NamedArrays& made) { rule.learn(region, given, made); };
  std::vector<NetworkData> sets;
  for (std::vector<NDArray>& own : inputs) {
    NetworkReference reference = TRY(network_reference(parts, own, visit, listener));
    sets.push_back({.inputs = std::move(own), .reference = std::move(reference)});
  }
  return sets;
}

Result<std::vector<std::string>> input_folders(const std::string& folder) {
  if (has_inputs(folder)) return std::vector{folder};
  std::error_code error;
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (has_inputs(entry.path())) found.push_back(entry.path().string());
  if (error) return fail("cannot read {}: {}", folder, error.message());
  if (found.empty())
    return fail(
        "{} has no input_0.npy, nor has a folder in it; expected inputs as `run` takes them",
        folder);
  std::ranges::sort(found);
  return found;
}

}  // namespace dovetail
