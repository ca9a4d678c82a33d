// SPDX-License-Identifier: Apache-2.0
#include "campaign/network/choose_network.h"

#include <fmt/ranges.h>

#include <utility>

#include "campaign/recorded_target.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/region/canonical.h"
#include "core/record/log/network_records.h"
#include "deploy/layouts/choose_layouts.h"
#include "deploy/network/network_plan.h"

namespace dovetail {
namespace {

class NetworkChoosing {
 public:
  NetworkChoosing(Partition parts, TaskTraces& traces, const NetworkWish& wish,
                  const Listener& listener)
      : traces_(traces), wish_(wish), listener_(listener) {
    network_.variant = wish.variant.value_or(std::string(kJointVariant));
    network_.parts = std::move(parts);
  }

  Result<NetworkOfLog> choose(const MeasureNetworks& measure) && {
    network_.lowered = TRY(lowered(measure));
    TRY(check_memory());
    return std::move(network_);
  }

 private:
  const Target& target() const { return traces_.sources().target; }
  const std::optional<Log>& log() const { return *traces_.sources().log; }
  TraceOfTask trace_of() {
    return [this](const KeyedTask& task) { return traces_.best(task); };
  }

  Result<LoweredNetwork> lowered(const MeasureNetworks& measure) {
    const bool is_global = network_.variant == kGlobalVariant;
    if (is_global || !wish_.variant)
      if (std::optional<LoweredNetwork> kept = TRY(kept_network_here())) {
        network_.variant = kGlobalVariant;
        return *std::move(kept);
      }
    if (is_global) return measured(measure);
    if (!wish_.variant && log()) say_that_none_is_kept();
    const auto timed = [this](const KeyedTask& task) { return traces_.timed(task); };
    const NetworkChoice choice =
        TRY(propagated(network_.parts, target(), timed, propagation_of(network_.variant)));
    return lower_network(network_.parts, target(), trace_of(), choice);
  }

  void say_that_none_is_kept() {
    const bool can_be_measured = require_runnable(target()).has_value();
    listener_.note(
        fmt::format("{}: variant joint, as {} keeps no network{}{}", wish_.name, log()->path,
                    which_is_not_kept(*log(), wanted()),
                    can_be_measured ? "; `run --variant global` chooses one by measuring" : ""));
  }

  void take(Partition parts, const std::vector<NodeChain>& chains) {
    say_what_is_fused(chains);
    network_.parts = std::move(parts);
  }

  Result<LoweredNetwork> measured(const MeasureNetworks& measure) {
    if (!measure) return none_kept();
    MeasuredFusions found = TRY(measure(network_.parts));
    const std::string_view ahead =
        found.network.prefetches_weights ? ", with weights asked for ahead" : "";
    // As a ratio: the time that the run reports is of another minute.
    listener_.note(fmt::format(
        "{}: {} networks measured{}; the best takes {:.3f} of the time of variant joint{}",
        wish_.name, found.all_seconds.size(), found.is_settled ? "" : " (there are more to try)",
        found.seconds / found.joint_seconds, ahead));
    network_.record = network_record(network_.parts, target(), found);
    network_.is_measured = true;
    take(std::move(found.parts), found.chains);
    return lower_network(network_.parts, target(), trace_of(), found.network);
  }

  Unexpected none_kept() const {
    const std::string command = fmt::format(
        "dovetail run {} --log {} --variant global{}{}", shell_word(wish_.name),
        log() ? shell_word(log()->path) : "LOG", wish_.exact ? " --exact" : "", limit_option());
    if (!log())
      return fail("variant global is chosen by measurements and kept in a log; first: {}", command);
    if (const std::string constants = constants_beyond_limit(); !constants.empty())
      return fail("{} keeps no network of variant global{}{}", log()->path,
                  which_is_not_kept(*log(), wanted()), constants);
    return fail("{} keeps no network of variant global{}{}", log()->path,
                which_is_not_kept(*log(), wanted()),
                require_runnable(target()) ? "; first: " + command : "");
  }

  std::string limit_option() const {
    return wish_.memory_limit_mb ? fmt::format(" --memory-limit {:g}", *wish_.memory_limit_mb) : "";
  }

  NetworkRecord wanted() const {
    return chosen_under(network_of_graph(network_.parts, target()), wish_.exact,
                        wish_.memory_limit_mb);
  }

  // The fastest network of the log that fits the memory limit. A note names its source.
  Result<std::optional<LoweredNetwork>> kept_network_here() {
    if (!log() || wish_.choose_again) return std::nullopt;
    for (NetworkRecord& record : kept_networks(*log(), wanted()))
      if (std::optional<LoweredNetwork> lowered = TRY(taken_if_it_fits(std::move(record))))
        return lowered;
    return std::nullopt;
  }

