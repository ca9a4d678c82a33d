// SPDX-License-Identifier: Apache-2.0
#include "costmodel/features/program_facts.h"

#include <algorithm>
#include <cmath>

#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

using Regions = std::vector<AccessRegion>;

void join_into(Regions& regions, AccessRegion region) {
  for (AccessRegion& known : regions)
    if (join(known, region)) return;
  regions.push_back(std::move(region));
}

void join_into(Regions& regions, Regions more) {
  for (AccessRegion& region : more) join_into(regions, std::move(region));
}

double sum_of_lines(const Regions& regions) {
  double bytes = 0;
  for (const AccessRegion& region : regions) bytes += line_bytes(region);
  return bytes;
}

bool is_product(const Value& value) {
  const auto* b = value.as<Binary>();
  return b != nullptr && b->op == BinaryOp::mul;
}

class Walk {
 public:
  explicit Walk(const Program& program) : program_(program) {
    for (const Buffer& buffer : program.buffers) {
      extents_.push_back(physical_extents(buffer.layout));
      facts_.storages.push_back({.kind = StorageKind::buffer,
                                 .buffer = &buffer,
                                 .elements = static_cast<double>(storage_elements(buffer.layout)),
                                 .element_bytes = static_cast<double>(bytes_of(buffer.dtype))});
    }
  }

  ProgramFacts run() {
    Regions all;
    for (const Kernel& kernel : program_.kernels) {
      if (kernel.prepares) continue;
      ++facts_.kernels;
      join_into(all, block(kernel.body, -1, 1));
    }
    for (const AccessRegion& region : all) {
      const double bytes = line_bytes(region);
      facts_.storage(region.storage).touched_bytes += bytes;
      facts_.touched_bytes += bytes;
    }
    return std::move(facts_);
  }

