// SPDX-License-Identifier: Apache-2.0
//
// Y[n,o]+=X[n,i]*W[i,o]:n=4,o=8,i=16,X=4x16,b_const=0
#include <algorithm>
#include <optional>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/operator/written_sum.h"

namespace dovetail {
namespace {

constexpr std::string_view kAssigns = "]+=";

struct Factor {
  std::string tensor;
  std::vector<IndexExpr> indices;
};

bool is_tensor_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

bool is_axis_name(std::string_view text) {
  return is_tensor_name(text) && text.front() >= 'a' && text != "dtype" && text != "math" &&
         std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

Result<Factor> parse_factor(std::string_view text) {
  const size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || !text.ends_with(']'))
    return fail("found \"{}\"; expected a tensor with indices, such as a[n,i]", text);
  Factor factor{std::string(text.substr(0, bracket)), {}};
  if (!is_tensor_name(factor.tensor))
    return fail("tensor \"{}\"; expected a name of letters and digits", factor.tensor);
  const std::string_view list = text.substr(bracket + 1, text.size() - bracket - 2);
  for (const std::string_view index : split(list, ',')) {
    Result<IndexExpr> parsed = parse_index_expression(index);
    if (!parsed)
      return fail("index \"{}\" of {}: {}", index, factor.tensor, parsed.error().message);
    factor.indices.push_back(std::move(*parsed));
  }
  return factor;
}

Result<int64_t> parse_extent(std::string_view key, std::string_view text) {
  const std::optional<int64_t> value = read_number<int64_t>(text);
  if (value && *value >= 1) return *value;
  return fail("key {} has \"{}\"; expected a whole number from 1", key, text);
}

Result<std::vector<int64_t>> parse_shape(std::string_view key, std::string_view text) {
  std::vector<int64_t> shape;
  for (const std::string_view part : split(text, 'x'))
    shape.push_back(TRY(parse_extent(key, part)));
  return shape;
}

class SumParser {
 public:
  explicit SumParser(std::string_view text) : text_(text) {}

  Result<ParsedSum> parse() {
    const size_t colon = text_.find(':');
    if (colon == std::string_view::npos)
      return fail("has no extents; expected them behind a colon, such as :n=1,o=64");
    TRY(factors(text_.substr(0, colon)));
    TRY(axes());
    for (const std::string_view item : split(text_.substr(colon + 1), ',')) TRY(key(item));
    TRY(complete());
    return std::move(result_);
  }

 private:
  Result<void> factors(std::string_view definition) {
    const size_t assigns = definition.find(kAssigns);
    const std::string_view right = definition.substr(assigns + kAssigns.size());
    const size_t times = right.find("]*");
    if (times == std::string_view::npos)
      return fail("found \"{}\"; expected a product of two tensors, a[…]*b[…]", right);
    output_ = TRY(parse_factor(definition.substr(0, assigns + 1)));
    input_ = TRY(parse_factor(right.substr(0, times + 1)));
    weight_ = TRY(parse_factor(right.substr(times + 2)));
    if (output_.tensor == input_.tensor || output_.tensor == weight_.tensor ||
        input_.tensor == weight_.tensor)
      return fail("tensors {}, {} and {}; expected three names", output_.tensor, input_.tensor,
                  weight_.tensor);
    result_.sum.input = input_.indices;
    result_.sum.weight = weight_.indices;
    return {};
  }

  // The output's axes, then the others in order of first use.
  Result<void> axes() {
    for (const IndexExpr& index : output_.indices) {
      const std::vector<std::string> names = index.variables();
      if (names.size() != 1 || !(index == IndexExpr::variable(names[0])))
        return fail("index {} of {}; expected an axis alone", dovetail::print(index),
                    output_.tensor);
      if (extent_of(names[0]) != nullptr)
        return fail("axis {} is in two indices of the output; expected it in one", names[0]);
      TRY(add_axis(names[0]));
    }
    result_.sum.num_output_axes = result_.sum.axes.size();
    for (const Factor* factor : {&input_, &weight_}) {
      for (const IndexExpr& index : factor->indices) {
        for (const std::string& name : index.variables())
          if (extent_of(name) == nullptr) TRY(add_axis(name));
      }
    }
    return {};
  }

  Result<void> add_axis(const std::string& name) {
    if (!is_axis_name(name))
      return fail("axis \"{}\"; expected a name of small letters and digits", name);
    if (name == input_.tensor || name == weight_.tensor || name == output_.tensor)
      return fail("{} is a tensor and an axis; expected two names", name);
    result_.sum.axes.push_back({name, 0});
    return {};
  }

  int64_t* extent_of(std::string_view name) {
    for (WrittenSum::Axis& axis : result_.sum.axes)
      if (axis.name == name) return &axis.extent;
    return nullptr;
  }

  Result<void> key(std::string_view item) {
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos) return fail("found \"{}\"; expected key=value", item);
    const std::string_view name = item.substr(0, equals), value = item.substr(equals + 1);
    if (std::ranges::find(seen_, name) != seen_.end())
      return fail("key {} is given twice; expected it once", name);
    seen_.emplace_back(name);
    if (int64_t* extent = extent_of(name)) {
      *extent = TRY(parse_extent(name, value));
    } else if (name == input_.tensor) {
      result_.sum.input_shape = TRY(parse_shape(name, value));
    } else if (name == weight_.tensor) {
      result_.sum.weight_shape = TRY(parse_shape(name, value));
    } else if (name == "b_const" && (value == "0" || value == "1")) {
      result_.sum.weight_is_constant = value == "1";
    } else if (name == "dtype" || name == "math") {
      result_.other_keys.emplace_back(name, value);
    } else {
      return fail(
          "unknown key {}={}; expected an axis, the shape of {} or {}, "
          "b_const=0|1, dtype or math",
          name, value, input_.tensor, weight_.tensor);
    }
    return {};
  }

  Result<void> complete() {
    for (const auto& [name, extent] : result_.sum.axes)
      if (extent == 0) return fail("axis {} has no extent; expected {}=…", name, name);
    const Ranges ranges = axis_ranges(result_.sum);
    TRY(fill_shape(input_, ranges, result_.sum.input_shape));
    return fill_shape(weight_, ranges, result_.sum.weight_shape);
  }

  // Up to the last element that is read, if the spec states no shape.
  static Result<void> fill_shape(const Factor& factor, const Ranges& ranges,
                                 std::vector<int64_t>& shape) {
    for (const IndexExpr& index : factor.indices)
      if (!known_range(index, ranges))
        return fail("index {} of {} exceeds 63 bits", dovetail::print(index), factor.tensor);
    if (shape.empty()) shape = shape_read(factor.indices, ranges);
    return {};
  }

  std::string_view text_;
  Factor output_, input_, weight_;
  std::vector<std::string> seen_;
  ParsedSum result_;
};

}  // namespace

bool looks_written(std::string_view spec) { return spec.find(kAssigns) != std::string_view::npos; }

Result<ParsedSum> parse_written_sum(std::string_view definition) {
  return SumParser(definition).parse();
}

}  // namespace dovetail
