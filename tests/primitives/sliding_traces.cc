// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/sliding_traces.h"

#include <algorithm>

#include "core/ir/schedule/schedule.h"
#include "primitives/apply.h"
#include "primitives/divisors.h"
#include "primitives/with_layouts.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

constexpr const char* kWindows[] = {
    "A[c,h]=relu(X[c,h]);Y[c,h]max=A[c,h+r-1]:c=3,h=12,r=3",
    "A[h]=exp(X[h]);Y[t]+=A[2*t+r]:h=14,t=6,r=4",
    "A[c,h]=relu(X[c,h]);Y[c,h]max=A[c,h+r-2]:c=2,h=12,r=5",
    "A[h]=X[h]*X[h];B[h]max=A[h+r-1];Y[h]=A[h]+B[h]:h=12,r=3",
    "A[c,h,w]=relu(X[c,h,w]);B[c,h,w]max=A[c,h+r-1,w+s-1];Y[c,h,w]+=B[c,h+r-1,w+s-1]"
    ":c=2,h=8,w=6,r=3,s=3",
    // an inverted bottleneck: 1x1, depthwise 3x3 of stride 2, 1x1
    "E[m,y,x]=relu(sum(X[i,y,x]*U[m,i])+B[m]);D[m,h,w]=relu(sum(E[m,2*h+r-1,2*w+s-1]*V[m,r,s]));"
    "Y[o,h,w]+=D[m,h,w]*Z[o,m]:m=4,y=12,x=8,h=6,w=4,i=3,r=3,s=3,o=2,const=U.V.Z.B",
};

class SlidingDraw {
 public:
  SlidingDraw(const Region& region, const Target& target, std::mt19937_64& rng)
      : schedule_(right(with_layouts({}, region, {}, {}), "a region without a trace")),
        target_(target),
        rng_(rng) {}

  Trace trace() {
    const Stage& host = schedule_.stages.back();
    trace_.loops.push_back({host.name, host_loops(host)});
    for (size_t s = schedule_.stages.size() - 1; s-- > 0;) {
      if (one_in(8)) continue;
      const Stage& stage = schedule_.stages[s];
      trace_.loops.push_back({stage.name, attached_loops(stage, schedule_.stages[s + 1])});
    }
    return trace_;
  }

 private:
  uint64_t below(uint64_t n) { return rng_() % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }

  const StageLoop& output_loop(const Stage& stage) {
    while (true) {
      const StageLoop& loop = stage.loops[below(stage.loops.size())];
      if (!loop.reduction) return loop;
    }
  }

  // Some loops, shared by threads or not, the outer half of the one that is cut, then the rest.
  std::vector<LoopPrimitive> host_loops(const Stage& host) {
    const StageLoop& cut = output_loop(host);
    const std::vector<int64_t> factors = divisors(cut.extent);
    rounds_ = cut.name + ".0";
    std::vector<std::string> around, inside, sums;
    for (const StageLoop& loop : host.loops) {
      if (loop.name != cut.name)
        (loop.reduction ? sums : one_in(2) ? around : inside).push_back(loop.name);
    }
    const size_t outer = around.size();
    inside.insert(inside.begin() + static_cast<ptrdiff_t>(below(inside.size() + 1)),
                  cut.name + ".1");
    around.push_back(rounds_);
    around.insert(around.end(), inside.begin(), inside.end());
    around.insert(around.end(), sums.begin(), sums.end());
    std::vector<LoopPrimitive> list = {loop::Split{cut.name, factors[below(factors.size() - 1)]},
                                       loop::Reorder{around}};
    if (outer > 0 && one_in(2)) list.push_back(shared(around[0]));
    if (!sums.empty() && one_in(2)) list.push_back(loop::CacheWrite{made(host), rounds_});
    return list;
  }

  LoopPrimitive shared(const std::string& loop) {
    if (runs_threads(target_)) return loop::Parallel{loop};
    return loop::Bind{loop, one_in(2) ? ThreadAxis::group_0 : ThreadAxis::thread_0};
  }

