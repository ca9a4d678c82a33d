// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rules of node_region(), each in the file of its kind. A rule is called only for nodes of its
// operators (onnx_operators.cc) whose tensors have types that it accepts and known shapes.

#include "core/frontend/computations/region_writer.h"

namespace dovetail::node_rules {

using Rule = Result<NodeRegion>(RegionWriter& write);

// elementwise.cc, elementwise_inputs.cc
Rule unary, area_function, binary, variadic, comparison, shrink, is_infinite, modulo;
Rule clip, expand, cast, where, one_constant, bit_shift;
// data_movement.cc, slicing.cc, rearrangement.cc, padding.cc
Rule transpose, concat, split, tile, trilu, eye, range, dropout;
Rule slice, depth_to_space, space_to_depth, reverse_sequence, pad, center_crop_pad;
// gathering.cc, scattering.cc
Rule gather, gather_elements, gather_nd, one_hot, scatter_elements, scatter_nd;
// reductions.cc, ordering.cc
Rule reduce, arg_extremum, hardmax, cumulative_sum, top_k;
// normalizations.cc
Rule softmax, layer_normalization, batch_normalization, instance_normalization;
Rule group_normalization, mean_variance, lrn, lp_normalization;
// pooling.cc, resizing.cc
Rule pool, global_lp_pool, resize, upsample;
// losses.cc
Rule likelihood_loss, cross_entropy_loss;
// quantization.cc, products.cc
Rule quantize, dequantize, dynamic_quantize, matmul_integer, conv_integer, einsum, determinant;
// signals.cc
Rule window;

}  // namespace dovetail::node_rules
