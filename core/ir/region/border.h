// SPDX-License-Identifier: Apache-2.0
//
// Border: in which layouts the tensors that cross a region's border are given and wanted.
//
//     X as plain; Y as 1@16:4 2@1:58 3@1:58 1@1:16 offset 2=-1 3=-1 outside 0
//
// says that X arrives in row-major order, and that Y is wanted in blocks of channels with zeros
// around each image. Tensors that are not named are free: an input arrives as the trace stores it,
// an output is left as the trace stores it, and neither costs anything, unless a layout pads or
// unfolds. Constants are in no border: they are converted at build time.
//
// `outside` is what the storage beyond the tensor's elements holds; where nothing is said, nobody
// may read it.
//
// Why a value beside the region and not a part of it: what an operator computes does not change
// with its neighbours, and a log can be asked for the best with any border, or with this one.
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

// Null: the tensor is free.
const BorderTensor* find_border(const Border& border, std::string_view tensor);

// Inputs that are no constants and outputs, in the order in which the region names them.
std::vector<Tensor> crossing_tensors(const Region& region);
// Every tensor that crosses the border in row-major order, as frameworks keep them.
Border framework_border(const Region& region);

// Empty where all tensors are free.
std::string print(const Border& border, const Region& region);
// The error is one line that names the tensor, what was found and what was expected.
Result<Border> parse_border(std::string_view text, const Region& region);

// The text before the bar, without spaces at its end, and what stands behind it, if there is one.
struct BarredText {
  std::string_view spec;
  std::optional<std::string_view> border;
};
BarredText split_at_bar(std::string_view text);

}  // namespace dovetail
