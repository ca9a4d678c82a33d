// SPDX-License-Identifier: Apache-2.0
//
// WrittenStatement: one computation as it was parsed, before its axes and reads are resolved:
//
//   Y[n,c]=sum(X[n,c,h])/H   ->   Y, {n, c}, reads {X[n,c,h]}, element read(0), sum, result @ / …
//
// Used by the parser of regions only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"

namespace dovetail {

struct WrittenRead {
  std::string tensor;
  std::vector<IndexExpr> indices;
  std::optional<double> outside;  // nullopt: not stated
  friend bool operator==(const WrittenRead&, const WrittenRead&) = default;
};

struct WrittenStatement {
  std::string tensor;
  std::vector<std::string> axes;  // output axes
  std::vector<WrittenRead> reads;
  std::vector<GatherIndex> gathers;
  Value element;
  std::vector<std::string> mentioned;  // axes in the element's text, even in k/9 = 0 for k < 9
  Reducer reducer = Reducer::none;
  Value result = Reduced{};
};

// The default value of elements beyond their tensor: the neutral value of max or min where the
// element is reduced by these, elsewhere 0.
double usual_outside(Reducer reducer, bool in_element);

// The types of tensors that are known: stated, or produced by earlier statements.
using TypesOfTensors = std::map<std::string, ElementType, std::less<>>;

Result<WrittenStatement> parse_statement(std::string_view text, const Ranges& axes,
                                         const TypesOfTensors& types);

// Parses the tail of an operator (core/ir/operator/tail.h): a value over `@`, the reduced value,
// which becomes the result.
Result<WrittenStatement> parse_written_tail(std::string_view text, const Ranges& axes,
                                            const TypesOfTensors& types);

}  // namespace dovetail
