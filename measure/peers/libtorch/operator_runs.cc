// SPDX-License-Identifier: Apache-2.0
// Convolutions and matrix products, with their epilogues.
#include <algorithm>
#include <limits>

#include "core/base/fail.h"
#include "measure/peers/libtorch/runs.h"
#include "measure/reference/check_data.h"

namespace dovetail::torch_peer {
namespace {

using at::Tensor;

Tensor with_epilogue(const Epilogue& epilogue, Tensor y, const Tensor& wide_bias,
                     const Tensor& addend) {
  switch (epilogue.kind) {
    case EpilogueKind::bias: return y.add_(wide_bias);
    case EpilogueKind::add: return y.add_(addend);
    case EpilogueKind::relu: return y.relu_();
    case EpilogueKind::relu6: return y.clamp_(0, 6);
    case EpilogueKind::clip: return y.clamp_(epilogue.lo, epilogue.hi);
    case EpilogueKind::gelu: return at::gelu(y);
    case EpilogueKind::silu: return at::silu_(y);
    case EpilogueKind::sigmoid: return y.sigmoid_();
    case EpilogueKind::tanh: return y.tanh_();
  }
  return y;
}

// All operators share their epilogues, which are further calls; a first bias may be part of the
// sums.
class OperatorRun : public TorchRun {
 public:
  OperatorRun(const Operator& op, const Choice& choice, const Operands& operands)
      : TorchRun(choice, tensor_of(operands.input.as<float>(), logical_shape(op, Operand::input))),
        op_(op) {
    if (has_epilogue(op, EpilogueKind::bias)) {
      bias_ = tensor_of(operands.bias.as<float>(), logical_shape(op, Operand::bias));
      std::vector<int64_t> wide(logical_shape(op, Operand::output).size(), 1);
      wide[is_matrix_product(op.kind) ? wide.size() - 1 : 1] = bias_.numel();
      wide_bias_ = bias_.reshape(wide);
    }
    if (has_epilogue(op, EpilogueKind::add)) {
      const Tensor addend =
          tensor_of(operands.addend.as<float>(), logical_shape(op, Operand::addend));
      addend_ = in_form(addend, choice.form);
    }
  }

 protected:
  virtual Tensor sums(const Tensor& input) = 0;
  c10::optional<Tensor> own_bias() const {
    return has_own_bias(op_) ? c10::optional<Tensor>(bias_) : c10::nullopt;
  }

  Operator op_;
  Tensor bias_;

 private:
  Tensor compute(const Tensor& input) final {
    Tensor y = sums(input);
    for (size_t i = has_own_bias(op_) ? 1 : 0; i < op_.epilogues.size(); ++i)
      y = with_epilogue(op_.epilogues[i], std::move(y), wide_bias_, addend_);
    return y;
  }

  Tensor wide_bias_, addend_;
};

struct Window {
  std::vector<int64_t> strides, dilations, pads, output_pads;
  std::vector<int64_t> explicit_pads;  // innermost axis first, as constant_pad_nd has it
  bool is_explicit = false;
};

// Uneven padding is a separate pass for direct convolutions; a transposed one crops unevenly by its
// output padding, where LibTorch allows that.
Result<Window> window_of(const Operator& op) {
  Window window;
  const bool transposed = is_transposed(op.kind);
  for (const SpatialAxis& axis : op.spatial) {
    const int64_t output_pad = axis.output_padding + axis.pad_before - axis.pad_after;
    if (transposed && (output_pad < 0 || output_pad >= std::max(axis.stride, axis.dilation)))
      return fail("LibTorch has no such uneven padding of a transposed convolution");
    window.strides.push_back(axis.stride);
    window.dilations.push_back(axis.dilation);
    window.pads.push_back(axis.pad_before);
    window.output_pads.push_back(transposed ? output_pad : 0);
    window.explicit_pads.insert(window.explicit_pads.begin(), {axis.pad_before, axis.pad_after});
    window.is_explicit |= !transposed && axis.pad_before != axis.pad_after;
  }
  if (window.is_explicit) std::ranges::fill(window.pads, 0);
  return window;
}

class TorchConvolution : public OperatorRun {
 public:
  TorchConvolution(const Operator& op, const Choice& choice, const Operands& operands,
                   Window window)
      : OperatorRun(op, choice, operands), window_(std::move(window)) {
    weight_ = tensor_of(operands.weight.as<float>(), logical_shape(op, Operand::weight));
    if (choice.form == Form::mkldnn)
      pack_weight();
    else
      weight_ = in_form(weight_, choice.form);
  }

