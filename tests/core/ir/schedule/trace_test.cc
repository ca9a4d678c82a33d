// SPDX-License-Identifier: Apache-2.0
#include "core/ir/schedule/trace.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

constexpr std::string_view kC2d =
    "layout X: pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1) split(axis=i, "
    "factor=16) reorder(i.0, n, h, w, i.1)\n"
    "layout W: split(axis=o, factor=32) fuse(kh, kw) ; scope texture:weight\n"
    "layout Y: split(axis=o, factor=16) unfold(axis=h, size=6, stride=4)\n"
    "loops: split(loop=o.0, factor=2) ; reorder(o.0.0, h, w.0) ; unroll(w.1) ; vectorize(o.1) ; "
    "cache_write(tensor=Y, at=w.0, stores=streaming) ; prefetch(tensor=W, at=i.0, distance=2) ; "
    "parallel(o.0.0)\n"
    "loops X.pad: fuse(i.0, h) ; bind(i.0_h, group.0) ; cache_write(tensor=X.pad, at=root)\n";

TEST(Trace, PrintsWhatItParses) {
  const auto trace = parse_trace(kC2d);
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(print(*trace), kC2d);
}

TEST(Trace, ParsesIntoThePrimitives) {
  const auto trace = parse_trace(kC2d);
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->layouts.size(), 3u);
  EXPECT_EQ(trace->layouts[1].scope, MemoryScope::texture_weight);
  EXPECT_EQ(trace->layouts[1].primitives,
            (std::vector<LayoutPrimitive>{layout::Split{"o", 32}, layout::Fuse{"kh", "kw"}}));
  ASSERT_EQ(trace->loops.size(), 2u);
  EXPECT_EQ(trace->loops[1],
            (StageLoops{"X.pad",
                        {loop::Fuse{"i.0", "h"}, loop::Bind{"i.0_h", ThreadAxis::group_0},
                         loop::CacheWrite{"X.pad", "root"}}}));
}

TEST(Trace, ArgumentsMayBeGivenByPositionOrInAnotherOrder) {
  EXPECT_EQ(parse_trace("layout X: pad(h, 1, 2) split(factor=4, axis=w)"),
            parse_trace("layout X: pad(axis=h, before=1, after=2) split(axis=w, factor=4)"));
}

TEST(Trace, CommentsAndEmptyLinesAreSkipped) {
  EXPECT_EQ(parse_trace("# by hand\n\nloops: unroll(w)  # all taps\n"),
            parse_trace("loops: unroll(w)"));
}

TEST(Trace, NormalStoresArePrintedAsNothing) {
  const auto trace = parse_trace("loops: cache_write(tensor=Y, at=w, stores=normal)");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(print(*trace), "loops: cache_write(tensor=Y, at=w)\n");
  EXPECT_ERROR(parse_trace("loops: cache_write(tensor=Y, at=w, stores=fast)"),
               "found \"fast\", expected normal or streaming");
}

TEST(Trace, PrivateTilesOfAttachedStagesArePrintedAsNothing) {
  const auto trace = parse_trace("loops A: compute_at(Y, h.0, private) ; roll(axis=h)");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(print(*trace), "loops A: compute_at(stage=Y, loop=h.0) ; roll(h)\n");
  const auto workspace = parse_trace("loops A: compute_at(scope=workspace, loop=h.0, stage=Y)");
  ASSERT_TRUE(workspace) << workspace.error().message;
  EXPECT_EQ(print(*workspace), "loops A: compute_at(stage=Y, loop=h.0, scope=workspace)\n");
}

TEST(Trace, TheEmptyTraceIsTheEmptyText) {
  EXPECT_EQ(print(Trace{}), "");
  EXPECT_EQ(parse_trace(""), Result<Trace>(Trace{}));
}

TEST(Trace, HashIsThatOfThePrintedText) {
  EXPECT_EQ(hash(Trace{}), 14695981039346656037u);  // FNV-1a of nothing
  const auto spelled = parse_trace("layout X: split( factor = 4 , axis = w )");
  const auto plain = parse_trace("layout X: split(axis=w, factor=4)\n");
  ASSERT_TRUE(spelled && plain);
  EXPECT_EQ(hash(*spelled), hash(*plain));
  // printf 'layout X: split(axis=w, factor=4)\n', by another implementation of FNV-1a 64.
  EXPECT_EQ(hash(*plain), 0x3e8abbcb83b94c65u);
  EXPECT_NE(hash(*plain), hash(*parse_trace("layout X: split(axis=w, factor=5)")));
}

