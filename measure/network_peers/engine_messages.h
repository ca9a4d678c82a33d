// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between dovetail and serve_engine.py, in the frames of measure/transport/frame.h:
//
//   input    name, dtype "f32", shape "1,3,224,224", bytes -> taken
//   load     model, threads                               -> loaded   version, precision, outputs
//   output   number                                       -> values   dtype, bytes
//   sample   warm_up, runs, seconds                       -> sampled  seconds of each, peak_bytes

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "measure/transport/frame.h"

namespace dovetail {

struct EngineInput {
  static constexpr const char* kType = "input";
  std::string name = {}, type = {}, shape = {};
  std::vector<std::byte> elements = {};
};
struct EngineTaken {
  static constexpr const char* kType = "taken";
};
struct EngineLoad {
  static constexpr const char* kType = "load";
  std::string model = {};
  int64_t threads = 1;
};
struct EngineLoaded {
  static constexpr const char* kType = "loaded";
  std::string version = {}, precision = {};
  int64_t outputs = 0, import_bytes = 0;
};
struct EngineOutput {
  static constexpr const char* kType = "output";
  int64_t number = 0;
};
struct EngineValues {
  static constexpr const char* kType = "values";
  std::string type = {};
  std::vector<std::byte> elements = {};
};
struct EngineSample {
  static constexpr const char* kType = "sample";
  int64_t warm_up = 0, runs = 1;
  double seconds = 1;
};
struct EngineSampled {
  static constexpr const char* kType = "sampled";
  std::vector<double> seconds = {};
  int64_t peak_bytes = 0;
};

auto fields_of(Of<EngineInput> auto& message) {
  return std::tuple(Field{"name", message.name}, Field{"dtype", message.type},
                    Field{"shape", message.shape});
}
auto& payload_of(Of<EngineInput> auto& message) { return message.elements; }
auto fields_of(Of<EngineTaken> auto&) { return std::tuple(); }
auto fields_of(Of<EngineLoad> auto& message) {
  return std::tuple(Field{"model", message.model}, Field{"threads", message.threads});
}
auto fields_of(Of<EngineLoaded> auto& message) {
  return std::tuple(Field{"version", message.version}, Field{"precision", message.precision},
                    Field{"outputs", message.outputs}, Field{"import_bytes", message.import_bytes});
}
auto fields_of(Of<EngineOutput> auto& message) {
  return std::tuple(Field{"number", message.number});
}
auto fields_of(Of<EngineValues> auto& message) { return std::tuple(Field{"dtype", message.type}); }
auto& payload_of(Of<EngineValues> auto& message) { return message.elements; }
auto fields_of(Of<EngineSample> auto& message) {
  return std::tuple(Field{"warm_up", message.warm_up}, Field{"runs", message.runs},
                    Field{"seconds", message.seconds});
}
auto fields_of(Of<EngineSampled> auto& message) {
  return std::tuple(Field{"seconds", message.seconds}, Field{"peak_bytes", message.peak_bytes});
}

}  // namespace dovetail
