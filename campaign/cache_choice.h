// SPDX-License-Identifier: Apache-2.0
#pragma once

// Resolves --cache to the cache state in which workloads are timed on a target.
//
//   --cache hot, cold, network:l3, network:memory     that one
//   --cache network     of a model by its working set: its constants, and the activations of the
//                       node that has most; of a spec network:memory
//   nothing             as the verb has it: tune measures models as network, all else hot
//
//   TRY(check_cache("tune", "warm", target))       tune --cache warm: expected hot, cold, …
//   caches_of_network(46'800'000, target)          network:memory where the last cache has 32 MiB
//
// A fixed threshold rather than a measurement: measuring would start each campaign with seconds of
// streaming, and the state would depend on what other processes did meanwhile.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "campaign/workloads.h"
#include "core/base/result.h"
#include "core/ir/graph/graph.h"
#include "core/ir/target.h"
#include "core/record/line/caches.h"

namespace dovetail {

std::span<const std::string_view> known_cache_words();  // that --cache takes

// Rejects unknown states, and all but hot on a device, whose driver manages its caches.
Result<void> check_cache(std::string_view verb, std::string_view cache, const TargetName& target);

// The state for networks with this working set: hot while it fits in half of a core's second level,
// where one run leaves the constants for the next; network:l3 while it fits in half of the
// last-level cache, because other processes on a shared machine use the rest; else network:memory.
// Always hot on targets other than CPUs.
Caches caches_of_network(int64_t working_set_bytes, const Target& target);

// False: the target is only timed hot, as none of its caches can be emptied.
bool has_cache_states(const Target& target);

// Precondition: `cache` is not empty, and check_cache() accepted it.
Caches chosen_caches(std::string_view cache, const Workloads& workloads, const Target& target);

// A message for the user: the state, and for a model the working set that decided it.
std::string explain(Caches caches, const Workloads& workloads, const Target& target);
// A line for each model that would be timed in another state if it were tuned alone: a campaign has
// one state, that of its largest model.
std::vector<std::string> notes_on_other_states(Caches caches, const Workloads& workloads,
                                               const Target& target);

}  // namespace dovetail
