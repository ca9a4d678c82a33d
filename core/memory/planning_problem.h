// SPDX-License-Identifier: Apache-2.0
#pragma once

// PlanningProblem: buffers to be placed, the pools that may hold them, and the pairs that may not
// share a byte.
//
//   PlanningProblem problem{.buffers = {{.id = "a", .bytes = 4, .lifetime = {0, 3}},
//                                       {.id = "b", .bytes = 4, .lifetime = {3, 9}},
//                                       {.id = "c", .bytes = 4, .lifetime = {0, 9}}}};
//
//   offset  8 |                 a and b may lie in the same bytes, because lifetimes are half-open:
//           4 | aaabbbbbb       a's last time is 2. c conflicts with both. Eight bytes hold all.
//           0 | ccccccccc
//
// Two buffers conflict when their lifetimes overlap; where `conflicts` is given, exactly the listed
// pairs conflict, in either order, and lifetimes are ignored. A buffer of no bytes or an empty
// lifetime conflicts with nothing and needs nothing. Why indices and not names: a plan is a vector
// parallel to the buffers, so that comparing or ordering plans needs no names.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

inline constexpr int64_t kUnlimitedBytes = std::numeric_limits<int64_t>::max();

struct LiveInterval {
  int64_t lower = 0;  // the first time at which the buffer is used
  int64_t upper = 1;  // the first time at which it is no longer used
  friend bool operator==(const LiveInterval&, const LiveInterval&) = default;
};

enum class PoolAccess { rw, ro };

struct LiveBuffer {
  std::string id;
  int64_t bytes = 0;
  LiveInterval lifetime = {};
  int64_t alignment = 1;               // bytes; the pool's alignment counts too
  std::vector<int> pools = {};         // may hold it, in order of preference; empty: every pool
  std::optional<int64_t> offset{};     // fixed offset, in the first of its pools
  PoolAccess access = PoolAccess::rw;  // ro: only read, so that read-only pools may hold it
  // Parts of its lifetime in which its bytes are dead. Planners read only `conflicts`, which
  // conflicts_with_gaps() derives from gaps.
  std::vector<LiveInterval> gaps = {};
  friend bool operator==(const LiveBuffer&, const LiveBuffer&) = default;
};

struct Pool {
  std::string name = "default";
  int64_t limit_bytes = kUnlimitedBytes;
  int64_t alignment = 1;  // bytes; of all offsets
  PoolAccess access = PoolAccess::rw;
  friend bool operator==(const Pool&, const Pool&) = default;
};

// The name of a time in messages and pictures ("time 3 of 9", "kernel 17 of 117"). It does not
// affect planning.
struct TimeAxis {
  std::string name = "time";
  int64_t end = 0;  // 0: the end of the last lifetime
  friend bool operator==(const TimeAxis&, const TimeAxis&) = default;
};

using ConflictPair = std::pair<int, int>;  // indices of two buffers, in either order

struct PlanningProblem {
  std::vector<LiveBuffer> buffers;
  std::vector<Pool> pools = {Pool{}};
  std::optional<std::vector<ConflictPair>> conflicts{};  // instead of lifetimes
  TimeAxis times{};
  friend bool operator==(const PlanningProblem&, const PlanningProblem&) = default;
};

// Whether a buffer ever holds a byte: all others have no conflicts, are not counted and get offset
// 0.
inline bool occupies(const LiveBuffer& buffer) {
  return buffer.bytes > 0 && buffer.lifetime.lower < buffer.lifetime.upper;
}

// The end of the time axis: the later of TimeAxis::end and the end of the last lifetime.
int64_t end_of_times(const PlanningProblem& problem);

// The pairs that are live at the same time, gaps excluded: `conflicts` of a problem with gaps.
std::vector<ConflictPair> conflicts_with_gaps(const PlanningProblem& problem);

// Checks the preconditions of planners: numbers in range, indices valid, names unique. The error
// names the buffer or pool.
Result<void> check_problem(const PlanningProblem& problem);

// The pools that may hold a buffer, in its order of preference; pools of unsuitable access are left
// out.
std::vector<int> usable_pools(const PlanningProblem& problem, int buffer);

// Least common multiples: of two alignments (error: above 2^61), and of a buffer's and a pool's,
// which its offset there must be a multiple of.
Result<int64_t> common_alignment(int64_t a, int64_t b);
int64_t offset_alignment(const PlanningProblem& problem, int buffer, int pool);

}  // namespace dovetail
