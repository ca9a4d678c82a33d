// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/lower_network.h"

#include <algorithm>
#include <map>
#include <memory>

#include "core/base/check.h"
#include "core/base/fail.h"
#include "deploy/network/linker.h"
#include "deploy/network/network_outputs.h"
#include "deploy/network/prefetch/prefetch_inputs.h"
#include "deploy/network/prefetch/prefetch_weights.h"
#include "deploy/network/region_call.h"
#include "deploy/network/region_forms.h"
#include "deploy/network/tensor_places.h"
#include "primitives/space/restricted.h"
#include "primitives/space/space.h"

namespace dovetail {
namespace {

class NetworkLowering {
 public:
  NetworkLowering(const Partition& parts, const Target& target, const TraceOfTask& trace_of,
                  const NetworkChoice& choice)
      : parts_(parts),
        target_(target),
        trace_of_(trace_of),
        choice_(choice),
        places_(parts.graph),
        outputs_(parts),
        linker_(parts.graph.name) {}

  Result<LoweredNetwork> lower() {
    for (const TensorId id : parts_.graph.inputs) hold_input(id);
    for (size_t node = 0; node < parts_.regions.size(); ++node) TRY(lower_node(node));
    for (const TensorId id : parts_.graph.outputs) TRY(hold_output(id));
    network_.program = prefetch_inputs(std::move(linker_).linked(), target_);
    if (choice_.prefetches_weights) network_.program = prefetch_weights(network_.program, target_);
    const Result<void> verified = verify(network_.program);
    CHECK(verified.has_value(), verified.error().message);
    return std::move(network_);
  }

 private:
  const GraphTensor& tensor(TensorId id) const {
    return parts_.graph.tensors[static_cast<size_t>(id)];
  }

  Buffer buffer_of(TensorId id, BufferRole role, const NormalLayout& form) const {
    return {.name = {},
            .tensor = {},
            .dtype = tensor(id).type,
            .role = role,
            .layout = layout_of(form, places_.dims(id))};
  }

  bool is_empty(TensorId id) const { return num_elements(places_.shape(id)) == 0; }

  void hold_input(TensorId id) {
    if (is_empty(id)) return;
    const NormalLayout row_major = places_.row_major(id);
    const std::string& name = tensor(id).name;
    places_.add(id, {linker_.hold(buffer_of(id, BufferRole::activation, row_major), name, {name}),
                     row_major});
  }

  // An output that no region writes directly is a copy.
  Result<void> hold_output(TensorId id) {
    if (outputs_.is_held(id) || is_empty(id)) return {};
    const NormalLayout row_major = places_.row_major(id);
    const std::string& name = tensor(id).name;
    if (tensor(id).constant && places_.of(id).empty()) TRY(place_constant(id, row_major));
    const size_t held = linker_.hold(buffer_of(id, BufferRole::output, row_major), name, {name});
    return convert(id, places_.of(id).front(), row_major, held);
  }

  Result<void> lower_node(size_t number) {
    const NodeRegion& node = parts_.regions[number];
    const std::string& name = parts_.graph.nodes[number].name;
    if (!node.reason.empty()) return fail("node {}: {}", name, node.reason);
    if (is_view(node)) return lower_view(number);
    const Region region = TRY(node.spec.value());
    if (choice_of(number).stays) return lower_transpose(number, region);
    const bool has_anchor = !region.anchor.empty();
    Result<void> done = has_anchor ? lower_anchor(number, region) : lower_stream(number, region);
    if (done) return {};
    return fail("node {} ({}): {}", name, node.spec.text(), done.error().message);
  }

  Result<void> lower_view(size_t number) {
    const NodeRegion& node = parts_.regions[number];
    const auto [from, to] = std::pair(node.given[0].second, node.made[0].second);
    if (is_empty(from)) return {};
    if (tensor(from).constant) return place_view_of_constant(from, to);
    TRY(ensure_chosen(number, from));
    if (places_.share(from, to)) return {};
    TRY(ensure(from, places_.row_major(from)));
    CHECK(places_.share(from, to),
          "a row-major tensor has every shape: " + tensor(from).name + " as " + tensor(to).name);
    return {};
  }

