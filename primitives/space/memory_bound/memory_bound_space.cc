// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/memory_bound_space.h"

#include <algorithm>
#include <array>
#include <memory>
#include <ranges>

#include "primitives/divisors.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/memory_bound/execution.h"
#include "primitives/space/memory_bound/shared_rows.h"
#include "primitives/space/memory_bound/stage_choices.h"
#include "primitives/space/memory_bound/staged_copy.h"
#include "primitives/space/parameter_list.h"

namespace dovetail::memory_bound {
namespace {

constexpr int64_t kMaxRows = 16;         // rows of a round
constexpr int64_t kMaxWrittenOut = 256;  // copies of a statement
constexpr std::array<int64_t, 4> kWrittenOutParts = {4, 8, 16,
                                                     32};  // iterations that are written out
constexpr int64_t kMaxInlinings = 4;                       // readers of an inlined stage

class SpaceParameters {
 public:
  SpaceParameters(std::shared_ptr<const Plan> plan, const Target& target)
      : plan_(std::move(plan)), target_(target), rules_(rules_of(target)) {}

  std::vector<Parameter> build() {
    for (size_t k = plan_->stages.size(); k-- > 0;)
      if (plan_->stages[k].is_inner()) add_place(k);
    for (const Stage& stage : plan_->stages) add_vectors(stage);
    for (const Stage& stage : plan_->stages) {
      if (stage.is_inner()) continue;
      add_rounds(stage);
      add_items_along(stage);
    }
    for (const Stage& stage : plan_->stages) {
      add_tile(stage);
      add_tile_order(stage);
      add_written_out(stage);
    }
    rules_.add_sharing(plan_, target_, list_);
    return list_.take();
  }

 private:
  // A domain as a function of the choices so far.
  using Seen = std::function<std::vector<int64_t>(const StageChoices&)>;

  Parameter& add(const ParameterId& id, const std::string& meaning, Seen domain,
                 std::vector<std::string> labels = {}) {
    std::vector<ParameterId> reads;
    for (const Parameter& earlier : list_.parameters()) reads.push_back(id_of(earlier));
    return list_.add(
        id, meaning, reads,
        [plan = plan_, target = target_, domain = std::move(domain)](const Choices& c) {
          return domain(StageChoices(*plan, target, c));
        },
        std::move(labels));
  }

  // Bytes of the stage's tensor in the smallest rounds that the root may have.
  static int64_t least_round_bytes(const Plan& plan, const Stage& stage) {
    const Stage& root = plan.stage(stage.root);
    int64_t bytes = 4;
    for (size_t a = 0; a < stage.output_axes(); ++a) {
      const auto common = plan.common_axes(root);
      const bool is_common = std::ranges::any_of(common, [&](size_t r) {
        return root.axes[r].run == stage.axes[a].run && root.axes[r].part == stage.axes[a].part;
      });
      if (!is_common) bytes *= stage.axes[a].extent;
    }
    return bytes;
  }

  // Longest round along one more axis at which all stages inside still fit their memory.
  static int64_t longest_round(const Plan& plan, const StageChoices& c, const Stage& root,
                               int64_t private_bytes) {
    int64_t longest = kMaxLanes;
    for (const Stage& stage : plan.stages) {
      if (stage.root != root.name || !c.is_inside(stage)) continue;
      const bool is_near = c.chosen_of(compute_at(stage), kApart) == kInside;
      const int64_t limit = is_near ? private_bytes : kWorkspaceBytes;
      longest = std::min(longest, limit / c.round_bytes(stage));
    }
    return longest;
  }

  // Whether all readers run in the root's rounds; where work-items share rows, those that read an
  // inlined stage do so in its place.
  static bool are_inside(const Plan& plan, const StageChoices& c, const Stage& stage,
                         bool through_inlined) {
    return std::ranges::all_of(stage.readers, [&](const std::string& name) {
      const Stage& reader = plan.stage(name);
      return name == stage.root || c.is_inside(reader) ||
             (through_inlined && c.is_inlined(reader) &&
              are_inside(plan, c, reader, through_inlined));
    });
  }

  void add_items_along(const Stage& root) {
    if (!rules_.shares_rows || plan_->common_axes(root).empty()) return;
    const auto domain = [plan = plan_, name = root.name](const StageChoices& c) {
      if (!may_share_rows(*plan, c, plan->stage(name))) return std::vector{kAlongRounds};
      return std::vector{kAlongRounds, kAlongRows, kAlongRowsInParts};
    };
    add(items_along(root), "what work-items of a group share", domain,
        {"rounds", "rows", "rows_in_parts"});
  }

