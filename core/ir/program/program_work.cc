// SPDX-License-Identifier: Apache-2.0
//
// Counts the multiply-adds and bytes of a program. Both are lower bounds on the work, because a
// time below the one that they imply is rejected as impossible.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/ir/index/bounded_range.h"
#include "core/ir/program/varying_loops.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

// Iterations of the loops over `variables`; a double, since programs of 10^12 multiply-adds exist.
double iterations(const std::set<std::string>& variables, const Ranges& ranges) {
  double count = 1;
  for (const std::string& name : variables) {
    const auto it = ranges.find(name);
    if (it != ranges.end()) count *= static_cast<double>(it->second.max - it->second.min + 1);
  }
  return count;
}

std::set<std::string> variables_of(const std::vector<Bound>& bounds) {
  std::set<std::string> names;
  for (const Bound& bound : bounds)
    for (std::string& name : bound.expr.variables()) names.insert(std::move(name));
  return names;
}

bool hold(const std::vector<Bound>& bounds, const Bindings& values) {
  return std::ranges::all_of(bounds, [&](const Bound& bound) {
    const int64_t value = evaluate(bound.expr, values);
    return bound.lower <= value && value < bound.upper;
  });
}

// Share of the iterations for which all bounds hold, by enumeration; 0 when there are too many.
double counted_share(const std::vector<Bound>& bounds, const Ranges& ranges) {
  constexpr double kMaxCounted = 1 << 20;
  const std::set<std::string> names = variables_of(bounds);
  const double total = iterations(names, ranges);
  if (total > kMaxCounted) return 0;
  Bindings values;
  for (const std::string& name : names) {
    const auto it = ranges.find(name);
    if (it == ranges.end()) return 0;
    values[name] = it->second.min;
  }
  double held = 0;
  while (true) {
    if (hold(bounds, values)) ++held;
    auto variable = values.begin();
    for (; variable != values.end(); ++variable) {
      const Range range = ranges.find(variable->first)->second;
      if (++variable->second <= range.max) break;
      variable->second = range.min;
    }
    if (variable == values.end()) return held / total;
  }
}

// Bounds without common variables are independent: their shares multiply, and are cheap to count.
double share(std::vector<Bound> bounds, const Ranges& ranges) {
  double product = 1;
  while (!bounds.empty()) {
    std::vector<Bound> group = {bounds.back()};
    bounds.pop_back();
    for (size_t taken = 0; taken != group.size();) {
      taken = group.size();
      const std::set<std::string> names = variables_of(group);
      std::erase_if(bounds, [&](const Bound& bound) {
        const std::vector<std::string> own = bound.expr.variables();
        const bool related =
            std::ranges::any_of(own, [&](const std::string& name) { return names.contains(name); });
        if (related) group.push_back(bound);
        return related;
      });
    }
    product *= counted_share(group, ranges);
  }
  return product;
}

class Work {
 public:
  explicit Work(const Program& program) : program_(program), varying_(program) {
    for (const Kernel& kernel : program.kernels) {
      kernel_ = &kernel;
      if (!kernel.prepares) block(kernel.body);
    }
  }

  double multiply_adds() const { return multiply_adds_; }
  double bytes() const {
    double total = 0;
    for (const auto& [name, elements] : elements_) {
      const Buffer& buffer = buffer_named(program_, name);
      total += elements * (static_cast<double>(bytes_of(buffer.dtype)));
    }
    return total;
  }

