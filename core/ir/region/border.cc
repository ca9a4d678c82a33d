// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/border.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"

namespace dovetail {
namespace {

const Tensor* find_crossing(const std::vector<Tensor>& tensors, std::string_view name) {
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  return found == tensors.end() ? nullptr : &*found;
}

Result<BorderTensor> entry(Cursor& cursor, const std::vector<Tensor>& tensors) {
  const Token start = cursor.peek();
  BorderTensor result;
  result.tensor = TRY(cursor.expect_name("a tensor"));
  const Tensor* tensor = find_crossing(tensors, result.tensor);
  if (tensor == nullptr)
    return cursor.fail_at(start, fmt::format("{} does not cross the border, expected one of {}",
                                             result.tensor, one_of(tensors, &Tensor::name)));
  TRY(cursor.expect_word("as"));
  result.layout = TRY(parse_normal_layout(cursor, tensor->dims));
  if (cursor.accept_name("outside"))
    result.outside = TRY(cursor.expect_number("a number, inf or -inf"));
  return result;
}

}  // namespace

const BorderTensor* find_border(const Border& border, std::string_view tensor) {
  const auto found = std::ranges::find(border.tensors, tensor, &BorderTensor::tensor);
  return found == border.tensors.end() ? nullptr : &*found;
}

std::vector<Tensor> crossing_tensors(const Region& region) {
  std::vector<Tensor> tensors = tensors_of(region);
  std::erase_if(tensors, [&](const Tensor& tensor) {
    return tensor.role == TensorRole::constant || is_inner(region, tensor.name);
  });
  return tensors;
}

Border framework_border(const Region& region) {
  Border border;
  for (const Tensor& tensor : crossing_tensors(region))
    border.tensors.push_back({tensor.name, row_major_form(tensor.dims)});
  return border;
}

std::string print(const Border& border, const Region& region) {
  const std::vector<Tensor> tensors = crossing_tensors(region);
  std::string text;
  for (const BorderTensor& entry : border.tensors) {
    const Tensor* tensor = find_crossing(tensors, entry.tensor);
    CHECK(tensor != nullptr, "border of " + entry.tensor + ", which does not cross it");
    text += fmt::format("{}{} as {}", text.empty() ? "" : "; ", entry.tensor,
                        print(entry.layout, tensor->dims));
    if (entry.outside) text += fmt::format(" outside {}", *entry.outside);
  }
  return text;
}

Result<Border> parse_border(std::string_view text, const Region& region) {
  const std::vector<Tensor> tensors = crossing_tensors(region);
  Cursor cursor = TRY(Cursor::over(text, "border"));
  Border border;
  do {
    const Token start = cursor.peek();
    BorderTensor next = TRY(entry(cursor, tensors));
    if (find_border(border, next.tensor) != nullptr)
      return cursor.fail_at(start, next.tensor + " is given twice");
    border.tensors.push_back(std::move(next));
  } while (cursor.accept_symbol(";"));
  TRY(cursor.expect_line_end());
  if (!cursor.at_end()) return cursor.unexpected("one line");
  std::ranges::sort(border.tensors, {}, [&](const BorderTensor& b) {
    return find_crossing(tensors, b.tensor) - tensors.data();
  });
  return border;
}

BarredText split_at_bar(std::string_view text) {
  const size_t bar = text.find('|');
  if (bar == std::string_view::npos) return {text, std::nullopt};
  const std::string_view spec = text.substr(0, bar);
  return {spec.substr(0, spec.find_last_not_of(" \t") + 1), text.substr(bar + 1)};
}

}  // namespace dovetail
