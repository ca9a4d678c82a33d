// SPDX-License-Identifier: Apache-2.0
//
// Tunes a model for this CPU, then runs it on an array: tune_and_run MODEL.onnx [TRIALS]
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "dovetail/dovetail.h"

namespace dt = dovetail::api;

// Ones, which every element type holds, in the model's shapes.
std::vector<dt::NDArray> inputs_for(const dt::Model& model) {
  std::vector<dt::NDArray> inputs;
  for (const dt::TensorInfo& input : model.inputs()) {
    int64_t elements = 1;
    for (const int64_t extent : input.shape) elements *= extent;
    inputs.emplace_back(dt::ElementType::f32, input.shape,
                        std::vector<float>(static_cast<size_t>(elements), 1));
  }
  return inputs;
}

dt::Result<void> tune_and_run(const std::string& path, int64_t trials) {
  const dt::Model model = DOVETAIL_TRY(dt::Model::load(path));
  const dt::Target cpu = DOVETAIL_TRY(dt::find_target());
  const dt::Network before = DOVETAIL_TRY(dt::compile(model, cpu));

  const dt::Log log = DOVETAIL_TRY(dt::Log::temporary());
  DOVETAIL_TRY(dt::tune(model, cpu, log, {.total_trials = trials}));
  const dt::Network after = DOVETAIL_TRY(dt::compile(model, cpu, log));

  const std::vector<dt::NDArray> inputs = inputs_for(model);
  const std::vector<dt::NDArray> outputs = DOVETAIL_TRY(after.run(inputs));
  std::printf("%s: %zu elements, the first %g\n", model.outputs()[0].name.c_str(),
              outputs[0].size(), outputs[0].real(0));
  const double seconds_before = DOVETAIL_TRY(before.seconds());
  const double seconds_after = DOVETAIL_TRY(after.seconds());
  std::printf("%.4f ms before, %.4f ms after\n", 1e3 * seconds_before, 1e3 * seconds_after);
  return {};
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "tune_and_run MODEL.onnx [TRIALS]\n");
    return 2;
  }
  const auto done = tune_and_run(argv[1], argc > 2 ? std::atoll(argv[2]) : 100);
  if (!done) std::fprintf(stderr, "tune_and_run: %s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