  Result<void> lower_transpose(size_t number, const Region& region) {
    const NodeRegion& node = parts_.regions[number];
    const auto order = moved_dims(region);
    CHECK(order.has_value(), "only a transpose can stay: " + node.spec.text());
    TRY(ensure_chosen(number, node.given[0].second));
    CHECK(places_.share(node.given[0].second, node.made[0].second, order),
          "every form has a transposed one");
    return {};
  }

  Result<void> ensure_chosen(size_t number, TensorId id) {
    const FormsOfTensors& forms = choice_of(number).forms;
    if (const auto found = forms.find(id); found != forms.end()) TRY(ensure(id, found->second));
    return {};
  }

  // A region with a product: its trace determines the layouts of its tensors.
  Result<void> lower_anchor(size_t number, const Region& region) {
    const std::optional<Trace>& chosen = choice_of(number).trace;
    const TraceOfTask own = [&](const KeyedTask&) -> Result<Trace> { return *chosen; };
    RegionCall call = TRY(RegionCall::make(region, parts_.regions[number], parts_.graph,
                                           chosen ? own : trace_of_, target_));
    const Border stated = TRY(call.lower_in_graph(parts_.graph, outputs_));
    const Border given = with_what_is_there(call, stated);
    // The trace may be illegal for the layouts that are there: then inputs are converted first.
    if (given.tensors.size() > stated.tensors.size() && !call.lower(given)) TRY(call.lower(stated));
    return bind(number, call);
  }

  // Adds the actual layouts of inputs that the call copies anyway, which saves their conversion.
  Border with_what_is_there(const RegionCall& call, Border border) const {
    for (const Buffer& buffer : call.program().buffers) {
      if (buffer.role != BufferRole::activation || find_border(border, buffer.tensor) != nullptr)
        continue;
      const TensorId id = call.tensor(buffer.tensor);
      const auto wanted = call.form_in_graph(buffer, places_.shape(id));
      if (!wanted || tensor(id).constant || places_.in_form(id, *wanted) || !call.copies(buffer))
        continue;
      auto stated =
          call.border_from_graph(buffer.tensor, places_.of(id).front().form, places_.shape(id));
      if (stated) border.tensors.push_back(*std::move(stated));
    }
    return border;
  }

  // Any other region: rewritten over the digits of the chosen layouts.
  Result<void> lower_stream(size_t number, const Region& region) {
    const NodeRegion& node = parts_.regions[number];
    const auto forms = forms_of_region(parts_.graph, region, node, choice_of(number).forms);
    if (!forms) return fail("the chosen layouts are no layouts of the region's tensors");
    const Region stored = TRY(stored_region(region, *forms));
    RegionCall call = TRY(RegionCall::make(stored, node, parts_.graph, trace_of_, target_));
    call.set_forms(*forms, region);
    TRY(call.lower(call.framework()));
    return bind(number, call);
  }

  const NodeChoice& choice_of(size_t number) const {
    static const NodeChoice kNothing;
    return choice_.nodes.empty() ? kNothing : choice_.nodes[number];
  }

  // Maps each buffer of the call's program to one of the network's.
  Result<void> bind(size_t number, const RegionCall& call) {
    const std::string& name = parts_.graph.nodes[number].name;
    std::vector<size_t> buffers;
    for (const Buffer& buffer : call.program().buffers)
      buffers.push_back(TRY(bind_buffer(name, call, buffer)));
    NetworkStep step = call.step(number);
    for (const auto& [made, id] : call.made()) step.made.emplace_back(id, places_.of(id)[0].buffer);
    linker_.call(name, call.key(), call.program(), std::move(buffers));
    network_.steps.push_back(std::move(step));
    return {};
  }

  Result<size_t> bind_buffer(const std::string& node, const RegionCall& call,
                             const Buffer& buffer) {
    const std::string name = node + "." + buffer.name;
    if (buffer.role == BufferRole::temporary || buffer.role == BufferRole::prepared)
      return linker_.hold(buffer, name);
    const TensorId id = call.tensor(buffer.tensor);
    if (buffer.role == BufferRole::constant || (tensor(id).constant && is_input(buffer.role)))
      return bind_constant(name, call, buffer);
    const auto form = call.form_in_graph(buffer, places_.shape(id));
    if (!form)
      return fail("{} is stored as {}, which is no form of the graph's tensor {}", buffer.tensor,
                  print(buffer.layout, buffer.tensor), tensor(id).name);
    if (buffer.role == BufferRole::activation) return ensure(id, *form);
    Buffer held = buffer_of(id, BufferRole::temporary, *form);
    std::vector<std::string> tensors;
    if (const auto output = outputs_.take(id, *form == places_.row_major(id))) {
      held.role = BufferRole::output;
      tensors.push_back(tensor(*output).name);
    }
    const size_t made = linker_.hold(std::move(held), tensor(id).name, std::move(tensors));
    places_.add(id, {made, *form});
    return made;
  }

