// SPDX-License-Identifier: Apache-2.0
//
// Layout: the storage position of each element of a tensor. A physical axis is a mixed-radix number
// of *digits*, each of which counts one logical dimension by some step:
//
//     logical[j] = offset_j + Σ_{digits of dim j} step · digit          outside the tensor: zero
//
// Example: X[n=1, i=64, h=56, w=56] after
//
//     pad(h, 1, 1) pad(w, 1, 1) split(i, 16) reorder(i.0, n, h, w, i.1)
//
// is, with two offsets at the end of its line,
//
//     X[n=1, i=64, h=56, w=56] as [i@16:4 =i.0] [n@1:1] [h@1:58] [w@1:58] [i@1:16 =i.1]
//         offset h=-1 w=-1
//
// and unfold(axis=h, size=6, stride=4) is simply two digits that overlap:
//
//     [h@4:14 =h.0] … [h@1:6 =h.1]
//
// A constant's elements may be stored multiplied by a power of two, `times`, without rounding:
//
//     W[k=768, n=64] as [k@1:768] [n@1:64] times 16       stores 16*W[k, n]
//
// Why digits and not a chain of maps: split, reorder, pad, unfold and fuse all have this form, so
// one routine packs any tensor, one rewrites any access, and storage size is a product of extents.
// The primitives themselves stay in the trace (core/ir/schedule/trace.h); primitives/layout applies
// them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"
#include "core/ir/value/memory_scope.h"

namespace dovetail {

struct LogicalDim {
  std::string name;
  int64_t extent = 0;
  friend bool operator==(const LogicalDim&, const LogicalDim&) = default;
};

std::vector<int64_t> extents_of(const std::vector<LogicalDim>& dims);
int64_t num_elements(const std::vector<int64_t>& shape);

struct Digit {
  int dim = 0;         // index into Layout::logical
  int64_t step = 1;    // logical elements per count of this digit
  int64_t extent = 1;  // counts 0 … extent-1
  friend bool operator==(const Digit&, const Digit&) = default;
};

struct PhysicalAxis {
  std::string name;           // h, then h.0 and h.1 after a split, h_w after a fuse
  std::vector<Digit> digits;  // outermost first; several only after fuse
  int64_t extent() const;
  friend bool operator==(const PhysicalAxis&, const PhysicalAxis&) = default;
};

// A tensor inside another one's storage (store_at). Its element is the element of the host with the
// same index in dimensions of the same name, `at` plus its own index (if any) along `axis`, and 0
// in all other dimensions.
struct Guest {
  std::string tensor;
  std::vector<LogicalDim> dims;
  std::string axis;
  int64_t at = 0;
  friend bool operator==(const Guest&, const Guest&) = default;
};

struct Layout {
  std::vector<LogicalDim> logical;  // extents include the guests
  std::vector<int64_t> offsets;     // one per logical dim, ≤ 0 where padded in front
  std::vector<PhysicalAxis> axes;   // storage order, outermost first
  MemoryScope scope = MemoryScope::global;
  std::vector<Guest> guests = {};  // tensors inside this one's storage, in order of `at`
  int64_t times = 1;               // a power of two that each stored element is multiplied by
  friend bool operator==(const Layout&, const Layout&) = default;
};

// Row-major storage in the order of the dims.
Layout identity_layout(std::vector<LogicalDim> dims);

std::vector<int64_t> physical_extents(const Layout& layout);
int64_t storage_elements(const Layout& layout);
int64_t logical_elements(const Layout& layout);  // including the guests'
// True when every element is stored exactly once and nothing else is (split, reorder, fuse only).
// An activation in such a layout is free; any other is charged for the pass that converts to it.
bool is_one_to_one(const Layout& layout);
// True when some logical element is stored twice (unfold with overlapping tiles).
bool has_overlap(const Layout& layout);
int find_axis(const Layout& layout, std::string_view name);  // -1 when there is none

// A digit of a logical dim and its physical axis; digits_of_dim sorts them by decreasing step.
struct DigitPlace {
  int axis = 0;      // index into Layout::axes
  int position = 0;  // index into PhysicalAxis::digits
  Digit digit;
};
std::vector<DigitPlace> digits_of_dim(const Layout& layout, int dim);
bool has_overlap(const std::vector<DigitPlace>& places);  // digits of one dim
// The logical indices, from the offset on, that the stored digits of `dim` can express.
Range stored_range(const Layout& layout, int dim);  // closed interval

// `X[n=1, i=64] as [i@16:4 =i.0] [n@1:1] [i@1:16 =i.1] offset n=-1`, see above; ` times 16` if not
// 1; a guest as ` holds bias[n=64] at k=512`; scope as ` ; scope texture` if not global.
std::string print(const Layout& layout, const std::string& tensor);
struct NamedLayout {
  std::string tensor;
  Layout layout;
};
Result<NamedLayout> parse_layout(std::string_view text);

}  // namespace dovetail
