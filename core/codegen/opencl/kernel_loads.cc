// SPDX-License-Identifier: Apache-2.0
// Loads: register tiles, buffers and images, scalar or in vectors.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.h"
#include "core/codegen/opencl/kernel_writer.h"

namespace dovetail::opencl {
namespace {

// -1 when the component is not a constant.
int constant_component(const IndexExpr& e) {
  return e.is_constant() ? static_cast<int>(e.constant()) : -1;
}

bool is_vector_width(size_t count) { return count <= 4 || count == 8 || count == 16; }

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

ComputedType KernelWriter::type_of_load(const Value& value) const {
  const auto* load = value.as<Load>();
  if (load == nullptr) return ComputedType::real;
  if (const TilePlan* tile = find_tile(load->buffer)) return computed_type(tile->type);
  return computed_type(view_of(load->buffer).buffer->dtype);
}

std::string component_text(std::string_view vector, int vector_width,
                           const std::vector<int>& components) {
  if (vector_width == 1) return std::string(vector);
  bool is_whole = static_cast<int>(components.size()) == vector_width;
  std::string digits;
  for (size_t i = 0; i < components.size(); ++i) {
    is_whole = is_whole && components[i] == static_cast<int>(i);
    digits += "0123456789abcdef"[components[i]];
  }
  if (is_whole) return std::string(vector);
  if (digits.size() == 1 && vector_width <= 4)
    return fmt::format("{}.{}", vector, "xyzw"[components[0]]);
  return fmt::format("{}.s{}", vector, digits);
}

Code KernelWriter::load_code(const Load& load, const Lanes& lanes) {
  if (const ComputedType type = type_of_load(load); type != ComputedType::real) {
    const std::string at =
        index(lane_values(position_of(load.buffer, load.indices)[0], scope_, lanes)[0]);
    const TilePlan* tile = find_tile(load.buffer);
    const std::string& array =
        tile != nullptr ? tile->variables[0].name : view_of(load.buffer).name;
    const std::string element = fmt::format("{}[{}]", array, at);
    if (type == ComputedType::boolean)
      return {fmt::format("({} != 0)", element), 1, true, false, type};
    return {fmt::format("(long){}", element), 1, true, false, type};
  }
  const Position position = position_of(load.buffer, load.indices);
  if (const TilePlan* plan = find_tile(load.buffer))
    return load_tile(*plan, lane_values(position[0], scope_, lanes));
  const BufferView& view = view_of(load.buffer);
  if (view.is_image) return load_image(view, position, lanes);
  const Neighbours around = neighbours_of(load, lanes);
  if (around.width > 1) {
    const std::string text = contiguous_text(view, around.first, around.width);
    if (!is_speculative_ || find_name(text) != nullptr) {
      return {component_text(named_load(view, text, around.width, true), around.width,
                             {around.component})};
    }
  }
  return load_buffer(view, lane_values(position[0], scope_, lanes));
}

// An element of a local tile of f16 or bf16; aligned vectors of f16 are read at once.
Code KernelWriter::load_half_tile(const TilePlan& plan, const LaneValues& positions) const {
  const int width = static_cast<int>(positions.size());
  const std::string& array = plan.variables[0].name;
  const bool is_f16 = plan.type == ElementType::f16;
  if (is_f16 && width > 1 && is_contiguous(positions) && is_multiple(positions[0], width))
    return {fmt::format("vloada_half{}(0, (__local const half*){} + {})", width, array,
                        index(positions[0])),
            width};
  std::vector<std::string> parts;
  for (const IndexExpr& e : positions)
    parts.push_back(is_f16 ? fmt::format("vload_half({}, (__local const half*){})", index(e), array)
                           : fmt::format("from_bfloat({}[{}])", array, index(e)));
  return {width == 1 ? parts[0] : vector_literal(width, joined(parts)), width};
}

Code KernelWriter::load_tile(const TilePlan& plan, const LaneValues& positions) const {
  const int width = static_cast<int>(positions.size());
  const std::string& array = plan.variables[0].name;
  if (width > 1 && is_uniform(positions)) return load_tile(plan, {positions[0]});
  if (is_half(plan.type)) return load_half_tile(plan, positions);
  if (plan.is_array) {
    if (width == 1) return {fmt::format("{}[{}]", array, index(positions[0]))};
    if (is_contiguous(positions)) {
      const std::string at = index(positions[0]);
      if (plan.is_local && is_multiple(positions[0], width))
        return {fmt::format("*(__local const {}*)({} + {})", float_type(width), array, at), width};
      return {fmt::format("vload{}(0, {} + {})", width, array, at), width};
    }
    std::vector<std::string> parts;
    for (const IndexExpr& e : positions) parts.push_back(fmt::format("{}[{}]", array, index(e)));
    return {vector_literal(width, joined(parts)), width};
  }
  std::vector<std::string> parts;
  std::vector<int> components;
  int variable = -1;
  const auto finish = [&] {
    if (components.empty()) return;
    const TileVariable& from = plan.variables[static_cast<size_t>(variable)];
    if (is_vector_width(components.size()))
      parts.push_back(component_text(from.name, from.width, components));
    else
      for (const int c : components) parts.push_back(component_text(from.name, from.width, {c}));
    components.clear();
  };
  for (const IndexExpr& e : positions) {
    CHECK(e.is_constant() && e.constant() >= 0 &&
              e.constant() < static_cast<int64_t>(plan.elements.size()),
          "register tile " + plan.tile + " read at " + print(e));
    const TileElement element = plan.elements[static_cast<size_t>(e.constant())];
    if (element.variable != variable) finish();
    variable = element.variable;
    components.push_back(element.component);
  }
  finish();
  if (parts.size() == 1) return {parts[0], width};
  return {vector_literal(width, joined(parts)), width};
}

// Unaligned half vectors are split: PoCL reads them with instructions that require alignment.
bool is_one_access(const BufferView& view, const LaneValues& offsets) {
  if (!is_contiguous(offsets) || view.buffer->dtype == ElementType::bf16) return false;
  return view.buffer->dtype != ElementType::f16 ||
         is_multiple(offsets[0], static_cast<int64_t>(offsets.size()));
}

Code KernelWriter::load_buffer(const BufferView& view, const LaneValues& offsets) {
  const int width = static_cast<int>(offsets.size());
  if (width == 1 || is_uniform(offsets)) return load_contiguous(view, offsets[0], 1);
  if (is_one_access(view, offsets)) return load_contiguous(view, offsets[0], width);
  const auto middle = offsets.begin() + width / 2;
  const Code low = load_buffer(view, LaneValues(offsets.begin(), middle));
  const Code high = load_buffer(view, LaneValues(middle, offsets.end()));
  return {vector_literal(width, splat(low, width / 2) + ", " + splat(high, width / 2)), width};
}

KernelWriter::Neighbours KernelWriter::neighbours_of(const Load& load, const Lanes& lanes) {
  if (find_tile(load.buffer) != nullptr) return {};
  const BufferView& view = view_of(load.buffer);
  if (view.is_image || view.is_written) return {};
  const IndexExpr& position = position_of(load.buffer, load.indices)[0];
  const LaneValues offsets = lane_values(position, scope_, lanes);
  if (!is_uniform(offsets)) return {};
  for (const auto& [variable, extent] : scope_.extents) {
    const int width = extent % 4 == 0 ? 4 : extent % 2 == 0 ? 2 : 1;
    if (width == 1 || position.coefficient(variable) != 1) continue;
    if ((position - IndexExpr::variable(variable)).mentions(variable)) continue;
    const int component = static_cast<int>(scope_.values.at(variable).constant() % width);
    const IndexExpr first = offsets[0] - IndexExpr(component);
    if (is_multiple(first, width)) return {variable, width, component, first};
  }
  return {};
}

Code KernelWriter::load_contiguous(const BufferView& view, const IndexExpr& offset, int width) {
  return {named_load(view, contiguous_text(view, offset, width), width, !is_speculative_), width};
}

std::string KernelWriter::contiguous_text(const BufferView& view, const IndexExpr& offset,
                                          int width) const {
  const std::string at = index(offset);
  if (view.buffer->dtype == ElementType::f16) {
    return width == 1 ? fmt::format("vload_half({}, {})", at, view.name)
                      : fmt::format("vloada_half{}(0, {} + {})", width, view.name, at);
  }
  if (view.buffer->dtype == ElementType::bf16) {
    return width == 1 ? fmt::format("from_bfloat({}[{}])", view.name, at)
                      : fmt::format("as_float{0}(convert_uint{0}(vload{0}(0, {1} + {2})) << 16)",
                                    width, view.name, at);
  }
  if (view.buffer->dtype == ElementType::f64) {
    return width == 1
               ? fmt::format("(float){}[{}]", view.name, at)
               : fmt::format("convert_float{0}(vload{0}(0, {1} + {2}))", width, view.name, at);
  }
  if (width == 1) return fmt::format("{}[{}]", view.name, at);
  if (!is_multiple(offset, width)) return fmt::format("vload{}(0, {} + {})", width, view.name, at);
  return fmt::format("*(__global {}{}*)({} + {})", view.is_written ? "" : "const ",
                     float_type(width), view.name, at);
}

std::string coordinate_text(const BufferView& view, std::string_view x, std::string_view y,
                            std::string_view layer) {
  return view.image.is_array ? fmt::format("(int4)({}, {}, {}, 0)", x, y, layer)
                             : fmt::format("(int2)({}, {})", x, y);
}

std::string KernelWriter::texel_name(const BufferView& view, const Position& position,
                                     const Lanes& lane) {
  const auto at = [&](size_t part) { return index(lane_values(position[part], scope_, lane)[0]); };
  const std::string coordinate = coordinate_text(view, at(0), at(1), at(2));
  // Image reads never fault, so a read need not stay under its guard.
  return named_load(view, fmt::format("read_imagef({}, texel_sampler, {})", view.name, coordinate),
                    4, true);
}

Code KernelWriter::load_image(const BufferView& view, const Position& position,
                              const Lanes& lanes) {
  std::vector<std::string> texels;
  std::vector<IndexExpr> components;
  for (int lane = 0; lane < lanes.width; ++lane) {
    const Lanes one{lanes.variable, lanes.first + lane, 1};
    texels.push_back(texel_name(view, position, lanes.variable.empty() ? lanes : one));
    components.push_back(lane_values(position[3], scope_, lanes.variable.empty() ? lanes : one)[0]);
  }
  const bool is_same = lanes.width > 1 && is_uniform(components) &&
                       std::ranges::all_of(texels, [&](const auto& t) { return t == texels[0]; });
  const size_t count = is_same ? 1 : texels.size();
  std::vector<std::string> parts;
  for (size_t i = 0; i < count;) {
    std::vector<int> run;  // lanes 4j … 4j+3 that are one whole texel
    while (run.size() < 4 && i + run.size() < count && texels[i + run.size()] == texels[i] &&
           constant_component(components[i + run.size()]) == static_cast<int>(run.size())) {
      run.push_back(static_cast<int>(run.size()));
    }
    if (run.size() == 4) {
      parts.push_back(texels[i]);
      i += 4;
      continue;
    }
    const int component = constant_component(components[i]);
    parts.push_back(component >= 0
                        ? component_text(texels[i], 4, {component})
                        : fmt::format("texel_component({}, {})", texels[i], index(components[i])));
    ++i;
  }
  const int width = is_same ? 1 : lanes.width;
  if (parts.size() == 1) return {parts[0], width};
  return {vector_literal(width, joined(parts)), width};
}

const std::string* KernelWriter::find_name(const std::string& text) const {
  for (auto scope = names_.rbegin(); scope != names_.rend(); ++scope)
    if (const auto found = scope->find(text); found != scope->end()) return &found->second;
  return nullptr;
}

std::string KernelWriter::named_load(const BufferView& view, std::string text, int width,
                                     bool may_name) {
  if (view.is_written) return text;
  if (const std::string* found = find_name(text)) return *found;
  if (!may_name) return text;
  const std::string name = identifiers_.numbered(view.name);
  line(fmt::format("const {} {} = {};", float_type(width), name, text));
  names_.back().emplace(std::move(text), name);
  return name;
}

bool KernelWriter::depends_on_inputs_only(const Value& value) const {
  return !any_node(value, [&](const Value& node) {
    const auto* load = node.as<Load>();
    return load != nullptr &&
           (find_tile(load->buffer) != nullptr || view_of(load->buffer).is_written);
  });
}

// The input after which a guarded value is named; null when it reads no input.
const BufferView* KernelWriter::first_input(const Value& value) const {
  if (const auto* load = value.as<Load>())
    return find_tile(load->buffer) == nullptr ? &view_of(load->buffer) : nullptr;
  const BufferView* found = nullptr;
  const bool guarded = value.as<Select>() != nullptr;
  bool first = true;
  for_each_operand(value, [&](const Value& operand) {
    if (found == nullptr && (first || !guarded)) found = first_input(operand);
    first = false;
  });
  return found;
}

}  // namespace dovetail::opencl
