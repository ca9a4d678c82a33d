// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/onednn/offers.h"

#include <algorithm>
#include <numeric>

namespace dovetail::onednn {
namespace {

using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

constexpr auto kF32 = dnnl::memory::data_type::f32;

// Storage in the order of the dims, or in another order of them (outermost first).
Desc strided(const Dims& dims, std::vector<int> order = {}) {
  if (order.empty()) {
    order.resize(dims.size());
    std::iota(order.begin(), order.end(), 0);
  }
  Dims strides(dims.size());
  int64_t step = 1;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    strides[static_cast<size_t>(*axis)] = step;
    step *= dims[static_cast<size_t>(*axis)];
  }
  return {dims, kF32, strides};
}

Desc any(const Dims& dims) { return {dims, kF32, dnnl::memory::format_tag::any}; }

Desc channels_last(const Dims& dims) {
  std::vector<int> order = {0};
  for (size_t axis = 2; axis < dims.size(); ++axis) order.push_back(static_cast<int>(axis));
  order.push_back(1);
  return strided(dims, order);
}

Desc blocked_by_16(const Dims& dims) {
  using Tag = dnnl::memory::format_tag;
  const Tag tags[] = {Tag::aBc16b, Tag::aBcd16b, Tag::aBcde16b};
  return {dims, kF32, tags[dims.size() - 3]};
}

// One way to lay out the operands.
struct Arrangement {
  std::string name;
  Desc src, weights, dst;
};

void append_function(const Epilogue& epilogue, dnnl::post_ops& ops) {
  using dnnl::algorithm;
  const auto clip = [&](double lo, double hi) {
    ops.append_eltwise(1, algorithm::eltwise_clip, static_cast<float>(lo), static_cast<float>(hi));
  };
  switch (epilogue.kind) {
    case EpilogueKind::relu: return ops.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
    case EpilogueKind::relu6: return clip(0, 6);
    case EpilogueKind::clip: return clip(epilogue.lo, epilogue.hi);
    case EpilogueKind::gelu: return ops.append_eltwise(1, algorithm::eltwise_gelu_erf, 0, 0);
    case EpilogueKind::silu: return ops.append_eltwise(1, algorithm::eltwise_swish, 1, 0);
    case EpilogueKind::sigmoid: return ops.append_eltwise(1, algorithm::eltwise_logistic, 0, 0);
    case EpilogueKind::tanh: return ops.append_eltwise(1, algorithm::eltwise_tanh, 0, 0);
    case EpilogueKind::bias:
    case EpilogueKind::add: return;  // have operands: attributes_of
  }
}

dnnl::primitive_attr attributes_of(const Operator& op, const Tensors& tensors, const Desc& dst) {
  dnnl::post_ops ops;
  for (size_t i = 0; i < op.epilogues.size(); ++i) {
    const EpilogueKind kind = op.epilogues[i].kind;
    if (kind == EpilogueKind::add) ops.append_binary(dnnl::algorithm::binary_add, dst);
    if (kind == EpilogueKind::bias && i > 0)
      ops.append_binary(dnnl::algorithm::binary_add, *tensors.wide_bias);
    append_function(op.epilogues[i], ops);
  }
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(ops);
  return attributes;
}

// Collects offers.
class Offers {
 public:
  Offers(const Operator& op, Tensors tensors, const dnnl::engine& engine)
      : op_(op), tensors_(std::move(tensors)), engine_(engine) {}

  // All implementations of Primitive for a descriptor; none when oneDNN cannot do it.
  template <typename Primitive>
  void add(const Arrangement& arrangement, const typename Primitive::desc& desc,
           const std::string& algorithm = "direct") {
    const dnnl::primitive_attr attributes = attributes_of(op_, tensors_, arrangement.dst);
    typename Primitive::primitive_desc pd(desc, attributes, engine_, /*allow_empty=*/true);
    if (!pd) return;
    do {
      add_one(pd, arrangement.name, algorithm);
    } while (pd.next_impl());
  }

  std::vector<Offer> take() {
    const auto is_reference = [](const Offer& offer) { return offer.info.name.starts_with("ref"); };
    if (!std::ranges::all_of(offers_, is_reference)) std::erase_if(offers_, is_reference);
    return std::move(offers_);
  }

