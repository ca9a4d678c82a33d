// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/direct_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/parallel.h"
#include "measure/reference/row_update.h"

// Compiled with -O3 in every build (CMakeLists.txt).

namespace dovetail {
namespace {

constexpr int64_t kBlock = 256;  // positions; eight rows of this length stay in L1

// Up to eight rows of x, each with the position of its weight for the first output channel.
template <typename Number>
struct RowBlock {
  std::array<Number, static_cast<size_t>(kUpdateRows* kBlock)> rows{};  // finite from the start
  std::array<int64_t, static_cast<size_t>(kUpdateRows)> filters{};
  size_t filled = 0;
};

// A factor's elements, converted for the sum.
template <typename Number>
struct Elements {
  const float* floats = nullptr;  // or:
  const double* doubles = nullptr;
  FactorPart part = FactorPart::value;

  Number operator[](int64_t at) const {
    const auto value = static_cast<Number>(floats != nullptr ? floats[at] : doubles[at]);
    return part == FactorPart::value ? value : std::fabs(value);
  }
};

template <typename Number>
Elements<Number> elements_of(const ArrayView& array, FactorPart part) {
  if (array.type() == ElementType::f64) return {.doubles = array.as<double>().data(), .part = part};
  return {.floats = array.as<float>().data(), .part = part};
}

// Views of floats and doubles; other types are copied as floats.
class Factors {
 public:
  explicit Factors(const ArrayView& array) : view_(array) {
    if (array.type() == ElementType::f32 || array.type() == ElementType::f64) return;
    widened_ = floats_of(array);
    view_ = widened_;
  }
  const ArrayView& view() const { return view_; }

 private:
  std::vector<float> widened_;
  ArrayView view_;
};

struct Planes {
  std::array<SpatialAxis, 3> axes;  // leading ones of extent 1
  std::array<int64_t, 3> out{1, 1, 1};
  bool transposed = false;
  int64_t x_elements = 1, y_elements = 1, taps = 1;
};

Planes planes_of(const Operator& op) {
  Planes planes;
  planes.transposed = is_transposed(op.kind);
  const size_t first = planes.axes.size() - op.spatial.size();
  for (size_t i = 0; i < op.spatial.size(); ++i) {
    planes.axes[first + i] = op.spatial[i];
    planes.out[first + i] = output_extent(op.spatial[i], planes.transposed);
  }
  for (size_t i = 0; i < planes.axes.size(); ++i) {
    planes.x_elements *= planes.axes[i].extent;
    planes.y_elements *= planes.out[i];
    planes.taps *= planes.axes[i].kernel;
  }
  return planes;
}

constexpr int64_t kNone = -1;

// The input index that a tap of the window pairs with an output index; kNone if there is none.
int64_t partner(const SpatialAxis& axis, bool transposed, int64_t out, int64_t tap) {
  int64_t index = transposed ? out + axis.pad_before - tap * axis.dilation
                             : out * axis.stride + tap * axis.dilation - axis.pad_before;
  if (transposed) {
    if (index % axis.stride != 0) return kNone;
    index /= axis.stride;
  }
  return index >= 0 && index < axis.extent ? index : kNone;
}

// The output positions, grouped by phase for a transposed convolution: most taps contribute nothing
// to a phase, and are skipped for it.
std::vector<int64_t> ordered_positions(const Planes& planes) {
  std::vector<int64_t> positions;
  const auto phases = [&](size_t i) { return planes.transposed ? planes.axes[i].stride : 1; };
  for (int64_t phase = 0; phase < phases(0) * phases(1) * phases(2); ++phase) {
    const std::array<int64_t, 3> first = {phase / phases(2) / phases(1),
                                          phase / phases(2) % phases(1), phase % phases(2)};
    for (int64_t d = first[0]; d < planes.out[0]; d += phases(0)) {
      for (int64_t h = first[1]; h < planes.out[1]; h += phases(1))
        for (int64_t w = first[2]; w < planes.out[2]; w += phases(2))
          positions.push_back((d * planes.out[1] + h) * planes.out[2] + w);
    }
  }
  return positions;
}

// The input elements of one tap for a block of positions.
struct Tap {
  int64_t number = 0;
  std::vector<int64_t> from;  // by position: element of an input plane, or kNone
};

std::vector<Tap> taps_of(const Planes& planes, const int64_t* positions, int64_t count) {
  std::vector<Tap> taps;
  const auto& [d, h, w] = planes.axes;
  for (int64_t number = 0; number < planes.taps; ++number) {
    Tap tap{.number = number, .from = std::vector<int64_t>(static_cast<size_t>(count))};
    bool any = false;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = positions[i];
      const int64_t z = partner(d, planes.transposed, at / planes.out[2] / planes.out[1],
                                number / w.kernel / h.kernel);
      const int64_t y = partner(h, planes.transposed, at / planes.out[2] % planes.out[1],
                                number / w.kernel % h.kernel);
      const int64_t x = partner(w, planes.transposed, at % planes.out[2], number % w.kernel);
      const bool exists = z != kNone && y != kNone && x != kNone;
      tap.from[static_cast<size_t>(i)] = exists ? (z * h.extent + y) * w.extent + x : kNone;
      any = any || exists;
    }
    if (any) taps.push_back(std::move(tap));
  }
  return taps;
}

template <typename Number>
class Convolution {
 public:
  Convolution(const Operator& op, const Elements<Number>& input, const Elements<Number>& weight)
      : op_(op),
        planes_(planes_of(op)),
        positions_(ordered_positions(planes_)),
        input_(input),
        weight_(weight) {}

