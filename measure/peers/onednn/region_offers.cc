// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "measure/peers/onednn/offers.h"

namespace dovetail::onednn {
namespace {

using dnnl::algorithm;
constexpr auto kInference = dnnl::prop_kind::forward_inference;

struct Storage {
  std::string name;
  Desc src, dst;
};

// Layouts of activations with channels. Only convolutions choose theirs by themselves, so these are
// the ones that they choose.
std::vector<Storage> channel_storages(const Dims& src, const Dims& dst) {
  return {{"blocked by 16", blocked(src, 16), blocked(dst, 16)},
          {"blocked by 8", blocked(src, 8), blocked(dst, 8)},
          {"channels_last", channels_last(src), channels_last(dst)},
          {"framework", strided(src), strided(dst)}};
}

Argument source(const std::string& tensor, const Desc& framework) {
  return {.number = DNNL_ARG_SRC, .tensor = tensor, .framework = framework};
}

Argument result(const Desc& framework) {
  return {.number = DNNL_ARG_DST, .tensor = {}, .framework = framework};
}

// A vector that is constant: scale, shift and the like.
Argument vector(int number, const std::string& tensor, int64_t length) {
  const Desc desc = strided({length});
  return {.number = number, .tensor = tensor, .framework = desc, .own = desc, .before = true};
}

// An average counts the padding, because it divides by one number. `layout` is that of inputs and
// outputs.
void add_offers(const Pooling& pooling, Desc layout(const Dims& dims), Offers& offers) {
  Dims src = {pooling.n, pooling.c}, dst = src;
  Dims strides, window, dilations, before, after;
  for (const PooledAxis& axis : pooling.axes) {
    src.push_back(axis.extent);
    dst.push_back(axis.outputs);
    strides.push_back(axis.stride);
    window.push_back(axis.window);
    dilations.push_back(axis.dilation - 1);
    before.push_back(axis.before);
    after.push_back(axis.after);
  }
  const auto kind = pooling.kind == Pooling::Kind::max ? algorithm::pooling_max
                                                       : algorithm::pooling_avg_include_padding;
  for (const Storage& how : channel_storages(src, dst)) {
    offers.add<dnnl::pooling_v2_forward>(
        how.name, {kInference, kind, how.src, how.dst, strides, window, dilations, before, after},
        {source(pooling.input, layout(src)), result(layout(dst))});
  }
}

Desc in_framework_layout(const Dims& dims) { return strided(dims); }

void add_offers(const Pooling& pooling, Offers& offers) {
  add_offers(pooling, in_framework_layout, offers);
}

algorithm algorithm_of(Reduction::Kind kind) {
  switch (kind) {
    case Reduction::Kind::sum: return algorithm::reduction_sum;
    case Reduction::Kind::mean: return algorithm::reduction_mean;
    case Reduction::Kind::max: return algorithm::reduction_max;
    case Reduction::Kind::min: return algorithm::reduction_min;
  }
  return algorithm::undef;
}

// Global pooling is a pooling as well.
void add_offers(const Reduction& reduction, Offers& offers) {
  const Dims src = reduction.shape;
  Dims dst = src;
  for (const int64_t axis : reduction.axes) dst[static_cast<size_t>(axis)] = 1;
  offers.add<dnnl::reduction>("framework",
                              {algorithm_of(reduction.kind), strided(src), strided(dst), 0, 0},
                              {source(reduction.input, strided(src)), result(strided(dst))});
  const bool has_channels = src.size() >= 3 && src.size() <= 5;
  if (has_channels) {
    for (const Storage& how : channel_storages(src, dst)) {
      offers.add<dnnl::reduction>(how.name, {algorithm_of(reduction.kind), how.src, how.dst, 0, 0},
                                  {source(reduction.input, strided(src)), result(strided(dst))});
    }
  }
  if (const auto global = global_pooling(reduction))
    add_offers(global->pooling, global->channels_last ? channels_last : in_framework_layout,
               offers);
}

// If other axes follow the softmax axis in framework layout, it is also tried as the innermost.
void add_offers(const Softmax& softmax, Offers& offers) {
  const Desc framework = strided(softmax.shape);
  std::vector<Storage> arrangements = {{"framework", framework, framework}};
  if (softmax.shape.size() > 2) {
    const Desc last = strided(softmax.shape, {0, 2, 1});
    arrangements.push_back({"axis_last", last, last});
  }
  const auto kind = softmax.logarithm ? algorithm::softmax_log : algorithm::softmax_accurate;
  for (const Storage& how : arrangements) {
    offers.add<dnnl::softmax_v2_forward>(how.name, {kInference, kind, how.src, how.dst, 1},
                                         {source(softmax.input, framework), result(framework)});
  }
}

void add_offers(const LayerNorm& norm, Offers& offers) {
  using Flags = dnnl::normalization_flags;
  const Desc framework = strided({norm.rows, norm.length});
  std::vector<Argument> arguments = {source(norm.input, framework), result(framework)};
  Flags flags = Flags::none;
  if (!norm.scale.empty()) {
    flags = flags | Flags::use_scale;
    arguments.push_back(vector(DNNL_ARG_SCALE, norm.scale, norm.length));
  }
  if (!norm.shift.empty()) {
    flags = flags | Flags::use_shift;
    arguments.push_back(vector(DNNL_ARG_SHIFT, norm.shift, norm.length));
  }
  offers.add<dnnl::layer_normalization_forward>(
      "framework", {kInference, framework, static_cast<float>(norm.epsilon), flags}, arguments);
}

void add_offers(const BatchNorm& norm, Offers& offers) {
  using Flags = dnnl::normalization_flags;
  const Dims dims = {norm.n, norm.c, norm.pixels};
  const Flags flags = Flags::use_global_stats | Flags::use_scale | Flags::use_shift;
  for (const Storage& how : channel_storages(dims, dims)) {
    offers.add<dnnl::batch_normalization_forward>(
        how.name, {kInference, how.src, static_cast<float>(norm.epsilon), flags},
        {source(norm.input, strided(dims)), result(strided(dims)),
         vector(DNNL_ARG_MEAN, norm.mean, norm.c), vector(DNNL_ARG_VARIANCE, norm.variance, norm.c),
         vector(DNNL_ARG_SCALE, norm.scale, norm.c), vector(DNNL_ARG_SHIFT, norm.shift, norm.c)});
  }
}

void add_offers(const Permutation& permutation, Offers& offers, const dnnl::engine& engine) {
  Dims dims;
  for (const int64_t axis : permutation.order)
    dims.push_back(permutation.shape[static_cast<size_t>(axis)]);
  std::vector<int> order(dims.size());  // the input's dimensions, in the output's numbering
  for (size_t i = 0; i < dims.size(); ++i)
    order[static_cast<size_t>(permutation.order[i])] = static_cast<int>(i);
  const Desc from = strided(dims, order), to = strided(dims);
  const dnnl::reorder::primitive_desc pd(engine, from, engine, to, attributes_with({}),
                                         /*allow_empty=*/true);
  Argument input = source(permutation.input, from);
  input.own = from;  // a reorder has sources of another kind
  if (pd) offers.add_one(pd, "framework", {std::move(input), result(to)}, "direct");
}

struct EltwiseNumbers {
  algorithm kind;
  double alpha = 0, beta = 0;
};

EltwiseNumbers eltwise_of(const ElementwiseFunction& function) {
  using enum ElementwiseFunction::Kind;
  switch (function.kind) {
    case abs: return {algorithm::eltwise_abs};
    case clip: return {algorithm::eltwise_clip, function.alpha, function.beta};
    case elu: return {algorithm::eltwise_elu, function.alpha};
    case exp: return {algorithm::eltwise_exp};
    case gelu: return {algorithm::eltwise_gelu_erf};
    case hardswish: return {algorithm::eltwise_hardswish};
    case leaky_relu: return {algorithm::eltwise_relu, function.alpha};
    case linear: return {algorithm::eltwise_linear, function.alpha, function.beta};
    case log: return {algorithm::eltwise_log};
    case relu: return {algorithm::eltwise_relu};
    case sigmoid: return {algorithm::eltwise_logistic};
    case silu: return {algorithm::eltwise_swish, 1};
    case sqrt: return {algorithm::eltwise_sqrt};
    case tanh: return {algorithm::eltwise_tanh};
  }
  return {algorithm::undef};
}

algorithm binary_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::add: return algorithm::binary_add;
    case BinaryOp::sub: return algorithm::binary_sub;
    case BinaryOp::mul: return algorithm::binary_mul;
    case BinaryOp::div: return algorithm::binary_div;
    case BinaryOp::max: return algorithm::binary_max;
    case BinaryOp::min: return algorithm::binary_min;
    default: return algorithm::undef;  // not a step of a chain
  }
}

