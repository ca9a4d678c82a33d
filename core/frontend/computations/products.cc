// SPDX-License-Identifier: Apache-2.0
// Sums of products of integers, which are exact to 2^24, and Einsum. Quantized products subtract
// zero points first; QLinear… scales the sum and rounds it to bytes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/frontend/computations/node_rules.h"
#include "core/frontend/computations/quantization.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Names = std::vector<std::string>;

// The input positions of a product's operands and their parameters.
struct Operands {
  size_t left = 0, right = 1, left_zero = 2, right_zero = 3;
  size_t left_scale = 0, right_scale = 0, scale = 0, zero = 0;  // 0: none
};
constexpr Operands kInteger = {};
constexpr Operands kLinear = {0, 3, 2, 5, 1, 4, 6, 7};

// A scalar parameter, or one for each element of `axis`; empty if it has another shape.
std::string parameter_of(const RegionWriter& write, size_t input, const std::string& axis) {
  const std::vector<int64_t>& shape = write.shape(input);
  if (num_elements(shape) == 1) return write.read(input, Names(shape.size(), "0"));
  return shape.size() == 1 ? write.read(input, {axis}) : "";
}

// The operand minus its zero point; empty if the zero point has other axes.
std::string centred(const RegionWriter& write, const std::string& element, size_t zero,
                    const std::string& axis) {
  if (!write.has_input(zero)) return element;
  const std::string point = parameter_of(write, zero, axis);
  return point.empty() ? "" : fmt::format("({}-{})", element, point);
}

// The output from the sum of the products: an integer, or scaled, rounded and saturated to a byte.
Result<NodeRegion> quantized_product(RegionWriter& write, const Operands& at,
                                     const std::string& left, const std::string& right,
                                     const std::string& extra, const std::string& row,
                                     const std::string& column) {
  if (left.empty() || right.empty()) return refuse("a zero point of several axes");
  const std::string sum = fmt::format("sum({}*{})", left, right);
  if (at.scale == 0) return write.finish_reduced(sum);
  const std::string a = parameter_of(write, at.left_scale, row),
                    b = parameter_of(write, at.right_scale, column),
                    y = parameter_of(write, at.scale, column),
                    zero = parameter_of(write, at.zero, column);
  if (a.empty() || b.empty() || y.empty() || zero.empty() || !is_byte(write.output_tensor().type))
    return refuse("a scale of several axes");
  const std::string q = element_of("Q", write.axes());
  return write.finish(
      fmt::format("{}=({}{})*({}*{}/{});{}={}", q, sum, extra, a, b, y, write.output(),
                  saturated_text(rounded_text(q) + "+" + zero, write.output_tensor().type)));
}

// The indices of a matrix product's operand: broadcast batch axes, then these two.
Names matrix_indices(const RegionWriter& write, size_t input, const std::string& row,
                     const std::string& column) {
  const std::vector<int64_t>& shape = write.shape(input);
  const size_t missing = write.output_shape().size() - shape.size();
  Names indices;
  for (size_t i = 0; i + 2 < shape.size(); ++i)
    indices.push_back(shape[i] == 1 ? "0" : RegionWriter::axis(missing + i));
  indices.push_back(row);
  indices.push_back(column);
  return indices;
}

}  // namespace

Result<NodeRegion> matmul_integer(RegionWriter& write) {
  const Operands at = write.node().type == "QLinearMatMul" ? kLinear : kInteger;
  const size_t rank = write.output_shape().size();
  if (write.shape(at.left).size() < 2 || write.shape(at.right).size() < 2 || rank < 2)
    return refuse("of vectors");
  if (rank < std::max(write.shape(at.left).size(), write.shape(at.right).size()))
    return refuse("operands of more axes than its output");
  write.add_axis("k", write.shape(at.left).back());
  const std::string row = RegionWriter::axis(rank - 2), column = RegionWriter::axis(rank - 1);
  const std::string left = write.read(at.left, matrix_indices(write, at.left, row, "k")),
                    right = write.read(at.right, matrix_indices(write, at.right, "k", column));
  return quantized_product(write, at, centred(write, left, at.left_zero, row),
                           centred(write, right, at.right_zero, column), "", row, column);
}

