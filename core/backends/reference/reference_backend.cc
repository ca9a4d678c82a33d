// SPDX-License-Identifier: Apache-2.0
#include "core/backends/reference/reference_backend.h"

#include "core/backends/all_buffers.h"
#include "core/backends/reference/reference_device.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

// Runs what GPUs run: work-groups, local tiles, images.
Target reference_target() {
  Target target;
  target.name.backend = "reference";
  target.device = "interpreter";
  target.driver = "core/ir/interpreter";
  target.execution = ExecutionModel::work_groups;
  target.has_images = true;
  target.image2d_max_width = target.image2d_max_height = 16384;
  target.image_array_max_layers = 2048;
  target.max_work_group_size = 256;
  target.local_memory_bytes = 32 << 10;
  target.has_fp16 = target.has_fp64 = true;
  return target;
}

class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  std::string_view name_forms() const override { return "reference"; }

  Result<std::vector<Target>> devices() const override { return std::vector{reference_target()}; }

  Result<Target> resolve(const TargetName& name) const override {
    const Target target = reference_target();
    if (name == target.name) return target;
    return fail("target {}: expected reference, without options", print(name));
  }

  Result<void> check_runs_here(const Target&) const override { return {}; }
  bool is_this_host(const Target&) const override { return true; }
  size_t timed_cores(const Target&, size_t) const override { return 1; }
  bool has_cache_states() const override { return false; }

  CodeForm code_form() const override { return CodeForm::program_text; }
  Result<EmittedCode> emit(std::span<const Program> programs, const Target&,
                           const EmitOptions& options) const override {
    EmittedCode code{.form = code_form(), .objects = {}, .launches = {}};
    for (size_t p = 0; p < programs.size(); ++p) {
      code.objects.push_back(print(programs[p]));
      std::vector<Launch>& launches = code.launches.emplace_back();
      for (size_t k = 0; k < programs[p].kernels.size(); ++k)
        launches.push_back({.name = fmt::format("{}{}_{}", options.prefix, p, k),
                            .buffers = all_buffers(programs[p])});
    }
    return code;
  }

  Result<std::unique_ptr<Device>> open(const Target& target, const DeviceOptions&) const override {
    return open_reference_device(target);
  }

  Result<std::string> describe(const Program& program, const Target& target,
                               std::string_view form) const override {
    if (form == "source") return print(program);
    return fail("target {} has no {}; use source", print(target.name), form);
  }
};

}  // namespace

const Backend& reference_backend() {
  static const ReferenceBackend kBackend;
  return kBackend;
}

}  // namespace dovetail
