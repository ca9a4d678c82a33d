// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/build_facts.h"

#include <algorithm>

#include "core/ir/region/region_text.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"

namespace dovetail {
namespace {

std::string name_of_step(const JudgedNetwork& network, size_t step) {
  const NetworkStep& own = network.lowered.steps[step];
  if (own.node) return network.parts.graph.nodes[*own.node].name;
  return network.lowered.program.calls[step].name;
}

// "logs/tune.jsonl#1.17@5e1f…" -> "log#1.17@5e1f…", wherever it stands.
std::string without_path(std::string text, const std::string& log) {
  if (log.empty()) return text;
  constexpr std::string_view kWord = "log";
  for (size_t at = text.find(log); at != std::string::npos; at = text.find(log, at + kWord.size()))
    text.replace(at, log.size(), kWord);
  return text;
}

CallMatch match_of(const RecordMatch& match) {
  switch (match.level) {
    case MatchLevel::exact: return CallMatch::exact;
    case MatchLevel::family: return CallMatch::family;
    default: return CallMatch::default_trace;
  }
}

std::string why(const RecordMatch& match, const std::string& log) {
  if (match.level == MatchLevel::exact) return "";
  if (!match.explanation.empty()) return without_path(match.explanation, log);
  return "there is no log";
}

}  // namespace

std::vector<PackageCall> calls_of(const JudgedNetwork& network, const std::string& log) {
  std::vector<PackageCall> calls;
  for (size_t i = 0; i < network.matches.size(); ++i) {
    const NetworkStep& step = network.lowered.steps[i];
    const RecordMatch& match = network.matches[i];
    calls.push_back({.node = name_of_step(network, i),
                     .task = print(step.task),
                     .trace = print(step.trace),
                     .match = match_of(match),
                     .record = without_path(match.name, log),
                     .why = why(match, log)});
  }
  return calls;
}

std::vector<RegionAccuracy> accuracy_of(const JudgedBuild& judged) {
  std::vector<RegionAccuracy> regions;
  const std::vector<NetworkStep>& steps = judged.network.lowered.steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::optional<Algorithm>& algorithm = steps[i].trace.algorithm;
    if (!algorithm) continue;
    RegionAccuracy region{
        .region = name_of_step(judged.network, i),
        .algorithm = print(*algorithm),
        .error = judged.rule->expected_error(steps[i].task, algorithm).value_or(0),
        .is_measured = judged.network.range_error.has_value()};
    if (region.is_measured) region.error = 0;
    for (const NetworkSteps::InexactCall& call : judged.network.inexact)
      if (call.call == i) region.error = std::max(region.error, call.range_error);
    regions.push_back(std::move(region));
  }
  return regions;
}

std::vector<WeightsOrigin> weights_origins(const NetworkProgram& network, const NetworkPlan& plan) {
  std::vector<WeightsOrigin> origins;
  std::vector<size_t> number(plan.arenas.size(), 0);
  for (size_t a = 0; a < plan.arenas.size(); ++a) {
    if (plan.arenas[a].use != NetworkMemory::constants) continue;
    number[a] = origins.size();
    origins.emplace_back();
  }
  for (size_t b = 0; b < network.buffers.size(); ++b) {
    if (use_of(plan, b) != NetworkMemory::constants) continue;
    const Buffer& buffer = network.buffers[b].buffer;
    WeightsOrigin& origin = origins[number[plan.places[b].arena]];
    (buffer.role == BufferRole::derived ? origin.derived_bytes : origin.given_bytes) +=
        buffer_bytes(buffer);
  }
  return origins;
}

}  // namespace dovetail
