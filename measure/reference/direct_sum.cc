// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/direct_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "measure/reference/contraction.h"
#include "measure/reference/row_update.h"
#include "measure/reference/strided_run.h"

// Compiled with -O3 in every build (CMakeLists.txt).

namespace dovetail {
namespace {

constexpr int64_t kBlock = 256;  // positions; eight rows of this length stay in L1

// Up to eight rows of x, each with the position of its packed weight for the first output channel.
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

  void read(int64_t first, std::span<Number> to) const {
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = static_cast<Number>(floats != nullptr ? floats[first + static_cast<int64_t>(i)]
                                                    : doubles[first + static_cast<int64_t>(i)]);
    if (part == FactorPart::value) return;
    for (Number& element : to) element = std::fabs(element);
  }
};

template <typename Number>
Elements<Number> elements_of(const ArrayView& array, FactorPart part) {
  if (array.type() == ElementType::f64) return {.doubles = array.as<double>().data(), .part = part};
  return {.floats = array.as<float>().data(), .part = part};
}

// Views of floats and doubles; other types, and what is rounded to `math`, are copied as floats.
class Factors {
 public:
  Factors(const ArrayView& array, ElementType math) : view_(array) {
    const bool is_wide = array.type() == ElementType::f32 || array.type() == ElementType::f64;
    if (is_wide && math == ElementType::f32) return;
    floats_ = floats_of(array);
    for (float& number : floats_) number = rounded(number, math);
    view_ = floats_;
  }
  const ArrayView& view() const { return view_; }

