// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ir_generators.h"

#include <utility>

#include "tests/support/draws.h"

namespace dovetail::testing {

int64_t draw(int64_t low, int64_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(low, high + 1));
}
bool chance(int64_t one_in) { return draw(1, one_in) == 1; }

std::string draw_name() {
  static const std::vector<std::string> kNames = {"h",  "w",     "i.0",   "i.0.1", "h_w.0", "o",
                                                  "kh", "X.pad", "o.0.0", "_x",    "x.1y",  "n"};
  return pick(kNames);
}

IndexExpr draw_index(const Ranges& ranges, int depth) {
  IndexExpr e(draw(-6, 6));
  if (ranges.empty()) return e;
  for (int64_t terms = draw(0, 3); terms > 0; --terms) {
    const auto it = std::next(ranges.begin(), draw(0, static_cast<int64_t>(ranges.size()) - 1));
    IndexExpr term = IndexExpr::variable(it->first);
    if (depth > 0 && chance(2)) {
      const IndexExpr inner = draw_index(ranges, depth - 1);
      const int64_t divisor = draw(1, 9);
      term = chance(2) ? floor_div(inner, divisor, ranges) : floor_mod(inner, divisor, ranges);
    }
    e = e + term * draw(-8, 8);
  }
  return e;
}

namespace {

// Digits of one dimension: plain, padded, split, unfolded, or at random steps.
std::vector<Digit> draw_digits(int dim, int64_t extent, int64_t& offset) {
  offset = chance(3) ? -draw(0, 3) : 0;
  const int64_t span = extent - offset + (chance(3) ? draw(0, 3) : 0);  // elements to cover
  switch (draw(0, 3)) {
    case 0: return {{dim, 1, span}};
    case 1: {
      const int64_t factor = draw(1, 4);
      return {{dim, factor, (span + factor - 1) / factor}, {dim, 1, factor}};
    }
    case 2: {
      const int64_t stride = draw(1, 3);
      const int64_t size = draw(1, 5);
      const int64_t tiles = std::max<int64_t>(0, span - size + stride - 1) / stride + 1;
      return {{dim, stride, tiles}, {dim, 1, size}};
    }
    default: {
      std::vector<Digit> digits;
      for (int64_t count = draw(1, 3); count > 0; --count)
        digits.push_back({dim, draw(1, 5), draw(1, 3)});
      return digits;
    }
  }
}

}  // namespace

Layout draw_layout() {
  static const std::vector<std::string> kDims = {"n", "i", "h", "w"};
  Layout layout;
  std::vector<PhysicalAxis> axes;
  const int64_t rank = draw(0, 3);
  for (int dim = 0; dim < rank; ++dim) {
    const auto j = static_cast<size_t>(dim);
    layout.logical.push_back({kDims[j], draw(1, 7)});
    layout.offsets.push_back(0);
    const std::vector<Digit> digits = draw_digits(dim, layout.logical[j].extent, layout.offsets[j]);
    for (size_t p = 0; p < digits.size(); ++p) {
      const std::string name = digits.size() == 1 ? kDims[j] : kDims[j] + "." + std::to_string(p);
      axes.push_back({name, {digits[p]}});
    }
  }
  shuffle(axes);
  for (PhysicalAxis& axis : axes) {
    if (!layout.axes.empty() && chance(4)) {
      PhysicalAxis& last = layout.axes.back();
      last.name += "_" + axis.name;
      last.digits.push_back(axis.digits.front());
    } else {
      layout.axes.push_back(std::move(axis));
    }
  }
  if (chance(3)) layout.times = int64_t{1} << draw(0, 31);
  layout.scope = chance(3) ? static_cast<MemoryScope>(draw(0, 6)) : MemoryScope::global;
  if (layout.logical.empty() || layout.logical[0].extent == 1 || !chance(3)) return layout;
  const LogicalDim& first = layout.logical[0];
  Guest guest{"bias", {}, first.name, draw(1, first.extent - 1)};
  if (layout.logical.size() > 1) guest.dims.push_back(layout.logical.back());
  layout.guests.push_back(std::move(guest));
  return layout;
}

