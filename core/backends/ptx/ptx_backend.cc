// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/ptx_backend.h"

#include "core/backends/named_device.h"
#include "core/backends/ptx/cuda_device.h"
#include "core/backends/ptx/driver/cuda_api.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/compile_ptx.h"

namespace dovetail {
namespace {

constexpr std::string_view kPtx = "ptx";

// As this backend names and compiles for them.
Result<std::vector<CudaDevice>> ptx_devices() {
  const CudaApi* cuda = TRY(cuda_api());
  if (cuda == nullptr) return std::vector<CudaDevice>{};
  std::vector<CudaDevice> devices = TRY(find_cuda_devices(*cuda));
  for (CudaDevice& device : devices) {
    device.target.name.backend = kPtx;
    device.target.llvm_triple = kPtxTriple;
  }
  return devices;
}

Result<CudaDevice> find_device(const TargetName& name) {
  return named_device(TRY(ptx_devices()), name,
                      fmt::format("target {}: no device of NVIDIA's is here", print(name)));
}

class PtxBackend final : public Backend {
 public:
  std::string_view name() const override { return kPtx; }
  std::string_view name_forms() const override { return "ptx, ptx:NAME, ptx:profile=FILE"; }

  Result<std::vector<Target>> devices() const override {
    std::vector<Target> targets;
    for (CudaDevice& found : TRY(ptx_devices())) targets.push_back(std::move(found.target));
    return targets;
  }

  Result<Target> resolve(const TargetName& name) const override {
    if (name.threads != 1 || !name.arch.empty())
      return fail("target {}: expected ptx, ptx:NAME or ptx:profile=FILE", print(name));
    if (!name.profile.empty()) return profile_target(name);
    return TRY(find_device(name)).target;
  }

  Result<void> check_runs_here(const Target& target) const override {
    if (target.name.profile.empty()) return {};
    return fail("target {} is a device that is not here: nothing can run on it",
                print(target.name));
  }

  bool is_this_host(const Target&) const override { return false; }
  size_t timed_cores(const Target&, size_t) const override { return 1; }  // feeds the device
  bool has_cache_states() const override { return false; }

  CodeForm code_form() const override { return CodeForm::ptx; }
  Result<EmittedCode> emit(std::span<const Program> programs, const Target& target,
                           const EmitOptions& options) const override {
    PtxCode code = TRY(compile_ptx(programs, target, options.prefix, options.texts));
    return EmittedCode{.form = code_form(),
                       .objects = std::move(code.texts),
                       .launches = std::move(code.launches)};
  }

  Result<std::unique_ptr<Device>> open(const Target& target, const DeviceOptions&) const override {
    const CudaDevice found = TRY(find_device(target.name));
    return open_cuda_device(*TRY(cuda_api()), found);
  }

  Result<std::string> describe(const Program& program, const Target& target,
                               std::string_view form) const override {
    const std::string_view prefix = EmitOptions().prefix;
    if (form == "asm") return TRY(compile_ptx({&program, 1}, target, prefix)).texts.at(0);
    if (form == "ir") return emit_ptx_ir({&program, 1}, target, prefix, /*optimized=*/true);
    return fail("--what {} is for opencl; use --what ir or asm for {}", form, print(target.name));
  }
};

}  // namespace

const Backend& ptx_backend() {
  static const PtxBackend kBackend;
  return kBackend;
}

}  // namespace dovetail
