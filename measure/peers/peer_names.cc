// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_names.h"

namespace dovetail {

const std::vector<std::string>& known_peers() {
  static const std::vector<std::string> kNames = {"onednn", "libtorch", "openblas"};
  return kNames;
}

}  // namespace dovetail
