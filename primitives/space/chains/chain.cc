// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/chains/chain.h"

#include <algorithm>
#include <map>
#include <utility>

#include "primitives/space/layouts/decode_layouts.h"

namespace dovetail {
namespace {

bool is_alone(const IndexExpr& index, const std::string& axis) {
  return index == IndexExpr::variable(axis);
}

// Whether the sum of the next stage, and nothing else, reads the output of stage k.
bool is_read_by_the_next_alone(const Region& region, size_t k) {
  const std::string& tensor = region.computations[k].computation.output.tensor;
  int reads = 0;
  for (const NamedComputation& named : region.computations)
    for (const Access& access : named.computation.reads) reads += access.tensor == tensor ? 1 : 0;
  const auto next = element_reads(region.computations[k + 1].computation);
  return reads == 1 && is_inner(region, tensor) && reads_tensor(next, tensor);
}

// Whether no two products read the same tensor: they would have to agree on its layout.
bool reads_are_distinct(const Region& region) {
  std::vector<std::string> read;
  for (const NamedComputation& named : region.computations)
    for (const Access& access : element_reads(named.computation)) read.push_back(access.tensor);
  std::ranges::sort(read);
  return std::ranges::adjacent_find(read) == read.end();
}

bool is_chain(const Region& region) {
  const size_t count = region.computations.size();
  if (count < 2 || !reads_are_distinct(region)) return false;
  for (size_t k = 0; k < count; ++k) {
    const Computation& c = region.computations[k].computation;
    if (!is_product_sum(c) || element_reads(c).size() != 2 || !c.gathers.empty()) return false;
    if (k + 1 < count && !is_read_by_the_next_alone(region, k)) return false;
  }
  return true;
}

const Access& read_of(const ContractionFacts& reader, const std::string& tensor) {
  return *std::ranges::find(reader.inputs(), tensor, &Access::tensor);
}

// The producer's axis that an axis of the consumer indexes, with its step and window.
struct Mapped {
  std::string axis;
  int64_t step = 1, window = 1;
};

std::optional<Mapped> mapped(const ContractionFacts& reader, const std::string& axis,
                             const ContractionFacts& maker) {
  const Access& access = read_of(reader, maker.output());
  std::optional<Mapped> found;
  for (size_t dim = 0; dim < access.indices.size(); ++dim) {
    if (!access.indices[dim].mentions(axis)) continue;
    if (found || !access.indices[dim].is_affine()) return std::nullopt;
    for (const ContractionAxis& own : maker.axes)
      if (is_alone(maker.computation.output.indices[dim], own.name)) found = Mapped{own.name};
    if (!found) return std::nullopt;
    const Range one = index_range(access.indices[dim], reader, {{axis, 1}});
    found->step = access.indices[dim].coefficient(axis);
    found->window = one.max - one.min + 1;
  }
  const bool is_row = found && found->step >= 1 && maker.axis(found->axis).kind == AxisClass::row;
  return is_row ? found : std::nullopt;
}

// Whether the consumer can use the producer's vectors unchanged: lane by lane, or as its reduction.
bool meets_in_vectors(const ContractionFacts& reader, const ContractionFacts& maker,
                      const Target& target) {
  if (maker.lanes != vector_lanes(target) || maker.vector_axis.empty()) return false;
  if (maker.axis(maker.vector_axis).extent % maker.lanes != 0) return false;
  const Access& access = read_of(reader, maker.output());
  for (size_t dim = 0; dim < access.indices.size(); ++dim) {
    if (!is_alone(maker.computation.output.indices[dim], maker.vector_axis)) continue;
    const bool shared = is_alone(access.indices[dim], reader.vector_axis) &&
                        reader.axis(reader.vector_axis).kind == AxisClass::shared &&
                        reader.lanes == vector_lanes(target);
    return shared || (!reader.pure.empty() && is_alone(access.indices[dim], reader.pure));
  }
  return false;
}

// Sets up rounds over axis `rows` of the last stage in every stage; false where an earlier one has
// no corresponding axis.
bool run_rounds_over(Chain& chain, const std::string& rows) {
  chain.stages.back().rows = rows;
  std::vector<std::string> lead;
  for (const std::string& axis : row_axes(chain.facts(chain.last()))) {
    if (axis == rows) break;
    lead.push_back(axis);
  }
  chain.stages.back().lead = lead;
  for (size_t k = chain.last(); k-- > 0;) {
    const ChainStage& reader = chain.stages[k + 1];
    ChainStage& stage = chain.stages[k];
    const auto own = mapped(reader.plan.facts, reader.rows, stage.plan.facts);
    if (!own) return false;
    stage.rows = own->axis;
    stage.step = own->step;
    stage.window = own->window;
    stage.lead.clear();
    for (const std::string& axis : reader.lead) {
      const auto batch = mapped(reader.plan.facts, axis, stage.plan.facts);
      if (!batch || batch->step != 1 || batch->window != 1) return false;
      stage.lead.push_back(batch->axis);
    }
  }
  return true;
}

}  // namespace

std::optional<Chain> derive_chain(const Region& region, const Target& target) {
  if (!runs_threads(target) || !is_chain(region)) return std::nullopt;
  Chain chain;
  for (const NamedComputation& named : region.computations) {
    Result<ContractionFacts> facts = derive_facts(named.computation, target);
    if (!facts || !facts->phased.empty()) return std::nullopt;
    chain.stages.push_back(
        {.name = named.name, .plan = {.facts = *std::move(facts), .stage = named.name}});
  }
  for (size_t k = 0; k < chain.last(); ++k) {
    ContractionFacts& maker = chain.stages[k].plan.facts;
    if (!meets_in_vectors(chain.facts(k + 1), maker, target)) return std::nullopt;
    maker = with_tails(maker, row_axes(maker), AxisTail::cut);
  }
  // Prefers an axis over which windows slide, because its neighbouring rounds share rows.
  std::optional<Chain> found;
  for (const std::string& rows : row_axes(chain.facts(chain.last()))) {
    if (!run_rounds_over(chain, rows)) continue;
    const bool slides =
        std::ranges::any_of(chain.stages, [](const ChainStage& stage) { return stage.window > 1; });
    if (slides) return chain;
    if (!found) found = chain;
  }
  return found;
}

size_t ChainPlan::host(size_t k) const {
  while (attached[k]) ++k;
  return k;
}

bool ChainPlan::is_host(size_t k) const { return k > 0 && !attached[k] && attached[k - 1]; }

bool ChainPlan::rolls(const Chain& chain, size_t k) const {
  const ChainStage& stage = chain.stages[k];
  return attached[k] && (k == 0 || !attached[k - 1]) && keeps_rows && stage.window > stage.step;
}

int64_t rows_in_round(const Chain& chain, const ChainPlan& plan, size_t k) {
  const ChainStage& stage = chain.stages[k];
  if (!plan.attached[k])
    return plan.is_host(k) ? plan.band : chain.facts(k).axis(stage.rows).extent;
  const int64_t read = rows_in_round(chain, plan, k + 1);
  return plan.rolls(chain, k) ? stage.step * read : stage.step * (read - 1) + stage.window;
}

std::vector<ContractionPlan> plans_in_rounds(const Chain& chain, const ChainPlan& plan,
                                             const std::vector<Choices>& choices) {
  std::vector<ContractionPlan> result;
  for (const ChainStage& stage : chain.stages) result.push_back(stage.plan);
  for (size_t k = result.size(); k-- > 0;) {
    result[k].serial = plan.attached[k] || plan.is_host(k);
    if (!plan.attached[k]) continue;
    const ContractionFacts& reader = result[k + 1].facts;
    const Access& access = read_of(reader, chain.made(k));
    const auto padded = padded_extents(reader, choices[k + 1]);
    std::map<std::string, int64_t> extents;
    for (const std::string& axis : row_axes(chain.facts(k))) {
      for (size_t dim = 0; dim < access.indices.size(); ++dim) {
        if (!is_alone(chain.facts(k).computation.output.indices[dim], axis)) continue;
        const Range read = index_range(access.indices[dim], reader, padded);
        extents[axis] = read.max - read.min + 1;
      }
    }
    for (const std::string& axis : chain.stages[k].lead) extents[axis] = 1;
    extents[chain.stages[k].rows] = rows_in_round(chain, plan, k);
    result[k].facts = in_part(std::move(result[k].facts), extents);
  }
  return result;
}

}  // namespace dovetail
