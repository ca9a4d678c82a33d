// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of the caches that --cache means, for some workloads on a target.
//
//   --cache hot, cold, network:l3, network:memory     that one
//   --cache network     of a model by its working set: its constants, and the activations of the
//                       node that has most; of a spec network:memory
//   nothing             as the verb has it: tune measures models as network, all else hot
//
//   TRY(check_cache("tune", "warm", target))       tune --cache warm: expected hot, cold, …
//   caches_of_network(46'800'000, target)          network:memory where the last cache has 32 MiB
//
// A threshold and not a measurement, because a campaign would begin with seconds of streaming, and
// its state would follow from what a neighbour did in them.

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

// The state that networks of such a working set leave: constants stay in the last cache while all
// of it takes no more than half of that, because neighbours on a shared machine have their part,
// too. Always hot where the target is no CPU.
Caches caches_of_network(int64_t working_set_bytes, const Target& target);

// The text is one that check_cache() accepted, and not empty.
Caches chosen_caches(std::string_view cache, const Workloads& workloads, const Target& target);

// For the user: which state, and of a model why.
std::string explain(Caches caches, const Workloads& workloads, const Target& target);

}  // namespace dovetail
