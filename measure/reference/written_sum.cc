// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/written_sum.h"

// Compiled with -O3 in every build (CMakeLists.txt).

namespace dovetail {
namespace {

// One factor: where its indices are, and how each axis moves them.
struct Moves {
  std::vector<int64_t> at;
  std::vector<std::vector<int64_t>> steps;  // [axis][index]
  std::vector<int64_t> extents;
};

Moves moves_of(const WrittenSum& sum, const std::vector<IndexExpr>& indices,
               const std::vector<int64_t>& extents) {
  Moves moves{{}, std::vector<std::vector<int64_t>>(sum.axes.size()), extents};
  for (const IndexExpr& index : indices) {
    moves.at.push_back(index.constant());
    for (size_t a = 0; a < sum.axes.size(); ++a)
      moves.steps[a].push_back(index.coefficient(sum.axes[a].name));
  }
  return moves;
}

void move(Moves& moves, size_t axis, int64_t count) {
  for (size_t j = 0; j < moves.at.size(); ++j) moves.at[j] += count * moves.steps[axis][j];
}

template <typename Number>
Number element(const Moves& moves, const std::vector<Number>& values) {
  int64_t position = 0;
  for (size_t j = 0; j < moves.at.size(); ++j) {
    if (moves.at[j] < 0 || moves.at[j] >= moves.extents[j]) return 0;
    position = position * moves.extents[j] + moves.at[j];
  }
  return values[static_cast<size_t>(position)];
}

template <typename Number>
class Sum {
 public:
  Sum(const WrittenSum& sum, const std::vector<Number>& input, const std::vector<Number>& weight)
      : sum_(sum),
        input_(input),
        weight_(weight),
        x_(moves_of(sum, sum.input, sum.input_shape)),
        w_(moves_of(sum, sum.weight, sum.weight_shape)) {}

  std::vector<Number> compute() {
    walk(0);
    return std::move(output_);
  }

 private:
  // Output axes come first, so the products of one element follow each other.
  void walk(size_t axis) {
    if (axis == sum_.num_output_axes) output_.push_back(0);
    if (axis == sum_.axes.size()) {
      output_.back() += element(x_, input_) * element(w_, weight_);
      return;
    }
    const int64_t extent = sum_.axes[axis].extent;
    for (int64_t k = 0; k < extent; ++k) {
      walk(axis + 1);
      move(x_, axis, 1);
      move(w_, axis, 1);
    }
    move(x_, axis, -extent);
    move(w_, axis, -extent);
  }

  const WrittenSum& sum_;
  const std::vector<Number>& input_;
  const std::vector<Number>& weight_;
  Moves x_, w_;
  std::vector<Number> output_;
};

}  // namespace

template <typename Number>
std::vector<Number> written_sum(const WrittenSum& sum, const std::vector<Number>& input,
                                const std::vector<Number>& weight) {
  return Sum<Number>(sum, input, weight).compute();
}

template std::vector<float> written_sum(const WrittenSum&, const std::vector<float>&,
                                        const std::vector<float>&);
template std::vector<double> written_sum(const WrittenSum&, const std::vector<double>&,
                                         const std::vector<double>&);

}  // namespace dovetail
