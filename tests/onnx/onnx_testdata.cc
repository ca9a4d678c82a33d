// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/onnx_testdata.h"

#if DOVETAIL_HAVE_ONNX
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/half.h"
#include "core/frontend/onnx/tensor.h"
#include "core/frontend/onnx_import.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

// prefix_0.pb, prefix_1.pb, … as tensors of these ids.
Result<std::vector<GraphTensor>> read_tensors(const Graph& graph, const std::vector<TensorId>& ids,
                                              const fs::path& folder, const std::string& prefix) {
  std::vector<GraphTensor> tensors;
  for (size_t i = 0; i < ids.size(); ++i) {
    const fs::path path = folder / fmt::format("{}_{}.pb", prefix, i);
    GraphTensor tensor = TRY(read_onnx_tensor(path.string()));
    const GraphTensor& expected = graph.tensors[static_cast<size_t>(ids[i])];
    if (expected.shape && tensor.shape != expected.shape)
      return fail(fmt::format("{} has shape [{}]; expected [{}] of {}", path.string(),
                              fmt::join(*tensor.shape, ","), fmt::join(*expected.shape, ","),
                              expected.name));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace

GraphTensor with_bfloats(GraphTensor bits) {
  std::vector<float> numbers;
  for (const int64_t word : integers_of(*bits.data))
    numbers.push_back(bfloat_bits_to_float(static_cast<uint16_t>(word)));
  bits.type = ElementType::bf16;
  bits.data = NDArray(std::move(numbers));
  return bits;
}

Result<GraphTensor> read_onnx_tensor(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  onnx::TensorProto proto;
  if (!stream || !proto.ParseFromIstream(&stream))
    return fail(fmt::format("{}: cannot read it; expected an ONNX tensor", path));
  auto tensor = convert_tensor(proto);
  if (!tensor) return fail(fmt::format("{}: {}", path, tensor.error().message));
  return tensor;
}

Result<std::vector<std::string>> list_onnx_cases(const std::string& root) {
  std::vector<std::string> folders;
  std::error_code code;
  for (auto entry = fs::recursive_directory_iterator(root, code); !code && entry != fs::end(entry);
       entry.increment(code))
    if (entry->path().filename() == "model.onnx")
      folders.push_back(entry->path().parent_path().string());
  if (code)
    return fail(fmt::format("{}: {}; expected a folder of ONNX cases", root, code.message()));
  std::ranges::sort(folders);
  return folders;
}

Result<OnnxCase> read_onnx_case(const std::string& folder) {
  const fs::path path(folder);
  OnnxCase result{.name = path.filename().string(), .graph = {}, .data_sets = {}};
  result.graph = TRY(import_onnx((path / "model.onnx").string()));
  for (int set = 0; fs::is_directory(path / fmt::format("test_data_set_{}", set)); ++set) {
    const fs::path data = path / fmt::format("test_data_set_{}", set);
    OnnxDataSet values;
    values.inputs = TRY(read_tensors(result.graph, result.graph.inputs, data, "input"));
    values.outputs = TRY(read_tensors(result.graph, result.graph.outputs, data, "output"));
    result.data_sets.push_back(std::move(values));
  }
  if (result.data_sets.empty())
    return fail(fmt::format("{}: found no test_data_set_0; expected one", folder));
  return result;
}

}  // namespace dovetail
#endif
