// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/assemble.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/codegen/llvm/archive.h"
#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/object_symbols.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/linked_program.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

using Names = std::vector<std::string>;

// A driver calls a kernel on its weights, and copies what comes out.
constexpr const char* kDriver = R"(
@weights = external constant [64 x float]
declare void @p_0_k(ptr, i64, i64)
define i32 @p_run(ptr %x, ptr %scratch, ptr %y) {
  %table = alloca [3 x ptr], align 16
  %second = getelementptr [3 x ptr], ptr %table, i64 0, i64 1
  %third = getelementptr [3 x ptr], ptr %table, i64 0, i64 2
  store ptr %x, ptr %table
  store ptr @weights, ptr %second
  store ptr %scratch, ptr %third
  call void @p_0_k(ptr %table, i64 0, i64 1)
  br label %copy
copy:
  %i = phi i64 [ 0, %0 ], [ %next, %copy ]
  %from = getelementptr float, ptr %scratch, i64 %i
  %to = getelementptr float, ptr %y, i64 %i
  %value = load float, ptr %from
  store float %value, ptr %to
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 64
  br i1 %done, label %end, label %copy
end:
  ret i32 7
}
)";

constexpr const char* kScaled =
    "buffer x: f32 activation x[i=64] as [i@1:64]\n"
    "buffer w: f32 constant w[i=64] as [i@1:64]\n"
    "buffer y: f32 output y[i=64] as [i@1:64]\n"
    "kernel k\n"
    " for i.0 in 0..4\n"
    "  for i.1 in 0..16 vectorized\n"
    "   y[16*i.0 + i.1] = w[16*i.0 + i.1] * x[16*i.0 + i.1]\n";

std::string floats_object(const std::vector<float>& values) {
  return *data_object("weights", std::as_bytes(std::span(values)), host_cpu());
}

std::string package() {
  const CpuObject kernels =
      *compile_cpu(program_of(kScaled), host_cpu(), {.prefix = "p_", .hidden = true});
  std::vector<float> weights;
  for (int i = 0; i < 64; ++i) weights.push_back(static_cast<float>(i));
  return *static_archive({{"kernels.o", kernels.bytes},
                          {"driver.o", *assemble_ir(kDriver, host_cpu())},
                          {"weights.o", floats_object(weights)}},
                         host_cpu());
}

constexpr const char* kMain =
    "#include <stdint.h>\n"
    "int p_run(const float*, float*, float*);\n"
    "extern const float weights[64];\n"
    "static _Alignas(64) float x[64], scratch[64], y[65];\n"
    "int main(void) {\n"
    "  for (int i = 0; i < 64; ++i) x[i] = 3;\n"
    "  if ((uintptr_t)weights % 4096 != 0) return 1;\n"
    "  if (p_run(x, scratch, y + 1) != 7) return 2;\n"
    "  for (int i = 0; i < 64; ++i) if (y[i + 1] != 3 * i || weights[i] != i) return 3;\n"
    "  return 0;\n}\n";

TEST(Assemble, DriverKernelsAndWeightsMakeAProgram) {
  if (!is_program_there("cc")) GTEST_SKIP() << "needs cc";
  const LinkedProgram program(kMain, {{"libp.a", package()}});
  EXPECT_EQ(program.run(), 0) << program.output();
}

// As a position-independent executable, by a linker that minds each object's note.
TEST(Assemble, EachObjectIsMadeForCet) {
  if (!is_program_there("cc") || !host_cpu().llvm_triple.starts_with("x86_64-"))
    GTEST_SKIP() << "needs cc for x86-64";
  const LinkedProgram program(kMain, {{"libp.a", package()}},
                              "-fcf-protection -pie -fPIE -Wl,-z,cet-report=warning");
  EXPECT_EQ(program.run(), 0) << program.output();
  EXPECT_EQ(program.output().find("libp.a"), std::string::npos) << program.output();
}

TEST(Assemble, ALoopThatCopiesIsNoCall) {
  const std::string object = *assemble_ir(kDriver, host_cpu());
  Names needed = *undefined_symbols(object);
  std::ranges::sort(needed);
  std::erase(needed, "_GLOBAL_OFFSET_TABLE_");  // the linker makes it
  EXPECT_EQ(needed, (Names{"p_0_k", "weights"}));
}

TEST(Assemble, SameTextGivesSameBytes) {
  EXPECT_EQ(*assemble_ir(kDriver, host_cpu()), *assemble_ir(kDriver, host_cpu()));
}

TEST(Assemble, RefusesWhatIsNoIr) {
  const Target target = host_cpu();
  EXPECT_ERROR(assemble_ir("define i32 @f() {\n  ret i33 1\n}\n", target), "IR, line 2: ");
  EXPECT_ERROR(assemble_ir("int f(void);\n", target), "IR, line 1: expected top-level entity");
  EXPECT_ERROR(assemble_ir("define void @f() {\n  %a = add i32 %a, 1\n  ret void\n}\n", target),
               "IR: Only PHI nodes may reference their own value!");
  EXPECT_ERROR(assemble_ir("target triple = \"z80-unknown\"\n", target),
               "IR for triple \"z80-unknown\"; expected");
  EXPECT_ERROR(
      assemble_ir("define void @f() {\n call void asm \"bad bad\", \"\"()\n ret void\n}\n", target),
      "LLVM: ");
  EXPECT_TRUE(assemble_ir("", target).has_value());
}

TEST(DataObject, HoldsItsBytesForEverySystem) {
  std::vector<std::byte> bytes(100'003);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i % 251);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const char* triple :
       {"x86_64-unknown-linux-gnu", "x86_64-apple-macosx11", "x86_64-pc-windows-msvc"}) {
    Target target = *cpu_target(*parse_target_name("cpu:arch=x86-64-v2"));
    target.llvm_triple = triple;
    const std::string object = *data_object("pose_weights", bytes, target);
    EXPECT_NE(object.find(text), std::string::npos) << triple;
    EXPECT_LT(object.size(), bytes.size() + 3 * kDataAlignment) << triple;
    const std::vector<ObjectSymbol> symbols = *object_symbols(object);
    EXPECT_TRUE(std::ranges::any_of(symbols, [](const ObjectSymbol& symbol) {
      return symbol.defined && symbol.name.ends_with("pose_weights");
    })) << triple;
    EXPECT_EQ(*undefined_symbols(object), Names{}) << triple;
  }
}

TEST(DataObject, ZerosAreReadOnlyToo) {
  const std::string object = floats_object(std::vector<float>(100'000));
  EXPECT_GT(object.size(), 400'000U);  // not in .bss, which is writable and has no bytes
}

TEST(DataObject, RefusesWhatCannotBeLinked) {
  const std::byte byte{1};
  EXPECT_ERROR(data_object("1st", {&byte, 1}, host_cpu()),
               "symbol \"1st\" of data: expected an identifier of C");
  EXPECT_ERROR(data_object("w", {}, host_cpu()), "data w of 0 bytes cannot be linked");
  EXPECT_ERROR(data_object("w", {&byte, size_t{1} << 31}, host_cpu()),
               "data w of 2147483648 bytes cannot be linked into a program; expected 1 to");
}

}  // namespace
}  // namespace dovetail::testing