 private:
  void block(const Block& block) {
    for (const Statement& statement : block) {
      if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        const auto outer = ranges_.find(loop->variable);
        const std::optional<Range> hidden =
            outer == ranges_.end() ? std::nullopt : std::optional(outer->second);
        products_.clear();
        if (loop->at) value(*loop->at, false);
        ranges_[loop->variable] = {0, iterations_of(*loop) - 1};
        loops_.push_back(loop);
        const size_t outside = bounds_.size();
        bounds_.insert(bounds_.end(), loop->bounds.begin(), loop->bounds.end());
        this->block(loop->body);
        bounds_.resize(outside);
        loops_.pop_back();
        ranges_.erase(loop->variable);
        if (hidden) ranges_[loop->variable] = *hidden;
      } else if (const auto* store = std::get_if<Store>(&statement.node)) {
        access(store->target, store->indices);
        products_.clear();
        value(store->value, store->reducer == Reducer::sum);
      }
    }
  }

  // A gather loop runs one iteration.
  static int64_t iterations_of(const Loop& loop) { return loop.at ? 1 : loop.extent; }

  // `added`: the value is an operand of an addition, so that a product is a multiply-add.
  void value(const Value& value, bool added) {
    if (const auto* load = value.as<Load>()) {
      access(load->buffer, load->indices);
    } else if (const auto* b = value.as<Binary>()) {
      if (b->op == BinaryOp::mul && added) multiply_adds_ += times(value);
      const bool adds = b->op == BinaryOp::add || b->op == BinaryOp::sub;
      this->value(b->left, adds);
      this->value(b->right, adds);
    } else if (const auto* s = value.as<Select>()) {
      const size_t outside = bounds_.size();
      bounds_.insert(bounds_.end(), s->bounds.begin(), s->bounds.end());
      this->value(s->then, added);
      bounds_.resize(outside);
    } else {
      for_each_operand(value, [&](const Value& operand) { this->value(operand, false); });
    }
  }

  // The multiplications that a compiler cannot avoid: one for each value that the product takes,
  // and none for one known at compile time, by 0 or ±1, or counted already.
  double times(const Value& product) {
    const auto& [op, left, right] = *product.as<Binary>();
    const auto is_one = [](const Value& factor) {
      return factor == Value(1.0) || factor == Value(-1.0);
    };
    const bool is_known =
        !any_node(product, [](const Value& node) { return node.as<Load>() != nullptr; });
    if (is_known || is_zero(product) || is_one(left) || is_one(right)) return 0;
    if (std::ranges::find(products_, product) != products_.end()) return 0;
    products_.push_back(product);
    double count = 1;
    for (const Loop* loop : varying_.of(product, *kernel_, loops_))
      count *= static_cast<double>(iterations_of(*loop));
    return count * share(bounds_in(product), ranges_);
  }

  // Bounds around and inside a product; where one fails, no multiplication is needed.
  std::vector<Bound> bounds_in(const Value& product) const {
    std::vector<Bound> bounds = bounds_;
    collect(product, bounds);
    return bounds;
  }

  static void collect(const Value& value, std::vector<Bound>& bounds) {
    if (const auto* b = value.as<Binary>()) {
      collect(b->left, bounds);
      collect(b->right, bounds);
    } else if (const auto* s = value.as<Select>()) {
      bounds.insert(bounds.end(), s->bounds.begin(), s->bounds.end());
      collect(s->then, bounds);
    }
  }

  // Counts distinct elements: per axis the span of its index, but at most one per iteration.
  void access(const std::string& name, const std::vector<IndexExpr>& indices) {
    const Buffer* buffer = find_buffer(program_, name);
    if (buffer == nullptr) return;
    double elements = 1;
    std::set<std::string> all;
    for (const IndexExpr& index : indices) {
      const std::vector<std::string> own = index.variables();
      all.insert(own.begin(), own.end());
      const std::optional<Range> range = bounded_range(index, ranges_, bounds_);
      if (!range) return;
      const double span = std::max(0.0, static_cast<double>(range->max - range->min + 1));
      elements *= std::min(span, iterations({own.begin(), own.end()}, ranges_));
    }
    elements = std::min({elements, iterations(all, ranges_),
                         static_cast<double>(storage_elements(buffer->layout))});
    double& most = elements_[name];
    most = std::max(most, elements);
  }

  const Program& program_;
  const VaryingLoops varying_;
  const Kernel* kernel_ = nullptr;
  std::vector<const Loop*> loops_;  // around the current statement
  Ranges ranges_;
  std::vector<Bound> bounds_;
  std::vector<Value> products_;  // products of the current value, each counted once
  double multiply_adds_ = 0;
  std::map<std::string, double> elements_;  // by buffer
};

}  // namespace

double executed_fmas(const Program& program) { return Work(program).multiply_adds(); }

int64_t touched_bytes(const Program& program) { return std::llround(Work(program).bytes()); }

}  // namespace dovetail
