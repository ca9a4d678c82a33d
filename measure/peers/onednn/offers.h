// SPDX-License-Identifier: Apache-2.0
#pragma once

// oneDNN's offers for an operator: every implementation of every primitive that can compute it, in
// every arrangement of the activations.
//
//   any             the implementation's own layout, mostly blocked by 16 channels
//   channels_last   n, h, w, c
//   framework       as our operands come: n, c, h, w
//
// Weights are always in the implementation's own layout, converted beforehand. An offer that
// `converts` reorders activations from and to framework layout in each run. Reference
// implementations ("ref:") are only offered where there is nothing else: they are a thousand times
// slower. In measure/, only headers of this folder show oneDNN's types.

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measure/peers/onednn/layouts.h"
#include "measure/peers/peer.h"

namespace dovetail::onednn {

// An input or output tensor of a primitive.
struct Argument {
  int number = 0;      // DNNL_ARG_SRC, …
  std::string tensor;  // an operand, as in the region; empty: the output
  Desc framework;      // layout outside the primitive
  Desc own = {};       // the primitive's layout; empty: the primitive chooses
  // Converted to `own` beforehand; other arguments in each run, if the offer `converts`.
  bool before = false;
};

struct Offer {
  Implementation info;
  dnnl::primitive_desc_base pd;
  std::vector<Argument> arguments;  // each with `own` set; one is DNNL_ARG_DST
  bool converts = false;
};

// Attributes of all primitives: their scratchpad memory comes from the caller.
dnnl::primitive_attr attributes_with(const dnnl::post_ops& ops);

// Collects offers.
class Offers {
 public:
  explicit Offers(const dnnl::engine& engine) : engine_(engine) {}

  // Adds all implementations of Primitive for a descriptor; none if oneDNN cannot do it.
  template <typename Primitive>
  void add(const std::string& arrangement, const typename Primitive::desc& desc,
           const std::vector<Argument>& arguments, const dnnl::post_ops& ops,
           const std::string& algorithm) {
    typename Primitive::primitive_desc pd(desc, attributes_with(ops), engine_,
                                          /*allow_empty=*/true);
    if (!pd) return;
    do {
      add_one(pd, arrangement, arguments, algorithm);
    } while (pd.next_impl());
  }

  // Without reference implementations, if there is anything else.
  std::vector<Offer> take();

 private:
  void add_one(const dnnl::primitive_desc_base& pd, const std::string& arrangement,
               std::vector<Argument> arguments, const std::string& algorithm);

  dnnl::engine engine_;
  std::vector<Offer> offers_;
};

// Throws dnnl::error.
std::vector<Offer> operator_offers(const Operator& op, const dnnl::engine& engine);

}  // namespace dovetail::onednn
