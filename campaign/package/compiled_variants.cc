// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/compiled_variants.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "campaign/run/network_checker.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/known_cpus.h"
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

// The target without the features that its CPU's name does not promise.
Target as_named(Target target) {
  const std::set<std::string> promised = features_of_x86(target.llvm_cpu);
  std::vector<std::string> kept;
  for (const std::string_view word : split(target.llvm_features, ','))
    if (!word.starts_with('+') || promised.contains(std::string(word.substr(1))))
      kept.emplace_back(word);
  target.llvm_features = fmt::format("{}", fmt::join(kept, ","));
  return target;
}

std::vector<std::string> features_asked_for(const Target& target) {
  return askable_features(cpu_features(target));
}

std::vector<std::string> unnamed_features(const CompiledVariant& variant) {
  const std::vector<std::string> named = features_asked_for(as_named(variant.judged.target));
  std::vector<std::string> beyond;
  std::ranges::set_difference(variant.features, named, std::back_inserter(beyond));
  return beyond;
}

bool asks_for_all_of(const CompiledVariant& more, const CompiledVariant& less) {
  return std::ranges::includes(more.features, less.features);
}

Result<void> check_different(const CompiledVariant& a, const CompiledVariant& b) {
  const std::string &one = a.judged.target.llvm_cpu, &other = b.judged.target.llvm_cpu;
  const auto is_x86 = [](const CompiledVariant& variant) {
    return !cpu_features(variant.judged.target).empty();
  };
  if (!is_x86(a) || !is_x86(b))
    return fail("targets {} and {}: a package chooses between x86-64 processors alone", one, other);
  if (a.features == b.features)
    return fail("targets {} and {} ask the processor for the same; expected one of them", one,
                other);
  return {};
}

// Behind those that ask for all that it asks for, in front of all others.
Result<void> add_in_order(CompiledVariant variant, CompiledVariants& variants) {
  for (const CompiledVariant& other : variants) TRY(check_different(other, variant));
  const auto behind = std::ranges::find_if(
      variants, [&](const CompiledVariant& other) { return asks_for_all_of(variant, other); });
  variants.insert(behind, std::move(variant));
  return {};
}

// This host may have more features than the CPU by whose name LLVM calls it, and then all of them
// are the target's. The package asks for these only where the code is not the same without them.
void ask_for_what_is_used(const NetworkProgram& program, const Target& target,
                          const EmitOptions& options, const Code& code, CompiledVariant& variant) {
  if (unnamed_features(variant).empty()) return;
  const Target named = as_named(target);
  const Result<NetworkCode> again = build_network(program, named, options);
  if (again && again->code.objects == code.objects) variant.features = features_asked_for(named);
}

Result<void> compile(const PackageWish& wish, CompiledVariant& variant) {
  const JudgedNetwork& network = variant.judged.network;
  const NetworkProgram& program = network.lowered.program;
  // With the instructions that it was judged with here.
  const Target target = TRY(on_system(variant.judged.target, wish.system));
  variant.plan = TRY(plan_network(program, wish.plan));
  const std::string label = variant.label.empty() ? "" : "_" + variant.label;
  const std::string prefix = fmt::format("{}{}_p", wish.package.name, label);
  const EmitOptions options{.prefix = prefix, .hidden = true};
  NetworkCode code = TRY(build_network(program, target, options));
  ask_for_what_is_used(program, target, options, code.code, variant);
  variant.executable =
      TRY(link_network(network.parts.graph, program, variant.plan, std::move(code), target));
  return pack_constants(program, variant.plan, constants_of(network.parts.graph),
                        variant.executable);
}

}  // namespace

Result<CompiledVariants> ordered_variants(std::vector<JudgedBuild> judged) {
  CompiledVariants variants;
  for (JudgedBuild& one : judged) {
    CompiledVariant variant{.judged = std::move(one), .label = {}, .features = {}};
    variant.features = features_asked_for(variant.judged.target);
    if (judged.size() > 1) variant.label = label_of(variant.judged.target);
    TRY(add_in_order(std::move(variant), variants));
  }
  return variants;
}

Result<void> compile_variants(const PackageWish& wish, CompiledVariants& variants) {
  CompiledVariants compiled;
  for (CompiledVariant& variant : variants) {
    TRY(compile(wish, variant));
    TRY(add_in_order(std::move(variant), compiled));
  }
  variants = std::move(compiled);
  return {};
}

PackageVariants package_variants(const CompiledVariants& variants) {
  PackageVariants all;
  for (const CompiledVariant& variant : variants)
    all.push_back({.executable = &variant.executable,
                   .label = variant.label,
                   .cpu_features = variant.features,
                   .unnamed_features = unnamed_features(variant)});
  return all;
}

}  // namespace dovetail
