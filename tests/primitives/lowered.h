// SPDX-License-Identifier: Apache-2.0
//
// Layouts, stages, spaces and programs from text, for the tests of this folder, and the check that
// a program computes its operator:
//
//   const Layout x = applied("split(axis=i, factor=16)", layout_of("X[i=64, h=56]"));
//   const Stage tiled = applied_loops("split(loop=w, factor=7)", stage_of("c2d:ci=3,co=4,…"));
//   EXPECT_TRUE(computes(op, *lowered(op, trace, cpu())));
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/ir/layout/layout.h"
#include "core/ir/operator/operator.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/space.h"
#include "tests/support/targets.h"

namespace dovetail::testing {

Target cpu(int lanes = 16, int registers = 32);

inline constexpr const char* kProduct = "gmm:b=2,m=6,n=12,k=8";  // loops of a few iterations

// The text must be right: a wrong one ends the test program with its message.
Operator operator_of(std::string_view spec);
Layout layout_of(std::string_view shape);  // `X[i=64, h=56]`, row-major
std::vector<LayoutPrimitive> layout_primitives(const std::string& text);
std::vector<LoopPrimitive> loop_primitives(const std::string& text);
Stage stage_of(std::string_view spec, std::string_view layouts = "");  // the operator's own

Space space_of(std::string_view spec, const Target& target = cpu());

Result<Layout> applied(const std::string& primitives, const Layout& layout);
// Also checks that the primitives survive printing and parsing.
Result<Stage> applied_loops(const std::string& primitives, const Stage& stage);
std::string print_loops(const Stage& stage);   // `h:4 w.0:2 i:3 sum`, one loop after another
std::string print_values(const Stage& stage);  // `h = h, i = i, w = 7*w.0 + w.1`, axes by name
std::string print_stage(const Stage& stage);   // all of it, as a schedule prints it
Result<Program> lowered(const Operator& op, const Trace& trace, const Target& target);
Result<Program> lowered(std::string_view spec, std::string_view trace,
                        const Target& target = cpu());

// Interprets the program on small integers and compares with the independent reference, bit for
// bit; that of an operator with a tail on real data, within the bounds that a tuner checks with.
::testing::AssertionResult computes(const Operator& op, const Program& program);
// The same on real data, to within `tolerance` of the sum of absolute products.
::testing::AssertionResult computes_closely(const Operator& op, const Program& program,
                                            double tolerance);
// Exactly, or as closely as the trace's algorithm can.
::testing::AssertionResult computes(const Operator& op, const Trace& trace, const Program& program);
// parse(print(trace)) == trace.
::testing::AssertionResult survives_printing(const Trace& trace);

}  // namespace dovetail::testing
