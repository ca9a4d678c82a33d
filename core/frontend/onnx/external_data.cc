// SPDX-License-Identifier: Apache-2.0
#include "core/frontend/onnx/external_data.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <fstream>

#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

namespace fs = std::filesystem;

struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length = {};  // nullopt: up to the end of the file
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

// Both as links resolve them.
bool is_within(const fs::path& file, const fs::path& folder) {
  const auto end = std::ranges::mismatch(folder, file).in1;
  return end == folder.end();
}

class ExternalData {
 public:
  explicit ExternalData(const std::string& path) : folder_(fs::path(path).parent_path()) {
    std::error_code ignored;
    // The folder in the model's path, and the one of the file that it links to.
    allowed_ = {fs::canonical(folder_.empty() ? "." : folder_, ignored),
                fs::canonical(path, ignored).parent_path()};
  }

  Result<void> read(onnx::TensorProto& tensor) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return {};
    const Place place = TRY(place_of(tensor));
    const fs::path file = folder_ / place.location;
    std::ifstream stream = TRY(open(tensor.name(), file));
    std::error_code code;
    const uint64_t size = fs::file_size(file, code);
    if (code) return cannot_read(tensor.name(), file);
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
  static Unexpected cannot_read(const std::string& tensor, const fs::path& file) {
    return fail("initializer {} is stored in {}, which cannot be read; expected that file", tensor,
                file.string());
  }

  Result<std::ifstream> open(const std::string& tensor, const fs::path& file) const {
    std::error_code code;
    const fs::path real = fs::canonical(file, code);
    if (code) return cannot_read(tensor, file);
    const auto holds = [&](const fs::path& folder) { return is_within(real, folder); };
    if (std::ranges::none_of(allowed_, holds))
      return fail(
          "initializer {} is stored in {}, a link out of the model's folder; expected a file "
          "within it",
          tensor, file.string());
    if (const std::string_view found = what_else_than_plain(real.string()); !found.empty())
      return fail("initializer {} is stored in {}, which is {}; expected a plain file", tensor,
                  file.string(), found);
    Result<std::ifstream> stream = open_plain_stream(real.string());
    if (!stream) return cannot_read(tensor, file);
    return stream;
  }

  fs::path folder_;
  std::array<fs::path, 2> allowed_;
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
