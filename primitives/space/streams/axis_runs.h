// SPDX-License-Identifier: Apache-2.0
//
// AxisRuns: dimensions of a region's tensors that always lie side by side, so that one loop runs
// over all of them.
//
//     Y[n,c,h,w] = max(X[n,c,h,w], 0)         n c h w
//     Y[n,c,h,w] = X[n,c,h,w]*S[c]            n | c | h w
//     Y[n,c,h,w] max= X[n,c,2*h+r,2*w+s]      n c | h | w        h and w slide: they stay alone
//
// A class is what a dimension means: those of all tensors that the same axes index, and nothing
// else, are of one class. A run is a chain of classes, each right behind the one before in every
// tensor and in every computation that has it. Where the region decides how a tensor is stored
// itself (an inner one), order is no question.
//
// Why over the whole region and not a computation at a time: layouts are of tensors, and all
// computations that read one share them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ir/region/region.h"

namespace dovetail {

class AxisRuns {
 public:
  static constexpr int kNone = -1;  // of a dimension with one element

  // `apart`: a dimension of the first output, by name, that is no part of a run.
  explicit AxisRuns(const Region& region, const std::string& apart = "");

  // The run that a dimension, or an axis of a computation, belongs to; a number without meaning.
  int of_dim(const std::string& tensor, size_t dim) const;
  int of_axis(const std::string& computation, const std::string& axis) const;
  // The class alone.
  int class_of_dim(const std::string& tensor, size_t dim) const;
  int class_of_axis(const std::string& computation, const std::string& axis) const;

 private:
  struct Place {  // of a dimension of a tensor, or of an axis of a computation
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
  std::vector<int> parent_;    // classes, as a forest
  std::vector<bool> alone_;    // by class: indexed otherwise than by an axis alone
  std::map<int, int> run_of_;  // by class
};

}  // namespace dovetail
