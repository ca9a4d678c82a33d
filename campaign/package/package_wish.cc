// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/package_wish.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "campaign/network/network_variants.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/systems.h"
#include "core/memory/planner.h"
#include "deploy/package/c_names.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/write_package.h"

namespace dovetail {
namespace {

// "models/resnet18-v1.onnx" -> resnet18_v1
std::string name_of_file(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  const bool is_identifier =
      !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  return is_identifier ? name : "net_" + name;
}

template <typename Form>
Result<Form> form_of(std::string_view option, const std::string& word, std::string_view first,
                     Form one, std::string_view second, Form other) {
  if (word == first) return one;
  if (word == second) return other;
  return fail("{} {} found; expected {} or {}", option, word, first, second);
}

Result<std::vector<Pool>> pools_of(const std::vector<std::string>& texts, std::string_view name) {
  std::vector<Pool> pools;
  for (const std::string& text : texts) pools.push_back(TRY(parse_network_pool(text)));
  if (pools.empty()) pools.push_back(network_pool(std::string(name)));
  return pools;
}

Result<NetworkPlanOptions> plan_options(const BuildOptions& options) {
  TRY(builtin_planners().find(options.algorithm));
  NetworkPlanOptions plan;
  plan.algorithm = options.algorithm;
  plan.workspace = TRY(pools_of(options.pools, "workspace"));
  plan.constants = TRY(pools_of(options.constants_pools, "constants"));
  plan.boundary = NetworkBoundary::inside;
  return plan;
}

// The convention for reproducible builds; if unset, a package has no timestamp.
Result<std::optional<int64_t>> source_date_epoch() {
  const char* const text = std::getenv("SOURCE_DATE_EPOCH");  // NOLINT(concurrency-mt-unsafe)
  if (text == nullptr) return std::optional<int64_t>();
  const std::string_view given = text;
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(given.begin(), given.end(), seconds);
  if (error != std::errc() || end != given.end() || seconds < 0)
    return fail("SOURCE_DATE_EPOCH is \"{}\"; expected seconds since 1970", given);
  return std::optional(seconds);
}

Result<std::vector<Target>> targets_of(const std::vector<std::string>& texts) {
  std::vector<Target> targets;
  for (const std::string& text : texts) targets.push_back(TRY(resolve_target(text)));
  if (targets.empty()) targets.push_back(TRY(resolve_target("cpu")));
  return targets;
}

CodeForm code_form_of(const Target& target) { return backend_of(target).code_form(); }

// A package of OpenCL source has no pools, as all of its memory is the device's, and is specific to
// one device's limits.
Result<void> check_forms(const BuildOptions& options, const std::vector<Target>& targets) {
  for (const Target& target : targets) TRY(check_package_form(code_form_of(target), target.name));
  if (std::ranges::count(targets, CodeForm::opencl_source, code_form_of) == 0) return {};
  if (targets.size() > 1)
    return fail("{} targets, of which one is opencl; expected that one alone", targets.size());
  const auto refuse = [&](std::string_view option, std::string_view why) {
    return fail("{} with target {}: {}", option, print(targets[0].name), why);
  };
  if (!options.pools.empty()) return refuse("--pool", "the device's memory is its only pool");
  if (!options.constants_pools.empty())
    return refuse("--constants-pool", "the device's memory is its only pool");
  if (options.workspace == "internal")
    return refuse("--workspace internal", "memory for temporaries is the device's");
  if (!options.system.empty()) return refuse("--system", "its source is for any system");
  if (options.weights == "embed")
    return refuse("--weights embed", "there is no library to hold them; expected file");
  return {};
}

}  // namespace

Result<PackageWish> package_wish(const BuildOptions& options) {
  if (!options.model.ends_with(".onnx") && !options.model.ends_with(".graph"))
    return fail("{} is no model; expected MODEL.onnx or MODEL.graph", options.model);
  if (options.variant) TRY(check_network_variant(*options.variant));
  PackageWish wish;
  wish.package.name = options.name.value_or(name_of_file(options.model));
  TRY(check_package_name(wish.package.name));
  wish.package.workspace = TRY(form_of("--workspace", options.workspace, "caller",
                                       WorkspaceForm::caller, "internal", WorkspaceForm::internal));
  wish.package.weights = TRY(form_of("--weights", options.weights, "file", WeightsForm::file,
                                     "embed", WeightsForm::embed));
  wish.plan = TRY(plan_options(options));
  wish.targets = TRY(targets_of(options.targets));
  TRY(check_forms(options, wish.targets));
  wish.plan.alignment = wish.targets.front().buffer_alignment;
  TRY(on_system(wish.targets.front(), options.system));
  wish.system = options.system;
  wish.created = TRY(source_date_epoch());
  if (!options.dry_run) {
    if (options.folder.empty()) return fail("no folder given; expected -o DIR, or --dry-run");
    TRY(check_package_folder(options.folder, options.force));
  }
  return wish;
}

}  // namespace dovetail