  void add_place(size_t k) {
    const auto domain = [plan = plan_, k, &rules = rules_](const StageChoices& c) {
      const Stage& stage = plan->stages[k];
      const Stage& root = plan->stage(stage.root);
      std::vector<int64_t> places = {kApart};
      // Without tails, vectors and work-items divide the tensor's extents.
      const bool is_box = stage.moves_alike && (rules.cuts_tails || stage.is_read_once);
      const bool near = is_box && are_inside(*plan, c, stage, rules.shares_rows);
      const auto common = plan->common_axes(root);
      const bool has_rounds =
          !root.gathers_by_a_reduction() &&
          std::ranges::any_of(common, [&](size_t a) { return root.axes[a].extent > 1; });
      const int64_t bytes = least_round_bytes(*plan, stage);
      if (near && has_rounds && bytes <= kWorkspaceBytes)
        places.push_back(bytes <= rules.private_bytes ? kInside : kWorkspace);
      if (stage.may_vanish && static_cast<int64_t>(stage.readers.size()) <= kMaxInlinings)
        places.push_back(kInlined);
      return places;
    };
    const Stage& stage = plan_->stages[k];
    add(compute_at(stage), "where " + stage.tensor + " is made", domain, compute_place_labels());
  }

  void add_vectors(const Stage& stage) {
    std::vector<std::string> labels;
    for (const VectorChoice& choice : stage.vectors) {
      std::string label = choice.axis ? stage.axes[*choice.axis].loop : "none";
      if (choice.across) label += "_across_" + stage.axes[*choice.across].loop;
      labels.push_back(label);
    }
    // Only a stage with its own kernel transposes tiles.
    const auto domain = [plan = plan_, name = stage.name](const StageChoices& c) {
      const Stage& own = plan->stage(name);
      std::vector<int64_t> values;
      for (size_t k = 0; k < own.vectors.size(); ++k)
        if (!own.vectors[k].across || !c.is_inside(own)) values.push_back(static_cast<int64_t>(k));
      return values;
    };
    add(vector_axis(stage), "along which axis " + stage.tensor + " is made in vectors", domain,
        labels);
  }

  void add_rounds(const Stage& root) {
    for (const size_t a : plan_->common_axes(root)) {
      const auto domain = [plan = plan_, name = root.name, a, limit = rules_.private_bytes,
                           lanes = int64_t{vector_lanes(target_)}](const StageChoices& c) {
        const Stage& own = plan->stage(name);
        const int64_t extent = own.axes[a].extent;
        if (!c.has_rounds(own)) return std::vector<int64_t>{extent};
        const bool vectors = c.vectors(own).axis == a;
        const int64_t most = std::min(vectors ? kMaxLanes : kMaxRows,
                                      std::max<int64_t>(longest_round(*plan, c, own, limit), 1));
        std::vector<int64_t> values;
        for (const int64_t round : divisors(extent))
          if (round < extent && round <= most) values.push_back(round);
        if (const int64_t cut = own.axes[a].cut; vectors && cut > 0)
          std::erase_if(values, [&](int64_t r) { return cut % r != 0; });
        if (vectors && std::ranges::any_of(values, [&](int64_t r) { return r % lanes == 0; }))
          std::erase_if(values, [&](int64_t r) { return r % lanes != 0; });
        return values.empty() ? std::vector<int64_t>{extent} : values;
      };
      add(round_of(root, root.axes[a]), root.axes[a].loop + " of a round, elements", domain);
    }
  }

