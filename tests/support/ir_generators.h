// SPDX-License-Identifier: Apache-2.0
//
// RapidCheck generators for what core/ir prints and parses. Small on purpose: extents of a few
// elements, so that laws can be checked against brute force.
//
//   RC_GTEST_PROP(TraceLaw, ParseUndoesPrint, ()) {
//     const Trace trace = *testing::traces();
//     RC_ASSERT(parse_trace(print(trace)) == trace);
//   }
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "core/ir/index/index_expression.h"
#include "core/ir/layout/layout.h"
#include "core/ir/program/program.h"
#include "core/ir/schedule/schedule.h"
#include "core/ir/schedule/trace.h"

namespace dovetail::testing {

rc::Gen<std::string> names();  // h, i.0.1, X.pad, h_w.0

// Sums, divisions and remainders of the variables, as deep as `depth`, simplified by their ranges.
rc::Gen<IndexExpr> index_expressions(Ranges ranges, int depth = 2);
Ranges few_ranges();  // draws: one to three variables with small ranges; inside a property

// Any digits: padded, split, unfolded, fused, reordered; some lose elements.
rc::Gen<Layout> layouts();

rc::Gen<Trace> traces();
rc::Gen<Schedule> schedules();  // names need not be declared

rc::Gen<Value> values(int depth = 3);
// Names are declared and most indices are inside; loop kinds, roles and registers are anything, so
// that a few of them are right and most break one rule.
rc::Gen<Program> programs();

// A text with a few random changes: bytes replaced, removed, repeated, swapped.
std::string mutated(std::string text);  // draws, inside a property

}  // namespace dovetail::testing
