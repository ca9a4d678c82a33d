// SPDX-License-Identifier: Apache-2.0
// Stores: to register tiles, buffers and images, with `+=` as one multiply-add where the value is a
// product.
#include <fmt/format.h>

#include <algorithm>

#include "core/codegen/opencl/kernel_writer.h"

namespace dovetail::opencl {
namespace {

// Limit of statements per kernel: beyond it, compiling takes seconds, and tiles spill.
constexpr int64_t kMaxStatements = 4096;

std::vector<int> component_range(int first, int count) {
  std::vector<int> components;
  for (int i = 0; i < count; ++i) components.push_back(first + i);
  return components;
}

}  // namespace

Result<void> KernelWriter::write_store(const Store& store, const Lanes& lanes) {
  if (store.streaming)
    return error(
        fmt::format("{} is stored to past the caches; OpenCL C cannot say so", store.target));
  if (store.reducer == Reducer::sum && is_zero(store.value, lanes)) return {};
  if (++num_statements_ > kMaxStatements) {
    return error(fmt::format("unrolled loops expand to more than {} statements; unroll fewer loops",
                             kMaxStatements));
  }
  if (const TilePlan* plan = find_tile(store.target)) {
    store_tile(store, *plan, lanes);
    return {};
  }
  const BufferView& view = view_of(store.target);
  if (accumulates(store) && view.buffer->dtype == ElementType::boolean)
    return error(fmt::format("accumulates into {}, which holds {}; accumulate in registers",
                             store.target, name_of(view.buffer->dtype)));
  if (view.is_image) return store_image(store, view, lanes);
  store_buffer(store, view, lanes);
  return {};
}

// The element's value after the store, where it was `current`.
Code KernelWriter::updated(const Store& store, const Code& current, const Lanes& lanes) {
  const auto* node = store.value.as<Binary>();
  if (store.reducer == Reducer::sum && node != nullptr && node->op == BinaryOp::mul &&
      is_vectorizable(store.value)) {
    const Code left = value_code(node->left, lanes);
    const Code right = value_code(node->right, lanes);
    const int width = std::max({left.width, right.width, current.width});
    return {fmt::format("fma({}, {}, {})", splat(left, width), splat(right, width),
                        splat(current, width)),
            width};
  }
  const Code value = real_code(store.value, lanes);
  const int width = std::max(value.width, current.width);
  if (store.reducer == Reducer::sum || store.reducer == Reducer::prod) {
    return {fmt::format("{} {} {}", operand(current), store.reducer == Reducer::sum ? "+" : "*",
                        operand(value)),
            width, false};
  }
  return {fmt::format("{}({}, {})", store.reducer == Reducer::max ? "fmax" : "fmin",
                      splat(current, width), splat(value, width)),
          width};
}

// Names a vector value before its components are taken.
Code KernelWriter::named_value(Code value) {
  if (value.is_name || (value.width == 1 && value.is_operand)) return value;
  const std::string name = identifiers_.numbered("value");
  line(fmt::format("const {} {} = {};", float_type(value.width), name, value.text));
  return {name, value.width, true, true};
}

void KernelWriter::store_half_tile(const TilePlan& plan, const LaneValues& positions,
                                   const Code& value) {
  const int width = static_cast<int>(positions.size());
  const std::string& array = plan.variables[0].name;
  if (plan.type == ElementType::f16 && width > 1 && is_contiguous(positions) &&
      is_multiple(positions[0], width)) {
    line(fmt::format("vstorea_half{}({}, 0, (__local half*){} + {});", width, splat(value, width),
                     array, index(positions[0])));
    return;
  }
  const Code named = width > 1 ? named_value(value) : value;
  for (int lane = 0; lane < width; ++lane) {
    const std::string element =
        component_text(named.text, named.width, {named.width == 1 ? 0 : lane});
    const std::string at = index(positions[static_cast<size_t>(lane)]);
    line(plan.type == ElementType::f16
             ? fmt::format("vstore_half({}, {}, (__local half*){});", element, at, array)
             : fmt::format("{}[{}] = to_bfloat({});", array, at, element));
  }
}

void KernelWriter::store_tile(const Store& store, const TilePlan& plan, const Lanes& lanes) {
  const LaneValues positions =
      lane_values(position_of(store.target, store.indices)[0], scope_, lanes);
  if (computed_type(plan.type) != ComputedType::real)
    return store_whole(store, plan.variables[0].name, plan.type, positions, lanes);
  const Code current = load_tile(plan, positions);
  Code value = accumulates(store) ? updated(store, current, lanes) : real_code(store.value, lanes);
  const int width = lanes.width;
  if (is_half(plan.type)) return store_half_tile(plan, positions, value);
  if (plan.is_array && width > 1 && is_contiguous(positions)) {
    const std::string at = fmt::format("{} + {}", plan.variables[0].name, index(positions[0]));
    const bool is_aligned = plan.is_local && is_multiple(positions[0], width);
    line(is_aligned
             ? fmt::format("*(__local {}*)({}) = {};", float_type(width), at, splat(value, width))
             : fmt::format("vstore{}({}, 0, {});", width, splat(value, width), at));
    return;
  }
  const bool is_variable = std::ranges::any_of(plan.variables, [&](const TileVariable& variable) {
    return variable.name == current.text && variable.width == width;
  });
  if (is_variable) {
    line(fmt::format("{} = {};", current.text, splat(value, width)));
    return;
  }
  if (width > 1) value = named_value(std::move(value));
  for (size_t lane = 0; lane < positions.size(); ++lane) {
    const int component = value.width == 1 ? 0 : static_cast<int>(lane);
    line(fmt::format("{} = {};", load_tile(plan, {positions[lane]}).text,
                     component_text(value.text, value.width, {component})));
  }
}

void KernelWriter::store_buffer(const Store& store, const BufferView& view, const Lanes& lanes) {
  const LaneValues offsets =
      lane_values(position_of(store.target, store.indices)[0], scope_, lanes);
  if (computed_type(view.buffer->dtype) != ComputedType::real) {
    store_whole(store, view.name, view.buffer->dtype, offsets, lanes);
    return;
  }
  const Code value = accumulates(store) ? updated(store, load_buffer(view, offsets), lanes)
                                        : real_code(store.value, lanes);
  store_lanes(view, offsets, value, 0);
}

// Stores integers and booleans lane by lane; C wraps values that do not fit.
void KernelWriter::store_whole(const Store& store, const std::string& array, ElementType type,
                               const LaneValues& offsets, const Lanes& lanes) {
  for (size_t lane = 0; lane < offsets.size(); ++lane) {
    const Lanes one = offsets.size() == 1
                          ? lanes
                          : Lanes{lanes.variable, lanes.first + static_cast<int64_t>(lane), 1};
    const std::string element = fmt::format("{}[{}]", array, index(offsets[lane]));
    const std::string value = whole_code(store.value, one).text;
    const char* const stored = element_text(type);
    if (type == ElementType::boolean)
      line(fmt::format("{} = ({}) != 0;", element, value));
    else if (store.reducer == Reducer::none)
      line(fmt::format("{} = ({})({});", element, stored, value));
    else if (store.reducer == Reducer::sum || store.reducer == Reducer::prod)
      line(fmt::format("{0} = ({1})((long){0} {2} ({3}));", element, stored,
                       store.reducer == Reducer::sum ? "+" : "*", value));
    else
      line(fmt::format("{0} = ({1}){2}((long){0}, (long)({3}));", element, stored,
                       store.reducer == Reducer::max ? "max" : "min", value));
  }
}

// Stores offsets.size() lanes of `value`, starting at component `first`; a scalar is broadcast.
void KernelWriter::store_lanes(const BufferView& view, const LaneValues& offsets, const Code& value,
                               int first) {
  const int width = static_cast<int>(offsets.size());
  const std::string at = index(offsets[0]);
  const std::string part = value.width == 1       ? value.text
                           : width == value.width ? value.text
                                                  : component_text(value.text, value.width,
                                                                   component_range(first, width));
  const bool is_half = view.buffer->dtype == ElementType::f16;
  if (width == 1 && view.buffer->dtype == ElementType::bf16) {
    line(fmt::format("{}[{}] = to_bfloat({});", view.name, at, part));
    return;
  }
  if (width == 1) {
    line(is_half ? fmt::format("vstore_half({}, {}, {});", part, at, view.name)
                 : fmt::format("{}[{}] = {};", view.name, at, part));
    return;
  }
  if (is_one_access(view, offsets)) {
    const bool is_aligned = is_multiple(offsets[0], width);
    const std::string vector = value.width == 1 ? vector_literal(width, part) : part;
    if (is_half)
      line(fmt::format("vstorea_half{}({}, 0, {} + {});", width, vector, view.name, at));
    else if (view.buffer->dtype == ElementType::f64)
      line(fmt::format("vstore{0}(convert_double{0}({1}), 0, {2} + {3});", width, vector, view.name,
                       at));
    else if (is_aligned)
      line(fmt::format("*(__global {}*)({} + {}) = {};", float_type(width), view.name, at, vector));
    else
      line(fmt::format("vstore{}({}, 0, {} + {});", width, vector, view.name, at));
    return;
  }
  const Code named = named_value(value);
  const auto middle = offsets.begin() + width / 2;
  store_lanes(view, LaneValues(offsets.begin(), middle), named, first);
  store_lanes(view, LaneValues(middle, offsets.end()), named, first + width / 2);
}

Result<void> KernelWriter::store_image(const Store& store, const BufferView& view,
                                       const Lanes& lanes) {
  if (accumulates(store)) {
    return error(
        fmt::format("accumulates into image {}; accumulate in registers", view.buffer->name));
  }
  const Position& position = position_of(store.target, store.indices);
  std::vector<LaneValues> parts;
  for (const IndexExpr& part : position) parts.push_back(lane_values(part, scope_, lanes));
  bool is_whole = lanes.width % 4 == 0;
  for (size_t lane = 0; is_whole && lane < parts[3].size(); ++lane) {
    is_whole = parts[3][lane] == IndexExpr(static_cast<int64_t>(lane % 4));
    for (size_t i = 0; i < 3; ++i)
      is_whole = is_whole && parts[i][lane] == parts[i][lane - lane % 4];
  }
  if (!is_whole) {
    return error(
        fmt::format("image {} is stored in parts of a texel; vectorize its innermost axis {}, of 4",
                    view.buffer->name, view.buffer->layout.axes.back().name));
  }
  Code value = real_code(store.value, lanes);
  if (lanes.width > 4) value = named_value(std::move(value));
  for (int first = 0; first < lanes.width; first += 4) {
    const auto at = [&](size_t part) { return index(parts[part][static_cast<size_t>(first)]); };
    const std::string coordinate = coordinate_text(view, at(0), at(1), at(2));
    const std::string texel =
        value.width <= 4 ? splat(value, 4)
                         : component_text(value.text, value.width, component_range(first, 4));
    line(fmt::format("write_imagef({}, {}, {});", view.name, coordinate, texel));
  }
  return {};
}

}  // namespace dovetail::opencl