  std::vector<Number> compute() {
    output_.resize(static_cast<size_t>(op_.batch * op_.out_channels * planes_.y_elements));
    const int64_t blocks = (planes_.y_elements + kBlock - 1) / kBlock;
    for_each_in_parallel(static_cast<size_t>(blocks * op_.groups * op_.batch), [&](size_t k) {
      const auto unit = static_cast<int64_t>(k);
      add_block(unit / blocks / op_.groups, unit / blocks % op_.groups, unit % blocks * kBlock);
    });
    return std::move(output_);
  }

 private:
  int64_t ins() const { return op_.in_channels / op_.groups; }
  int64_t outs() const { return op_.out_channels / op_.groups; }

  // Computes the block of positions from `first` on, for one image and group.
  void add_block(int64_t image, int64_t group, int64_t first) {
    const int64_t count = std::min(kBlock, planes_.y_elements - first);
    const std::vector<Tap> taps = taps_of(planes_, positions_.data() + first, count);
    std::vector<Number> sums(static_cast<size_t>(outs() * kBlock));
    RowBlock<Number> block;
    for (int64_t c = 0; c < ins(); ++c) {
      const int64_t plane = (image * op_.in_channels + group * ins() + c) * planes_.x_elements;
      for (const Tap& tap : taps) {
        Number* row = block.rows.data() + static_cast<int64_t>(block.filled) * kBlock;
        for (int64_t i = 0; i < count; ++i) {
          const int64_t from = tap.from[static_cast<size_t>(i)];
          row[i] = from == kNone ? Number(0) : input_[plane + from];
        }
        block.filters[block.filled++] = filter(group, c) + tap.number;
        if (block.filled == block.filters.size()) update(block, count, sums);
      }
    }
    if (block.filled > 0) {
      // A NaN or infinity left from an earlier update would count even with weight 0.
      std::fill(block.rows.begin() + static_cast<int64_t>(block.filled) * kBlock, block.rows.end(),
                Number(0));
      update(block, count, sums);
    }
    store(image * op_.out_channels + group * outs(), first, count, sums);
  }

  // Position of the weights from a group's input channel c to its first output channel.
  int64_t filter(int64_t group, int64_t c) const {
    return planes_.transposed ? (group * ins() + c) * outs() * planes_.taps
                              : (group * outs() * ins() + c) * planes_.taps;
  }
  int64_t next_filter() const { return planes_.transposed ? planes_.taps : ins() * planes_.taps; }

  // Unfilled rows have weight 0.
  void update(RowBlock<Number>& block, int64_t count, std::vector<Number>& sums) const {
    for (int64_t o = 0; o < outs(); ++o) {
      std::array<Number, static_cast<size_t>(kUpdateRows)> w{};
      for (size_t j = 0; j < block.filled; ++j)
        w[j] = weight_[block.filters[j] + o * next_filter()];
      row_update(sums.data() + o * kBlock, block.rows.data(), kBlock, w.data(), count);
    }
    block.filled = 0;
  }

  void store(int64_t plane, int64_t first, int64_t count, const std::vector<Number>& sums) {
    for (int64_t o = 0; o < outs(); ++o) {
      Number* y = output_.data() + (plane + o) * planes_.y_elements;
      for (int64_t i = 0; i < count; ++i)
        y[positions_[static_cast<size_t>(first + i)]] = sums[static_cast<size_t>(o * kBlock + i)];
    }
  }

  const Operator& op_;
  Planes planes_;
  std::vector<int64_t> positions_;
  Elements<Number> input_, weight_;
  std::vector<Number> output_;
};

// A block of columns of a matrix product: eight rows of B at a time, widened once, are multiplied
// with all rows of A.
template <typename Number>
class MatrixProduct {
 public:
  MatrixProduct(const Operator& op, const Elements<Number>& a, const Elements<Number>& b)
      : op_(op), a_(a), b_(b) {}

  std::vector<Number> compute() {
    output_.resize(static_cast<size_t>(op_.batch * op_.m * op_.n));
    const int64_t blocks = (op_.n + kBlock - 1) / kBlock;
    for_each_in_parallel(static_cast<size_t>(op_.batch * blocks), [&](size_t k) {
      const auto unit = static_cast<int64_t>(k);
      add_columns(unit / blocks, unit % blocks * kBlock);
    });
    return std::move(output_);
  }

