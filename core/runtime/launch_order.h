// SPDX-License-Identifier: Apache-2.0
#pragma once

// launches_awaited: which launches must wait for which, where a device may run several at once.
//
//   0 pad      reads A      writes B       awaits
//   1 left     reads B      writes C       0
//   2 right    reads B      writes D       0
//   3 add      reads C, D   writes A       1, 2      not 0, which both have waited for
//
// Two launches are ordered where one writes bytes that the other reads or writes. Why by bytes and
// not by buffers: a plan of memory gives the same bytes to tensors of different times.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

struct ByteRange {
  uint64_t begin = 0, end = 0;  // the end is outside
};

struct LaunchBytes {
  std::vector<ByteRange> read, written;
};

// For each launch the earlier ones, latest first. Each order that keeps to them gives what the
// given order does. Those that others of the list wait for are left out.
std::vector<std::vector<size_t>> launches_awaited(std::span<const LaunchBytes> launches);

}  // namespace dovetail
