// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_peer_worker: the whole of the dovetail-peers program; peer_session.h is the other side.
//
//   dovetail-peers --peer onednn --cores 1 --parent 4711
//
// It holds one peer with one thread per core, answers load, run and time requests, and ends with
// its parent process. Timing is that of candidates: same rule, same clock, operands in the caches
// and on 2 MiB pages, each thread on its own core. After timing it waits until the library's
// threads have stopped spinning, so that they do not disturb the next measurement.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

struct PeerWorkerOptions {
  std::string peer;
  std::vector<int> cores;
  int64_t parent = 0;  // process id
  friend bool operator==(const PeerWorkerOptions&, const PeerWorkerOptions&) = default;
};

Result<PeerWorkerOptions> parse_peer_worker_options(const std::vector<std::string>& arguments);
std::vector<std::string> print(PeerWorkerOptions options);

// The exit code.
int run_peer_worker(const PeerWorkerOptions& options);

}  // namespace dovetail
