// SPDX-License-Identifier: Apache-2.0
//
// Random loop nests over small integers: each is refused with a one-line error, or compiles and
// computes the same as the interpreter.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/codegen/llvm/cpu_target.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/expect_same.h"
#include "tests/support/ir_generators.h"

namespace dovetail::testing {
namespace {

int64_t draw(int64_t low, int64_t high) { return *rc::gen::inRange<int64_t>(low, high + 1); }
bool chance(int64_t one_in) { return draw(1, one_in) == 1; }

// Draws one kernel over buffers that are as large as its accesses need.
class NestGenerator {
 public:
  Program program() {
    add_loop("p", draw(1, 4), LoopKind::parallel);
    add_loop("s", draw(1, 3), LoopKind::serial);
    add_loop("u", draw(1, 4), chance(4) ? LoopKind::serial : LoopKind::unrolled);
    add_loop("l", chance(2) ? draw(1, 20) : 16, LoopKind::vectorized);
    Block body = chance(2) ? tile_body() : Block{store("y", index(true), value(2), chance(2))};
    const std::vector<int> order = chance(3) ? std::vector{0, 2, 1} : std::vector{0, 1, 2};
    if (!uses_tile_) body = inside(std::move(body), {order[1], order[2]}, true);
    body = inside(std::move(body), {order[0]}, false);
    if (chance(3)) clip(body);
    Program program;
    for (const auto& [name, extent] : extents_) {
      program.buffers.push_back(buffer(name, extent));
    }
    program.kernels.push_back({"k", std::move(body)});
    return program;
  }

 private:
  void add_loop(const std::string& name, int64_t extent, LoopKind kind) {
    Loop loop;
    loop.variable = name;
    loop.extent = extent;
    loop.kind = kind;
    loops_.push_back(loop);
    ranges_[name] = {0, extent - 1};
  }

  Block inside(Block body, const std::vector<int>& outer, bool lanes) const {
    std::vector<Loop> around;
    for (const int i : outer) around.push_back(loops_[static_cast<size_t>(i)]);
    if (lanes) around.push_back(loops_[3]);
    for (size_t i = around.size(); i-- > 0;) {
      around[i].body = std::move(body);
      body = {Statement{std::move(around[i])}};
    }
    return body;
  }

  // The loop over s runs a part of its iterations, whatever it holds.
  void clip(Block& block) {
    for (Statement& statement : block) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr) continue;
      if (loop->variable == "s" && loop->kind == LoopKind::serial) {
        const IndexExpr rest = IndexExpr::variable("p") * draw(-2, 2) + draw(-2, 2);
        const int64_t lower = draw(-3, 2);
        loop->bounds = {{IndexExpr::variable("s") * (chance(2) ? 1 : draw(2, 3) - 4) + rest, lower,
                         lower + draw(0, 6)}};
      }
      clip(loop->body);
    }
  }

  // acc[u, l] = …; for s: acc[u, l] += …; y[…] = acc[u, l] …
  Block tile_body() {
    uses_tile_ = true;
    const IndexExpr u = IndexExpr::variable("u");
    const IndexExpr l = IndexExpr::variable("l");
    const std::vector<IndexExpr> place = {u, l};
    hidden_ = "s";
    Block first = {Statement{Store{"acc", place, value(1)}}};
    hidden_ = "";
    Block sum = {
        Statement{Store{"acc", place, binary(BinaryOp::mul, load(), load()), Reducer::sum}}};
    hidden_ = "s";
    const Value end = binary(BinaryOp::add, Load{"acc", place}, value(1));
    Block last = {store("y", index(true), end, chance(3))};
    Block whole = {Statement{ScopedTile{"acc", {loops_[2].extent, loops_[3].extent}, {}}}};
    for (Block part : {inside(std::move(first), {2}, true), inside(std::move(sum), {1, 2}, true),
                       inside(std::move(last), {2}, true)}) {
      whole.push_back(std::move(part[0]));
    }
    return whole;
  }

  // The lane, if it is in, has stride 1; now and then another, to be refused.
  IndexExpr index(bool with_lane) {
    IndexExpr sum = draw(-3, 3);
    Ranges scalars;
    for (const char* name : {"p", "s", "u"}) {
      if (name == hidden_ || chance(3)) continue;
      scalars[name] = ranges_[name];
      sum = sum + IndexExpr::variable(name) * draw(-2, 7);
    }
    if (chance(3)) sum = floor_mod(sum, draw(2, 9), scalars) + sum;
    if (chance(4)) sum = floor_div(sum * 3, draw(2, 9), scalars);
    if (with_lane && !chance(5)) sum = sum + IndexExpr::variable("l") * (chance(12) ? 2 : 1);
    return sum;
  }

