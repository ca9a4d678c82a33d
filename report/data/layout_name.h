// SPDX-License-Identifier: Apache-2.0
#pragma once

// layout_name: a layout by the name that people use, from its normal form
// (core/ir/layout/normal_form.h).
//
//   layout_name("2@1:56 3@1:56 1@1:64", {})                 NHWC
//   layout_name("1@16:4 2@1:56 3@1:56 1@1:16", {})          nChw16c
//   layout_name("1@16:4 2@7:8 3@1:56 2@1:7 1@1:16", {})     n C/16 H/7 w 7h 16c
//
// Names are those of oneDNN: a letter a dimension, in the order of storage, upper case where it is
// split, and the blocks behind. Where blocks are not innermost there is no such name: dimensions
// are then spelled one by one, "H/7" the blocks of 7 and "7h" what is in one.

#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// `letters`: one per dimension of the tensor. Without, they follow from the dimensions that the
// form names: n c h w of four, n c d h w of five, else a b c; row-major then has no letters,
// because its form does not tell how many there are.
std::string layout_name(std::string_view form, const std::vector<std::string>& letters);

// The letters of a tensor whose dimensions have these names: n c h w of an image, o i h w of
// weights, else their own.
std::vector<std::string> letters_of(const std::vector<std::string>& dims);

}  // namespace dovetail
