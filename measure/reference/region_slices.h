// SPDX-License-Identifier: Apache-2.0
#pragma once

// RegionSlice: a region that computes a consecutive part of another one's output elements, so that
// a large region can be evaluated in parts, with the memory of one part.
//
//   slices_of(c2d:n=16,ci=64,co=64,h=56,w=56,k=3,p=1, 1 << 20)    four of four images each
//   slices_of(c2d:ci=64,co=64,h=224,w=224,k=3,p=1, 1 << 20)       three of 20 channels, one of 4
//   slices_of(c2d:n=16,ci=64,co=64,h=224,w=224,k=3,p=1, 1 << 20)  those of each image
//
//   for (const RegionSlice& slice : slices_of(region, most_elements)) {
//     evaluate(slice.region, slice.of(inputs));         // the tensors keep their names
//     slice.elements.at("Y")                            // which elements of Y it makes
//   }
//
// The cut is along the first axis of the outputs that is longer than one. Each tensor must have
// that axis first, too, indexed directly, or not at all: a slice then reads and writes contiguous
// elements. A step along it that is still too large is cut along the next axis. A region without
// such an axis (a transposition, a softmax over it) is one slice.
//
// The reference of a network's node takes 12 to 16 bytes per element, the node itself 4: without
// slices, checking would need more memory than the network does.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ir/region/region.h"
#include "core/ir/value/named_arrays.h"

namespace dovetail {

struct ElementRange {
  size_t first = 0, count = 0;
};

struct RegionSlice {
  Region region;
  std::map<std::string, ElementRange> elements;  // by cut tensor

  // Views of the cut tensors' parts, and the others as a whole.
  NamedArrays of(const NamedArrays& tensors) const;
};

// Slices that compute `most_elements` or fewer, inner tensors included, as few as possible; where
// no axis is left, a slice may have more.
std::vector<RegionSlice> slices_of(const Region& region, int64_t most_elements);

}  // namespace dovetail
