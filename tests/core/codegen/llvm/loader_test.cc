// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/loader.h"

#include <gtest/gtest.h>

#include <fstream>

#include <string>
#include <vector>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"
#include "tests/support/expect_error.h"

namespace dovetail::testing {
namespace {

// `void g(void); void f(void) { g(); g(); }` for x86-64, in hexadecimal; z5; is five zero bytes.
constexpr std::string_view kCallsAnother =
    "7f454c46020101z9;01003e0001z19;2001z10;40z5;4000090008004883ec08e8z4;e8z4;4883c408c3z29;01"
    "000000120001z9;13z7;0300000010z20;660067z4;05z7;0400000002000000fcffffffffffffff0az7;04000"
    "00002000000fcffffffffffffff002e73796d746162002e737472746162002e7368737472746162002e72656c6"
    "12e74657874002e64617461002e627373002e6e6f74652e474e552d737461636bz72;200000000100000006z15"
    ";40z7;13z15;01z15;1b0000000400000040z15;a8z7;30z7;060000000100000008z7;18z7;26000000010000"
    "0003z15;53z23;01z15;2c0000000800000003z15;53z23;01z15;3100000001z19;53z23;01z15;0100000002"
    "z19;58z7;48z7;070000000100000008z7;18z7;0900000003z19;a0z7;05z15;01z15;1100000003z19;d8z7;"
    "41z15;01z15;";

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size();) {
    if (hex[i] == 'z') {
      const size_t end = hex.find(';', i);
      bytes.append(std::stoul(std::string(hex.substr(i + 1, end - i - 1))), '\0');
      i = end + 1;
    } else {
      bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
      i += 2;
    }
  }
  return bytes;
}

TEST(LoadedObject, FindsTheKernelsOfItsObject) {
  const CpuObject object = *compile_cpu(program_of(kConvolution), host_cpu());
  const LoadedObject code = *LoadedObject::load(object.bytes);
  for (const std::string& kernel : object.kernels) EXPECT_TRUE(code.find(kernel).has_value());
  EXPECT_ERROR(code.find("dovetail_kernel_2_c2d"), "has no symbol dovetail_kernel_2_c2d");
}

// Under the limit that the worker sets on memory, thousands of candidates must leave nothing
// behind.
TEST(LoadedObject, GivesItsMemoryBack) {
  const CpuObject object = *compile_cpu(program_of(kMatrixProduct), host_cpu());
  const auto mapped_lines = [] {
    std::ifstream maps("/proc/self/maps");
    size_t lines = 0;
    for (std::string line; std::getline(maps, line);) ++lines;
    return lines;
  };
  const size_t before = mapped_lines();
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(LoadedObject::load(object.bytes).has_value());
  EXPECT_LT(mapped_lines(), before + 100);
}

TEST(LoadedObject, StaysCallableWhenMoved) {
  const Program program = program_of(kMatrixProduct);
  const CpuObject object = *compile_cpu(program, host_cpu());
  LoadedObject first = *LoadedObject::load(object.bytes);
  const auto kernel = *first.find(object.kernels[0]);
  const LoadedObject second = std::move(first);
  EXPECT_EQ(*second.find(object.kernels[0]), kernel);
}

TEST(LoadedObject, RefusesWhatIsNoObject) {
  EXPECT_ERROR(LoadedObject::load(""), "0 bytes are no object of kernels");
  EXPECT_ERROR(LoadedObject::load("#!/bin/sh\nexit 1\n"), "17 bytes are no object of kernels");
  const std::string bytes = compile_cpu(program_of(kMatrixProduct), host_cpu())->bytes;
  EXPECT_ERROR(LoadedObject::load(std::string_view(bytes).substr(0, 100)), "object of kernels");
  EXPECT_ERROR(LoadedObject::load(std::string_view(bytes).substr(0, bytes.size() / 2)),
               "object of kernels");
}

TEST(LoadedObject, RefusesTheObjectOfAnotherMachine) {
  const bool host_is_x86 = host_cpu().llvm_triple.starts_with("x86_64");
  const Target other =
      *cpu_target(*parse_target_name(host_is_x86 ? "cpu:arch=cortex-a76" : "cpu:arch=x86-64-v3"));
  const CpuObject object = *compile_cpu(program_of(kMatrixProduct), other);
  EXPECT_ERROR(LoadedObject::load(object.bytes), "object of kernels is for ");
}

TEST(LoadedObject, RefusesAnObjectThatNeedsASymbol) {
  if (!host_cpu().llvm_triple.starts_with("x86_64")) GTEST_SKIP() << "the object is for x86-64";
  EXPECT_ERROR(LoadedObject::load(bytes_of(kCallsAnother)),
               "object of kernels needs symbol g, which it does not define");
}

}  // namespace
}  // namespace dovetail::testing