// The padding equals the zero point, so it is 0 after the subtraction.
Result<NodeRegion> conv_integer(RegionWriter& write) {
  const GraphNode& node = write.node();
  const bool linear = node.type == "QLinearConv";
  const Operands at = linear ? kLinear : kInteger;
  const size_t rank = write.output_shape().size();
  if (rank < 3 || write.shape(at.left).size() != rank || write.shape(at.right).size() != rank)
    return refuse("operands of other ranks than its output");
  const size_t count = rank - 2;
  using Numbers = std::vector<int64_t>;
  const Numbers strides = TRY(integers_attribute(node, "strides", Numbers(count, 1)));
  const Numbers dilations = TRY(integers_attribute(node, "dilations", Numbers(count, 1)));
  const Numbers pads = TRY(integers_attribute(node, "pads", Numbers(2 * count, 0)));
  if (TRY(text_attribute(node, "auto_pad", "NOTSET")) != "NOTSET") return refuse("auto_pad");
  if (TRY(integer_attribute(node, "group", 1)) != 1) return refuse("several groups");
  if (strides.size() != count || dilations.size() != count || pads.size() != 2 * count)
    return refuse("attributes of other axes");
  write.add_axis("i", write.shape(at.right)[1]);
  Names in = {"a0", "i"}, weights = {"a1", "i"};
  std::string inside;
  for (size_t k = 0; k < count; ++k) {
    const std::string tap = fmt::format("r{}", k);
    write.add_axis(tap, write.shape(at.right)[k + 2]);
    in.push_back(fmt::format("{}*{}+{}*{}-{}", strides[k], RegionWriter::axis(k + 2), dilations[k],
                             tap, pads[k]));
    weights.push_back(tap);
    inside += fmt::format("{}0<={}&{}<{}", k == 0 ? "" : "&", in.back(), in.back(),
                          write.shape(at.left)[k + 2]);
  }
  std::string left = centred(write, write.read(at.left, in), at.left_zero, "i");
  if (!left.empty()) left = fmt::format("select({},{},0)", inside, left);
  const std::string extra = linear && write.has_input(8) ? "+" + write.read(8, {"a1"}) : "";
  return quantized_product(write, at, left,
                           centred(write, write.read(at.right, weights), at.right_zero, "a1"),
                           extra, "0", "a1");
}

namespace {

// The axes of each operand and of the result of an equation, a letter each; empty if it has dots.
std::vector<std::string> terms_of(std::string equation) {
  std::erase(equation, ' ');
  if (equation.find('.') != std::string::npos) return {};
  const size_t arrow = equation.find("->");
  std::vector<std::string> terms;
  for (const std::string_view term : dovetail::split(equation.substr(0, arrow), ','))
    terms.emplace_back(term);
  std::string made;
  if (arrow != std::string::npos) {
    made = equation.substr(arrow + 2);
  } else {
    // The implicit result: the letters that occur exactly once, in alphabetical order.
    std::string letters;
    for (const std::string& term : terms) letters += term;
    for (const char c : std::set<char>(letters.begin(), letters.end()))
      if (std::ranges::count(letters, c) == 1) made += c;
  }
  terms.push_back(made);
  return terms;
}

}  // namespace

// Expands along the first row, for small matrices only.
Result<NodeRegion> determinant(RegionWriter& write) {
  constexpr int64_t kLargest = 4;
  const std::vector<int64_t>& shape = write.shape(0);
  const int64_t size = shape.size() < 2 ? 0 : shape.back();
  if (size < 1 || size != shape[shape.size() - 2] || size > kLargest)
    return refuse(
        fmt::format("of matrices that are not square, or of more than {} rows", kLargest));
  const auto minor = [&](const auto& self, int64_t row,
                         std::vector<int64_t> columns) -> std::string {
    std::string text;
    for (size_t i = 0; i < columns.size(); ++i) {
      Names indices = write.axes();
      indices.push_back(std::to_string(row));
      indices.push_back(std::to_string(columns[i]));
      std::vector<int64_t> rest = columns;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      text += (i % 2 == 1 ? "-" : i == 0 ? "" : "+") + write.read(0, indices);
      if (!rest.empty()) text += "*" + self(self, row + 1, rest);
    }
    return "(" + text + ")";
  };
  std::vector<int64_t> all;
  for (int64_t c = 0; c < size; ++c) all.push_back(c);
  return write.finish_one(minor(minor, 0, all));
}

Result<NodeRegion> einsum(RegionWriter& write) {
  const std::vector<std::string> terms =
      terms_of(TRY(text_attribute(write.node(), "equation", "")));
  if (terms.size() != write.num_inputs() + 1) return refuse("an equation with dots");
  const std::string& made = terms.back();
  const auto name_of_letter = [&](char c) {
    const size_t place = made.find(c);
    return place == std::string::npos ? fmt::format("r{}", static_cast<int>(c))
                                      : RegionWriter::axis(place);
  };
  std::string value;
  bool reduces = false;
  for (size_t i = 0; i < write.num_inputs(); ++i) {
    if (terms[i].size() != write.shape(i).size()) return refuse("an equation of other ranks");
    Names indices;
    for (size_t j = 0; j < terms[i].size(); ++j) {
      indices.push_back(name_of_letter(terms[i][j]));
      const bool stays = made.find(terms[i][j]) != std::string::npos;
      if (!stays) write.add_axis(indices.back(), write.shape(i)[j]);
      reduces = reduces || !stays;
    }
    value += (i == 0 ? "" : "*") + write.read(i, indices);
  }
  return reduces ? write.finish_reduced("sum(" + value + ")") : write.finish_one(value);
}

}  // namespace dovetail::node_rules
