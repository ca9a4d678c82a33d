// SPDX-License-Identifier: Apache-2.0
//
// In place of this folder's other files, in a build without LLVM (DOVETAIL_LLVM=OFF): the rest of
// the program is the same, and what needs machine code says what is missing.
#include "core/base/fail.h"
#include "core/codegen/llvm/archive.h"
#include "core/codegen/llvm/assemble.h"
#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/compile_ptx.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/known_cpus.h"
#include "core/codegen/llvm/loader.h"
#include "core/codegen/llvm/systems.h"

namespace dovetail {
namespace {

Unexpected without_llvm() {
  return fail("this needs LLVM, and this build has none (-DDOVETAIL_LLVM=OFF)");
}

}  // namespace

Result<CpuObject> compile_cpu(const Program&, const Target&, const CpuCodeOptions&) {
  return without_llvm();
}
Result<std::string> emit_llvm_ir(const Program&, const Target&, bool) { return without_llvm(); }
Result<std::string> emit_assembly(const Program&, const Target&) { return without_llvm(); }

Result<PtxCode> compile_ptx(std::span<const Program>, const Target&, std::string_view,
                            KernelTexts) {
  return without_llvm();
}
Result<std::string> emit_ptx_ir(std::span<const Program>, const Target&, std::string_view, bool) {
  return without_llvm();
}

Result<Target> cpu_target(const TargetName& name) {
  return fail("target {} needs LLVM, and this build has none (-DDOVETAIL_LLVM=OFF)", print(name));
}
Result<Target> least_target_here() { return without_llvm(); }
std::vector<std::string> cpu_features(const Target&) { return {}; }
Result<void> check_runs_on_host(const Target&) { return without_llvm(); }
std::set<std::string> features_of_x86(std::string_view) { return {}; }
std::string llvm_version() { return {}; }

struct LoadedObject::Impl {};
LoadedObject::LoadedObject(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LoadedObject::LoadedObject(LoadedObject&&) noexcept = default;
LoadedObject& LoadedObject::operator=(LoadedObject&&) noexcept = default;
LoadedObject::~LoadedObject() = default;
Result<LoadedObject> LoadedObject::load(std::string_view) { return without_llvm(); }
Result<LoadedObject::KernelFunction> LoadedObject::find(const std::string&) const {
  return without_llvm();
}

Result<Target> on_system(Target, std::string_view) { return without_llvm(); }
std::string system_of(const Target& target) { return target.llvm_triple; }
Result<std::string> static_archive(const std::vector<ArchiveMember>&, const Target&) {
  return without_llvm();
}
Result<std::string> assemble_ir(const std::string&, const Target&) { return without_llvm(); }
Result<std::string> data_object(std::string_view, std::span<const std::byte>, const Target&) {
  return without_llvm();
}

}  // namespace dovetail
