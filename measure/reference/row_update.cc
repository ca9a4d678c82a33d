// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/row_update.h"

// Compiled with -O3 in every build (CMakeLists.txt).

namespace dovetail {
namespace {

template <typename Number>
[[gnu::always_inline]] inline void update(Number* __restrict y, const Number* __restrict x,
                                          int64_t x_step, const Number* w, int64_t count) {
  const Number w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  const Number w4 = w[4], w5 = w[5], w6 = w[6], w7 = w[7];
  for (int64_t i = 0; i < count; ++i) {
    const Number low =
        w0 * x[i] + w1 * x[i + x_step] + w2 * x[i + 2 * x_step] + w3 * x[i + 3 * x_step];
    const Number high = w4 * x[i + 4 * x_step] + w5 * x[i + 5 * x_step] + w6 * x[i + 6 * x_step] +
                        w7 * x[i + 7 * x_step];
    y[i] += low + high;
  }
}

template <typename Number>
using Update = void (*)(Number*, const Number*, int64_t, const Number*, int64_t);

template <typename Number>
void update_plain(Number* y, const Number* x, int64_t x_step, const Number* w, int64_t count) {
  update(y, x, x_step, w, count);
}

#if defined(__x86_64__)
template <typename Number>
[[gnu::target("avx2,fma")]] void update_avx2(Number* y, const Number* x, int64_t x_step,
                                             const Number* w, int64_t count) {
  update(y, x, x_step, w, count);
}

template <typename Number>
Update<Number> widest_update() {
  const bool has_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has_fma ? update_avx2<Number> : update_plain<Number>;
}
#else
template <typename Number>
Update<Number> widest_update() {
  return update_plain<Number>;
}
#endif

}  // namespace

void row_update(float* y, const float* x, int64_t x_step, const float* w, int64_t count) {
  static const Update<float> kWidest = widest_update<float>();
  kWidest(y, x, x_step, w, count);
}

void row_update(double* y, const double* x, int64_t x_step, const double* w, int64_t count) {
  static const Update<double> kWidest = widest_update<double>();
  kWidest(y, x, x_step, w, count);
}

}  // namespace dovetail
