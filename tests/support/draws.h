// SPDX-License-Identifier: Apache-2.0
//
// Random draws, of which the generators of ir_generators.h are built; they work inside a RapidCheck
// generator only.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "core/ir/index/index_expression.h"
#include "core/ir/layout/layout.h"

namespace dovetail::testing {

int64_t draw(int64_t low, int64_t high);  // evenly from [low, high]
bool chance(int64_t one_in);

template <typename T>
T pick(const std::vector<T>& from) {
  return from[static_cast<size_t>(draw(0, static_cast<int64_t>(from.size()) - 1))];
}

template <typename T>
void shuffle(std::vector<T>& items) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<size_t>(draw(0, static_cast<int64_t>(i) - 1))]);
}

std::string draw_name();
IndexExpr draw_index(const Ranges& ranges, int depth);
Layout draw_layout();

}  // namespace dovetail::testing
