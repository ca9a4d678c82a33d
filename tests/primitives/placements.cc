// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/placements.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/ir/schedule/schedule.h"
#include "primitives/apply.h"

namespace dovetail::testing {
namespace {

// The tensor of which the point itself copies tiles, or the name as it is.
std::string without_copy(std::string name) {
  constexpr std::string_view kCopy = ".cache";
  if (name.ends_with(kCopy)) name.resize(name.size() - kCopy.size());
  return name;
}

class Placements {
 public:
  Placements(const Schedule& schedule, const Target& target, std::mt19937_64& rng)
      : reader_(schedule.stages.back()), target_(target), rng_(rng) {}

  void place(const Stage& copy, Trace& trace) {
    if (without_copy(copy.name) != copy.name || one_in(3)) return;
    const bool gone = one_in(3);
    StageLoops lines{copy.name, {}};
    if (gone) {
      lines.primitives = {loop::Inline{}};
    } else {
      const std::string loop = loop_for(TileScope::private_);
      lines.primitives = {loop::ComputeAt{reader_.name, loop, any_scope()}};
      if (one_in(6)) lines.primitives.emplace_back(loop::Roll{"h"});
    }
    std::erase_if(trace.loops, [&](const StageLoops& l) { return l.stage == copy.name; });
    trace.loops.push_back(std::move(lines));
    const std::string tensor = copy.computation.reads[0].tensor;
    factors_.push_back(gone ? tensor : copy.name);
  }

  void cache(Trace& trace) {
    for (const Access& input : element_reads(reader_.computation))
      factors_.push_back(without_copy(input.tensor));
    const auto lines = std::ranges::find(trace.loops, "", &StageLoops::stage);
    CHECK(lines != trace.loops.end(), "a point of a space has loops");
    for (const std::string& tensor : factors_) {
      if (!one_in(2)) continue;
      const TileScope scope =
          runs_work_groups(target_) && !one_in(4) ? TileScope::local : any_scope();
      const int64_t pad = scope == TileScope::local && one_in(2) ? 1 + rng_() % 4 : 0;
      std::erase_if(lines->primitives, [&](const LoopPrimitive& primitive) {
        const auto* copy = std::get_if<loop::CacheRead>(&primitive);
        return copy != nullptr && copy->tensor == tensor;  // the point's own
      });
      lines->primitives.emplace_back(loop::CacheRead{tensor, loop_for(scope), scope, pad});
      const int64_t copies = scope == TileScope::local && one_in(2) ? 3 + rng_() % 2 : 2;
      if (one_in(3)) lines->primitives.emplace_back(loop::DoubleBuffer{tensor + ".cache", copies});
    }
  }

 private:
  bool one_in(uint64_t n) { return rng_() % n == 0; }
  TileScope any_scope() { return one_in(3) ? TileScope::workspace : TileScope::private_; }
  // Bound loops are around what work-items do not share.
  std::string loop_for(TileScope scope) {
    size_t first = 0;
    for (size_t k = 0; scope != TileScope::local && k < reader_.loops.size(); ++k)
      if (reader_.loops[k].kind == LoopKind::bound) first = k;
    return reader_.loops[first + rng_() % (reader_.loops.size() - first)].name;
  }

  const Stage& reader_;
  const Target& target_;
  std::mt19937_64& rng_;
  std::vector<std::string> factors_;
};

}  // namespace

Trace with_placements(const Operator& op, const Trace& trace, const Target& target,
                      std::mt19937_64& rng) {
  if (trace.algorithm) return trace;  // its stages sum up, and are no copies
  const Result<Schedule> schedule = apply(trace, op, target);
  CHECK(schedule.has_value(), "the trace is legal");
  Trace result = trace;
  Placements placements(*schedule, target, rng);
  for (size_t s = 0; s + 1 < schedule->stages.size(); ++s)
    placements.place(schedule->stages[s], result);
  placements.cache(result);
  return result;
}

}  // namespace dovetail::testing
