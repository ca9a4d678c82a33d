// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/chains/chain_space.h"

#include <algorithm>
#include <memory>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/space/contraction/contraction_plan.h"
#include "primitives/space/contraction/loop_orders.h"
#include "primitives/space/default_rule/default_rule.h"
#include "primitives/space/layouts/decode_layouts.h"
#include "primitives/space/layouts/placement.h"
#include "primitives/space/machine_facts.h"
#include "primitives/space/parameter_list.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxRows = 16;  // rows of a round

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// The values of a stage's parameter that a plan allows.
class Allowed {
 public:
  Allowed(const Chain& chain, const ChainPlan& plan, size_t k, const Choices& choices)
      : stage_(chain.stages[k]),
        s_(stage_.plan.facts),
        choices_(choices),
        band_(plan.band),
        rows_(rows_in_round(chain, plan, k)),
        attached_(plan.attached[k]),
        hosts_(plan.is_host(k)),
        is_last_(k == chain.last()),
        read_(k > 0 ? chain.made(k - 1) : "") {}

  std::vector<int64_t> of(const ParameterId& id, const std::vector<int64_t>& values) const {
    std::vector<int64_t> kept;
    for (const int64_t value : values)
      if (keeps(id, value, values.front())) kept.push_back(value);
    return kept.empty() ? std::vector<int64_t>{values.front()} : kept;
  }

 private:
  bool in_rounds() const { return attached_ || hosts_; }
  // Whether two stages share the tensor.
  bool is_inner(std::string_view tensor) const {
    return !tensor.empty() && (tensor == read_ || (!is_last_ && tensor == s_.output()));
  }

  bool keeps(const ParameterId& id, int64_t value, int64_t first) const {
    switch (id.kind) {
      case ParameterKind::register_tile: return keeps_tile(id.axis, value);
      case ParameterKind::cache_tile: return keeps_cache_tile(id.axis, value);
      case ParameterKind::layout_tile: return keeps_layout_tile(id, value, first);
      case ParameterKind::layout_levels: return value == 1 || !has_one_level(id.tensor);
      case ParameterKind::channel_tiles: return value == 0 || !is_inner(id.tensor);
      case ParameterKind::storage: return keeps_storage(id.tensor, value);
      case ParameterKind::unroll_part: return !sums_inner() || s_.lanes % value == 0;
      case ParameterKind::inner_part: return !sums_inner() || ends_at_vectors(value);
      case ParameterKind::outer_order: return !hosts_ || rounds_lead(value);
      case ParameterKind::pad_at: return value == first;
      case ParameterKind::cache_read: return value == first || (!in_rounds() && id.tensor != read_);
      case ParameterKind::fuse: return value == first || (!in_rounds() && !has_cut_rows());
      case ParameterKind::reduction_outside:
      case ParameterKind::stores: return value == first || !in_rounds();
      default: return true;
    }
  }

  bool keeps_tile(std::string_view axis, int64_t tile) const {
    if (axis == s_.vector_axis) return is_last_ || s_.axis(s_.vector_axis).extent % tile == 0;
    if (in_rounds() && has(stage_.lead, axis)) return tile == 1;
    if (axis != stage_.rows) return true;
    return !in_rounds() || rows_ % tile == 0;
  }

  bool keeps_cache_tile(std::string_view axis, int64_t tiles) const {
    if (!in_rounds()) return true;
    if (has(stage_.lead, axis)) return tiles == 1;
    if (axis != stage_.rows) return true;
    const int64_t rows = tiles * register_tile(choices_, axis);
    return hosts_ ? rows == band_ : rows_ % rows == 0;
  }

  bool keeps_layout_tile(const ParameterId& id, int64_t tile, int64_t first) const {
    const bool is_vector = id.axis == s_.vector_axis || id.axis == s_.pure;
    if (is_inner(id.tensor)) return tile == (is_vector ? s_.lanes : first);
    return !hosts_ || id.tensor != s_.output() || id.axis != stage_.rows || tile == first;
  }

  // Windows over the previous stage's output are bounds-checked where they leave it, never padded.
  // An attached stage does not unfold, since unfolded windows are stored for a whole tensor.
  bool keeps_storage(std::string_view tensor, int64_t value) const {
    if (tensor == read_) return value == kGuard;
    return !attached_ || value == kGuard || value == kPad;
  }

  bool has_one_level(std::string_view tensor) const {
    return is_inner(tensor) || (hosts_ && tensor == s_.output());
  }

  // Whether the reduction runs over the vectors of the previous stage's output.
  bool sums_inner() const {
    if (read_.empty() || s_.pure.empty()) return false;
    const auto access = std::ranges::find(s_.inputs(), read_, &Access::tensor);
    return access_has(*access, s_.pure);
  }
  bool ends_at_vectors(int64_t inner) const {
    const int64_t unroll = unroll_part(choices_, s_.pure);
    return unroll == s_.lanes || unroll * inner == s_.lanes;
  }

