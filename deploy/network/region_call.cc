// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/region_call.h"

#include <algorithm>
#include <ranges>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "core/ir/layout/restate.h"
#include "core/ir/region/canonical.h"
#include "deploy/network/region_forms.h"
#include "primitives/apply.h"
#include "primitives/copy.h"
#include "primitives/loop/caching.h"
#include "primitives/lowering/lower.h"

namespace dovetail {

Result<RegionCall> RegionCall::make(const Region& region, const NodeRegion& node,
                                    const Graph& graph, const TraceOfTask& trace_of,
                                    const Target& target) {
  CanonicalTask task = canonical(region);
  RegionCall call;
  call.trace_ = TRY(trace_of(task.spec));
  call.task_ = std::move(task.spec);
  call.target_ = target;
  call.names_ = std::move(task.names);
  for (const auto& [name, id] : node.given)
    if (const auto found = call.names_.find(name); found != call.names_.end())
      call.tensors_[found->second] = id;
  for (const auto& [name, id] : node.made) {
    call.tensors_[call.names_.at(name)] = id;
    call.made_.emplace_back(call.names_.at(name), id);
  }
  call.region_ = call.task_.region;
  for (const Tensor& tensor : given_tensors(call.task_.region))
    if (tensor.role == TensorRole::constant &&
        !graph.tensors[static_cast<size_t>(call.tensor(tensor.name))].constant)
      call.let_change(tensor.name);
  return call;
}

void RegionCall::let_change(const std::string& tensor) {
  changing_ += " " + tensor;
  for (NamedComputation& named : region_.computations)
    for (Tensor& own : named.computation.tensors)
      if (own.name == tensor) own.role = TensorRole::activation;
}

void RegionCall::set_forms(const StoredForms& forms, const Region& original) {
  if (forms.empty()) return;
  for (const Tensor& tensor : tensors_of(original)) {
    const auto form = forms.find(tensor.name);
    const auto name = names_.find(tensor.name);
    if (name == names_.end()) continue;
    stored_[name->second] = {form == forms.end() ? row_major_form(tensor.dims) : form->second,
                             tensor.dims};
  }
}

Result<void> RegionCall::lower(const Border& border) {
  Result<Schedule> schedule = apply(trace_, region_, border, target_);
  // A trace may rely on constant weights, to append a bias to them or to sum them up beforehand;
  // the direct default trace does not.
  if (!schedule && !changing_.empty()) {
    trace_ = TRY(default_traces(target_, definition_only)(task_));
    schedule = apply(trace_, region_, border, target_);
  }
  program_ = TRY(dovetail::lower(TRY(std::move(schedule)), target_));
  border_ = border;
  return {};
}

Result<Border> RegionCall::lower_in_graph(const Graph& graph, const NetworkOutputs& outputs) {
  Border border;
  for (const auto& [name, id] : made_)
    if (outputs.wants_row_major(id)) border.tensors.push_back(row_major_border(name));
  TRY(lower(border));
  const size_t stated = border.tensors.size();
  Border nearest = border;
  for (const Buffer& buffer : program_.buffers) {
    if (buffer.role != BufferRole::activation && buffer.role != BufferRole::output) continue;
    if (find_border(border, buffer.tensor) != nullptr) continue;
    const std::vector<int64_t> shape = shape_in(graph, tensor(buffer.tensor));
    if (form_in_graph(buffer, shape)) continue;
    const BorderTensor row_major = row_major_border(buffer.tensor), near = nearest_border(buffer);
    // A block of a dimension that merges several of the graph's may not be expressible in these.
    const bool is_of_graph =
        restated(near.layout, shape_of(region_tensor(buffer.tensor)), shape).has_value();
    nearest.tensors.push_back(is_of_graph ? near : row_major);
    border.tensors.push_back(row_major);
  }
  if (border.tensors.size() == stated) return border;
  // A device's loops may lack the split that a blocked copy needs.
  if (lower(nearest)) return nearest;
  TRY(lower(border));
  return border;
}

std::string RegionCall::key() const {
  return fmt::format("{}\n{}{}", print(TaskSpec(region_, border_)), print(trace_), changing_);
}

NetworkStep RegionCall::step(std::optional<size_t> node) const {
  return {.node = node, .task = task_, .border = border_, .trace = trace_};
}

TensorId RegionCall::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  CHECK(found != tensors_.end(), "the region has no tensor " + name + " of the graph");
  return found->second;
}

Border RegionCall::framework() const { return framework_border(region_); }

Tensor RegionCall::region_tensor(const std::string& name) const {
  const std::vector<Tensor> tensors = tensors_of(region_);
  const auto found = std::ranges::find(tensors, name, &Tensor::name);
  CHECK(found != tensors.end(), "the region has no tensor " + name);
  return *found;
}

BorderTensor RegionCall::row_major_border(const std::string& tensor) const {
  return {.tensor = tensor, .layout = row_major_form(region_tensor(tensor).dims)};
}