// With a leading axis of extent 1 if `with_batch`: a tensor that is broadcast along the first axis
// is then a vector of channels, which oneDNN handles better.
Dims dims_of(const ElementwiseOperand& operand, bool with_batch) {
  Dims dims = operand.shape;
  if (with_batch) dims.insert(dims.begin(), 1);
  return dims;
}

// The steps after the first one run as post-ops.
void append_steps(const Elementwise& chain, bool with_batch, std::vector<Argument>& arguments,
                  dnnl::post_ops& ops) {
  for (size_t i = 1; i < chain.steps.size(); ++i) {
    if (const auto* function = std::get_if<ElementwiseFunction>(&chain.steps[i])) {
      const EltwiseNumbers numbers = eltwise_of(*function);
      ops.append_eltwise(1, numbers.kind, static_cast<float>(numbers.alpha),
                         static_cast<float>(numbers.beta));
      continue;
    }
    const auto& step = std::get<ElementwiseStep>(chain.steps[i]);
    const Desc desc = strided(dims_of(step.operand, with_batch));
    ops.append_binary(binary_of(step.op), desc);
    const int number = DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i) - 1) | DNNL_ARG_SRC_1;
    arguments.push_back(
        {.number = number, .tensor = step.operand.tensor, .framework = desc, .own = desc});
  }
}