namespace {

std::vector<std::string> draw_names(int64_t low, int64_t high) {
  std::vector<std::string> result(static_cast<size_t>(draw(low, high)));
  for (std::string& name : result) name = draw_name();
  return result;
}

LayoutPrimitive draw_layout_primitive() {
  switch (draw(0, 5)) {
    case 0: return layout::Split{draw_name(), draw(-2, 1000)};
    case 1: return layout::Reorder{draw_names(0, 5)};
    case 2: return layout::Fuse{draw_name(), draw_name()};
    case 3: return layout::Pad{draw_name(), draw(-1, 9), draw(0, 9)};
    case 4: return layout::StoreAt{draw_name(), draw_name()};
    default: return layout::Unfold{draw_name(), draw(0, 99), draw(0, 99)};
  }
}

LoopPrimitive draw_loop_primitive() {
  switch (draw(0, 15)) {
    case 0: return loop::Split{draw_name(), draw(-2, 1000), chance(2) ? Tail::cut : Tail::none};
    case 1: return loop::Reorder{draw_names(0, 5)};
    case 2: return loop::Fuse{draw_name(), draw_name()};
    case 3: return loop::Vectorize{draw_name()};
    case 4: return loop::Unroll{draw_name()};
    case 5: return loop::Parallel{draw_name()};
    case 6: return loop::Bind{draw_name(), static_cast<ThreadAxis>(draw(0, 5))};
    case 7: return loop::Prefetch{draw_name(), draw_name(), draw(-2, 70)};
    case 8:
      return loop::CacheRead{draw_name(), draw_name(), static_cast<TileScope>(draw(0, 3)),
                             draw(0, 2)};
    case 9: return loop::DoubleBuffer{draw_name(), draw(0, 9)};
    case 10: return loop::ComputeAt{draw_name(), draw_name(), static_cast<TileScope>(draw(0, 3))};
    case 11: return loop::Inline{};
    case 12: return loop::RFactor{draw_name()};
    case 13: return loop::Roll{draw_name()};
    case 14: return loop::Tensorize{draw_name(), draw_name()};
    default: return loop::CacheWrite{draw_name(), chance(2) ? draw_name() : "root", chance(2)};
  }
}

Trace draw_trace() {
  Trace trace;
  if (chance(3)) trace.algorithm = algorithm::Winograd{draw(-1, 9)};
  if (chance(3))
    trace.algorithm = algorithm::WinogradInnerProduct{draw(-1, 9), draw(-1, 20), draw(-1, 40)};
  for (const char* tensor : {"X", "W", "Y"}) {
    if (chance(3)) continue;
    TensorLayout layout{tensor, {}, MemoryScope::global};
    for (int64_t count = draw(0, 4); count > 0; --count)
      layout.primitives.push_back(draw_layout_primitive());
    if (chance(3)) layout.scope = static_cast<MemoryScope>(draw(0, 6));
    trace.layouts.push_back(std::move(layout));
  }
  for (const char* stage : {"", "X.pad", "Y.cast"}) {
    if (chance(3)) continue;
    StageLoops loops{stage, {}};
    for (int64_t count = draw(0, 5); count > 0; --count)
      loops.primitives.push_back(draw_loop_primitive());
    trace.loops.push_back(std::move(loops));
  }
  return trace;
}

}  // namespace

rc::Gen<std::string> names() { return rc::gen::exec(draw_name); }

Ranges few_ranges() {
  Ranges ranges;
  for (int64_t count = draw(1, 3); count > 0; --count) {
    const int64_t low = chance(2) ? 0 : draw(-7, 7);
    ranges["v" + std::to_string(count)] = {low, low + draw(0, 9)};
  }
  return ranges;
}

rc::Gen<IndexExpr> index_expressions(Ranges ranges, int depth) {
  return rc::gen::exec([=] { return draw_index(ranges, depth); });
}

rc::Gen<Layout> layouts() { return rc::gen::exec(draw_layout); }
rc::Gen<Trace> traces() { return rc::gen::exec(draw_trace); }

std::string mutated(std::string text) {
  for (int64_t changes = draw(1, 4); changes > 0 && !text.empty(); --changes) {
    const auto size = static_cast<int64_t>(text.size());
    const auto at = static_cast<size_t>(draw(0, size - 1));
    const auto length = static_cast<size_t>(draw(1, 12));
    switch (draw(0, 4)) {
      case 0: text[at] = static_cast<char>(draw(-128, 127)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(static_cast<size_t>(draw(0, size - 1)), length)); break;
      case 3:
        text.insert(at, 1, pick<char>({'(', ')', '[', ']', '-', '9', ' ', '\n', '.', ':'}));
        break;
      default: std::swap(text[at], text[static_cast<size_t>(draw(0, size - 1))]);
    }
  }
  return text;
}

}  // namespace dovetail::testing
