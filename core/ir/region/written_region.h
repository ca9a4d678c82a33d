// SPDX-License-Identifier: Apache-2.0
//
// WrittenRegion: a region's statements and keys before its axes, shapes and reads are resolved:
//
//   B[i]=max(A[i],0);C[j]=B[2*j]:i=8,j=4
//     ->   statements of B and C, axes i and j   ->   A has 8 elements, B is inner, C the output
//
// Why apart from the parser: normalised (core/ir/region/normal_region.h) resolves the statements of
// a region that a pass made, which were never a text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/region/region.h"
#include "core/ir/region/region_keys.h"
#include "core/ir/region/written_statement.h"

namespace dovetail {

class WrittenRegion {
 public:
  explicit WrittenRegion(RegionKeys keys);

  const Ranges& axes() const { return keys_.axes; }
  // Includes the tensors of the statements added so far.
  const TypesOfTensors& types() const { return types_; }

  Result<void> add(WrittenStatement written);  // in topological order
  Result<Region> region() &&;

 private:
  Result<void> find_shapes();
  Result<void> widen(const WrittenRead& read, const Ranges& ranges);
  bool is_made(const std::string& name) const;

  RegionKeys keys_;
  std::vector<WrittenStatement> statements_;
  TypesOfTensors types_;
  std::map<std::string, std::vector<int64_t>, std::less<>> shapes_;
  std::set<std::string, std::less<>> read_;
};

}  // namespace dovetail
