// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/random/random_specs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace dovetail::testing {
namespace {

constexpr int64_t kMostPoints = 1500;  // per statement: the interpreter runs them all

class DrawSpec {
 public:
  explicit DrawSpec(std::mt19937_64& rng) : rng_(rng) {}

  std::string drawn() {
    constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 7, 8, 16};
    for (const char* axis : {"a", "b", "c", "d"}) extents_[axis] = kExtents[below(8)];
    std::vector<std::string> statements;
    const int64_t count = 1 + below(3);
    for (int64_t k = 0; k < count; ++k) statements.push_back(statement(fmt::format("Y{}", k)));
    std::vector<std::string> keys;
    for (const auto& [axis, extent] : extents_) keys.push_back(fmt::format("{}={}", axis, extent));
    keys.insert(keys.end(), tensors_.begin(), tensors_.end());
    return fmt::format("{}:{}", fmt::join(statements, ";"), fmt::join(keys, ","));
  }

 private:
  using Axes = std::vector<std::string>;

  int64_t below(int64_t n) { return static_cast<int64_t>(rng_() % static_cast<uint64_t>(n)); }
  bool one_in(int64_t n) { return below(n) == 0; }
  template <typename T>
  const T& pick(const std::vector<T>& items) {
    return items[static_cast<size_t>(below(static_cast<int64_t>(items.size())))];
  }

  std::string statement(const std::string& name) {
    Axes all;
    for (const auto& [axis, extent] : extents_) all.push_back(axis);
    for (size_t k = all.size(); k > 1; --k)
      std::swap(all[k - 1], all[static_cast<size_t>(below(static_cast<int64_t>(k)))]);
    const size_t outputs = static_cast<size_t>(1 + below(2));
    const size_t reduced = one_in(3) ? 0 : static_cast<size_t>(1 + below(2));
    const Axes made = few(Axes(all.begin(), all.begin() + static_cast<ptrdiff_t>(outputs)), 1);
    const Axes summed = few(Axes(all.begin() + static_cast<ptrdiff_t>(outputs),
                                 all.begin() + static_cast<ptrdiff_t>(outputs + reduced)),
                            points(made));
    Axes live;  // an axis that no operand has is in none of these
    for (const std::string& axis : made)
      if (!one_in(5)) live.push_back(axis);
    const std::string result = value_of(name, made, live, summed);
    made_[name] = made;
    return result;
  }

  // Where the axes are more than the interpreter bears, only the first of them.
  Axes few(Axes axes, int64_t around) const {
    while (!axes.empty() && around * points(axes) > kMostPoints) axes.pop_back();
    return axes;
  }
  int64_t points(const Axes& axes) const {
    int64_t product = 1;
    for (const std::string& axis : axes) product *= extents_.at(axis);
    return product;
  }

  std::string value_of(const std::string& name, const Axes& made, const Axes& live,
                       const Axes& summed) {
    const std::string target = fmt::format("{}[{}]", name, fmt::join(made, ","));
    scope_ = live;
    if (summed.empty()) return fmt::format("{}=tanh({})", target, real(3));
    scope_.insert(scope_.end(), summed.begin(), summed.end());
    std::string element = one_in(3) ? fmt::format("real({})", integer(2)) : real(2);
    for (const std::string& axis : summed)  // so that all of them are used
      element = fmt::format("{}*{}", element, given("f32", {axis}));
    const std::string reducer = pick(std::vector<std::string>{"sum", "max", "min", "prod"});
    if (reducer == "prod") element = fmt::format("(1+0.25*tanh({}))", element);
    scope_ = live;
    if (one_in(2))
      return fmt::format("{}=tanh({}({})*0.125)+{}", target, reducer, element, real(1));
    return fmt::format("{}=tanh({}({}))", target, reducer, element);
  }

