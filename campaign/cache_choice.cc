// SPDX-License-Identifier: Apache-2.0
#include "campaign/cache_choice.h"

#include "core/backends/backends.h"
#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::string_view kNetwork = "network";  // one of the others, by the model
constexpr std::string_view kWords[] = {"hot", "cold", kNetwork, "network:l3", "network:memory"};

// The parts of a core's second level and of the last-level cache that a network can count on.
int64_t room_in_l2(const Target& target) { return target.l2_bytes / 2; }
int64_t room_in_l3(const Target& target) { return target.l3_bytes / 2; }

std::string megabytes(int64_t bytes) {
  return fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(bytes));
}

}  // namespace

std::span<const std::string_view> known_cache_words() { return kWords; }

Result<void> check_cache(std::string_view verb, std::string_view cache, const TargetName& target) {
  if (cache.empty()) return {};
  const Result<Caches> state = parse_caches(cache);
  if (!state && cache != kNetwork)
    return fail("{} --cache {}: expected one of: {}", verb, cache,
                one_of_or_nearest(cache, kWords));
  const Result<const Backend*> backend = find_backend(target);
  if (!backend) return {};  // said where the target is resolved
  if ((*backend)->has_cache_states() || (state && *state == Caches::hot)) return {};
  return fail("{} --cache {}: caches of target {} cannot be emptied; expected a CPU target", verb,
              cache, print(target));
}

bool has_cache_states(const Target& target) {
  const Result<const Backend*> backend = find_backend(target.name);
  return backend && (*backend)->has_cache_states();
}

Caches caches_of_network(int64_t working_set_bytes, const Target& target) {
  if (!runs_threads(target)) return Caches::hot;
  if (working_set_bytes <= room_in_l2(target)) return Caches::hot;
  return working_set_bytes > room_in_l3(target) ? Caches::network_memory : Caches::network_l3;
}

Caches chosen_caches(std::string_view cache, const Workloads& workloads, const Target& target) {
  if (cache == kNetwork) {
    return workloads.working_set_bytes ? caches_of_network(*workloads.working_set_bytes, target)
                                       : Caches::network_memory;
  }
  const Result<Caches> state = parse_caches(cache);
  CHECK(state.has_value(), "--cache was not checked");
  return *state;
}

std::string explain(Caches caches, const Workloads& workloads, const Target& target) {
  const std::string state = fmt::format("caches: {}", print(caches));
  const std::optional<int64_t> bytes = workloads.working_set_bytes;
  if (!bytes || !runs_threads(target) || caches != caches_of_network(*bytes, target)) return state;
  const bool is_hot = caches == Caches::hot;
  return fmt::format("{} (constants and a node's activations take {}, and can have {} of the {})",
                     state, megabytes(*bytes),
                     megabytes(is_hot ? room_in_l2(target) : room_in_l3(target)),
                     is_hot ? "second level" : "last cache");
}

std::vector<std::string> notes_on_other_states(Caches caches, const Workloads& workloads,
                                               const Target& target) {
  std::vector<std::string> notes;
  for (const auto& [model, bytes] : workloads.working_sets) {
    const Caches alone = caches_of_network(bytes, target);
    if (alone == caches) continue;
    notes.push_back(
        fmt::format("{}: timed {} here, as the largest model; alone it would be timed "
                    "{}, so tune it in a campaign of its own",
                    model, print(caches), print(alone)));
  }
  return notes;
}

}  // namespace dovetail
