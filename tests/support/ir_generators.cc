// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ir_generators.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dovetail::testing {
namespace {

// Draws evenly from [low, high], inside a generator.
int64_t draw(int64_t low, int64_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<int64_t>(low, high + 1));
}
bool chance(int64_t one_in) { return draw(1, one_in) == 1; }

template <typename T>
T pick(const std::vector<T>& from) {
  return from[static_cast<size_t>(draw(0, static_cast<int64_t>(from.size()) - 1))];
}

std::string draw_name() {
  static const std::vector<std::string> kNames = {"h",  "w",     "i.0",   "i.0.1", "h_w.0", "o",
                                                  "kh", "X.pad", "o.0.0", "_x",    "x.1y",  "n"};
  return pick(kNames);
}

std::vector<std::string> draw_names(int64_t low, int64_t high) {
  std::vector<std::string> result(static_cast<size_t>(draw(low, high)));
  for (std::string& name : result) name = draw_name();
  return result;
}

template <typename T>
void shuffle(std::vector<T>& items) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<size_t>(draw(0, static_cast<int64_t>(i) - 1))]);
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

// Digits of one dimension: plain, padded, split, unfolded, or at random steps.
std::vector<Digit> draw_digits(int dim, int64_t extent, int64_t& offset) {
  offset = chance(3) ? -draw(0, 3) : 0;
  const int64_t span = extent - offset + (chance(3) ? draw(0, 3) : 0);  // elements to cover
  switch (draw(0, 3)) {
    case 0:
      return {{dim, 1, span}};
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
  layout.scope = chance(3) ? static_cast<MemoryScope>(draw(0, 8)) : MemoryScope::global;
  if (layout.logical.empty() || layout.logical[0].extent == 1 || !chance(3)) return layout;
  const LogicalDim& first = layout.logical[0];
  Guest guest{"bias", {}, first.name, draw(1, first.extent - 1)};
  if (layout.logical.size() > 1) guest.dims.push_back(layout.logical.back());
  layout.guests.push_back(std::move(guest));
  return layout;
}

LayoutPrimitive draw_layout_primitive() {
  switch (draw(0, 5)) {
    case 0:
      return layout::Split{draw_name(), draw(-2, 1000)};
    case 1:
      return layout::Reorder{draw_names(0, 5)};
    case 2:
      return layout::Fuse{draw_name(), draw_name()};
    case 3:
      return layout::Pad{draw_name(), draw(-1, 9), draw(0, 9)};
    case 4:
      return layout::StoreAt{draw_name(), draw_name()};
    default:
      return layout::Unfold{draw_name(), draw(0, 99), draw(0, 99)};
  }
}

LoopPrimitive draw_loop_primitive() {
  switch (draw(0, 13)) {
    case 0:
      return loop::Split{draw_name(), draw(-2, 1000)};
    case 1:
      return loop::Reorder{draw_names(0, 5)};
    case 2:
      return loop::Fuse{draw_name(), draw_name()};
    case 3:
      return loop::Vectorize{draw_name()};
    case 4:
      return loop::Unroll{draw_name()};
    case 5:
      return loop::Parallel{draw_name()};
    case 6:
      return loop::Bind{draw_name(), static_cast<ThreadAxis>(draw(0, 5))};
    case 7:
      return loop::Prefetch{draw_name(), draw_name(), draw(-2, 70)};
    case 8:
      return loop::CacheRead{draw_name(), draw_name(),
                             chance(2) ? MemoryScope::local : MemoryScope::private_};
    case 9:
      return loop::DoubleBuffer{draw_name()};
    case 10:
      return loop::ComputeAt{draw_name(), draw_name()};
    case 11:
      return loop::Inline{};
    case 12:
      return loop::RFactor{draw_name()};
    default:
      return loop::CacheWrite{draw_name(), chance(2) ? draw_name() : "root", chance(2)};
  }
}

Trace draw_trace() {
  Trace trace;
  if (chance(3)) trace.algorithm = algorithm::Winograd{draw(-1, 9)};
  for (const char* tensor : {"X", "W", "Y"}) {
    if (chance(3)) continue;
    TensorLayout layout{tensor, {}, MemoryScope::global};
    for (int64_t count = draw(0, 4); count > 0; --count)
      layout.primitives.push_back(draw_layout_primitive());
    if (chance(3)) layout.scope = static_cast<MemoryScope>(draw(0, 8));
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

// A buffer or register tile that a statement may use, with its extents.
struct Target {
  std::string name;
  std::vector<int64_t> extents;
};

// What a random statement sees around it.
struct Scope {
  Ranges ranges;
  std::vector<Target> targets;
};

// Mostly inside [0, extent): a variable whose range fits, else anything.
IndexExpr draw_index_for(int64_t extent, const Scope& scope) {
  if (chance(12)) return draw_index(scope.ranges, 1);
  std::vector<IndexExpr> fitting = {IndexExpr(draw(0, extent - 1))};
  for (const auto& [name, range] : scope.ranges) {
    const IndexExpr v = IndexExpr::variable(name);
    if (range.max < extent) fitting.push_back(v + IndexExpr(draw(0, extent - 1 - range.max)));
    fitting.push_back(floor_mod(v + IndexExpr(draw(0, 3)), extent, scope.ranges));
  }
  return pick(fitting);
}

std::vector<IndexExpr> draw_indices_for(const Target& target, const Scope& scope) {
  std::vector<IndexExpr> indices;
  for (const int64_t extent : target.extents) indices.push_back(draw_index_for(extent, scope));
  return indices;
}

Value draw_value(const Scope& scope, int depth) {
  switch (depth == 0 ? draw(0, 2) : draw(0, 6)) {
    case 0:
      return Value(static_cast<double>(draw(-40, 40)) / (chance(2) ? 1.0 : 7.0));
    case 1:
    case 2: {
      const Target target = pick(scope.targets);
      return Load{target.name, draw_indices_for(target, scope)};
    }
    case 3:
    case 4:
      return binary(static_cast<BinaryOp>(draw(0, 5)), draw_value(scope, depth - 1),
                    draw_value(scope, depth - 1));
    case 5:
      return unary(static_cast<UnaryOp>(draw(0, 2)), draw_value(scope, depth - 1));
    default: {
      std::vector<Bound> bounds(static_cast<size_t>(draw(1, 2)));
      for (Bound& bound : bounds) bound = {draw_index(scope.ranges, 1), draw(-3, 1), draw(0, 9)};
      const Value then = draw_value(scope, depth - 1);
      return select(bounds, then, draw_value(scope, depth - 1));
    }
  }
}

// Mostly right: over the loop's own variable, by a step.
std::vector<Bound> draw_clip(const std::string& variable, const Ranges& outer) {
  std::vector<Bound> bounds(static_cast<size_t>(draw(1, 2)));
  for (Bound& bound : bounds) {
    const IndexExpr own = IndexExpr::variable(variable) * draw(-2, 3);
    bound = {outer.empty() ? own : own + draw_index(outer, 1), draw(-3, 1), draw(0, 9)};
  }
  return bounds;
}

Block draw_block(Scope scope, int depth) {
  Block block;
  for (int64_t count = draw(1, 3); count > 0; --count) {
    const int64_t kind = draw(0, 5);
    if (kind <= 2 && depth > 0) {
      Loop loop;
      loop.variable = "v" + std::to_string(scope.ranges.size()) + (chance(2) ? ".0" : "");
      loop.extent = draw(1, 4);
      loop.kind = static_cast<LoopKind>(draw(0, 4));
      if (loop.kind == LoopKind::bound) loop.thread = static_cast<ThreadAxis>(draw(0, 5));
      Scope inner = scope;
      inner.ranges[loop.variable] = {0, loop.extent - 1};
      if (chance(4)) loop.bounds = draw_clip(loop.variable, scope.ranges);
      if (chance(5)) {
        const Target target = pick(scope.targets);
        loop.prefetches.push_back({target.name, draw_indices_for(target, inner), draw(0, 70)});
      }
      loop.body = draw_block(std::move(inner), depth - 1);
      block.push_back({std::move(loop)});
    } else if (kind == 3) {
      if (chance(4)) {
        block.push_back({Barrier{}});
        continue;
      }
      ScopedTile tile{"r" + std::to_string(scope.targets.size()), {}, {}};
      tile.scope = static_cast<TileScope>(draw(0, 2));
      for (int64_t rank = draw(0, 2); rank > 0; --rank) tile.extents.push_back(draw(1, 4));
      scope.targets.push_back({tile.name, tile.extents});
      block.push_back({std::move(tile)});
    } else {
      const Target target = pick(scope.targets);
      Store store{target.name, draw_indices_for(target, scope), draw_value(scope, 2), chance(2)};
      store.streaming = chance(6);
      block.push_back({std::move(store)});
    }
  }
  return block;
}

Program draw_program() {
  Program program;
  Scope scope;
  for (int64_t count = draw(1, 4); count > 0; --count) {
    Buffer buffer;
    buffer.name = "B" + std::to_string(count) + (chance(2) ? ".pad" : "");
    buffer.tensor = chance(2) ? buffer.name : "T";
    buffer.dtype = static_cast<DataType>(draw(0, 1));
    buffer.role = static_cast<BufferRole>(draw(0, 4));
    buffer.layout = draw_layout();
    scope.targets.push_back({buffer.name, physical_extents(buffer.layout)});
    program.buffers.push_back(std::move(buffer));
  }
  for (int64_t count = draw(1, 2); count > 0; --count)
    program.kernels.push_back({"k" + std::to_string(count), draw_block(scope, 3), chance(4)});
  return program;
}

Access draw_access(const Ranges& ranges) {
  Access access{draw_name(), {}};
  for (int64_t rank = draw(0, 3); rank > 0; --rank) access.indices.push_back(draw_index(ranges, 1));
  for (int64_t count = chance(3) ? draw(1, 2) : 0; count > 0; --count)
    access.conditions.push_back({draw_index(ranges, 1), draw(-9, 9), draw(-9, 9)});
  return access;
}

Computation draw_computation(const Ranges& ranges) {
  Computation c;
  for (const auto& [name, range] : ranges)
    c.axes.push_back({name, range.max - range.min + 1, chance(2)});
  for (int64_t count = draw(0, 3); count > 0; --count) {
    c.tensors.push_back({draw_name(), {}, static_cast<TensorRole>(draw(0, 2))});
    for (int64_t rank = draw(0, 2); rank > 0; --rank)
      c.tensors.back().dims.push_back({draw_name(), draw(1, 99)});
    c.inputs.push_back(draw_access(ranges));
    if (chance(2)) c.epilogue_inputs.push_back(draw_access(ranges));
    Epilogue epilogue{static_cast<EpilogueKind>(draw(0, 8)), 0, 0};
    if (epilogue.kind == EpilogueKind::clip) {
      epilogue.lo = static_cast<double>(draw(-9, 0)) / 7;
      epilogue.hi = 1e30;
    }
    c.epilogues.push_back(epilogue);
  }
  c.output = draw_access(ranges);
  for (int64_t count = draw(0, 2); count > 0; --count) {
    CoefficientTable table{draw_name(), {draw(1, 3)}, {}};
    for (int64_t k = table.extents[0]; k > 0; --k)
      table.values.push_back(static_cast<double>(draw(-9, 9)) / (chance(2) ? 1 : 24));
    c.tables.push_back(std::move(table));
  }
  return c;
}

StageLoop draw_stage_loop() {
  StageLoop loop{draw_name(), draw(1, 9), static_cast<LoopKind>(draw(0, 4)), ThreadAxis::group_0,
                 chance(2)};
  if (loop.kind == LoopKind::bound) loop.thread = static_cast<ThreadAxis>(draw(0, 5));
  return loop;
}

Attachment draw_attachment() {
  Attachment a;
  a.stage = draw_name();
  a.loop = chance(3) ? "root" : draw_name();
  a.scope = static_cast<TileScope>(draw(0, 2));
  a.doubled = chance(2);
  a.flat_elements = chance(2) ? draw(1, 999) : 0;
  Ranges ranges;
  for (int64_t count = draw(0, 3); count > 0; --count) {
    a.around.push_back(draw_stage_loop());
    ranges[a.around.back().name] = {0, a.around.back().extent - 1};
  }
  for (int64_t rank = draw(0, 3); rank > 0; --rank) {
    a.starts.push_back(draw_index(ranges, 1));
    a.extents.push_back(draw(1, 99));
  }
  return a;
}

Stage draw_stage() {
  const Ranges axes = few_ranges();
  Stage stage;
  stage.name = draw_name();
  stage.computation = draw_computation(axes);
  Ranges loops;
  for (int64_t count = draw(1, 4); count > 0; --count) {
    stage.loops.push_back(draw_stage_loop());
    loops[stage.loops.back().name] = {0, stage.loops.back().extent - 1};
  }
  for (const auto& [name, range] : axes) stage.axis_values[name] = draw_index(loops, 1);
  for (int64_t rank = draw(0, 3); rank > 0; --rank)
    stage.output_indices.push_back(draw_index(loops, 1));
  if (chance(2)) stage.cache_write_at = chance(3) ? "root" : draw_name();
  stage.streaming_stores = stage.cache_write_at && chance(2);
  if (chance(3)) stage.prefetches.push_back({draw_name(), draw_name(), draw(-2, 70)});
  for (int64_t count = draw(0, 2); count > 0; --count)
    stage.cached_reads.push_back(
        {draw_name(), draw_name(), static_cast<TileScope>(draw(0, 2)), chance(2)});
  if (chance(2)) stage.attachment = draw_attachment();
  stage.once = chance(4);
  return stage;
}

Schedule draw_schedule() {
  Schedule schedule;
  schedule.dtype = static_cast<DataType>(draw(0, 1));
  for (int64_t count = draw(0, 3); count > 0; --count) {
    const std::string name = draw_name();
    schedule.tensors.push_back(
        {name, draw_name(), static_cast<BufferRole>(draw(0, 4)), draw_layout()});
  }
  for (int64_t count = draw(0, 2); count > 0; --count) schedule.stages.push_back(draw_stage());
  return schedule;
}

}  // namespace

rc::Gen<Schedule> schedules() { return rc::gen::exec(draw_schedule); }

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
rc::Gen<Program> programs() { return rc::gen::exec(draw_program); }

rc::Gen<Value> values(int depth) {
  return rc::gen::exec([=] {
    return draw_value({{{"i.0", {0, 3}}, {"h", {0, 6}}}, {{"X", {4, 8}}, {"acc", {}}}}, depth);
  });
}

std::string mutated(std::string text) {
  for (int64_t changes = draw(1, 4); changes > 0 && !text.empty(); --changes) {
    const auto size = static_cast<int64_t>(text.size());
    const auto at = static_cast<size_t>(draw(0, size - 1));
    const auto length = static_cast<size_t>(draw(1, 12));
    switch (draw(0, 4)) {
      case 0:
        text[at] = static_cast<char>(draw(-128, 127));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(static_cast<size_t>(draw(0, size - 1)), length));
        break;
      case 3:
        text.insert(at, 1, pick<char>({'(', ')', '[', ']', '-', '9', ' ', '\n', '.', ':'}));
        break;
      default:
        std::swap(text[at], text[static_cast<size_t>(draw(0, size - 1))]);
    }
  }
  return text;
}

}  // namespace dovetail::testing
