// SPDX-License-Identifier: Apache-2.0
#include "measure/runner/local_runner.h"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/check.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/region/region_text.h"
#include "measure/machine/timed_cores.h"
#include "measure/messages/measure_messages.h"
#include "measure/supervisor/child_process.h"
#include "measure/transport/socket_transport.h"
#include "measure/worker/worker.h"

namespace dovetail {
namespace {

// The measuring process then ends its workers and removes what it wrote.
constexpr double kEndSeconds = 3;
// A candidate with which the measuring process died twice has no third try.
constexpr int kMostDeaths = 2;

Deadline never() { return deadline_after(std::numeric_limits<double>::infinity()); }

// The measuring process, and what it knows already.
class HostLink {
 public:
  static Result<std::unique_ptr<HostLink>> start(const WorkerCommand& command,
                                                 const MeasureOptions& options) {
    SocketPair pair = TRY(socket_pair());
    std::unique_ptr<ChildProcess> process = TRY(ChildProcess::start(command, pair.theirs));
    std::unique_ptr<HostLink> link(new HostLink(std::move(process), std::move(pair.ours)));
    link->transport_->send(encode(BeginRequest{.options = options}), never());
    return link;
  }
  ~HostLink() { end(); }

  // If the process has ended, receive() tells.
  void send(MeasureRequest& request, const OwnInputs& own_inputs) {
    request.own_operands = send_operands(request.input, own_inputs);
    if (last_program_ != request.program_key) {
      last_program_ = request.program_key;
      transport_->send(encode(request), never());
      return;
    }
    std::string program = std::exchange(request.program, {});
    transport_->send(encode(request), never());
    request.program = std::move(program);
  }

  Result<MeasureReply> receive() {
    if (!is_ready_) is_ready_ = transport_->receive(never()).frame == hello();
    if (!is_ready_)
      return fail("the measuring process did not become ready: {}{}", end(), if_few_descriptors());
    const ReceivedFrame reply = transport_->receive(never());
    if (reply.status == FrameStatus::done) return decode<MeasureReply>(reply.frame);
    return fail("the measuring process ended: {}", end());
  }

  // False: it never answered, so that nothing can be measured here.
  bool is_ready() const { return is_ready_; }

 private:
  HostLink(std::unique_ptr<ChildProcess> process, std::unique_ptr<Transport> transport)
      : process_(std::move(process)), transport_(std::move(transport)) {}

  // True if the region has operands of its own, which the process then has.
  bool send_operands(const MeasureInput& input, const OwnInputs& own_inputs) {
    const std::vector<DataKind> kinds = data_kinds_of(input);
    if (!own_inputs || std::ranges::count(kinds, DataKind::real) == 0) return false;
    std::string region = print(input.spec.region);
    if (region == region_) return has_operands_;
    const std::optional<NamedArrays> own = own_inputs(input.spec.region);
    region_ = std::move(region);
    has_operands_ = own.has_value();
    if (own) transport_->send(encode(operands_message(*own)), never());
    return has_operands_;
  }

  std::string end() {
    transport_.reset();
    return process_->has_ended() ? "" : process_->end(kEndSeconds).reason;
  }

  std::unique_ptr<ChildProcess> process_;
  std::unique_ptr<Transport> transport_;
  std::optional<uint64_t> last_program_;
  std::string region_;  // whose operands were asked for last
  bool has_operands_ = false;
  bool is_ready_ = false;
};

class HostedRunner final : public LocalRunner {
 public:
  HostedRunner(WorkerCommand command, MeasureOptions options)
      : command_(std::move(command)), options_(std::move(options)) {}
  ~HostedRunner() override {
    if (options_.pins_caller) pin_calling_thread(callers_cores_);
  }

  void submit(MeasureInput input) override {
    std::string program = print(input.program);
    const LeastWork work{executed_fmas(input.program), touched_bytes(input.program)};
    input.program = {};
    in_flight_.push_back({.input = std::move(input),
                          .work = work,
                          .program_key = hash_of_text(program),
                          .program = std::move(program)});
    if (link_ != nullptr)
      link_->send(in_flight_.back(), options_.own_inputs);
    else
      (void)start();  // wait() tries again, and reports
  }

  MeasureResult wait() override {
    CHECK(!in_flight_.empty(), "wait() with nothing in flight");
    MeasureResult result = ask();
    in_flight_.pop_front();
    return result;
  }

  size_t in_flight() const override { return in_flight_.size(); }
  double peak_gflops() const override { return peak_gflops_; }
  std::vector<std::string> take_warnings() override { return std::exchange(warnings_, {}); }

 private:
  // Asks a new process for all that is in flight.
  Result<void> start() {
    link_ = TRY(HostLink::start(command_, options_));
    for (MeasureRequest& request : in_flight_) link_->send(request, options_.own_inputs);
    return {};
  }

  MeasureResult ask() {
    MeasureResult lost;
    for (int deaths = 0; deaths < kMostDeaths; ++deaths) {
      const Result<void> started = link_ != nullptr ? Result<void>() : start();
      Result<MeasureReply> reply = started ? link_->receive() : fail(started.error().message);
      if (reply) return take(*std::move(reply));
      lost.reason = reply.error().message;
      lost.no_device = link_ == nullptr || !link_->is_ready();
      link_.reset();
    }
    return lost;
  }

  MeasureResult take(MeasureReply reply) {
    peak_gflops_ = reply.peak_gflops;
    for (std::string& warning : reply.warnings) warnings_.push_back(std::move(warning));
    return std::move(reply.result);
  }

  WorkerCommand command_;
  MeasureOptions options_;
  std::vector<int> callers_cores_ = allowed_cores();  // restored in the end
  std::unique_ptr<HostLink> link_;
  std::deque<MeasureRequest> in_flight_;  // oldest first
  double peak_gflops_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<std::unique_ptr<LocalRunner>> make_local_runner(const Target& target,
                                                       const MeasureOptions& options) {
  const CoreSplit cores = TRY(cores_for(target));
  WorkerCommand command;
  command.path = options.worker_path.empty() ? TRY(find_worker()) : options.worker_path;
  command.arguments = print(WorkerOptions{.role = "measure",
                                          .target = target,
                                          .cores = allowed_cores(),
                                          .parent = ::getpid(),
                                          .faults = options.faults});
  std::unique_ptr<LocalRunner> runner = std::make_unique<HostedRunner>(command, options);
  if (options.pins_caller) pin_calling_thread(cores.rest);
  return runner;
}

}  // namespace dovetail
