# SPDX-License-Identifier: Apache-2.0
"""The body of scripts/node-models: a line a model, in ONNX's own syntax of models.

Names and extents are those of scripts/suites/streams24.txt, so that the importer gives a model the spec of the suite's line, and
a log of one is a log of the other.
"""

import os
import sys

import onnx.checker
import onnx.parser
import onnx.shape_inference

HEADER = '<ir_version: 9, opset_import: ["": 20]>'  # the first operator set that has Gelu
MODELS = """
pool_r18 (float[1,64,112,112] x) => (float[] y) { y = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(x) }
pool_r18_b16 (float[16,64,112,112] x) => (float[] y) { y = MaxPool<kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]>(x) }
mean_r18 (float[1,512,7,7] x) => (float[] y) { y = GlobalAveragePool(x) }
mean_mv2_b16 (float[16,1280,7,7] x) => (float[] y) { y = GlobalAveragePool(x) }
mean_r3d (float[1,512,1,7,7] x) => (float[] y) { y = GlobalAveragePool(x) }
softmax_bert (float[1,12,128,128] x) => (float[] y) { y = Softmax<axis=-1>(x) }
softmax_tiny (float[1,2,128,128] x) => (float[] y) { y = Softmax<axis=-1>(x) }
softmax_logits (float[1,1000] x) => (float[] y) { y = Softmax<axis=-1>(x) }
norm_bert (float[1,128,768] x, float[768] s, float[768] b) => (float[] y) { y = LayerNormalization<epsilon=1e-12>(x, s, b) }
norm_bert_b8 (float[8,128,768] x, float[768] s, float[768] b) => (float[] y) { y = LayerNormalization<epsilon=1e-12>(x, s, b) }
norm_tiny (float[1,128,128] x, float[128] s, float[128] b) => (float[] y) { y = LayerNormalization<epsilon=1e-12>(x, s, b) }
point_gelu_bert (float[1,128,3072] x) => (float[] y) { y = Gelu(x) }
point_relu6_mv2 (float[1,96,112,112] x) => (float[] y)
  { low = Constant<value_float=0.0>() high = Constant<value_float=6.0>() y = Clip(x, low, high) }
point_tanh_bert_b64 (float[64,768] x) => (float[] y) { y = Tanh(x) }
join_relu_r18 (float[1,64,56,56] a, float[1,64,56,56] b) => (float[] y) { sum = Add(a, b) y = Relu(sum) }
join_relu_r18_b16 (float[16,64,56,56] a, float[16,64,56,56] b) => (float[] y) { sum = Add(a, b) y = Relu(sum) }
join_add_r3d (float[1,128,8,28,28] a, float[1,128,8,28,28] b) => (float[] y) { y = Add(a, b) }
join_bias_mv2 (float[1,96,112,112] a, float[1,96,1,1] b) => (float[] y) { y = Add(a, b) }
join_mask_bert (float[1,12,128,128] a, float[1,1,1,128] b) => (float[] y) { y = Add(a, b) }
mean_rows_bert (float[1,128,768] x) => (float[] y)
  { axes = Constant<value_ints=[1]>() y = ReduceMean<keepdims=0>(x, axes) }
turn_heads_bert (float[1,128,12,64] x) => (float[] y) { y = Transpose<perm=[0,2,1,3]>(x) }
turn_keys_bert (float[1,12,128,64] x) => (float[] y) { y = Transpose<perm=[0,1,3,2]>(x) }
turn_image (float[1,3,224,224] x) => (float[] y) { y = Transpose<perm=[0,2,3,1]>(x) }
turn_r18_b16 (float[16,64,56,56] x) => (float[] y) { y = Transpose<perm=[0,2,3,1]>(x) }
"""


def models():
    """Name and model, with the shape of its output."""
    for text in MODELS.strip().replace("\n  ", " ").splitlines():
        model = onnx.shape_inference.infer_shapes(onnx.parser.parse_model(HEADER + text), strict_mode=True)
        onnx.checker.check_model(model, full_check=True)
        yield text.split()[0], model


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit("node-models: expected FOLDER [PART OF A NAME…]")
    folder, parts = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    written = 0
    for name, model in models():
        if not parts or any(part in name for part in parts):
            onnx.save(model, os.path.join(folder, name + ".onnx"))
            written += 1
    if written == 0:
        sys.exit(f"node-models: no name has {' or '.join(parts)} in it")
    print(f"node-models: {written} in {folder}", file=sys.stderr)


if __name__ == "__main__":
    main()
