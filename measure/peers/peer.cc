// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer.h"

#include <string_view>
#include <utility>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {

Result<std::unique_ptr<Peer>> make_peer(const std::string& name, int threads) {
  constexpr std::pair<std::string_view, std::unique_ptr<Peer> (*)(int)> kPeers[] = {
      {"onednn", make_onednn_peer},
      {"libtorch", make_libtorch_peer},
      {"openblas", make_openblas_peer}};
  for (const auto& [known, make] : kPeers) {
    if (name != known) continue;
    if (std::unique_ptr<Peer> peer = make(threads)) return peer;
    return fail(
        "peer {} is not built in: its library was not found when dovetail-peers "
        "was configured (scripts/install-dependencies --peers)",
        name);
  }
  return fail("unknown peer '{}'; expected one of: {}", name,
              one_of_or_nearest(name, known_peers()));
}

}  // namespace dovetail
