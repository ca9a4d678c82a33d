// SPDX-License-Identifier: Apache-2.0
#pragma once

// ArenaPlan: offsets of a program's buffers in the memory shared by the tuner and the run worker.
//
//   | guard | X | guard | W | guard | Y | guard |    buffers 64-byte aligned, guards >= 4 KiB
//
// Guard zones hold a pattern that is a NaN as f32: find_breach() detects a program that writes into
// one, and a program that reads one gets a wrong output. Outputs, temporaries and prepared buffers
// start as NaN, so that an element that is never stored is never right by chance.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

struct BufferPlace {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  BufferRole role = BufferRole::temporary;
  friend bool operator==(const BufferPlace&, const BufferPlace&) = default;
};

struct ArenaPlan {
  std::vector<BufferPlace> places;  // in the order of Program::buffers
  uint64_t bytes = 0;
  friend bool operator==(const ArenaPlan&, const ArenaPlan&) = default;
};

inline constexpr uint64_t kGuardBytes = 4096;

ArenaPlan plan_arena(const Program& program);

// Fills the guard zones with the pattern, and all buffers that the program stores to with NaN.
void poison(const Program& program, const ArenaPlan& plan, std::span<std::byte> arena);

// How a guard zone differs from what poison() wrote: "wrote 3 bytes before buffer Y, ...".
std::optional<std::string> find_breach(const Program& program, const ArenaPlan& plan,
                                       std::span<const std::byte> arena);

}  // namespace dovetail
