// SPDX-License-Identifier: Apache-2.0
//
// Programs for the tests of cost models: small ones from text, and those of spaces.
//
//   const Program product = program_of("buffer A: …");
//   const Program tiled =
//       program_at("c2d:ci=16,co=32,h=14,w=14,k=3,p=1", cpu(), {{"register_tile.w", 7}});
#pragma once

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "primitives/space/space.h"
#include "tests/primitives/points.h"
#include "tests/support/targets.h"

namespace dovetail::testing {

inline constexpr const char* kNineSpecs[] = {
    "c1d:ci=32,co=32,w=64,k=3,s=2,p=1",
    "c2d:ci=16,co=32,h=14,w=14,k=3,p=1+bias+relu",
    "c3d:ci=4,co=16,depth=4,h=6,w=6,k=3,p=1",
    "grp:ci=32,co=32,h=14,w=14,k=3,p=1,g=4",
    "dil:ci=8,co=16,h=14,w=14,k=3,p=2,d=2",
    "dep:c=32,h=14,w=14,k=3,p=1",
    "t2d:ci=16,co=8,h=7,w=7,k=4,s=2,p=1",
    "t3d:ci=4,co=8,depth=3,h=4,w=4,k=4,s=2,p=1",
    "gmm:m=32,n=48,k=64",
};

Target cpu(int threads = 1);

// Texts and points must be right: a wrong one ends the test program with its message.
Program program_of(std::string_view text);
Space space_of(std::string_view spec, const Target& target);
// The program is that of the default point but for these choices.
Program program_at(std::string_view spec, const Target& target, const NamedValues& choices = {});
// The programs are those of random points, legal ones only.
std::vector<Program> random_programs(std::string_view spec, const Target& target, size_t count,
                                     uint64_t seed = 1);

float feature(const Program& program, const Target& target, std::string_view name);

}  // namespace dovetail::testing