 private:
  std::vector<float> floats_;
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
  std::vector<int32_t> from;  // by position: element of the patch
};

// The elements of an input plane that a block of positions reads.
struct Patch {
  std::vector<Tap> taps;
  int64_t first = 0, elements = 0;  // the plane's; after them the patch has a zero
};

using Position = std::array<int64_t, 3>;

// The input element that a tap pairs with an output position; kNone if there is none.
int64_t element_of(const Planes& planes, const Position& at, const Position& tap) {
  int64_t element = 0;
  for (size_t i = 0; i < at.size(); ++i) {
    const int64_t index = partner(planes.axes[i], planes.transposed, at[i], tap[i]);
    if (index == kNone) return kNone;
    element = element * planes.axes[i].extent + index;
  }
  return element;
}

Position place_of(int64_t number, int64_t rows, int64_t columns) {
  return {number / columns / rows, number / columns % rows, number % columns};
}

Patch patch_of(const Planes& planes, const int64_t* positions, int64_t count) {
  std::vector<Position> at;
  for (int64_t i = 0; i < count; ++i)
    at.push_back(place_of(positions[i], planes.out[1], planes.out[2]));
  std::vector<std::pair<int64_t, std::vector<int64_t>>> found;
  int64_t first = planes.x_elements, last = -1;
  for (int64_t number = 0; number < planes.taps; ++number) {
    const Position tap = place_of(number, planes.axes[1].kernel, planes.axes[2].kernel);
    std::vector<int64_t> elements;
    for (const Position& position : at) elements.push_back(element_of(planes, position, tap));
    bool any = false;
    for (const int64_t element : elements) {
      if (element == kNone) continue;
      first = std::min(first, element), last = std::max(last, element);
      any = true;
    }
    if (any) found.emplace_back(number, std::move(elements));
  }
  Patch patch{.taps = {}, .first = first, .elements = std::max<int64_t>(last - first + 1, 0)};
  for (const auto& [number, elements] : found) {
    Tap& tap = patch.taps.emplace_back(Tap{.number = number, .from = {}});
    for (const int64_t element : elements)
      tap.from.push_back(static_cast<int32_t>(element == kNone ? patch.elements : element - first));
  }
  return patch;
}

template <typename Number>
class Convolution {
 public:
  Convolution(const Operator& op, const Elements<Number>& input, const Elements<Number>& weight)
      : op_(op), planes_(planes_of(op)), positions_(ordered_positions(planes_)), input_(input) {
    pack(weight);
  }

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
    const Patch patch = patch_of(planes_, positions_.data() + first, count);
    std::vector<Number> sums(static_cast<size_t>(outs() * kBlock));
    std::vector<Number> elements(static_cast<size_t>(patch.elements + 1));
    RowBlock<Number> block;
    for (int64_t c = 0; c < ins(); ++c) {
      const int64_t plane = (image * op_.in_channels + group * ins() + c) * planes_.x_elements;
      input_.read(plane + patch.first, {elements.data(), static_cast<size_t>(patch.elements)});
      for (const Tap& tap : patch.taps) {
        Number* row = block.rows.data() + static_cast<int64_t>(block.filled) * kBlock;
        for (int64_t i = 0; i < count; ++i)
          row[i] = elements[static_cast<size_t>(tap.from[static_cast<size_t>(i)])];
        block.filters[block.filled++] = packed_at(group, c, tap.number);
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

  // Position of the packed weights from a group's input channel c to its first output channel.
  int64_t packed_at(int64_t group, int64_t c, int64_t tap) const {
    return ((group * ins() + c) * planes_.taps + tap) * outs();
  }

  // Output channels side by side: as stored, those of one tap are far apart.
  void pack(const Elements<Number>& weight) {
    const bool is_by_input = planes_.transposed;
    const int64_t next = is_by_input ? planes_.taps : ins() * planes_.taps;  // output channel
    packed_.resize(static_cast<size_t>(op_.groups * ins() * planes_.taps * outs()));
    for_each_in_parallel(static_cast<size_t>(op_.groups * ins()), [&](size_t k) {
      const int64_t group = static_cast<int64_t>(k) / ins(), c = static_cast<int64_t>(k) % ins();
      const int64_t first =
          (is_by_input ? (group * ins() + c) * outs() : group * outs() * ins() + c) * planes_.taps;
      for (int64_t tap = 0; tap < planes_.taps; ++tap)
        for (int64_t o = 0; o < outs(); ++o)
          packed_[static_cast<size_t>(packed_at(group, c, tap) + o)] =
              weight[first + tap + o * next];
    });
  }

  // Unfilled rows have weight 0.
  void update(RowBlock<Number>& block, int64_t count, std::vector<Number>& sums) const {
    for (int64_t o = 0; o < outs(); ++o) {
      std::array<Number, static_cast<size_t>(kUpdateRows)> w{};
      for (size_t j = 0; j < block.filled; ++j)
        w[j] = packed_[static_cast<size_t>(block.filters[j] + o)];
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
  Elements<Number> input_;
  std::vector<Number> packed_;  // weights
  std::vector<Number> output_;
};

// One factor of a sum of products: its elements are 0 outside its shape.
template <typename Number>
FactorRun<Number> factor_run(std::vector<AffineIndex> indices, std::vector<int64_t> shape,
                             const Elements<Number>& values) {
  return [indices = std::move(indices), shape = std::move(shape), values](
             const std::vector<int64_t>& at, size_t axis, std::span<Number> elements) {
    const StridedRun run = run_along(indices, shape, at, axis, std::ssize(elements));
    std::ranges::fill(elements, Number(0));
    for (int64_t k = run.begin; k < run.end; ++k)
      elements[static_cast<size_t>(k)] = values[run.position + k * run.step];
  };
}

std::vector<bool> axes_in(const std::vector<AffineIndex>& indices, size_t num_axes) {
  std::vector<bool> found(num_axes);
  for (const AffineIndex& index : indices)
    for (size_t a = 0; a < num_axes; ++a) found[a] = found[a] || index.coefficients[a] != 0;
  return found;
}

// Axes b, m, n, k.
template <typename Number>
std::vector<Number> matrix_product(const Operator& op, const Elements<Number>& a,
                                   const Elements<Number>& b) {
  const AffineIndex batch{.coefficients = {1, 0, 0, 0}}, row{.coefficients = {0, 1, 0, 0}},
      column{.coefficients = {0, 0, 1, 0}}, summed{.coefficients = {0, 0, 0, 1}};
  std::vector<AffineIndex> of_a = {batch, row, summed}, of_b = {batch, summed, column};
  std::vector<int64_t> a_shape = {op.batch, op.m, op.k}, b_shape = {op.batch, op.k, op.n};
  if (op.transpose_a) {
    std::swap(of_a[1], of_a[2]);
    std::swap(a_shape[1], a_shape[2]);
  }
  if (op.transpose_b) {
    std::swap(of_b[1], of_b[2]);
    std::swap(b_shape[1], b_shape[2]);
  }
  return contract<Number>({.extents = {op.batch, op.m, op.n, op.k},
                           .num_output_axes = 3,
                           .left = axes_in(of_a, 4),
                           .right = axes_in(of_b, 4)},
                          factor_run(of_a, a_shape, a), factor_run(of_b, b_shape, b));
}

std::vector<AffineIndex> affine(const std::vector<IndexExpr>& indices,
                                const std::vector<WrittenSum::Axis>& axes) {
  std::vector<AffineIndex> all;
  for (const IndexExpr& index : indices) {
    AffineIndex& one = all.emplace_back(AffineIndex{.constant = index.constant()});
    for (const WrittenSum::Axis& axis : axes)
      one.coefficients.push_back(index.coefficient(axis.name));
  }
  return all;
}

template <typename Number>
std::vector<Number> written_sum(const WrittenSum& sum, const Elements<Number>& input,
                                const Elements<Number>& weight) {
  Contraction axes{.num_output_axes = sum.num_output_axes};
  for (const WrittenSum::Axis& axis : sum.axes) axes.extents.push_back(axis.extent);
  const std::vector<AffineIndex> x = affine(sum.input, sum.axes), w = affine(sum.weight, sum.axes);
  axes.left = axes_in(x, sum.axes.size());
  axes.right = axes_in(w, sum.axes.size());
  return contract<Number>(axes, factor_run(x, sum.input_shape, input),
                          factor_run(w, sum.weight_shape, weight));
}

}  // namespace

template <typename Number>
std::vector<Number> direct_sum(const Operator& op, const ArrayView& input, const ArrayView& weight,
                               FactorPart part) {
  const Factors inputs(input, op.math), weights(weight, op.math);
  const auto x = elements_of<Number>(inputs.view(), part);
  const auto w = elements_of<Number>(weights.view(), part);
  if (op.sum) return written_sum<Number>(*op.sum, x, w);
  return is_matrix_product(op.kind) ? matrix_product<Number>(op, x, w)
                                    : Convolution<Number>(op, x, w).compute();
}

template std::vector<float> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                       FactorPart);
template std::vector<double> direct_sum(const Operator&, const ArrayView&, const ArrayView&,
                                        FactorPart);

}  // namespace dovetail