  // Makes the buffer large enough, and the index start at 0.
  std::vector<IndexExpr> placed(const std::string& name, const IndexExpr& index) {
    const Range range = range_of(index, ranges_);
    int64_t& extent = extents_[name];
    extent = std::max(extent, range.max - range.min + 1);
    return {index - IndexExpr(range.min)};
  }

  Statement store(const std::string& name, const IndexExpr& index, Value value, bool accumulate) {
    const Reducer reducer = accumulate ? Reducer::sum : Reducer::none;
    return Statement{Store{name, placed(name, index), std::move(value), reducer}};
  }

  Value load() {
    const std::string name = chance(2) ? "x" : "w";
    const IndexExpr at = index(chance(2));
    if (!chance(3)) return Load{name, placed(name, at)};
    const Range range = range_of(at, ranges_);
    const int64_t lower = draw(range.min - 1, range.max);
    const int64_t upper = draw(lower, range.max + 2);
    int64_t& extent = extents_[name];
    extent = std::max(extent, upper - lower + 1);
    std::vector<Bound> bounds = {{at, lower, upper}};
    if (chance(3)) bounds.push_back({IndexExpr::variable("p"), draw(0, 1), draw(1, 4)});
    return select(bounds, Load{name, {at - IndexExpr(lower)}},
                  chance(2) ? Value(static_cast<double>(draw(-3, 3))) : load());
  }

  Value value(int depth) {
    if (depth == 0 || chance(3)) {
      return chance(4) ? Value(static_cast<double>(draw(-5, 5))) : load();
    }
    constexpr BinaryOp kExact[] = {BinaryOp::add, BinaryOp::sub, BinaryOp::mul, BinaryOp::min,
                                   BinaryOp::max};
    return binary(kExact[draw(0, 4)], value(depth - 1), value(depth - 1));
  }

  static Buffer buffer(const std::string& name, int64_t extent) {
    Buffer buffer;
    buffer.name = name;
    buffer.tensor = name;
    buffer.role = name == "x"   ? BufferRole::activation
                  : name == "w" ? BufferRole::constant
                                : BufferRole::output;
    buffer.layout = identity_layout({{"i", extent}});
    return buffer;
  }

  std::vector<Loop> loops_;
  Ranges ranges_;
  std::map<std::string, int64_t> extents_;
  std::string hidden_;  // a loop that does not surround what is being drawn
  bool uses_tile_ = false;
};

// This host, or the vectors of 8 lanes that it has too.
Target any_target_that_runs_here() {
  const Target host = host_cpu();
  if (!host.llvm_triple.starts_with("x86_64") || vector_lanes(host) < 16 || chance(2)) return host;
  return *cpu_target(*parse_target_name("cpu:arch=x86-64-v3"));
}

RC_GTEST_PROP(CompileCpuLaw, RandomNestsComputeWhatTheInterpreterDoes, ()) {
  for (int i = 0; i < 2; ++i) {
    const Program program = NestGenerator().program();
    const std::string text = print(program);
    const Target target = any_target_that_runs_here();
    const Result<CpuObject> object = compile_cpu(program, target);
    RC_CLASSIFY(object.has_value(), "compiled");
    if (!object) {
      RC_ASSERT(object.error().message.find("lane") != std::string::npos);
      continue;
    }
    const auto same = same_as_interpreter_on(target, text, static_cast<int>(draw(1, 3)));
    if (!same) RC_LOG() << text << same.message();
    RC_ASSERT(static_cast<bool>(same));
  }
}

// Programs that lowering would never make: most break some rule.
RC_GTEST_PROP(CompileCpuLaw, AnyProgramIsCompiledOrRefusedInOneLine, ()) {
  const Program program = *programs();
  const Result<CpuObject> object = compile_cpu(program, host_cpu());
  RC_CLASSIFY(object.has_value(), "compiled");
  if (object) {
    RC_ASSERT(LoadedObject::load(object->bytes).has_value());
  } else {
    RC_ASSERT(object.error().message.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace dovetail::testing
