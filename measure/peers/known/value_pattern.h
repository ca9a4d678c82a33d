// SPDX-License-Identifier: Apache-2.0
#pragma once

// ValuePattern: a value with holes, in the syntax of regions.
//
//   const ValuePattern pattern("X[i]*clip(X[i]/A[i]+0.5,0,1)");
//   pattern.matches(value)      {{"X", read(0) + read(1)}, {"A", 6}}, in all ways that there are
//
// A hole is a tensor; one that occurs twice must match equal values. + * min max are commutative.
// Numbers must be equal.

#include <map>
#include <string>
#include <vector>

#include "core/ir/value/value.h"

namespace dovetail {

class ValuePattern {
 public:
  using Holes = std::map<std::string, Value, std::less<>>;

  // CHECKs that it parses.
  explicit ValuePattern(const std::string& text);

  std::vector<Holes> matches(const Value& value) const;

 private:
  Value value_;
  std::vector<std::string> holes_;  // by position of the read
};

}  // namespace dovetail
