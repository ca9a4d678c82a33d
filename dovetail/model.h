// SPDX-License-Identifier: Apache-2.0
#pragma once

// Model: a network as it was trained, to be tuned and compiled.
//
//   dt::Model::load("net.onnx", {.shapes = {{"x", {1, 3, 224, 224}}}})
//   dt::Model::parse(bytes)                                  the same of a file's bytes
//   model.inputs()[0]                                        {"x", f32, {1, 3, 224, 224}}

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/element_type.h"

namespace dovetail::api {

struct TensorInfo {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;
  friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

struct ModelOptions {
  // Shapes of inputs whose dimensions the model leaves open, by the input's name.
  std::map<std::string, std::vector<int64_t>> shapes = {};
  // Inputs that are held at a number, as if they were constants of the model.
  std::map<std::string, double> constants = {};
};

class Model {
 public:
  // ONNX, or a graph in text (*.graph), which has no weights: it can be tuned, not run. A model
  // comes from somebody you trust: ONNX's shape inference, which runs in this process, is known to
  // crash on some invalid ones.
  static Result<Model> load(const std::string& path, const ModelOptions& options = {});
  // A model whose weights are in files of their own needs load().
  static Result<Model> parse(std::span<const std::byte> onnx, const ModelOptions& options = {});

  const std::string& name() const;  // in messages: the path
  const std::vector<TensorInfo>& inputs() const;
  const std::vector<TensorInfo>& outputs() const;

  struct Data;  // defined and used in the library's own files
  explicit Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace dovetail::api