  void add_tile(const Stage& stage) {
    const auto side = [plan = plan_, name = stage.name,
                       cuts = rules_.cuts_tails](const StageChoices& c) {
      const Stage& own = plan->stage(name);
      const VectorChoice choice = c.vectors(own);
      if (c.is_staged(own)) return std::vector<int64_t>{1, 2, 4, 8};
      std::vector<int64_t> values = {1};
      if (!choice.axis) return values;
      const int64_t lanes = c.lanes(own), extent = c.unbroken(own, *choice.axis);
      for (const int64_t u : {2, 4, 8}) {
        const bool divides = cuts || extent % (lanes * u) == 0;
        if ((u <= 4 || choice.across) && lanes * u <= extent && divides) values.push_back(u);
      }
      return values;
    };
    add(side_by_side(stage), "vectors of " + stage.tensor + " side by side", side);
    const auto rows = [plan = plan_, name = stage.name, cuts = rules_.cuts_tails,
                       target = target_](const StageChoices& c) {
      const Stage& own = plan->stage(name);
      const std::optional<size_t> axis = c.row_axis(own);
      std::vector<int64_t> values = {1};
      if (!axis) return values;
      if (c.is_staged(own)) return staged_tiles(own.axes[*axis].extent, target);
      const int64_t extent = c.unbroken(own, *axis);
      if (c.vectors(own).across)
        return own.axes[*axis].is_broken() ? std::vector<int64_t>{extent} : transposed_rows(extent);
      for (const int64_t r : {2, 3, 4, 7, 8})
        if (r <= extent && (cuts || extent % r == 0)) values.push_back(r);
      return values;
    };
    add(rows_of(stage), "rows of " + stage.tensor + " side by side", rows);
  }

  // Row counts that leave no tail of one row, which would be stored lane by lane.
  static std::vector<int64_t> transposed_rows(int64_t extent) {
    std::vector<int64_t> values;
    for (const int64_t r : {2, 3, 4, 7, 8, 16})
      if (r <= extent && extent % r != 1) values.push_back(r);
    if (extent <= 16 && (values.empty() || values.back() != extent)) values.push_back(extent);
    return values.empty() ? std::vector<int64_t>{largest_divisor(extent, 16)} : values;
  }

  void add_tile_order(const Stage& stage) {
    const auto transposes = [](const VectorChoice& choice) { return choice.across.has_value(); };
    if (!rules_.transposes_in_registers || std::ranges::none_of(stage.vectors, transposes)) return;
    const auto domain = [plan = plan_, name = stage.name](const StageChoices& c) {
      const Stage& own = plan->stage(name);
      const VectorChoice choice = c.vectors(own);
      const bool may = choice.across && *choice.axis < *choice.across &&
                       c.unbroken(own, *choice.across) > c.rows(own);
      return may ? std::vector<int64_t>{0, 1} : std::vector<int64_t>{0};
    };
    add(tile_order(stage), "which tiles of " + stage.tensor + " follow each other", domain,
        {"as_written", "as_read"});
  }

  static int64_t iterations_written_out(const StageChoices& c, const Stage& stage,
                                        const StageAxis& axis) {
    const int64_t part = c.chosen_of(written_out(stage, axis), 0);
    return part == 1 ? axis.extent : std::max<int64_t>(part, 1);
  }

  void add_written_out(const Stage& stage) {
    for (size_t a = stage.axes.size(); a-- > stage.output_axes();) {
      const auto domain = [plan = plan_, name = stage.name, a,
                           parts = rules_.writes_out_parts](const StageChoices& c) {
        const Stage& own = plan->stage(name);
        std::vector<int64_t> values = {0};
        if (c.vectors(own).axis == a) return values;
        int64_t copies = c.rows(own) * c.side_by_side_of(own);
        for (size_t other = a + 1; other < own.axes.size(); ++other)
          copies *= iterations_written_out(c, own, own.axes[other]);
        const int64_t extent = own.axes[a].extent;
        if (extent * copies <= kMaxWrittenOut) values.push_back(1);
        for (const int64_t part : kWrittenOutParts)
          if (parts && part < extent && extent % part == 0 && part * copies <= kMaxWrittenOut)
            values.push_back(part);
        return values;
      };
      const std::string& loop = stage.axes[a].loop;
      add(written_out(stage, stage.axes[a]),
          rules_.writes_out_parts
              ? "0: " + loop + " is a loop, 1: written out, more: in parts of so many"
              : "0: " + loop + " is a loop, 1: written out",
          domain);
    }
  }

