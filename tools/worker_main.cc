// SPDX-License-Identifier: Apache-2.0
//
// dovetail-worker: the processes in which candidates are measured, built and run; started by
// dovetail, never by hand.
#include <cstdio>
#include <string>
#include <vector>

#include "measure/worker/worker.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto options = dovetail::parse_worker_options(arguments);
  if (!options) {
    std::fprintf(stderr, "%s\n", options.error().message.c_str());
    return 1;
  }
  return dovetail::run_worker(*options);
}
