// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs on an OpenCL device against the interpreter, bit for bit; and those that read no images
// as compile_ptx emits them, on this CPU (tests/core/codegen/llvm/work_groups_here.h).
//
//   DOVETAIL_REQUIRE_OPENCL();       // skips the test, with the reason, where there is no device
//   EXPECT_DEVICE_AGREES("buffer X: …\nbuffer Y: …\nkernel …");

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "core/runtime/device.h"
#include "tests/core/backends/program_runs.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {

// A device that is not here: 8192 x 8192 images, work-groups of 256. Emitting needs no more.
Target phone_like_target();

// The first OpenCL device, opened once a process; an error where there is none.
Result<Device*> first_device();

bool uses_images(const Program& program);

// Outputs of device and interpreter are the same; when tolerance > 0, within it.
::testing::AssertionResult device_agrees(std::string_view program_text, double tolerance = 0);
::testing::AssertionResult device_agrees(const Program& program, double tolerance = 0);

// The same for the program as compile_ptx emits it.
::testing::AssertionResult agrees_as_ptx(const Program& program, const Target& target,
                                         double tolerance = 0);

}  // namespace dovetail::testing

#define DOVETAIL_REQUIRE_OPENCL()           \
  if (!::dovetail::testing::first_device()) \
  GTEST_SKIP() << ::dovetail::testing::first_device().error().message
#define EXPECT_DEVICE_AGREES(...) EXPECT_TRUE(::dovetail::testing::device_agrees(__VA_ARGS__))
