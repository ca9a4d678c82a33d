// SPDX-License-Identifier: Apache-2.0
#pragma once

// oneDNN's offers for an operator: every implementation of every primitive that can compute it,
// in every arrangement of the activations.
//
//   any             the implementation's own layout, mostly blocked by 16 channels
//   channels_last   n, h, w, c
//   framework       as our operands come: n, c, h, w
//
// Weights are always in the implementation's own layout: they are converted before. An offer that
// `converts` reorders activations from and to framework layout in each run. Reference
// implementations ("ref:") are only offered where there is nothing else: they are a thousand times
// slower. The only headers of measure/ that show oneDNN's types are in this folder.

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <vector>

#include "core/ir/operator/operator.h"
#include "measure/peers/peer.h"

namespace dovetail::onednn {

// The tensors of an operator as oneDNN names them, in framework storage.
struct Tensors {
  dnnl::memory::desc src, weights, dst;
  std::optional<dnnl::memory::desc> bias = {};       // as the primitive takes it
  std::optional<dnnl::memory::desc> wide_bias = {};  // as a post-op takes it: 1, channels, 1, 1
};

struct Offer {
  Implementation info;
  dnnl::primitive_desc pd;
  Tensors tensors;
  bool converts = false;
  bool constant_weights = true;
};

// Throws dnnl::error.
std::vector<Offer> offers_of(const Operator& op, const dnnl::engine& engine);

}  // namespace dovetail::onednn
