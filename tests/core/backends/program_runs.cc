// SPDX-License-Identifier: Apache-2.0
#include "tests/core/backends/program_runs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <random>

#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/ir/layout/layout.h"
#include "tests/support/gather_map.h"

namespace dovetail::testing {
namespace {

constexpr int64_t kGuard = 4096;
constexpr uint8_t kGuardByte = 0xA5;

NDArray guard_zone() {
  return {ElementType::u8, {kGuard}, std::vector<uint8_t>(kGuard, kGuardByte)};
}

// A buffer in memory of the device, with what lies around it.
struct GuardedBuffer {
  NDArray whole, inside;
};

Result<GuardedBuffer> allocate_guarded(Device& device, const Buffer& buffer) {
  const std::vector<int64_t> shape = physical_extents(buffer.layout);
  if (buffer.layout.scope != MemoryScope::global) {
    const NDArray image = TRY(device.allocate(buffer.dtype, shape, buffer.layout.scope));
    return GuardedBuffer{image, image};
  }
  const int64_t bytes = num_elements(shape) * bytes_of(buffer.dtype);
  const NDArray whole = TRY(device.allocate(ElementType::u8, {bytes + 2 * kGuard}));
  TRY(device.copy(guard_zone(), whole.slice(0, 0, kGuard)));
  TRY(device.copy(guard_zone(), whole.slice(0, kGuard + bytes, kGuard)));
  return GuardedBuffer{whole, NDArray::in(whole.memory(), buffer.dtype, shape, kGuard)};
}

Result<bool> guards_hold(Device& device, const NDArray& whole) {
  if (whole.scope() != MemoryScope::global) return true;
  for (const int64_t first : {int64_t{0}, whole.shape()[0] - kGuard}) {
    const NDArray zone = NDArray::zeros(ElementType::u8, {kGuard});
    TRY(device.copy(whole.slice(0, first, kGuard), zone));
    if (!(zone == guard_zone())) return false;
  }
  return true;
}

size_t physical_elements(const Buffer& buffer) {
  return static_cast<size_t>(storage_elements(buffer.layout));
}

Result<void> give(Device& device, const Buffer& buffer, const Storage& inputs,
                  const NDArray& inside) {
  const auto found = inputs.find(buffer.name);
  const std::vector<float> undefined(inside.size(), std::numeric_limits<float>::quiet_NaN());
  const NDArray values = converted(found == inputs.end() ? undefined : found->second, buffer.dtype);
  return device.copy(values.reshaped(inside.shape()), inside);
}

}  // namespace

const std::vector<std::string>& device_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Backend* backend : backends()) names.emplace_back(backend->name());
    return names;
  }();
  return kNames;
}

Result<Device*> device_named(std::string_view target) {
  static std::map<std::string, std::unique_ptr<Device>, std::less<>> opened;
  const auto found = opened.find(target);
  if (found != opened.end()) return found->second.get();
  const Target resolved = TRY(resolve_target(target));
  auto device = TRY(open_device(resolved, {.cores = {allowed_cores().front()}}));
  return opened.emplace(target, std::move(device)).first->second.get();
}

Result<Storage> run_on_device(Device& device, const Program& program, const Storage& inputs) {
  EmittedCode emitted = TRY(backend_of(device.target()).emit({&program, 1}, device.target(), {}));
  const Code code = TRY(device.build({.form = emitted.form,
                                      .objects = std::move(emitted.objects),
                                      .launches = std::move(emitted.launches[0])}));
  const std::unique_ptr<LoadedCode> loaded = TRY(device.load(code));
  std::vector<NDArray> wholes;
  std::vector<NDArray> buffers;
  for (const Buffer& buffer : program.buffers) {
    const GuardedBuffer guarded = TRY(allocate_guarded(device, buffer));
    TRY(give(device, buffer, inputs, guarded.inside));
    wholes.push_back(guarded.whole);
    buffers.push_back(guarded.inside);
  }
  TRY(loaded->bind(buffers));
  static_cast<void>(TRY(loaded->run(0, code.launches.size())));
  Storage outputs;
  for (size_t b = 0; b < buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (!TRY(guards_hold(device, wholes[b])))
      return fail("buffer {}: written outside of its bounds", buffer.name);
    if (buffer.role != BufferRole::output) continue;
    const NDArray host = NDArray::zeros(buffer.dtype, buffers[b].shape());
    TRY(device.copy(buffers[b], host));
    outputs[buffer.name] = floats_of(host);
  }
  return outputs;
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
      for (size_t i = 0; i < map.size(); ++i)
        elements[i] = map[i] < 0 ? 0.0F : logical[static_cast<size_t>(map[i])];
    }
    storage[buffer.name] = std::move(elements);
  }
  return storage;
}

}  // namespace dovetail::testing
