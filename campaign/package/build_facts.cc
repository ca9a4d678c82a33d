// SPDX-License-Identifier: Apache-2.0
#include "campaign/package/build_facts.h"

#include <algorithm>
#include <iterator>

#include "core/base/files.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/ir/region/region_text.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/value/walk.h"
#include "deploy/network/network_plan_text.h"
#include "deploy/package/licence.h"
#include "deploy/package/sha256.h"

namespace dovetail {
namespace {

std::string name_of_step(const JudgedNetwork& network, size_t step) {
  const NetworkStep& own = network.lowered.steps[step];
  if (own.node) return network.parts.graph.nodes[*own.node].name;
  return network.lowered.program.calls[step].name;
}

// "the nearest is logs/tune.jsonl#1.17@c2d:…" -> "the nearest is #1.17@c2d:…", and "logs/tune.jsonl
// has no valid record" -> "the log has no valid record".
std::string without_path(const std::string& text, const std::string& log) {
  if (log.empty()) return text;
  const auto is_word_at = [&](size_t at, size_t end) {
    return (at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ');
  };
  std::string found;
  size_t done = 0;
  for (size_t at = text.find(log); at != std::string::npos; at = text.find(log, done)) {
    const size_t end = at + log.size();
    found += text.substr(done, at - done);
    if (!text.substr(end).starts_with('#')) found += is_word_at(at, end) ? "the log" : log;
    done = end;
  }
  return found + text.substr(done);
}

std::string why(const RecordMatch& match, const std::string& log) {
  if (match.level == MatchLevel::exact) return "";
  if (!match.explanation.empty()) return without_path(match.explanation, log);
  return "there is no log";
}

void add_calls(const CompiledVariant& variant, const std::string& log, PackageFacts& facts) {
  const JudgedNetwork& network = variant.judged.network;
  for (size_t i = 0; i < network.matches.size(); ++i) {
    const NetworkStep& step = network.lowered.steps[i];
    const RecordMatch& match = network.matches[i];
    facts.calls.push_back({.code = variant.label,
                           .node = name_of_step(network, i),
                           .task = step.task.text,
                           .trace = print(step.trace),
                           .match = match.level,
                           .record = without_path(match.name, log),
                           .nearest = match.nearest,
                           .why = why(match, log),
                           .differences = without_path(match.differences, log)});
  }
}

// True if kernels approximate a function of the region by polynomials, to the last bit or two.
bool has_vector_functions(const Region& region) {
  const auto is_one = [](const Value& node) {
    if (const auto* binary = node.as<Binary>()) return binary->op == BinaryOp::pow;
    const auto* unary = node.as<Unary>();
    if (unary == nullptr) return false;
    constexpr UnaryOp kExact[] = {UnaryOp::sqrt, UnaryOp::floor, UnaryOp::abs};
    return std::ranges::find(kExact, unary->op) == std::end(kExact);
  };
  return std::ranges::any_of(region.computations, [&](const NamedComputation& named) {
    return any_node(named.computation.element, is_one) ||
           any_node(named.computation.result, is_one);
  });
}

void add_accuracy(const CompiledVariant& variant, PackageFacts& facts) {
  const JudgedBuild& judged = variant.judged;
  const std::vector<NetworkStep>& steps = judged.network.lowered.steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::optional<Algorithm>& algorithm = steps[i].trace.algorithm;
    const bool has_functions = has_vector_functions(steps[i].task.region);
    if (!algorithm && !has_functions) continue;
    RegionAccuracy region{
        .code = variant.label,
        .region = name_of_step(judged.network, i),
        .algorithm = algorithm ? print(*algorithm) : "",
        .has_vector_functions = has_functions,
        .error = judged.rule->expected_error(steps[i].task, algorithm).value_or(0),
        .is_measured = judged.network.range_error.has_value()};
    if (region.is_measured) region.error = 0;
    for (const NetworkChecker::CallError& call : judged.network.errors)
      if (call.call == i) region.error = std::max(region.error, call.range_error);
    facts.accuracy.push_back(std::move(region));
  }
}

void add_origins(const CompiledVariant& variant, std::vector<WeightsOrigin>& origins) {
  const NetworkProgram& network = variant.judged.network.lowered.program;
  const NetworkPlan& plan = variant.plan;
  std::vector<size_t> number(plan.arenas.size(), 0);
  size_t count = 0;
  for (size_t a = 0; a < plan.arenas.size(); ++a)
    if (plan.arenas[a].use == NetworkMemory::constants) number[a] = count++;
  origins.resize(count);
  for (size_t b = 0; b < network.buffers.size(); ++b) {
    if (use_of(plan, b) != NetworkMemory::constants) continue;
    const Buffer& buffer = network.buffers[b].buffer;
    WeightsOrigin& origin = origins[number[plan.places[b].arena]];
    (buffer.role == BufferRole::prepared ? origin.prepared_bytes : origin.given_bytes) +=
        buffer_bytes(buffer);
  }
}

}  // namespace

PackageFacts facts_of_calls(const CompiledVariants& variants, const std::string& log) {
  const JudgedBuild& best = variants.front().judged;
  PackageFacts facts{.tool = "dovetail " DOVETAIL_VERSION,
                     .llvm = llvm_version(),
                     .model_sha256 = {},
                     .model_nodes = num_model_nodes(best.network.parts),
                     .model_bytes = constant_bytes(best.network.parts.graph)};
  for (const CompiledVariant& variant : variants) {
    add_calls(variant, log, facts);
    add_accuracy(variant, facts);
    const std::optional<double>& error = variant.judged.network.range_error;
    if (!error || (facts.output_error && facts.output_error->error >= *error)) continue;
    facts.output_error = {.error = *error, .data = variant.judged.data};
  }
  facts.licences = {{.spdx = "Apache-2.0",
                     .work = "header, driver, kernels, examples",
                     .text = apache_licence()}};
  return facts;
}

void add_memory_facts(const CompiledVariants& variants, PackageFacts& facts) {
  for (const CompiledVariant& variant : variants) add_origins(variant, facts.weights);
  const NetworkProgram& best = variants.front().judged.network.lowered.program;
  if (is_for_device(variants.front().executable)) return;  // device memory is not planned
  facts.plan_csv = plan_text(best, variants.front().plan);
  facts.plan_svg = plan_picture(best, variants.front().plan);
}

Result<std::string> digest_of_file(const std::string& path) {
  return sha256_hex(TRY(read_file(path)));
}

}  // namespace dovetail
