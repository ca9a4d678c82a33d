// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/build_role.h"

#include <gtest/gtest.h>

#include "core/backends/backends.h"
#include "core/backends/opencl/opencl_targets.h"
#include "core/ir/program/program.h"
#include "tests/measure/candidates.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

constexpr std::string_view kTwoKernels =
    "buffer X: f32 activation X[a=64] as [a@1:64]\n"
    "buffer T: f32 temporary T[a=64] as [a@1:64]\n"
    "buffer Y: f32 output Y[a=64] as [a@1:64]\n"
    "kernel shift\n  for a in 0..64 bind group.0\n    T[a] = X[a] + 1\n"
    "kernel scale\n  for a in 0..64 bind group.0\n    Y[a] = 2 * T[a]\n";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kTwoKernels);
  return text.replace(text.find(from), from.size(), to);
}

class BuildRoleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    prepare_opencl_environment();
    const auto target = resolve_target("opencl");
    if (!target) GTEST_SKIP() << target.error().message;
    target_ = *target;
  }
  BuildReply build(const std::string& program) {
    return role_.build({.target = print(target_), .program = program});
  }

  BuildRole role_;
  Target target_;
};

TEST_F(BuildRoleTest, BuildsTheKernelsOfACandidateApart) {
  const BuildReply first = build(std::string(kTwoKernels));
  ASSERT_EQ(first.status, Status::ok) << first.reason;
  const Code& code = first.executable.code;
  EXPECT_EQ(code.form, CodeForm::driver_binary);
  ASSERT_EQ(code.objects.size(), 2U);
  ASSERT_EQ(code.launches.size(), 2U);
  const BuildReply second = build(with("X[a] + 1", "X[a] + 3"));
  ASSERT_EQ(second.status, Status::ok) << second.reason;
  ASSERT_EQ(second.executable.code.objects.size(), 2U);
  EXPECT_NE(second.executable.code.objects[0], code.objects[0]);
  EXPECT_EQ(second.executable.code.objects[1], code.objects[1]);
}

TEST_F(BuildRoleTest, RefusesAndGoesOn) {
  EXPECT_EQ(build("kernel").status, Status::build_error);
  EXPECT_EQ(role_.build({.target = "name=cpu\n", .program = {}}).status, Status::build_error);
  target_.max_work_group_size = 32;
  const BuildReply large = build(with("bind group.0\n    Y", "bind thread.0\n    Y"));
  EXPECT_EQ(large.status, Status::device_limit);
  EXPECT_NE(large.reason.find("kernel scale"), std::string::npos) << large.reason;
  EXPECT_EQ(build(std::string(kTwoKernels)).status, Status::ok);
}

}  // namespace
}  // namespace dovetail
