// SPDX-License-Identifier: Apache-2.0
#include "core/ir/operator/computation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "core/base/check.h"
#include "core/ir/value/value_text.h"
#include "core/ir/value/walk.h"

namespace dovetail {
namespace {

IndexExpr var(const std::string& name) { return IndexExpr::variable(name); }

std::string short_name(const SpatialAxis& axis) { return axis.name == "depth" ? "d" : axis.name; }

// Adds the index that a window's tap reads: stride·h + dilation·kh - pad; transposed, the position
// from which the tap reaches output h, (h + pad - dilation·kh) / stride, if it is a whole number.
void add_window(const SpatialAxis& axis, bool transposed, Access& x) {
  const IndexExpr h = var(short_name(axis)), tap = var("k" + short_name(axis)) * axis.dilation;
  if (!transposed) {
    x.indices.push_back(h * axis.stride + tap - axis.pad_before);
    return;
  }
  const IndexExpr strided = h + axis.pad_before - tap;
  x.indices.push_back(floor_div(strided, axis.stride, {}));
  if (axis.stride > 1) x.conditions.push_back({floor_mod(strided, axis.stride, {}), 0, 1});
}

// A scalar is read at index 0, as in written regions.
void add_tail(const OperatorTail& tail, const Tensor& output, Computation& c) {
  const size_t first = c.reads.size();
  for (const TailTensor& own : tail.tensors) {
    Tensor tensor{
        own.name, {}, own.constant ? TensorRole::constant : TensorRole::activation, own.type};
    Access read{own.name, {}};
    for (const LogicalDim& dim : output.dims) {
      if (std::ranges::find(own.axes, dim.name) == own.axes.end()) continue;
      tensor.dims.push_back(dim);
      read.indices.push_back(var(dim.name));
    }
    if (own.axes.empty()) {
      tensor.dims.push_back({"_0", 1});
      read.indices.emplace_back(0);
    }
    c.tensors.push_back(std::move(tensor));
    c.reads.push_back(std::move(read));
  }
  c.result = with_reads(
      tail.value, [&](int position) { return read_of(first + static_cast<size_t>(position)); },
      c.result);
}

Value factor(const Operator& op, size_t position) {
  return op.math == ElementType::f32 ? read_of(position) : cast(op.math, read_of(position));
}

// Adds the epilogues: bias along `channels`, add with the output's shape.
void add_epilogues(const Operator& op, const std::vector<std::string>& channels, Computation& c) {
  c.reducer = Reducer::sum;
  c.element = binary(BinaryOp::mul, factor(op, 0), factor(op, 1));
  std::vector<Value> extras;
  const Tensor output = c.tensors.back();
  c.tensors.pop_back();
  for (const Epilogue& epilogue : op.epilogues) {
    if (epilogue.kind == EpilogueKind::bias) {
      Tensor bias{"bias", {}, TensorRole::constant};
      Access read{"bias", {}};
      for (const LogicalDim& dim : output.dims) {
        if (std::ranges::find(channels, dim.name) == channels.end()) continue;
        bias.dims.push_back(dim);
        read.indices.push_back(var(dim.name));
      }
      c.tensors.push_back(std::move(bias));
      extras.push_back(read_of(c.reads.size()));
      c.reads.push_back(std::move(read));
    } else if (epilogue.kind == EpilogueKind::add) {
      c.tensors.push_back({"add", output.dims, TensorRole::activation});
      extras.push_back(read_of(c.reads.size()));
      c.reads.push_back({"add", c.output.indices});
    }
  }
  c.result = apply_epilogues(Reduced{}, op.epilogues, extras);
  for (Tensor& tensor : c.tensors) tensor.type = op.dtype;
  if (op.tail) add_tail(*op.tail, output, c);
  c.tensors.push_back(output);
  c.tensors.back().type = op.tail ? op.tail->type : op.dtype;
}

// A channel axis, and the tensors that have it as a dimension.
struct ChannelAxis {
  std::string name;
  int64_t extent = 1;
  bool in_x = false, in_w = false, in_y = false;
};

// Framework channels are mixed-radix numbers, g·(channels of a group) + one of them: each part
// becomes a dimension of its own, so that every index is one axis; the order of elements stays.
std::vector<ChannelAxis> channel_axes(const Operator& op) {
  const int64_t ins = op.in_channels / op.groups, outs = op.out_channels / op.groups;
  const ChannelAxis in = {"i", ins, true, true, false}, out = {"o", outs, false, true, true};
  std::vector<ChannelAxis> parts = {out, in};  // in the order of the weights' dims
  if (is_transposed(op.kind)) std::swap(parts[0], parts[1]);
  if (op.groups == 1) return parts;
  if (ins > 1) return {{"g", op.groups, true, true, true}, parts[0], parts[1]};
  std::vector<ChannelAxis> axes = {{"c", op.groups, true, true, true}};
  if (outs > 1) axes.push_back({"m", outs, false, true, true});
  return axes;
}

void add_dim(const std::string& name, int64_t extent, Tensor& tensor, Access& access) {
  tensor.dims.push_back({name, extent});
  access.indices.push_back(var(name));
}

Computation define_convolution(const Operator& op) {
  Computation c;
  Access x{"X", {}}, w{"W", {}};
  Tensor tx{"X", {}, TensorRole::activation}, tw{"W", {}, TensorRole::constant},
      ty{"Y", {}, TensorRole::output};
  c.output = {"Y", {}};
  c.axes = {{"n", op.batch, false}};
  add_dim("n", op.batch, tx, x);
  add_dim("n", op.batch, ty, c.output);
  std::vector<Axis> reductions;
  std::vector<std::string> channels;
  for (const ChannelAxis& axis : channel_axes(op)) {
    if (axis.in_x) add_dim(axis.name, axis.extent, tx, x);
    if (axis.in_w) add_dim(axis.name, axis.extent, tw, w);
    if (axis.in_y) {
      add_dim(axis.name, axis.extent, ty, c.output);
      channels.push_back(axis.name);
    }
    (axis.in_y ? c.axes : reductions).push_back({axis.name, axis.extent, !axis.in_y});
  }
  for (const SpatialAxis& axis : op.spatial) {
    const std::string name = short_name(axis);
    const int64_t extent = output_extent(axis, is_transposed(op.kind));
    c.axes.push_back({name, extent, false});
    add_dim(name, extent, ty, c.output);
    add_window(axis, is_transposed(op.kind), x);
    tx.dims.push_back({name, axis.extent});
    add_dim("k" + name, axis.kernel, tw, w);
    reductions.push_back({"k" + name, axis.kernel, true});
  }
  c.axes.insert(c.axes.end(), reductions.begin(), reductions.end());
  c.reads = {std::move(x), std::move(w)};
  c.tensors = {std::move(tx), std::move(tw), std::move(ty)};
  add_epilogues(op, channels, c);
  return c;
}

// X[b, m, k] · W[b, k, n]; ta and tb swap the last two dims of an operand.
Computation define_matrix_product(const Operator& op) {
  Computation c;
  c.axes = {{"b", op.batch, false}, {"m", op.m, false}, {"n", op.n, false}, {"k", op.k, true}};
  Tensor tx{"X", {{"b", op.batch}, {"m", op.m}, {"k", op.k}}, TensorRole::activation};
  Tensor tw{"W",
            {{"b", op.batch}, {"k", op.k}, {"n", op.n}},
            op.b_const ? TensorRole::constant : TensorRole::activation};
  Access x{"X", {var("b"), var("m"), var("k")}};
  Access w{"W", {var("b"), var("k"), var("n")}};
  if (op.transpose_a) {
    std::swap(tx.dims[1], tx.dims[2]);
    std::swap(x.indices[1], x.indices[2]);
  }
  if (op.transpose_b) {
    std::swap(tw.dims[1], tw.dims[2]);
    std::swap(w.indices[1], w.indices[2]);
  }
  c.output = {"Y", {var("b"), var("m"), var("n")}};
  c.reads = {std::move(x), std::move(w)};
  Tensor ty{"Y", {{"b", op.batch}, {"m", op.m}, {"n", op.n}}, TensorRole::output};
  c.tensors = {std::move(tx), std::move(tw), std::move(ty)};
  add_epilogues(op, {"n"}, c);
  return c;
}

std::vector<LogicalDim> written_dims(const std::vector<Axis>& axes,
                                     const std::vector<IndexExpr>& indices,
                                     const std::vector<int64_t>& shape) {
  std::vector<LogicalDim> dims;
  for (size_t j = 0; j < indices.size(); ++j)
    dims.push_back({dimension_name(indices[j], j, axes), shape[j]});
  return dims;
}

Computation define_written_sum(const Operator& op) {
  const WrittenSum& sum = *op.sum;
  Computation c;
  c.output.tensor = "Y";
  Tensor ty{"Y", {}, TensorRole::output};
  for (size_t a = 0; a < sum.axes.size(); ++a) {
    const auto& [name, extent] = sum.axes[a];
    c.axes.push_back({name, extent, a >= sum.num_output_axes});
    if (a >= sum.num_output_axes) continue;
    c.output.indices.push_back(var(name));
    ty.dims.push_back({name, extent});
  }
  c.reads = {{"X", sum.input}, {"W", sum.weight}};
  c.tensors = {{"X", written_dims(c.axes, sum.input, sum.input_shape), TensorRole::activation},
               {"W", written_dims(c.axes, sum.weight, sum.weight_shape),
                sum.weight_is_constant ? TensorRole::constant : TensorRole::activation},
               std::move(ty)};
  std::vector<std::string> channels;
  if (const int bias = bias_axis(sum); bias >= 0)
    channels.push_back(sum.axes[static_cast<size_t>(bias)].name);
  add_epilogues(op, channels, c);
  return c;
}

}  // namespace

Computation define(const Operator& op) {
  if (op.kind == OperatorKind::custom) return define_written_sum(op);
  if (is_matrix_product(op.kind)) return define_matrix_product(op);
  return define_convolution(op);
}

namespace {

Value sigmoid(const Value& x) {
  const Value denominator =
      binary(BinaryOp::add, unary(UnaryOp::exp, binary(BinaryOp::sub, 0.0, x)), 1.0);
  return binary(BinaryOp::div, 1.0, denominator);
}

// x·Φ(x) with the exact error function, as ONNX and PyTorch define it.
Value gelu(const Value& x) {
  const Value erf = unary(UnaryOp::erf, binary(BinaryOp::mul, x, std::sqrt(0.5)));
  return binary(BinaryOp::mul, binary(BinaryOp::mul, x, 0.5), binary(BinaryOp::add, erf, 1.0));
}

Value clip(const Value& x, double lo, double hi) {
  return binary(BinaryOp::min, binary(BinaryOp::max, x, lo), hi);
}

}  // namespace

Value apply_epilogues(Value sum, const std::vector<Epilogue>& epilogues,
                      const std::vector<Value>& reads) {
  auto read = reads.begin();
  for (const Epilogue& epilogue : epilogues) {
    switch (epilogue.kind) {
      case EpilogueKind::bias:
      case EpilogueKind::add:
        CHECK(read != reads.end(), "an epilogue has no tensor to read");
        sum = binary(BinaryOp::add, sum, *read++);
        break;
      case EpilogueKind::relu: sum = binary(BinaryOp::max, sum, 0.0); break;
      case EpilogueKind::relu6: sum = clip(sum, 0.0, 6.0); break;
      case EpilogueKind::clip: sum = clip(sum, epilogue.lo, epilogue.hi); break;
      case EpilogueKind::gelu: sum = gelu(sum); break;
      case EpilogueKind::silu: sum = binary(BinaryOp::mul, sum, sigmoid(sum)); break;
      case EpilogueKind::sigmoid: sum = sigmoid(sum); break;
      case EpilogueKind::tanh: sum = unary(UnaryOp::tanh, sum); break;
    }
  }
  return sum;
}

std::vector<int64_t> shape_of(const Tensor& tensor) { return extents_of(tensor.dims); }

int64_t tensor_bytes(const Tensor& tensor) {
  return num_elements(shape_of(tensor)) * bytes_of(tensor.type);
}

ComputedType type_of(const Computation& computation, const Value& value) {
  return type_of(value, [&](const Value& leaf) {
    const auto* read = leaf.as<ReadOf>();
    if (read == nullptr) {
      const ComputedType element = type_of(computation, computation.element);
      return computation.reducer == Reducer::none ? element : reduced_type(element);
    }
    const Access& access = computation.reads[static_cast<size_t>(read->position)];
    const bool is_table = find_table(computation, access.tensor) != nullptr;
    return is_table ? ComputedType::real
                    : computed_type(tensor_named(computation, access.tensor).type);
  });
}

const Tensor& tensor_named(const Computation& computation, const std::string& name) {
  for (const Tensor& tensor : computation.tensors)
    if (tensor.name == name) return tensor;
  CHECK(false, "no tensor named " + name);
}

bool reads_tensor(std::span<const Access> reads, const std::string& tensor) {
  return std::ranges::find(reads, tensor, &Access::tensor) != reads.end();
}

void for_each_index(const Value& value, std::span<const Access> reads,
                    const std::function<void(const IndexExpr&)>& visit) {
  for_each_node(value, [&](const Value& node) {
    if (const auto* read = node.as<ReadOf>())
      for (const IndexExpr& e : reads[static_cast<size_t>(read->position)].indices) visit(e);
    else if (const auto* at = node.as<IndexValue>())
      visit(at->index);
    else if (const auto* s = node.as<Select>())
      for (const Bound& bound : s->bounds) visit(bound.expr);
  });
}

std::string dimension_name(const IndexExpr& index, size_t position, std::span<const Axis> axes) {
  const auto named =
      std::ranges::find_if(axes, [&](const Axis& axis) { return index.mentions(axis.name); });
  return named == axes.end() ? "_" + std::to_string(position) : named->name;
}

const CoefficientTable* find_table(const Computation& computation, const std::string& name) {
  const auto it = std::ranges::find(computation.tables, name, &CoefficientTable::name);
  return it == computation.tables.end() ? nullptr : &*it;
}

Ranges axis_ranges(const Computation& computation) {
  Ranges ranges;
  for (const Axis& axis : computation.axes) ranges[axis.name] = {0, axis.extent - 1};
  for (const GatherIndex& index : computation.gathers) ranges[index.name] = {0, index.extent - 1};
  return ranges;
}

namespace {

// x with a·x ≡ 1 (mod m), for a that has no factor in common with m > 1.
int64_t inverse(int64_t a, int64_t m) {
  int64_t r = m, next_r = ((a % m) + m) % m, x = 0, next_x = 1;
  while (next_r != 0) {
    const int64_t quotient = r / next_r;
    std::tie(r, next_r) = std::pair(next_r, r - quotient * next_r);
    std::tie(x, next_x) = std::pair(next_x, x - quotient * next_x);
  }
  return ((x % m) + m) % m;
}

bool only_output_axes(const IndexExpr& e, const Computation& c) {
  return std::ranges::none_of(
      c.axes, [&](const Axis& axis) { return axis.reduction && e.mentions(axis.name); });
}

// The low digit of a reduction axis that a condition `e mod s = 0` fixes; nullopt if there is none.
std::optional<FixedDigit> fixed_digit(const Bound& condition, const Computation& c) {
  const std::vector<IndexTerm>& terms = condition.expr.terms();
  const bool divides = condition.lower == 0 && condition.upper == 1 && terms.size() == 1 &&
                       terms[0].coefficient == 1 && condition.expr.constant() == 0 &&
                       terms[0].atom.kind == IndexAtom::Kind::mod;
  if (!divides) return std::nullopt;
  const IndexExpr& e = *terms[0].atom.inner;
  const int64_t s = terms[0].atom.divisor;
  for (const Axis& axis : c.axes) {
    const int64_t a = e.coefficient(axis.name);
    const IndexExpr rest = e - var(axis.name) * a;
    if (!axis.reduction || std::gcd(a, s) != 1 || !only_output_axes(rest, c)) continue;
    return FixedDigit{axis.name, s, floor_mod(rest * (s - inverse(a, s)), s, {})};
  }
  return std::nullopt;
}

}  // namespace

std::vector<FixedDigit> fixed_digits(const Computation& computation) {
  std::vector<FixedDigit> result;
  for (const Access& access : element_reads(computation)) {
    for (const Bound& condition : access.conditions) {
      std::optional<FixedDigit> found = fixed_digit(condition, computation);
      const auto same = [&](const FixedDigit& f) { return f.axis == found->axis; };
      if (found && std::ranges::none_of(result, same)) result.push_back(std::move(*found));
    }
  }
  return result;
}

namespace {

size_t num_element_reads(const Computation& c) {
  int count = 0;
  const auto add = [&](const Value& node) {
    if (const auto* read = node.as<ReadOf>()) count = std::max(count, read->position + 1);
  };
  for_each_node(c.element, add);
  for (const GatherIndex& index : c.gathers) for_each_node(index.value, add);
  return static_cast<size_t>(count);
}

}  // namespace

std::span<const Access> element_reads(const Computation& computation) {
  return std::span(computation.reads).first(num_element_reads(computation));
}

std::span<Access> element_reads(Computation& computation) {
  return std::span(computation.reads).first(num_element_reads(computation));
}

std::span<const Access> result_reads(const Computation& computation) {
  return std::span(computation.reads).subspan(num_element_reads(computation));
}

bool is_product_sum(const Computation& c) {
  const auto fits = [](const Value& node) {
    const auto* b = node.as<Binary>();
    const auto* rounding = node.as<Cast>();
    return node.as<ReadOf>() != nullptr || (b != nullptr && b->op == BinaryOp::mul) ||
           (rounding != nullptr && is_tf32(rounding->type));
  };
  const bool zeros =
      std::ranges::all_of(element_reads(c), [](const Access& a) { return a.outside == 0; });
  return c.reducer == Reducer::sum && c.gathers.empty() && zeros &&
         !any_node(c.element, [&](const Value& node) { return !fits(node); });
}

bool rounds_factors(const Computation& c) {
  return any_node(c.element, [](const Value& node) { return node.as<Cast>() != nullptr; });
}

Value finished(const Computation& computation, const Value& reduced) {
  if (computation.reducer == Reducer::none) return reduced;
  return with_reads(computation.result, [](int position) { return ReadOf{position}; }, reduced);
}

}  // namespace dovetail
