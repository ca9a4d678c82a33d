// SPDX-License-Identifier: Apache-2.0
#include "measure/network_peers/engine_session.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/beside_program.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "measure/network_peers/engine_messages.h"

namespace dovetail {
namespace {

constexpr double kGiveSeconds = 60;
constexpr double kEngineLoadSeconds = 300;
constexpr const char* kScript = "serve_engine.py";

// The environment that scripts/install-network-peers makes is beside the build's folder.
Result<std::string> engine_python(const std::string& engine) {
  if (const char* named = std::getenv("DOVETAIL_ENGINES_PYTHON")) {
    if (std::filesystem::exists(named)) return named;
    return fail("peer {}: DOVETAIL_ENGINES_PYTHON names {}, which is not there", engine, named);
  }
  const std::filesystem::path beside = "network-peers/bin/python";
  for (const std::filesystem::path& folder :
       {program_folder().parent_path(), program_folder().parent_path().parent_path()})
    if (std::filesystem::exists(folder / beside)) return (folder / beside).string();
  return fail(
      "peer {}: not installed: no {} in {}; run scripts/install-network-peers, or name a "
      "Python that has it by DOVETAIL_ENGINES_PYTHON",
      engine, beside.string(), program_folder().parent_path().string());
}

}  // namespace

std::vector<std::string> engine_names() { return {"onnxruntime", "openvino", "libtorch"}; }

Result<void> check_engine(const std::string& engine) {
  const std::vector<std::string> known = engine_names();
  if (std::ranges::find(known, engine) == known.end())
    return fail("unknown peer '{}' of a network; expected one of: {}", engine,
                one_of_or_nearest(engine, known));
  TRY(engine_python(engine));
  return {};
}

Result<EngineSession> EngineSession::start(const std::string& engine,
                                           const std::vector<int>& cores) {
  TRY(check_engine(engine));
  WorkerCommand command{.path = TRY(engine_python(engine)), .arguments = {}};
  command.arguments = {TRY(find_program(kScript)), engine};
  command.environment = {fmt::format("OMP_NUM_THREADS={}", cores.size())};
  return start(engine, command, cores);
}

Result<EngineSession> EngineSession::start(const std::string& engine, const WorkerCommand& command,
                                           const std::vector<int>& cores) {
  // A process inherits its parent thread's cores, and engines count them.
  const std::vector<int> ours = allowed_cores();
  pin_calling_thread(cores);
  Result<std::unique_ptr<WorkerProcess>> process = WorkerProcess::start(command);
  pin_calling_thread(ours);
  if (!process) return fail("peer {}: {}", engine, process.error().message);
  return EngineSession(engine, cores, std::move(*process));
}

template <typename Reply>
Result<Reply> EngineSession::ask(const Frame& request, double timeout_seconds) {
  if (has_ended_) return fail("peer {}: its process has ended", name_);
  const Exchange exchange = process_->exchange(request, timeout_seconds);
  has_ended_ = exchange.outcome != Exchange::Outcome::answered;
  if (has_ended_) return fail("peer {}: {}", name_, exchange.reason);
  Result<Reply> reply = decode<Reply>(exchange.reply);
  if (!reply) return fail("peer {}: {}", name_, reply.error().message);
  return reply;
}

Result<void> EngineSession::give(const std::string& input, const NDArray& values) {
  const std::span<const std::byte> elements = values.bytes();
  TRY(ask<EngineTaken>(
      encode(EngineInput{.name = input,
                         .type = std::string(name_of(values.type())),
                         .shape = fmt::format("{}", fmt::join(values.shape(), ",")),
                         .elements = {elements.begin(), elements.end()}}),
      kGiveSeconds));
  return {};
}

Result<void> EngineSession::load(const std::string& model) {
  const EngineLoad request{.model = model, .threads = std::ssize(cores_)};
  const EngineLoaded loaded = TRY(ask<EngineLoaded>(encode(request), kEngineLoadSeconds));
  version_ = loaded.version;
  precision_ = loaded.precision;
  outputs_ = loaded.outputs;
  import_bytes_ = loaded.import_bytes;
  return {};
}

Result<EngineSamples> EngineSession::sample(int64_t warm_up, int64_t runs, double seconds) {
  const EngineSample request{.warm_up = warm_up, .runs = runs, .seconds = seconds};
  EngineSampled sampled =
      TRY(ask<EngineSampled>(encode(request), kEngineLoadSeconds + 2 * seconds));
  return EngineSamples{.seconds = std::move(sampled.seconds), .peak_bytes = sampled.peak_bytes};
}

Result<NDArray> EngineSession::output(int64_t number) {
  EngineValues values =
      TRY(ask<EngineValues>(encode(EngineOutput{.number = number}), kGiveSeconds));
  const std::optional<ElementType> type = element_type_named(values.type);
  if (!type || !is_stored(*type) ||
      values.elements.size() % static_cast<size_t>(bytes_of(*type)) != 0)
    return fail("peer {}: output {} has {} bytes of dtype {}; expected numbers", name_, number,
                values.elements.size(), values.type);
  const int64_t count = std::ssize(values.elements) / bytes_of(*type);
  return NDArray(*type, {count}, std::move(values.elements));
}

}  // namespace dovetail
