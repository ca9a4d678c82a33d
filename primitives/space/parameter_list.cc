// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/parameter_list.h"

#include <algorithm>
#include <span>

#include "core/base/check.h"

namespace dovetail {

Parameter& ParameterList::add(const ParameterId& id, std::string meaning,
                              const std::vector<ParameterId>& reads, Domain domain,
                              std::vector<std::string> labels) {
  Parameter p;
  p.kind = id.kind;
  p.tensor = id.tensor;
  p.axis = id.axis;
  p.decides = decides(id.kind);
  p.name = parameter_name(id);
  p.meaning = std::move(meaning);
  Choices seen;
  for (size_t k = 0; k < parameters_.size(); ++k) {
    if (std::ranges::find(reads, id_of(parameters_[k])) == reads.end()) continue;
    p.depends_on.push_back(k);
    seen.append(id_of(parameters_[k]), 0);
  }
  p.domain = [seen, positions = p.depends_on, domain = std::move(domain)](const Point& earlier) {
    Choices choices = seen;
    auto position = positions.begin();
    for (Choice& choice : choices) choice.value = earlier[*position++];
    return domain(choices);
  };
  p.labels = std::move(labels);
  parameters_.push_back(std::move(p));
  return parameters_.back();
}

Parameter& ParameterList::add_values(const ParameterId& id, std::string meaning,
                                     std::vector<int64_t> values, std::vector<std::string> labels) {
  const auto domain = [values = std::move(values)](const Choices&) { return values; };
  return add(id, std::move(meaning), {}, domain, std::move(labels));
}

Parameter& ParameterList::add_only_with(const ParameterId& condition, int64_t value, int64_t off,
                                        const ParameterId& id, std::string meaning,
                                        std::vector<ParameterId> reads, Domain domain) {
  const auto known = std::ranges::find(parameters_, condition, id_of);
  CHECK(known != parameters_.end(), "no parameter " + parameter_name(condition));
  const auto at = static_cast<size_t>(known - parameters_.begin());
  reads.push_back(condition);
  Parameter& p = add(id, std::move(meaning), reads, std::move(domain));
  p.only_with = {{at, value}};
  p.domain = [own = std::move(p.domain), at, value, off](const Point& earlier) {
    return earlier[at] == value ? own(earlier) : std::vector<int64_t>{off};
  };
  return p;
}

bool ParameterList::has(const ParameterId& id) const {
  return std::ranges::find(parameters_, id, id_of) != parameters_.end();
}

void change_domain(Parameter& parameter,
                   std::function<std::vector<int64_t>(std::vector<int64_t>)> change) {
  parameter.domain = [own = std::move(parameter.domain), change = std::move(change)](
                         const Point& earlier) { return change(own(earlier)); };
}

void fix_value(int64_t value, Parameter& parameter) {
  parameter.domain = [value](const Point&) { return std::vector<int64_t>{value}; };
}

void leave_out(const std::vector<int64_t>& unwanted, Parameter& parameter) {
  change_domain(parameter, [unwanted](const std::vector<int64_t>& all) {
    std::vector<int64_t> kept = all;
    std::erase_if(kept, [&](int64_t value) { return std::ranges::count(unwanted, value) > 0; });
    return kept.empty() ? all : kept;
  });
}

void keep_off_where(const ParameterId& condition, int64_t value,
                    const std::function<bool(const Parameter&)>& is_meant,
                    std::vector<Parameter>& parameters) {
  const auto known = std::ranges::find(parameters, condition, id_of);
  if (known == parameters.end()) return;
  const auto at = static_cast<size_t>(known - parameters.begin());
  for (Parameter& parameter : std::span(parameters).subspan(at + 1)) {
    if (!is_meant(parameter)) continue;
    parameter.depends_on.insert(std::ranges::lower_bound(parameter.depends_on, at), at);
    const bool counts_blocks = parameter.kind == ParameterKind::layout_block;
    parameter.domain = [own = parameter.domain, at, value, counts_blocks](const Point& earlier) {
      std::vector<int64_t> values = own(earlier);
      if (earlier[at] == value) values = {counts_blocks ? 1 : values.front()};
      return values;
    };
  }
}

}  // namespace dovetail
