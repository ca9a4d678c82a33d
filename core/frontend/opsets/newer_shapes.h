// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shape inference of operators that changed after operator set 17, as callbacks of ONNX: each reads
// its node's inputs from a context and writes its outputs' types there. Shapes that are known only
// at run time stay unset, and so do invalid ones, which later nodes report.

namespace onnx {
struct InferenceContext;
}

namespace dovetail::newer_shapes {

void same_as_input(onnx::InferenceContext& context);
// Parts by `split` or num_outputs; the last one is the rest.
void split(onnx::InferenceContext& context);
// Pads may be for some axes only.
void pad(onnx::InferenceContext& context);
// Sizes or scales may be for some axes only, and sizes may keep the proportions.
void resize(onnx::InferenceContext& context);
// No window begins after the input and the padding before it.
void pool(onnx::InferenceContext& context);
// dequantize has the type of the scale, quantize that of the zero point or of `output_dtype`.
void dequantize(onnx::InferenceContext& context);
void quantize(onnx::InferenceContext& context);
void center_crop_pad(onnx::InferenceContext& context);

}  // namespace dovetail::newer_shapes
