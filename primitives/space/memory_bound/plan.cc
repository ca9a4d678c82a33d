// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/plan.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/base/check.h"
#include "core/ir/value/walk.h"
#include "primitives/copy.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/staged_copy.h"

namespace dovetail::memory_bound {
namespace {

// Most rows of a transposed tile where bounds decide the source of each row.
constexpr int64_t kMaxBroken = 16;
constexpr int64_t kMostApart = 2;   // elements between the reads of adjacent lanes
constexpr size_t kMostBounds = 12;  // beyond, not all of them are looked for in loops

bool is_costly(const Computation& c) {
  bool found = false;
  for_each_node(c.element, [&](const Value& node) {
    const auto* unary = node.as<Unary>();
    const auto* binary = node.as<Binary>();
    found = found || (unary != nullptr && unary->op != UnaryOp::abs && unary->op != UnaryOp::floor);
    found = found || (binary != nullptr && binary->op == BinaryOp::pow);
  });
  return found;
}

std::vector<Bound> bounds_of(const Computation& c) {
  std::vector<Bound> bounds;
  const auto visit = [&](const Value& value) {
    for_each_node(value, [&](const Value& node) {
      if (const auto* s = node.as<Select>())
        bounds.insert(bounds.end(), s->bounds.begin(), s->bounds.end());
    });
  };
  visit(c.element);
  visit(c.result);
  return bounds;
}

// Whether lowering can cut loops where bounds end (lowering/passes/peel_loops.h): a bound on two
// axes ends nowhere, and of many bounds not all are considered.
bool is_parted(const std::vector<Bound>& bounds) {
  return bounds.size() <= kMostBounds && std::ranges::all_of(bounds, [](const Bound& bound) {
           return bound.expr.variables().size() == 1;
         });
}

// The greatest length, for each axis that bounds mention, at whose multiples all of them end: 32
// where 64, 32 and 64 channels are concatenated, 1 where a bound mentions several axes.
std::map<std::string, int64_t> bounded_axes(const std::vector<Bound>& bounds) {
  std::map<std::string, int64_t> bounded;
  for (const Bound& bound : bounds)
    for (const std::string& name : bound.expr.variables()) {
      const IndexExpr start = bound.expr - IndexExpr::variable(name);
      int64_t& cut = bounded[name];
      cut = start.is_constant() ? std::gcd(cut, std::gcd(bound.lower - start.constant(),
                                                         bound.upper - start.constant()))
                                : 1;
    }
  return bounded;
}

std::set<std::string> deciding_axes(const Computation& c) {
  std::set<std::string> deciding;
  for (const GatherIndex& chosen : c.gathers)
    for_each_index(chosen.value, c.reads, [&](const IndexExpr& index) {
      for (const std::string& name : index.variables()) deciding.insert(name);
    });
  return deciding;
}

class PlanBuilder {
 public:
  PlanBuilder(const Region& region, const Target& target, const std::string& blocked)
      : region_(region),
        target_(target),
        rules_(rules_of(target)),
        runs_(region, blocked),
        layouts_(region, runs_, blocked, vector_lanes(target)) {}

  Plan build() {
    Plan plan;
    for (const Tensor& tensor : tensors_of(region_)) {
      TensorLayout lines = layouts_.lines(tensor.name);
      if (!lines.primitives.empty()) plan.layouts.push_back(std::move(lines));
    }
    for (const NamedComputation& named : region_.computations)
      plan.stages.push_back(stage_of(named));
    for (const Tensor& tensor : tensors_of(region_)) {
      if (is_inner(region_, tensor.name)) continue;
      int64_t bytes = bytes_of(tensor.type);
      for (const LogicalDim& dim : tensor.dims) bytes *= dim.extent;
      plan.bytes += bytes;
    }
    find_readers(plan);
    for (Stage& stage : plan.stages) stage.vectors = vectors_of(stage, plan);
    for (Stage& stage : plan.stages)
      stage.may_vanish = stage.may_vanish && may_be_read_in_vectors(stage, plan);
    return plan;
  }

