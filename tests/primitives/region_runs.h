// SPDX-License-Identifier: Apache-2.0
//
// Regions against the independent reference: written specs, random traces of them, and the check
// that a program computes its region.
//
//   const Region region = region_of("M[i]max=S[i,j];…");
//   const Program program = right(lowered(region, random_trace(region, cpu(), rng), cpu()), …);
//   EXPECT_TRUE(computes(region, program));
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string_view>

#include "core/ir/program/program.h"
#include "core/ir/region/region_text.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "measure/reference/region_reference.h"

namespace dovetail::testing {

// Pooling, softmax, norms, reductions, chains with broadcasting, moves of data, gathers and
// products with more behind them: small, with extents that nothing divides.
extern const std::span<const char* const> kRegionSpecs;

Region written_region(std::string_view spec);  // a wrong one ends the test program
Result<Program> lowered(const Region& region, const Trace& trace, const Target& target);

// By the interpreter, after the verifier.
::testing::AssertionResult computes(const Region& region, const Program& program);
// These outputs, whoever made them.
::testing::AssertionResult are_right(const Region& region, const NamedArrays& inputs,
                                     const NamedArrays& outputs);

// Layouts for some tensors, loops for some stages; stages that others read apart, inlined, or
// inside a loop of a reader.
Trace random_trace(const Region& region, const Target& target, std::mt19937_64& rng);

}  // namespace dovetail::testing
