// SPDX-License-Identifier: Apache-2.0
//
// A linker keeps IBT and SHSTK (x86-64) or BTI (AArch64) for a program only if each of its objects
// is marked as compiled for them, in a note of this layout, little-endian 32-bit words:
//
//   4, 16, 5, "GNU\0"; property, 4 bytes of it, bits, padding
#include <gtest/gtest.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"

namespace dovetail::testing {
namespace {

CpuObject object_for(std::string_view target) {
  return *compile_cpu(program_of(kConvolution), *cpu_target(*parse_target_name(target)));
}

std::vector<uint32_t> property_words(const CpuObject& object) {
  const llvm::MemoryBufferRef buffer(object.bytes, "object");
  const auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(buffer));
  std::vector<uint32_t> words;
  for (const llvm::object::SectionRef& section : file->sections()) {
    if (llvm::cantFail(section.getName()) != ".note.gnu.property") continue;
    const llvm::StringRef bytes = llvm::cantFail(section.getContents());
    words.resize(bytes.size() / sizeof(uint32_t));
    std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  }
  return words;
}

// The first bytes of each kernel.
std::vector<std::string> beginnings(const CpuObject& object) {
  const llvm::MemoryBufferRef buffer(object.bytes, "object");
  const auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(buffer));
  std::vector<std::string> found;
  for (const llvm::object::SymbolRef& symbol : file->symbols()) {
    if (!llvm::cantFail(symbol.getName()).starts_with(kSymbolPrefix)) continue;
    const llvm::StringRef code = llvm::cantFail(llvm::cantFail(symbol.getSection())->getContents());
    found.push_back(code.substr(llvm::cantFail(symbol.getValue()), 4).str());
  }
  return found;
}

constexpr uint32_t kGnu = 0x00554e47;

TEST(BranchProtection, X86ObjectsAskForIbtAndShadowStack) {
  const CpuObject object = object_for("cpu:arch=x86-64-v3");
  const std::string endbr64 = "\xf3\x0f\x1e\xfa";
  EXPECT_EQ(beginnings(object), std::vector<std::string>(2, endbr64));
  EXPECT_EQ(property_words(object),
            (std::vector<uint32_t>{4, 16, 5, kGnu, 0xc0000002, 4, 0x1 | 0x2, 0}));
}

TEST(BranchProtection, Aarch64ObjectsAskForBti) {
  const CpuObject object = object_for("cpu:arch=cortex-a76");
  const std::string bti_c = "\x5f\x24\x03\xd5";
  EXPECT_EQ(beginnings(object), std::vector<std::string>(2, bti_c));
  EXPECT_EQ(property_words(object), (std::vector<uint32_t>{4, 16, 5, kGnu, 0xc0000000, 4, 0x1, 0}));
}

}  // namespace
}  // namespace dovetail::testing
