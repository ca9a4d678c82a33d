// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/parameter_list.h"

#include <algorithm>

#include "core/base/check.h"

namespace dovetail {

Parameter& ParameterList::add(std::string name, std::string meaning,
                              const std::vector<std::string>& reads, Domain domain,
                              std::vector<std::string> labels) {
  Parameter p;
  p.name = std::move(name);
  p.meaning = std::move(meaning);
  std::vector<std::string> names;
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (std::ranges::find(reads, parameters_[k].name) == reads.end()) continue;
    p.depends_on.push_back(k);
    names.push_back(parameters_[k].name);
  }
  p.domain = [names, positions = p.depends_on, domain = std::move(domain)](const Point& earlier) {
    Choices choices;
    for (size_t k = 0; k < names.size(); ++k) choices[names[k]] = earlier[positions[k]];
    return domain(choices);
  };
  p.labels = std::move(labels);
  parameters_.push_back(std::move(p));
  return parameters_.back();
}

Parameter& ParameterList::add_only_with(const std::string& condition, int64_t value, int64_t off,
                                        std::string name, std::string meaning,
                                        std::vector<std::string> reads, Domain domain) {
  const auto known = std::ranges::find(parameters_, condition, &Parameter::name);
  CHECK(known != parameters_.end(), "no parameter " + condition);
  const auto at = static_cast<size_t>(known - parameters_.begin());
  reads.push_back(condition);
  Parameter& p = add(std::move(name), std::move(meaning), reads, std::move(domain));
  p.only_with = {{at, value}};
  p.domain = [own = std::move(p.domain), at, value, off](const Point& earlier) {
    return earlier[at] == value ? own(earlier) : std::vector<int64_t>{off};
  };
  return p;
}

bool ParameterList::has(std::string_view name) const {
  return std::ranges::find(parameters_, name, &Parameter::name) != parameters_.end();
}

}  // namespace dovetail
