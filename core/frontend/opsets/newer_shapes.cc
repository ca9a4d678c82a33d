// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/opsets/newer_shapes.h"

#include <onnx/defs/shape_inference.h>
#include <onnx/defs/tensor_proto_util.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "core/frontend/graph_edit.h"
#include "core/frontend/opsets/kept_proportions.h"

namespace dovetail::newer_shapes {
namespace {

using onnx::InferenceContext;
using Extents = std::vector<int64_t>;

// The shape of the first input, if all of it is known.
std::optional<Extents> extents_of(const InferenceContext& context) {
  const onnx::TypeProto* const type = context.getInputType(0);
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape())
    return std::nullopt;
  Extents extents;
  for (const auto& dim : type->tensor_type().shape().dim()) {
    if (!dim.has_dim_value()) return std::nullopt;
    extents.push_back(dim.dim_value());
  }
  return extents;
}

bool has(const InferenceContext& context, size_t input) {
  return context.getNumInputs() > input && context.getInputType(input) != nullptr;
}

// The numbers of an input that is constant.
template <typename Number>
std::optional<std::vector<Number>> constant(const InferenceContext& context, size_t input) {
  const onnx::TensorProto* const data = has(context, input) ? context.getInputData(input) : nullptr;
  if (data == nullptr) return std::nullopt;
  return onnx::ParseData<Number>(data);
}

void give(InferenceContext& context, size_t output, const Extents& extents) {
  onnx::TypeProto* const type = context.getOutputType(output);
  if (type == nullptr) return;
  auto& shape = *type->mutable_tensor_type()->mutable_shape();
  shape.clear_dim();
  for (const int64_t extent : extents) shape.add_dim()->set_dim_value(extent);
}

// The axes with these numbers, all axes without numbers; nullopt if one is out of range.
std::optional<std::vector<size_t>> axes_of(const std::optional<Extents>& numbers, size_t rank) {
  std::vector<size_t> axes(numbers ? numbers->size() : rank);
  std::iota(axes.begin(), axes.end(), size_t{0});
  for (size_t i = 0; numbers && i < axes.size(); ++i) {
    const auto axis = axis_of((*numbers)[i], rank);
    if (!axis) return std::nullopt;
    axes[i] = *axis;
  }
  return axes;
}

std::optional<Extents> axes_attribute(const InferenceContext& context) {
  const onnx::AttributeProto* const found = context.getAttribute("axes");
  if (found == nullptr) return std::nullopt;
  return Extents(found->ints().begin(), found->ints().end());
}

// The length of each part; nullopt if unknown.
std::optional<Extents> part_lengths(InferenceContext& context, int64_t extent) {
  if (has(context, 1)) return constant<int64_t>(context, 1);
  const auto outputs = static_cast<int64_t>(context.getNumOutputs());
  const int64_t parts = onnx::getAttribute(context, "num_outputs", outputs);
  if (parts != outputs || parts < 1) return std::nullopt;
  const int64_t each = (extent + parts - 1) / parts;
  Extents lengths(static_cast<size_t>(parts), each);
  lengths.back() = extent - each * (parts - 1);
  return lengths;
}

std::optional<Extents> resized(const InferenceContext& context, Extents extents,
                               const std::vector<size_t>& axes) {
  if (const auto scales = constant<float>(context, 2); scales && !scales->empty()) {
    if (scales->size() != axes.size()) return std::nullopt;
    for (size_t i = 0; i < axes.size(); ++i)
      extents[axes[i]] =
          static_cast<int64_t>(std::floor(static_cast<float>(extents[axes[i]]) * (*scales)[i]));
    return extents;
  }
  const auto sizes = constant<int64_t>(context, 3);
  if (!sizes || sizes->size() != axes.size()) return std::nullopt;
  const onnx::AttributeProto* const policy = context.getAttribute("keep_aspect_ratio_policy");
  const auto kept = kept_scale(policy == nullptr ? "stretch" : policy->s(), *sizes, extents, axes);
  for (size_t i = 0; i < axes.size(); ++i)
    extents[axes[i]] = kept ? scaled_extent(extents[axes[i]], *kept) : (*sizes)[i];
  return extents;
}

Extents integers(const InferenceContext& context, const char* name, Extents otherwise) {
  const onnx::AttributeProto* const found = context.getAttribute(name);
  return found == nullptr ? otherwise : Extents(found->ints().begin(), found->ints().end());
}

// Windows along one axis, whose padding is `before` and `after`.
struct WindowAxis {
  int64_t extent, reach, stride, before, after;
};

int64_t count_windows(const WindowAxis& axis, const std::string& automatic, bool ceil) {
  if (automatic.starts_with("SAME")) return (axis.extent + axis.stride - 1) / axis.stride;
  const bool valid = automatic == "VALID";
  const int64_t rest = axis.extent - axis.reach + (valid ? 0 : axis.before + axis.after) +
                       (ceil ? axis.stride - 1 : 0);
  const int64_t count = rest / axis.stride + 1;
  const bool begins_behind = ceil && (count - 1) * axis.stride >= axis.extent + axis.before;
  return begins_behind ? count - 1 : count;
}

}  // namespace

