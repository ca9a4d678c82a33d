// SPDX-License-Identifier: Apache-2.0
//
// WrittenStatement: one computation as it was written, before axes and reads are sorted out:
//
//   Y[n,c]=sum(X[n,c,h])/H   ->   Y, {n, c}, reads {X[n,c,h]}, element read(0), sum, result @ / …
//
// Only the parser of regions uses it.
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
  std::optional<double> outside;  // none was stated
  friend bool operator==(const WrittenRead&, const WrittenRead&) = default;
};

struct WrittenStatement {
  std::string tensor;
  std::vector<std::string> axes;  // of the output
  std::vector<WrittenRead> reads;
  std::vector<ChosenIndex> chosen;
  Value element;
  std::vector<std::string> mentioned;  // axes in the element's text, also those of k/9 for k < 9
  Reducer reducer = Reducer::none;
  Value result = Reduced{};
};

// An element beyond its tensor, where nothing is said of it, has this value: in an element that is
// reduced by max or min the one that leaves these as they are, elsewhere 0.
double usual_outside(Reducer reducer, bool in_element);

// The types of tensors are known as far as they are stated, or follow from the earlier statements
// that make them.
using TypesOfTensors = std::map<std::string, ElementType, std::less<>>;

Result<WrittenStatement> parse_statement(std::string_view text, const Ranges& axes,
                                         const TypesOfTensors& types);

// The tail of an operator (core/ir/operator/tail.h): the value alone, which becomes the result,
// over `@`, what was reduced.
Result<WrittenStatement> parse_written_tail(std::string_view text, const Ranges& axes,
                                            const TypesOfTensors& types);

}  // namespace dovetail
