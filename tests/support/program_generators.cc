// SPDX-License-Identifier: Apache-2.0
//
// values() and programs() of ir_generators.h.
#include <utility>

#include "tests/support/draws.h"
#include "tests/support/ir_generators.h"

namespace dovetail::testing {
namespace {

// A buffer or register tile that a statement may use, with its extents.
struct Target {
  std::string name;
  std::vector<int64_t> extents;
};

// A random statement sees this around it.
struct Scope {
  Ranges ranges;
  std::vector<Target> targets;
};

// The index is mostly inside [0, extent): a variable whose range fits, else anything.
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
  switch (depth == 0 ? draw(0, 2) : draw(0, 9)) {
    case 0: return Value(static_cast<double>(draw(-40, 40)) / (chance(2) ? 1.0 : 7.0));
    case 1:
    case 2: {
      const Target target = pick(scope.targets);
      return Load{target.name, draw_indices_for(target, scope)};
    }
    case 3:
    case 4:
      return binary(static_cast<BinaryOp>(draw(0, 9)), draw_value(scope, depth - 1),
                    draw_value(scope, depth - 1));
    case 5: return unary(static_cast<UnaryOp>(draw(0, 7)), draw_value(scope, depth - 1));
    case 6: return IndexValue{draw_index(scope.ranges, 1)};
    case 7: return cast(static_cast<ComputedType>(draw(0, 2)), draw_value(scope, depth - 1));
    case 8: {
      const Value condition = draw_value(scope, depth - 1), then = draw_value(scope, depth - 1);
      return choose(condition, then, draw_value(scope, depth - 1));
    }
    default: {
      std::vector<Bound> bounds(static_cast<size_t>(draw(1, 2)));
      for (Bound& bound : bounds) bound = {draw_index(scope.ranges, 1), draw(-3, 1), draw(0, 9)};
      const Value then = draw_value(scope, depth - 1);
      return select(bounds, then, draw_value(scope, depth - 1));
    }
  }
}

// The bounds are mostly right: they move with the loop's own variable, by a step.
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
      if (chance(6)) loop.at = draw_value(scope, 1);
      if (chance(4)) loop.bounds = draw_clip(loop.variable, scope.ranges);
      if (chance(5)) {
        const Target target = pick(scope.targets);
        loop.prefetches.push_back({target.name, draw_indices_for(target, inner), draw(0, 70)});
      }
      loop.body = draw_block(std::move(inner), depth - 1);
      block.push_back({std::move(loop)});
    } else if (kind == 3) {
      if (chance(4)) {
        block.push_back({Barrier{.leaving = chance(2) ? 0 : draw(1, 9)}});
        continue;
      }
      ScopedTile tile{"r" + std::to_string(scope.targets.size()), {}, {}};
      tile.scope = static_cast<TileScope>(draw(0, 2));
      for (int64_t rank = draw(0, 2); rank > 0; --rank) tile.extents.push_back(draw(1, 4));
      scope.targets.push_back({tile.name, tile.extents});
      block.push_back({std::move(tile)});
    } else {
      const Target target = pick(scope.targets);
      Store store{target.name, draw_indices_for(target, scope), draw_value(scope, 2),
                  static_cast<Reducer>(chance(2) ? 0 : draw(1, 4))};
      store.streaming = chance(6);
      store.async = chance(6);
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
    buffer.dtype = static_cast<ElementType>(draw(0, kNumStoredTypes - 1));
    buffer.role = static_cast<BufferRole>(draw(0, 4));
    buffer.layout = draw_layout();
    scope.targets.push_back({buffer.name, physical_extents(buffer.layout)});
    program.buffers.push_back(std::move(buffer));
  }
  for (int64_t count = draw(1, 2); count > 0; --count)
    program.kernels.push_back({"k" + std::to_string(count), draw_block(scope, 3), chance(4)});
  return program;
}

}  // namespace

rc::Gen<Program> programs() { return rc::gen::exec(draw_program); }

rc::Gen<Value> values(int depth) {
  return rc::gen::exec([=] {
    return draw_value({{{"i.0", {0, 3}}, {"h", {0, 6}}}, {{"X", {4, 8}}, {"acc", {}}}}, depth);
  });
}

}  // namespace dovetail::testing