  bool has_cut_rows() const {
    return std::ranges::any_of(
        s_.axes, [](const ContractionAxis& axis) { return axis.tail == AxisTail::cut; });
  }

  bool rounds_lead(int64_t order) const {
    std::vector<std::string> wanted = stage_.lead;
    wanted.push_back(stage_.rows);
    const auto axes = permuted(movable_axes(stage_.plan), s_.vector_axis, order);
    return std::equal(wanted.begin(), wanted.end(), axes.begin());
  }

  const ChainStage& stage_;
  const ContractionFacts& s_;
  const Choices& choices_;
  int64_t band_, rows_;
  bool attached_, hosts_, is_last_;
  std::string read_;
};

// The space of a chain. In front of the parameters of the stages are compute_at of each stage but
// the last, then the rows of a round.
class ChainSpace {
 public:
  ChainSpace(Target target, Chain chain) : target_(std::move(target)), chain_(std::move(chain)) {
    for (const ChainStage& stage : chain_.stages)
      lists_.push_back(
          derive_parameters(std::make_shared<const ContractionPlan>(stage.plan), target_));
  }

  size_t num_front() const { return chain_.stages.size(); }
  const Chain& chain() const { return chain_; }
  const std::vector<Parameter>& list(size_t k) const { return lists_[k]; }

  // Parameters of the last stage come first, so that attached stages see the choices of consumers.
  size_t first_of(size_t k) const {
    size_t first = num_front();
    for (size_t later = chain_.stages.size(); --later > k;) first += lists_[later].size();
    return first;
  }

  ChainPlan plan(const Point& point) const {
    ChainPlan plan;
    for (size_t k = 0; k < chain_.last(); ++k) plan.attached.push_back(point[k] == kWorkspace);
    plan.attached.push_back(false);
    plan.band = point[chain_.last()];
    for (size_t k = 1; k < chain_.stages.size(); ++k)
      if (plan.is_host(k)) plan.keeps_rows &= rounds_follow(chain_, plan, k, target_);
    return plan;
  }

  Choices choices(const Point& point, size_t k) const {
    Choices choices;
    const size_t first = first_of(k);
    for (size_t p = 0; p < lists_[k].size() && first + p < point.size(); ++p)
      choices.append(id_of(lists_[k][p]), point[first + p]);
    return choices;
  }

  Trace decoded(const Point& point) const {
    std::vector<Choices> all;
    for (size_t k = 0; k < chain_.stages.size(); ++k) all.push_back(choices(point, k));
    return decode(chain_, plan(point), target_, all);
  }

  std::vector<int64_t> bands(const Point& places) const {
    ChainPlan plan;
    for (size_t k = 0; k < chain_.last(); ++k) plan.attached.push_back(places[k] == kWorkspace);
    plan.attached.push_back(false);
    std::vector<int64_t> values = {1};
    for (int64_t rows = 2; rows <= kMaxRows; ++rows)
      if (fits_hosts(plan, rows)) values.push_back(rows);
    return values;
  }

  Point default_point(const std::vector<Parameter>& parameters) const;

  // Bytes of workspace that stage k needs for a round of `rows` rows.
  int64_t round_bytes(size_t k, int64_t rows) const {
    const ChainStage& stage = chain_.stages[k];
    int64_t bytes =
        bytes_of(chain_.facts(k), chain_.made(k)) / chain_.facts(k).axis(stage.rows).extent;
    for (const std::string& axis : stage.lead) bytes /= chain_.facts(k).axis(axis).extent;
    return bytes * (stage.step * rows + stage.window);
  }

 private:
  bool fits_hosts(const ChainPlan& plan, int64_t rows) const {
    bool hosts = false;
    for (size_t k = 0; k < chain_.stages.size(); ++k) {
      if (!plan.is_host(k)) continue;
      hosts = true;
      const int64_t extent = chain_.facts(k).axis(chain_.stages[k].rows).extent;
      if (extent % rows != 0 || extent == rows) return false;
    }
    return hosts;
  }

  Target target_;
  Chain chain_;
  std::vector<std::vector<Parameter>> lists_;
};

constexpr double kLeastGain = 0.01;  // share of the whole chain's time

double multiply_adds(const ContractionFacts& s) {
  double count = 1;
  for (const ContractionAxis& axis : s.axes) count *= static_cast<double>(axis.extent);
  return count;
}

// Whether running all stages in rounds saves more time than rereading the weights each round costs.
bool pays_in_rounds(const Chain& chain, int64_t rounds, const Target& target) {
  double gain = 0, time = 0;
  for (size_t k = 0; k < chain.stages.size(); ++k) {
    const ContractionFacts& s = chain.facts(k);
    time += multiply_adds(s) / kMultiplyAddsPerMicrosecond;
    gain -= reread_microseconds(bytes_of(s, s.inputs()[1].tensor), rounds - 1);
    if (k < chain.last()) gain += round_trip_microseconds(bytes_of(s, chain.made(k)), target);
  }
  return gain > kLeastGain * time;
}

