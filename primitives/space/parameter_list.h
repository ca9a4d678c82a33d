// SPDX-License-Identifier: Apache-2.0
//
// ParameterList: parameters added one after another, domains written against names.
//
//   ParameterList list;
//   list.add("U.i", "unrolled part of i", {}, [](const Choices&) { return {1, 2, 4}; });
//   list.add("K.i", "inner part", {"U.i"},
//            [](const Choices& c) { return divisors(64 / chosen(c, "U.i")); });
//
// A domain sees the named earlier parameters and no others; names that the list lacks are left out,
// so that a rule can name what only some spaces have.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "primitives/space/choices.h"
#include "primitives/space/space.h"

namespace dovetail {

class ParameterList {
 public:
  using Domain = std::function<std::vector<int64_t>(const Choices&)>;

  // The parameter added, for what few of them have.
  Parameter& add(std::string name, std::string meaning, const std::vector<std::string>& reads,
                 Domain domain, std::vector<std::string> labels = {});

  // A choice only where `condition`, a parameter of the list, is `value`; else it is `off`.
  Parameter& add_only_with(const std::string& condition, int64_t value, int64_t off,
                           std::string name, std::string meaning, std::vector<std::string> reads,
                           Domain domain);

  bool has(std::string_view name) const;
  const std::vector<Parameter>& parameters() const { return parameters_; }
  std::vector<Parameter> take() { return std::move(parameters_); }

 private:
  std::vector<Parameter> parameters_;
};

}  // namespace dovetail
