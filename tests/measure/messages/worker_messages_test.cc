// SPDX-License-Identifier: Apache-2.0
#include "measure/messages/worker_messages.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

Executable sample() {
  Executable made;
  made.buffers = {{.name = "X", .type = ElementType::f16, .shape = {2, 4, 4}},
                  {.name = "W", .shape = {2, 3, 4}, .scope = MemoryScope::texture_weight}};
  made.code = {.form = CodeForm::driver_binary,
               .objects = {std::string("\x7f"
                                       "ELF\0\xff",
                                       6),
                           "", "of another kernel"},
               .launches = {{.name = "pad_X", .extent = 16},
                            {.name = "c2d", .global = {448, 1, 2}, .buffers = {0, 2}}}};
  made.preparing_launches = 1;
  return made;
}

TEST(Messages, SurviveAFrame) {
  const BuildRequest build{.trial = 17, .target = "name=cpu\n", .program = "kernel c2d\n"};
  EXPECT_EQ(*decode<BuildRequest>(encode(build)), build);
  const BuildReply built{
      .status = Status::build_error, .reason = "no", .seconds = 0.25, .executable = sample()};
  EXPECT_EQ(*decode<BuildReply>(encode(built)), built);
  const RunRequest run{
      .trial = 3,
      .load = true,
      .arena = 1,
      .plan = {.places = {{4096, 64, BufferRole::prepared}, {8256, 96, BufferRole::output}},
               .bytes = 16384},
      .executable = sample()};
  EXPECT_EQ(*decode<RunRequest>(encode(run)), run);
  const RunReply ran{.status = Status::device_limit, .reason = "images", .seconds = 1e-3};
  EXPECT_EQ(*decode<RunReply>(encode(ran)), ran);
  const TimeRequest time{.rule = {.budget_seconds = 0.25, .best_seconds = 1e-3},
                         .caches = Caches::network_l3};
  EXPECT_EQ(*decode<TimeRequest>(encode(time)), time);
  const TimeReply timed{.status = Status::ok, .reason = "", .samples = {1e-3, 1.1e-3}};
  EXPECT_EQ(*decode<TimeReply>(encode(timed)), timed);
  EXPECT_EQ(*decode<PeakRequest>(encode(PeakRequest{.bandwidth = true})),
            PeakRequest{.bandwidth = true});
  const PeakReply peaked{.fma_gflops = 288.5, .l1_bytes_per_second = 5e11};
  EXPECT_EQ(*decode<PeakReply>(encode(peaked)), peaked);
}

TEST(Messages, FailForAnotherTypeOrAMissingField) {
  EXPECT_ERROR(decode<RunReply>(encode(PeakReply{})), "expected a frame of type ran");
  EXPECT_ERROR(decode<RunReply>({R"({"type":"ran","status":"ok"})", {}}), "field reason");
  EXPECT_ERROR(decode<RunReply>({R"({"type":"ran","status":"fine","reason":"","seconds":1})", {}}),
               "fine");
  EXPECT_ERROR(
      decode<TimeReply>({R"({"type":"timed","status":"ok","reason":"","samples":["x"]})", {}}),
      "field samples");
  EXPECT_ERROR(decode<RunReply>({"[1]", {}}), "not a JSON object");
  EXPECT_ERROR(type_of({"{}", {}}), "field type");
}

TEST(Messages, FailForABufferOutsideItsArena) {
  RunRequest run{.load = false,
                 .plan = {.places = {{4096, 4097, BufferRole::output}}, .bytes = 8192}};
  EXPECT_ERROR(decode<RunRequest>(encode(run)), "leaves an arena of 8192 bytes");
  run.plan.places = {{UINT64_MAX, 2, BufferRole::output}};
  EXPECT_ERROR(decode<RunRequest>(encode(run)), "leaves an arena");
}

TEST(Messages, ReasonsNeedNotBeText) {
  const RunReply ran{.status = Status::run_error, .reason = "bad \xff byte", .seconds = 0};
  const auto again = decode<RunReply>(encode(ran));
  ASSERT_TRUE(again);
  EXPECT_NE(again->reason.find("bad"), std::string::npos);
}

}  // namespace
}  // namespace dovetail