 private:
  void pack_weight() {
    const Tensor weight = weight_.to_mkldnn();
    const Window& w = window_;
    weight_ =
        op_.spatial.size() == 3
            ? at::mkldnn_reorder_conv3d_weight(weight, w.pads, w.strides, w.dilations, op_.groups)
            : at::mkldnn_reorder_conv2d_weight(weight, w.pads, w.strides, w.dilations, op_.groups);
  }

  Tensor sums(const Tensor& input) override {
    const Tensor padded =
        window_.is_explicit ? at::constant_pad_nd(input, window_.explicit_pads, 0) : input;
    return at::convolution(padded, weight_, own_bias(), window_.strides, window_.pads,
                           window_.dilations, is_transposed(op_.kind), window_.output_pads,
                           op_.groups);
  }

  Window window_;
  Tensor weight_;
};

// mm, or bmm; with a bias addmm, or baddbmm.
class TorchProduct : public OperatorRun {
 public:
  TorchProduct(const Operator& op, const Choice& choice, const Operands& operands)
      : OperatorRun(op, choice, operands) {
    const Tensor b = tensor_of(operands.weight.as<float>(), logical_shape(op, Operand::weight));
    b_ = oriented(b, op.transpose_b);
    out_ = at::full(logical_shape(op, Operand::output), std::numeric_limits<float>::quiet_NaN());
    if (op.batch == 1) out_ = out_.squeeze(0);
  }

 private:
  Tensor oriented(const Tensor& matrices, bool transposed) const {
    const Tensor turned = transposed ? matrices.transpose(1, 2) : matrices;
    return op_.batch == 1 ? turned.squeeze(0) : turned;
  }

  Tensor sums(const Tensor& input) override {
    const Tensor a = oriented(input, op_.transpose_a);
    const bool one = op_.batch == 1;
    if (own_bias())
      one ? at::addmm_out(out_, bias_, a, b_) : at::baddbmm_out(out_, bias_, a, b_);
    else
      one ? at::mm_out(out_, a, b_) : at::bmm_out(out_, a, b_);
    return one ? out_.unsqueeze(0) : out_;
  }

  Tensor b_, out_;
};

// A fully connected layer on blocked tensors.
class TorchLinear : public OperatorRun {
 public:
  TorchLinear(const Operator& op, const Choice& choice, const Operands& operands)
      : OperatorRun(op, choice, operands) {
    const Tensor b =
        tensor_of(operands.weight.as<float>(), logical_shape(op, Operand::weight)).squeeze(0);
    weight_ = (op.transpose_b ? b : b.t()).contiguous().to_mkldnn();
  }

 private:
  Tensor sums(const Tensor& input) override {
    return at::mkldnn_linear(input, weight_, own_bias());
  }

  Tensor weight_;
};

}  // namespace

Result<std::vector<Choice>> operator_choices(const Operator& op) {
  TRY(window_of(op));
  std::vector<Form> forms = {Form::framework};
  const bool product = is_matrix_product(op.kind);
  if (!product && op.spatial.size() > 1) forms.push_back(Form::channels_last);
  const bool is_linear = op.batch == 1 && op.b_const && !op.transpose_a;
  const bool is_blocked = product ? is_linear : op.spatial.size() > 1 && !is_transposed(op.kind);
  if (is_blocked) forms.push_back(Form::mkldnn);
  return choices_of(forms);
}

std::unique_ptr<PreparedRun> operator_run(const Operator& op, const Choice& choice,
                                          const NamedArrays& inputs) {
  const Operands operands = operands_of(inputs);
  if (!is_matrix_product(op.kind))
    return std::make_unique<TorchConvolution>(op, choice, operands, *window_of(op));
  if (choice.form == Form::mkldnn) return std::make_unique<TorchLinear>(op, choice, operands);
  return std::make_unique<TorchProduct>(op, choice, operands);
}

}  // namespace dovetail::torch_peer
