// SPDX-License-Identifier: Apache-2.0
#include "measure/check/output_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/measure/candidates.h"
#include "tests/support/expect_error.h"
#include "tests/support/interpreter.h"

namespace dovetail {
namespace {

using testing::kSmallSpec;
using testing::kSmallTrace;
using testing::operator_of;

std::span<float> floats(std::span<std::byte> arena, const BufferPlace& place) {
  return {reinterpret_cast<float*>(arena.data() + place.offset), place.bytes / sizeof(float)};
}

// Runs a program on the interpreter, in an arena as the run worker would, and checks it.
OutputCheck run_and_check(const Operator& op, const Program& program, DataKind kind) {
  const auto data = CheckData::make(region_of(op), kind, 0);
  const ArenaPlan plan = plan_arena(program);
  std::vector<std::byte> bytes(plan.bytes);
  const auto filled = fill_inputs(data->inputs, program, plan, bytes);
  CHECK(filled.has_value(), filled ? "" : filled.error().message);
  Storage storage;
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const auto values = floats(bytes, plan.places[b]);
    if (program.buffers[b].role != BufferRole::temporary) {
      storage[program.buffers[b].name].assign(values.begin(), values.end());
    }
  }
  const auto done = interpret(program, storage);
  CHECK(done.has_value(), done ? "" : done.error().message);
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    std::ranges::copy(storage[program.buffers[b].name], floats(bytes, plan.places[b]).begin());
  }
  return check_output(*data, program, plan, bytes);
}

// The small candidate's program, with `from` (which must be there) replaced once.
Program mutated(const std::string& from, const std::string& to) {
  const Target target = testing::host_target();
  std::string text = print(testing::program_of(operator_of(kSmallSpec), kSmallTrace, target));
  const size_t at = text.rfind(from);
  CHECK(at != std::string::npos, "no " + from + " in\n" + text);
  text.replace(at, from.size(), to);
  const auto program = parse_program(text);
  CHECK(program.has_value(), program ? "" : program.error().message);
  return *program;
}

OutputCheck check_mutated(const std::string& from, const std::string& to) {
  return run_and_check(operator_of(kSmallSpec), mutated(from, to), DataKind::small_integers);
}

TEST(OutputCheck, ARightProgramIsExact) {
  const OutputCheck check = check_mutated("kernel", "kernel");
  EXPECT_EQ(check.status, Status::ok) << check.reason;
  EXPECT_EQ(check.max_abs_error, 0);
}

TEST(OutputCheck, ARightProgramIsCloseOnRealData) {
  const OutputCheck check =
      run_and_check(operator_of(kSmallSpec), mutated("kernel", "kernel"), DataKind::real);
  EXPECT_EQ(check.status, Status::ok) << check.reason;
  EXPECT_GT(check.max_abs_error, 0);
  EXPECT_LT(check.max_rel_error, 1e-6);
}

TEST(OutputCheck, CatchesADroppedTap) {
  const OutputCheck check = check_mutated("for kw in 0..3", "for kw in 0..2");
  EXPECT_EQ(check.status, Status::wrong_output);
  EXPECT_NE(check.reason.find("Y[0, 0, 0, 0] is"), std::string::npos) << check.reason;
}

TEST(OutputCheck, CatchesOneDroppedTapOfOneChannelInRealData) {
  const Program program = mutated("X.pad[0, 0, h + kh, kw + 7*w.0 + w.1, i] *",
                                  "((0 <= i + kh + kw < 19) ? X.pad[0, 0, h + kh, kw + 7*w.0 + "
                                  "w.1, i] : 0) *");  // all but the last
  EXPECT_EQ(run_and_check(operator_of(kSmallSpec), program, DataKind::real).status,
            Status::wrong_output);
  EXPECT_EQ(run_and_check(operator_of(kSmallSpec), program, DataKind::small_integers).status,
            Status::wrong_output);
}

TEST(OutputCheck, CatchesAStaleRow) {
  // The last row is never stored.
  const OutputCheck check = check_mutated("for h in 0..14", "for h in 0..13");
  EXPECT_EQ(check.status, Status::wrong_output);
  EXPECT_NE(check.reason.find("is NaN"), std::string::npos) << check.reason;
  EXPECT_NE(check.reason.find("448 of 6272 elements"), std::string::npos) << check.reason;
}

TEST(OutputCheck, CatchesARowOfAnotherIteration) {
  EXPECT_EQ(check_mutated("X.pad[0, 0, h + kh,", "X.pad[0, 0, kh,").status, Status::wrong_output);
}

TEST(OutputCheck, CatchesSwappedLanes) {
  EXPECT_EQ(check_mutated("= acc[w.1, o.1]", "= acc[w.1, 15 - o.1]").status, Status::wrong_output);
}

TEST(OutputCheck, CatchesAMissingInitialisation) {
  EXPECT_EQ(check_mutated("acc[w.1, o.1] = 0", "acc[w.1, o.1] = 1").status, Status::wrong_output);
}

TEST(OutputCheck, CatchesANarrowPadding) {
  EXPECT_EQ(check_mutated("0 <= h - 1 < 14", "0 <= h - 1 < 13").status, Status::wrong_output);
}

