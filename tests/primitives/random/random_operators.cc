// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/random/random_operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ir/operator/computation.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

constexpr double kMaxMultiplyAdds = 60'000;  // the interpreter runs them all

class DrawOperator {
 public:
  DrawOperator(OperatorKind kind, std::mt19937_64& rng) : rng_(rng) { op_.kind = kind; }

  Operator drawn() {
    op_.batch = one_in(4) ? 2 : 1;
    if (is_matrix_product(op_.kind)) {
      matrices();
    } else {
      convolution();
    }
    epilogues();
    return op_;
  }

 private:
  int64_t from(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng_() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int64_t n) { return from(1, n) == 1; }
  // Mostly few, now and then more than a vector.
  int64_t channels() { return one_in(5) ? from(7, 20) : from(1, 6); }

  void matrices() {
    op_.m = one_in(5) ? 1 : from(1, 19);
    op_.n = one_in(5) ? 1 : from(1, 35);
    op_.k = from(1, 24);
    op_.transpose_a = one_in(3);
    op_.transpose_b = one_in(3);
    op_.b_const = !one_in(3);
  }

  void convolution() {
    const OperatorKind kind = op_.kind;
    const bool depthwise = kind == OperatorKind::dep, line = kind == OperatorKind::c1d;
    const bool volume = kind == OperatorKind::c3d || kind == OperatorKind::t3d;
    const bool grouped = kind == OperatorKind::grp || (kind != OperatorKind::c2d && one_in(4));
    op_.groups = depthwise ? from(2, 20) : (grouped ? from(2, 4) : 1);
    op_.in_channels = op_.groups * (depthwise ? 1 : (grouped ? from(1, 4) : channels()));
    op_.out_channels = op_.groups * (depthwise ? from(1, 3) : (grouped ? from(1, 6) : channels()));
    const int64_t longest = volume ? 4 : (line ? 21 : 8);
    if (volume) op_.spatial.push_back(axis("depth", longest));
    if (!line) op_.spatial.push_back(axis("h", longest));
    op_.spatial.push_back(axis("w", longest));
  }

  SpatialAxis axis(const char* name, int64_t longest) {
    SpatialAxis axis;
    axis.name = name;
    axis.extent = from(1, longest);
    axis.kernel = from(1, 4);
    axis.stride = one_in(2) ? 1 : from(2, 3);
    axis.pad_before = from(0, 2);
    axis.pad_after = one_in(2) ? axis.pad_before : from(0, 2);
    const bool dilated = op_.kind == OperatorKind::dil || one_in(4);
    axis.dilation = dilated && op_.kind != OperatorKind::c2d ? from(1, 3) : 1;
    if (is_transposed(op_.kind) && axis.stride > 1) axis.output_padding = from(0, axis.stride - 1);
    return axis;
  }

  void epilogues() {
    constexpr EpilogueKind kExact[] = {EpilogueKind::bias, EpilogueKind::add, EpilogueKind::relu,
                                       EpilogueKind::relu6};
    for (const EpilogueKind kind : kExact) {
      if (one_in(4)) op_.epilogues.push_back({kind, 0, 0});
    }
    if (one_in(8)) op_.epilogues.push_back({EpilogueKind::clip, -5, 9});
  }

  std::mt19937_64& rng_;
  Operator op_;
};

// A tail over some of the output's axes, in one of four operators; of the channels, often.
Operator with_random_tail(Operator op, std::mt19937_64& rng) {
  constexpr const char* kTails[] = {
      "@*min(max(@/6+0.5,0),1)",
      "select(@<0,@*A[0],@):const=A",
      "select(@<0,@*A[{0}],@)+B[{1}]:const=A",
      "max(@*A[{0}]+B[{0}],0):const=A.B",
      "@*B[{1}]-A[{1}]",
      "@*tanh(max(@,0)+log(1+exp(0-abs(@))))",
      "integer(min(max(floor(@/A[0]+0.5)+real(B[0]),0),255)):Y=u8,B=u8,const=A.B",
      "select(A[{1}],@,0-@):A=bool",
  };
  if (rng() % 4 != 0) return op;
  const Computation c = define(op);
  std::vector<std::string> all, some;
  for (const Axis& axis : c.axes) {
    if (axis.reduction) continue;
    all.push_back(axis.name);
    if (rng() % 2 == 0) some.push_back(axis.name);
  }
  if (some.empty()) some = {all[all.size() / 2]};
  const std::string text = fmt::format(fmt::runtime(kTails[rng() % std::size(kTails)]),
                                       fmt::join(some, ","), fmt::join(all, ","));
  return right(parse_operator(print(op) + "+tail(" + text + ")"), text);
}

}  // namespace

Operator random_operator(OperatorKind kind, std::mt19937_64& rng) {
  while (true) {
    const Result<Operator> op = canonical(DrawOperator(kind, rng).drawn());
    if (op && op->kind == kind && nominal_flops(*op) <= 2 * kMaxMultiplyAdds)
      return with_random_tail(*op, rng);
  }
}

}  // namespace dovetail::testing
