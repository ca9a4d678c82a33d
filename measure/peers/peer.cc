// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer.h"

#include <algorithm>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {

Result<std::unique_ptr<Peer>> make_peer(const std::string& name, [[maybe_unused]] int threads) {
#if DOVETAIL_HAVE_ONEDNN
  if (name == "onednn") return make_onednn_peer(threads);
#endif
#if DOVETAIL_HAVE_LIBTORCH
  if (name == "libtorch") return make_libtorch_peer(threads);
#endif
#if DOVETAIL_HAVE_OPENBLAS
  if (name == "openblas") return make_openblas_peer(threads);
#endif
  if (std::ranges::find(known_peers(), name) == known_peers().end())
    return fail("unknown peer '{}'; expected one of: {}", name, one_of(known_peers()));
  return fail(
      "peer {} is not built in: its library was not found when dovetail-peers "
      "was configured (scripts/install-dependencies --peers)",
      name);
}

}  // namespace dovetail