bool is_function(const decltype(Elementwise::steps)::value_type& step) {
  return std::holds_alternative<ElementwiseFunction>(step);
}

// A function may have post-ops with operands, but no other function: its reference implementation
// then writes nothing.
void add_chain(const Elementwise& chain, bool with_batch, Offers& offers) {
  if (is_function(chain.steps.front()) && std::ranges::count_if(chain.steps, is_function) > 1)
    return;
  const Desc whole = strided(dims_of(chain.input, with_batch));
  std::vector<Argument> arguments = {source(chain.input.tensor, whole), result(whole)};
  dnnl::post_ops ops;
  append_steps(chain, with_batch, arguments, ops);
  if (const auto* function = std::get_if<ElementwiseFunction>(&chain.steps.front())) {
    const EltwiseNumbers numbers = eltwise_of(*function);
    offers.add<dnnl::eltwise_forward>(
        "framework",
        {kInference, numbers.kind, whole, static_cast<float>(numbers.alpha),
         static_cast<float>(numbers.beta)},
        arguments, ops);
    return;
  }
  const auto& step = std::get<ElementwiseStep>(chain.steps.front());
  const Desc with = strided(dims_of(step.operand, with_batch));
  arguments.push_back(
      {.number = DNNL_ARG_SRC_1, .tensor = step.operand.tensor, .framework = with, .own = with});
  offers.add<dnnl::binary>(with_batch ? "framework with a batch" : "framework",
                           {binary_of(step.op), whole, with, whole}, arguments, ops);
}

void add_offers(const Elementwise& chain, Offers& offers) {
  const bool repeats = chain.input.shape.size() > 1;
  if (repeats) add_chain(chain, true, offers);
  add_chain(chain, false, offers);
}

}  // namespace

std::vector<Offer> region_offers(const KnownRegion& known, const dnnl::engine& engine) {
  Offers offers(engine);
  std::visit(
      [&](const auto& form) {
        using Form = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<Form, Permutation>)
          add_offers(form, offers, engine);
        else if constexpr (!std::is_same_v<Form, Operator>)
          add_offers(form, offers);
      },
      known);
  return offers.take();
}

}  // namespace dovetail::onednn