 private:
  void add_columns(int64_t matrix, int64_t first) {
    const int64_t count = std::min(kBlock, op_.n - first);
    std::vector<Number> rows(static_cast<size_t>(kUpdateRows * kBlock));
    for (int64_t j = 0; j < op_.k; j += kUpdateRows) {
      const int64_t filled = std::min(kUpdateRows, op_.k - j);
      if (filled < kUpdateRows) std::ranges::fill(rows, Number(0));
      read_rows(matrix * op_.k * op_.n, j, filled, first, count, rows);
      for (int64_t i = 0; i < op_.m; ++i) {
        std::array<Number, static_cast<size_t>(kUpdateRows)> w{};
        for (int64_t r = 0; r < filled; ++r)
          w[static_cast<size_t>(r)] = a_[matrix * op_.m * op_.k + a_element(i, j + r)];
        row_update(output_.data() + (matrix * op_.m + i) * op_.n + first, rows.data(), kBlock,
                   w.data(), count);
      }
    }
  }

  void read_rows(int64_t base, int64_t j, int64_t filled, int64_t first, int64_t count,
                 std::vector<Number>& rows) const {
    const int64_t row_step = op_.transpose_b ? 1 : op_.n;
    const int64_t column_step = op_.transpose_b ? op_.k : 1;
    for (int64_t c = 0; c < count; ++c)
      for (int64_t r = 0; r < filled; ++r)
        rows[static_cast<size_t>(r * kBlock + c)] =
            b_[base + (j + r) * row_step + (first + c) * column_step];
  }

  int64_t a_element(int64_t row, int64_t k) const {
    return op_.transpose_a ? k * op_.m + row : row * op_.k + k;
  }

  const Operator& op_;
  Elements<Number> a_, b_;
  std::vector<Number> output_;
};

// One factor of a user-written sum: its element at the current axes, 0 outside its shape.
template <typename Number>
class Factor {
 public:
  Factor(const std::vector<WrittenSum::Axis>& axes, const std::vector<IndexExpr>& indices,
         const std::vector<int64_t>& extents, const Elements<Number>& values)
      : extents_(extents), values_(values), steps_(axes.size()) {
    for (const IndexExpr& index : indices) {
      at_.push_back(index.constant());
      for (size_t a = 0; a < axes.size(); ++a) steps_[a].push_back(index.coefficient(axes[a].name));
    }
  }

  void move(size_t axis, int64_t count) {
    for (size_t j = 0; j < at_.size(); ++j) at_[j] += count * steps_[axis][j];
  }

  Number element() const {
    int64_t position = 0;
    for (size_t j = 0; j < at_.size(); ++j) {
      if (at_[j] < 0 || at_[j] >= extents_[j]) return 0;
      position = position * extents_[j] + at_[j];
    }
    return values_[position];
  }

 private:
  const std::vector<int64_t>& extents_;
  Elements<Number> values_;
  std::vector<int64_t> at_;                  // current indices
  std::vector<std::vector<int64_t>> steps_;  // [axis][index]: strides of the indices
};

// Follows the text literally, element by element. It is slow: every index is evaluated for every
// product.
template <typename Number>
class WrittenLoops {
 public:
  WrittenLoops(const WrittenSum& sum, const Elements<Number>& input, const Elements<Number>& weight)
      : sum_(sum),
        x_(sum.axes, sum.input, sum.input_shape, input),
        w_(sum.axes, sum.weight, sum.weight_shape, weight) {}

  std::vector<Number> compute() {
    walk(0);
    return std::move(output_);
  }

 private:
  // Output axes come first, so the products of one element follow each other.
  void walk(size_t axis) {
    if (axis == sum_.num_output_axes) output_.push_back(0);
    if (axis == sum_.axes.size()) {
      output_.back() += x_.element() * w_.element();
      return;
    }
    const int64_t extent = sum_.axes[axis].extent;
    for (int64_t k = 0; k < extent; ++k) {
      walk(axis + 1);
      x_.move(axis, 1);
      w_.move(axis, 1);
    }
    x_.move(axis, -extent);
    w_.move(axis, -extent);
  }

  const WrittenSum& sum_;
  Factor<Number> x_, w_;
  std::vector<Number> output_;
};

}  // namespace

template <typename Number>
std::vector<Number> direct_sum(const Operator& op, const ArrayView& input, const ArrayView& weight,
                               FactorPart part) {
  const Factors inputs(input), weights(weight);
  const auto x = elements_of<Number>(inputs.view(), part);
  const auto w = elements_of<Number>(weights.view(), part);
  if (op.sum) return WrittenLoops<Number>(*op.sum, x, w).compute();
  return is_matrix_product(op.kind) ? MatrixProduct<Number>(op, x, w).compute()
                                    : Convolution<Number>(op, x, w).compute();
}

template std::vector<float> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                       FactorPart);
template std::vector<double> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                        FactorPart);

}  // namespace dovetail
