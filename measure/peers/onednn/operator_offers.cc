// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "measure/peers/onednn/offers.h"

namespace dovetail::onednn {
namespace {

// The tensors of an operator under oneDNN's names, in framework layout.
struct Tensors {
  Desc src, weights, dst;
  std::optional<Desc> bias = {};       // as an argument of the primitive
  std::optional<Desc> wide_bias = {};  // as an operand of a post-op: 1, channels, 1, 1
};

// One combination of layouts of the operands.
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
    case EpilogueKind::add: return;  // have operands: added by post_ops_of
  }
}

dnnl::post_ops post_ops_of(const Operator& op, const Tensors& tensors, const Desc& dst) {
  dnnl::post_ops ops;
  for (size_t i = 0; i < op.epilogues.size(); ++i) {
    const EpilogueKind kind = op.epilogues[i].kind;
    if (kind == EpilogueKind::add) ops.append_binary(dnnl::algorithm::binary_add, dst);
    if (kind == EpilogueKind::bias && i > 0)
      ops.append_binary(dnnl::algorithm::binary_add, *tensors.wide_bias);
    append_function(op.epilogues[i], ops);
  }
  return ops;
}

// Post-ops are numbered without a bias that is an argument of the primitive.
int post_op_argument(const Operator& op, size_t epilogue) {
  const int number = static_cast<int>(epilogue) - (has_own_bias(op) ? 1 : 0);
  return DNNL_ARG_ATTR_MULTIPLE_POST_OP(number) | DNNL_ARG_SRC_1;
}

// An addend has the result's layout, converted beforehand.
std::vector<Argument> arguments_of(const Operator& op, const Tensors& tensors, const Desc& dst) {
  std::vector<Argument> arguments = {
      {.number = DNNL_ARG_SRC, .tensor = "X", .framework = tensors.src},
      {.number = DNNL_ARG_WEIGHTS,
       .tensor = "W",
       .framework = tensors.weights,
       .own = {},
       .before = op.b_const},
      {.number = DNNL_ARG_DST, .tensor = {}, .framework = tensors.dst}};
  const auto add = [&](int number, const char* tensor, const Desc& framework, const Desc& own) {
    arguments.push_back({number, tensor, framework, own, /*before=*/true});
  };
  if (has_own_bias(op)) add(DNNL_ARG_BIAS, "bias", *tensors.bias, *tensors.bias);
  for (size_t i = 0; i < op.epilogues.size(); ++i) {
    const EpilogueKind kind = op.epilogues[i].kind;
    if (kind == EpilogueKind::add) add(post_op_argument(op, i), "add", tensors.dst, dst);
    if (kind == EpilogueKind::bias && i > 0)
      add(post_op_argument(op, i), "bias", *tensors.wide_bias, *tensors.wide_bias);
  }
  return arguments;
}

// The offers of one operator, given its tensors.
class OperatorOffers {
 public:
  OperatorOffers(const Operator& op, Tensors tensors, const dnnl::engine& engine)
      : op_(op), tensors_(std::move(tensors)), offers_(engine) {}

  template <typename Primitive>
  void add(const Arrangement& how, const typename Primitive::desc& desc,
           const std::string& algorithm = "direct") {
    offers_.add<Primitive>(how.name, desc, arguments_of(op_, tensors_, how.dst),
                           post_ops_of(op_, tensors_, how.dst), algorithm);
  }

  std::vector<Offer> take() { return offers_.take(); }

 private:
  const Operator& op_;
  Tensors tensors_;
  Offers offers_;
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
    found.push_back({"blocked", blocked(src, 16), weights, blocked(dst, 16)});
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
  OperatorOffers offers(op, tensors, engine);
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
void add_inner_products(const Operator& op, const Tensors& tensors, OperatorOffers& offers) {
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
  OperatorOffers offers(op, tensors, engine);
  for (const Arrangement& how : product_arrangements(op, tensors)) {
    const Desc bias = tensors.bias.value_or(Desc());
    offers.add<dnnl::matmul>(how, {how.src, how.weights, bias, how.dst});
  }
  Tensors transposed = tensors;
  transposed.weights = matrix(1, op.n, op.k, !op.transpose_b);
  if (transposed.bias) transposed.bias = strided({op.n});
  OperatorOffers layers(op, transposed, engine);
  add_inner_products(op, tensors, layers);
  std::vector<Offer> found = offers.take();
  std::ranges::move(layers.take(), std::back_inserter(found));
  return found;
}

}  // namespace

std::vector<Offer> operator_offers(const Operator& op, const dnnl::engine& engine) {
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