 private:
  Stage stage_of(const NamedComputation& named) {
    const Computation& c = named.computation;
    Stage stage;
    stage.name = named.name;
    stage.tensor = c.output.tensor;
    add_output_axes(named, stage);
    add_reduced_axes(named, stage);
    for (const GatherIndex& index : c.gathers) stage.gathers.push_back(index.name);
    const std::vector<Bound> bounds = bounds_of(c);
    const std::map<std::string, int64_t> bounded = bounded_axes(bounds);
    stage.is_parted = is_parted(bounds);
    const std::set<std::string> deciding = deciding_axes(c);
    for (StageAxis& axis : stage.axes) {
      for (const std::string& name : axis.axes) {
        axis.is_bounded |= bounded.contains(name);
        axis.decides |= deciding.contains(name);
      }
      if (axis.is_bounded && axis.axes.size() == 1)
        axis.cut = cut_of(axis, bounded.at(axis.axes[0]));
    }
    stage.stored = strides(c.output, stage);
    for (const Access& access : c.reads) stage.read.push_back(strides(access, stage));
    stage.is_costly = is_costly(c);
    stage.may_vanish = c.reducer == Reducer::none && c.gathers.empty();
    stage.root = stage.name;
    const Tensor& made = tensor_named(c, stage.tensor);
    stage.is_real = computed_type(made.type) == ComputedType::real;
    stage.output_bytes = bytes_of(made.type);
    for (const LogicalDim& dim : made.dims) stage.output_bytes *= dim.extent;
    if (is_copy(c)) stage.copied = c.reads[0].tensor;
    stage.moves = moves_elements(c);
    return stage;
  }

  // Length of the segments between bounds, which no vector crosses; 0: they are not worth a loop.
  int64_t cut_of(const StageAxis& axis, int64_t bounds) const {
    const int64_t cut = std::gcd(bounds, axis.extent);
    const bool is_worth = rules_.cuts_tails && !axis.reduction && cut * 2 >= vector_lanes(target_);
    return is_worth ? cut : 0;
  }

  void add_output_axes(const NamedComputation& named, Stage& stage) const {
    const Computation& c = named.computation;
    for (const StoredAxis& stored : layouts_.axes(stage.tensor)) {
      if (stored.extent == 1) continue;
      StageAxis axis{.loop = stored.name, .axes = {}, .extent = stored.extent};
      for (const size_t dim : stored.dims)
        axis.axes.push_back(c.output.indices[dim].variables().at(0));
      axis.run = runs_.of_dim(stage.tensor, stored.dims.back());
      axis.is_scattered = !std::ranges::all_of(
          stored.dims, [&](size_t dim) { return is_read_at_one_place(stage.tensor, dim); });
      axis.part = stored.part;
      stage.axes.push_back(std::move(axis));
    }
  }

  // Whether every reader indexes the dimension by one expression, and no other dimension by the
  // same axis: then one round of that axis reads one part of the tensor.
  bool is_read_at_one_place(const std::string& tensor, size_t dim) const {
    for (const NamedComputation& named : region_.computations) {
      std::optional<IndexExpr> place;
      for (const Access& access : named.computation.reads) {
        if (access.tensor != tensor) continue;
        const IndexExpr& index = access.indices[dim];
        if (place && !(*place == index)) return false;
        place = index;
        for (size_t other = 0; other < access.indices.size(); ++other)
          if (other != dim && runs_.class_of_dim(tensor, dim) != AxisRuns::kNone &&
              runs_.class_of_dim(tensor, other) == runs_.class_of_dim(tensor, dim))
            return false;
      }
    }
    return true;
  }

  // Axes of one run are fused into one loop.
  void add_reduced_axes(const NamedComputation& named, Stage& stage) const {
    for (const Axis& axis : named.computation.axes) {
      if (!axis.reduction || axis.extent == 1) continue;
      const int run = runs_.of_axis(named.name, axis.name);
      const int cls = runs_.class_of_axis(named.name, axis.name);
      const auto same = std::ranges::find_if(stage.axes, [&](const StageAxis& a) {
        return a.reduction && a.run == run && runs_.class_of_axis(named.name, a.axes.back()) != cls;
      });
      if (same == stage.axes.end()) {
        stage.axes.push_back({axis.name, {axis.name}, axis.extent, true, run});
      } else {
        same->loop = fused_name(same->loop, axis.name);
        same->axes.push_back(axis.name);
        same->extent *= axis.extent;
      }
    }
  }

  Strides strides(const Access& access, const Stage& stage) const {
    Strides result;
    for (const StageAxis& axis : stage.axes) result.push_back(layouts_.stride(access, axis));
    return result;
  }

