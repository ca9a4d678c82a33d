// SPDX-License-Identifier: Apache-2.0
#pragma once

// Candidates of the measuring tests: traces lowered to programs, and ways to break a program.

#include <string>

#include "core/ir/operator/operator.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "core/record/runner.h"

namespace dovetail::testing {

Operator operator_of(const std::string& spec);
Target host_target(const std::string& name = "cpu");

// `trace` makes this program of the operator; the empty trace is the plain loops.
Program program_of(const Operator& op, const std::string& trace, const Target& target);

// A small convolution and a trace with padding pass, register tile and vectors.
inline constexpr const char* kSmallSpec = "c2d:ci=16,co=32,h=14,w=14,k=3,p=1";
extern const char* const kSmallTrace;

MeasureInput candidate(int64_t trial, const std::string& spec, const std::string& trace,
                       const Target& target);
MeasureInput small_candidate(int64_t trial, const Target& target);
// The candidate of a 3x3 convolution without the last tap of each row.
MeasureInput with_a_wrong_program(MeasureInput candidate);

}  // namespace dovetail::testing
