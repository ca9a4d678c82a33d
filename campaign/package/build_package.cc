// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/build_package.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "campaign/package/build_facts.h"
#include "campaign/package/compiled_variants.h"
#include "campaign/package/judge_for_build.h"
#include "campaign/package/package_wish.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "deploy/package/build_files.h"
#include "deploy/package/package_files.h"
#include "deploy/package/package_library.h"
#include "deploy/package/write_package.h"

namespace dovetail {
namespace {

std::string named(const std::vector<const PackageCall*>& alike) {
  constexpr size_t kMostNamed = 3;
  const PackageCall& first = *alike.front();
  if (alike.size() == 1) return fmt::format("{} ({})", first.node, first.task);
  std::vector<std::string> nodes;
  for (const PackageCall* call : alike) nodes.push_back(call->node);
  return fmt::format("{} calls ({})", alike.size(), first_names(nodes, kMostNamed));
}

std::string in_words(const std::vector<const PackageCall*>& alike) {
  const PackageCall& first = *alike.front();
  const std::string nearest =
      first.nearest.empty()
          ? ""
          : fmt::format("; the record nearest to {} is {}", first.node, first.nearest);
  return fmt::format("{}{}: {}: {}{}", first.code.empty() ? "" : first.code + ": ", named(alike),
                     print(first.match), first.differences.empty() ? first.why : first.differences,
                     nearest);
}

// A call of a network that the log keeps was measured there.
bool is_miss(const PackageCall& call) {
  return call.match != MatchLevel::exact && call.match != MatchLevel::network;
}

// A line for each reason: for another CPU it is the same for all calls.
std::vector<std::string> misses_of(const std::vector<PackageCall>& calls) {
  using Reason = std::tuple<std::string_view, MatchLevel, std::string_view>;
  std::vector<std::vector<const PackageCall*>> groups;
  std::map<Reason, size_t> group_of;
  for (const PackageCall& call : calls) {
    if (!is_miss(call)) continue;
    const auto [at, is_first] =
        group_of.try_emplace({call.code, call.match, call.differences}, groups.size());
    if (is_first) groups.emplace_back();
    groups[at->second].push_back(&call);
  }
  std::vector<std::string> lines;
  for (const auto& alike : groups) lines.push_back(in_words(alike));
  return lines;
}

BuildSizes sizes_of(const Package& package, const PackageFacts& facts, size_t library_bytes) {
  BuildSizes sizes;
  for (const InterfaceArena& pool : package.interface.workspaces)
    sizes.workspace.push_back({.pool = pool.name,
                               .bytes = pool.bytes,
                               .lower_bound_bytes = pool.lower_bound_bytes,
                               .alignment = pool.alignment});
  for (size_t i = 0; i < package.interface.weights.size(); ++i) {
    const InterfaceArena& pool = package.interface.weights[i];
    const WeightsOrigin origin = i < facts.weights.size() ? facts.weights[i] : WeightsOrigin();
    sizes.weights.push_back({.pool = pool.name,
                             .bytes = pool.bytes,
                             .given_bytes = origin.given_bytes,
                             .prepared_bytes = origin.prepared_bytes,
                             .alignment = pool.alignment});
  }
  for (const auto& [symbol, bytes] : package.embedded) library_bytes -= bytes.size();
  sizes.code_bytes = static_cast<int64_t>(library_bytes);
  return sizes;
}

Result<PackageOrigin> origin_of(const BuildOptions& options, const CompiledVariants& variants) {
  const JudgedNetwork& best = variants.front().judged.network;
  PackageOrigin origin{.variant = best.variant,
                       .chosen_seconds = best.chosen_seconds,
                       .joint_seconds = best.joint_seconds,
                       .options = {.exact = options.exact,
                                   .max_error = {},
                                   .memory_limit_mb = options.memory_limit_mb,
                                   .shapes = options.shapes,
                                   .constants = options.constants}};
  if (!options.exact) origin.options.max_error = options.max_error.value_or(kDefaultMaxError);
  if (!options.log.empty()) origin.log_sha256 = TRY(digest_of_file(options.log));
  return origin;
}

Build begun(const PackageWish& wish, const CompiledVariants& variants, PackageFacts facts) {
  Build build;
  build.name = wish.package.name;
  build.facts = std::move(facts);
  build.misses = misses_of(build.facts.calls);
  build.num_misses = std::ranges::count_if(build.facts.calls, is_miss);
  for (const CompiledVariant& variant : variants) {
    const auto refused = variant.judged.rule->refused();
    build.left_out.insert(build.left_out.end(), refused.begin(), refused.end());
    if (build.reason.empty()) build.reason = variant.judged.reason;
  }
  return build;
}

Result<void> finish(const BuildOptions& options, const PackageWish& wish,
                    CompiledVariants& variants, Build& build) {
  PackageFacts& facts = build.facts;
  TRY(compile_variants(wish, variants));
  facts.origin = TRY(origin_of(options, variants));
  add_memory_facts(variants, facts);
  const PackageVariants compiled = package_variants(variants);
  build.target = variants.front().executable.target;
  build.cpu_features = variants.front().features;
  Package package = TRY(package_files(compiled, facts, wish.package));
  build.id = package.id;
  const Executable& best = variants.front().executable;
  if (is_for_device(best)) {
    build.sizes = sizes_of(package, facts, best.code.objects.front().size());
  } else {
    std::string library = TRY(package_library(compiled, package));
    build.sizes = sizes_of(package, facts, library.size());
    const std::string path = library_path(build.name, best.target.llvm_triple);
    package.files = with_file(std::move(package.files), path, std::move(library));
  }
  const PackageFiles& files = package.files;
  for (const auto& [file, bytes] : files) build.files[file] = std::ssize(bytes);
  if (options.dry_run) return {};
  TRY(write_package(files, options.folder, options.force));
  build.is_written = true;
  return {};
}

}  // namespace

int64_t count(const Build& build, MatchLevel match) {
  return std::ranges::count(build.facts.calls, match, &PackageCall::match);
}

Result<Build> build_package(const BuildOptions& options, const Listener& listener) {
  const PackageWish wish = TRY(package_wish(options));
  std::vector<JudgedBuild> judged;
  for (const Target& target : wish.targets)
    judged.push_back(TRY(judge_for_build(options, target, listener)));
  CompiledVariants variants = TRY(ordered_variants(std::move(judged)));
  PackageFacts facts = facts_of_calls(variants, options.log);
  facts.model_sha256 = TRY(digest_of_file(options.model));
  facts.created = wish.created;
  Build build = begun(wish, variants, std::move(facts));
  const bool is_refused = !build.reason.empty() || (options.strict && !build.misses.empty());
  if (!is_refused) TRY(finish(options, wish, variants, build));
  return build;
}

}  // namespace dovetail