TEST(OutputCheck, CatchesAWrongRoundingEpilogue) {
  for (const std::string name : {"gelu", "silu", "sigmoid", "tanh"}) {
    const Operator op = operator_of("c2d:ci=8,co=4,h=5,w=5,k=3,p=1+" + name);
    const Program right = testing::program_of(op, "", testing::host_target());
    EXPECT_EQ(run_and_check(op, right, DataKind::small_integers).status, Status::ok) << name;
    std::string text = print(right);
    const size_t at = text.find("kw in 0..3");
    text.replace(at, 10, "kw in 0..2");
    EXPECT_EQ(run_and_check(op, *parse_program(text), DataKind::small_integers).status,
              Status::wrong_output)
        << name;
  }
}

TEST(OutputCheck, IgnoresWhatLiesInTheOutputsOwnPadding) {
  // Five output channels in a tile of sixteen: eleven are computed and belong to nobody.
  const Operator op = operator_of("c2d:ci=3,co=5,h=7,w=7,k=3,p=1+bias");
  const std::string trace =
      "layout W: pad(axis=o, before=0, after=11) reorder(i, kh, kw, o)\n"
      "layout bias: pad(axis=o, before=0, after=11)\n"
      "layout Y: pad(axis=o, before=0, after=11) reorder(n, h, w, o)\n"
      "loops: reorder(n, h, w, i, kh, kw, o) ; vectorize(o)\n";
  const auto trace_parsed = parse_trace(trace);
  ASSERT_TRUE(trace_parsed) << trace_parsed.error().message;
  const Program program = testing::program_of(op, trace, testing::host_target());
  const OutputCheck check = run_and_check(op, program, DataKind::small_integers);
  EXPECT_EQ(check.status, Status::ok) << check.reason;
}

TEST(OutputCheck, FailsForABufferThatIsNoOperand) {
  const Program program = mutated("buffer W: f32 constant W[", "buffer W: f32 constant V[");
  const auto data =
      CheckData::make(region_of(operator_of(kSmallSpec)), DataKind::small_integers, 0);
  const ArenaPlan plan = plan_arena(program);
  std::vector<std::byte> bytes(plan.bytes);
  EXPECT_ERROR(fill_inputs(data->inputs, program, plan, bytes), "tensor V is not given");
  const Region other = region_of(operator_of("c2d:ci=16,co=32,h=15,w=14,k=3,p=1"));
  EXPECT_ERROR(fill_inputs(make_inputs(other, DataKind::small_integers, 0),
                           mutated("kernel", "kernel"), plan, bytes),
               "tensor X has 3360 elements, expected 3136");
}

Reference one(double value, double error) {
  return {.values = std::vector<double>{value, 0},
          .scale = {2},
          .epilogue_scale = {},
          .errors = {error, error}};
}

OutputCheck compared(float found, const Reference& expected) {
  return compare_output("Y", std::vector<int64_t>{1, 2}, std::vector<float>{found, 0}, expected,
                        {});
}

TEST(CompareOutput, NamesTheFirstElementThatIsWrong) {
  const OutputCheck check = compared(12, one(14, 0.5));
  EXPECT_EQ(check.reason, "Y[0, 0] is 12, expected 14 to within 0.5; 1 of 2 elements are wrong");
  EXPECT_EQ(check.max_abs_error, 2);
  EXPECT_EQ(check.max_rel_error, 1);
}

TEST(CompareOutput, AcceptsWhatIsWithinTheBound) {
  const OutputCheck check = compared(13.5, one(14, 0.5));
  EXPECT_EQ(check.status, Status::ok);
  EXPECT_EQ(check.max_abs_error, 0.5);
}

TEST(CompareOutput, CountsANumberThatIsNoneAsInfinitelyWrong) {
  const OutputCheck check = compared(std::nanf(""), one(14, 0.5));
  EXPECT_EQ(check.status, Status::wrong_output);
  EXPECT_TRUE(std::isinf(check.max_abs_error));
}

TEST(CompareOutput, AcceptsInfinityWhereItIsExpected) {
  EXPECT_EQ(compared(INFINITY, one(INFINITY, 0)).status, Status::ok);
  EXPECT_EQ(compared(INFINITY, one(INFINITY, 0)).max_abs_error, 0);
  EXPECT_EQ(compared(-INFINITY, one(INFINITY, 0)).status, Status::wrong_output);
}

TEST(OutputComparison, OfPartsIsThatOfTheWhole) {
  const std::vector<int64_t> shape = {2, 2};
  const std::vector<float> found = {14, 0, 14, 12};
  OutputComparison comparison("Y", shape, found, {});
  comparison.add(0, one(14, 0.5));
  comparison.add(2, NDArray{14, 14});
  EXPECT_EQ(comparison.result().status, Status::wrong_output);
  EXPECT_EQ(comparison.result().reason, "Y[1, 1] is 12, expected 14; 1 of 4 elements are wrong");
  EXPECT_EQ(comparison.result().max_abs_error, 2);
}

// Also those that are equal bit by bit, whose elements are not looked at one by one.
TEST(OutputComparison, ItsRangeIsThatOfAllParts) {
  const std::vector<float> found = {14, -6, NAN, 12};
  OutputComparison comparison("Y", std::vector<int64_t>{2, 2}, found, {});
  comparison.add(0, NDArray(std::vector<float>{14, -6, NAN}));
  EXPECT_EQ(comparison.result().status, Status::ok);
  EXPECT_EQ(comparison.result().range_error, 0);
  comparison.add(3, NDArray(std::vector<float>{14}));
  EXPECT_EQ(comparison.result().reason, "Y[1, 1] is 12, expected 14; 1 of 4 elements are wrong");
  EXPECT_EQ(comparison.result().range_error, 2.0 / 20);
}

}  // namespace
}  // namespace dovetail
