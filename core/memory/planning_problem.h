// SPDX-License-Identifier: Apache-2.0
#pragma once

// PlanningProblem: buffers that want offsets, the pools that hold them, and which of them may not
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
// Two buffers conflict when their lifetimes overlap; or, where `conflicts` is given, when it
// says so in either direction, and then lifetimes mean nothing. A buffer of no bytes and one of
// an empty lifetime conflict with nothing and need nothing. Why indices and not names: a plan is
// a vector beside the buffers, and whoever compares or orders plans never looks at a name.

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
  int64_t upper = 1;  // the first time at which it no longer is
  friend bool operator==(const LiveInterval&, const LiveInterval&) = default;
};

enum class PoolAccess { rw, ro };

struct LiveBuffer {
  std::string id;
  int64_t bytes = 0;
  LiveInterval lifetime = {};
  int64_t alignment = 1;               // of its offset, in bytes; the pool's counts too
  std::vector<int> pools = {};         // those that may hold it, in order; none named: every pool
  std::optional<int64_t> offset{};     // fixed, in the first of its pools
  PoolAccess access = PoolAccess::rw;  // a read-only pool takes what is only read: ro
  // Parts of its lifetime in which nobody needs its bytes. Planners ask `conflicts`, which
  // conflicts_with_gaps() makes of them.
  std::vector<LiveInterval> gaps = {};
  friend bool operator==(const LiveBuffer&, const LiveBuffer&) = default;
};

struct Pool {
  std::string name = "default";
  int64_t limit_bytes = kUnlimitedBytes;
  int64_t alignment = 1;  // of every offset in it, in bytes
  PoolAccess access = PoolAccess::rw;
  friend bool operator==(const Pool&, const Pool&) = default;
};

// The name of a time in messages and pictures ("time 3 of 9", "kernel 17 of 117"). It decides
// nothing.
struct TimeAxis {
  std::string name = "time";
  int64_t end = 0;  // 0: where the last lifetime ends
  friend bool operator==(const TimeAxis&, const TimeAxis&) = default;
};

using ConflictPair = std::pair<int, int>;  // of two buffers' indices, in either order

struct PlanningProblem {
  std::vector<LiveBuffer> buffers;
  std::vector<Pool> pools = {Pool{}};
  std::optional<std::vector<ConflictPair>> conflicts{};  // instead of lifetimes
  TimeAxis times{};
  friend bool operator==(const PlanningProblem&, const PlanningProblem&) = default;
};

// Whether a buffer ever holds a byte: others do not conflict, count nowhere and lie at offset 0.
inline bool occupies(const LiveBuffer& buffer) {
  return buffer.bytes > 0 && buffer.lifetime.lower < buffer.lifetime.upper;
}

// The end of its times: as its TimeAxis says, or of the last lifetime.
int64_t end_of_times(const PlanningProblem& problem);

// The pairs that are live at one time, gaps left out: what `conflicts` is of such a problem.
std::vector<ConflictPair> conflicts_with_gaps(const PlanningProblem& problem);

// Whether numbers are in range, indices exist and names are unique: everything that planners take
// for granted. The error names the buffer or pool.
Result<void> check_problem(const PlanningProblem& problem);

// The pools that may hold a buffer, in its order; those whose access does not suit are left out.
std::vector<int> usable_pools(const PlanningProblem& problem, int buffer);

// What a buffer's offset in this pool must be a multiple of.
Result<int64_t> common_alignment(int64_t a, int64_t b);
int64_t offset_alignment(const PlanningProblem& problem, int buffer, int pool);

}  // namespace dovetail
