// SPDX-License-Identifier: Apache-2.0
// LibTorch: what a user of PyTorch gets, in inference mode: convolutions and matrix products on its
// framework layout, channels last, and tensors in oneDNN's blocked layouts ("mkldnn").
//
// malloc keeps what it has: by default, an output of some megabytes is given back to the system
// after each call, and every run pays for its pages again.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <malloc.h>
#include <torch/version.h>

#include <algorithm>

#undef CHECK  // glog's, which LibTorch brings; ours takes a message
#include "measure/peers/peer.h"

namespace dovetail {
namespace {

using at::Tensor;

enum class Form { framework, channels_last, mkldnn };

struct Choice {
  Implementation info;
  Form form = Form::framework;
  bool converts = false;  // from and to framework layout in every run
};

Tensor tensor_of(const std::vector<float>& values, const std::vector<int64_t>& shape) {
  return at::from_blob(const_cast<float*>(values.data()), shape, at::kFloat).clone();
}

Tensor in_form(const Tensor& tensor, Form form) {
  if (form == Form::mkldnn) return tensor.to_mkldnn();
  if (form == Form::framework) return tensor.contiguous();
  return tensor.contiguous(tensor.dim() == 5 ? at::MemoryFormat::ChannelsLast3d
                                             : at::MemoryFormat::ChannelsLast);
}

Tensor in_framework_layout(const Tensor& tensor) {
  return (tensor.is_mkldnn() ? tensor.to_dense() : tensor).contiguous();
}

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

// All operators share this: forms, conversions and epilogues around compute().
class TorchRun : public PreparedRun {
 public:
  TorchRun(const Operator& op, const Choice& choice, const Operands& operands)
      : op_(op), choice_(choice) {
    framework_input_ = tensor_of(operands.input, logical_shape(op, Operand::input));
    if (!choice.converts) input_ = in_form(framework_input_, choice.form);
    if (has_epilogue(op, EpilogueKind::bias)) {
      bias_ = tensor_of(operands.bias, logical_shape(op, Operand::bias));
      std::vector<int64_t> wide(logical_shape(op, Operand::output).size(), 1);
      wide[is_matrix_product(op.kind) ? wide.size() - 1 : 1] = bias_.numel();
      wide_bias_ = bias_.reshape(wide);
    }
    if (has_epilogue(op, EpilogueKind::add)) {
      const Tensor addend = tensor_of(operands.addend, logical_shape(op, Operand::addend));
      addend_ = in_form(addend, choice.form);
    }
  }

  void run() override {
    Tensor y = compute(choice_.converts ? in_form(framework_input_, choice_.form) : input_);
    for (size_t i = has_own_bias(op_) ? 1 : 0; i < op_.epilogues.size(); ++i)
      y = with_epilogue(op_.epilogues[i], std::move(y), wide_bias_, addend_);
    result_ = choice_.converts ? in_framework_layout(y) : std::move(y);
  }

  std::vector<float> output() override {
    const Tensor dense = in_framework_layout(result_);
    const float* values = dense.data_ptr<float>();
    return {values, values + dense.numel()};
  }

 protected:
  virtual Tensor compute(const Tensor& input) = 0;
  c10::optional<Tensor> own_bias() const {
    return has_own_bias(op_) ? c10::optional<Tensor>(bias_) : c10::nullopt;
  }

  Operator op_;
  Choice choice_;
  Tensor bias_;

