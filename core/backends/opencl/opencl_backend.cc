// SPDX-License-Identifier: Apache-2.0
#include "core/backends/opencl/opencl_backend.h"

#include "core/backends/opencl/opencl_device.h"
#include "core/backends/opencl/opencl_targets.h"
#include "core/base/fail.h"
#include "core/codegen/opencl/emit.h"

namespace dovetail {
namespace {

class OpenclBackend final : public Backend {
 public:
  std::string_view name() const override { return kOpencl; }
  std::string_view name_forms() const override {
    return "opencl, opencl:PLATFORM, opencl:profile=FILE";
  }

  std::span<const std::string_view> other_words() const override {
    static constexpr std::string_view kWords[] = {"gpu",   "cuda",   "nvidia", "rocm",
                                                  "hip",   "amd",    "sycl",   "intel",
                                                  "metal", "vulkan", "mali",   "adreno"};
    return kWords;
  }

  Result<std::vector<Target>> devices() const override { return list_opencl_devices(); }

  Result<Target> resolve(const TargetName& name) const override {
    if (name.threads != 1 || !name.arch.empty())
      return fail("target {}: expected opencl, opencl:PLATFORM or opencl:profile=FILE",
                  print(name));
    return opencl_target(name);
  }

  Result<void> check_runs_here(const Target& target) const override {
    if (target.name.profile.empty()) return {};
    return fail("target {} is a device that is not here: nothing can run on it",
                print(target.name));
  }

  bool is_this_host(const Target& target) const override {
    return target.driver.starts_with("Portable Computing Language") ||
           target.driver.starts_with("PoCL");
  }
  // PoCL's threads take all of them; another device needs one for the thread that feeds it.
  size_t timed_cores(const Target& target, size_t allowed) const override {
    return is_this_host(target) ? allowed : 1;
  }
  bool has_cache_states() const override { return false; }

  CodeForm code_form() const override { return CodeForm::opencl_source; }
  Result<EmittedCode> emit(std::span<const Program> programs, const Target& target,
                           const EmitOptions& options) const override {
    OpenclSources sources = TRY(emit_opencl(programs, target, options.prefix, options.texts));
    return EmittedCode{.form = code_form(),
                       .objects = std::move(sources.texts),
                       .launches = std::move(sources.launches)};
  }

  Result<std::unique_ptr<Device>> open(const Target& target, const DeviceOptions&) const override {
    return open_opencl_device(target.name);
  }

  Result<std::string> describe(const Program& program, const Target& target,
                               std::string_view form) const override {
    if (form == "source") return TRY(emit_opencl(program, target)).text;
    return fail("--what {} is for cpu targets; use --what source for {}", form, print(target.name));
  }
};

}  // namespace

const Backend& opencl_backend() {
  static const OpenclBackend kBackend;
  return kBackend;
}

}  // namespace dovetail
