// SPDX-License-Identifier: Apache-2.0
//
// dovetail-peers: the process in which other libraries run, to be timed beside ours; started by
// dovetail bench, never by hand.
#include <cstdio>
#include <string>
#include <vector>

#include "measure/peers/peer_worker.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto options = dovetail::parse_peer_worker_options(arguments);
  if (!options) {
    std::fprintf(stderr, "%s\n", options.error().message.c_str());
    return 1;
  }
  return dovetail::run_peer_worker(*options);
}
