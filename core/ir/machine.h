// SPDX-License-Identifier: Apache-2.0
//
// Machine: the measured rates of a machine, which turn seconds into percentages of what it can do
// (primitives/algorithm/roof.h). A campaign measures them when it ends; the header of its log holds
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace dovetail {

struct Machine {
  struct Level {
    std::optional<int64_t> capacity_bytes = {};  // none: memory, which holds everything
    double bytes_per_second = 0;
    friend bool operator==(const Level&, const Level&) = default;
  };
  // Bandwidth of a loop that only reads `read_bytes` and writes `written_bytes`.
  struct Stream {
    int64_t read_bytes = 0, written_bytes = 0;
    double bytes_per_second = 0;
    friend bool operator==(const Stream&, const Stream&) = default;
  };
  std::optional<double> peak_gflops = {};  // FMA peak of the threads that the target uses
  std::vector<Level> levels = {};          // nearest first; none where unknown (GPUs, at present)
  std::vector<Stream> streams = {};        // for regions without a product
  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace dovetail