  Result<std::optional<LoweredNetwork>> taken_if_it_fits(NetworkRecord record) {
    Result<ChosenNetwork> kept = kept_as_allowed(record);
    Result<LoweredNetwork> lowered =
        kept ? lower_network(kept->parts, target(), trace_of(), kept->network)
             : fail(kept.error().message);
    const bool was_asked_for = wish_.variant.has_value();
    if (!lowered) {
      listener_.note(fmt::format("{}: the network that {} keeps {}: {}", wish_.name, log()->path,
                                 was_asked_for ? "is chosen again" : "is not taken, but joint",
                                 lowered.error().message));
      return std::nullopt;
    }
    if (const std::optional<int64_t> most = bytes_of_limit(wish_.memory_limit_mb))
      if (kept_bytes(TRY(plan_network(lowered->program))) > *most) return std::nullopt;
    listener_.note(fmt::format(
        "{}: the network that {} keeps{}{}: {:.1f} us when it was chosen, {:.1f} as joint",
        wish_.name, log()->path, otherwise_chosen(record),
        was_asked_for ? "" : " is taken (variant global)", 1e6 * record.seconds,
        1e6 * record.joint_seconds));
    network_.record = std::move(record);
    take(std::move(kept->parts), kept->chains);
    return *std::move(lowered);
  }

  // How a network was chosen, where it satisfies options that it was not chosen with.
  std::string otherwise_chosen(const NetworkRecord& record) const {
    std::vector<std::string> ways;
    if (record.exact != wish_.exact) ways.emplace_back("without --exact, yet its traces are exact");
    if (record.memory_limit_bytes != bytes_of_limit(wish_.memory_limit_mb))
      ways.push_back(record.memory_limit_bytes
                         ? "within " + print_megabytes(*record.memory_limit_bytes)
                         : "without a memory limit");
    return ways.empty() ? "" : fmt::format(" (chosen {})", fmt::join(ways, ", "));
  }

  Result<ChosenNetwork> kept_as_allowed(const NetworkRecord& record) {
    ChosenNetwork kept = TRY(chosen_network(network_.parts, record));
    leave_out_inexact(kept);
    return kept;
  }

  // Drops traces of a kept network whose algorithm is not accurate enough on the data at hand.
  void leave_out_inexact(ChosenNetwork& kept) {
    network_.left_out.clear();
    for (size_t node = 0; node < kept.network.nodes.size(); ++node) {
      std::optional<Trace>& trace = kept.network.nodes[node].trace;
      if (!trace || !trace->algorithm) continue;
      const Result<Region>& region = kept.parts.regions[node].spec.value();
      if (!region || traces_.sources().allows(canonical(*region).spec, trace->algorithm)) continue;
      trace.reset();
      network_.left_out.insert(node);
    }
  }

  void say_what_is_fused(const std::vector<NodeChain>& chains) const {
    for (const NodeChain& chain : chains) {
      std::vector<std::string> names;
      for (const size_t node : chain.nodes) names.push_back(network_.parts.graph.nodes[node].name);
      listener_.note(fmt::format("{}: one region: {}", wish_.name, fmt::join(names, ", ")));
    }
  }

  Result<void> check_memory() const {
    const std::optional<int64_t> most = bytes_of_limit(wish_.memory_limit_mb);
    if (!most) return {};
    const NetworkPlan plan = TRY(plan_network(network_.lowered.program));
    if (kept_bytes(plan) <= *most) return {};
    return fail(
        "variant {} takes {} of memory, {} of constants and {} of temporaries; expected at most {} "
        "(--memory-limit){}",
        network_.variant, print_megabytes(kept_bytes(plan)),
        print_megabytes(bytes_in(plan, NetworkMemory::constants)),
        print_megabytes(bytes_in(plan, NetworkMemory::workspace)), print_megabytes(*most),
        what_may_fit());
  }

  // "; the model's constants alone take 2.8 MB" where they take more than is allowed.
  std::string constants_beyond_limit() const {
    const std::optional<int64_t> most = bytes_of_limit(wish_.memory_limit_mb);
    const int64_t constants = constant_bytes(network_.parts.graph);
    if (!most || constants <= *most) return "";
    return fmt::format("; the model's constants alone take {}", print_megabytes(constants));
  }

  std::string what_may_fit() const {
    const std::string constants = constants_beyond_limit();
    if (!constants.empty() || network_.variant == kGlobalVariant) return constants;
    return "; `dovetail run` with --variant global may find a network that fits, and keeps it in "
           "the log";
  }

  TaskTraces& traces_;
  const NetworkWish& wish_;
  const Listener& listener_;
  NetworkOfLog network_;
};

}  // namespace

Result<NetworkOfLog> choose_network(Partition parts, TaskTraces& traces, const NetworkWish& wish,
                                    const Listener& listener, const MeasureNetworks& measure) {
  return NetworkChoosing(std::move(parts), traces, wish, listener).choose(measure);
}

}  // namespace dovetail
