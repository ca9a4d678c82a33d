// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_worker.h"
#include "measure/worker/serve.h"

namespace dovetail {
namespace {

ProgramOptions options_of(PeerWorkerOptions& options) {
  return {{"--peer", &options.peer}, {"--cores", &options.cores}, {"--parent", &options.parent}};
}

}  // namespace

Result<PeerWorkerOptions> parse_peer_worker_options(const std::vector<std::string>& arguments) {
  PeerWorkerOptions options;
  TRY(parse_options(arguments, options_of(options), "dovetail-peers"));
  if (!options.peer.empty() && !options.cores.empty()) return options;
  return fail("dovetail-peers is started by dovetail bench, with --peer and --cores");
}

std::vector<std::string> print(PeerWorkerOptions options) {
  return print_options(options_of(options));
}

}  // namespace dovetail
