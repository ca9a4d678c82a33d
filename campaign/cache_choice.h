// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of the caches that --cache means, for some workloads on a target.
//
//   --cache hot, cold, network:l3, network:memory     that one
//   --cache network     of a model by the bytes of its constants; of a spec network:memory
//   nothing             as the verb has it: tune measures models as network, all else hot
//
//   TRY(check_cache("tune", "warm", target))       tune --cache warm: expected hot, cold, …
//   caches_of_network(46'800'000, target)          network:memory where the last cache has 32 MiB
//
// A threshold and not a measurement: models are far from it (5 to 15 MB, or 45 and more, beside
// caches of 32), and a campaign would begin with seconds of streaming.

#include <cstdint>
#include <string>
#include <string_view>

#include "campaign/workloads.h"
#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/target.h"
#include "core/record/line/caches.h"

namespace dovetail {

// Refuses a word that is no state, and all but hot on a device, whose driver fills its caches.
Result<void> check_cache(std::string_view verb, std::string_view cache, const TargetName& target);

// The state that constants of so many bytes leave: they stay in the last cache while they take no
// more than half of it, because activations pass through it, too, and neighbours on a shared
// machine. Always hot where the target is no CPU.
Caches caches_of_network(int64_t constant_bytes, const Target& target);

// The text is one that check_cache() accepted, and not empty.
Caches chosen_caches(std::string_view cache, const Workloads& workloads, const Target& target);

// For the user: which state, and of a model why.
std::string explain(Caches caches, const Workloads& workloads, const Target& target);

}  // namespace dovetail