constexpr int64_t kDefaultRows = 4;

// The wanted value if the domain has it, else the largest one below it; the first of named values
// and of orders.
int64_t nearest(const Parameter& parameter, const std::vector<int64_t>& domain, int64_t wanted) {
  if (std::ranges::count(domain, wanted) > 0) return wanted;
  int64_t best = domain.front();
  if (!parameter.labels.empty() || counts_orders(parameter.kind)) return best;
  for (const int64_t value : domain)
    if (value <= wanted) best = std::max(best, value);
  return best;
}

Point ChainSpace::default_point(const std::vector<Parameter>& parameters) const {
  Point point;
  const ChainStage& last = chain_.stages.back();
  const int64_t rounds = last.plan.facts.axis(last.rows).extent / kDefaultRows;
  const bool pays = rounds > 1 && pays_in_rounds(chain_, rounds, target_);
  std::vector<Choices> wanted;
  for (const ChainStage& stage : chain_.stages)
    wanted.push_back(default_choices(stage.plan, target_).choices);
  for (size_t p = 0; p < parameters.size(); ++p) {
    int64_t value = p < chain_.last() ? (pays ? kWorkspace : kApart) : kDefaultRows;
    for (size_t k = 0; k < chain_.stages.size(); ++k) {
      if (p < first_of(k) || p >= first_of(k) + lists_[k].size()) continue;
      const int64_t* own = wanted[k].find(id_of(parameters[p]));
      value = own == nullptr ? parameters[p].domain(point).front() : *own;
    }
    point.push_back(nearest(parameters[p], parameters[p].domain(point), value));
  }
  return point;
}

void add_places(const std::shared_ptr<const ChainSpace>& space, ParameterList& list) {
  const Chain& chain = space->chain();
  std::vector<ParameterId> places;
  for (size_t k = 0; k < chain.last(); ++k) {
    places.emplace_back(ParameterKind::compute_at, chain.made(k));
    std::vector<int64_t> values = {kApart};
    if (space->round_bytes(k, kMaxRows) <= kWorkspaceBytes) values.push_back(kWorkspace);
    list.add_values(places.back(), "where " + chain.made(k) + " is made", values,
                    compute_place_labels());
  }
  const ChainStage& last = chain.stages.back();
  list.add({ParameterKind::cache_tile, chain.made(chain.last()), last.rows},
           "rows of a round, in which others are made", places, [space, places](const Choices& c) {
             Point chosen_places;
             for (const ParameterId& place : places)
               chosen_places.push_back(chosen(c, place, kApart));
             return space->bands(chosen_places);
           });
}

// Parameter `number` of stage k, with positions in the joined list.
Parameter placed(const std::shared_ptr<const ChainSpace>& space, size_t k, size_t number) {
  Parameter p = space->list(k)[number];
  const size_t first = space->first_of(k);
  p.algorithm = space->chain().made(k);
  p.name = parameter_name(id_of(p), p.algorithm);
  for (size_t& earlier : p.depends_on) earlier += first;
  for (Condition& condition : p.only_with) condition.parameter += first;
  for (size_t front = 0; front < space->num_front(); ++front) p.depends_on.push_back(front);
  // Allowed reads the stage's register tiles and the unrolled part of its reduction.
  for (size_t earlier = 0; earlier < number; ++earlier) {
    const Parameter& other = space->list(k)[earlier];
    if (other.kind == ParameterKind::register_tile || other.kind == ParameterKind::unroll_part)
      p.depends_on.push_back(first + earlier);
  }
  std::ranges::sort(p.depends_on);
  p.depends_on.erase(std::unique(p.depends_on.begin(), p.depends_on.end()), p.depends_on.end());
  p.domain = [space, own = p.domain, first, k, number](const Point& earlier) {
    const Point part(earlier.begin() + static_cast<ptrdiff_t>(first), earlier.end());
    return allowed_in_plan(space->chain(), space->plan(earlier), k, id_of(space->list(k)[number]),
                           own(part), space->choices(earlier, k));
  };
  return p;
}

}  // namespace

std::vector<int64_t> allowed_in_plan(const Chain& chain, const ChainPlan& plan, size_t stage,
                                     const ParameterId& id, std::vector<int64_t> values,
                                     const Choices& choices) {
  return Allowed(chain, plan, stage, choices).of(id, values);
}

Space chain_space(const TaskSpec& spec, const Target& target, const Chain& chain) {
  const auto space = std::make_shared<const ChainSpace>(target, chain);
  ParameterList front;
  add_places(space, front);
  std::vector<Parameter> parameters = front.take();
  for (size_t k = chain.stages.size(); k-- > 0;)
    for (size_t number = 0; number < space->list(k).size(); ++number)
      parameters.push_back(placed(space, k, number));
  const auto decoded = [space](const Point& point) { return space->decoded(point); };
  Point default_point = space->default_point(parameters);
  return Space(spec, target, std::move(parameters), decoded, std::move(default_point));
}

}  // namespace dovetail
