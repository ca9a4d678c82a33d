// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx_external_data.h"

#if DOVETAIL_HAVE_ONNX
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length = {};  // none: up to the end of the file
};

Result<Place> place_of(const onnx::TensorProto& tensor) {
  Place place;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const auto number = read_number<uint64_t>(entry.value());
    if (!number)
      return fail("initializer {} is stored at {} \"{}\"; expected a number of bytes",
                  tensor.name(), entry.key(), entry.value());
    if (entry.key() == "offset")
      place.offset = *number;
    else
      place.length = *number;
  }
  const fs::path path(place.location);
  const bool leaves = path.is_absolute() || std::ranges::find(path, "..") != path.end();
  if (place.location.empty() || leaves)
    return fail("initializer {} is stored in \"{}\"; expected a file within the model's folder",
                tensor.name(), place.location);
  return place;
}

class ExternalData {
 public:
  explicit ExternalData(const std::string& path) : folder_(fs::path(path).parent_path()) {}

  Result<void> read(onnx::TensorProto& tensor) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return {};
    const Place place = TRY(place_of(tensor));
    const fs::path file = folder_ / place.location;
    std::error_code code;
    const uint64_t size = fs::file_size(file, code);
    std::ifstream stream(file, std::ios::binary);
    if (code || !stream)
      return fail("initializer {} is stored in {}, which cannot be read; expected that file",
                  tensor.name(), file.string());
    const uint64_t begin = std::min(place.offset, size);
    const uint64_t length = place.length.value_or(size - begin);
    if (length > size - begin || place.offset > size)
      return fail("initializer {} is stored in bytes {} to {} of {}, which has {}; expected more",
                  tensor.name(), place.offset, place.offset + length, file.string(), size);
    total_ += length;
    if (total_ > INT_MAX)
      return fail("{} keeps more than 2 GiB of numbers; expected less", file.string());
    std::string bytes(length, '\0');
    stream.seekg(static_cast<std::streamoff>(begin));
    if (!stream.read(bytes.data(), static_cast<std::streamsize>(length)))
      return fail("{}: cannot read it to its end; expected {} bytes", file.string(), size);
    tensor.set_raw_data(std::move(bytes));
    tensor.clear_data_location();
    tensor.clear_external_data();
    return {};
  }

 private:
  fs::path folder_;
  uint64_t total_ = 0;
};

}  // namespace

Result<void> read_external_data(const std::string& path, onnx::ModelProto& model) {
  ExternalData data(path);
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) TRY(data.read(tensor));
  for (auto& node : *model.mutable_graph()->mutable_node())
    for (auto& attribute : *node.mutable_attribute())
      if (attribute.has_t()) TRY(data.read(*attribute.mutable_t()));
  return {};
}

}  // namespace dovetail
#endif
