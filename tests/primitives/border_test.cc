// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/border.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/layout/restate.h"
#include "core/ir/region/task_spec.h"
#include "primitives/apply.h"
#include "primitives/loop/caching.h"
#include "primitives/lowering/lower.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/odd_specs.h"
#include "tests/primitives/random/random_traces.h"
#include "tests/support/expect_error.h"
#include "tests/support/gather_map.h"
#include "tests/support/golden.h"
#include "tests/support/interpreter.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::computes;
using testing::cpu;
using testing::operator_of;
using testing::right;

constexpr const char* kBorderSpec = "c2d:ci=8,co=8,h=5,w=6,k=3";
constexpr const char* kPadded = "c2d:ci=8,co=8,h=5,w=6,k=3,p=1";
constexpr const char* kBlocked =
    "layout X: split(axis=i, factor=4) reorder(n, i.0, h, w, i.1)\n"
    "layout Y: split(axis=o, factor=4) reorder(n, o.0, h, w, o.1)\n";

Result<Program> lowered_with(const Operator& op, const Trace& trace, const Border& border,
                             const Target& target = cpu()) {
  const Region region = region_of(op);
  return lower(TRY(apply(trace, region, border, target)), target);
}

Border framework(const Operator& op) { return framework_border(region_of(op)); }

Result<Program> in_framework_layouts(const char* spec, const char* trace,
                                     const Target& target = cpu()) {
  const Operator op = operator_of(spec);
  return lowered_with(op, right(parse_trace(trace)), framework(op), target);
}

bool is_plain(const Buffer& buffer) {
  return normal_form(buffer.layout) == row_major_form(buffer.layout.logical);
}

::testing::AssertionResult is_right_and_row_major(const Operator& op, const Trace& trace,
                                                  const Program& program) {
  const Result<void> verdict = verify(program);
  if (!verdict) return ::testing::AssertionFailure() << verdict.error().message << print(program);
  for (const Buffer& buffer : program.buffers) {
    const bool crosses = buffer.role == BufferRole::activation || buffer.role == BufferRole::output;
    if (crosses && !is_plain(buffer))
      return ::testing::AssertionFailure() << buffer.name << " is not in framework layout";
  }
  return computes(op, trace, program) << print(program);
}

::testing::AssertionResult is_right_and_row_major(const char* spec, const char* trace) {
  const Result<Program> program = in_framework_layouts(spec, trace);
  if (!program) return ::testing::AssertionFailure() << program.error().message;
  return is_right_and_row_major(operator_of(spec), right(parse_trace(trace)), *program);
}

// Texels of four channels, and rows of a framework's tensor: neighbours in the one are a plane
// apart in the other. So every network is read that a search tuned with textures.
TEST(FrameworkBorder, IsGatheredIntoTexels) {
  const Target device = testing::opencl_with_images();
  for (const char* spec : {"c2d:ci=8,co=8,h=5,w=6,k=3", "c2d:ci=8,co=8,h=5,w=6,k=1",
                           "c2d:ci=6,co=8,h=5,w=6,k=3,p=1"}) {
    const Operator op = operator_of(spec);
    const Space space = testing::space_of(spec, device);
    std::mt19937_64 random(1);
    int of_images = 0;
    for (int i = 0; i < 200; ++i) {
      const Trace trace = space.decode(space.sample(random));
      const std::string text = print(trace);
      const size_t input = text.find("layout X");
      const bool is_image =
          input != text.npos &&
          text.substr(input, text.find('\n', input) - input).find("texture") != text.npos;
      if (!is_image || !lowered_with(op, trace, {}, device)) continue;
      const Result<Program> program = lowered_with(op, trace, framework(op), device);
      ASSERT_TRUE(program) << program.error().message << "\n" << text;
      EXPECT_TRUE(is_right_and_row_major(op, trace, *program)) << text;
      ++of_images;
    }
    EXPECT_GT(of_images, 0) << spec;
  }
}

