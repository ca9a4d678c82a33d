// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/chains/chain.h"

#include <algorithm>

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
    if (!is_product_sum(c) || element_reads(c).size() != 2 || !c.chosen.empty()) return false;
    if (k + 1 < count && !is_read_by_the_next_alone(region, k)) return false;
  }
  return true;
}

const Access& read_of(const Structure& reader, const std::string& tensor) {
  return *std::ranges::find(reader.inputs(), tensor, &Access::tensor);
}

// The producer's axis that an axis of the consumer indexes, with its step and window.
struct Mapped {
  std::string axis;
  int64_t step = 1, window = 1;
};

std::optional<Mapped> mapped(const Structure& reader, const std::string& axis,
                             const Structure& maker) {
  const Access& access = read_of(reader, maker.output());
  std::optional<Mapped> found;
  for (size_t dim = 0; dim < access.indices.size(); ++dim) {
    if (!access.indices[dim].mentions(axis)) continue;
    if (found || !access.indices[dim].is_affine()) return std::nullopt;
    for (const StructureAxis& own : maker.axes)
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
bool meets_in_vectors(const Structure& reader, const Structure& maker, const Target& target) {
  if (maker.lanes != target.vector_lanes || maker.vector_axis.empty()) return false;
  if (maker.axis(maker.vector_axis).extent % maker.lanes != 0) return false;
  const Access& access = read_of(reader, maker.output());
  for (size_t dim = 0; dim < access.indices.size(); ++dim) {
    if (!is_alone(maker.computation.output.indices[dim], maker.vector_axis)) continue;
    const bool shared = is_alone(access.indices[dim], reader.vector_axis) &&
                        reader.axis(reader.vector_axis).kind == AxisClass::shared &&
                        reader.lanes == target.vector_lanes;
    return shared || (!reader.pure.empty() && is_alone(access.indices[dim], reader.pure));
  }
  return false;
}

// Sets up rounds over axis `rows` of the last stage in every stage; false where an earlier one has
// no corresponding axis.
bool run_rounds_over(Chain& chain, const std::string& rows) {
  chain.stages.back().rows = rows;
  std::vector<std::string> lead;
  for (const std::string& axis : row_axes(chain.stages.back().structure)) {
    if (axis == rows) break;
    lead.push_back(axis);
  }
  chain.stages.back().lead = lead;
  for (size_t k = chain.last(); k-- > 0;) {
    const ChainStage& reader = chain.stages[k + 1];
    ChainStage& stage = chain.stages[k];
    const auto own = mapped(reader.structure, reader.rows, stage.structure);
    if (!own) return false;
    stage.rows = own->axis;
    stage.step = own->step;
    stage.window = own->window;
    stage.lead.clear();
    for (const std::string& axis : reader.lead) {
      const auto batch = mapped(reader.structure, axis, stage.structure);
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
    Result<Structure> structure = derive_structure(named.computation, target);
    if (!structure || !structure->phased.empty()) return std::nullopt;
    structure->stage = named.name;
    structure->splits_reduction = false;
    chain.stages.push_back({.name = named.name, .structure = std::move(*structure)});
  }
  for (size_t k = 0; k < chain.last(); ++k) {
    Structure& maker = chain.stages[k].structure;
    if (!meets_in_vectors(chain.stages[k + 1].structure, maker, target)) return std::nullopt;
    maker.ragged = row_axes(maker);
  }
  // Prefers an axis over which windows slide, because its neighbouring rounds share rows.
  std::optional<Chain> found;
  for (const std::string& rows : row_axes(chain.stages.back().structure)) {
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
    return plan.is_host(k) ? plan.band : stage.structure.axis(stage.rows).extent;
  const int64_t read = rows_in_round(chain, plan, k + 1);
  return plan.rolls(chain, k) ? stage.step * read : stage.step * (read - 1) + stage.window;
}

std::vector<Structure> structures_in_rounds(const Chain& chain, const ChainPlan& plan,
                                            const std::vector<Choices>& choices) {
  std::vector<Structure> result;
  for (const ChainStage& stage : chain.stages) result.push_back(stage.structure);
  for (size_t k = result.size(); k-- > 0;) {
    if (!plan.attached[k]) {
      result[k].serial = plan.is_host(k);
      continue;
    }
    result[k].serial = true;
    const Structure& reader = result[k + 1];
    const Access& access = read_of(reader, result[k].output());
    const auto padded = padded_extents(reader, choices[k + 1]);
    for (const std::string& axis : row_axes(chain.stages[k].structure)) {
      for (size_t dim = 0; dim < access.indices.size(); ++dim) {
        if (!is_alone(result[k].computation.output.indices[dim], axis)) continue;
        const Range read = index_range(access.indices[dim], reader, padded);
        result[k].axis(axis).extent = read.max - read.min + 1;
      }
    }
    for (const std::string& axis : chain.stages[k].lead) result[k].axis(axis).extent = 1;
    result[k].axis(chain.stages[k].rows).extent = rows_in_round(chain, plan, k);
  }
  return result;
}

}  // namespace dovetail