  Result<size_t> bind_constant(const std::string& name, const RegionCall& call, Buffer buffer) {
    std::vector<std::string> tensors{tensor(call.tensor(buffer.tensor)).name};
    for (const Guest& guest : buffer.layout.guests)
      tensors.push_back(tensor(call.tensor(guest.tensor)).name);
    buffer.role = BufferRole::constant;
    return linker_.constant(TRY(call.in_own_dims(std::move(buffer))), name, std::move(tensors));
  }

  Result<void> place_constant(TensorId id, const NormalLayout& form) {
    const std::string& name = tensor(id).name;
    places_.add(id,
                {linker_.constant(buffer_of(id, BufferRole::constant, form), name, {name}), form});
    return {};
  }

  Result<void> place_view_of_constant(TensorId from, TensorId to) {
    if (!places_.in_form(from, places_.row_major(from)))
      TRY(place_constant(from, places_.row_major(from)));
    CHECK(places_.share(from, to), "a row-major constant has every shape");
    return {};
  }

  // The tensor's buffer in this layout; if there is none, converts it, for later consumers, too.
  Result<size_t> ensure(TensorId id, const NormalLayout& form) {
    if (const auto found = places_.in_form(id, form)) return *found;
    CHECK(!places_.of(id).empty(), "a tensor that is read was written");
    const TensorPlace from = places_.of(id).front();
    const size_t to = linker_.hold(buffer_of(id, BufferRole::temporary, form), tensor(id).name);
    TRY(convert(id, from, form, to));
    places_.add(id, {to, form});
    return to;
  }

  Result<void> convert(TensorId id, const TensorPlace& from, const NormalLayout& form, size_t to) {
    const NormalLayout row_major = places_.row_major(id);
    Result<RegionCall> call =
        conversion_call(tensor(id), places_.dims(id), from.form, form, trace_of_, target_);
    if (!call && from.form != row_major && form != row_major) {
      const size_t between = TRY(ensure(id, row_major));
      return convert(id, {between, row_major}, form, to);
    }
    if (!call) return fail("{}: {}", tensor(id).name, call.error().message);
    std::vector<size_t> buffers;
    for (const Buffer& buffer : call->program().buffers) {
      const bool is_end =
          buffer.role == BufferRole::activation || buffer.role == BufferRole::output;
      buffers.push_back(!is_end                                 ? linker_.hold(buffer, buffer.name)
                        : buffer.role == BufferRole::activation ? from.buffer
                                                                : to);
    }
    linker_.call("convert." + tensor(id).name, call->key(), call->program(), std::move(buffers));
    NetworkStep step = call->step(std::nullopt);
    step.converted = {from.form, form};
    step.made.emplace_back(id, to);
    network_.steps.push_back(std::move(step));
    return {};
  }

  const Partition& parts_;
  const Target& target_;
  const TraceOfTask& trace_of_;
  const NetworkChoice& choice_;
  TensorPlaces places_;
  NetworkOutputs outputs_;
  Linker linker_;
  LoweredNetwork network_;
};

}  // namespace

TraceOfTask default_traces(const Target& target, AllowsAlgorithm allows) {
  auto known = std::make_shared<std::map<std::string, Trace>>();
  return [known, target, allows = std::move(allows)](const KeyedTask& task) -> Result<Trace> {
    const auto found = known->find(task.text);
    if (found != known->end()) return found->second;
    const Space space = TRY(build_space(task, target));
    return (*known)[task.text] = allowed_only(space, allows).default_trace();
  };
}

Result<LoweredNetwork> lower_network(const Partition& parts, const Target& target,
                                     const TraceOfTask& trace_of, const NetworkChoice& choice) {
  CHECK(choice.nodes.empty() || choice.nodes.size() == parts.regions.size(),
        "a choice has an entry for each region");
  return NetworkLowering(parts, target, trace_of, choice).lower();
}

}  // namespace dovetail