TEST(FrameworkBorder, IsConvertedBeforeAndAfter) {
  const auto program = in_framework_layouts(kBorderSpec, kBlocked);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/framework_border");
  EXPECT_TRUE(is_right_and_row_major(kBorderSpec, kBlocked));
}

TEST(FrameworkBorder, IsReadByThePaddingPassItself) {
  const char* padded =
      "layout X: split(axis=i, factor=4) pad(axis=h, before=1, after=1)"
      " pad(axis=w, before=1, after=1) reorder(n, i.0, h, w, i.1)\n";
  const auto program = in_framework_layouts(kPadded, padded);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->kernels.size(), 2U) << print(*program);
  EXPECT_TRUE(is_right_and_row_major(kPadded, padded));
}

TEST(FrameworkBorder, CostsNothingWhereTheTraceKeepsIt) {
  const Operator op = operator_of(kBorderSpec);
  const Trace split = right(parse_trace("layout X: split(axis=i, factor=4)\n"));
  const Program free = right(lowered_with(op, split, {}));
  EXPECT_EQ(print(right(lowered_with(op, split, framework(op)))), print(free));
}

TEST(FrameworkBorder, OfAPaddedOutputLeavesThePaddingOut) {
  EXPECT_TRUE(is_right_and_row_major("c2d:ci=4,co=6,h=5,w=5,k=3",
                                     "layout Y: pad(axis=o, before=0, after=2)"
                                     " split(axis=o, factor=4) reorder(n, o.0, h, w, o.1)\n"));
}

TEST(FrameworkBorder, SurroundsAWinogradAlgorithmToo) {
  EXPECT_TRUE(is_right_and_row_major("c2d:ci=4,co=8,h=6,w=6,k=3,p=1",
                                     "algorithm: winograd(tile=2)\n"
                                     "layout X: reorder(n, h, w, i)\n"
                                     "layout Y: split(axis=h, factor=2) split(axis=w, factor=2)"
                                     " reorder(n, h.0, w.0, h.1, w.1, o)\n"));
}

TEST(FrameworkBorder, GivesRightResultsForRandomTraces) {
  std::mt19937_64 rng(11);
  for (const char* spec : testing::kOddSpecs) {
    const Operator op = operator_of(spec);
    for (int i = 0; i < 4; ++i) {
      const Trace trace = testing::random_trace(op, cpu(4, 16), rng);
      const auto program = lowered_with(op, trace, framework(op), cpu(4, 16));
      if (!program) continue;
      EXPECT_TRUE(is_right_and_row_major(op, trace, *program)) << print(trace);
    }
  }
}

Border border_of(const Operator& op, const std::string& text) {
  return right(parse_border(text, region_of(op)), text);
}

std::vector<std::string> kernels_of(const Program& program) {
  std::vector<std::string> names;
  for (const Kernel& kernel : program.kernels) names.push_back(kernel.name);
  return names;
}

// The border that a network states where a trace's layouts have padding.
Border without_padding_of(const Program& program) {
  Border border;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.role != BufferRole::activation && buffer.role != BufferRole::output) continue;
    const auto form = without_padding(normal_form(buffer.layout), buffer.layout.logical);
    if (form) border.tensors.push_back({.tensor = buffer.tensor, .layout = *form});
  }
  return border;
}

