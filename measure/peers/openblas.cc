// SPDX-License-Identifier: Apache-2.0
// OpenBLAS: sgemm, for matrix products and for convolutions that are one (1x1, stride 1, unpadded).
//
// It works on framework layouts, so both columns are the same. Which of its cores it uses is
// decided when it is loaded, by OPENBLAS_CORETYPE (measure/peers/peer_session.cc): by itself it
// takes an AVX2 core on processors with AVX-512 that it does not know.
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/runtime/huge_pages.h"
#include "measure/peers/peer.h"
#include "measure/reference/check_data.h"

namespace dovetail {
namespace {

constexpr size_t kAlignmentFloats = 1024;

// C[m, n] = A[m, k] * B[k, n], `batch` times; step 0: the same matrix every time.
struct Products {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  int64_t step_a = 0, step_b = 0;
  bool input_is_b = false;  // convolutions multiply weights by inputs
};

Products matrix_products(const Operator& op) {
  return {.batch = op.batch,
          .m = op.m,
          .n = op.n,
          .k = op.k,
          .transpose_a = op.transpose_a,
          .transpose_b = op.transpose_b,
          .step_a = op.m * op.k,
          .step_b = op.k * op.n};
}

bool is_pointwise(const Operator& op) {
  return !is_matrix_product(op.kind) && !is_transposed(op.kind) && op.groups == 1 &&
         std::ranges::all_of(op.spatial, [](const SpatialAxis& axis) {
           return axis.kernel == 1 && axis.stride == 1 && axis.pad_before == 0 &&
                  axis.pad_after == 0;
         });
}

// Y[n] = W[co, ci] * X[n][ci, pixels]
Products pointwise_products(const Operator& op) {
  int64_t pixels = 1;
  for (const SpatialAxis& axis : op.spatial) pixels *= axis.extent;
  return {.batch = op.batch,
          .m = op.out_channels,
          .n = pixels,
          .k = op.in_channels,
          .step_a = 0,
          .step_b = op.in_channels * pixels,
          .input_is_b = true};
}

class OpenblasRun : public PreparedRun {
 public:
  explicit OpenblasRun(const Products& products) : products_(products) {}

  Result<void> fill(const Operands& operands) {
    const auto a = (products_.input_is_b ? operands.weight : operands.input).as<float>();
    const auto b = (products_.input_is_b ? operands.input : operands.weight).as<float>();
    output_floats_ = static_cast<size_t>(products_.batch * products_.m * products_.n);
    const size_t floats = aligned(a.size()) + aligned(b.size()) + output_floats_;
    const auto bytes = TRY(pages_.at_least(floats * sizeof(float)));
    a_ = reinterpret_cast<float*>(bytes.data());
    b_ = a_ + aligned(a.size());
    c_ = b_ + aligned(b.size());
    std::ranges::copy(a, a_);
    std::ranges::copy(b, b_);
    std::fill_n(c_, output_floats_, std::numeric_limits<float>::quiet_NaN());
    return {};
  }

  void run() override {
    const Products& p = products_;
    for (int64_t i = 0; i < p.batch; ++i) {
      cblas_sgemm(CblasRowMajor, p.transpose_a ? CblasTrans : CblasNoTrans,
                  p.transpose_b ? CblasTrans : CblasNoTrans, blas(p.m), blas(p.n), blas(p.k), 1,
                  a_ + i * p.step_a, blas(p.transpose_a ? p.m : p.k), b_ + i * p.step_b,
                  blas(p.transpose_b ? p.k : p.n), 0, c_ + i * p.m * p.n, blas(p.n));
    }
  }

  std::vector<float> output() override { return {c_, c_ + output_floats_}; }

 private:
  static size_t aligned(size_t floats) {
    return (floats + kAlignmentFloats - 1) / kAlignmentFloats * kAlignmentFloats;
  }
  static blasint blas(int64_t value) { return static_cast<blasint>(value); }

  Products products_;
  HugePages pages_;
  float* a_ = nullptr;
  float* b_ = nullptr;
  float* c_ = nullptr;
  size_t output_floats_ = 0;
};

class OpenblasPeer : public Peer {
 public:
  explicit OpenblasPeer(int threads) { openblas_set_num_threads(threads); }

  std::string version() const override {
    std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE ... SkylakeX ..."
    const std::string release = config.substr(0, config.find(' ', config.find(' ') + 1));
    return fmt::format("{} ({} core)", release, openblas_get_corename());
  }

  Result<std::vector<Implementation>> offer(const Operator& op) override {
    if (!op.epilogues.empty()) return fail("OpenBLAS has no epilogues");
    if (!is_matrix_product(op.kind) && !is_pointwise(op))
      return fail("OpenBLAS has matrix products only");
    products_ = is_matrix_product(op.kind) ? matrix_products(op) : pointwise_products(op);
    return std::vector<Implementation>{
        {.name = "sgemm", .algorithm = "direct", .free = true, .row_major = true}};
  }

  Result<std::unique_ptr<PreparedRun>> prepare(size_t, const NamedArrays& inputs) override {
    auto prepared = std::make_unique<OpenblasRun>(products_);
    TRY(prepared->fill(operands_of(inputs)));
    return std::unique_ptr<PreparedRun>(std::move(prepared));
  }

 private:
  Products products_;
};

}  // namespace

std::unique_ptr<Peer> make_openblas_peer(int threads) {
  return std::make_unique<OpenblasPeer>(threads);
}

}  // namespace dovetail
