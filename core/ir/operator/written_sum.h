// SPDX-License-Identifier: Apache-2.0
//
// WrittenSum: an operator that a user states as a formula, a sum of products of two tensors:
//
//   out[n,o,h,w] += a[n,i,h+r-1,w+s-1] * b[o,i,r,s]     as a spec, without spaces:
//
//   Y[n,o,h,w]+=X[n,i,h+r-1,w+s-1]*W[o,i,r,s]:n=1,o=64,h=56,w=56,i=64,r=3,s=3,X=1x64x56x56+relu
//
// Extents of the axes follow the colon, then those of X where it does not end with the last element
// that is read: elements outside X are zero, so X=1x64x56x56 above makes a padded convolution.
// b_const=0 makes W an activation; epilogues are those of every operator, and a bias runs along the
// first output axis that W has and X lacks.
//
// The canonical spec renames the tensors to Y, X and W. Why no kind and no template: the nine
// operators are such sums themselves, and their spaces, code and references are derived from the
// accesses, so that one more operator is one more spec.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/index/index_expression.h"

namespace dovetail {

struct WrittenSum {
  struct Axis {
    std::string name;
    int64_t extent = 1;
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  // The output's axes in its order, then the summed ones in the order of their first use.
  std::vector<Axis> axes;
  size_t num_output_axes = 0;
  std::vector<IndexExpr> input, weight;  // indices of X and W over the axes
  std::vector<int64_t> input_shape, weight_shape;
  bool weight_is_constant = true;
  friend bool operator==(const WrittenSum&, const WrittenSum&) = default;
};

// True when the spec has the form of a written sum, valid or not.
bool looks_written(std::string_view spec);

// `other_keys`: the keys common to all operators (dtype, math), left to the caller.
struct ParsedSum {
  WrittenSum sum;
  std::vector<std::pair<std::string, std::string>> other_keys;
};
// `definition`: the spec without epilogues.
Result<ParsedSum> parse_written_sum(std::string_view definition);
std::string print(const WrittenSum& sum);

// Checks that axes, indices and shapes are consistent; the error names the one that is not.
Result<void> check_written_sum(const WrittenSum& sum);

// The least shape of a factor with these indices that includes the last element read.
std::vector<int64_t> shape_read(const std::vector<IndexExpr>& indices, const Ranges& ranges);
std::vector<int64_t> output_shape(const WrittenSum& sum);
// Position, among the output's axes, of the one that a bias runs along; -1 when there is none.
int bias_axis(const WrittenSum& sum);
Ranges axis_ranges(const WrittenSum& sum);
// num_products counts all products, num_real_products those whose element of X exists.
double num_products(const WrittenSum& sum);
double num_real_products(const WrittenSum& sum);

}  // namespace dovetail
