// SPDX-License-Identifier: Apache-2.0
//
// ParameterList builds the parameters of a space; domains are written against ids, not positions.
//
//   ParameterList list;
//   const ParameterId unrolled(ParameterKind::unroll_part, "i");
//   list.add(unrolled, "unrolled part of i", {}, [](const Choices&) { return {1, 2, 4}; });
//   list.add({ParameterKind::inner_part, "i"}, "inner part", {unrolled},
//            [](const Choices& c) { return divisors(64 / unroll_part(c, "i")); });
//
// A domain sees only the earlier parameters that it declares in `reads`; ids that the list lacks
// are ignored, so that one rule serves spaces with and without them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "primitives/space/choices.h"
#include "primitives/space/space.h"

namespace dovetail {

class ParameterList {
 public:
  using Domain = std::function<std::vector<int64_t>(const Choices&)>;

  // Returns the new parameter, so that rarely used fields can be set.
  Parameter& add(const ParameterId& id, std::string meaning, const std::vector<ParameterId>& reads,
                 Domain domain, std::vector<std::string> labels = {});

  // The domain is these values, regardless of earlier choices.
  Parameter& add_values(const ParameterId& id, std::string meaning, std::vector<int64_t> values,
                        std::vector<std::string> labels = {});

  // The domain applies where `condition`, a parameter of the list, is `value`; else it is {off}.
  Parameter& add_only_with(const ParameterId& condition, int64_t value, int64_t off,
                           const ParameterId& id, std::string meaning,
                           std::vector<ParameterId> reads, Domain domain);

  bool has(const ParameterId& id) const;
  const std::vector<Parameter>& parameters() const { return parameters_; }
  std::vector<Parameter> take() { return std::move(parameters_); }

 private:
  std::vector<Parameter> parameters_;
};

// Replaces the domain by what `change` makes of it.
void change_domain(Parameter& parameter,
                   std::function<std::vector<int64_t>(std::vector<int64_t>)> change);
void fix_value(int64_t value, Parameter& parameter);
// Removes values, unless nothing would remain.
void leave_out(const std::vector<int64_t>& unwanted, Parameter& parameter);

// Where `condition` is `value`, fixes the later parameters that satisfy `is_meant` to their off
// value: 1 for layout_block, else the first of their domain.
void keep_off_where(const ParameterId& condition, int64_t value,
                    const std::function<bool(const Parameter&)>& is_meant,
                    std::vector<Parameter>& parameters);

}  // namespace dovetail
