// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/opencl/execution.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/codegen/opencl/emit.h"
#include "core/ir/value/array.h"
#include "core/runtime/opencl_device.h"
#include "tests/support/gather_map.h"

namespace dovetail::testing {
namespace {

size_t physical_elements(const Buffer& buffer) {
  return static_cast<size_t>(storage_elements(buffer.layout));
}

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

}  // namespace

Target phone_like_target() {
  Target target;
  target.name.kind = TargetKind::opencl;
  target.device = "phone";
  target.has_images = true;
  target.image2d_max_width = target.image2d_max_height = 8192;
  target.image_array_max_layers = 2048;
  target.max_work_group_size = 256;
  target.max_work_item_sizes = {256, 256, 64};
  target.local_memory_bytes = 32 << 10;
  return target;
}

Result<OpenclContext>& first_device() {
  static Result<OpenclContext> context = [] {
    prepare_opencl_environment();
    return OpenclContext::open(*parse_target_name("opencl"));
  }();
  return context;
}

Storage integer_storage(const Program& program, uint64_t seed) {
  std::mt19937_64 random(seed);
  Storage storage;
  for (const Buffer& buffer : program.buffers) {
    if (!is_input(buffer.role) && buffer.role != BufferRole::output) continue;
    std::vector<float> elements(physical_elements(buffer), std::numeric_limits<float>::quiet_NaN());
    if (buffer.role != BufferRole::output) {
      std::vector<float> logical(static_cast<size_t>(logical_elements(buffer.layout)));
      for (float& x : logical) x = static_cast<float>(random() % 9) - 4;
      const std::vector<int64_t> map = gather_map(buffer.layout);
      for (size_t i = 0; i < map.size(); ++i) {
        elements[i] = map[i] < 0 ? 0.0F : logical[static_cast<size_t>(map[i])];
      }
    }
    storage[buffer.name] = std::move(elements);
  }
  return storage;
}

Result<Storage> run_on_device(OpenclContext& context, const Program& program,
                              const Storage& inputs) {
  const OpenclSource source = TRY(emit_opencl(program, context.target()));
  const OpenclProgram built = TRY(context.build(source.text));
  const std::string binary = TRY(context.binary(built));
  const OpenclProgram loaded = TRY(context.load(binary));
  std::vector<OpenclMemory> memories;
  for (const Buffer& buffer : program.buffers) {
    memories.push_back(TRY(context.allocate(buffer.layout, buffer.dtype, {.guarded = true})));
    const auto found = inputs.find(buffer.name);
    const std::vector<float> undefined(physical_elements(buffer),
                                       std::numeric_limits<float>::quiet_NaN());
    std::vector<std::byte> bytes(static_cast<size_t>(memories.back().bytes()));
    convert(found == inputs.end() ? undefined : found->second, buffer.dtype, bytes);
    TRY(context.upload(memories.back(), bytes.data()));
  }
  std::vector<OpenclLaunch> launches;
  for (const KernelLaunch& launch : source.launches) {
    OpenclLaunch on_device{launch.name, launch.global, launch.local, {}};
    for (const int i : launch.buffers) {
      on_device.arguments.push_back(&memories[static_cast<size_t>(i)]);
    }
    launches.push_back(std::move(on_device));
  }
  static_cast<void>(TRY(context.run(loaded, launches)));
  Storage outputs;
  for (size_t i = 0; i < memories.size(); ++i) {
    const Buffer& buffer = program.buffers[i];
    if (!TRY(context.guards_intact(memories[i]))) {
      return fail(fmt::format("buffer {}: written outside of its bounds", buffer.name));
    }
    if (buffer.role != BufferRole::output) continue;
    std::vector<std::byte> bytes(static_cast<size_t>(memories[i].bytes()));
    TRY(context.download(memories[i], bytes.data()));
    outputs[buffer.name] = floats_of({buffer.dtype, bytes.data(), physical_elements(buffer)});
  }
  return outputs;
}

::testing::AssertionResult device_agrees(const Program& program, double tolerance) {
  const Storage inputs = integer_storage(program, 1);
  Storage expected = inputs;
  const Result<void> interpreted = interpret(program, expected);
  if (!interpreted) return ::testing::AssertionFailure() << interpreted.error().message;
  const Result<Storage> actual = run_on_device(*first_device(), program, inputs);
  if (!actual) return ::testing::AssertionFailure() << actual.error().message;
  for (const auto& [name, elements] : *actual) {
    const std::string difference = first_difference(elements, expected[name], tolerance);
    if (difference.empty()) continue;
    const auto source = emit_opencl(program, first_device()->target());
    return ::testing::AssertionFailure() << name << ", " << difference << "\n"
                                         << print(program) << source->text;
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult device_agrees(std::string_view program_text, double tolerance) {
  const Result<Program> program = parse_program(program_text);
  if (!program) return ::testing::AssertionFailure() << program.error().message;
  return device_agrees(*program, tolerance);
}

}  // namespace dovetail::testing
