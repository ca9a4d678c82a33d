// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/compile_ptx.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/codegen/llvm/work_groups_here.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"
#include "tests/support/times_in.h"

namespace dovetail::testing {
namespace {

// A tile of B in local memory, columns in vectors of four.
constexpr const char* kSharedPanel =
    "buffer A: f32 activation A[m=8, k=32] as [m@1:8] [k@1:32]\n"
    "buffer B: f32 constant B[k=32, n=64] as [k@1:32] [n@1:64]\n"
    "buffer C: f32 output C[m=8, n=64] as [m@1:8] [n@1:64]\n"
    "kernel gmm\n"
    "  for n.0 in 0..2 bind group.0\n"
    "    for m in 0..8 bind thread.1\n"
    "      for n.1 in 0..8 bind thread.0\n"
    "        registers acc[4]\n"
    "        local panel[8, 32]\n"
    "        for n.2 in 0..4 vectorized\n"
    "          acc[n.2] = 0\n"
    "        for k.0 in 0..4\n"
    "          barrier\n"
    "          for n.2 in 0..4 vectorized\n"
    "            panel[m, 4*n.1 + n.2] = B[8*k.0 + m, 32*n.0 + 4*n.1 + n.2]\n"
    "          barrier\n"
    "          for k.1 in 0..8 unrolled\n"
    "            for n.2 in 0..4 vectorized\n"
    "              acc[n.2] += A[m, 8*k.0 + k.1] * panel[k.1, 4*n.1 + n.2]\n"
    "        for n.2 in 0..4 vectorized\n"
    "          C[m, 32*n.0 + 4*n.1 + n.2] = acc[n.2]\n";

Target small_device() {
  Target target = ptx_target(opencl_with_images());
  target.local_memory_bytes = 1024;
  return target;
}

PtxCode compiled(const std::string& text, std::string_view prefix = "p") {
  const Program program = right(parse_program(text), text);
  return right(compile_ptx({&program, 1}, small_device(), prefix), text);
}

TEST(CompilePtx, WritesTheNestAndNothingElse) {
  const PtxCode code = compiled(kSharedPanel);
  EXPECT_NE(code.texts[0].find(".target sm_90a"), std::string::npos);
  EXPECT_NE(code.texts[0].find(".entry p0_gmm("), std::string::npos) << code.texts[0];
  EXPECT_NE(code.texts[0].find(".reqntid 8, 8, 1"), std::string::npos);
  EXPECT_EQ(times_in(code.texts[0], "[1024];"), 1) << "one array of the group";
  EXPECT_EQ(times_in(code.texts[0], "fma.rn.f32"), 32) << "eight steps of four columns";
  EXPECT_EQ(times_in(code.texts[0], "bar.sync"), 2);
  EXPECT_EQ(times_in(code.texts[0], "ld.shared.v4.f32"), 8);
  EXPECT_EQ(times_in(code.texts[0], "st.shared.v4.f32"), 1);
  EXPECT_EQ(times_in(code.texts[0], "ld.global.nc.v4.f32"), 3)
      << "B, and A's eight elements in two\n"
      << code.texts[0];
  EXPECT_EQ(times_in(code.texts[0], "st.global.v4.f32"), 1);
  EXPECT_EQ(times_in(code.texts[0], "bra"), 2) << "the wait, and the loop over k.0";
}

TEST(CompilePtx, LaunchesAreThoseOfTheNest) {
  const PtxCode code = compiled(kSharedPanel);
  ASSERT_EQ(code.launches.size(), 1U);
  const Launch expected{.name = "p0_gmm",
                        .global = {16, 8, 1},
                        .local = {8, 8, 1},
                        .buffers = {0, 1, 2},
                        .written = {2},
                        .waits_itself = true};
  EXPECT_EQ(code.launches[0], std::vector{expected});
}

// CUDA's assembler takes 48 KB of arrays in a kernel.
TEST(CompilePtx, LaunchesGiveLocalMemoryBeyondWhatAKernelMayDeclare) {
  const auto of_two_tiles = [](int rows) {
    return fmt::format(
        "buffer X: f32 activation X[a={0}, b=64] as [a@1:{0}] [b@1:64]\n"
        "buffer Y: f32 output Y[a={0}, b=64] as [a@1:{0}] [b@1:64]\n"
        "kernel copy\n"
        "  for b in 0..64 bind thread.0\n"
        "    local first[{0}, 64]\n"
        "    local second[{0}, 64]\n"
        "    for a in 0..{0}\n"
        "      first[a, b] = X[a, b]\n"
        "      second[a, b] = 2 * X[a, b]\n"
        "    barrier\n"
        "    for a in 0..{0}\n"
        "      Y[a, b] = first[a, -b + 63] + second[a, -b + 63]\n",
        rows);
  };
  Target target = small_device();
  target.local_memory_bytes = 227 << 10;
  const auto compiled_for = [&](int rows) {
    const Program program = right(parse_program(of_two_tiles(rows)));
    return right(compile_ptx({&program, 1}, target, "p"));
  };
  const PtxCode small = compiled_for(96), large = compiled_for(128);
  EXPECT_EQ(small.launches[0][0].local_bytes, 0);
  EXPECT_EQ(times_in(small.texts[0], "[24576];"), 2) << small.texts[0];
  EXPECT_EQ(large.launches[0][0].local_bytes, 2 * 128 * 64 * 4);
  EXPECT_EQ(times_in(large.texts[0], ".extern .shared .align 128 .b8 dovetail_local[];"), 1);
  EXPECT_EQ(times_in(large.texts[0], "32768;"), 1) << "the second behind the first\n"
                                                   << large.texts[0];
}

TEST(CompilePtx, NamesOfProgramsAndKernelsDiffer) {
  const Program program =
      right(parse_program("buffer X: f32 activation X[a=4] as [a@1:4]\n"
                          "buffer Y: f32 output Y[a=4] as [a@1:4]\n"
                          "kernel copy.1\n  for a in 0..4\n    Y[a] = X[a]\n"
                          "kernel copy_1\n  for a in 0..4\n    Y[a] = X[a] + 1\n"));
  const std::vector<Program> twice = {program, program};
  const PtxCode code = right(compile_ptx(twice, small_device(), "net_"));
  for (const char* name : {"net_0_copy_1(", "net_0_copy_1_1(", "net_1_copy_1(", "net_1_copy_1_1("})
    EXPECT_EQ(times_in(code.texts[0], std::string(".entry ") + name), 1) << name << "\n"
                                                                         << code.texts[0];
  EXPECT_EQ(code.launches[1][1].name, "net_1_copy_1_1");
}

TEST(CompilePtx, GivesAModuleForEachKernelApart) {
  const Program program =
      right(parse_program("buffer X: f32 activation X[a=4] as [a@1:4]\n"
                          "buffer Y: f32 output Y[a=4] as [a@1:4]\n"
                          "kernel copy\n  for a in 0..4\n    Y[a] = X[a]\n"
                          "kernel next\n  for a in 0..4\n    Y[a] = X[a] + 1\n"));
  Program second = program;
  second.kernels.erase(second.kernels.begin());
  const PtxCode both = right(compile_ptx({&program, 1}, small_device(), "p", KernelTexts::apart));
  ASSERT_EQ(both.texts.size(), 2U);
  EXPECT_EQ(times_in(both.texts[0], ".entry"), 1) << both.texts[0];
  EXPECT_EQ(times_in(both.texts[1], ".entry p0_next("), 1) << both.texts[1];
  const PtxCode one = right(compile_ptx({&second, 1}, small_device(), "p", KernelTexts::apart));
  EXPECT_EQ(one.texts, std::vector{both.texts[1]});
  EXPECT_EQ(both.launches, right(compile_ptx({&program, 1}, small_device(), "p")).launches);
}

// NVIDIA's back end of LLVM joins what the nest writes out.
TEST(CompilePtx, JoinsNeighboursThatAreWrittenOut) {
  const PtxCode code = compiled(
      "buffer X: f32 activation X[a=64] as [a@1:64]\n"
      "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
      "kernel copy\n"
      "  for a.0 in 0..16 bind thread.0\n"
      "    for a.1 in 0..4 unrolled\n"
      "      Y[4*a.0 + a.1] = X[4*a.0 + a.1]\n");
  EXPECT_EQ(times_in(code.texts[0], "ld.global"), 1) << code.texts[0];
  EXPECT_EQ(times_in(code.texts[0], "st.global.v4.f32"), 1) << code.texts[0];
}

// 32 rows and 16 columns by two warps, 32 channels in local memory at a time. {0}: the types' name.
constexpr const char* kTensorized =
    "buffer X: {0} activation X[m=32, k=64] as [m@1:32] [k@1:64]\n"
    "buffer W: {0} constant W[n=16, k=64] as [n@1:16] [k@1:64]\n"
    "buffer Y: f32 output Y[m=32, n=16] as [m@1:32] [n@1:16]\n"
    "kernel gmm\n"
    "  for m.g in 0..16 bind thread.1\n"
    "    for n.t in 0..4 bind thread.0\n"
    "      registers acc[2, 2, 2]\n"
    "      local X.cache[32, 40] {0}\n"
    "      for n.j in 0..2 unrolled\n"
    "        for m.r in 0..2 unrolled\n"
    "          for n.c in 0..2 vectorized\n"
    "            acc[n.j, m.r, n.c] = 0\n"
    "      for k.0 in 0..2\n"
    "        barrier\n"
    "        for u in 0..2 unrolled\n"
    "          for v in 0..8 vectorized\n"
    "            X.cache[16*u + m.g, 8*n.t + v] = X[16*u + m.g, 32*k.0 + 8*n.t + v]\n"
    "        barrier\n"
    "        for k.1 in 0..2 unrolled\n"
    "          for n.j in 0..2 unrolled\n"
    "            for k.2 in 0..16 unrolled tensorize mma.m16n8k16_{0}\n"
    "              for m.r in 0..2 unrolled\n"
    "                for n.c in 0..2 vectorized\n"
    "                  acc[n.j, m.r, n.c] += X.cache[16*m.r + m.g, 16*k.1 + k.2] *"
    " W[8*n.j + 2*n.t + n.c, 32*k.0 + 16*k.1 + k.2]\n"
    "      for n.j in 0..2 unrolled\n"
    "        for m.r in 0..2 unrolled\n"
    "          for n.c in 0..2 vectorized\n"
    "            Y[16*m.r + m.g, 8*n.j + 2*n.t + n.c] = acc[n.j, m.r, n.c]\n";

TEST(CompilePtx, WritesTensorizedLoopsAsAnInstructionOfTheWarp) {
  for (const char* type : {"f16", "bf16"}) {
    const std::string text = fmt::format(fmt::runtime(kTensorized), type);
    const Program program = right(parse_program(text), text);
    ASSERT_TRUE(verify(program)) << verify(program).error().message;
    Target target = small_device();
    target.local_memory_bytes = 32 * 40 * 2;
    const PtxCode code = right(compile_ptx({&program, 1}, target, "p"), text);
    const std::string instruction =
        fmt::format("mma.sync.aligned.m16n8k16.row.col.f32.{0}.{0}.f32", type);
    EXPECT_EQ(times_in(code.texts[0], instruction), 4) << code.texts[0];
    EXPECT_EQ(times_in(code.texts[0], "fma.rn"), 0) << code.texts[0];
    target.llvm_cpu = "sm_75";
    const PtxCode before = right(compile_ptx({&program, 1}, target, "p"), text);
    EXPECT_EQ(times_in(before.texts[0], "mma.sync"), 0) << "the loops";
  }
}

// Small whole numbers for the inputs, whose sums are exact, and NaN for the output.
struct Sized {
  const char* name;
  int elements;
};
Storage storage_of(const std::vector<Sized>& inputs, const Sized& output) {
  Storage storage;
  for (const Sized& input : inputs) {
    std::vector<float>& numbers = storage[input.name];
    for (int i = 0; i < input.elements; ++i)
      numbers.push_back(static_cast<float>((i * 37 + i / 64) % 9 - 4));
  }
  storage[output.name] = std::vector<float>(static_cast<size_t>(output.elements), std::nanf(""));
  return storage;
}

TEST(CompilePtx, TensorizedLoopsAreRight) {
  for (const char* type : {"f16", "bf16"}) {
    const std::string text = fmt::format(fmt::runtime(kTensorized), type);
    const Program program = right(parse_program(text), text);
    Target target = small_device();
    target.local_memory_bytes = 32 * 40 * 2;
    Storage storage = storage_of({{"X", 32 * 64}, {"W", 16 * 64}}, {"Y", 32 * 16});
    const Storage outputs = right(run_work_groups_here(program, target, storage), text);
    ASSERT_TRUE(interpret(program, storage));
    EXPECT_EQ(outputs.at("Y"), storage["Y"]) << type;
  }
}

// W in local memory, too, with rows of so many elements.
std::string of_copied_weights(int row) {
  std::string text = fmt::format(fmt::runtime(kTensorized), "f16");
  const auto put = [&](std::string_view before, const std::string& what) {
    text.insert(text.find(before), what);
  };
  put("      for n.j in 0..2 unrolled\n", fmt::format("      local W.cache[16, {}] f16\n", row));
  put("        barrier\n        for k.1",
      "        for v in 0..8 vectorized\n"
      "          W.cache[m.g, 8*n.t + v] = W[m.g, 32*k.0 + 8*n.t + v]\n");
  const std::string_view read = "W[8*n.j + 2*n.t + n.c, 32*k.0 + 16*k.1 + k.2]";
  return text.replace(text.find(read), read.size(), "W.cache[8*n.j + 2*n.t + n.c, 16*k.1 + k.2]");
}

TEST(CompilePtx, LoadsBlocksOfRowsThatBeginAt16Bytes) {
  Target target = small_device();
  target.local_memory_bytes = 4096;
  for (const int row : {40, 36}) {
    const std::string text = of_copied_weights(row);
    const Program program = right(parse_program(text), text);
    const std::string ptx = right(compile_ptx({&program, 1}, target, "p"), text).texts[0];
    EXPECT_EQ(times_in(ptx, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"), 2) << "X\n" << ptx;
    EXPECT_EQ(times_in(ptx, "ldmatrix.sync.aligned.m8n8.x2.shared.b16"), row == 40 ? 4 : 0) << ptx;
    Storage storage = storage_of({{"X", 32 * 64}, {"W", 16 * 64}}, {"Y", 32 * 16});
    const Storage outputs = right(run_work_groups_here(program, target, storage), text);
    ASSERT_TRUE(interpret(program, storage));
    EXPECT_EQ(outputs.at("Y"), storage["Y"]) << row;
  }
}

// Three copies of a panel, and rows of A beyond its end, which are zeros.
constexpr const char* kThreePanels =
    "buffer A: f32 activation A[m=6, k=32] as [m@1:6] [k@1:32]\n"
    "buffer B: f32 constant B[k=32, n=32] as [k@1:32] [n@1:32]\n"
    "buffer C: f32 output C[m=8, n=32] as [m@1:8] [n@1:32]\n"
    "kernel gmm\n"
    "  for m in 0..8 bind thread.1\n"
    "    for n.1 in 0..8 bind thread.0\n"
    "      registers acc[4]\n"
    "      local panel[3, 4, 32]\n"
    "      local row[3, 8, 4]\n"
    "      for n.2 in 0..4 vectorized\n"
    "        acc[n.2] = 0\n"
    "      for r in 0..2\n"
    "        for n.2 in 0..4 vectorized\n"
    "          panel[r, m div 2, 4*n.1 + n.2] = B[4*r + (m div 2), 4*n.1 + n.2] async\n"
    "        row[r, m, n.1 div 2] = (0 <= m < 6) ? A[m, 4*r + (n.1 div 2)] : 0 async\n"
    "        barrier leaving 2\n"
    "      for k.0 in 0..6\n"
    "        barrier leaving 1\n"
    "        for n.2 in 0..4 vectorized\n"
    "          panel[((k.0 + 2) mod 3), m div 2, 4*n.1 + n.2] = B[4*k.0 + (m div 2) + 8, 4*n.1 + "
    "n.2] async\n"
    "        row[((k.0 + 2) mod 3), m, n.1 div 2] = (0 <= m < 6) ? A[m, 4*k.0 + (n.1 div 2) + 8] : "
    "0 async\n"
    "        for k.1 in 0..4 unrolled\n"
    "          for n.2 in 0..4 vectorized\n"
    "            acc[n.2] += row[(k.0 mod 3), m, k.1] * panel[(k.0 mod 3), k.1, 4*n.1 + n.2]\n"
    "      for k.2 in 0..2\n"
    "        barrier leaving 1\n"
    "        for k.1 in 0..4 unrolled\n"
    "          for n.2 in 0..4 vectorized\n"
    "            acc[n.2] += row[k.2, m, k.1] * panel[k.2, k.1, 4*n.1 + n.2]\n"
    "      for n.2 in 0..4 vectorized\n"
    "        C[m, 4*n.1 + n.2] = acc[n.2]\n";

Target device_of_panels() {
  Target target = small_device();
  target.local_memory_bytes = 4096;
  return target;
}

std::string panels_in_ptx(const Target& target) {
  const Program program = right(parse_program(kThreePanels));
  return right(compile_ptx({&program, 1}, target, "p")).texts[0];
}

TEST(CompilePtx, CopiesAsynchronouslyWhatLiesTogether) {
  const std::string text = panels_in_ptx(device_of_panels());
  EXPECT_EQ(times_in(text, "cp.async.cg.shared.global"), 2) << text;
  EXPECT_EQ(times_in(text, "cp.async.ca.shared.global"), 2) << "single elements, under a condition";
  EXPECT_EQ(times_in(text, "cp.async.wait_group"), 3) << "one for each barrier";
  Target older = device_of_panels();
  older.llvm_cpu = "sm_75";
  EXPECT_EQ(times_in(panels_in_ptx(older), "cp.async"), 0) << "stores at once";
}

TEST(CompilePtx, AsynchronousCopiesArriveWhereBarriersWaitForThem) {
  Storage storage = storage_of({{"A", 6 * 32}, {"B", 32 * 32}}, {"C", 8 * 32});
  const auto run = [&](const std::string& text) {
    const Program program = right(parse_program(text), text);
    return right(run_work_groups_here(program, device_of_panels(), storage), text).at("C");
  };
  std::string late = kThreePanels;
  const std::string barrier = "        barrier leaving 1\n        for n.2";
  late.replace(late.find(barrier), barrier.size(), "        barrier leaving 3\n        for n.2");
  const std::vector<float> here = run(kThreePanels), too_early = run(late);
  ASSERT_TRUE(interpret(right(parse_program(kThreePanels)), storage));
  EXPECT_EQ(here, storage["C"]);
  EXPECT_NE(too_early, storage["C"]) << "what is awaited later is read before it arrives";
}

// Three copies of a panel in turn, each of which is one piece of B.
constexpr const char* kPanelsInOnePiece =
    "buffer A: f32 activation A[m=4, k=32] as [m@1:4] [k@1:32]\n"
    "buffer B: f32 constant B[k=32, n=32] as [k@1:32] [n@1:32]\n"
    "buffer C: f32 output C[m=4, n=32] as [m@1:4] [n@1:32]\n"
    "kernel gmm\n"
    "  for m in 0..4 bind thread.1\n"
    "    for n.1 in 0..8 bind thread.0\n"
    "      registers acc[4]\n"
    "      local panel[3, 4, 32]\n"
    "      for n.2 in 0..4 vectorized\n"
    "        acc[n.2] = 0\n"
    "      for r in 0..2\n"
    "        for n.2 in 0..4 vectorized\n"
    "          panel[r, m, 4*n.1 + n.2] = B[4*r + m, 4*n.1 + n.2] async\n"
    "        barrier leaving 2\n"
    "      for k.0 in 0..6\n"
    "        barrier leaving 1\n"
    "        for n.2 in 0..4 vectorized\n"
    "          panel[((k.0 + 2) mod 3), m, 4*n.1 + n.2] = B[4*k.0 + m + 8, 4*n.1 + n.2] async\n"
    "        for k.1 in 0..4 unrolled\n"
    "          for n.2 in 0..4 vectorized\n"
    "            acc[n.2] += A[m, 4*k.0 + k.1] * panel[(k.0 mod 3), k.1, 4*n.1 + n.2]\n"
    "      for k.2 in 0..2\n"
    "        barrier leaving 1\n"
    "        for k.1 in 0..4 unrolled\n"
    "          for n.2 in 0..4 vectorized\n"
    "            acc[n.2] += A[m, 4*k.2 + k.1 + 24] * panel[k.2, k.1, 4*n.1 + n.2]\n"
    "      for n.2 in 0..4 vectorized\n"
    "        C[m, 4*n.1 + n.2] = acc[n.2]\n";

TEST(CompilePtx, OneWorkItemCopiesInBulkWhatIsOnePiece) {
  const Program program = right(parse_program(kPanelsInOnePiece));
  const std::string text = right(compile_ptx({&program, 1}, device_of_panels(), "p")).texts[0];
  EXPECT_EQ(times_in(text, "cp.async.bulk"), 2) << text;
  EXPECT_EQ(times_in(text, "cp.async.cg"), 0);
  EXPECT_EQ(times_in(text, "mbarrier.init"), 4) << "a ring for the two that are left, and two";
  EXPECT_EQ(times_in(text, "mbarrier.arrive"), 3) << "one for each barrier";
  EXPECT_EQ(times_in(text, "bar.sync"), 4) << "and one before all";
  Target older = device_of_panels();
  older.llvm_cpu = "sm_80";
  const std::string before = right(compile_ptx({&program, 1}, older, "p")).texts[0];
  EXPECT_EQ(times_in(before, "cp.async.bulk"), 0);
  EXPECT_EQ(times_in(before, "cp.async.cg"), 2);
}

TEST(CompilePtx, BulkCopiesArriveWhereBarriersWaitForThem) {
  Storage storage = storage_of({{"A", 4 * 32}, {"B", 32 * 32}}, {"C", 4 * 32});
  const auto run = [&](const std::string& text) {
    const Program program = right(parse_program(text), text);
    return right(run_work_groups_here(program, device_of_panels(), storage), text).at("C");
  };
  std::string late = kPanelsInOnePiece;
  const std::string barrier = "        barrier leaving 1\n        for n.2";
  late.replace(late.find(barrier), barrier.size(), "        barrier leaving 3\n        for n.2");
  const std::vector<float> here = run(kPanelsInOnePiece), too_early = run(late);
  ASSERT_TRUE(interpret(right(parse_program(kPanelsInOnePiece)), storage));
  EXPECT_EQ(here, storage["C"]);
  EXPECT_NE(too_early, storage["C"]) << "what is awaited later is read before it arrives";
}

// Before it touches memory that a kernel before it may still write.
TEST(CompilePtx, AKernelThatStartsEarlyWaitsFirst) {
  const Program program = right(parse_program(kSharedPanel));
  Target target = small_device();
  target.llvm_cpu = "sm_90";
  const PtxCode code = right(compile_ptx({&program, 1}, target, "p"));
  const std::string& text = code.texts[0];
  EXPECT_EQ(times_in(text, "griddepcontrol.wait"), 1);
  EXPECT_LT(text.find("griddepcontrol.launch_dependents"), text.find("griddepcontrol.wait"));
  const size_t leaves = text.find("bra");
  EXPECT_LT(text.find("griddepcontrol.wait"), leaves);
  EXPECT_LT(leaves, text.find("ld.global")) << "no load moves above a branch";
  EXPECT_TRUE(code.launches[0][0].waits_itself);
  target.llvm_cpu = "sm_80";
  const PtxCode older = right(compile_ptx({&program, 1}, target, "p"));
  EXPECT_EQ(times_in(older.texts[0], "griddepcontrol"), 0);
  EXPECT_FALSE(older.launches[0][0].waits_itself);
}

TEST(CompilePtx, RefusesWhatTheDeviceCannotDo) {
  const auto refusal = [](const std::string& text, const Target& target) {
    const Program program = right(parse_program(text), text);
    return compile_ptx({&program, 1}, target, "p");
  };
  Target target = small_device();
  EXPECT_ERROR(refusal("buffer X: f32 activation X[a=4, b=4] as [a@1:4] [b@1:4] ; scope texture\n"
                       "buffer Y: f32 output Y[a=4, b=4] as [a@1:4] [b@1:4]\n"
                       "kernel copy\n  for a in 0..4\n    for b in 0..4\n      Y[a, b] = X[a, b]\n",
                       target),
               "buffer X has scope texture; ptx reads and writes global ones");
  target.local_memory_bytes = 1023;
  EXPECT_ERROR(refusal(kSharedPanel, target), "kernel gmm: local tiles have 1024 bytes");
  target = small_device();
  target.max_work_group_size = 32;
  EXPECT_ERROR(refusal(kSharedPanel, target), "work-group 8x8x1 is over the limit of 32");
  EXPECT_ERROR(refusal(kSharedPanel, opencl_with_images()), "target opencl takes no PTX");
}

}  // namespace
}  // namespace dovetail::testing
