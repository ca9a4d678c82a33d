// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/opencl/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/backends/opencl/opencl_targets.h"
#include "core/codegen/llvm/compile_ptx.h"
#include "core/codegen/opencl/emit.h"
#include "tests/core/codegen/llvm/work_groups_here.h"

namespace dovetail::testing {
namespace {

std::string first_difference(const std::vector<float>& actual, const std::vector<float>& expected,
                             double tolerance) {
  for (size_t i = 0; i < expected.size(); ++i) {
    const bool same = std::memcmp(&actual[i], &expected[i], sizeof(float)) == 0 ||
                      (std::isnan(actual[i]) && std::isnan(expected[i])) ||
                      actual[i] == expected[i];  // -0 and 0
    if (same || std::abs(actual[i] - expected[i]) <= tolerance) continue;
    return fmt::format("element {}: device {}, interpreter {}", i, actual[i], expected[i]);
  }
  return {};
}

::testing::AssertionResult same(const Result<Storage>& actual, const Storage& expected,
                                double tolerance) {
  if (!actual) return ::testing::AssertionFailure() << actual.error().message;
  for (const auto& [name, elements] : *actual) {
    const std::string difference =
        first_difference(elements, expected.find(name)->second, tolerance);
    if (!difference.empty()) return ::testing::AssertionFailure() << name << ", " << difference;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace

bool uses_images(const Program& program) {
  return std::ranges::any_of(program.buffers,
                             [](const Buffer& b) { return is_texture(b.layout.scope); });
}

Target phone_like_target() {
  Target target;
  target.name.backend = "opencl";
  target.execution = ExecutionModel::work_groups;
  target.device = "phone";
  target.has_images = true;
  target.image2d_max_width = target.image2d_max_height = 8192;
  target.image_array_max_layers = 2048;
  target.max_work_group_size = 256;
  target.max_work_item_sizes = {256, 256, 64};
  target.local_memory_bytes = 32 << 10;
  return target;
}

Result<Device*> first_device() {
  prepare_opencl_environment();
  return device_named("opencl");
}

::testing::AssertionResult device_agrees(const Program& program, double tolerance) {
  const Storage inputs = integer_storage(program, 1);
  Storage expected = inputs;
  const Result<void> interpreted = interpret(program, expected);
  if (!interpreted) return ::testing::AssertionFailure() << interpreted.error().message;
  const Target& target = (*first_device())->target();
  const auto by_opencl =
      same(run_on_device(**first_device(), program, inputs), expected, tolerance);
  if (!by_opencl)
    return ::testing::AssertionFailure() << by_opencl.message() << "\n"
                                         << print(program) << emit_opencl(program, target)->text;
#ifdef DOVETAIL_HAVE_LLVM
  if (!uses_images(program)) return agrees_as_ptx(program, ptx_target(target), tolerance);
#endif
  return ::testing::AssertionSuccess();
}

#ifdef DOVETAIL_HAVE_LLVM
::testing::AssertionResult agrees_as_ptx(const Program& program, const Target& target,
                                         double tolerance) {
  const Storage inputs = integer_storage(program, 1);
  Storage expected = inputs;
  const Result<void> interpreted = interpret(program, expected);
  if (!interpreted) return ::testing::AssertionFailure() << interpreted.error().message;
  const auto agrees = same(run_work_groups_here(program, target, inputs), expected, tolerance);
  if (agrees) return agrees;
  const auto ir = emit_ptx_ir({&program, 1}, target, "p", /*optimized=*/false);
  return ::testing::AssertionFailure() << "PTX's IR: " << agrees.message() << "\n"
                                       << print(program) << (ir ? *ir : "");
}
#endif

::testing::AssertionResult device_agrees(std::string_view program_text, double tolerance) {
  const Result<Program> program = parse_program(program_text);
  if (!program) return ::testing::AssertionFailure() << program.error().message;
  return device_agrees(*program, tolerance);
}

}  // namespace dovetail::testing