void same_as_input(InferenceContext& context) {
  onnx::propagateShapeAndTypeFromFirstInput(context);
}

void split(InferenceContext& context) {
  for (size_t i = 0; i < context.getNumOutputs(); ++i)
    onnx::propagateElemTypeFromInputToOutput(context, 0, i);
  auto extents = extents_of(context);
  if (!extents) return;
  const auto axis = axis_of(onnx::getAttribute(context, "axis", 0), extents->size());
  if (!axis) return;
  const auto lengths = part_lengths(context, (*extents)[*axis]);
  if (!lengths || lengths->size() != context.getNumOutputs()) return;
  for (size_t i = 0; i < lengths->size(); ++i) {
    (*extents)[*axis] = (*lengths)[i];
    give(context, i, *extents);
  }
}

void pad(InferenceContext& context) {
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  auto extents = extents_of(context);
  const auto pads = constant<int64_t>(context, 1);
  const auto numbers = constant<int64_t>(context, 3);
  if (!extents || !pads || (has(context, 3) && !numbers)) return;
  const auto axes = axes_of(numbers, extents->size());
  if (!axes || pads->size() != 2 * axes->size()) return;
  for (size_t i = 0; i < axes->size(); ++i)
    (*extents)[(*axes)[i]] += (*pads)[i] + (*pads)[i + axes->size()];
  give(context, 0, *extents);
}

void resize(InferenceContext& context) {
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  const auto extents = extents_of(context);
  const auto axes = extents ? axes_of(axes_attribute(context), extents->size()) : std::nullopt;
  if (!axes) return;
  if (const auto found = resized(context, *extents, *axes)) give(context, 0, *found);
}

void pool(InferenceContext& context) {
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  if (context.getNumOutputs() > 1) onnx::updateOutputElemType(context, 1, onnx::TensorProto::INT64);
  auto extents = extents_of(context);
  if (!extents || extents->size() < 3) return;
  const size_t count = extents->size() - 2;
  const Extents kernel = integers(context, "kernel_shape", {});
  const Extents strides = integers(context, "strides", Extents(count, 1));
  const Extents dilations = integers(context, "dilations", Extents(count, 1));
  const Extents pads = integers(context, "pads", Extents(2 * count, 0));
  const bool fit = kernel.size() == count && strides.size() == count && dilations.size() == count &&
                   pads.size() == 2 * count;
  if (!fit || std::ranges::min(strides) < 1) return;
  const std::string automatic = onnx::getAttribute(context, "auto_pad", "NOTSET");
  const bool ceil = onnx::getAttribute(context, "ceil_mode", 0) != 0;
  for (size_t i = 0; i < count; ++i) {
    const WindowAxis axis = {.extent = (*extents)[i + 2],
                             .reach = (kernel[i] - 1) * dilations[i] + 1,
                             .stride = strides[i],
                             .before = pads[i],
                             .after = pads[i + count]};
    (*extents)[i + 2] = count_windows(axis, automatic, ceil);
  }
  for (size_t i = 0; i < context.getNumOutputs(); ++i) give(context, i, *extents);
}

void dequantize(InferenceContext& context) {
  onnx::propagateElemTypeFromInputToOutput(context, 1, 0);
  if (const auto extents = extents_of(context)) give(context, 0, *extents);
}

void quantize(InferenceContext& context) {
  const int64_t given = onnx::getAttribute(context, "output_dtype", 0);
  if (has(context, 2))
    onnx::propagateElemTypeFromInputToOutput(context, 2, 0);
  else
    onnx::updateOutputElemType(context, 0,
                               given == 0 ? onnx::TensorProto::UINT8 : static_cast<int32_t>(given));
  if (const auto extents = extents_of(context)) give(context, 0, *extents);
}

void center_crop_pad(InferenceContext& context) {
  onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
  auto extents = extents_of(context);
  const auto wanted = constant<int64_t>(context, 1);
  const auto axes = extents ? axes_of(axes_attribute(context), extents->size()) : std::nullopt;
  if (!wanted || !axes || wanted->size() != axes->size()) return;
  for (size_t i = 0; i < axes->size(); ++i) (*extents)[(*axes)[i]] = (*wanted)[i];
  give(context, 0, *extents);
}

}  // namespace dovetail::newer_shapes
