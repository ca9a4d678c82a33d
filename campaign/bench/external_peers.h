// SPDX-License-Identifier: Apache-2.0
#pragma once

// ExternalPeers: times measured elsewhere, for `bench --against FILE`: other devices' libraries,
// papers, another machine's run.
//
//   {"spec": "gmm:m=64,n=64,k=64", "peer": "cudnn_fp32", "seconds": 4.1e-6}
//   {"spec": "c2d:…", "peer": "cudnn_winograd", "seconds": 3e-6, "algorithm": "winograd"}
//
// JSON lines, a JSON array, or an object with `rows`. Further fields are ignored. `algorithm` is
// direct unless given. Specs may have any spelling; if several rows share a spec and a peer, the
// fastest counts.

#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct ExternalTime {
  std::string spec;  // canonical
  std::string peer;
  double seconds = 0;
  std::string algorithm = "direct";
  friend bool operator==(const ExternalTime&, const ExternalTime&) = default;
};

// The error names the row, and what is wrong with it.
Result<std::vector<ExternalTime>> parse_external_times(const std::string& text,
                                                       const std::string& path);
Result<std::vector<ExternalTime>> read_external_times(const std::string& path);

}  // namespace dovetail
