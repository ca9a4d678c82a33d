// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/libtorch/torch_run.h"

#include <utility>

namespace dovetail::torch_peer {

using at::Tensor;

std::vector<Choice> choices_of(const std::vector<Form>& forms) {
  constexpr const char* kNames[] = {"framework", "channels_last", "mkldnn"};
  std::vector<Choice> choices;
  for (const Form form : forms) {
    const bool row_major = form == Form::framework;
    choices.push_back(
        {{kNames[static_cast<size_t>(form)], "direct", true, row_major}, form, false});
  }
  for (const Form form : forms) {
    if (form == Form::framework) continue;
    const std::string name = std::string(kNames[static_cast<size_t>(form)]) + " + conversions";
    choices.push_back({{name, "direct", false, true}, form, true});
  }
  return choices;
}

Tensor tensor_of(std::span<const float> values, const std::vector<int64_t>& shape) {
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

TorchRun::TorchRun(Choice choice, Tensor framework_input)
    : choice_(std::move(choice)), framework_input_(std::move(framework_input)) {
  if (!choice_.converts) input_ = in_form(framework_input_, choice_.form);
}

void TorchRun::run() {
  Tensor y = compute(choice_.converts ? in_form(framework_input_, choice_.form) : input_);
  result_ = choice_.converts ? in_framework_layout(y) : std::move(y);
}

std::vector<float> TorchRun::output() {
  const Tensor dense = in_framework_layout(result_);
  const float* values = dense.data_ptr<float>();
  return {values, values + dense.numel()};
}

}  // namespace dovetail::torch_peer
