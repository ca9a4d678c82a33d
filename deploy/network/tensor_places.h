// SPDX-License-Identifier: Apache-2.0
#pragma once

// TensorPlaces: the buffers of each tensor while a network is lowered: the one that its producer
// wrote, and those with other layouts that conversions wrote.
//
//   x      buffer 0, row_major                    an input
//   t5     buffer 9, 1@16:4 2@1:56 3@1:56 1@1:16  then 12, row_major: converted for one reader
//   t6     the same buffers, restated             t5 flattened: nothing moved

#include <optional>
#include <vector>

#include "core/ir/graph/graph.h"
#include "core/ir/layout/normal_form.h"

namespace dovetail {

struct TensorPlace {
  size_t buffer = 0;
  NormalLayout form;  // in terms of the graph's shape of the tensor
};

class TensorPlaces {
 public:
  explicit TensorPlaces(const Graph& graph) : graph_(graph), places_(graph.tensors.size()) {}

  void add(TensorId tensor, TensorPlace place) { at(tensor).push_back(std::move(place)); }
  const std::vector<TensorPlace>& of(TensorId tensor) const {
    return places_[static_cast<size_t>(tensor)];
  }
  std::optional<size_t> in_form(TensorId tensor, const NormalLayout& form) const;

  // Makes `to` an alias of `from`, with its dimensions in this order, or, without one, in another
  // shape. False if none of the layouts of `from` can be expressed for `to`.
  bool share(TensorId from, TensorId to, const std::optional<std::vector<size_t>>& order = {});

  std::vector<int64_t> shape(TensorId tensor) const;
  std::vector<LogicalDim> dims(TensorId tensor) const;  // d0, d1, …
  NormalLayout row_major(TensorId tensor) const { return row_major_form(dims(tensor)); }

 private:
  std::vector<TensorPlace>& at(TensorId tensor) { return places_[static_cast<size_t>(tensor)]; }

  const Graph& graph_;
  std::vector<std::vector<TensorPlace>> places_;
};

}  // namespace dovetail
