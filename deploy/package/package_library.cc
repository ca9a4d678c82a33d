// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/package_library.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "core/base/fail.h"
#include "core/codegen/llvm/archive.h"
#include "core/codegen/llvm/assemble.h"

namespace dovetail {

namespace {

// The baseline of the architecture, which all of its processors run.
Target least_of_its_kind(Target target) {
  target.llvm_cpu = target.llvm_triple.starts_with("x86_64") ? "x86-64" : "generic";
  target.llvm_features.clear();
  return target;
}

}  // namespace

Result<std::string> package_library(const PackageVariants& variants, const Package& package) {
  const Target& target = variants.at(0).executable->target;
  std::vector<ArchiveMember> members;
  for (const PackageVariant& variant : variants) {
    const std::string label = variant.label.empty() ? "" : variant.label + "_";
    for (size_t i = 0; i < variant.executable->code.objects.size(); ++i)
      members.push_back({.name = fmt::format("kernels_{}{}.o", label, i),
                         .bytes = variant.executable->code.objects[i]});
  }
  members.push_back({.name = "driver.o",
                     .bytes = TRY(assemble_ir(package.driver_ir, least_of_its_kind(target)))});
  for (const auto& [symbol, bytes] : package.embedded) {
    Result<std::string> object = data_object(symbol, std::as_bytes(std::span(bytes)), target);
    if (!object) return fail("{}; expected weights as a file", object.error().message);
    members.push_back({.name = symbol + ".o", .bytes = *std::move(object)});
  }
  return static_archive(members, target);
}

}  // namespace dovetail
