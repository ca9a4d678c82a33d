// SPDX-License-Identifier: Apache-2.0
//
// NormalLayout: the element order of a layout without the names and the history of its axes, so
// that two layouts of one tensor can be compared.
//
//     X[n=1, i=64, h=56] after split(h, 8)                  1@1:64 2@1:56
//     the same without the split                            1@1:64 2@1:56
//     after split(i, 16) reorder(n, i.0, h, i.1)            1@16:4 2@1:56 1@1:16
//     after pad(h, 1, 1)                                    1@1:64 2@1:58 offset 2=-1
//
// Dimensions are named by position. A digit is DIM@STEP:EXTENT, as in layout.h, in storage order; a
// pad, pad:EXTENT/LIVE, repeats the storage inside it, and only its count LIVE holds elements.
//
// Rules, applied until nothing changes:
//
//     digit of extent 1                                  ->  gone
//     adjacent d@(s*n):m d@s:n                           ->  d@s:(m*n)
//     d@s:e of which one count L alone holds elements    ->  pad:e/L, offset d += s*L
//     adjacent pad:e1/l1 pad:e2/l2                       ->  pad:(e1*e2)/(l1*e2 + l2)
//     pad:e/l outside of d@s:n, counts in [n*l, n*(l+1))  ->  d@s:(n*e), offset d -= s*n*l
//
// Equal forms always mean equal storage. The converse holds for all layouts that primitives make
// except some paddings of one or two dimensions of extent 2, which cost a needless conversion.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/layout.h"

namespace dovetail {

class Cursor;

struct NormalDigit {
  int dim = -1;  // position of the dimension; -1: a pad
  int64_t step = 1;
  int64_t extent = 1;
  int64_t live = 0;  // pads only: the count that holds elements
  friend bool operator==(const NormalDigit&, const NormalDigit&) = default;
};

struct NormalLayout {
  std::vector<int64_t> offsets;     // one per dimension
  std::vector<NormalDigit> digits;  // storage order, outermost first
  MemoryScope scope = MemoryScope::global;
  friend bool operator==(const NormalLayout&, const NormalLayout&) = default;
};

// Precondition: no guests (CHECKed) and `times` 1. Only constants have them, and the layouts of
// constants are never compared.
NormalLayout normal_form(const Layout& layout);
// Row-major storage without padding.
NormalLayout row_major_form(std::span<const LogicalDim> dims);
inline constexpr std::string_view kFormerRowMajor = "plain";  // its word in older logs
// A layout with this form, whose axes are named after the dims that they count.
Layout layout_of(const NormalLayout& form, const std::vector<LogicalDim>& dims);

// `1@16:4 2@1:58 1@1:16 offset 2=-1 scope texture`; `row_major` for row_major_form(dims).
std::string print(const NormalLayout& form, std::span<const LogicalDim> dims);
// Also fails for a form that does not hold every element of the tensor, or is not normal.
Result<NormalLayout> parse_normal_layout(Cursor& cursor, std::span<const LogicalDim> dims);

}  // namespace dovetail