  std::string real(int depth) {
    if (depth == 0) return one_in(6) ? fmt::format("real({})", integer(1)) : read("f32");
    const std::string left = real(depth - 1);
    switch (below(9)) {
      case 0: return fmt::format("({}+{})", left, real(depth - 1));
      case 1: return fmt::format("({}-{})*0.5", left, real(depth - 1));
      case 2: return fmt::format("({}*{})", left, real(depth - 1));
      case 3: return fmt::format("max({},{})", left, real(depth - 1));
      case 4: return fmt::format("select({},{},{})", bounds(), left, real(depth - 1));
      case 5: return fmt::format("select({}<2,{},0.5)", integer(1), left);
      case 6: return fmt::format("tanh({})", left);
      case 7: return fmt::format("relu({})", left);
      default: return left;
    }
  }

  std::string integer(int depth) {
    if (depth == 0) {
      if (one_in(6) && !scope_.empty()) return pick(scope_);
      return read(pick(std::vector<std::string>{"i64", "i32", "i8", "u8", "i16"}));
    }
    const std::string left = integer(depth - 1);
    switch (below(7)) {
      case 0: return fmt::format("({}*2)", left);
      case 1: return fmt::format("({}-9)", left);
      case 2: return fmt::format("({}+{})", left, integer(depth - 1));
      case 3: return fmt::format("min({},{})", left, integer(depth - 1));
      case 4: return fmt::format("abs({})", left);
      case 5: return fmt::format("quotient({},2)", left);
      default: return left;
    }
  }

  std::string bounds() {
    if (scope_.empty()) return "0<1";
    const std::string& axis = pick(scope_);
    return one_in(3) ? axis + "%2<1" : fmt::format("{}<{}", axis, 1 + below(extents_.at(axis)));
  }

  // An element of an earlier statement's tensor (f32 only), or of a new given tensor.
  std::string read(const std::string& type) {
    if (type == "f32" && !made_.empty() && !one_in(3)) {
      const auto tensor = std::next(made_.begin(), below(static_cast<int64_t>(made_.size())));
      std::vector<std::string> indices;
      for (const std::string& axis : tensor->second) {
        const bool in_scope = std::ranges::find(scope_, axis) != scope_.end();
        indices.push_back(in_scope && !one_in(3) ? axis : index(extents_.at(axis)));
      }
      return fmt::format("{}[{}]", tensor->first, fmt::join(indices, ","));
    }
    std::vector<std::string> indices;
    const int64_t dims = 1 + below(2);
    for (int64_t d = 0; d < dims; ++d) indices.push_back(index(1 + below(8)));
    return given(type, std::move(indices));
  }

  std::string given(const std::string& type, std::vector<std::string> indices) {
    const std::string name = fmt::format("X{}", tensors_.size());
    std::vector<int64_t> shape;
    for (size_t d = 0; d < indices.size(); ++d) shape.push_back(1 + below(9));
    tensors_.push_back(fmt::format("{}={}x{}", name, fmt::join(shape, "x"), type));
    const std::string text = fmt::format("{}[{}]", name, fmt::join(indices, ","));
    return one_in(8) ? fmt::format("outside({},2)", text) : text;
  }

  std::string index(int64_t extent) {
    if (scope_.empty()) return "0";
    const std::string axis = pick(scope_);
    switch (below(8)) {
      case 0: return fmt::format("{}+{}-1", axis, pick(scope_));
      case 1: return fmt::format("2*{}-1", axis);
      case 2: return fmt::format("{}/2", axis);
      case 3: return fmt::format("{}-1", axis);
      case 4:
      case 5: return fmt::format("clamp({},0,{})", deeper_ ? axis : choosing(), extent - 1);
      default: return axis;
    }
  }

  // An index is chosen by data that are read at plain places, mostly.
  std::string choosing() {
    deeper_ = !one_in(4);
    std::string text = integer(static_cast<int>(below(2)));
    deeper_ = false;
    return text;
  }

  std::mt19937_64& rng_;
  std::map<std::string, int64_t> extents_;
  std::map<std::string, Axes> made_;  // tensors, with their axes
  std::vector<std::string> tensors_;  // keys of those that are given
  Axes scope_;                        // axes that may be used
  bool deeper_ = false;
};

}  // namespace

std::string random_spec(std::mt19937_64& rng) { return DrawSpec(rng).drawn(); }

}  // namespace dovetail::testing
