// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/network_case.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "campaign/run/npy.h"
#include "campaign/run/run.h"
#include "core/frontend/computations/node_region.h"
#include "tests/support/temporary_folder.h"

namespace dovetail::testing {
namespace {

namespace fs = std::filesystem;

NDArray values_of(const GraphTensor& tensor) { return converted(*tensor.data, tensor.type); }

// Integers and truths are exact; real numbers are near, as ONNX's own runner has it, halves as near
// as they are stored.
bool is_near(const NDArray& found, const NDArray& values, size_t i) {
  if (computed_type(values.type()) != ComputedType::real)
    return found.integer(i) == values.integer(i);
  const double number = found.real(i), expected = values.real(i);
  if (std::isnan(expected) && std::isnan(number)) return true;
  if (expected == number) return true;  // infinities
  const double step = values.type() == ElementType::f16    ? 1e-3
                      : values.type() == ElementType::bf16 ? kCutBfloat
                                                           : 0;
  return std::abs(number - expected) <= 1e-5 + (1e-3 + step) * std::abs(expected);
}

std::string difference(const GraphTensor& expected, const std::string& file) {
  const auto found = read_npy(file);
  if (!found) return found.error().message;
  const bool has_bits = found->type() == ElementType::bf16 && expected.type == ElementType::u16;
  const NDArray values = values_of(has_bits ? with_bfloats(expected) : expected);
  if (found->size() != values.size()) return file + " has another number of elements";
  for (size_t i = 0; i < values.size(); ++i)
    if (!is_near(*found, values, i))
      return fmt::format("{}: element {} is {}, expected {}", expected.name, i, found->real(i),
                         values.real(i));
  return "";
}

}  // namespace

NetworkCase::NetworkCase(const std::string& folder)
    : folder_(folder),
      name_(fmt::format("{}.{}", fs::path(folder).parent_path().filename().string(),
                        fs::path(folder).filename().string())) {
  auto read = read_onnx_case(folder);
  if (read) {
    case_ = *std::move(read);
    refusal_ = find_refusal();
    return;
  }
  refusal_ = read.error().message;
  // The folder and its model are known.
  for (const std::string& known : {folder + "/", std::string("model model.onnx: ")})
    if (const size_t at = refusal_.find(known); at != std::string::npos)
      refusal_.erase(at, known.size());
}

std::string NetworkCase::find_refusal() const {
  for (const GraphNode& node : case_.graph.nodes) {
    const auto region = node_region(case_.graph, node);
    if (!region) return region.error().message;
    if (!region->reason.empty()) return node.type + ": " + region->reason;
  }
  for (const auto* ids : {&case_.graph.inputs, &case_.graph.outputs})
    for (const TensorId id : *ids) {
      const GraphTensor& tensor = case_.graph.tensors[static_cast<size_t>(id)];
      if (!is_stored(tensor.type)) return fmt::format("a tensor of {}", name_of(tensor.type));
      if (!tensor.shape) return "a shape that is only known at run time";
    }
  return "";
}

CaseRun NetworkCase::run(const std::string& target, std::optional<uint64_t> trace_seed) const {
  const TemporaryFolder folder;
  fs::create_directories(folder.folder() / "in");
  const OnnxDataSet& data = case_.data_sets.front();
  for (size_t i = 0; i < data.inputs.size(); ++i) {
    const auto id = static_cast<size_t>(case_.graph.inputs.at(i));
    const bool has_bits = case_.graph.tensors[id].type == ElementType::bf16 &&
                          data.inputs[i].type == ElementType::u16;
    const GraphTensor input = has_bits ? with_bfloats(data.inputs[i]) : data.inputs[i];
    const auto written = write_npy(folder.path(fmt::format("in/input_{}.npy", i)),
                                   values_of(input).reshaped(*input.shape));
    if (!written) return {written.error().message};
  }
  RunSpecOptions options;
  options.spec = folder_ + "/model.onnx";
  options.target = target;
  options.inputs = folder.path("in");
  options.outputs = folder.path("out");
  options.trace_seed = trace_seed;
  const auto done = run_spec(options, {});
  if (!done) return {done.error().message};
  CaseRun result{done->rows[0].reason, done->rows[0].random_traces};
  for (size_t i = 0; i < data.outputs.size() && result.wrong.empty(); ++i)
    result.wrong = difference(data.outputs[i], folder.path(fmt::format("out/output_{}.npy", i)));
  return result;
}

}  // namespace dovetail::testing
