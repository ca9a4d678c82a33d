// SPDX-License-Identifier: Apache-2.0
//
// Objects for another instruction set, linked with a small C program and run by qemu. Skipped
// without qemu-aarch64-static and aarch64-linux-gnu-gcc (scripts/install-dependencies --checks).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/linked_program.h"
#include "tests/core/codegen/llvm/programs.h"

namespace dovetail::testing {
namespace {

namespace fs = std::filesystem;

// Reads every buffer from standard input, runs the kernels in order, writes every buffer out again.
std::string driver(const Program& program, const CpuObject& object) {
  std::string declarations, buffers, calls;
  for (size_t i = 0; i < object.kernels.size(); ++i) {
    declarations += fmt::format("void {}(void* const*, int64_t, int64_t);\n", object.kernels[i]);
    calls += fmt::format("  {}(b, 0, {});\n", object.kernels[i], object.parallel_extents[i]);
  }
  for (const Buffer& buffer : program.buffers) {
    buffers += fmt::format("{}, ", storage_elements(buffer.layout));
  }
  const size_t n = program.buffers.size();
  return fmt::format(
      "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n{0}"
      "int main(void) {{\n  static const size_t sizes[] = {{{1}}};\n  void* b[{2}];\n"
      "  for (int i = 0; i < {2}; ++i) {{\n"
      "    b[i] = aligned_alloc(64, (4 * sizes[i] + 63) / 64 * 64);\n"
      "    if (fread(b[i], 4, sizes[i], stdin) != sizes[i]) return 1;\n  }}\n"
      "{3}  for (int i = 0; i < {2}; ++i) fwrite(b[i], 4, sizes[i], stdout);\n  return 0;\n}}\n",
      declarations, buffers, n, calls);
}

class CrossBuild : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_program_there("qemu-aarch64-static") || !is_program_there("aarch64-linux-gnu-gcc")) {
      GTEST_SKIP() << "needs qemu-aarch64-static and aarch64-linux-gnu-gcc";
    }
    folder_ = fs::path(::testing::TempDir()) / fmt::format("dovetail_cross_{}", getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  void expect_same_as_interpreter(std::string_view text) {
    for (const char* arch : {"cortex-a55", "cortex-a76", "neoverse-n1", "neoverse-v1"}) {
      SCOPED_TRACE(arch);
      const TargetName name = *parse_target_name(fmt::format("cpu:arch={}", arch));
      expect_same_as_interpreter(text, *cpu_target(name));
    }
  }

 private:
  void expect_same_as_interpreter(std::string_view text, const Target& target) {
    const Program program = program_of(text);
    const CpuObject object = *compile_cpu(program, target);
    Storage expected = small_integers(program, 3);
    std::ofstream(folder_ / "kernels.o", std::ios::binary) << object.bytes;
    std::ofstream(folder_ / "driver.c") << driver(program, object);
    std::ofstream in(folder_ / "in", std::ios::binary);
    for (const Buffer& buffer : program.buffers) {
      const std::vector<float>& values = expected[buffer.name];
      in.write(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    }
    in.close();
    const std::string command = fmt::format(
        "cd {} && aarch64-linux-gnu-gcc -static driver.c kernels.o -o run && "
        "qemu-aarch64-static ./run < in > out",
        folder_.string());
    ASSERT_EQ(std::system(command.c_str()), 0);
    ASSERT_TRUE(interpret(program, expected).has_value());
    std::ifstream out(folder_ / "out", std::ios::binary);
    for (const Buffer& buffer : program.buffers) {
      std::vector<float> found(expected[buffer.name].size());
      out.read(reinterpret_cast<char*>(found.data()), found.size() * sizeof(float));
      ASSERT_TRUE(out.good());
      EXPECT_TRUE(std::equal(found.begin(), found.end(), expected[buffer.name].begin(),
                             [](float a, float b) { return a == b || (a != a && b != b); }))
          << buffer.name;
    }
  }

  fs::path folder_;
};

TEST_F(CrossBuild, ConvolutionRunsOnAarch64) { expect_same_as_interpreter(kConvolution); }

TEST_F(CrossBuild, DepthwiseConvolutionRunsOnAarch64) { expect_same_as_interpreter(kDepthwise); }

TEST_F(CrossBuild, MatrixProductRunsOnAarch64) { expect_same_as_interpreter(kMatrixProduct); }

TEST_F(CrossBuild, LaneBoundsRunOnAarch64) {
  expect_same_as_interpreter(
      "buffer x: f32 activation x[i=20] as [i@1:20]\n"
      "buffer y: f32 output y[i=20] as [i@1:20]\n"
      "kernel k\n"
      " for i in 0..20 vectorized\n"
      "  y[i] = (0 <= i - 3 < 11) ? max(x[i - 3], 1) : 7\n");
}

}  // namespace
}  // namespace dovetail::testing
