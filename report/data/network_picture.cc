// SPDX-License-Identifier: Apache-2.0
#include "report/data/network_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "report/charts/scale.h"
#include "report/data/layout_name.h"

namespace dovetail {
namespace {

constexpr size_t kManyCalls = 80;
constexpr double kNextToNothing = 0.003;  // share of the network's time
constexpr size_t kMostFamilies = 9;

double seconds_of(const NetworkRecord& network) {
  double total = 0;
  for (const CallOfNetwork& call : network.calls) total += call.seconds.value_or(0);
  return total;
}

// The calls of each row.
std::vector<std::vector<const CallOfNetwork*>> rows_of(const NetworkRecord& network) {
  const double least = network.calls.size() > kManyCalls ? kNextToNothing * seconds_of(network) : 0;
  const auto is_small = [&](const CallOfNetwork& call) { return call.seconds.value_or(0) < least; };
  std::vector<std::vector<const CallOfNetwork*>> rows;
  for (const CallOfNetwork& call : network.calls) {
    if (rows.empty() || !is_small(call) || !is_small(*rows.back().back())) rows.emplace_back();
    rows.back().push_back(&call);
  }
  return rows;
}

NetworkChartCall row_of(const std::vector<const CallOfNetwork*>& calls) {
  const CallOfNetwork& first = *calls.front();
  NetworkChartCall row{.label = first.call, .seconds = 0, .is_conversion = true};
  for (const CallOfNetwork* call : calls) {
    *row.seconds += call->seconds.value_or(0);
    row.is_conversion = row.is_conversion && call->is_conversion;
    const std::string with =
        call->with.empty() ? "" : fmt::format(" with {}", fmt::join(call->with, ", "));
    row.tip += fmt::format("{}{}{}: {}", row.tip.empty() ? "" : "; ", call->call, with,
                           seconds_text(call->seconds.value_or(0)));
  }
  if (calls.size() > 1)
    row.label = fmt::format("{} calls, {} to {}", calls.size(), first.call, calls.back()->call);
  else if (!first.with.empty())
    row.label += fmt::format(" + {}", first.with.size());
  return row;
}

using FormOfTensor = std::pair<std::string, std::string>;  // name, form

// Builds the chart: a row per input, then the rows of calls; tensors with producer and consumers.
class Picture {
 public:
  explicit Picture(const NetworkRecord& network) : rows_(rows_of(network)) {
    for (const auto& row : rows_)
      for (const CallOfNetwork* call : row) {
        for (const StoredTensor& given : call->given) note_input(given);
        for (const StoredTensor& made : call->made) made_[{made.tensor, made.form}] = true;
      }
    for (const auto& row : rows_) add_row(row);
  }

  NetworkChart finish() && {
    std::map<std::string, int64_t> counts;
    for (const std::string& family : families_) ++counts[family];
    for (const auto& [family, count] : counts) chart_.layouts.push_back(family);
    std::ranges::stable_sort(chart_.layouts, std::greater{},
                             [&](const std::string& family) { return counts[family]; });
    const size_t known = std::min(chart_.layouts.size(), kMostFamilies);
    if (chart_.layouts.size() > kMostFamilies) {
      chart_.layouts.resize(kMostFamilies);
      chart_.layouts.emplace_back("others");
    }
    for (size_t t = 0; t < chart_.tensors.size(); ++t) {
      const auto end = chart_.layouts.begin() + static_cast<std::ptrdiff_t>(known);
      chart_.tensors[t].layout = static_cast<size_t>(
          std::find(chart_.layouts.begin(), end, families_[t]) - chart_.layouts.begin());
    }
    return std::move(chart_);
  }

 private:
  void note_input(const StoredTensor& given) {
    if (made_.emplace(FormOfTensor{given.tensor, given.form}, false).second) {
      chart_.calls.push_back({.label = given.tensor});
      add_tensor(given, chart_.calls.size() - 1);
    }
  }

  void add_tensor(const StoredTensor& stored, size_t row) {
    latest_[{stored.tensor, stored.form}] = chart_.tensors.size();
    chart_.tensors.push_back({.name = stored.tensor, .made_by = row});
    families_.push_back(layout_name(stored.form, {}));
  }

  void add_row(const std::vector<const CallOfNetwork*>& calls) {
    const size_t row = chart_.calls.size();
    chart_.calls.push_back(row_of(calls));
    for (const CallOfNetwork* call : calls) {
      for (const StoredTensor& given : call->given) {
        NetworkChartTensor& tensor = chart_.tensors[latest_.at({given.tensor, given.form})];
        const bool is_new = tensor.read_by.empty() || tensor.read_by.back() != row;
        if (is_new && tensor.made_by != row) tensor.read_by.push_back(row);
      }
      for (const StoredTensor& made : call->made) add_tensor(made, row);
    }
  }

  std::vector<std::vector<const CallOfNetwork*>> rows_;
  NetworkChart chart_;
  std::vector<std::string> families_;      // one per tensor of the chart
  std::map<FormOfTensor, size_t> latest_;  // index of its latest tensor in the chart
  std::map<FormOfTensor, bool> made_;      // true: made by a call; false: an input
};

}  // namespace

NetworkChart network_picture(const NetworkRecord& network) { return Picture(network).finish(); }

}  // namespace dovetail