BorderTensor RegionCall::nearest_border(const Buffer& buffer) const {
  const BorderTensor row_major = row_major_border(buffer.tensor);
  const Layout& own = buffer.layout;
  if (!own.guests.empty() || own.scope != MemoryScope::global || stored_.contains(buffer.tensor))
    return row_major;
  const auto cropped = without_padding(dovetail::normal_form(own), own.logical);
  return cropped ? BorderTensor{.tensor = buffer.tensor, .layout = *cropped} : row_major;
}

std::optional<BorderTensor> RegionCall::border_from_graph(const std::string& tensor,
                                                          const NormalLayout& form,
                                                          const std::vector<int64_t>& shape) const {
  const auto own = restated(form, shape, shape_of(region_tensor(tensor)));
  if (!own) return std::nullopt;
  return BorderTensor{.tensor = tensor, .layout = *own};
}

std::optional<NormalLayout> RegionCall::own_form(const Buffer& buffer) const {
  const auto stored = stored_.find(buffer.tensor);
  const NormalLayout form = dovetail::normal_form(buffer.layout);
  if (stored == stored_.end()) return form;
  return composed(stored->second.form, extents_of(stored->second.dims), form,
                  extents_of(buffer.layout.logical));
}

std::optional<NormalLayout> RegionCall::form_in_graph(const Buffer& buffer,
                                                      const std::vector<int64_t>& shape) const {
  // Tensors between regions are in buffers: a consumer that reads an image makes it.
  if (!buffer.layout.guests.empty() || buffer.layout.scope != MemoryScope::global)
    return std::nullopt;
  const std::optional<NormalLayout> form = own_form(buffer);
  if (!form) return std::nullopt;
  const auto stored = stored_.find(buffer.tensor);
  const std::vector<int64_t> own =
      extents_of(stored == stored_.end() ? buffer.layout.logical : stored->second.dims);
  return restated(*form, own, shape);
}

bool RegionCall::copies(const Buffer& buffer) const {
  if (is_copied_to_local(trace_, buffer.tensor)) return true;
  return std::ranges::any_of(program_.buffers, [&](const Buffer& other) {
    return other.role == BufferRole::temporary && other.tensor == buffer.tensor;
  });
}

Result<Buffer> RegionCall::in_own_dims(Buffer buffer) const {
  const auto stored = stored_.find(buffer.tensor);
  if (stored == stored_.end()) return buffer;
  const auto form = buffer.layout.guests.empty() ? own_form(buffer) : std::nullopt;
  if (!form)
    return fail("constant {} is stored as {}, which has no form of {} dimensions", buffer.tensor,
                print(buffer.layout, buffer.tensor), stored->second.dims.size());
  const int64_t times = buffer.layout.times;
  buffer.layout = layout_of(*form, stored->second.dims);
  buffer.layout.times = times;
  return buffer;
}

std::optional<std::vector<size_t>> moved_dims(const Region& region) {
  if (region.computations.size() != 1) return std::nullopt;
  const Computation& copy = region.computations[0].computation;
  if (!is_copy(copy) || copy.reads.size() != 1 || !copy.reads[0].conditions.empty())
    return std::nullopt;
  const Access& read = copy.reads[0];
  const Tensor& given = tensor_named(copy, read.tensor);
  const Tensor& made = tensor_named(copy, copy.output.tensor);
  if (given.type != made.type) return std::nullopt;
  const std::vector<int64_t> from = shape_of(given), to = shape_of(made);
  std::vector<size_t> order;
  for (size_t o = 0; o < copy.output.indices.size(); ++o) {
    const auto found = std::ranges::find(read.indices, copy.output.indices[o]);
    if (found == read.indices.end()) return std::nullopt;
    order.push_back(static_cast<size_t>(found - read.indices.begin()));
    if (from[order.back()] != to[o]) return std::nullopt;
  }
  const auto all = std::views::iota(size_t{0}, read.indices.size());
  if (!std::ranges::is_permutation(order, all)) return std::nullopt;
  return order;
}

Result<RegionCall> conversion_call(const GraphTensor& tensor, const std::vector<LogicalDim>& dims,
                                   const NormalLayout& from, const NormalLayout& to,
                                   const TraceOfTask& trace_of, const Target& target) {
  const Computation moved = copy_computation(
      {.name = "X", .dims = dims, .role = TensorRole::activation, .type = tensor.type}, "Y");
  const Region copy{.computations = {{"Y", moved}}, .outputs = {"Y"}, .anchor = {}};
  const StoredForms forms{{"X", from}, {"Y", to}};
  const Region stored = TRY(stored_region(copy, forms));
  const NodeRegion node{.spec = {}, .given = {{"X", 0}}, .made = {{"Y", 1}}, .reason = {}};
  const Graph graph{
      .name = {}, .tensors = {tensor, tensor}, .nodes = {}, .inputs = {}, .outputs = {}};
  RegionCall call = TRY(RegionCall::make(stored, node, graph, trace_of, target));
  call.set_forms(forms, copy);
  TRY(call.lower(call.framework()));
  return call;
}

}  // namespace dovetail