TEST(Trace, ReadsTheWordsOfOlderLogs) {
  const auto split = parse_trace("algorithm: split_factors(products=3)\n");
  ASSERT_TRUE(split) << split.error().message;
  EXPECT_EQ(algorithm_of(*split), "split_factors");
  EXPECT_EQ(print(*split), "algorithm: split_factors(products=3)\n");
  const auto before = parse_trace("algorithm: pairs(of=4, signs=2)\n");
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(print(*before), "algorithm: winograd_inner_product(of=4, signs=2)\n");
}

struct BadTrace {
  const char* text;
  const char* message;
};

class TraceErrors : public ::testing::TestWithParam<BadTrace> {};

TEST_P(TraceErrors, AreOneLineThatSaysWhereAndWhat) {
  EXPECT_ERROR(parse_trace(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, TraceErrors,
    ::testing::Values(
        BadTrace{"algorithm: fft(tile=2)",
                 "unknown algorithm primitive \"fft\"; expected one of winograd"},
        BadTrace{"algorithm: winograd(2)\nalgorithm: winograd(2)",
                 "line 2, column 1: the trace has an algorithm already"},
        BadTrace{"loops:\nalgorithm: winograd(2)", "it comes first"},
        BadTrace{"layouts X:", "line 1, column 1: found \"layouts\", expected \"algorithm\","},
        BadTrace{"layout X: spilt(axis=i, factor=2)",
                 "unknown layout primitive \"spilt\"; expected"},
        BadTrace{"layout X: vectorize(i)", "unknown layout primitive \"vectorize\""},
        BadTrace{"loops: pad(h, 1, 1)", "line 1, column 8: unknown loop primitive \"pad\""},
        BadTrace{"loops: split(loop=h, factr=2)", "split has no argument \"factr\"; expected"},
        BadTrace{"loops: split(loop=h)", "split lacks factor; expected split(loop, factor, tail)"},
        BadTrace{"loops: split(h, 2, 3)", "found \"3\", expected a name for tail of split"},
        BadTrace{"loops: split(h, 2, peel)", "found \"peel\", expected cut or none"},
        BadTrace{"loops: split(h, 2, cut, 3)", "split has no argument 4"},
        BadTrace{"loops: split(h, w)", "found \"w\", expected an integer for factor of split"},
        BadTrace{"loops: split(3, 2)", "found \"3\", expected a name for loop of split"},
        BadTrace{"loops: split(h, loop=w, factor=2)", "split has loop twice"},
        BadTrace{"loops: reorder(h, 2)", "reorder takes names only"},
        BadTrace{"loops: bind(h, group.3)", "thread axis \"group.3\" is unknown; expected group.0"},
        BadTrace{"loops: unroll(h", "column 16: found the end, expected \",\" or \")\""},
        BadTrace{"loops: unroll(h) vectorize(w)", "expected the end of the line"},
        BadTrace{"loops: split(h, 99999999999999999999)", "expected a name or an integer"},
        BadTrace{"layout X: split(i, 2)\nlayout X: split(i, 4)",
                 "line 2, column 8: tensor X has a layout already"},
        BadTrace{"loops X.pad:\nloops X.pad:", "stage X.pad has loops already"},
        BadTrace{"loops:\nloops:", "the operator has loops already"},
        BadTrace{"loops:\nlayout X:", "layouts come first"},
        BadTrace{"layout X: ; scope textur", "unknown memory scope"},
        BadTrace{"layout X: ; scope local",
                 "unknown memory scope 'local', expected one of global, texture, texture:weight"},
        BadTrace{"loops A: compute_at(stage=Y, loop=h, scope=texture)",
                 "found \"texture\", expected the scope of a tile: registers, private, local or "
                 "workspace"},
        BadTrace{"loops A: roll()", "roll lacks axis; expected roll(axis)"},
        BadTrace{"loops: cache_read(tensor=X, at=h, scope=texture:weight)",
                 "found \"texture\", expected the scope of a tile: registers, private, local or "
                 "workspace"},
        BadTrace{"loops: cache_read(tensor=X, at=h, scope=global)",
                 "found \"global\", expected the scope of a tile: registers, private, local or "
                 "workspace"},
        BadTrace{"layout X: ; scoop texture", "found \"scoop\", expected \"scope\""},
        BadTrace{"layout : split(i, 2)", "column 8: found \":\", expected a tensor"},
        BadTrace{"loops: unroll(\"h\")", "found \"\"\", which is no part of any name"},
        BadTrace{"loops: unroll(\xc3\xa9)", "found \"\\xc3\", which is no part"}));

}  // namespace
}  // namespace dovetail
