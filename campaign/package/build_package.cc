// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/build_package.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "campaign/network/network_variants.h"
#include "campaign/package/build_facts.h"
#include "campaign/package/judge_for_build.h"
#include "campaign/resolve_target.h"
#include "campaign/run/network_steps.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/memory/planner.h"
#include "deploy/network/link_network.h"
#include "deploy/network/network_plan_text.h"
#include "deploy/package/c_names.h"
#include "deploy/package/driver/cpu_check.h"
#include "deploy/package/licence.h"
#include "deploy/package/package_files.h"
#include "deploy/package/package_library.h"
#include "deploy/package/sha256.h"
#include "deploy/package/write_package.h"

namespace dovetail {
namespace {

// What the options say, once it is known to make sense.
struct Wish {
  PackageOptions package;
  NetworkPlanOptions plan;
  Target target;
  std::optional<int64_t> created;
};

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

// A convention for reproducible builds; without it a package has no time.
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

Result<Target> target_of_build(const BuildOptions& options) {
  Target target = TRY(resolve_target(options.target));
  if (target.name.kind != TargetKind::cpu)
    return fail("target {}: packages of OpenCL are not supported by this version; expected cpu",
                options.target);
  return target;
}

Result<Wish> wish_of(const BuildOptions& options) {
  if (!options.model.ends_with(".onnx") && !options.model.ends_with(".graph"))
    return fail("{} is no model; expected MODEL.onnx or MODEL.graph", options.model);
  if (options.variant) TRY(check_network_variant(*options.variant));
  Wish wish;
  wish.package.name = options.name.empty() ? name_of_file(options.model) : options.name;
  TRY(check_package_name(wish.package.name));
  wish.package.workspace = TRY(form_of("--workspace", options.workspace, "caller",
                                       WorkspaceForm::caller, "internal", WorkspaceForm::internal));
  wish.package.weights = TRY(form_of("--weights", options.weights, "file", WeightsForm::file,
                                     "embed", WeightsForm::embed));
  wish.plan = TRY(plan_options(options));
  wish.target = TRY(target_of_build(options));
  wish.created = TRY(source_date_epoch());
  if (!options.dry_run) {
    if (options.folder.empty()) return fail("no folder given; expected -o DIR, or --dry-run");
    TRY(check_package_folder(options.folder, options.force));
  }
  return wish;
}

struct Compiled {
  NetworkPlan plan;
  Executable executable;
};

Result<Compiled> compile(const JudgedNetwork& network, const Wish& wish) {
  const NetworkProgram& program = network.lowered.program;
  Compiled compiled{.plan = TRY(plan_network(program, wish.plan)), .executable = {}};
  const std::string prefix = wish.package.name + "_p";
  NetworkCode code = TRY(build_network(program, wish.target, {.prefix = prefix, .hidden = true}));
  compiled.executable =
      TRY(link_network(network.parts.graph, program, compiled.plan, std::move(code), wish.target));
  TRY(pack_constants(program, compiled.plan, constants_of(network.parts.graph),
                     compiled.executable));
  return compiled;
}

std::vector<std::string> features_of(const Target& target) {
  if (!target.llvm_triple.starts_with("x86_64")) return {};
  const std::vector<std::string> named = cpu_features_of(target.llvm_features);
  return named.empty() ? cpu_features_of_level(target.llvm_cpu) : named;
}

Result<PackageFacts> facts_of(const BuildOptions& options, const Wish& wish,
                              const JudgedBuild& judged, const NetworkPlan& plan) {
  const NetworkProgram& program = judged.network.lowered.program;
  constexpr std::string_view kCompiler = "LLVM ";
  PackageFacts facts{.tool = "dovetail " DOVETAIL_VERSION,
                     .llvm = wish.target.driver.substr(kCompiler.size()),
                     .model_sha256 = sha256_hex(TRY(read_file(options.model))),
                     .model_nodes = std::ssize(judged.network.parts.regions)};
  facts.calls = calls_of(judged.network, options.log);
  facts.accuracy = accuracy_of(judged);
  if (judged.network.range_error)
    facts.largest_output_error = {.error = *judged.network.range_error, .data = judged.data};
  facts.licences = {{.spdx = "Apache-2.0",
                     .work = "header, driver, kernels, examples",
                     .text = apache_licence()}};
  facts.weights = weights_origins(program, plan);
  facts.plan_csv = plan_text(program, plan);
  facts.plan_svg = plan_picture(program, plan);
  facts.created = wish.created;
  return facts;
}

std::string in_words(const PackageCall& call) {
  return fmt::format("{} ({}): {}: {}", call.node, call.task,
                     call.match == CallMatch::family ? "family" : "default", call.why);
}

BuildSizes sizes_of(const Graph& graph, const Package& package, const PackageFacts& facts,
                    const NetworkPlan& plan, size_t library_bytes) {
  BuildSizes sizes{.model_bytes = constant_bytes(graph), .workspace = {}, .weights = {}};
  for (const InterfaceArena& pool : package.interface.workspaces)
    sizes.workspace.push_back({.pool = pool.name,
                               .bytes = pool.bytes,
                               .lower_bound_bytes = plan.arenas[pool.arena].lower_bound_bytes});
  for (size_t i = 0; i < package.interface.weights.size(); ++i) {
    const InterfaceArena& pool = package.interface.weights[i];
    const WeightsOrigin origin = i < facts.weights.size() ? facts.weights[i] : WeightsOrigin();
    sizes.weights.push_back({.pool = pool.name,
                             .bytes = pool.bytes,
                             .given_bytes = origin.given_bytes,
                             .derived_bytes = origin.derived_bytes});
  }
  for (const auto& [symbol, bytes] : package.embedded) library_bytes -= bytes.size();
  sizes.code_bytes = static_cast<int64_t>(library_bytes);
  return sizes;
}

Build begun(const Wish& wish, const JudgedBuild& judged, const BuildOptions& options) {
  Build build;
  build.name = wish.package.name;
  build.variant = judged.network.variant;
  build.calls = calls_of(judged.network, options.log);
  build.accuracy = accuracy_of(judged);
  if (judged.network.range_error)
    build.output_error = {.error = *judged.network.range_error, .data = judged.data};
  build.left_out = judged.rule->refused();
  for (const PackageCall& call : build.calls)
    if (call.match != CallMatch::exact) build.misses.push_back(in_words(call));
  build.reason = judged.reason;
  return build;
}

Result<void> finish(const BuildOptions& options, const Wish& wish, const JudgedBuild& judged,
                    Build& build) {
  const Compiled compiled = TRY(compile(judged.network, wish));
  const PackageFacts facts = TRY(facts_of(options, wish, judged, compiled.plan));
  const PackageVariants variants{
      {.executable = &compiled.executable, .label = {}, .cpu_features = features_of(wish.target)}};
  Package package = TRY(package_files(variants, facts, wish.package));
  std::string library = TRY(package_library(variants, package));
  build.id = package.id;
  build.sizes = sizes_of(judged.network.parts.graph, package, facts, compiled.plan, library.size());
  const std::string path = fmt::format("lib/lib{}.a", build.name);
  const PackageFiles files = with_file(std::move(package.files), path, std::move(library));
  for (const auto& [file, bytes] : files) build.files[file] = std::ssize(bytes);
  if (options.dry_run) return {};
  TRY(write_package(files, options.folder, options.force));
  build.is_written = true;
  return {};
}

}  // namespace

int64_t count(const Build& build, CallMatch match) {
  return std::ranges::count(build.calls, match, &PackageCall::match);
}

Result<Build> build_package(const BuildOptions& options, const Listener& listener) {
  const Wish wish = TRY(wish_of(options));
  const JudgedBuild judged = TRY(judge_for_build(options, wish.target, listener));
  Build build = begun(wish, judged, options);
  const bool is_refused = !build.reason.empty() || (options.strict && !build.misses.empty());
  if (!is_refused) TRY(finish(options, wish, judged, build));
  return build;
}

}  // namespace dovetail
