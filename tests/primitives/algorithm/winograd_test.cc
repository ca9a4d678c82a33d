// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/winograd.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "measure/check/output_check.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/primitives/lowered.h"
#include "tests/support/computation_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/golden.h"
#include "tests/support/schedule_text.h"

namespace dovetail {
namespace {

using testing::computes_closely;
using testing::cpu;
using testing::lowered;
using testing::opencl_with_images;
using testing::operator_of;

constexpr const char* kSmall = "c1d:ci=4,co=8,w=7,k=3,p=1+bias+relu";

double tolerance(int64_t tile) {
  return tolerance_of(region_of(operator_of(kSmall)), algorithm::Winograd{tile}).sums;
}

// As a trace gives it, layouts of channels in vectors of four.
std::string trace_1d(int64_t tile) {
  const std::string m = std::to_string(tile);
  return "algorithm: winograd(tile=" + m + ")\n" + "layout X: reorder(n, w, i)\n" +
         "layout W.wino: reorder(aw, i, o)\n" + "layout X.wino: reorder(aw, n, tw, i)\n" +
         "layout Y.wino: reorder(aw, n, tw, o)\n" + "layout Y: pad(axis=w, before=0, after=1) " +
         "split(axis=w, factor=" + m + ") reorder(n, w.0, w.1, o)\n" +
         "loops Y.wino: reorder(aw, tw, i, o) ; vectorize(o) ; parallel(aw) ; "
         "cache_write(tensor=Y.wino, at=tw)\n";
}

TEST(Winograd, MakesFourStages) {
  const Schedule schedule =
      *apply(*parse_trace("algorithm: winograd(tile=2)\n"
                          "layout Y: split(axis=h, factor=2) split(axis=w, factor=2)\n"),
             operator_of("c2d:ci=4,co=8,h=6,w=8,k=3,p=1"), cpu());
  ASSERT_EQ(schedule.stages.size(), 4u);
  EXPECT_EQ(testing::print_stages(schedule),
            "W.wino once: for ah<4, aw<4, o<8, i<4: W.wino[ah, aw, o, i] = "
            "sum(kh<3, kw<3; W[o, i, kh, kw] * G[ah, kh] * G[aw, kw])\n"
            "X.wino: for ah<4, aw<4, n<1, i<4, th<3, tw<4: X.wino[ah, aw, n, i, th, tw] = "
            "sum(rh<4, rw<4; X[n, i, rh + 2*th - 1, rw + 2*tw - 1] * BT[ah, rh] * BT[aw, rw])\n"
            "Y.wino: for ah<4, aw<4, n<1, o<8, th<3, tw<4: Y.wino[ah, aw, n, o, th, tw] = "
            "sum(i<4; X.wino[ah, aw, n, i, th, tw] * W.wino[ah, aw, o, i])\n"
            "c2d: for n<1, o<8, h<6, w<8: Y[n, o, h, w] = "
            "sum(ah<4, aw<4; Y.wino[ah, aw, n, o, (h div 2), (w div 2)] * AT[(h mod 2), ah] * "
            "AT[(w mod 2), aw])\n");
  EXPECT_EQ(*testing::parse_schedule(print(schedule)), schedule);
}

TEST(Winograd, LowersToKernelsOfWhichOneRunsOnce) {
  const auto program = lowered(kSmall, trace_1d(2));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/algorithm/winograd_2");
  EXPECT_EQ(parse_program(print(*program)), *program);
  EXPECT_EQ(preparing_kernels(*program), 1);
  EXPECT_TRUE(computes_closely(operator_of(kSmall), *program, tolerance(2)));
}

TEST(Winograd, OfFourOutputsAtOnce) {
  const auto program = lowered(kSmall, trace_1d(4));
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_GOLDEN(print(*program), "primitives/algorithm/winograd_4");
  EXPECT_TRUE(computes_closely(operator_of(kSmall), *program, tolerance(4)));
}

// A value of any kind stands where epilogues do, in the last stage.
TEST(Winograd, TakesATail) {
  for (const char* tail : {"+bias+tail(@*min(max(@/6+0.5,0),1))",
                           "+tail(select(@<0,@*A[o],@):const=A)", "+relu+tail(@*tanh(@)+A[n,o,w])",
                           "+tail(integer(min(max(floor(@/A[0]+0.5),0),255)):Y=u8,const=A)"}) {
    const Operator op = operator_of("c1d:ci=4,co=8,w=7,k=3,p=1" + std::string(tail));
    for (const int64_t tile : {2, 4}) {
      const Trace trace = *parse_trace(trace_1d(tile));
      const Result<Program> program = lowered(op, trace, cpu());
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_TRUE(testing::computes(op, trace, *program)) << tail;
    }
  }
}

// Multiply-adds of the product: 4 for 2 outputs; the direct sum needs 6.
TEST(Winograd, ExecutesFewerMultiplyAddsThanTheDefinition) {
  const std::string spec = "c2d:ci=32,co=32,h=8,w=8,k=3,p=1";
  const auto direct = lowered(spec, "");
  const auto wino = lowered(spec,
                            "algorithm: winograd(tile=4)\n"
                            "layout Y: split(axis=h, factor=4) split(axis=w, factor=4)\n");
  ASSERT_TRUE(wino) << wino.error().message;
  EXPECT_LT(executed_fmas(*wino), 0.5 * executed_fmas(*direct));
  EXPECT_GE(executed_fmas(*wino), 36.0 * 4 * 32 * 32);
}

// A wrong coefficient anywhere must not pass for rounding.
TEST(Winograd, EveryCoefficientMatters) {
  const Operator op = operator_of("c1d:ci=4,co=4,w=8,k=3,p=1");
  for (const int64_t tile : {2, 4}) {
    const Schedule right =
        *apply(*parse_trace("algorithm: winograd(tile=" + std::to_string(tile) + ")\n" +
                            "layout Y: split(axis=w, factor=" + std::to_string(tile) + ")\n"),
               op, cpu());
    ASSERT_TRUE(computes_closely(op, *lower(right, cpu()), tolerance(tile)));
    for (size_t s = 0; s < right.stages.size(); ++s) {
      if (right.stages[s].computation.tables.empty()) continue;
      for (size_t k = 0; k < right.stages[s].computation.tables[0].values.size(); ++k) {
        Schedule wrong = right;
        wrong.stages[s].computation.tables[0].values[k] += 0.25;
        EXPECT_FALSE(computes_closely(op, *lower(wrong, cpu()), tolerance(tile)))
            << right.stages[s].computation.tables[0].name << " " << k;
      }
    }
  }
}

struct Shape {
  std::string spec, layout_y;
};

// Odd sizes, any rank, padding on either side, batches, epilogues.
Shape draw_shape(int64_t tile) {
  const auto in = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  const int rank = in(1, 3);
  const std::vector<std::string> names = {"depth", "h", "w"};
  Shape shape;
  shape.spec = "c" + std::to_string(rank) + "d:n=" + std::to_string(in(1, 2)) +
               ",ci=" + std::to_string(in(2, 5)) + ",co=" + std::to_string(in(1, 6));
  std::string pads;
  for (int r = 3 - rank; r < 3; ++r) {
    const int before = in(0, 2), after = in(0, 2), extent = in(3, rank == 3 ? 5 : 9);
    const auto name = names[static_cast<size_t>(r)];
    shape.spec += "," + name + "=" + std::to_string(extent);
    pads += (pads.empty() ? "" : "x") + std::to_string(before) + ":" + std::to_string(after);
    const int64_t output = extent + before + after - 2;
    const std::string axis = name == "depth" ? "d" : name;
    const int64_t rest = (tile - output % tile) % tile;
    if (rest > 0)
      shape.layout_y += " pad(axis=" + axis + ", before=0, after=" + std::to_string(rest) + ")";
    if (output + rest > tile)
      shape.layout_y += " split(axis=" + axis + ", factor=" + std::to_string(tile) + ")";
  }
  shape.spec += ",k=3,p=" + pads;
  const std::vector<std::string> epilogues = {"", "+bias", "+bias+relu", "+add+silu",
                                              "+bias+add+clip(-1,1)"};
  shape.spec += epilogues[static_cast<size_t>(in(0, 4))];
  return shape;
}

RC_GTEST_PROP(WinogradLaw, ComputesEveryShapeOnEitherDevice, ()) {
  const int64_t tile = *rc::gen::element<int64_t>(2, 4);
  const Shape shape = draw_shape(tile);
  const Operator op = operator_of(shape.spec);
  const std::string trace =
      "algorithm: winograd(tile=" + std::to_string(tile) + ")\nlayout Y:" + shape.layout_y + "\n";
  // In a corner of two channels few taps are real, so that the sum that an error counts against is
  // small beside those that the transforms of three axes mix it with.
  const double bound = tolerance(tile) * (op.spatial.size() == 3 ? 4 : 1);
  for (const Target& target : {cpu(4, 16), opencl_with_images()}) {
    const auto program = lowered(op, *parse_trace(trace), target);
    RC_ASSERT(program.has_value());
    RC_ASSERT(parse_program(print(*program)) == *program);
    const auto close = computes_closely(op, *program, bound);
    RC_LOG() << shape.spec << " tile " << tile << ": " << close.message() << "\n";
    RC_ASSERT(close);
  }
}

// Without a layout the last stage's loops are cut at the tiles, where these divide them.
TEST(Winograd, NeedsNothingButItsOwnLineWhereTilesDivide) {
  for (const char* spec : {"c1d:ci=4,co=8,w=8,k=3,p=1", "c2d:ci=4,co=8,h=4,w=12,k=3,p=1+bias"}) {
    for (const Target& target : {cpu(), opencl_with_images()}) {
      const auto program = lowered(spec, "algorithm: winograd(tile=4)\n", target);
      ASSERT_TRUE(program) << program.error().message;
      EXPECT_TRUE(computes_closely(operator_of(spec), *program, tolerance(4))) << print(*program);
    }
  }
}

TEST(Winograd, SaysWhatToWriteWhereTilesDoNotDivide) {
  const auto bare = [](const char* spec, const std::string& layout) {
    return apply(*parse_trace("algorithm: winograd(tile=4)\n" + layout), operator_of(spec), cpu());
  };
  EXPECT_ERROR(bare("c1d:ci=4,co=8,w=7,k=3,p=1", ""),
               "stage c1d: loop w of 7 iterations chooses both tiles of Y.wino and the 4 elements "
               "of a tile, expected `pad(axis=w, before=0, after=1) split(axis=w, factor=4)` in "
               "the layout of Y");
  const char* plane = "c2d:ci=4,co=8,h=6,w=8,k=3,p=1";
  const std::string cut = "layout Y: pad(axis=h, before=0, after=2) split(axis=h, factor=4)\n";
  EXPECT_ERROR(bare(plane, ""), "loop h of 6 iterations");
  const auto written = lowered(plane, "algorithm: winograd(tile=4)\n" + cut);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_TRUE(computes_closely(operator_of(plane), *written, tolerance(4)));
}

// Tiles in bands, so that a band's transforms stay near: one kernel beside the weights'.
TEST(Winograd, ItsTransformsRunInsideBandsOfTiles) {
  constexpr const char* kSpec = "c2d:ci=4,co=8,h=8,w=8,k=3,p=1+bias+relu";
  const auto banded = [](const std::string& loop) {
    const std::string at = "compute_at(stage=c2d, loop=" + loop + ", scope=workspace)\n";
    return "algorithm: winograd(tile=2)\n"
           "layout Y: split(axis=h, factor=2) split(axis=w, factor=2)"
           " reorder(n, h.0, w.0, h.1, w.1, o)\n"
           "layout X.wino: reorder(n, th, tw, ah, aw, i)\n"
           "layout Y.wino: reorder(n, th, tw, ah, aw, o)\n"
           "loops X.wino: " +
           at + "loops Y.wino: " + at;
  };
  const auto expect_one_kernel = [](const Result<Program>& program) {
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->kernels.size(), 2u) << print(*program);
    EXPECT_TRUE(computes_closely(operator_of(kSpec), *program, tolerance(2))) << print(*program);
  };
  expect_one_kernel(lowered(kSpec, banded("h.0"), cpu(4, 16)));
  expect_one_kernel(lowered(kSpec, banded("o.0"), opencl_with_images()));
}

TEST(Winograd, SaysWhyItCannot) {
  const auto with = [](const char* spec, const std::string& rest = "") {
    return lowered(spec, "algorithm: winograd(tile=2)\n" + rest);
  };
  EXPECT_ERROR(lowered(kSmall, "algorithm: winograd(tile=3)\n"),
               "algorithm winograd(tile=3): c1d: tile 3, expected 2 or 4");
  EXPECT_ERROR(with("c2d:ci=2,co=2,h=8,w=8,k=5,p=2"), "c2d: window axis kh has 5 taps, expected 3");
  EXPECT_ERROR(with("c2d:ci=2,co=2,h=8,w=8,k=3x1,p=1x0"), "window axis kw has 1 taps, expected 3");
  EXPECT_ERROR(with("c2d:ci=2,co=2,h=8,w=8,k=3,s=2,p=1"), "axis h has stride 2, expected 1");
  EXPECT_ERROR(with("c1d:ci=2,co=2,w=8,k=3,d=2,p=1"), "axis w has dilation 2, expected 1");
  EXPECT_ERROR(with("gmm:m=2,n=2,k=2"),
               "gmm: no window slides over its input, expected a convolution with 3 taps");
  EXPECT_ERROR(with("c1d:ci=1,co=2,w=8,k=3"),
               "nothing is summed up beside its windows, which leaves no matrix product");
  EXPECT_ERROR(with("c1d:ci=2,co=2,w=8,k=3", "layout V: split(axis=i, factor=2)\n"),
               "layout V: no such tensor, expected one of W, W.wino, X, X.wino, Y.wino, Y");
  EXPECT_ERROR(with("c1d:ci=2,co=2,w=8,k=3", "layout X.wino: unfold(axis=tw, size=2, stride=1)\n"),
               "layout X.wino: what a stage makes cannot be unfolded");
  EXPECT_ERROR(with("c1d:ci=2,co=2,w=8,k=3", "loops X.wino: reorder(aw, n)\n"),
               "stage X.wino: loop aw runs over a table of coefficients, expected it to be "
               "unrolled");
  EXPECT_ERROR(
      with("c1d:ci=2,co=2,w=8,k=3", "loops X.wino: unroll(aw) ; unroll(rw)\n"),
      "stage X.wino: loop i is inside loop aw over a table of coefficients; reorder first");
}

}  // namespace
}  // namespace dovetail
