// SPDX-License-Identifier: Apache-2.0
// dovetail-make-models FOLDER [NAME…]: writes sample networks as FOLDER/NAME.onnx, all of them if
// none is named.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/models/onnx_export.h"
#include "tests/models/sample_models.h"

namespace {

constexpr uint64_t kSeed = 18;  // fixed: the same bytes everywhere

dovetail::Result<void> write_model(const std::string& name, const std::string& folder) {
  const dovetail::Graph graph = TRY(dovetail::build_sample_model(name, kSeed));
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  const std::string path = folder + "/" + name + ".onnx";
  TRY(dovetail::export_onnx(graph, path));
  std::puts(path.c_str());
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    std::fputs("make-models: expected FOLDER [NAME…]\n", stderr);
    return 1;
  }
  std::vector<std::string> names(argv + 2, argv + argc);
  if (names.empty()) names = dovetail::sample_model_names();
  for (const std::string& name : names) {
    const auto written = write_model(name, argv[1]);
    if (written) continue;
    std::fprintf(stderr, "make-models: %s\n", written.error().message.c_str());
    return 1;
  }
  return 0;
}
