// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "measure/peers/peer_worker.h"

namespace dovetail {
namespace {

Result<int64_t> number_of(const std::string& option, std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) {
    return fail(fmt::format("{}: expected a number, found {}", option, text));
  }
  return number;
}

Result<void> set_option(const std::string& option, std::string_view value,
                        PeerWorkerOptions& into) {
  if (option == "--peer") {
    into.peer = value;
  } else if (option == "--parent") {
    into.parent = TRY(number_of(option, value));
  } else if (option == "--cores") {
    while (!value.empty()) {
      const std::string_view core = value.substr(0, value.find(','));
      value.remove_prefix(std::min(value.size(), core.size() + 1));
      into.cores.push_back(static_cast<int>(TRY(number_of(option, core))));
    }
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
