// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackagedModel: a sample network as a model in a folder of its own, with inputs as files, and what
// `run` gives for them.
//
//   const PackagedModel model("bert_tiny-small");
//   model.build("p", {"--target", "opencl"});       a package `net` of default traces, in folder p
//   model.bytes_of_run({"--target", "opencl"})      output behind output
//   model.input_files()                             " input_0.bin input_1.bin"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace dovetail::testing {

std::string content_of_file(const std::string& path);

// A model's name as a part of a test's: bert_tiny_small.
std::string name_of_test(std::string model);

class PackagedModel {
 public:
  explicit PackagedModel(const std::string& name);

  const TemporaryFolder& folder() const { return folder_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::string& input_files() const { return input_files_; }

  nlohmann::json build(const std::string& into, const std::vector<std::string>& more = {}) const;
  std::string bytes_of_run(const std::vector<std::string>& more = {}) const;
  // Output of a CPU package's example, compiled with `compiler` and run by `runner`.
  std::string bytes_of_example(const std::string& package, const std::string& compiler = "cc -O1",
                               const std::string& runner = "") const;

 private:
  TemporaryFolder folder_;
  std::vector<std::string> inputs_;
  std::string input_files_;
};

}  // namespace dovetail::testing