  // Records whether the distances between a reader's accesses are independent of its output axes
  // (T[d + r] and T[d], but not T[d/2] and T[d]), and whether they are zero.
  static void compare_reads(const Computation& reader, Stage& stage) {
    const Access* first = nullptr;
    for (const Access& read : reader.reads) {
      if (read.tensor != stage.tensor) continue;
      if (first == nullptr) first = &read;
      for (size_t j = 0; j < read.indices.size(); ++j) {
        const IndexExpr apart = read.indices[j] - first->indices[j];
        stage.is_read_once &= apart == IndexExpr(0);
        for (const Axis& axis : reader.axes)
          stage.moves_alike &= axis.reduction || !apart.mentions(axis.name);
      }
    }
  }

  void find_readers(Plan& plan) const {
    for (size_t k = plan.stages.size(); k-- > 0;) {
      Stage& stage = plan.stages[k];
      std::set<std::string> roots;
      for (size_t r = k + 1; r < plan.stages.size(); ++r) {
        const Computation& reader = region_.computations[r].computation;
        if (!reads_tensor(reader.reads, stage.tensor)) continue;
        stage.readers.push_back(plan.stages[r].name);
        compare_reads(reader, stage);
        roots.insert(plan.stages[r].root);
      }
      if (is_inner(region_, stage.tensor) && roots.size() == 1) stage.root = *roots.begin();
    }
  }

  // Whether adjacent lanes of its readers would read near elements if the stage were inlined.
  static bool may_be_read_in_vectors(const Stage& stage, const Plan& plan) {
    const auto near_along = [&](const StageAxis& lanes) {
      for (size_t a = 0; a < stage.axes.size(); ++a)
        for (const Strides& read : stage.read)
          if (stage.axes[a].run == lanes.run && stage.axes[a].part == lanes.part &&
              (!read[a] || *read[a] < 0 || *read[a] > kMostApart))
            return false;
      return true;
    };
    return std::ranges::all_of(stage.readers, [&](const std::string& name) {
      const Stage& reader = plan.stage(name);
      return std::ranges::all_of(reader.vectors, [&](const VectorChoice& choice) {
        return !choice.axis || near_along(reader.axes[*choice.axis]);
      });
    });
  }

  static bool is_contiguous(const Stage& stage, size_t axis) {
    bool moves = false;
    const auto fits = [&](const Strides& strides) {
      moves = moves || strides[axis] == 1;
      return strides[axis] == 0 || strides[axis] == 1;
    };
    if (!fits(stage.stored)) return false;
    return std::ranges::all_of(stage.read, fits) && moves;
  }

  // Vector choices, best first: along an output axis; along a reduction, with a partial sum per
  // lane; a copy by transposed tiles; none.
  std::vector<VectorChoice> vectors_of(const Stage& stage, const Plan& plan) const {
    const int64_t lanes = vector_lanes(target_);
    std::vector<std::pair<int, VectorChoice>> ranked;
    for (size_t a = 0; a < stage.axes.size(); ++a) {
      const StageAxis& axis = stage.axes[a];
      if (axis.is_broken() || axis.decides || !is_contiguous(stage, a) ||
          (axis.reduction && !rules_.sums_in_lanes))
        continue;
      if (!axis.reduction && stage.stored[a] != 1) continue;
      if (axis.reduction && axis.extent < lanes) continue;
      const bool fills = axis.reduction ? axis.extent >= 2 * lanes : axis.extent * 2 >= lanes;
      ranked.push_back({(fills ? 0 : 2) + (axis.reduction ? 1 : 0), {a, std::nullopt}});
    }
    if (rules_.transposes_in_registers ? stage.moves : may_be_staged(stage, plan))
      add_transposed(stage, ranked);
    std::ranges::stable_sort(ranked, {}, &std::pair<int, VectorChoice>::first);
    std::vector<VectorChoice> result;
    for (auto& [_, choice] : ranked) result.push_back(choice);
    result.push_back({});
    return result;
  }

  // Only a separate kernel without stages inside fills local memory, which holds real numbers.
  bool may_be_staged(const Stage& stage, const Plan& plan) const {
    const auto holds = [&](const Stage& other) {
      return other.name != stage.name && other.root == stage.name;
    };
    return !stage.copied.empty() && target_.local_memory_bytes > 0 && stage.is_real &&
           !stage.is_inner() && std::ranges::none_of(plan.stages, holds);
  }