 private:
  Tensor framework_input_, input_, wide_bias_, addend_, result_;
};

struct Window {
  std::vector<int64_t> strides, dilations, pads, output_pads;
  std::vector<int64_t> explicit_pads;  // innermost axis first, as constant_pad_nd has it
  bool is_explicit = false;
};

// Uneven padding is a pass of its own for direct convolutions; a transposed one crops unevenly by
// its output padding, where that may.
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

class TorchConvolution : public TorchRun {
 public:
  TorchConvolution(const Operator& op, const Choice& choice, const Operands& operands,
                   Window window)
      : TorchRun(op, choice, operands), window_(std::move(window)) {
    weight_ = tensor_of(operands.weight, logical_shape(op, Operand::weight));
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

  Tensor compute(const Tensor& input) override {
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
class TorchProduct : public TorchRun {
 public:
  TorchProduct(const Operator& op, const Choice& choice, const Operands& operands)
      : TorchRun(op, choice, operands) {
    const Tensor b = tensor_of(operands.weight, logical_shape(op, Operand::weight));
    b_ = oriented(b, op.transpose_b);
    out_ = at::full(logical_shape(op, Operand::output), std::numeric_limits<float>::quiet_NaN());
    if (op.batch == 1) out_ = out_.squeeze(0);
  }

 private:
  Tensor oriented(const Tensor& matrices, bool transposed) const {
    const Tensor turned = transposed ? matrices.transpose(1, 2) : matrices;
    return op_.batch == 1 ? turned.squeeze(0) : turned;
  }

  Tensor compute(const Tensor& input) override {
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
class TorchLinear : public TorchRun {
 public:
  TorchLinear(const Operator& op, const Choice& choice, const Operands& operands)
      : TorchRun(op, choice, operands) {
    const Tensor b = tensor_of(operands.weight, logical_shape(op, Operand::weight)).squeeze(0);
    weight_ = (op.transpose_b ? b : b.t()).contiguous().to_mkldnn();
  }

 private:
  Tensor compute(const Tensor& input) override {
    return at::mkldnn_linear(input, weight_, own_bias());
  }

  Tensor weight_;
};

std::vector<Choice> choices_of(const Operator& op) {
  const auto one = [](std::string name, Form form) {
    const bool plain = form == Form::framework;
    return Choice{{std::move(name), "direct", true, plain}, form, false};
  };
  std::vector<Choice> choices = {one("framework", Form::framework)};
  const bool product = is_matrix_product(op.kind);
  if (!product && op.spatial.size() > 1)
    choices.push_back(one("channels_last", Form::channels_last));
  const bool is_linear = op.batch == 1 && op.b_const && !op.transpose_a;
  const bool is_blocked = product ? is_linear : op.spatial.size() > 1 && !is_transposed(op.kind);
  if (is_blocked) choices.push_back(one("mkldnn", Form::mkldnn));
  for (size_t i = 1, count = choices.size(); i < count; ++i) {
    Choice converting = choices[i];
    converting.info = {choices[i].info.name + " + conversions", "direct", false, true};
    converting.converts = true;
    choices.push_back(std::move(converting));
  }
  return choices;
}

class LibtorchPeer : public Peer {
 public:
  explicit LibtorchPeer(int threads) {
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    at::set_num_threads(threads);
  }

  std::string version() const override { return "LibTorch " TORCH_VERSION; }

  Result<std::vector<Implementation>> offer(const Operator& op) override {
    op_ = op;
    window_ = TRY(window_of(op));
    choices_ = choices_of(op);
    std::vector<Implementation> implementations;
    for (const Choice& choice : choices_) implementations.push_back(choice.info);
    return implementations;
  }

  Result<std::unique_ptr<PreparedRun>> prepare(size_t index, const Operands& operands) override {
    const Choice& choice = choices_.at(index);
    if (!is_matrix_product(op_.kind))
      return std::unique_ptr<PreparedRun>(new TorchConvolution(op_, choice, operands, window_));
    if (choice.form == Form::mkldnn)
      return std::unique_ptr<PreparedRun>(new TorchLinear(op_, choice, operands));
    return std::unique_ptr<PreparedRun>(new TorchProduct(op_, choice, operands));
  }

 private:
  c10::InferenceMode inference_;  // of this thread, as long as the peer lives
  Operator op_;
  Window window_;
  std::vector<Choice> choices_;
};

}  // namespace

std::unique_ptr<Peer> make_libtorch_peer(int threads) {
  return std::make_unique<LibtorchPeer>(threads);
}

}  // namespace dovetail