// A kernel that leaves padding out takes longer there than many kernels of a network.
TEST(Border, WithoutPaddingTakesNoKernelOfADevice) {
  const Operator op = operator_of("c2d:ci=8,co=8,h=5,w=6,k=1+bias+add");
  const Trace trace =
      right(parse_trace("layout X: reorder(n, h, w, i)\nlayout W: reorder(kh, kw, i, o)\n"
                        "layout Y: split(axis=o, factor=4) pad(axis=w, before=0, after=2)"
                        " reorder(n, h, w, o.0, o.1)\n"
                        "loops: split(loop=w, factor=4) ; reorder(h, w.0, o.0, i, w.1, o.1) ; "
                        "unroll(w.1) ; vectorize(o.1) ; bind(h, group.1) ; bind(w.0, group.0) ; "
                        "bind(o.0, thread.0) ; cache_write(tensor=Y, at=o.0)\n"));
  const Border border =
      border_of(op, "X as 2@1:5 3@1:6 1@1:8; add as 2@1:5 3@1:6 1@1:8; Y as 2@1:5 3@1:6 1@1:8");
  const Program program = right(lowered_with(op, trace, border, testing::opencl_with_images()));
  EXPECT_EQ(kernels_of(program), std::vector<std::string>{"c2d"});
  EXPECT_TRUE(testing::matches_golden(print(program), "primitives/cropped_stores"));
  ASSERT_TRUE(verify(program)) << verify(program).error().message;
  EXPECT_TRUE(computes(op, program));
  const Program on_threads =
      right(lowered_with(op,
                         right(parse_trace("layout X: reorder(n, h, w, i)\n"
                                           "layout Y: pad(axis=w, before=0, after=2)"
                                           " reorder(n, h, w, o)\n")),
                         border));
  EXPECT_EQ(kernels_of(on_threads), (std::vector<std::string>{"pad_add", "c2d", "unpack_Y"}))
      << "which have vectors of whole tiles instead";
}

TEST(Border, WithoutPaddingGivesRightResultsOnADevice) {
  const Target device = testing::opencl_with_images();
  std::mt19937_64 rng(12);
  int cropped = 0;
  for (const char* spec : testing::kOddSpecs) {
    const Operator op = operator_of(spec);
    const Space space = testing::space_of(spec, device);
    for (int i = 0; i < 12; ++i) {
      const Trace trace = space.decode(space.sample(rng));
      const auto padded = lowered_with(op, trace, {}, device);
      if (!padded) continue;
      const auto program = lowered_with(op, trace, without_padding_of(*padded), device);
      if (!program) continue;
      ASSERT_TRUE(verify(*program)) << verify(*program).error().message << print(*program);
      EXPECT_TRUE(computes(op, trace, *program)) << print(trace) << print(*program);
      cropped += print(*program).find("Y.there") == std::string::npos ? 0 : 1;
    }
  }
  EXPECT_GT(cropped, 5) << "or the test shows nothing";
}

// Fills of local memory read any layout, which takes no kernel.
TEST(Border, OfACopyInLocalMemoryIsReadAsItIs) {
  const Target device = testing::target_of_profile("h200.profile");
  for (const auto& [spec, given] :
       {std::pair("gmm:m=128,n=128,k=64", "X as 2@1:64 1@1:128"),
        std::pair("gmm:b=2,m=64,n=64,k=64,b_const=0",
                  "X as 1@1:64 0@1:2 2@1:64; W as 0@1:2 "
                  "2@1:64 1@1:64"),
        std::pair("c2d:ci=3,co=16,h=16,w=16,k=3,p=1+bias", "X as 1@1:3 2@1:16 3@1:16")}) {
    const Operator op = operator_of(spec);
    const Trace trace = testing::space_of(spec, device).default_trace();
    ASSERT_TRUE(is_copied_to_local(trace, "X")) << print(trace);
    const Program program = right(lowered_with(op, trace, border_of(op, given), device), spec);
    EXPECT_EQ(program.kernels.size(), 1U) << print(program);
    ASSERT_TRUE(verify(program)) << verify(program).error().message;
    EXPECT_TRUE(computes(op, trace, program)) << print(program);
  }
}

constexpr const char* kPaddedBlocks = "X as 1@4:2 2@1:7 3@1:8 1@1:4 offset 2=-1 3=-1";
constexpr const char* kPaddedX =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)"
    " split(axis=i, factor=4) reorder(n, i.0, h, w, i.1)\n";

