// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/archive.h"

#include <gtest/gtest.h>
#include <llvm/Object/Archive.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/object_symbols.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/linked_program.h"
#include "tests/core/codegen/llvm/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

constexpr const char* kDoubled =
    "buffer x: f32 activation x[i=64] as [i@1:64]\n"
    "buffer y: f32 output y[i=64] as [i@1:64]\n"
    "kernel k\n"
    " for i.0 in 0..4 parallel\n"
    "  for i.1 in 0..16 vectorized\n"
    "   y[16*i.0 + i.1] = 2 * x[16*i.0 + i.1] + 1\n";

std::string object_of(const char* text, const Target& target, std::string_view prefix) {
  return compile_cpu(program_of(text), target, {.prefix = prefix, .hidden = true})->bytes;
}

std::vector<ArchiveMember> two_members(const Target& target) {
  return {{"a_member_with_a_long_name.o", object_of(kDoubled, target, "one_")},
          {"b.o", object_of(kMatrixProduct, target, "two_")}};
}

Target with_triple(const std::string& triple, const std::string& arch) {
  Target target = *cpu_target(*parse_target_name("cpu:arch=" + arch));
  target.llvm_triple = triple;
  return target;
}

// Symbols of the table, each with the member that it leads to.
using Table = std::vector<std::pair<std::string, std::string>>;
Table table_of(const llvm::object::Archive& archive) {
  Table table;
  for (const llvm::object::Archive::Symbol& symbol : archive.symbols()) {
    const llvm::object::Archive::Child member = llvm::cantFail(symbol.getMember());
    table.emplace_back(symbol.getName().str(), llvm::cantFail(member.getName()).str());
  }
  return table;
}

std::vector<ArchiveMember> members_of(const llvm::object::Archive& archive) {
  std::vector<ArchiveMember> members;
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child& child : archive.children(error))
    members.push_back(
        {llvm::cantFail(child.getName()).str(), llvm::cantFail(child.getBuffer()).str()});
  llvm::cantFail(std::move(error));
  return members;
}

TEST(StaticArchive, ReadsBackWithItsMembersAndSymbols) {
  const std::string long_name = "a_member_with_a_long_name.o";
  for (const auto& [triple, underscore] :
       std::vector<std::pair<std::string, std::string>>{{"x86_64-unknown-linux-gnu", ""},
                                                        {"x86_64-apple-macosx11", "_"},
                                                        {"x86_64-pc-windows-msvc", ""}}) {
    const Target target = with_triple(triple, "x86-64-v3");
    const std::vector<ArchiveMember> members = two_members(target);
    const std::string bytes = *static_archive(members, target);
    const auto archive =
        llvm::cantFail(llvm::object::Archive::create(llvm::MemoryBufferRef(bytes, "archive")));
    const std::vector<ArchiveMember> found = members_of(*archive);
    ASSERT_EQ(found.size(), 2U) << triple;
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(found[i].name, members[i].name) << triple;
      EXPECT_EQ(object_symbols(found[i].bytes)->size(), object_symbols(members[i].bytes)->size());
    }
    const Table table = table_of(*archive);
    const auto has = [&](const std::string& symbol, const std::string& member) {
      return std::ranges::count(table, std::pair(underscore + symbol, member)) == 1;
    };
    EXPECT_TRUE(has("one_0_k", long_name)) << triple;
    EXPECT_TRUE(has("two_0_gmm", "b.o")) << triple;
  }
}

TEST(StaticArchive, NeedsNothingOfOthers) {
  const std::string bytes = *static_archive(two_members(host_cpu()), host_cpu());
  const auto archive =
      llvm::cantFail(llvm::object::Archive::create(llvm::MemoryBufferRef(bytes, "archive")));
  for (const ArchiveMember& member : members_of(*archive))
    EXPECT_EQ(*undefined_symbols(member.bytes), std::vector<std::string>{});
}

TEST(StaticArchive, SameMembersGiveSameBytes) {
  EXPECT_EQ(*static_archive(two_members(host_cpu()), host_cpu()),
            *static_archive(two_members(host_cpu()), host_cpu()));
}

TEST(StaticArchive, LinksWithACProgram) {
  if (!is_program_there("cc")) GTEST_SKIP() << "needs cc";
  const LinkedProgram program(
      "#include <stdint.h>\n"
      "void one_0_k(void* const*, int64_t, int64_t);\n"
      "static _Alignas(64) float x[64], y[64];\n"
      "int main(void) {\n"
      "  void* buffers[] = {x, y};\n"
      "  for (int i = 0; i < 64; ++i) x[i] = i;\n"
      "  one_0_k(buffers, 0, 4);\n"
      "  for (int i = 0; i < 64; ++i) if (y[i] != 2 * i + 1) return 1;\n"
      "  return 0;\n}\n",
      {{"libkernels.a", *static_archive(two_members(host_cpu()), host_cpu())}});
  EXPECT_EQ(program.run(), 0) << program.output();
}

TEST(StaticArchive, RefusesMembersThatDoNotBelong) {
  const Target host = host_cpu();
  const bool host_is_x86 = host.llvm_triple.starts_with("x86_64");
  const Target other =
      *cpu_target(*parse_target_name(host_is_x86 ? "cpu:arch=cortex-a76" : "cpu:arch=x86-64-v3"));
  const std::string object = object_of(kDoubled, host, "p_");
  EXPECT_ERROR(static_archive({{"a.o", object}}, other),
               "member a.o of a static library is an object for ");
  EXPECT_ERROR(static_archive({{"a.o", "text"}}, host),
               "member a.o of a static library is no object");
  EXPECT_ERROR(static_archive({{"a.o", object}, {"a.o", object}}, host),
               "member a.o of a static library is there twice");
  EXPECT_ERROR(static_archive({{"a/b.o", object}}, host), "expected a file name");
  EXPECT_ERROR(static_archive({{"", object}}, host), "expected a file name");
  EXPECT_ERROR(static_archive({}, with_triple("wasm32-unknown-unknown", "x86-64-v3")),
               "no static library for triple \"wasm32-unknown-unknown\"");
}

}  // namespace
}  // namespace dovetail::testing
