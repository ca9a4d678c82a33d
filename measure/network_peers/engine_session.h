// SPDX-License-Identifier: Apache-2.0
#pragma once

// EngineSession: an inference engine that runs a model for comparison, in a process of its own.
//
//   EngineSession engine = TRY(EngineSession::start("openvino", {1}));
//   TRY(engine.give("input", image));         of its own type and shape
//   TRY(engine.load("resnet18.onnx"));        engine.version() "2026.4.1"
//   const EngineSamples ran = TRY(engine.sample(3, 20, 4.0));        seconds of each run
//   TRY(engine.output(0))                     its first output, to be compared with ours
//
// Engines are Python packages: onnxruntime, openvino, torch, in the environment that
// scripts/install-network-peers makes, or in the Python that DOVETAIL_ENGINES_PYTHON names. Why a
// process: it isolates threads, allocators and crashes, and its peak memory can be measured. Must
// be used only from the thread that started it. Errors name the engine.

#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/value/ndarray.h"
#include "measure/supervisor/worker_process.h"

namespace dovetail {

// The values of --peer for a network.
std::vector<std::string> engine_names();
// Fails if the engine is unknown or has no Python to run in: an early check before long work.
Result<void> check_engine(const std::string& engine);

struct EngineSamples {
  std::vector<double> seconds;  // by run
  int64_t peak_bytes = 0;       // peak memory of its process so far, the engine's own code included
};

class EngineSession {
 public:
  // The engine runs on `cores`, with one thread on each.
  static Result<EngineSession> start(const std::string& engine, const std::vector<int>& cores);
  // For tests: starts another program with the same protocol.
  static Result<EngineSession> start(const std::string& engine, const WorkerCommand& command,
                                     const std::vector<int>& cores);

  Result<void> give(const std::string& input, const NDArray& values);
  Result<void> load(const std::string& model);
  // After `warm_up` runs, times up to `runs` runs, as many as begin within `seconds`.
  Result<EngineSamples> sample(int64_t warm_up, int64_t runs, double seconds);
  Result<NDArray> output(int64_t number);  // in the model's order, flat

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }
  const std::string& precision() const { return precision_; }  // in the engine's own words
  int64_t import_bytes() const { return import_bytes_; }       // memory before it had a model
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