 private:
  // Memory regions that the block touches; loops around it stay open.
  Regions block(const Block& block, int parent, double executions) {
    Regions touched;
    const size_t outer_tiles = tiles_.size();
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        join_into(touched, this->loop(*loop, parent, executions));
      } else if (const auto* tile = std::get_if<ScopedTile>(&statement.node)) {
        declare(*tile);
      } else if (const auto* store = std::get_if<Store>(&statement.node)) {
        Regions own = this->statement(*store, executions);
        if (parent >= 0) facts_.loop(parent).direct_bytes += sum_of_lines(own);
        join_into(touched, std::move(own));
      } else if (std::holds_alternative<Barrier>(statement.node)) {
        facts_.barriers += executions;
      }
    }
    tiles_.resize(outer_tiles);
    return touched;
  }

  Regions loop(const Loop& loop, int parent, double executions) {
    const int id = static_cast<int>(facts_.loops.size());
    const double iterations = mean_iterations(loop);
    facts_.loops.push_back({.loop = &loop, .iterations = iterations, .executions = executions});
    (parent < 0 ? facts_.roots : facts_.loop(parent).children).push_back(id);
    open_.push_back({.loop = id, .variable = loop.variable});
    Regions touched = block(loop.body, id, executions * iterations);
    open_.pop_back();
    facts_.loop(id).body_bytes = sum_of_lines(touched);
    for (AccessRegion& region : touched) close_loop(region, id, static_cast<double>(loop.extent));
    facts_.loop(id).total_bytes = sum_of_lines(touched);
    return touched;
  }

  // Mean trip count over (at most 64, evenly spaced) values of the bounds' other terms.
  double mean_iterations(const Loop& loop) const {
    const auto extent = static_cast<double>(loop.extent);
    double mean = extent;
    for (const Bound& bound : loop.bounds) {
      const auto step = static_cast<double>(bound.expr.coefficient(loop.variable));
      if (step == 0) continue;
      const RegionAxis rest = axis_of(bound.expr);
      constexpr double kMaxSamples = 64;
      const double samples = std::min(kMaxSamples, rest.high - rest.low + 1);
      double sum = 0;
      for (int i = 0; i < samples; ++i) {
        const double at =
            std::round(rest.low + (rest.high - rest.low) * i / std::max(1.0, samples - 1));
        const double first = (static_cast<double>(bound.lower) - at) / step;
        const double last = (static_cast<double>(bound.upper) - 1 - at) / step;
        const double begin = std::max(0.0, std::ceil(std::min(first, last)));
        const double end = std::min(extent - 1, std::floor(std::max(first, last)));
        sum += std::max(0.0, end - begin + 1);
      }
      mean = std::min(mean, sum / std::max(1.0, samples));
    }
    return std::max(mean, extent * 1e-3);
  }

  // Range of an expression over all iterations of the open loops; other variables are zero.
  RegionAxis axis_of(const IndexExpr& e) const {
    AccessRegion region = region_of(std::span(&e, 1), {}, open_);
    for (const OpenLoop& open : open_) {
      const LoopFacts& loop = facts_.loop(open.loop);
      close_loop(region, open.loop, static_cast<double>(loop.loop->extent));
    }
    return region.axes.front();
  }

  void declare(const ScopedTile& tile) {
    constexpr StorageKind kKinds[] = {StorageKind::registers, StorageKind::private_,
                                      StorageKind::local};
    tiles_.emplace_back(tile.name, static_cast<int>(facts_.storages.size()));
    extents_.push_back(tile.extents);
    StorageFacts storage{.kind = kKinds[static_cast<size_t>(tile.scope)],
                         .elements = 1,
                         .element_bytes = static_cast<double>(bytes_of(tile.type))};
    for (const int64_t extent : tile.extents) storage.elements *= static_cast<double>(extent);
    facts_.storages.push_back(storage);
  }

  int storage_named(const std::string& name) const {
    for (size_t i = tiles_.size(); i-- > 0;)
      if (tiles_[i].first == name) return tiles_[i].second;
    for (size_t i = 0; i < program_.buffers.size(); ++i)
      if (program_.buffers[i].name == name) return static_cast<int>(i);
    return -1;
  }

  AccessFacts access(const std::string& name, const std::vector<IndexExpr>& indices) const {
    AccessFacts access{.storage = storage_named(name), .region = {}, .strides = {}};
    access.region = region_of(indices, extents_[static_cast<size_t>(access.storage)], open_);
    access.region.storage = access.storage;
    access.region.element_bytes = facts_.storage(access.storage).element_bytes;
    for (const OpenLoop& open : open_)
      access.strides.push_back(storage_stride(access.region, open.loop));
    return access;
  }

  Regions statement(const Store& store, double executions) {
    StatementFacts statement{.store = &store,
                             .loops = {},
                             .executions = executions,
                             .target = access(store.target, store.indices),
                             .loads = {}};
    for (const OpenLoop& open : open_) statement.loops.push_back(open.loop);
    loads_.clear();
    value(store.value, store.reducer == Reducer::sum, statement);
    const bool joined = store.reducer == Reducer::sum && is_product(store.value);
    if (accumulates(store) && !joined) statement.operations += 1;
    Regions touched;
    add_memory(statement.target, touched);
    for (const AccessFacts& load : statement.loads) add_memory(load, touched);
    facts_.statements.push_back(std::move(statement));
    return touched;
  }

  void add_memory(const AccessFacts& access, Regions& touched) const {
    const StorageKind kind = facts_.storage(access.storage).kind;
    if (kind == StorageKind::buffer || kind == StorageKind::private_)
      join_into(touched, access.region);
  }

  // A bound that depends only on unrolled and vectorized loops is decided at compile time.
  bool is_tested(const Bound& bound) const {
    const AccessRegion region = region_of(std::span(&bound.expr, 1), {}, open_);
    return std::ranges::any_of(region.axes.front().terms, [&](const auto& term) {
      const Loop& loop = *facts_.loop(term.first).loop;
      return loop.kind != LoopKind::unrolled && loop.kind != LoopKind::vectorized;
    });
  }

  // Operations of a choice, a cast or a function itself; its operands are counted separately.
  static double operations_of(const Value& value) {
    constexpr double kOperationsOfFunction = 20;  // a polynomial
    const auto* u = value.as<Unary>();
    if (u == nullptr) return value.as<Choose>() != nullptr || value.as<Cast>() != nullptr ? 1 : 0;
    const bool single = u->op == UnaryOp::sqrt || u->op == UnaryOp::floor || u->op == UnaryOp::abs;
    return single ? 1 : kOperationsOfFunction;
  }

  // `added`: the value is an operand of an addition, so that a product is a multiply-add.
  void value(const Value& value, bool added, StatementFacts& statement) {
    if (const auto* load = value.as<Load>()) {
      if (std::ranges::find(loads_, *load) != loads_.end()) return;
      loads_.push_back(*load);
      statement.loads.push_back(access(load->buffer, load->indices));
    } else if (const auto* b = value.as<Binary>()) {
      const BinaryOp op = b->op;
      const bool adds = op == BinaryOp::add || op == BinaryOp::sub;
      if (op == BinaryOp::mul && added && !is_zero(value))
        statement.multiply_adds += 1;
      else if (!adds || (!is_product(b->left) && !is_product(b->right)))
        statement.operations += 1;
      this->value(b->left, adds, statement);
      this->value(b->right, adds, statement);
    } else if (const auto* s = value.as<Select>()) {
      for (const Bound& bound : s->bounds) statement.guards += is_tested(bound) ? 1 : 0;
      this->value(s->then, added, statement);
      this->value(s->otherwise, added, statement);
    } else {
      statement.operations += operations_of(value);
      for_each_operand(value,
                       [&](const Value& operand) { this->value(operand, false, statement); });
    }
  }

  const Program& program_;
  ProgramFacts facts_;
  std::vector<std::vector<int64_t>> extents_;       // by storage
  std::vector<std::pair<std::string, int>> tiles_;  // tiles in scope, with their storage
  std::vector<OpenLoop> open_;
  std::vector<Load> loads_;  // distinct loads so far in the current statement
};

}  // namespace

ProgramFacts facts_of(const Program& program) { return Walk(program).run(); }

int heaviest_statement(const ProgramFacts& facts) {
  int heaviest = -1;
  std::pair<double, double> most{-1, -1};
  for (size_t i = 0; i < facts.statements.size(); ++i) {
    const StatementFacts& statement = facts.statements[i];
    const std::pair<double, double> weight{statement.executions * statement.multiply_adds,
                                           statement.executions};
    if (weight > most) {
      most = weight;
      heaviest = static_cast<int>(i);
    }
  }
  return heaviest;
}

}  // namespace dovetail
