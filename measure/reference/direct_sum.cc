// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/direct_sum.h"

#include <algorithm>
#include <array>

#include "measure/reference/written_sum.h"

// Compiled with -O3 in every build (CMakeLists.txt).

namespace dovetail {
namespace {

// Both kinds of convolution pair an index i of the *dense* side (direct: output, transposed: input)
// with i*stride + offset of the *strided* side.
struct AxisPairing {
  int64_t dense = 1;
  int64_t strided = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t pad = 0;
  int64_t dilation = 1;
};

using Pairing = std::array<AxisPairing, 3>;

Pairing pairing_of(const Operator& op) {
  Pairing pairing;
  const bool transposed = is_transposed(op.kind);
  const size_t first = pairing.size() - op.spatial.size();
  for (size_t i = 0; i < op.spatial.size(); ++i) {
    const SpatialAxis& axis = op.spatial[i];
    const int64_t out = output_extent(axis, transposed);
    pairing[first + i] = {.dense = transposed ? axis.extent : out,
                          .strided = transposed ? out : axis.extent,
                          .kernel = axis.kernel,
                          .stride = axis.stride,
                          .pad = axis.pad_before,
                          .dilation = axis.dilation};
  }
  return pairing;
}

// The dense indices of one tap whose partner exists: first <= i < last, partner i*stride + offset.
struct TapRange {
  int64_t first, last, stride, offset;
};

int64_t ceil_div(int64_t a, int64_t b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }

TapRange range_of_tap(const AxisPairing& axis, int64_t tap) {
  const int64_t offset = tap * axis.dilation - axis.pad;
  const int64_t first = std::max<int64_t>(0, ceil_div(-offset, axis.stride));
  const int64_t last = std::min(axis.dense, ceil_div(axis.strided - offset, axis.stride));
  return {first, last, axis.stride, offset};
}

template <typename Number>
void add_row(Number* __restrict y, const Number* __restrict x, Number w, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] += w * x[i];
}

template <typename Number>
void add_strided_row(Number* __restrict y, int64_t y_step, const Number* __restrict x,
                     int64_t x_step, Number w, int64_t count) {
  if (y_step == 1 && x_step == 1) return add_row(y, x, w, count);
  for (int64_t i = 0; i < count; ++i) y[i * y_step] += w * x[i * x_step];
}

int64_t plane_elements(const Pairing& pairing, int64_t AxisPairing::* side) {
  return pairing[0].*side * pairing[1].*side * pairing[2].*side;
}

// Adds one tap of one (input plane, output plane) pair.
template <typename Number>
void add_tap(const Pairing& pairing, const std::array<TapRange, 3>& taps, bool transposed,
             const Number* x, Number w, Number* y) {
  const auto& [d, h, c] = taps;
  if (c.first >= c.last) return;
  for (int64_t i = d.first; i < d.last; ++i) {
    for (int64_t j = h.first; j < h.last; ++j) {
      const int64_t dense = (i * pairing[1].dense + j) * pairing[2].dense + c.first;
      const int64_t row = (i * d.stride + d.offset) * pairing[1].strided + j * h.stride + h.offset;
      const int64_t strided = row * pairing[2].strided + c.first * c.stride + c.offset;
      if (transposed) {
        add_strided_row(y + strided, c.stride, x + dense, 1, w, c.last - c.first);
      } else {
        add_strided_row(y + dense, 1, x + strided, c.stride, w, c.last - c.first);
      }
    }
  }
}

template <typename Number>
void add_plane(const Pairing& pairing, bool transposed, const Number* x, const Number* w,
               Number* y) {
  for (int64_t d = 0; d < pairing[0].kernel; ++d) {
    for (int64_t h = 0; h < pairing[1].kernel; ++h) {
      for (int64_t c = 0; c < pairing[2].kernel; ++c) {
        const std::array<TapRange, 3> taps = {
            range_of_tap(pairing[0], d), range_of_tap(pairing[1], h), range_of_tap(pairing[2], c)};
        add_tap(pairing, taps, transposed, x, *w++, y);
      }
    }
  }
}

template <typename Number>
std::vector<Number> sum_of_convolution(const Operator& op, const std::vector<Number>& input,
                                       const std::vector<Number>& weight) {
  const Pairing pairing = pairing_of(op);
  const bool transposed = is_transposed(op.kind);
  const int64_t dense = plane_elements(pairing, &AxisPairing::dense);
  const int64_t strided = plane_elements(pairing, &AxisPairing::strided);
  const int64_t x_plane = transposed ? dense : strided;
  const int64_t y_plane = transposed ? strided : dense;
  const int64_t taps = plane_elements(pairing, &AxisPairing::kernel);
  const int64_t ins = op.in_channels / op.groups;
  const int64_t outs = op.out_channels / op.groups;
  std::vector<Number> output(static_cast<size_t>(op.batch * op.out_channels * y_plane));
  for (int64_t n = 0; n < op.batch; ++n) {
    for (int64_t o = 0; o < op.out_channels; ++o) {
      Number* y = output.data() + (n * op.out_channels + o) * y_plane;
      const int64_t group = o / outs;
      for (int64_t c = 0; c < ins; ++c) {
        const Number* x = input.data() + (n * op.in_channels + group * ins + c) * x_plane;
        const int64_t filter = transposed ? (group * ins + c) * outs + o % outs : o * ins + c;
        add_plane(pairing, transposed, x, weight.data() + filter * taps, y);
      }
    }
  }
  return output;
}

// rows x columns from columns x rows, for each of `count` matrices.
template <typename Number>
std::vector<Number> transposed_matrices(const std::vector<Number>& from, int64_t count,
                                        int64_t rows, int64_t columns) {
  std::vector<Number> to(from.size());
  for (int64_t b = 0; b < count; ++b) {
    const int64_t base = b * rows * columns;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        to[base + i * columns + j] = from[base + j * rows + i];
      }
    }
  }
  return to;
}

template <typename Number>
std::vector<Number> sum_of_matrix_product(const Operator& op, const std::vector<Number>& a,
                                          const std::vector<Number>& b) {
  if (op.transpose_a) {
    Operator plain = op;
    plain.transpose_a = false;
    return sum_of_matrix_product(plain, transposed_matrices(a, op.batch, op.m, op.k), b);
  }
  if (op.transpose_b) {
    Operator plain = op;
    plain.transpose_b = false;
    return sum_of_matrix_product(plain, a, transposed_matrices(b, op.batch, op.k, op.n));
  }
  std::vector<Number> output(static_cast<size_t>(op.batch * op.m * op.n));
  for (int64_t p = 0; p < op.batch; ++p) {
    for (int64_t m = 0; m < op.m; ++m) {
      Number* y = output.data() + (p * op.m + m) * op.n;
      for (int64_t k = 0; k < op.k; ++k) {
        add_row(y, b.data() + (p * op.k + k) * op.n, a[(p * op.m + m) * op.k + k], op.n);
      }
    }
  }
  return output;
}

}  // namespace

template <typename Number>
std::vector<Number> direct_sum(const Operator& op, const std::vector<Number>& input,
                               const std::vector<Number>& weight) {
  if (op.sum) return written_sum(*op.sum, input, weight);
  return is_matrix_product(op.kind) ? sum_of_matrix_product(op, input, weight)
                                    : sum_of_convolution(op, input, weight);
}

template std::vector<float> direct_sum(const Operator&, const std::vector<float>&,
                                       const std::vector<float>&);
template std::vector<double> direct_sum(const Operator&, const std::vector<double>&,
                                        const std::vector<double>&);

}  // namespace dovetail
