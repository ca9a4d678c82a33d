// SPDX-License-Identifier: Apache-2.0
#pragma once

// EngineSession: an inference engine that runs a model beside us, in a process of its own.
//
//   EngineSession engine = TRY(EngineSession::start("openvino", {1}));
//   TRY(engine.give("input", image));         of its own type and shape
//   TRY(engine.load("resnet18.onnx"));        engine.version() "2026.4.1"
//   const EngineSamples ran = TRY(engine.sample(3, 20, 4.0));        seconds of each run
//   TRY(engine.output(0))                     its first output, to be compared with ours
//
// Engines are Python packages: onnxruntime, openvino, torch, in the environment that
// scripts/install-network-peers makes, or in the Python that DOVETAIL_ENGINES_PYTHON names. Why a
// process: their threads, allocators and crashes are their own, and peak memory can be told apart.
// It may be used from the thread that started it only. Errors name the engine.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/array.h"
#include "measure/worker_process.h"

namespace dovetail {

// What --peer takes of a network.
std::vector<std::string> engine_names();
// The engine is known, and there is a Python to run it in: asked before anything else takes long.
Result<void> check_engine(const std::string& engine);

struct EngineSamples {
  std::vector<double> seconds;  // of each run
  int64_t peak_bytes = 0;       // of its process until now, the engine's own code included
};

class EngineSession {
 public:
  // `cores`: it runs there, with a thread on each.
  static Result<EngineSession> start(const std::string& engine, const std::vector<int>& cores);
  // Of a program that speaks the same: for tests.
  static Result<EngineSession> start(const std::string& engine, const WorkerCommand& command,
                                     const std::vector<int>& cores);

  Result<void> give(const std::string& input, const Array& values);
  Result<void> load(const std::string& model);
  // After `warm_up` runs, up to `runs` of them, or so many as begin within `seconds`.
  Result<EngineSamples> sample(int64_t warm_up, int64_t runs, double seconds);
  Result<Array> output(int64_t number);  // in the model's order, flat

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  const std::string& precision() const { return precision_; }  // in the engine's own words
  int64_t import_bytes() const { return import_bytes_; }       // before it had a model
  int64_t outputs() const { return outputs_; }

 private:
  EngineSession(std::string name, std::vector<int> cores, std::unique_ptr<WorkerProcess> process)
      : name_(std::move(name)), cores_(std::move(cores)), process_(std::move(process)) {}
  template <typename Reply>
  Result<Reply> ask(const Frame& request, double timeout_seconds);

  std::string name_;
  std::vector<int> cores_;
  std::unique_ptr<WorkerProcess> process_;
  bool has_ended_ = false;
  std::string version_, precision_;
  int64_t import_bytes_ = 0, outputs_ = 0;
};

}  // namespace dovetail