  // Mostly the one that moves with the rounds, where stages have it by one name.
  std::string rolled_axis(const Stage& stage) {
    const std::string axis = rounds_.substr(0, rounds_.size() - 2);
    const bool named = std::ranges::find(stage.loops, axis, &StageLoop::name) != stage.loops.end();
    return named && !one_in(8) ? axis : output_loop(stage).name;
  }

  static std::string made(const Stage& stage) { return stage.computation.output.tensor; }

  std::vector<LoopPrimitive> attached_loops(const Stage& stage, const Stage& next) {
    const bool chained = one_in(4) && next.name != schedule_.stages.back().name;
    const TileScope scope = one_in(2) ? TileScope::workspace : TileScope::private_;
    std::vector<LoopPrimitive> list;
    if (chained) {
      list.push_back(loop::ComputeAt{next.name, output_loop(next).name, scope});
    } else {
      list.push_back(loop::ComputeAt{schedule_.stages.back().name, rounds_, scope});
    }
    const bool first = stage.name == schedule_.stages.front().name;
    if (one_in(4) != first) list.push_back(loop::Roll{rolled_axis(stage)});
    if (!one_in(3)) return list;
    std::vector<std::string> names;
    for (const StageLoop& loop : stage.loops) names.push_back(loop.name);
    std::ranges::shuffle(names, rng_);
    list.push_back(loop::Reorder{names});
    if (one_in(2)) list.push_back(loop::Unroll{names[below(names.size())]});
    if (one_in(3)) list.push_back(loop::Vectorize{names.back()});
    return list;
  }

  const Schedule schedule_;
  const Target& target_;
  std::mt19937_64& rng_;
  std::string rounds_;  // the loop of the last stage that others are attached to
  Trace trace_;
};

}  // namespace

const std::span<const char* const> kSlidingSpecs = kWindows;

const char* const kBottleneckSpec =
    "E[m,y,x]=relu(sum(X[i,y,x]*U[m,i])+B[m]);D[m,h,w]=relu(sum(E[m,2*h+r-1,2*w+s-1]*V[m,r,s]));"
    "Y[o,h,w]+=D[m,h,w]*Z[o,m]:m=32,y=12,x=12,h=6,w=6,i=4,r=3,s=3,o=16,const=U.V.Z.B";
const char* const kBottleneckTrace =
    "layout X: reorder(y, x, i)\n"
    "layout U: reorder(i, m)\n"
    "layout E: split(axis=m, factor=16) reorder(m.0, y, x, m.1)\n"
    "layout V: split(axis=m, factor=16) reorder(m.0, r, s, m.1)\n"
    "layout D: split(axis=m, factor=16) reorder(m.0, h, w, m.1)\n"
    "layout Z: reorder(m, o)\n"
    "layout Y: reorder(h, w, o)\n"
    "loops E: compute_at(stage=Y, loop=h.0, scope=workspace) ; roll(y)"
    " ; reorder(m.0, y, x, i, m.1) ; vectorize(m.1) ; cache_write(tensor=E, at=x)\n"
    "loops D: compute_at(stage=Y, loop=h.0, scope=workspace) ; split(loop=w, factor=3)"
    " ; reorder(m.0, h, w.0, r, s, w.1, m.1) ; unroll(w.1) ; vectorize(m.1)"
    " ; cache_write(tensor=D, at=w.0)\n"
    "loops Y: split(loop=h, factor=2) ; split(loop=w, factor=3)"
    " ; reorder(h.0, h.1, w.0, m, w.1, o) ; unroll(w.1) ; vectorize(o)"
    " ; cache_write(tensor=Y, at=w.0)\n";

Trace sliding_trace(const Region& region, const Target& target, std::mt19937_64& rng) {
  return SlidingDraw(region, target, rng).trace();
}

bool rolls(const Trace& trace) {
  return std::ranges::any_of(trace.loops, [](const StageLoops& lines) {
    return std::ranges::any_of(lines.primitives, [](const LoopPrimitive& primitive) {
      return std::holds_alternative<loop::Roll>(primitive);
    });
  });
}

}  // namespace dovetail::testing
