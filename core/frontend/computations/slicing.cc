// SPDX-License-Identifier: Apache-2.0
// Slice, whose starts, axes and steps may be known only at run time; its ends follow from the
// output's shape.
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using KnownNumbers = std::optional<std::vector<int64_t>>;

class SliceRule {
 public:
  explicit SliceRule(RegionWriter& write) : write_(write), rank_(write.shape(0).size()) {}

  Result<NodeRegion> region() {
    starts_ = TRY(numbers(1, "starts"));
    axes_ = TRY(numbers(3, "axes"));
    steps_ = TRY(numbers(4, "steps"));
    count_ = starts_ ? starts_->size() : static_cast<size_t>(num_elements(write_.shape(1)));
    if (!write_.has_input(3) && !axes_) {
      axes_.emplace();
      for (size_t k = 0; k < count_; ++k) axes_->push_back(static_cast<int64_t>(k));
    }
    if (!write_.has_input(4) && !steps_) steps_.emplace(count_, 1);
    if (!are_as_many(1, starts_) || !are_as_many(3, axes_) || !are_as_many(4, steps_))
      return refuse("starts, axes and steps of other lengths");
    std::vector<std::string> indices;
    for (size_t i = 0; i < rank_; ++i) indices.push_back(index(i));
    return write_.finish_one(write_.read(0, indices));
  }

 private:
  Result<KnownNumbers> numbers(size_t position, const std::string& attribute) const {
    return numbers_of(write_.node(), attribute,
                      write_.has_input(position) ? &write_.input(position) : nullptr);
  }

  // True if the numbers, known or an input, are as many as the starts.
  bool are_as_many(size_t position, const KnownNumbers& known) const {
    return (known ? known->size() : static_cast<size_t>(num_elements(write_.shape(position)))) ==
           count_;
  }

  static std::string text_of(const KnownNumbers& known, const std::string& tensor, size_t k) {
    return known ? number_text(static_cast<double>((*known)[k])) : fmt::format("{}[{}]", tensor, k);
  }

  std::string index(size_t i) const {
    const std::string axis = RegionWriter::axis(i);
    const int64_t extent = write_.shape(0)[i];
    if (!axes_) return given(i, selected(i, 1, starts_, "0"), selected(i, 4, steps_, "1"));
    for (size_t k = 0; k < count_; ++k) {
      if (axis_of((*axes_)[k], rank_) != i) continue;
      if (!starts_ || !steps_)
        return given(i, text_of(starts_, RegionWriter::name(1), k),
                     text_of(steps_, write_.name(4), k));
      const int64_t start = (*starts_)[k], step = (*steps_)[k];
      const int64_t begin = std::clamp<int64_t>(start < 0 ? start + extent : start, 0,
                                                step < 0 ? extent - 1 : extent);
      return fmt::format("{}*{}+{}", step, axis, begin);
    }
    return axis;
  }

  // The number for axis i among those for axes known only at run time, else the default.
  std::string selected(size_t i, size_t position, const KnownNumbers& known,
                       const std::string& otherwise) const {
    std::string value = otherwise;
    for (size_t k = 0; k < count_; ++k) {
      const std::string axis = fmt::format("{}[{}]", RegionWriter::name(3), k);
      value = fmt::format("select(select({0}<0,{0}+{1},{0})=={2},{3},{4})", axis, rank_, i,
                          text_of(known, RegionWriter::name(position), k), value);
    }
    return value;
  }

  // The index for a start or step known only at run time; the start is clamped to the axis.
  std::string given(size_t i, const std::string& start, const std::string& step) const {
    const int64_t extent = write_.shape(0)[i];
    return fmt::format(
        "clamp(min(max(select({0}<0,{0}+{1},{0}),0),select({2}<0,{3},{1}))+({2})*{4},0,{3})", start,
        extent, step, extent - 1, RegionWriter::axis(i));
  }

  RegionWriter& write_;
  size_t rank_, count_ = 0;
  KnownNumbers starts_, axes_, steps_;
};

}  // namespace

Result<NodeRegion> slice(RegionWriter& write) { return SliceRule(write).region(); }

}  // namespace dovetail::node_rules
