// SPDX-License-Identifier: Apache-2.0
//
// WrittenStatement: one computation as it was written, before axes and reads are sorted out:
//
//   Y[n,c]=sum(X[n,c,h])/H   ->   Y, {n, c}, reads {X[n,c,h]}, element read(0), sum, result @ / …
//
// Of use to the parser of regions only.
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
  Reducer reducer = Reducer::none;
  Value result = Reduced{};
};

// An element beyond its tensor, where nothing is said of it: what leaves a maximum or a minimum as
// it is, and 0 elsewhere.
double usual_outside(Reducer reducer, bool in_element);

// What tensors compute in, as far as it is known: of those that are given, and of those that
// earlier statements make.
using TypesOfTensors = std::map<std::string, ElementType, std::less<>>;

Result<WrittenStatement> parse_statement(std::string_view text, const Ranges& axes,
                                         const TypesOfTensors& types);

}  // namespace dovetail
