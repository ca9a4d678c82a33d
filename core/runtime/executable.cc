// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/executable.h"

#include <array>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/layout/layout.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 5> kForms = {"objects", "opencl_source", "driver_binary",
                                                    "program_text", "ptx"};

}  // namespace

std::string_view print(CodeForm form) { return kForms[static_cast<size_t>(form)]; }

Result<CodeForm> parse_word(std::string_view text, std::type_identity<CodeForm>) {
  if (const auto form = word_to<CodeForm>(kForms, text)) return *form;
  return fail("{} is no form of code", quoted(text));
}

int64_t ExecutableBuffer::bytes() const { return num_elements(shape) * bytes_of(type); }

std::optional<ImageShape> ExecutableBuffer::image() const {
  const Result<ImageShape> image = image_shape(shape, scope);
  return image ? std::optional(*image) : std::nullopt;
}

ExecutableBuffer executable_buffer(const Buffer& buffer) {
  return {.name = buffer.name,
          .type = buffer.dtype,
          .shape = physical_extents(buffer.layout),
          .scope = buffer.layout.scope};
}

Executable executable_of(const Program& program, const Target& target, Code code) {
  Executable executable;
  executable.target = target;
  for (const Buffer& buffer : program.buffers)
    executable.buffers.push_back(executable_buffer(buffer));
  executable.code = std::move(code);
  executable.preparing_launches = preparing_kernels(program);
  return executable;
}

}  // namespace dovetail
