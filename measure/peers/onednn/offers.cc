// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/onednn/offers.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace dovetail::onednn {
namespace {

// The query for a primitive's layout of each argument.
constexpr std::pair<int, std::pair<dnnl::query, int>> kAsked[] = {
    {DNNL_ARG_SRC, {dnnl::query::src_md, 0}},
    {DNNL_ARG_WEIGHTS, {dnnl::query::weights_md, 0}},
    {DNNL_ARG_DST, {dnnl::query::dst_md, 0}},
};

Desc own_desc(const dnnl::primitive_desc_base& pd, const Argument& argument) {
  if (argument.own != Desc()) return argument.own;
  for (const auto& [number, asked] : kAsked)
    if (number == argument.number) return pd.query_md(asked.first, asked.second);
  return argument.framework;
}

bool same(const Offer& a, const Offer& b) {
  return a.info.algorithm == b.info.algorithm && a.converts == b.converts &&
         std::string_view(a.pd.impl_info_str()) == b.pd.impl_info_str() &&
         std::ranges::equal(a.arguments, b.arguments, {}, &Argument::own, &Argument::own);
}

}  // namespace

dnnl::primitive_attr attributes_with(const dnnl::post_ops& ops) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(ops);
  return attributes;
}

void Offers::add_one(const dnnl::primitive_desc_base& pd, const std::string& arrangement,
                     std::vector<Argument> arguments, const std::string& algorithm) {
  for (Argument& argument : arguments) argument.own = own_desc(pd, argument);
  const bool row_major = std::ranges::all_of(arguments, [](const Argument& argument) {
    return argument.before || argument.own == argument.framework;
  });
  const std::string name = std::string(pd.impl_info_str()) + " " + arrangement;
  Offer offer{.info = {.name = name, .algorithm = algorithm, .free = true, .row_major = row_major},
              .pd = pd,
              .arguments = std::move(arguments),
              .converts = false};
  const auto known = [&](const Offer& other) { return same(offer, other); };
  if (std::ranges::any_of(offers_, known)) return;
  offers_.push_back(offer);
  if (row_major) return;
  offer.converts = true;
  offer.info = {name + " + reorders", algorithm, false, true};
  offers_.push_back(std::move(offer));
}

std::vector<Offer> Offers::take() {
  const auto is_reference = [](const Offer& offer) { return offer.info.name.starts_with("ref"); };
  if (!std::ranges::all_of(offers_, is_reference)) std::erase_if(offers_, is_reference);
  return std::move(offers_);
}

}  // namespace dovetail::onednn
