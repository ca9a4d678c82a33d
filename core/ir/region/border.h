// SPDX-License-Identifier: Apache-2.0
//
// Border: the layouts in which a region's inputs arrive and its outputs are wanted.
//
//     X as row_major; Y as 1@16:4 2@1:58 3@1:58 1@1:16 offset 2=-1 3=-1 outside 0
//
// X arrives in row-major order, and Y is wanted in blocks of channels with zeros around each image.
// Tensors that are not named are free: an input arrives and an output stays in the trace's layout,
// at no cost unless that layout pads or unfolds. Constants are in no border: they are converted at
// build time.
//
// `outside` is the value of the storage beyond the tensor's elements; unless stated, consumers must
// not read it.
//
// Why a value beside the region and not a part of it: an operator's computation does not depend on
// its neighbours, and a log can be queried for the best record with any border, or with this one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/normal_form.h"
#include "core/ir/region/region.h"

namespace dovetail {

struct BorderTensor {
  std::string tensor;
  NormalLayout layout;
  std::optional<double> outside = {};
  friend bool operator==(const BorderTensor&, const BorderTensor&) = default;
};

struct Border {
  std::vector<BorderTensor> tensors;  // in the order in which the region names them
  bool is_free() const { return tensors.empty(); }
  friend bool operator==(const Border&, const Border&) = default;
};

// Null if the tensor is free.
const BorderTensor* find_border(const Border& border, std::string_view tensor);

// Non-constant inputs, and outputs, in the order in which the region names them.
std::vector<Tensor> crossing_tensors(const Region& region);
// The border at which every crossing tensor is in row-major order, as in frameworks.
Border framework_border(const Region& region);

// Empty where all tensors are free.
std::string print(const Border& border, const Region& region);
// The error is one line with the tensor, the text found and the text expected.
Result<Border> parse_border(std::string_view text, const Region& region);

// The text before the bar `|`, without trailing spaces, and the text after it, if there is a bar.
struct BarredText {
  std::string_view spec;
  std::optional<std::string_view> border;
};
BarredText split_at_bar(std::string_view text);

}  // namespace dovetail
