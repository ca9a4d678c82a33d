// SPDX-License-Identifier: Apache-2.0
#include "core/ir/value/memory_scope.h"

#include <array>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 7> kScopeNames = {"global",
                                                         "texture",
                                                         "texture:weight",
                                                         "texture:nhwc",
                                                         "texture:array",
                                                         "texture:weight:array",
                                                         "texture:nhwc:array"};

}  // namespace

std::string print(MemoryScope scope) {
  return std::string(kScopeNames[static_cast<size_t>(scope)]);
}

Result<MemoryScope> parse_memory_scope(std::string_view text) {
  if (const auto scope = word_to<MemoryScope>(kScopeNames, text)) return *scope;
  return fail("unknown memory scope '" + std::string(text) + "', expected one of " +
              one_of(kScopeNames));
}

Result<MemoryScope> parse_word(std::string_view text, std::type_identity<MemoryScope>) {
  return parse_memory_scope(text);
}

bool is_texture(MemoryScope scope) { return scope != MemoryScope::global; }

}  // namespace dovetail
