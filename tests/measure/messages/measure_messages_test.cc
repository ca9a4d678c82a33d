// SPDX-License-Identifier: Apache-2.0
#include "measure/messages/measure_messages.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/ir/region/region_text.h"
#include "tests/measure/candidates.h"
#include "tests/primitives/random/random_specs.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double any_seconds() { return std::abs(*rc::gen::arbitrary<int>()) / 997.0; }

// A small program is as good as any other: it travels as text.
MeasureInput any_input() {
  MeasureInput input = testing::small_candidate(*rc::gen::inRange<int64_t>(1, 1'000'000),
                                                testing::host_target("cpu:threads=1"));
  std::mt19937_64 random(*rc::gen::arbitrary<uint64_t>());
  if (*rc::gen::arbitrary<bool>())
    input.spec = right(parse_task_spec(testing::random_spec(random)));
  input.seed = *rc::gen::arbitrary<uint64_t>();
  input.best_seconds = any_seconds();
  input.purpose =
      *rc::gen::element(Purpose::trial, Purpose::remeasure, Purpose::confirm, Purpose::retime);
  return input;
}

RC_GTEST_PROP(MeasureMessagesLaw, ARequestIsReadAsItWasWritten, ()) {
  MeasureInput input = any_input();
  const Program program = std::exchange(input.program, {});
  const MeasureRequest request{.input = input,
                               .own_operands = *rc::gen::arbitrary<bool>(),
                               .work = {any_seconds(), *rc::gen::inRange<int64_t>(0, 1 << 30)},
                               .program_key = *rc::gen::arbitrary<uint64_t>(),
                               .program = print(program)};
  const Result<MeasureRequest> read = decode<MeasureRequest>(encode(request));
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == request);
  RC_ASSERT(right(parse_program(read->program)) == program);
}

RC_GTEST_PROP(MeasureMessagesLaw, AReplyIsReadAsItWasWritten, ()) {
  MeasureReply reply{.peak_gflops = any_seconds(), .warnings = {"the clock moved", ""}};
  MeasureResult& result = reply.result;
  result.status = *rc::gen::elementOf(std::vector(kStatuses.begin(), kStatuses.end()));
  result.reason = "Y[0] is inf, expected 1";
  result.seconds = any_seconds();
  result.samples = {any_seconds(), any_seconds()};
  result.max_abs_error = *rc::gen::element(0.0, kInfinity);
  result.max_rel_error = any_seconds();
  if (*rc::gen::arbitrary<bool>()) result.range_error = any_seconds();
  result.workspace_bytes = *rc::gen::inRange<int64_t>(0, int64_t{1} << 40);
  result.times.build_seconds = any_seconds();
  result.times.run_seconds = any_seconds();
  result.times.check_seconds = any_seconds();
  result.no_device = *rc::gen::arbitrary<bool>();
  const Result<MeasureReply> read = decode<MeasureReply>(encode(reply));
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == reply);
}

TEST(MeasureMessages, ASpecKeepsTheNamesOfItsProgram) {
  MeasureRequest request{.input = testing::small_candidate(1, testing::host_target())};
  request.input.program = {};
  request.input.spec = right(parse_region("Q[n,m]=P[n,m]+P[n,m]:n=4,m=8"));
  EXPECT_EQ(right(decode<MeasureRequest>(encode(request))), request);
}

TEST(MeasureMessages, RulesOfMeasuringSurvive) {
  MeasureOptions options;
  options.timing.budget_seconds = 0.25;
  options.thorough_timing.least_samples = 77;
  options.caches = Caches::network_memory;
  options.builders = 3;
  const Frame frame = encode(BeginRequest{.options = options});
  const MeasureOptions read = right(decode<BeginRequest>(frame)).options;
  EXPECT_EQ(read.timing, options.timing);
  EXPECT_EQ(read.thorough_timing, options.thorough_timing);
  EXPECT_EQ(read.caches, options.caches);
  EXPECT_EQ(encode(BeginRequest{.options = read}), frame);
}

TEST(MeasureMessages, OperandsKeepTheirTypesAndShapes) {
  NamedArrays inputs;
  inputs["X"] = NDArray(ElementType::f32, {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
  inputs["one"] = NDArray(ElementType::u8, {}, std::vector<uint8_t>{7});
  const RegionOperands message = operands_message(inputs);
  EXPECT_EQ(message.bytes.size(), 25u);
  const NamedArrays read = right(inputs_of(right(decode<RegionOperands>(encode(message)))));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read.at("X").shape(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(ArrayView(read.at("X")).real(5), 6);
  EXPECT_EQ(ArrayView(read.at("one")).integer(0), 7);
}

TEST(MeasureMessages, OperandsThatExceedTheirBytesAreRefused) {
  RegionOperands message{.tensors = {{"X", ElementType::f32, {2, 3}}},
                         .bytes = std::vector<std::byte>(23)};
  EXPECT_ERROR(inputs_of(message), "operand X exceeds the 23 bytes");
  message.tensors[0].shape = {int64_t{1} << 62, int64_t{1} << 62};
  EXPECT_ERROR(inputs_of(message), "operand X exceeds");
  message.tensors[0].shape = {-1};
  EXPECT_ERROR(inputs_of(message), "operand X exceeds");
}

TEST(MeasureMessages, ACandidateIsCheckedOnIntegersAndIfConfirmedOnRealNumbersToo) {
  MeasureInput input = testing::small_candidate(1, testing::host_target());
  using Kinds = std::vector<DataKind>;
  EXPECT_EQ(data_kinds_of(input), Kinds{DataKind::small_integers});
  input.purpose = Purpose::confirm;
  EXPECT_EQ(data_kinds_of(input), (Kinds{DataKind::small_integers, DataKind::real}));
  input.trace.algorithm = algorithm::Winograd{.tile = 2};
  EXPECT_EQ(data_kinds_of(input), Kinds{DataKind::real});
}

}  // namespace
}  // namespace dovetail
