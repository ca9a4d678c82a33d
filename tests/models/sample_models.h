// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks with the layers of published ones and seeded weights, as graphs of ONNX's operator
// types: real input for tuning where no trained file is at hand. Times do not depend on weights.
//
//   build_sample_model("resnet18", 18)          as published
//   build_sample_model("resnet18-small", 18)    the same layers with fewer channels and pixels
//   build_sample_model("resnet18-b16", 18)      sixteen images at once; of BERT sixteen texts
//   build_sample_model("resnet18-b16-f16", 18)  weights and all that flows in f16; or in bf16
//
// Layer for layer torchvision's resnet18, mobilenet_v2 and video.r3d_18 (resnet3d18), and the BERT
// of transformers with a pooler (bert_tiny: 2 layers of 128, bert_base: 12 of 768; 128 tokens and
// their mask). Batch normalisation is folded into each convolution's weights and bias, as an
// exporter does for inference; normalisation and gelu of BERT are the chains of simpler operators
// that exporters write at operator set 13.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/graph/graph.h"

namespace dovetail {

Graph build_resnet18(uint64_t seed);

std::vector<std::string> sample_model_names();
Result<Graph> build_sample_model(const std::string& name, uint64_t seed);

}  // namespace dovetail
