// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks with the layers of published ones and seeded weights, as graphs of ONNX's operator
// types: real input for tuning where no trained file is at hand. Times do not depend on weights.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

// Layer for layer torchvision's resnet18 at 1x3x224x224: a 7x7 convolution, max pooling, four
// stages of two basic blocks, average pooling, a Gemm of 512 to 1000. Batch normalisation is folded
// into each convolution's weights and bias, as an exporter does for inference, so a convolution is
// followed by Relu, or by Add and Relu.
Graph build_resnet18(uint64_t seed);

std::vector<std::string> sample_model_names();
Result<Graph> build_sample_model(const std::string& name, uint64_t seed);

}  // namespace dovetail