// A tensor that its producer wrote with zeros around needs no pass; with anything else around, it
// does.
TEST(Border, OfPaddingIsTrustedOnlyForWhatItSays) {
  const Operator op = operator_of(kPadded);
  const Trace trace = right(parse_trace(kPaddedX));
  const auto kernels = [&](const std::string& border) {
    const Program program = right(lowered_with(op, trace, border_of(op, border)));
    EXPECT_TRUE(verify(program)) << print(program);
    return kernels_of(program);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(kernels(std::string(kPaddedBlocks) + " outside 0"), Names({"c2d"}));
  EXPECT_EQ(kernels(kPaddedBlocks), Names({"pad_X", "c2d"}));
  EXPECT_EQ(kernels(std::string(kPaddedBlocks) + " outside -inf"), Names({"pad_X", "c2d"}));
}

// The program runs on ones: every place of the output is written, and those beyond its elements
// hold 0.
::testing::AssertionResult stores_zeros_around(const Program& program) {
  Storage storage;
  for (const Buffer& buffer : program.buffers)
    storage[buffer.name].assign(static_cast<size_t>(storage_elements(buffer.layout)), 1);
  const Result<void> ran = interpret(program, storage);
  if (!ran) return ::testing::AssertionFailure() << ran.error().message;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.role != BufferRole::output) continue;
    const std::vector<int64_t> map = gather_map(buffer.layout);
    for (size_t k = 0; k < map.size(); ++k) {
      const float found = storage[buffer.name][k];
      if (map[k] < 0 ? found != 0 : found <= 1)
        return ::testing::AssertionFailure() << found << " at place " << k;
    }
  }
  return ::testing::AssertionSuccess();
}

// A producer writes its consumer's zeros, whatever its result would be there.
TEST(Border, OfAnOutputSaysWhatIsStoredAroundIt) {
  const Operator op = operator_of("c2d:ci=4,co=4,h=5,w=6,k=1+bias");
  const Border border = border_of(op, "Y as 1@1:4 2@1:7 3@1:8 offset 2=-1 3=-1 outside 0");
  for (const char* trace :
       {"", "layout Y: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)\n"}) {
    const Program program = right(lowered_with(op, right(parse_trace(trace)), border));
    ASSERT_TRUE(verify(program)) << verify(program).error().message << print(program);
    EXPECT_TRUE(computes(op, program)) << print(program);
    EXPECT_TRUE(stores_zeros_around(program)) << print(program);
  }
}

TEST(Border, PrintsAndParses) {
  const Operator op = operator_of(kPadded);
  const Region region = region_of(op);
  const std::string text = std::string(kPaddedBlocks) + " outside 0; Y as row_major";
  EXPECT_EQ(print(border_of(op, text), region), text);
  EXPECT_EQ(print(border_of(op, "Y as row_major; X as row_major"), region),
            "X as row_major; Y as row_major");
  EXPECT_EQ(print(framework_border(region), region), "X as row_major; Y as row_major");
}

TEST(TaskSpec, HasItsBorderBehindABar) {
  const std::string text = "c2d:ci=8,co=8,h=5,w=6,k=3 | X as row_major; Y as row_major";
  const TaskSpec spec = right(parse_task_spec(text));
  const Region region = region_of(operator_of(kBorderSpec));
  EXPECT_EQ(spec, TaskSpec(region, framework_border(region)));
  EXPECT_EQ(print(spec), text);
  EXPECT_EQ(print(right(parse_task_spec(kBorderSpec))), kBorderSpec);
  EXPECT_ERROR(parse_task_spec("c2d:ci=8,co=8,h=5,w=6,k=3 |"), "expected a tensor");
  EXPECT_ERROR(parse_task_spec("| X as row_major"), "spec");
}

TEST(Border, RefusesWhatDoesNotCrossIt) {
  const Region region = region_of(operator_of(kPadded));
  EXPECT_ERROR(parse_border("W as row_major", region), "W does not cross the border");
  EXPECT_ERROR(parse_border("X as row_major; X as row_major", region), "X is given twice");
  EXPECT_ERROR(parse_border("X as 1@1:8", region), "has no place");
  EXPECT_ERROR(parse_border("X plain", region), "as");
}

}  // namespace
}  // namespace dovetail
