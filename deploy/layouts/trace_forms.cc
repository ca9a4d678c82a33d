// SPDX-License-Identifier: Apache-2.0
#include "deploy/layouts/trace_forms.h"

#include <set>
#include <string>

#include "core/ir/program/walk.h"
#include "deploy/network/region_call.h"
#include "deploy/network/region_forms.h"

namespace dovetail {
namespace {

// An upper bound: not all temporaries need to be alive at once.
int64_t bytes_of_temporaries(const Program& program) {
  int64_t bytes = 0;
  for (const Buffer& buffer : program.buffers)
    if (buffer.role == BufferRole::temporary) bytes += buffer_bytes(buffer);
  return bytes;
}

// Weights that only kernels of build time read are freed before a run.
int64_t bytes_of_constants(const Program& program) {
  std::set<std::string> read;
  for (const Kernel& kernel : program.kernels)
    if (!kernel.prepares)
      for_each_store(kernel.body, [&](const Store& store) {
        for_each_load(store.value, [&](const Load& load) { read.insert(load.buffer); });
      });
  int64_t bytes = 0;
  for (const Buffer& buffer : program.buffers)
    if ((buffer.role == BufferRole::constant || buffer.role == BufferRole::prepared) &&
        read.contains(buffer.name))
      bytes += buffer_bytes(buffer);
  return bytes;
}

}  // namespace

Result<TraceForms> trace_forms(const Graph& graph, const NodeRegion& node, const Region& region,
                               const Trace& trace, const NetworkOutputs& outputs,
                               const Target& target) {
  const TraceOfTask own = [&](const KeyedTask&) -> Result<Trace> { return trace; };
  RegionCall call = TRY(RegionCall::make(region, node, graph, own, target));
  TRY(call.lower_in_graph(graph, outputs));
  TraceForms found{.forms = {},
                   .constant_bytes = bytes_of_constants(call.program()),
                   .temporary_bytes = bytes_of_temporaries(call.program())};
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
