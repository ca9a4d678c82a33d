// SPDX-License-Identifier: Apache-2.0
#include "core/backends/cpu/cpu_backend.h"

#include "core/backends/all_buffers.h"
#include "core/backends/cpu/cpu_device.h"
#include "core/base/fail.h"
#include "core/base/parallel.h"
#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"

namespace dovetail {
namespace {

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view name_forms() const override { return "cpu, cpu:threads=N, cpu:arch=NAME"; }

  std::span<const std::string_view> other_words() const override {
    static constexpr std::string_view kWords[] = {"llvm", "native", "host", "x86", "x86_64", "arm"};
    return kWords;
  }

  Result<std::vector<Target>> devices() const override {
    return std::vector<Target>{TRY(cpu_target({}))};
  }

  Result<Target> resolve(const TargetName& name) const override {
    if (!name.device.empty())
      return fail("option {} of target cpu: expected threads=N or arch=NAME", name.device);
    if (!name.profile.empty())
      return fail("target {}: a cpu has no profile; expected arch=NAME", print(name));
    return cpu_target(name);
  }

  Result<void> check_runs_here(const Target& target) const override {
    return check_runs_on_host(target);
  }

  bool is_this_host(const Target&) const override { return true; }
  size_t timed_cores(const Target& target, size_t) const override {
    return static_cast<size_t>(target.name.threads);
  }
  bool has_cache_states() const override { return true; }

  CodeForm code_form() const override { return CodeForm::objects; }
  Result<EmittedCode> emit(std::span<const Program> programs, const Target& target,
                           const EmitOptions& options) const override {
    EmittedCode code{.form = code_form(),
                     .objects = std::vector<std::string>(programs.size()),
                     .launches = std::vector<std::vector<Launch>>(programs.size())};
    TRY(try_each_in_parallel(programs.size(), [&](size_t p) -> Result<void> {
      const std::string prefix = fmt::format("{}{}_", options.prefix, p);
      CpuObject object =
          TRY(compile_cpu(programs[p], target, {.prefix = prefix, .hidden = options.hidden}));
      for (size_t k = 0; k < object.kernels.size(); ++k)
        code.launches[p].push_back({.name = std::move(object.kernels[k]),
                                    .extent = object.parallel_extents[k],
                                    .buffers = all_buffers(programs[p])});
      code.objects[p] = std::move(object.bytes);
      return {};
    }));
    return code;
  }

  Result<std::unique_ptr<Device>> open(const Target& target,
                                       const DeviceOptions& options) const override {
    return open_cpu_device(target, options.cores);
  }

  Result<std::string> describe(const Program& program, const Target& target,
                               std::string_view form) const override {
    if (form == "ir") return emit_llvm_ir(program, target, /*optimized=*/true);
    if (form == "asm") return emit_assembly(program, target);
    return fail("target {} has no {}; use ir or asm, or an opencl target", print(target.name),
                form);
  }
};

}  // namespace

const Backend& cpu_backend() {
  static const CpuBackend kBackend;
  return kBackend;
}

}  // namespace dovetail