  std::shared_ptr<const Plan> plan_;
  const Target& target_;
  const ExecutionRules& rules_;
  ParameterList list_;
};

// Whether a sum is so long that its dependent additions would be bound by latency.
bool is_long_sum(const Stage& stage) {
  int64_t terms = 1;
  for (const StageAxis& axis : stage.axes) terms *= axis.reduction ? axis.extent : 1;
  return terms > kTermsInFlight;
}

// On a device a work-item waits for each load unless others are on their way: norms of 128 rows of
// 768 took an H200 18 us by a loop of single ones.
int64_t wanted_part(const ExecutionRules& rules, int64_t extent) {
  constexpr int64_t kShort = 9, kAtOnce = 64;
  if (extent <= (rules.writes_out_parts ? kAtOnce : kShort)) return 1;
  if (rules.writes_out_parts)
    for (const int64_t part : kWrittenOutParts | std::views::reverse)
      if (extent % part == 0) return part == extent ? 1 : part;
  return 0;
}

// Rows side by side hide the latency of a sum whose terms are not written out.
int64_t wanted_rows(const ExecutionRules& rules, const Stage& stage) {
  if (!is_long_sum(stage)) return 1;
  const bool are_written_out = std::ranges::all_of(stage.axes, [&](const StageAxis& axis) {
    return !axis.reduction || wanted_part(rules, axis.extent) > 0;
  });
  return are_written_out ? 1 : 4;
}

// True if the root only finishes what the stage reduces, element by element: it rounds to f16, say.
bool is_finished_by(const Plan& plan, const Stage& root, const Stage& stage) {
  return stage.reduces() && root.output_axes() == root.axes.size() && root.gathers.empty() &&
         plan.common_axes(root).size() == root.axes.size() && stage.readers.size() == 1;
}

// On a device such a stage needs no kernel of its own.
void want_finished_sums(const Plan& plan, const Target& target, const Stage& root, Choices& c) {
  const auto of_root = [&](const Stage& s) { return s.is_inner() && s.root == root.name; };
  if (std::ranges::count_if(plan.stages, of_root) != 1) return;
  const Stage& stage = *std::ranges::find_if(plan.stages, of_root);
  if (!is_finished_by(plan, root, stage)) return;
  c.set(compute_at(stage), kInside);
  for (const size_t a : plan.common_axes(root)) {
    const bool vectors = root.vectors.front().axis == a;
    c.set(round_of(root, root.axes[a]), vectors ? vector_lanes(target) : 1);
  }
}

// The default rule that memory_bound_space.h states.
Choices wanted_choices(const Plan& plan, const Target& target) {
  Choices c;
  const ExecutionRules& rules = rules_of(target);
  for (const Stage& stage : plan.stages) {
    if (stage.is_inner()) c.set(compute_at(stage), rules.made);
    c.set(vector_axis(stage), 0);
    const VectorChoice vectors = stage.vectors.front();
    const bool sums = vectors.axis && stage.axes[*vectors.axis].reduction;
    const int64_t made = stage.is_costly ? rules.costly_vectors : 4;  // vectors side by side
    c.set(side_by_side(stage), sums ? (stage.is_inner() ? 1 : 4) : made);
    if (vectors.across)
      c.set(rows_of(stage),
            rules.transposed_rows > 0
                ? rules.transposed_rows
                : std::min<int64_t>(vector_lanes(target), stage.axes[*vectors.across].extent));
    else
      c.set(rows_of(stage), sums ? (stage.is_inner() ? 4 : 1) : wanted_rows(rules, stage));
    for (const StageAxis& axis : stage.axes)
      if (axis.reduction) c.set(written_out(stage, axis), wanted_part(rules, axis.extent));
    c.set(work_items(stage), vectors.across ? 256 : 64);
  }
  // Non-temporal stores where caches would evict the output before it is read. Tiles then follow
  // the few plan that they read to their ends, which suits prefetchers.
  if (evicts_output(plan.bytes, target)) {
    c.set(ParameterKind::stores, 1);
    for (const Stage& stage : plan.stages) c.set(tile_order(stage), 1);
  }
  for (const Stage& root : plan.stages) {
    if (root.is_inner()) continue;
    for (const size_t a : plan.common_axes(root)) {
      const bool vectors = root.vectors.front().axis == a;
      c.set(round_of(root, root.axes[a]), vectors ? vector_lanes(target) : 4);
    }
    if (!rules.shares_rows) continue;
    want_shared_rows(plan, target, root, c);
    want_finished_sums(plan, target, root, c);
  }
  return c;
}

}  // namespace

Alternative alternative(const Region& region, const Target& target, const std::string& name,
                        const std::string& blocked) {
  const auto plan = std::make_shared<const Plan>(derive_plan(region, target, blocked));
  return Alternative{
      .name = name,
      .parameters = SpaceParameters(plan, target).build(),
      .decode = [plan, target](const Choices& choices) { return decode(*plan, target, choices); },
      .wanted = wanted_choices(*plan, target)};
}

}  // namespace dovetail::memory_bound
