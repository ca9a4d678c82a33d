// SPDX-License-Identifier: Apache-2.0
// All known regions but operators. Results go into a tensor that is reused from run to run where
// LibTorch has a call for that.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/fail.h"
#include "measure/peers/libtorch/runs.h"

namespace dovetail::torch_peer {
namespace {

using at::Tensor;
using Shape = std::vector<int64_t>;
// Computes the result from the activation in the chosen form.
using Compute = std::function<Tensor(const Tensor& input)>;

class RegionRun : public TorchRun {
 public:
  RegionRun(const Choice& choice, const Tensor& input, Compute compute)
      : TorchRun(choice, input), compute_(std::move(compute)) {}

 private:
  Tensor compute(const Tensor& input) override { return compute_(input); }
  Compute compute_;
};

// The region's tensors by name.
class Inputs {
 public:
  explicit Inputs(const PeerInputs& inputs) : inputs_(inputs) {}
  Tensor operator()(const std::string& name, const Shape& shape) const {
    return tensor_of(inputs_.find(name)->second, shape);
  }

 private:
  const PeerInputs& inputs_;
};

Tensor unset(const Shape& shape) {
  return at::full(shape, std::numeric_limits<float>::quiet_NaN());
}

// The activation in framework layout, and the computation on it.
struct Prepared {
  Tensor input;
  Compute compute;
};

struct Windows {
  Shape window, strides, dilations, pads;
  Shape explicit_pads = {};  // innermost axis first, as constant_pad_nd has it
};

// Padding that differs at both ends or exceeds half a window is a separate pass.
Windows windows_of(const Pooling& pooling) {
  Windows windows;
  bool is_own = true;
  for (const PooledAxis& axis : pooling.axes) {
    windows.window.push_back(axis.window);
    windows.strides.push_back(axis.stride);
    windows.dilations.push_back(axis.dilation);
    windows.pads.push_back(axis.before);
    windows.explicit_pads.insert(windows.explicit_pads.begin(), {axis.before, axis.after});
    const int64_t reach = axis.dilation * (axis.window - 1) + 1;
    const int64_t made = (axis.extent + 2 * axis.before - reach) / axis.stride + 1;
    is_own &= made == axis.outputs && axis.before <= axis.window / 2;
  }
  if (is_own)
    windows.explicit_pads.clear();
  else
    std::ranges::fill(windows.pads, 0);
  return windows;
}

Tensor pooled(Pooling::Kind kind, const Tensor& x, const Windows& w) {
  if (kind == Pooling::Kind::max) {
    if (w.window.size() == 1)
      return at::max_pool1d(x, w.window, w.strides, w.pads, w.dilations, false);
    if (w.window.size() == 3)
      return at::max_pool3d(x, w.window, w.strides, w.pads, w.dilations, false);
    return at::max_pool2d(x, w.window, w.strides, w.pads, w.dilations, false);
  }
  if (w.window.size() == 1) return at::avg_pool1d(x, w.window, w.strides, w.pads, false, true);
  if (w.window.size() == 3) return at::avg_pool3d(x, w.window, w.strides, w.pads, false, true);
  return at::avg_pool2d(x, w.window, w.strides, w.pads, false, true);
}

Prepared prepared(const Pooling& pooling, const Inputs& inputs) {
  Shape shape = {pooling.n, pooling.c};
  for (const PooledAxis& axis : pooling.axes) shape.push_back(axis.extent);
  const double outside =
      pooling.kind == Pooling::Kind::max ? -std::numeric_limits<double>::infinity() : 0;
  return {inputs(pooling.input, shape),
          [kind = pooling.kind, windows = windows_of(pooling), outside](const Tensor& x) {
            if (windows.explicit_pads.empty()) return pooled(kind, x, windows);
            return pooled(kind, at::constant_pad_nd(x, windows.explicit_pads, outside), windows);
          }};
}

Prepared prepared(const Reduction& reduction, const Inputs& inputs) {
  Shape made;
  for (size_t i = 0; i < reduction.shape.size(); ++i)
    if (std::ranges::find(reduction.axes, static_cast<int64_t>(i)) == reduction.axes.end())
      made.push_back(reduction.shape[i]);
  return {inputs(reduction.input, reduction.shape),
          [kind = reduction.kind, axes = reduction.axes, y = unset(made)](const Tensor& x) mutable {
            switch (kind) {
              case Reduction::Kind::sum: at::sum_out(y, x, axes, false); break;
              case Reduction::Kind::mean: at::mean_out(y, x, axes, false); break;
              case Reduction::Kind::max: at::amax_out(y, x, axes, false); break;
              case Reduction::Kind::min: at::amin_out(y, x, axes, false); break;
            }
            return y;
          }};
}

Prepared prepared(const Softmax& softmax, const Inputs& inputs) {
  return {inputs(softmax.input, softmax.shape),
          [logarithm = softmax.logarithm, y = unset(softmax.shape)](const Tensor& x) mutable {
            if (logarithm)
              at::_log_softmax_out(y, x, 1, false);
            else
              at::_softmax_out(y, x, 1, false);
            return y;
          }};
}

c10::optional<Tensor> vector(const Inputs& inputs, const std::string& name, int64_t length) {
  return name.empty() ? c10::nullopt : c10::optional<Tensor>(inputs(name, {length}));
}

// No preallocated output: LibTorch's call with one returns the statistics as well.
Prepared prepared(const LayerNorm& norm, const Inputs& inputs) {
  return {inputs(norm.input, {norm.rows, norm.length}),
          [length = Shape{norm.length}, epsilon = norm.epsilon,
           scale = vector(inputs, norm.scale, norm.length),
           shift = vector(inputs, norm.shift, norm.length)](const Tensor& x) {
            return at::layer_norm(x, length, scale, shift, epsilon, false);
          }};
}

Prepared prepared(const BatchNorm& norm, const Inputs& inputs) {
  return {
      inputs(norm.input, {norm.n, norm.c, norm.pixels, 1}),
      [epsilon = norm.epsilon, mean = vector(inputs, norm.mean, norm.c),
       variance = vector(inputs, norm.variance, norm.c), scale = vector(inputs, norm.scale, norm.c),
       shift = vector(inputs, norm.shift, norm.c)](const Tensor& x) {
        return at::batch_norm(x, scale, shift, mean, variance, false, 0, epsilon, false);
      }};
}

// Writes f(x) to y, which may alias x.
void apply(const ElementwiseFunction& f, Tensor& y, const Tensor& x) {
  using enum ElementwiseFunction::Kind;
  switch (f.kind) {
    case abs: at::abs_out(y, x); return;
    case clip:
      at::clamp_out(y, x, c10::optional<at::Scalar>(f.alpha), c10::optional<at::Scalar>(f.beta));
      return;
    case elu: at::elu_out(y, x, f.alpha); return;
    case exp: at::exp_out(y, x); return;
    case gelu: at::gelu_out(y, x); return;
    case hardswish: at::hardswish_out(y, x); return;
    case leaky_relu: at::leaky_relu_out(y, x, f.alpha); return;
    case linear:
      if (f.alpha == 1) {
        at::add_out(y, x, at::scalar_tensor(f.beta));
      } else {
        at::mul_out(y, x, at::scalar_tensor(f.alpha));
        if (f.beta != 0) y.add_(f.beta);
      }
      return;
    case log: at::log_out(y, x); return;
    case relu: at::relu_out(y, x); return;
    case sigmoid: at::sigmoid_out(y, x); return;
    case silu: at::silu_out(y, x); return;
    case sqrt: at::sqrt_out(y, x); return;
    case tanh: at::tanh_out(y, x); return;
  }
}

void apply(BinaryOp op, Tensor& y, const Tensor& x, const Tensor& with) {
  switch (op) {
    case BinaryOp::add: at::add_out(y, x, with); return;
    case BinaryOp::sub: at::sub_out(y, x, with); return;
    case BinaryOp::mul: at::mul_out(y, x, with); return;
    case BinaryOp::div: at::div_out(y, x, with); return;
    case BinaryOp::max: at::maximum_out(y, x, with); return;
    case BinaryOp::min: at::minimum_out(y, x, with); return;
    default: return;  // not a step of a chain
  }
}

// One call per step, in place after the first one.
Prepared prepared(const Elementwise& chain, const Inputs& inputs) {
  std::vector<Tensor> operands;
  for (const auto& step : chain.steps) {
    const auto* with = std::get_if<ElementwiseStep>(&step);
    operands.push_back(with == nullptr ? Tensor()
                                       : inputs(with->operand.tensor, with->operand.shape));
  }
  return {inputs(chain.input.tensor, chain.input.shape),
          [steps = chain.steps, operands, y = unset(chain.input.shape)](const Tensor& x) mutable {
            for (size_t i = 0; i < steps.size(); ++i) {
              const Tensor& from = i == 0 ? x : y;
              if (const auto* function = std::get_if<ElementwiseFunction>(&steps[i]))
                apply(*function, y, from);
              else
                apply(std::get<ElementwiseStep>(steps[i]).op, y, from, operands[i]);
            }
            return y;
          }};
}

Prepared prepared(const Permutation& permutation, const Inputs& inputs) {
  Shape made;
  for (const int64_t axis : permutation.order)
    made.push_back(permutation.shape[static_cast<size_t>(axis)]);
  return {inputs(permutation.input, permutation.shape),
          [order = permutation.order, y = unset(made)](const Tensor& x) mutable {
            return y.copy_(x.permute(order));
          }};
}

// The forms of activations with channels for which LibTorch has kernels.
std::vector<Form> pooling_forms(const Pooling& pooling) {
  if (pooling.axes.size() == 1) return {Form::framework};
  const bool is_own = windows_of(pooling).explicit_pads.empty();
  const bool dilates =
      std::ranges::any_of(pooling.axes, [](const PooledAxis& axis) { return axis.dilation > 1; });
  if (is_own && !dilates) return {Form::framework, Form::channels_last, Form::mkldnn};
  return {Form::framework, Form::channels_last};
}

std::vector<Form> forms_of(const KnownRegion& known) {
  if (const auto* pooling = std::get_if<Pooling>(&known)) return pooling_forms(*pooling);
  if (std::holds_alternative<BatchNorm>(known))
    return {Form::framework, Form::channels_last, Form::mkldnn};
  const auto* reduction = std::get_if<Reduction>(&known);
  if (reduction != nullptr && (reduction->shape.size() == 4 || reduction->shape.size() == 5))
    return {Form::framework, Form::channels_last};
  return {Form::framework};
}

}  // namespace

Result<std::vector<Choice>> region_choices(const KnownRegion& known) {
  if (const auto* pooling = std::get_if<Pooling>(&known)) {
    const bool dilates = std::ranges::any_of(
        pooling->axes, [](const PooledAxis& axis) { return axis.dilation > 1; });
    if (dilates && pooling->kind == Pooling::Kind::average)
      return fail("LibTorch has no average pooling with dilation");
  }
  return choices_of(forms_of(known));
}

std::unique_ptr<PreparedRun> region_run(const KnownRegion& known, const Choice& choice,
                                        const PeerInputs& inputs) {
  const Prepared made = std::visit(
      [&](const auto& form) -> Prepared {
        if constexpr (std::is_same_v<std::decay_t<decltype(form)>, Operator>)
          return {};  // handled by operator_run()
        else
          return prepared(form, Inputs(inputs));
      },
      known);
  return std::make_unique<RegionRun>(choice, made.input, made.compute);
}

}  // namespace dovetail::torch_peer
