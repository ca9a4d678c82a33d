// SPDX-License-Identifier: Apache-2.0
#pragma once

// oneDNN's offers for what it knows: every implementation of every primitive that can compute it,
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
#include <string>
#include <vector>

#include "measure/peers/known/known_region.h"
#include "measure/peers/onednn/layouts.h"
#include "measure/peers/peer.h"

namespace dovetail::onednn {

// A tensor that a primitive takes or makes.
struct Argument {
  int number = 0;      // DNNL_ARG_SRC, …
  std::string tensor;  // of the region; empty: what is made
  Desc framework;      // as it comes, or goes
  Desc own = {};       // as the primitive has it; empty: it is asked, and has the last word
  // Laid out as the primitive has it before; others are converted in each run where that is said.
  bool before = false;
};

struct Offer {
  Implementation info;
  dnnl::primitive_desc_base pd;
  std::vector<Argument> arguments;  // each with a layout of its own; one is DNNL_ARG_DST
  bool converts = false;
};

// The attributes of all our primitives: memory that they need comes from us.
dnnl::primitive_attr attributes_with(const dnnl::post_ops& ops);

// Collects offers.
class Offers {
 public:
  explicit Offers(const dnnl::engine& engine) : engine_(engine) {}

  // All implementations of Primitive for a descriptor; none when oneDNN cannot do it.
  template <typename Primitive>
  void add(const std::string& arrangement, const typename Primitive::desc& desc,
           const std::vector<Argument>& arguments, const dnnl::post_ops& ops = {},
           const std::string& algorithm = "direct") {
    typename Primitive::primitive_desc pd(desc, attributes_with(ops), engine_,
                                          /*allow_empty=*/true);
    if (!pd) return;
    do {
      add_one(pd, arrangement, arguments, algorithm);
    } while (pd.next_impl());
  }

  void add_one(const dnnl::primitive_desc_base& pd, const std::string& arrangement,
               std::vector<Argument> arguments, const std::string& algorithm);

  // Reference implementations are left out where there is anything else.
  std::vector<Offer> take();

 private:
  dnnl::engine engine_;
  std::vector<Offer> offers_;
};

// Each throws dnnl::error.
std::vector<Offer> operator_offers(const Operator& op, const dnnl::engine& engine);
// Of all that is no operator.
std::vector<Offer> region_offers(const KnownRegion& known, const dnnl::engine& engine);

}  // namespace dovetail::onednn
