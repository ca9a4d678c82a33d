// SPDX-License-Identifier: Apache-2.0
#pragma once

// The messages between a tuner and the measuring process on a device's machine
// (measure/host/measuring_host.h), which answers each measurement whole:
//
//   BeginRequest -> hello()            once, first: the rules of measuring
//   RegionOperands                     before a measurement whose region has operands of its own
//   MeasureRequest -> MeasureReply     in the order of the requests, any number in flight
//
// A request holds all that determines what is built, run and checked: nothing of it is the sender's
// memory, so that any process on any machine may answer it. The kind of the operands follows from
// the trace and the purpose (data_kinds_of).

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/result.h"
#include "core/record/line/measure_result.h"
#include "core/record/runner.h"
#include "measure/messages/worker_messages.h"
#include "measure/reference/check_data.h"
#include "measure/runner/measure_options.h"
#include "measure/transport/frame.h"

namespace dovetail {

struct BeginRequest {
  static constexpr const char* kType = "begin";
  MeasureOptions options = {};
};

// A region's own operands (OwnInputs), one tensor's bytes after the other.
struct RegionOperands {
  struct Tensor {
    std::string name = {};
    ElementType type = ElementType::f32;
    std::vector<int64_t> shape = {};
    friend bool operator==(const Tensor&, const Tensor&) = default;
  };
  static constexpr const char* kType = "operands";
  std::vector<Tensor> tensors = {};
  std::vector<std::byte> bytes = {};
  friend bool operator==(const RegionOperands&, const RegionOperands&) = default;
};
RegionOperands operands_message(const NamedArrays& inputs);
Result<NamedArrays> inputs_of(const RegionOperands& message);

// The least that a program does in a run; no time in which no machine does it is believed.
struct LeastWork {
  double fmas = 0;    // executed_fmas
  int64_t bytes = 0;  // touched_bytes
  friend bool operator==(const LeastWork&, const LeastWork&) = default;
};

struct MeasureRequest {
  static constexpr const char* kType = "measure";
  MeasureInput input = {};    // without its program
  bool own_operands = false;  // those of the last RegionOperands
  LeastWork work = {};        // in the message, because to read all of a program takes a while
  uint64_t program_key = 0;   // hash_of_text(program)
  std::string program = {};   // its text; empty: the last one that was sent, which has that key
  friend bool operator==(const MeasureRequest&, const MeasureRequest&) = default;
};

struct MeasureReply {
  static constexpr const char* kType = "measured";
  static constexpr Reals kReals = Reals::quoted;  // an error may be infinite
  MeasureResult result = {};
  double peak_gflops = 0;                  // so far (LocalRunner::peak_gflops)
  std::vector<std::string> warnings = {};  // since the last reply
  friend bool operator==(const MeasureReply&, const MeasureReply&) = default;
};

// The kinds of operands on which a candidate is checked, in this order; there are one or two.
std::vector<DataKind> data_kinds_of(const MeasureInput& input);

auto fields_of(Of<MeasureOptions> auto& options) {
  return std::tuple(
      Field{"lease_timeout_seconds", options.lease_timeout_seconds},
      Field{"build_timeout_seconds", options.build_timeout_seconds},
      Field{"run_timeout_seconds", options.run_timeout_seconds},
      Field{"run_timeout_floor_seconds", options.run_timeout_floor_seconds},
      Field{"driver_run_timeout_floor_seconds", options.driver_run_timeout_floor_seconds},
      Field{"run_timeout_factor", options.run_timeout_factor}, Field{"builders", options.builders},
      Field{"caches", options.caches}, Field{"build_memory_bytes", options.build_memory_bytes},
      Field{"run_memory_bytes", options.run_memory_bytes}, Field{"timing", options.timing},
      Field{"thorough_timing", options.thorough_timing}, Field{"max_error", options.max_error},
      Field{"peak_every", options.peak_every});
}

auto fields_of(Of<BeginRequest> auto& message) { return fields_of(message.options); }

auto fields_of(Of<RegionOperands::Tensor> auto& tensor) {
  return std::tie(tensor.name, tensor.type, tensor.shape);
}

auto fields_of(Of<RegionOperands> auto& message) {
  return std::tuple(Field{"tensors", message.tensors});
}

// A measured program's text is a message's payload.
auto fields_of(Of<MeasureInput> auto& input) {
  return std::tuple(Field{"trial", input.trial}, Field{"spec", input.spec},
                    Field{"target", input.target}, Field{"trace", input.trace},
                    Field{"seed", input.seed}, Field{"best_seconds", input.best_seconds},
                    Field{"purpose", input.purpose});
}

auto fields_of(Of<MeasureRequest> auto& message) {
  return std::tuple_cat(
      fields_of(message.input),
      std::tuple(Field{"own_operands", message.own_operands}, Field{"fmas", message.work.fmas},
                 Field{"bytes", message.work.bytes}, Field{"program_key", message.program_key}));
}

auto fields_of(Of<MeasureReply> auto& message) {
  auto& result = message.result;
  return std::tuple(
      Field{"status", result.status}, Field{"reason", result.reason},
      Field{"seconds", result.seconds}, Field{"samples", result.samples},
      Field{"max_abs_error", result.max_abs_error}, Field{"max_rel_error", result.max_rel_error},
      Field{"range_error", result.range_error}, Field{"workspace_bytes", result.workspace_bytes},
      Field{"build_seconds", result.times.build_seconds},
      Field{"run_seconds", result.times.run_seconds},
      Field{"check_seconds", result.times.check_seconds}, Field{"no_device", result.no_device},
      Field{"peak_gflops", message.peak_gflops}, Field{"warnings", message.warnings});
}

auto& payload_of(Of<RegionOperands> auto& message) { return message.bytes; }
auto& payload_of(Of<MeasureRequest> auto& message) { return message.program; }

}  // namespace dovetail
