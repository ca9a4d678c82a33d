// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/compiled_variants.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "campaign/run/network_checker.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/systems.h"
#include "deploy/network/link_network.h"
#include "deploy/package/driver/cpu_check.h"

namespace dovetail {
namespace {

// "x86-64-v4" -> v4, "skylake-avx512" -> skylake_avx512
std::string label_of(const Target& target) {
  constexpr std::string_view kLevel = "x86-64-";
  std::string label = target.llvm_cpu;
  if (label.starts_with(kLevel)) label.erase(0, kLevel.size());
  std::ranges::replace(label, '-', '_');
  return label;
}

std::vector<std::string> unnamed_features(const Target& target) {
  Target named = target;
  named.llvm_features.clear();
  const std::vector<std::string> all = askable_features(cpu_features(target));
  const std::vector<std::string> of_name = askable_features(cpu_features(named));
  std::vector<std::string> beyond;
  std::ranges::set_difference(all, of_name, std::back_inserter(beyond));
  // Part of every other AVX-512 feature, and not named beside them by all of LLVM's processors.
  const auto has_avx512 = [](const std::string& feature) { return feature.starts_with("avx512"); };
  if (std::ranges::any_of(of_name, has_avx512)) std::erase(beyond, "avx512f");
  return beyond;
}

bool asks_for_all_of(const CompiledVariant& more, const CompiledVariant& less) {
  return std::ranges::includes(more.features, less.features);
}

Result<void> check_different(const CompiledVariant& a, const CompiledVariant& b) {
  const std::string &one = a.judged.target.llvm_cpu, &other = b.judged.target.llvm_cpu;
  if (a.features.empty() || b.features.empty())
    return fail("targets {} and {}: a package chooses between x86-64 processors alone", one, other);
  if (a.features == b.features)
    return fail("targets {} and {} ask the processor for the same; expected one of them", one,
                other);
  return {};
}

}  // namespace

Result<CompiledVariants> ordered_variants(std::vector<JudgedBuild> judged) {
  CompiledVariants variants;
  for (JudgedBuild& one : judged) {
    CompiledVariant variant{.judged = std::move(one), .label = {}, .features = {}};
    variant.features = askable_features(cpu_features(variant.judged.target));
    if (judged.size() > 1) variant.label = label_of(variant.judged.target);
    for (const CompiledVariant& other : variants) TRY(check_different(other, variant));
    const auto behind = std::ranges::find_if(
        variants, [&](const CompiledVariant& other) { return asks_for_all_of(variant, other); });
    variants.insert(behind, std::move(variant));
  }
  return variants;
}

Result<void> compile_variants(const PackageWish& wish, CompiledVariants& variants) {
  for (CompiledVariant& variant : variants) {
    const JudgedNetwork& network = variant.judged.network;
    const NetworkProgram& program = network.lowered.program;
    // With the instructions that it was judged with here.
    const Target target = TRY(on_system(variant.judged.target, wish.system));
    variant.plan = TRY(plan_network(program, wish.plan));
    const std::string label = variant.label.empty() ? "" : "_" + variant.label;
    const std::string prefix = fmt::format("{}{}_p", wish.package.name, label);
    NetworkCode code = TRY(build_network(program, target, {.prefix = prefix, .hidden = true}));
    variant.executable =
        TRY(link_network(network.parts.graph, program, variant.plan, std::move(code), target));
    TRY(pack_constants(program, variant.plan, constants_of(network.parts.graph),
                       variant.executable));
  }
  return {};
}

PackageVariants package_variants(const CompiledVariants& variants) {
  PackageVariants all;
  for (const CompiledVariant& variant : variants)
    all.push_back({.executable = &variant.executable,
                   .label = variant.label,
                   .cpu_features = variant.features,
                   .unnamed_features = unnamed_features(variant.judged.target)});
  return all;
}

}  // namespace dovetail
