// SPDX-License-Identifier: Apache-2.0
//
// RegionNodes: numbers the parts of a region that have arbitrary names (tensors, their dimensions,
// axes of computations), and makes keys of computations over colours of these nodes.
//
//     Y[i,j]=exp(S[i,j])     nodes S, S.0, S.1, Y, Y.0, Y.1, i, j
//
// A key is the text of a computation with colours in place of names: computations that differ only
// in names of nodes of equal colours have equal keys. Operands of commutative operations are
// sorted. Used by canonical (core/ir/region/canonical.h) only.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/region/region.h"

namespace dovetail {

using Colours = std::vector<size_t>;  // one per node

class RegionNodes {
 public:
  explicit RegionNodes(const Region& region);

  const Region& region() const { return region_; }
  size_t tensor(const std::string& name) const { return tensors_.at(name); }
  size_t dim(const std::string& tensor, size_t position) const {
    return tensors_.at(tensor) + 1 + position;
  }
  size_t axis(size_t computation, const std::string& name) const {
    return axes_.at({computation, name});
  }

  // The first key of each node, independent of the others: its role, type and extents.
  const std::vector<std::string>& first_keys() const { return first_keys_; }
  const std::vector<size_t>& nodes_in(size_t computation) const { return used_[computation]; }

  // `marked`: a node that is printed as `!` in place of its colour; the number of nodes for none.
  std::string key(size_t computation, const Colours& colours, size_t marked) const;
  // The same for one value of the computation.
  std::string key(size_t computation, const Value& value, const Colours& colours,
                  size_t marked) const;

 private:
  Region region_;
  std::map<std::string, size_t, std::less<>> tensors_;  // followed by their dims
  std::map<std::pair<size_t, std::string>, size_t> axes_;
  std::vector<std::string> first_keys_;
  std::vector<std::vector<size_t>> used_;  // by computation
};

bool is_commutative(BinaryOp op);

}  // namespace dovetail
