// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shapes of operators that changed after operator set 17, as ONNX's shape inference asks for
// them: each reads its node's inputs from a context and writes its outputs' types there. What is
// only known at run time stays open, and so does what makes no sense: nodes behind it say so.

namespace onnx {
struct InferenceContext;
}

namespace dovetail::newer_shapes {

void same_as_input(onnx::InferenceContext& context);
// Parts as `split` or num_outputs say, the last one what is left.
void split(onnx::InferenceContext& context);
// With pads for some axes only.
void pad(onnx::InferenceContext& context);
// With sizes or scales for some axes only, and sizes that keep the proportions.
void resize(onnx::InferenceContext& context);
// Windows, of which none begins behind the input and the padding before it.
void pool(onnx::InferenceContext& context);
// The type is the scale's, and that of what is quantized the zero point's, or as
// `output_dtype` says.
void dequantize(onnx::InferenceContext& context);
void quantize(onnx::InferenceContext& context);
void center_crop_pad(onnx::InferenceContext& context);

}  // namespace dovetail::newer_shapes