  void add_transposed(const Stage& stage, std::vector<std::pair<int, VectorChoice>>& ranked) const {
    const auto has_tiles = [&](const StageAxis& axis) {
      return rules_.transposes_in_registers ||
             (!axis.is_bounded && !staged_tiles(axis.extent, target_).empty());
    };
    for (size_t to = 0; to < stage.axes.size(); ++to) {
      const StageAxis& rows = stage.axes[to];
      if (stage.stored[to] != 1 || !has_tiles(rows)) continue;
      if (rows.is_broken() && rows.extent > kMaxBroken) continue;
      for (size_t from = 0; from < stage.axes.size(); ++from)
        if (from != to && !stage.axes[from].is_broken() && has_tiles(stage.axes[from]) &&
            is_read_along(stage, from, to))
          ranked.push_back({1, {from, to}});
    }
  }

  // Whether every read is contiguous along `from`. In a concatenation that loops separate, some may
  // be contiguous along `to` instead, unless a tile has rows of several of its tensors.
  static bool is_read_along(const Stage& stage, size_t from, size_t to) {
    const auto along = [](size_t axis) {
      return [axis](const Strides& read) { return read[axis] == 1; };
    };
    const auto along_either = [&](const Strides& read) {
      const bool is_apart = stage.is_parted && !stage.axes[to].is_broken();
      return along(from)(read) || (is_apart && along(to)(read) && read[from].has_value());
    };
    return std::ranges::any_of(stage.read, along(from)) &&
           std::ranges::all_of(stage.read, along_either);
  }

  const Region& region_;
  const Target& target_;
  const ExecutionRules& rules_;
  AxisRuns runs_;
  RegionLayouts layouts_;
};

}  // namespace

bool StageAxis::is_broken() const { return is_bounded && cut == 0; }

bool Stage::gathers_by_a_reduction() const {
  const auto chooses = [](const StageAxis& axis) { return axis.reduction && axis.decides; };
  return std::ranges::any_of(axes, chooses);
}

bool Stage::reduces() const { return std::ranges::any_of(axes, &StageAxis::reduction); }

size_t Stage::output_axes() const {
  return static_cast<size_t>(
      std::ranges::count_if(axes, [](const StageAxis& axis) { return !axis.reduction; }));
}

const Stage& Plan::stage(const std::string& name) const {
  const auto found = std::ranges::find(stages, name, &Stage::name);
  CHECK(found != stages.end(), "the region has stage " + name);
  return *found;
}

std::vector<size_t> Plan::common_axes(const Stage& root) const {
  std::vector<size_t> common;
  bool has_inner = false;
  for (size_t a = 0; a < root.output_axes(); ++a) {
    bool everywhere = true;
    for (const Stage& stage : stages) {
      if (stage.root != root.name || !stage.is_inner()) continue;
      has_inner = true;
      everywhere &= std::ranges::any_of(stage.axes, [&](const StageAxis& axis) {
        return !axis.reduction && !axis.is_scattered && axis.run == root.axes[a].run &&
               axis.part == root.axes[a].part;
      });
    }
    if (everywhere) common.push_back(a);
  }
  return has_inner ? common : std::vector<size_t>();
}

Plan derive_plan(const Region& region, const Target& target, const std::string& blocked) {
  return PlanBuilder(region, target, blocked).build();
}

std::string axis_worth_blocking(const Region& region, const Target& target) {
  if (!rules_of(target).blocks_dims || region.computations.size() != 1) return "";
  const Plan plain = derive_plan(region, target);
  const Stage& stage = plain.stages[0];
  const std::optional<size_t> best = stage.vectors.front().axis;
  if (!stage.reduces() || (best && !stage.axes[*best].reduction)) return "";
  const Computation& c = region.computations[0].computation;
  const Tensor& made = tensor_named(c, stage.tensor);
  for (size_t d = made.dims.size(); d-- > 0;) {
    const bool divides = made.dims[d].extent % vector_lanes(target) == 0;
    const std::string axis = c.output.indices[d].variables().at(0);
    const bool is_plain = std::ranges::all_of(c.reads, [&](const Access& access) {
      return std::ranges::all_of(access.indices, [&](const IndexExpr& index) {
        return !index.mentions(axis) || index == IndexExpr::variable(axis);
      });
    });
    if (divides && is_plain) return made.dims[d].name;
  }
  return "";
}

}  // namespace dovetail::memory_bound
