// SPDX-License-Identifier: Apache-2.0
#pragma once

// TorchRun: one LibTorch operation with its activations in one form, with conversions around it
// where these are timed.
//
//   framework       as our operands come
//   channels_last   n, h, w, c
//   mkldnn          an opaque tensor in oneDNN's blocked layout
//
// LibTorch's types occur only in this folder's headers.

#include <ATen/ATen.h>

#include <span>
#include <string>
#include <vector>

#undef CHECK  // glog's, which LibTorch brings; ours takes a message
#include "measure/peers/peer.h"

namespace dovetail::torch_peer {

enum class Form { framework, channels_last, mkldnn };

struct Choice {
  Implementation info;
  Form form = Form::framework;
  bool converts = false;  // from and to framework layout in every run
};

// One choice per form, and one more with conversions for each form but framework.
std::vector<Choice> choices_of(const std::vector<Form>& forms);

at::Tensor tensor_of(std::span<const float> values, const std::vector<int64_t>& shape);
at::Tensor in_form(const at::Tensor& tensor, Form form);
at::Tensor in_framework_layout(const at::Tensor& tensor);

class TorchRun : public PreparedRun {
 public:
  TorchRun(Choice choice, at::Tensor framework_input);
  void run() override;
  std::vector<float> output() override;

 protected:
  virtual at::Tensor compute(const at::Tensor& input) = 0;

 private:
  Choice choice_;
  at::Tensor framework_input_, input_, result_;
};

}  // namespace dovetail::torch_peer
