// SPDX-License-Identifier: Apache-2.0
//
// AxisRuns: dimensions that are adjacent in all tensors of a region, so that one loop can iterate
// over all of them.
//
//     Y[n,c,h,w] = max(X[n,c,h,w], 0)         n c h w
//     Y[n,c,h,w] = X[n,c,h,w]*S[c]            n | c | h w
//     Y[n,c,h,w] max= X[n,c,2*h+r,2*w+s]      n c | h | w        h and w slide: they stay alone
//
// A class is a set of dimensions, over all tensors, that the same axes and nothing else index. A
// run is a chain of classes, each directly inside the one before in every tensor and in every
// computation that has it. The order in inner tensors does not matter, because the region chooses
// their layouts.
//
// Runs are found for the whole region, not per computation, because all computations that access a
// tensor share its layout.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ir/region/region.h"

namespace dovetail::memory_bound {

class AxisRuns {
 public:
  static constexpr int kNone = -1;  // a dimension with one element has no run

  // `apart`: name of a dimension of the first output that joins no run.
  explicit AxisRuns(const Region& region, const std::string& apart = "");

  // The run of a dimension, or of an axis of a computation; an opaque number.
  int of_dim(const std::string& tensor, size_t dim) const;
  int of_axis(const std::string& computation, const std::string& axis) const;
  // The class, also an opaque number.
  int class_of_dim(const std::string& tensor, size_t dim) const;
  int class_of_axis(const std::string& computation, const std::string& axis) const;

 private:
  struct Place {  // a dimension of a tensor, or an axis of a computation
    bool is_dim = true;
    std::string owner;
    size_t position = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  int number_of(const Place& place) const;
  int class_of(int number) const;
  void join(const Place& a, const Place& b);
  void stand_alone(const Place& place);
  void number_places();
  void read_accesses(const NamedComputation& named);
  void read_access(const NamedComputation& named, const Access& access);
  void chain_classes();
  bool is_followed(const Place& first, const Place& second) const;
  bool are_together(int first, int second) const;
  std::vector<Place> of_class(int cls, bool dims) const;
  bool is_reduced(const Place& axis) const;

  const Region& region_;
  std::vector<Tensor> tensors_;
  std::map<Place, int> numbers_;
  std::vector<Place> places_;
  std::vector<int> parent_;    // union-find forest of classes
  std::vector<bool> alone_;    // by class: joins no run
  std::map<int, int> run_of_;  // by class
};

}  // namespace dovetail::memory_bound
