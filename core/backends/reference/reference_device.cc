// SPDX-License-Identifier: Apache-2.0
#include "core/backends/reference/reference_device.h"

#include <cstring>

#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/base/text.h"
#include "core/ir/interpreter/interpreter.h"
#include "core/ir/layout/image_shape.h"
#include "core/ir/layout/layout.h"

namespace dovetail {
namespace {

struct ReferenceMemory : ArrayMemory {
  mutable std::vector<std::byte> bytes;
};

Result<std::span<std::byte>> bytes_in(const ArrayMemory* memory, int64_t first, size_t count) {
  const auto* own = dynamic_cast<const ReferenceMemory*>(memory);
  if (own == nullptr) return fail("an array of another device than the interpreter");
  return std::span(own->bytes).subspan(static_cast<size_t>(first), count);
}

Result<ArrayView> view_of(const NDArray& array) {
  if (!array.is_dense()) return fail("a kernel's buffer has gaps; expected dense elements");
  const auto count = static_cast<size_t>(array.size_bytes());
  const std::span<std::byte> bytes =
      TRY(bytes_in(array.memory().get(), array.byte_offset(), count));
  return ArrayView(array.type(), bytes.data(), array.size());
}

// A kernel's numbers, between arrays and the interpreter.
class ReferenceCode : public LoadedCode {
 public:
  Result<void> parse(const Code& code) {
    for (const std::string& text : code.objects) programs_.push_back(TRY(parse_program(text)));
    for (const Launch& launch : code.launches) launches_.push_back(TRY(find(launch)));
    return {};
  }

  Result<void> bind(std::span<const NDArray> buffers) override {
    buffers_.assign(buffers.begin(), buffers.end());
    for (const Interpreted& launch : launches_)
      for (size_t b = 0; b < launch.buffers.size(); ++b) TRY(array_of(launch, b));
    return {};
  }

  Result<double> run(size_t first, size_t last, int64_t repetitions) override {
    const Stopwatch watch;
    for (int64_t i = 0; i < repetitions; ++i)
      for (size_t k = first; k < last; ++k) TRY(interpret(launches_[k]));
    return watch.seconds() / static_cast<double>(repetitions);
  }

 private:
  struct Interpreted {
    size_t program = 0, kernel = 0;
    std::vector<int> buffers;
  };

  // "net_p3_1" is kernel 1 of program 3.
  Result<Interpreted> find(const Launch& launch) const {
    const size_t cut = launch.name.rfind('_');
    const size_t digits = launch.name.find_last_not_of("0123456789", cut - 1) + 1;
    const auto program = read_number<size_t>(launch.name.substr(digits, cut - digits));
    const auto kernel = read_number<size_t>(launch.name.substr(cut + 1));
    if (!program || !kernel || *program >= programs_.size() ||
        *kernel >= programs_[*program].kernels.size())
      return fail("no program has kernel {}", launch.name);
    return Interpreted{*program, *kernel, launch.buffers};
  }

  Result<ArrayView> array_of(const Interpreted& launch, size_t b) const {
    const int buffer = launch.buffers[b];
    if (buffer < 0 || static_cast<size_t>(buffer) >= buffers_.size())
      return fail("a kernel takes buffer {} of {}", buffer, buffers_.size());
    return view_of(buffers_[static_cast<size_t>(buffer)]);
  }

  Result<void> interpret(const Interpreted& launch) const {
    const Program& program = programs_[launch.program];
    BufferNumbers numbers;
    for (size_t b = 0; b < launch.buffers.size(); ++b)
      numbers[program.buffers[b].name] = reals_of(TRY(array_of(launch, b)));
    TRY(interpret_kernel(program, program.kernels[launch.kernel], numbers));
    for (size_t b = 0; b < launch.buffers.size(); ++b) {
      const Buffer& buffer = program.buffers[b];
      if (buffer.role == BufferRole::activation || buffer.role == BufferRole::constant) continue;
      const NDArray& array = buffers_[static_cast<size_t>(launch.buffers[b])];
      convert(ArrayView(numbers.at(buffer.name)), array.type(),
              TRY(bytes_in(array.memory().get(), array.byte_offset(),
                           static_cast<size_t>(array.size_bytes()))));
    }
    return {};
  }

  std::vector<Program> programs_;
  std::vector<Interpreted> launches_;
  std::vector<NDArray> buffers_;
};

class ReferenceDevice : public Device {
 public:
  explicit ReferenceDevice(const Target& target) : target_(target) {}

  const Target& target() const override { return target_; }

  Result<NDArray> allocate(ElementType type, std::vector<int64_t> shape,
                           MemoryScope scope) override {
    if (is_texture(scope)) TRY(check_image_limits(TRY(image_shape(shape, scope)), target_));
    constexpr std::byte kNaN{0xFF};
    auto memory = std::make_shared<ReferenceMemory>();
    memory->scope = scope;
    memory->bytes.assign(static_cast<size_t>(num_elements(shape) * bytes_of(type)), kNaN);
    return NDArray::in(std::move(memory), type, std::move(shape));
  }

  Result<std::unique_ptr<LoadedCode>> load(const Code& code) override {
    if (code.form != CodeForm::program_text) return fail("the interpreter loads programs alone");
    auto loaded = std::make_unique<ReferenceCode>();
    TRY(loaded->parse(code));
    return std::unique_ptr<LoadedCode>(std::move(loaded));
  }

 private:
  Result<void> read(const ArrayMemory& memory, int64_t first, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), TRY(bytes_in(&memory, first, bytes.size())).data(), bytes.size());
    return {};
  }
  Result<void> write(const ArrayMemory& memory, int64_t first,
                     std::span<const std::byte> bytes) override {
    std::memcpy(TRY(bytes_in(&memory, first, bytes.size())).data(), bytes.data(), bytes.size());
    return {};
  }

  Target target_;
};

}  // namespace

std::unique_ptr<Device> open_reference_device(const Target& target) {
  return std::make_unique<ReferenceDevice>(target);
}

}  // namespace dovetail
