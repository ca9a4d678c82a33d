// SPDX-License-Identifier: Apache-2.0
#include "core/backends/ptx/ptx_backend.h"

#include "core/backends/opencl/driver/opencl_api.h"
#include "core/backends/opencl/opencl_device.h"
#include "core/backends/opencl/opencl_targets.h"
#include "core/base/fail.h"
#include "core/codegen/llvm/compile_ptx.h"

namespace dovetail {
namespace {

constexpr std::string_view kPtx = "ptx";

// LLVM's name of the newest processor whose PTX the device takes. Instructions of sm_90a are of
// Hopper alone; later processors take what is common to all.
std::string processor_of(int64_t capability) {
  constexpr int64_t kHopper = 90;
  if (capability == kHopper) return "sm_90a";
  return fmt::format("sm_{}", std::min(capability, kHopper));
}

// Local memory that a group's arrays may have. OpenCL states 48 KiB on all of NVIDIA's devices,
// which is CUDA's limit for kernels that ask for no more; its assembler takes what a group can
// have, and the driver runs it (seen: an H200, driver 580, up to 192 KiB).
int64_t group_local_bytes(const OpenclHandle& found) {
  constexpr int64_t kHopper = 90, kReserved = 1024;  // by the driver, for each group
  const Target& target = found.target;
  if (found.compute_capability < kHopper || target.unit_local_bytes == 0)
    return target.local_memory_bytes;
  return target.unit_local_bytes - kReserved;
}

// An OpenCL device as this backend sees it.
OpenclHandle by_ptx(OpenclHandle found) {
  Target& target = found.target;
  target.local_memory_bytes = group_local_bytes(found);
  target.name.backend = kPtx;
  target.has_images = false;
  target.image2d_max_width = target.image2d_max_height = target.image_array_max_layers = 0;
  target.llvm_triple = kPtxTriple;
  target.llvm_cpu = processor_of(found.compute_capability);
  return found;
}

Result<std::vector<OpenclHandle>> nvidia_devices() {
  std::vector<OpenclHandle> devices;
  for (OpenclHandle& found : TRY(find_opencl_devices()))
    if (found.compute_capability > 0) devices.push_back(by_ptx(std::move(found)));
  return devices;
}

Result<OpenclHandle> find_device(const TargetName& name) {
  return named_device(TRY(nvidia_devices()), name,
                      fmt::format("target {}: no OpenCL device here is NVIDIA's", print(name)));
}

class PtxBackend final : public Backend {
 public:
  std::string_view name() const override { return kPtx; }
  std::string_view name_forms() const override { return "ptx, ptx:NAME, ptx:profile=FILE"; }

  Result<std::vector<Target>> devices() const override {
    std::vector<Target> targets;
    for (OpenclHandle& found : TRY(nvidia_devices())) targets.push_back(std::move(found.target));
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
    return open_opencl_device(TRY(find_device(target.name)));
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
