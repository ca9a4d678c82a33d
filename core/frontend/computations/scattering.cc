// SPDX-License-Identifier: Apache-2.0
// Scatter as a search: each element of the output looks for its own updates.
//
//   P[a0]max=select(B[q0]==a0,q0,-1);Y[a0]=select(P[a0]<0,A[a0],C[clamp(P[a0],0,…)])
//
// so that the last of several wins, and no two writes can race. Each element costs one comparison
// per update along the axis (for ScatterND: per update), hence the limit.
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Names = std::vector<std::string>;
constexpr int64_t kMostUpdates = 4096;

std::string from_end(const std::string& index, int64_t extent) {
  return fmt::format("select({0}<0,{0}+{1},{0})", index, extent);
}

// The element combined with all of its updates; empty if the reduction is unknown.
std::string joined_text(const RegionWriter& write, const std::string& reduction,
                        const std::string& hit, const std::string& update) {
  const std::string old = write.read(0, write.axes());
  const auto joined = [&](std::string_view word, std::string_view none, char sign) {
    return write.reduced_statements(
        fmt::format("{}{}{}(select({},{},{}))", old, sign, word, hit, update, none));
  };
  const bool extreme = reduction == "max" || reduction == "min";
  if (extreme)
    return write.reduced_statements(
        fmt::format("{0}({1},{0}(select({2},{3},{1})))", reduction, old, hit, update));
  if (reduction == "add") return joined("sum", "0", '+');
  return reduction == "mul" ? joined("prod", "1", '*') : "";
}

// The condition that the update at these places is for the element: its indices equal the first
// ones of the element.
std::string hit_text(const RegionWriter& write, const Names& places, size_t depth) {
  std::string hit;
  for (size_t k = 0; k < depth; ++k) {
    Names index = places;
    index.push_back(std::to_string(k));
    hit += fmt::format("{}{}=={}", hit.empty() ? "" : "&",
                       from_end(write.read(1, index), write.shape(0)[k]), RegionWriter::axis(k));
  }
  return hit;
}

}  // namespace

Result<NodeRegion> scatter_elements(RegionWriter& write) {
  const std::string reduction = TRY(text_attribute(write.node(), "reduction", "none"));
  const auto axis = axis_of(TRY(integer_attribute(write.node(), "axis", 0)), write.shape(0).size());
  if (!axis || write.computed(1) != ComputedType::integer)
    return refuse("indices that are no integers");
  const int64_t updates = write.shape(1)[*axis], extent = write.shape(0)[*axis];
  if (updates > kMostUpdates) return refuse(fmt::format("more than {} updates", kMostUpdates));
  write.add_axis("q", updates);
  Names at = write.axes();
  at[*axis] = "q";
  std::string hit;
  for (size_t i = 0; i < at.size(); ++i)
    if (i != *axis && write.shape(1)[i] < write.shape(0)[i])
      hit += fmt::format("{}<{}&", at[i], write.shape(1)[i]);
  hit += from_end(write.read(1, at), extent) + "==" + RegionWriter::axis(*axis);
  if (reduction != "none") {
    const std::string text = joined_text(write, reduction, hit, write.read(2, at));
    return text.empty() ? refuse("reduction " + reduction) : write.finish(text);
  }
  const std::string last = element_of("P", write.axes());
  at[*axis] = fmt::format("clamp({},0,{})", last, updates - 1);
  return write.finish(fmt::format("{}=max(select({},q,-1));{}=select({}<0,{},{})", last, hit,
                                  write.output(), last, write.read(0, write.axes()),
                                  write.read(2, at)));
}

Result<NodeRegion> scatter_nd(RegionWriter& write) {
  const std::string reduction = TRY(text_attribute(write.node(), "reduction", "none"));
  if (write.computed(1) != ComputedType::integer) return refuse("indices that are no integers");
  const std::vector<int64_t>& shape = write.shape(1);
  if (shape.empty()) return refuse("indices without an axis");
  const size_t outer = shape.size() - 1;
  const auto depth = static_cast<size_t>(shape.back());
  Names places, unfolded;  // axes of the updates, and their indices from an update's flat number
  int64_t updates = 1;
  for (size_t i = outer; i-- > 0;) {
    places.insert(places.begin(), fmt::format("q{}", i));
    write.add_axis(places.front(), shape[i]);
    unfolded.insert(unfolded.begin(), fmt::format("/{}%{}", updates, shape[i]));
    updates *= shape[i];
  }
  if (updates > kMostUpdates || outer == 0 || depth > write.output_shape().size())
    return refuse(fmt::format("more than {} updates", kMostUpdates));
  std::string number;
  int64_t stride = updates;
  const std::string hit = hit_text(write, places, depth);
  for (size_t i = 0; i < outer; ++i)
    number += fmt::format("{}{}*{}", i == 0 ? "" : "+", stride /= shape[i], places[i]);
  Names axes = write.axes();
  const Names chosen(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(depth));
  const Names rest(axes.begin() + static_cast<std::ptrdiff_t>(depth), axes.end());
  const auto update = [&](Names at) {
    at.insert(at.end(), rest.begin(), rest.end());
    return write.read(2, at);
  };
  if (reduction != "none") {
    const std::string text = joined_text(write, reduction, hit, update(places));
    return text.empty() ? refuse("reduction " + reduction) : write.finish(text);
  }
  const std::string last = element_of("P", chosen);
  for (std::string& at : unfolded) at = fmt::format("clamp({},0,{}){}", last, updates - 1, at);
  return write.finish(fmt::format("{}=max(select({},{},-1));{}=select({}<0,{},{})", last, hit,
                                  number, write.output(), last, write.read(0, axes),
                                  update(unfolded)));
}

}  // namespace dovetail::node_rules
