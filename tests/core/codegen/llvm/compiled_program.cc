// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/llvm/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <random>

#include "core/base/half.h"
#include "core/codegen/llvm/cpu_target.h"

namespace dovetail::testing {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kGuardBytes = 256;
constexpr unsigned char kGuard = 0xA5;

// A buffer between two guard zones.
class GuardedMemory {
 public:
  explicit GuardedMemory(size_t bytes)
      : bytes_(bytes), size_((bytes + kAlignment - 1) / kAlignment * kAlignment + 2 * kGuardBytes) {
    memory_ = static_cast<unsigned char*>(::operator new(size_, std::align_val_t(kAlignment)));
    std::memset(memory_, kGuard, size_);
  }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;
  ~GuardedMemory() { ::operator delete(memory_, std::align_val_t(kAlignment)); }
  unsigned char* data() const { return memory_ + kGuardBytes; }
  bool intact() const {
    const auto is_guard = [](unsigned char byte) { return byte == kGuard; };
    return std::all_of(memory_, memory_ + kGuardBytes, is_guard) &&
           std::all_of(data() + bytes_, memory_ + size_, is_guard);
  }

 private:
  size_t bytes_, size_;
  unsigned char* memory_ = nullptr;
};

void write(const Buffer& buffer, const std::vector<float>& from, unsigned char* to) {
  if (buffer.dtype == ElementType::f32) {
    std::memcpy(to, from.data(), from.size() * sizeof(float));
    return;
  }
  for (size_t i = 0; i < from.size(); ++i) {
    const uint16_t half = float_to_half_bits(from[i]);
    std::memcpy(to + 2 * i, &half, 2);
  }
}

void read(const Buffer& buffer, const unsigned char* from, std::vector<float>& to) {
  if (buffer.dtype == ElementType::f32) {
    std::memcpy(to.data(), from, to.size() * sizeof(float));
    return;
  }
  for (size_t i = 0; i < to.size(); ++i) {
    uint16_t half = 0;
    std::memcpy(&half, from + 2 * i, 2);
    to[i] = half_bits_to_float(half);
  }
}

}  // namespace

Target host_cpu() { return *cpu_target(TargetName{}); }

Program program_of(std::string_view text) {
  std::string joined;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
    } else {
      joined += text[i];
    }
  }
  return *parse_program(joined);
}

Storage small_integers(const Program& program, uint32_t seed) {
  std::mt19937 random(seed);
  Storage storage;
  for (const Buffer& buffer : program.buffers) {
    std::vector<float>& values = storage[buffer.name];
    values.resize(static_cast<size_t>(storage_elements(buffer.layout)),
                  std::numeric_limits<float>::quiet_NaN());
    const int limit = buffer.role == BufferRole::constant ? 2 : 4;
    if (!is_input(buffer.role)) continue;
    for (float& value : values)
      value = static_cast<float>(static_cast<int>(random() % (2 * limit + 1)) - limit);
  }
  return storage;
}

Result<CompiledProgram> CompiledProgram::compile(const Program& program, const Target& target) {
  CpuObject object = TRY(compile_cpu(program, target));
  LoadedObject code = TRY(LoadedObject::load(object.bytes));
  return CompiledProgram(program, std::move(object), std::move(code));
}

Result<void> CompiledProgram::run(Storage& storage, int parts) const {
  return run(storage, [&](int64_t extent) {
    std::vector<Range> ranges;
    const int64_t calls = std::min<int64_t>(parts, extent);
    for (int64_t i = 0; i < calls; ++i)
      ranges.emplace_back(i * extent / calls, (i + 1) * extent / calls);
    return ranges;
  });
}

Result<void> CompiledProgram::run_part(Storage& storage, int64_t first, int64_t last) const {
  return run(storage, [&](int64_t) { return std::vector<Range>{{first, last}}; });
}

Result<void> CompiledProgram::run(Storage& storage, const RangesOf& ranges_of) const {
  std::vector<std::unique_ptr<GuardedMemory>> memory;
  std::vector<void*> table;
  for (const Buffer& buffer : program_.buffers) {
    const std::vector<float>& values = storage[buffer.name];
    const size_t bytes = values.size() * (buffer.dtype == ElementType::f16 ? 2 : 4);
    memory.push_back(std::make_unique<GuardedMemory>(bytes));
    write(buffer, values, memory.back()->data());
    table.push_back(memory.back()->data());
  }
  for (size_t i = 0; i < object_.kernels.size(); ++i) {
    const LoadedObject::KernelFunction kernel = TRY(code_.find(object_.kernels[i]));
    for (const auto& [first, last] : ranges_of(object_.parallel_extents[i])) {
      kernel(table.data(), first, last);
    }
  }
  for (size_t i = 0; i < program_.buffers.size(); ++i) {
    const Buffer& buffer = program_.buffers[i];
    if (!memory[i]->intact()) return fail(fmt::format("a store outside of buffer {}", buffer.name));
    read(buffer, memory[i]->data(), storage[buffer.name]);
  }
  return {};
}

}  // namespace dovetail::testing