 private:
  static bool same(const Offer& a, const Offer& b) {
    for (auto what : {dnnl::query::src_md, dnnl::query::weights_md, dnnl::query::dst_md})
      if (a.pd.query_md(what, 0) != b.pd.query_md(what, 0)) return false;
    return a.info.algorithm == b.info.algorithm && a.converts == b.converts &&
           std::string_view(a.pd.impl_info_str()) == b.pd.impl_info_str();
  }

  bool is_plain(const dnnl::primitive_desc& pd) const {
    const bool weights_count = !op_.b_const;
    return pd.query_md(dnnl::query::src_md, 0) == tensors_.src &&
           pd.query_md(dnnl::query::dst_md, 0) == tensors_.dst &&
           (!weights_count || pd.query_md(dnnl::query::weights_md, 0) == tensors_.weights);
  }

  void add_one(const dnnl::primitive_desc& pd, const std::string& arrangement,
               const std::string& algorithm) {
    const bool plain = is_plain(pd);
    const std::string name = std::string(pd.impl_info_str()) + " " + arrangement;
    Offer offer{.info = {.name = name, .algorithm = algorithm, .free = true, .plain = plain},
                .pd = pd,
                .tensors = tensors_,
                .converts = false,
                .constant_weights = op_.b_const};
    const auto known = [&](const Offer& other) { return same(offer, other); };
    if (std::ranges::any_of(offers_, known)) return;
    offers_.push_back(offer);
    if (plain) return;
    offer.converts = true;
    offer.info = {name + " + reorders", algorithm, false, true};
    offers_.push_back(std::move(offer));
  }

