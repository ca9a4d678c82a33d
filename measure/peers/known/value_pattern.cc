// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/known/value_pattern.h"

#include "core/base/check.h"
#include "core/ir/region/region_nodes.h"
#include "core/ir/region/region_text.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

using Holes = ValuePattern::Holes;

std::vector<Value> operands_of(const Value& value) {
  std::vector<Value> operands;
  for_each_operand(value, [&](const Value& operand) { operands.push_back(operand); });
  return operands;
}

// Compares the nodes themselves, not their operands.
bool is_alike(const Value& a, const Value& b) {
  if (a.node().index() != b.node().index()) return false;
  if (const auto* x = a.as<Binary>()) return x->op == b.as<Binary>()->op;
  if (const auto* x = a.as<Unary>()) return x->op == b.as<Unary>()->op;
  if (const auto* x = a.as<Select>()) return x->bounds == b.as<Select>()->bounds;
  if (const auto* x = a.as<Cast>()) return x->type == b.as<Cast>()->type;
  return a.as<Choose>() != nullptr || a == b;
}

class Matching {
 public:
  explicit Matching(const std::vector<std::string>& names) : names_(names) {}

  // All matches that extend `before`: the first one may fail further on.
  std::vector<Holes> match(const Value& pattern, const Value& value, const Holes& before) const {
    if (const auto* read = pattern.as<ReadOf>()) {
      Holes holes = before;
      const auto [place, is_new] =
          holes.emplace(names_[static_cast<size_t>(read->position)], value);
      const bool fits = is_new || place->second == value;
      return fits ? std::vector{std::move(holes)} : std::vector<Holes>{};
    }
    if (!is_alike(pattern, value)) return {};
    const std::vector<Value> wanted = operands_of(pattern), found = operands_of(value);
    std::vector<Holes> ways = in_order(wanted, found, before);
    const auto* binary = pattern.as<Binary>();
    if (binary != nullptr && is_commutative(binary->op))
      for (Holes& way : in_order(wanted, {found[1], found[0]}, before))
        ways.push_back(std::move(way));
    return ways;
  }

 private:
  std::vector<Holes> in_order(const std::vector<Value>& wanted, const std::vector<Value>& found,
                              const Holes& before) const {
    std::vector<Holes> ways = {before};
    for (size_t i = 0; i < wanted.size(); ++i) {
      std::vector<Holes> further;
      for (const Holes& way : ways)
        for (Holes& next : match(wanted[i], found[i], way)) further.push_back(std::move(next));
      ways = std::move(further);
    }
    return ways;
  }

  const std::vector<std::string>& names_;
};

}  // namespace

ValuePattern::ValuePattern(const std::string& text) {
  const Result<Region> region = parse_region("Y[i]=" + text + ":i=2");
  CHECK(region.has_value(), text);
  const Computation& c = region->computations.front().computation;
  value_ = c.element;
  for (const Access& read : c.reads) holes_.push_back(read.tensor);
}

std::vector<ValuePattern::Holes> ValuePattern::matches(const Value& value) const {
  return Matching(holes_).match(value_, value, {});
}

}  // namespace dovetail
