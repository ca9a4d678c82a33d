// SPDX-License-Identifier: Apache-2.0
//
// select(@<0,@*A[o],@):A=f16,Y=u8,const=A
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/lexer.h"
#include "core/ir/operator/computation.h"
#include "core/ir/operator/tail.h"
#include "core/ir/region/region_text.h"
#include "core/ir/region/written_statement.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

constexpr std::string_view kMade = "Y";

struct TailKeys {
  std::map<std::string, ElementType, std::less<>> types;
  std::set<std::string, std::less<>> constants;
};

Result<TailKeys> parse_tail_keys(std::string_view text) {
  TailKeys keys;
  for (const std::string_view item : split(text, ',')) {
    const size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail("tail: found {}; expected TENSOR=type or const=TENSOR", quoted(item));
    const std::string name(item.substr(0, equals));
    const std::string_view value = item.substr(equals + 1);
    if (name == "const") {
      for (const std::string_view tensor : split(value, '.')) keys.constants.emplace(tensor);
      continue;
    }
    const auto type = element_type_named(value);
    if (!type || !is_stored(*type))
      return fail("tail: key {} has {}; expected {}", name, quoted(value), kStoredTypes);
    if (!keys.types.emplace(name, *type).second)
      return fail("tail: key {} is given twice; expected it once", name);
  }
  return keys;
}

// The default output type: the operator's for real numbers, i64 for integers, bool for booleans.
ElementType usual_type(ComputedType computed, ElementType dtype) {
  if (computed == ComputedType::real) return dtype;
  return computed == ComputedType::integer ? ElementType::i64 : ElementType::boolean;
}

ComputedType computed_by(const Value& value, const std::vector<TailTensor>& tensors) {
  return type_of(value, [&](const Value& leaf) {
    const auto* read = leaf.as<ReadOf>();
    return read == nullptr ? ComputedType::real
                           : computed_type(tensors[static_cast<size_t>(read->position)].type);
  });
}

Result<TailTensor> tensor_of(const WrittenRead& read, const TailKeys& keys, ElementType dtype) {
  TailTensor tensor{.name = read.tensor, .axes = {}, .type = dtype};
  if (const auto type = keys.types.find(read.tensor); type != keys.types.end())
    tensor.type = type->second;
  tensor.constant = keys.constants.contains(read.tensor);
  const bool is_number = read.indices.size() == 1 && read.indices[0] == IndexExpr(0);
  for (const IndexExpr& index : read.indices) {
    const std::vector<std::string> names = index.variables();
    const bool is_axis = names.size() == 1 && index == IndexExpr::variable(names[0]);
    if (read.outside || (!is_axis && !is_number))
      return fail("tail: an index of tensor {} is {}; expected an axis of the output alone, or 0",
                  read.tensor, print(index));
    if (is_axis) tensor.axes.push_back(names[0]);
  }
  if (read.indices.empty()) return fail("tail: tensor {} has no index; expected 0", read.tensor);
  return tensor;
}

Result<void> check_keys(const TailKeys& keys, const std::vector<TailTensor>& tensors) {
  const auto is_read = [&](const std::string& name) {
    return std::ranges::find(tensors, name, &TailTensor::name) != tensors.end();
  };
  for (const auto& [name, type] : keys.types)
    if (name != kMade && !is_read(name))
      return fail("tail: key {} names no tensor that is read", name);
  for (const std::string& name : keys.constants)
    if (!is_read(name)) return fail("tail: const={}: no tensor that is read", name);
  if (is_read(std::string(kMade))) return fail("tail: reads {}, which it makes", kMade);
  return {};
}

}  // namespace

Result<OperatorTail> parse_tail(std::string_view text, const Operator& op) {
  const size_t colon = text.find(':');
  TailKeys keys;
  if (colon != std::string_view::npos) keys = TRY(parse_tail_keys(text.substr(colon + 1)));
  const Ranges ranges = axis_ranges(define(without_tail(op)));
  TypesOfTensors types(keys.types.begin(), keys.types.end());
  WrittenStatement written = TRY(parse_written_tail(text.substr(0, colon), ranges, types));
  OperatorTail tail;
  for (const WrittenRead& read : written.reads) {
    if (std::ranges::find(tail.tensors, read.tensor, &TailTensor::name) != tail.tensors.end())
      return fail("tail: tensor {} is read at several indices; expected one", read.tensor);
    tail.tensors.push_back(TRY(tensor_of(read, keys, op.dtype)));
  }
  TRY(check_keys(keys, tail.tensors));
  tail.value = written.result;
  const auto stated = keys.types.find(kMade);
  tail.type = stated != keys.types.end()
                  ? stated->second
                  : usual_type(computed_by(tail.value, tail.tensors), op.dtype);
  TRY(check_tail(op, tail));
  return tail;
}

std::string print_tail(const Operator& op) {
  const OperatorTail& tail = *op.tail;
  Computation c;
  c.reducer = Reducer::sum;
  std::vector<std::string> keys, constants;
  for (const TailTensor& tensor : tail.tensors) {
    Access read{tensor.name, {}};
    for (const std::string& axis : tensor.axes) read.indices.push_back(IndexExpr::variable(axis));
    if (tensor.axes.empty()) read.indices.emplace_back(0);
    c.reads.push_back(std::move(read));
    c.tensors.push_back({tensor.name, {}, TensorRole::activation, tensor.type});
    if (tensor.type != op.dtype)
      keys.push_back(fmt::format("{}={}", tensor.name, name_of(tensor.type)));
    if (tensor.constant) constants.push_back(tensor.name);
  }
  if (tail.type != usual_type(computed_by(tail.value, tail.tensors), op.dtype))
    keys.push_back(fmt::format("{}={}", kMade, name_of(tail.type)));
  if (!constants.empty()) keys.push_back(fmt::format("const={}", fmt::join(constants, ".")));
  return fmt::format("tail({}{}{})", print_written(c, tail.value, "@"), keys.empty() ? "" : ":",
                     fmt::join(keys, ","));
}

}  // namespace dovetail
