// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/peers/peer_worker.h"
#include "measure/worker/option_values.h"

namespace dovetail {
namespace {

Result<void> set_option(const std::string& option, std::string_view value,
                        PeerWorkerOptions& into) {
  if (option == "--peer") {
    into.peer = value;
  } else if (option == "--parent") {
    into.parent = TRY(parse_count(option, value));
  } else if (option == "--cores") {
    into.cores = TRY(parse_cores(option, value));
  } else {
    return fail(fmt::format("{}: no such option of dovetail-peers", option));
  }
  return {};
}

}  // namespace

Result<PeerWorkerOptions> parse_peer_worker_options(const std::vector<std::string>& arguments) {
  PeerWorkerOptions options;
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    TRY(set_option(arguments[i], arguments[i + 1], options));
  }
  if (arguments.size() % 2 != 0) return fail(fmt::format("{}: no value", arguments.back()));
  if (options.peer.empty() || options.cores.empty()) {
    return fail("dovetail-peers is started by dovetail bench, with --peer and --cores");
  }
  return options;
}

std::vector<std::string> print(const PeerWorkerOptions& options) {
  return {"--peer",   options.peer,
          "--cores",  fmt::format("{}", fmt::join(options.cores, ",")),
          "--parent", fmt::format("{}", options.parent)};
}

}  // namespace dovetail
