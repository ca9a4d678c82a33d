// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/trace_forms.h"

#include "deploy/network/region_call.h"
#include "deploy/network/region_forms.h"

namespace dovetail {

Result<TraceForms> trace_forms(const Graph& graph, const NodeRegion& node, const Region& region,
                               const Trace& trace, const NetworkOutputs& outputs,
                               const Target& target) {
  const TraceOfTask own = [&](const TaskSpec&) -> Result<Trace> { return trace; };
  RegionCall call = TRY(RegionCall::make(region, node, graph, own, target));
  TRY(call.lower_in_graph(graph, outputs));
  TraceForms found;
  for (const Buffer& buffer : call.program().buffers) {
    if (buffer.role != BufferRole::activation && buffer.role != BufferRole::output) continue;
    if (buffer.role == BufferRole::output && call.copies(buffer)) found.copies_output = true;
    const TensorId id = call.tensor(buffer.tensor);
    const auto form = call.form_in_graph(buffer, shape_in(graph, id));
    if (!form || (buffer.role == BufferRole::activation && call.copies(buffer))) continue;
    found.forms[id] = *form;
  }
  return found;
}

}  // namespace dovetail
