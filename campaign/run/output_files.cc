// SPDX-License-Identifier: Apache-2.0
#include "campaign/run/output_files.h"

#include <filesystem>

#include "campaign/run/npy.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

Unexpected no_folder(const std::string& folder, const std::string& found) {
  return fail("--outputs {}: {}; expected a folder", folder, found);
}

Result<void> make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return no_folder(folder, error.message());
  return {};
}

}  // namespace

Result<void> check_output_folder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error) || std::filesystem::is_directory(path, error))
    return {};
  return no_folder(path, "is none");
}

Result<std::vector<std::string>> write_outputs(const std::string& folder,
                                               const std::vector<OuterTensor>& made,
                                               const NamedArrays& outputs) {
  TRY(make_folder(folder));
  std::vector<std::string> files;
  for (const OuterTensor& tensor : made) {
    files.push_back(
        (std::filesystem::path(folder) / fmt::format("output_{}.npy", files.size())).string());
    const NDArray& values = outputs.find(tensor.name)->second;
    TRY(write_npy(files.back(), converted(values, tensor.type).reshaped(tensor.shape)));
  }
  return files;
}

}  // namespace dovetail