  const Operator& op_;
  Tensors tensors_;
  dnnl::engine engine_;
  std::vector<Offer> offers_;
};

// Weights of a convolution, grouped when there are groups; transposed ones are stored ci, co/g.
Desc convolution_weights(const Operator& op) {
  Dims dims = {op.out_channels / op.groups, op.in_channels / op.groups};
  std::vector<int> order = is_transposed(op.kind) ? std::vector{1, 0} : std::vector{0, 1};
  if (op.groups > 1) {
    dims.insert(dims.begin(), op.groups);
    for (int& axis : order) ++axis;
    order.insert(order.begin(), 0);
  }
  for (const SpatialAxis& axis : op.spatial) {
    order.push_back(static_cast<int>(dims.size()));
    dims.push_back(axis.kernel);
  }
  return strided(dims, order);
}

Tensors convolution_tensors(const Operator& op) {
  Tensors tensors{.src = strided(logical_shape(op, Operand::input)),
                  .weights = convolution_weights(op),
                  .dst = strided(logical_shape(op, Operand::output))};
  if (has_own_bias(op)) tensors.bias = strided({op.out_channels});
  Dims wide(op.spatial.size() + 2, 1);
  wide[1] = op.out_channels;
  tensors.wide_bias = strided(wide);
  return tensors;
}

std::vector<Arrangement> convolution_arrangements(const Operator& op, const Tensors& tensors) {
  const Dims src = tensors.src.dims(), dst = tensors.dst.dims();
  const Desc weights = any(tensors.weights.dims());
  std::vector<Arrangement> found;
  if (has_epilogue(op, EpilogueKind::add))  // a post-op's operand must be laid out beforehand
    found.push_back({"blocked", blocked_by_16(src), weights, blocked_by_16(dst)});
  else
    found.push_back({"any", any(src), weights, any(dst)});
  found.push_back({"channels_last", channels_last(src), weights, channels_last(dst)});
  found.push_back({"framework", tensors.src, weights, tensors.dst});
  return found;
}

struct Window {
  Dims strides, dilations, before, after;
};

Window window_of(const Operator& op) {
  Window window;
  for (const SpatialAxis& axis : op.spatial) {
    window.strides.push_back(axis.stride);
    window.dilations.push_back(axis.dilation - 1);
    window.before.push_back(axis.pad_before);
    window.after.push_back(axis.pad_after - axis.output_padding);
  }
  return window;
}

template <typename Primitive>
typename Primitive::desc convolution_desc(dnnl::algorithm algorithm, const Arrangement& how,
                                          const std::optional<Desc>& bias, const Window& window) {
  return typename Primitive::desc(dnnl::prop_kind::forward_inference, algorithm, how.src,
                                  how.weights, bias.value_or(Desc()), how.dst, window.strides,
                                  window.dilations, window.before, window.after);
}

template <typename Primitive>
std::vector<Offer> convolution_offers(const Operator& op, dnnl::algorithm direct,
                                      dnnl::algorithm winograd, const dnnl::engine& engine) {
  const Tensors tensors = convolution_tensors(op);
  const Window window = window_of(op);
  Offers offers(op, tensors, engine);
  for (const Arrangement& how : convolution_arrangements(op, tensors)) {
    offers.add<Primitive>(how, convolution_desc<Primitive>(direct, how, tensors.bias, window));
    offers.add<Primitive>(how, convolution_desc<Primitive>(winograd, how, tensors.bias, window),
                          "winograd");
  }
  return offers.take();
}

// b, rows, columns, without b when it is 1; `transposed`: stored as columns x rows.
Desc matrix(int64_t batch, int64_t rows, int64_t columns, bool transposed = false) {
  if (batch == 1) return strided({rows, columns}, {transposed ? 1 : 0, transposed ? 0 : 1});
  return strided({batch, rows, columns}, {0, transposed ? 2 : 1, transposed ? 1 : 2});
}

Tensors product_tensors(const Operator& op) {
  Tensors tensors{.src = matrix(op.batch, op.m, op.k, op.transpose_a),
                  .weights = matrix(op.batch, op.k, op.n, op.transpose_b),
                  .dst = matrix(op.batch, op.m, op.n)};
  tensors.wide_bias = matrix(1, 1, op.n);
  if (op.batch > 1) tensors.wide_bias = strided({1, 1, op.n});
  if (has_own_bias(op)) tensors.bias = tensors.wide_bias;
  return tensors;
}

std::vector<Arrangement> product_arrangements(const Operator& op, const Tensors& tensors) {
  const Desc any_weights = any(tensors.weights.dims());
  std::vector<Arrangement> found;
  if (!has_epilogue(op, EpilogueKind::add))
    found.push_back({"any", any(tensors.src.dims()), any_weights, any(tensors.dst.dims())});
  found.push_back({"framework", tensors.src, any_weights, tensors.dst});
  found.push_back({"framework_b", tensors.src, tensors.weights, tensors.dst});
  return found;
}

// A matrix product with a constant B is a fully connected layer as well.
void add_inner_products(const Operator& op, const Tensors& tensors, Offers& offers) {
  using Primitive = dnnl::inner_product_forward;
  if (op.batch != 1 || !op.b_const || op.transpose_a) return;
  const Desc bias = tensors.bias ? strided({op.n}) : Desc();
  const Desc weights = any({op.n, op.k});
  for (const Arrangement& how : product_arrangements(op, tensors)) {
    offers.add<Primitive>({"inner_product " + how.name, how.src, weights, how.dst},
                          {dnnl::prop_kind::forward_inference, how.src, weights, bias, how.dst});
  }
}

std::vector<Offer> product_offers(const Operator& op, const dnnl::engine& engine) {
  const Tensors tensors = product_tensors(op);
  Offers offers(op, tensors, engine);
  for (const Arrangement& how : product_arrangements(op, tensors)) {
    const Desc bias = tensors.bias.value_or(Desc());
    offers.add<dnnl::matmul>(how, {how.src, how.weights, bias, how.dst});
  }
  Tensors transposed = tensors;
  transposed.weights = matrix(1, op.n, op.k, !op.transpose_b);
  if (transposed.bias) transposed.bias = strided({op.n});
  Offers layers(op, transposed, engine);
  add_inner_products(op, tensors, layers);
  std::vector<Offer> found = offers.take();
  std::ranges::move(layers.take(), std::back_inserter(found));
  return found;
}

}  // namespace

std::vector<Offer> offers_of(const Operator& op, const dnnl::engine& engine) {
  using dnnl::algorithm;
  if (is_matrix_product(op.kind)) return product_offers(op, engine);
  if (is_transposed(op.kind)) {
    return convolution_offers<dnnl::deconvolution_forward>(
        op, algorithm::deconvolution_direct, algorithm::deconvolution_winograd, engine);
  }
  return convolution_offers<dnnl::convolution_forward>(op, algorithm::convolution_direct,
                                                       algorithm::convolution_winograd, engine);
}

}  // namespace dovetail::onednn
